/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "error.h"
#include "measure.h"
#include "minmax.h"
#include "slices.h"

/* As many slices as an interval wants, where the limit allows it. */
#define SLICES_WANTED 40
#define SLICE_MIN_NS (250 * NS_PER_MS)
#define SLICE_MAX_NS NS_PER_S
#define SLICE_READS_MIN 8

/* A read that is late is not asked for more often than this. */
#define STEP_MIN_NS (5 * NS_PER_MS)

/* A device that answers no faster keeps the others waiting no longer; the first
 * time it may have to spin up, for which a measurement has its own limit. */
#define TURN_MAX_NS (10 * NS_PER_S)
#define FIRST_TURN_MAX_NS (45 * NS_PER_S)

/*
 * The verdicts are looked for at (2/3)^k of the limit and at its end. Looking
 * often and stopping at the first good moment would be wrong more often than in
 * 5 %; so each look has a part of these 5 % to spend: what is spent up to a
 * fraction of the limit is that fraction of it (Lan and DeMets, "Discrete
 * sequential boundaries for clinical trials", Biometrika 70, 1983). That the
 * parts add up to 5 % at the most holds whatever the looks have in common
 * (Bonferroni); their boundaries are not made narrower for it.
 */
#define LOOKS_RATIO (2.0 / 3)

/* Rarer chances are not looked at: no series of slices is that normal. */
#define ALPHA_MIN 1e-9

struct lane {
	struct blkbench_measure *measure;
	bool is_over; /* takes no more turns; its comparison is final */
	struct blkbench_progress mark; /* at the beginning of its slice */
	size_t count;
	struct blkbench_slice *slices;
	struct blkbench_comparison comparison; /* with the first lane */
};

/*
 * A round is there and back: lanes 0 1 2 2 1 0. A lane has a slice for each of
 * its turns, so that the i-th slices of two lanes are a pair.
 */
struct blkbench_turns {
	const struct clock *clock;
	struct compare_settings settings;
	uint64_t limit_ns, slice_ns;
	bool is_stopping;
	bool is_over;
	uint64_t begin_ns;  /* of all; 0: not yet */
	uint64_t paused_ns; /* since when all stands still; 0: it does not */
	uint64_t turn_begin_ns; /* of this one */
	size_t turn;		/* of the round: 0 to 2 * lanes_count - 1 */
	double next_look;	/* fraction of the limit */
	double spent;		/* of the chance to be wrong */
	size_t lanes_count;
	struct lane *lanes;
};

static int check(struct blkbench_measure *const *measures, size_t count,
		 struct blkbench_error *error)
{
	const char *test;

	if (count < 2)
		return error_set(error, -EINVAL,
				 "%zu measurements: not two or more", count);
	test = measure_get_plan(measures[0])->test;
	for (size_t i = 1; i < count; i++)
		if (strcmp(measure_get_plan(measures[i])->test, test) != 0)
			return error_set(
				error, -EINVAL,
				"measurements of different tests: %s, %s", test,
				measure_get_plan(measures[i])->test);
	return 0;
}

int blkbench_turns_create(struct blkbench_measure *const *measures,
			  size_t count,
			  const struct blkbench_turns_params *params,
			  struct blkbench_turns **turns,
			  struct blkbench_error *error)
{
	struct blkbench_turns *t;
	int r = check(measures, count, error);

	if (r < 0)
		return r;
	t = calloc(1, sizeof(*t));
	if (!t)
		goto no_memory;
	t->lanes = calloc(count, sizeof(*t->lanes));
	if (!t->lanes)
		goto no_memory;
	t->lanes_count = count;
	t->clock = measure_get_clock(measures[0]);
	t->limit_ns = params->limit_ns;
	t->slice_ns = clamp_u64(params->limit_ns / (SLICES_WANTED * count),
				SLICE_MIN_NS, SLICE_MAX_NS);
	t->settings.is_seek = measure_get_plan(measures[0])->is_seek;
	t->settings.equal_percent = params->equal_percent;
	t->settings.seed = params->seed;
	for (size_t i = 0; i < count; i++) {
		struct lane *lane = &t->lanes[i];

		lane->measure = measures[i];
		blkbench_measure_get_progress(lane->measure, &lane->mark);
		lane->slices = calloc(SLICES_MAX, sizeof(*lane->slices));
		if (!lane->slices)
			goto no_memory;
		compare_pairs(NULL, NULL, 0, &t->settings, &lane->comparison);
	}
	*turns = t;
	return 0;

no_memory:
	blkbench_turns_destroy(t);
	return error_set(error, -ENOMEM, "no memory to compare with");
}

void blkbench_turns_destroy(struct blkbench_turns *turns)
{
	if (!turns)
		return;
	for (size_t i = 0; i < turns->lanes_count; i++)
		free(turns->lanes[i].slices);
	free(turns->lanes);
	free(turns);
}

static size_t current(const struct blkbench_turns *turns)
{
	const size_t n = turns->lanes_count;

	return turns->turn < n ? turns->turn : 2 * n - 1 - turns->turn;
}

static double fraction(const struct blkbench_turns *turns)
{
	const uint64_t now = turns->paused_ns ? turns->paused_ns
					      : clock_now_ns(turns->clock);

	if (turns->begin_ns == 0)
		return 0;
	return fmin((double)(now - turns->begin_ns) / (double)turns->limit_ns,
		    1);
}

/* ---- the looks -------------------------------------------------------- */

static void look_at(struct blkbench_turns *turns, struct lane *lane,
		    double alpha)
{
	struct compare_settings settings = turns->settings;
	const struct lane *first = turns->lanes;

	settings.alpha = fmax(alpha, ALPHA_MIN);
	settings.seed += (uint64_t)(lane - first);
	settings.elapsed_ns = clock_now_ns(turns->clock) - turns->begin_ns;
	compare_pairs(first->slices, lane->slices,
		      lane->count < first->count ? lane->count : first->count,
		      &settings, &lane->comparison);
	if (lane->comparison.verdict != BLKBENCH_UNDECIDED)
		lane->is_over = true;
}

/* The last look: there is nothing to save up for. */
static void drop_out(struct blkbench_turns *turns, struct lane *lane)
{
	if (lane->is_over)
		return;
	lane->is_over = true;
	if (lane != turns->lanes)
		look_at(turns, lane, COMPARE_ALPHA - turns->spent);
}

static void look(struct blkbench_turns *turns)
{
	const double now = fraction(turns);
	const double spent = COMPARE_ALPHA * now;

	if (now < turns->next_look || turns->lanes[0].count < COMPARE_PAIRS_MIN)
		return;
	for (size_t i = 1; i < turns->lanes_count; i++)
		if (!turns->lanes[i].is_over)
			look_at(turns, &turns->lanes[i], spent - turns->spent);
	turns->spent = spent;
	turns->next_look = 1;
	while (turns->next_look * LOOKS_RATIO > now)
		turns->next_look *= LOOKS_RATIO;
}

/* ---- the turns -------------------------------------------------------- */

static void merge_neighbours(struct blkbench_turns *turns)
{
	for (size_t i = 0; i < turns->lanes_count; i++) {
		struct lane *lane = &turns->lanes[i];

		lane->count = slices_merge(lane->slices, lane->count);
	}
	turns->slice_ns *= 2;
}

static struct blkbench_slice slice_so_far(const struct lane *lane)
{
	struct blkbench_progress progress;

	blkbench_measure_get_progress(lane->measure, &progress);
	return (struct blkbench_slice){
		.elapsed_ns = progress.elapsed_ns - lane->mark.elapsed_ns,
		.requests = progress.requests - lane->mark.requests,
		.bytes = progress.bytes - lane->mark.bytes,
	};
}

static bool is_anything_left(const struct blkbench_turns *turns)
{
	if (turns->lanes[0].is_over)
		return false;
	for (size_t i = 1; i < turns->lanes_count; i++)
		if (!turns->lanes[i].is_over)
			return true;
	return false;
}

static void begin_turn(struct blkbench_turns *turns)
{
	struct lane *lane = &turns->lanes[current(turns)];

	turns->turn_begin_ns = clock_now_ns(turns->clock);
	blkbench_measure_get_progress(lane->measure, &lane->mark);
}

/* All that take turns have had as many at the end of a round. */
static void end_round(struct blkbench_turns *turns)
{
	turns->turn = 0;
	look(turns);
	if (turns->lanes[0].count == SLICES_MAX)
		merge_neighbours(turns);
}

static void next_turn(struct blkbench_turns *turns)
{
	do {
		turns->turn++;
		if (turns->turn == 2 * turns->lanes_count)
			end_round(turns);
	} while (is_anything_left(turns) &&
		 turns->lanes[current(turns)].is_over);
	begin_turn(turns);
}

/*
 * Also where a lane is to go on at once, its reads are let end: a slice is all
 * that was read in all the time that it took, as a result is.
 */
static void end_slice(struct lane *lane)
{
	blkbench_measure_pause(lane->measure);
	lane->slices[lane->count++] = slice_so_far(lane);
}

static bool is_slice_long_enough(const struct blkbench_turns *turns,
				 const struct blkbench_slice *slice)
{
	return slice->elapsed_ns >= turns->slice_ns &&
	       slice->requests >= SLICE_READS_MIN;
}

static bool is_turn_too_long(const struct blkbench_turns *turns,
			     const struct lane *lane)
{
	return clock_now_ns(turns->clock) - turns->turn_begin_ns >=
	       (lane->count > 0 ? TURN_MAX_NS : FIRST_TURN_MAX_NS);
}

/* Goes on with the turn for a while; ends it where it is done. */
static void step(struct blkbench_turns *turns, uint64_t budget_ns)
{
	struct lane *lane = &turns->lanes[current(turns)];
	struct blkbench_slice slice = slice_so_far(lane);
	uint64_t left = STEP_MIN_NS;
	bool is_over;

	if (turns->slice_ns > slice.elapsed_ns + STEP_MIN_NS)
		left = turns->slice_ns - slice.elapsed_ns;
	is_over = !blkbench_measure_advance(lane->measure,
					    min_u64(left, budget_ns));
	slice = slice_so_far(lane);
	if (is_slice_long_enough(turns, &slice) ||
	    (is_turn_too_long(turns, lane) && !is_over))
		end_slice(lane);
	else if (!is_over)
		return;
	if (is_over)
		drop_out(turns, lane);
	next_turn(turns);
}

static void finish(struct blkbench_turns *turns)
{
	blkbench_measure_pause(turns->lanes[current(turns)].measure);
	for (size_t i = 0; i < turns->lanes_count; i++)
		drop_out(turns, &turns->lanes[i]);
	turns->is_over = true;
}

/* Those whose turn it was not have nothing in flight, and end at once. */
static void step_stop(struct blkbench_turns *turns, uint64_t budget_ns)
{
	for (size_t i = 0; i < turns->lanes_count; i++) {
		struct lane *lane = &turns->lanes[i];

		if (!lane->is_over &&
		    blkbench_measure_advance(lane->measure, budget_ns))
			return;
	}
	finish(turns);
}

/* The time away is none of the turn's, nor of the limit. */
static void begin_or_go_on(struct blkbench_turns *turns, uint64_t now)
{
	if (turns->begin_ns == 0) {
		turns->begin_ns = now;
		begin_turn(turns);
	} else if (turns->paused_ns) {
		turns->begin_ns += now - turns->paused_ns;
		turns->turn_begin_ns += now - turns->paused_ns;
		turns->paused_ns = 0;
	}
}

int blkbench_turns_advance(struct blkbench_turns *turns, uint64_t budget_ns)
{
	uint64_t now = clock_now_ns(turns->clock), until, end;

	begin_or_go_on(turns, now);
	until = now + min_u64(budget_ns, UINT64_MAX - now);
	end = turns->begin_ns +
	      min_u64(turns->limit_ns, UINT64_MAX - turns->begin_ns);
	while (!turns->is_over && now < until) {
		if (turns->is_stopping)
			step_stop(turns, until - now);
		else if (now < end && is_anything_left(turns))
			step(turns, min_u64(until, end) - now);
		else
			finish(turns);
		now = clock_now_ns(turns->clock);
	}
	return !turns->is_over;
}

void blkbench_turns_pause(struct blkbench_turns *turns)
{
	if (turns->begin_ns == 0 || turns->is_over || turns->paused_ns)
		return;
	blkbench_measure_pause(turns->lanes[current(turns)].measure);
	turns->paused_ns = clock_now_ns(turns->clock);
}

void blkbench_turns_stop(struct blkbench_turns *turns)
{
	turns->is_stopping = true;
	for (size_t i = 0; i < turns->lanes_count; i++)
		if (!turns->lanes[i].is_over)
			blkbench_measure_stop(turns->lanes[i].measure);
}

void blkbench_turns_get_progress(const struct blkbench_turns *turns,
				 struct blkbench_turns_progress *progress)
{
	*progress = (struct blkbench_turns_progress){
		.fraction = fraction(turns),
		.current = current(turns),
		.slices = turns->lanes[0].count,
	};
	for (size_t i = 1; i < turns->lanes_count; i++)
		if (turns->lanes[i].comparison.verdict != BLKBENCH_UNDECIDED)
			progress->decided++;
}

void blkbench_turns_get_comparison(const struct blkbench_turns *turns,
				   size_t index,
				   struct blkbench_comparison *comparison)
{
	assert(index > 0 && index < turns->lanes_count);
	*comparison = turns->lanes[index].comparison;
}
