/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef COURSE_H
#define COURSE_H

#include <stdbool.h>
#include <stdint.h>

#include "progress.h"

/*
 * Something that takes its time, one measurement or several in turns, and is
 * looked after meanwhile: signals end it, ^Z stops its clock first, and the
 * progress is shown. Embedded in what it is about.
 */
struct course {
	const struct course_ops *ops;
	struct progress *progress;
	bool is_left; /* so urgently ended that reads are still in flight */
};

/* Those of struct blkbench_measure, blkbench_turns or blkbench_parallel. */
struct course_ops {
	int (*advance)(struct course *course, uint64_t budget_ns);
	void (*pause)(struct course *course);
	void (*stop)(struct course *course);
	void (*show)(struct course *course);
	/* The program was stopped, by what cannot be held off, in the advance
	 * just done. */
	void (*note_stop)(struct course *course);
};

/* Goes on to its end, or to that of a signal. */
void course_run(struct course *course);

#endif
