/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <time.h>

#include "course.h"
#include "signals.h"

/* How long a signal or the progress line waits at the most. */
#define ADVANCE_NS 100000000ULL

/* An advance that took so long and was followed by SIGCONT: the program was
 * stopped in it. SIGCONT alone says nothing, timeout(1) sends it to be sure. */
#define STOPPED_NS (5 * ADVANCE_NS)

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Returns whether there is more to do. */
static bool advance(struct course *course)
{
	uint64_t begin = now_ns();
	bool has_more;

	signals_take_continued();
	has_more = course->ops->advance(course, ADVANCE_NS) > 0;
	if (signals_take_continued() && now_ns() - begin > STOPPED_NS)
		course->ops->note_stop(course);
	return has_more;
}

/* Not before the reads in flight have ended, and the clock stands still. */
static void stop_if_asked(struct course *course)
{
	if (!signals_is_stop_due())
		return;
	course->ops->pause(course);
	progress_clear(course->progress);
	signals_stop();
}

void course_run(struct course *course)
{
	bool is_ending = false;

	signals_hold_stop();
	while (advance(course)) {
		if (signals_are_urgent()) {
			course->is_left = true;
			break;
		}
		if (signals_get_caught() && !is_ending) {
			course->ops->stop(course);
			is_ending = true;
		}
		course->ops->show(course);
		stop_if_asked(course);
	}
	progress_clear(course->progress);
	signals_release_stop();
}
