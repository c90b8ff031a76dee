/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "parallel.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "measure.h"
#include "minmax.h"
#include "mix.h"
#include "share.h"
#include "slices.h"

/* Slices are of such a part of the limit, and as many are enough: with what it
 * takes to begin and end each of them there are fewer than parts. */
#define SLICE_SHARE 24
#define SLICES_ENOUGH 8
#define SLICE_MIN_NS (10 * NS_PER_MS)
#define SLICE_MAX_NS NS_PER_S
/* A slice has about so many reads, and rounds of those in flight. */
#define SLICE_READS_MIN 8
#define SLICE_ROUNDS_MIN 2

/* How long a thread does not look up from its device. */
#define STEP_NS (5 * NS_PER_MS)

/* A device that does not come so far meanwhile holds the others up no longer. */
#define HEAT_MAX_NS (10 * NS_PER_S)

/* Alone, what is in flight comes back in a second; behind something that they
 * share it waits for that of the others. */
#define GRACE_EACH_NS (2 * NS_PER_S)
#define GRACE_MAX_NS (20 * NS_PER_S)

/* How long the caller does not look up. */
#define LOOK_NS (20 * NS_PER_MS)

/* For a thread to leave its device alone. */
#define LEAVE_NS NS_PER_S

/*
 * A round of three devices consists of the heats 0 1 2 A A 2 1 0, where A is all
 * of them; each heat gives one slice to each device that is in it. So the i-th
 * slices alone and together of a device are a pair.
 *
 * In a heat the threads of its devices go through these phases in step. Each
 * tells when it has done what the phase is for, but goes on reading until all
 * have:
 *
 *	WARM_UP	the discarded read; whoever has it waits for the others
 *	FILL	until as many reads have ended as are to be in flight
 *	LEAD	a part of the time that this took, drawn by lot
 *	COUNT	the slice
 *	MARK	its end: no one stops before all have taken it
 *
 * So what is counted of each was read while all of them did read. Behind a bus,
 * or a throttle, reads end in bursts, of one device or of all. A slice is of the
 * same time for all: from the last read of any of them that has ended by its
 * beginning to the last one by its end. Neither has to do with the bursts of a
 * device: else it would, time after time, begin after one and end within one.
 */
enum phase { WARM_UP, FILL, LEAD, COUNT, MARK, PHASES };

enum part { ALONE, TOGETHER, PARTS };

enum task {
	REST,
	HEAT,
	CONCLUDE, /* the measurements, for good */
};

/* To all threads that have a task. */
enum order {
	GO_ON,
	HALT,  /* let the reads in flight end, and rest */
	LEAVE, /* rest at once */
};

struct lane {
	struct blkbench_parallel *parallel;
	struct world world;
	struct blkbench_plan plan;
	pthread_t thread;
	bool has_thread;

	/* The thread's own while it has a task, else the caller's. */
	struct blkbench_measure *measures[PARTS]; /* NULL: not yet */
	struct blkbench_measure *last; /* the one of them that read last */
	int failure; /* to make one of them: negative errno, or 0 */
	struct blkbench_error error;
	uint64_t phase_end_ns;	       /* that of all, when they met last */
	struct blkbench_progress mark; /* of the heat, then of the slice */
	struct blkbench_slice slice;   /* without its time */
	uint64_t slice_begin_ns, slice_end_ns; /* the last reads before them */

	/* The caller's. */
	bool is_out; /* takes part no more */
	size_t counts[PARTS];
	struct blkbench_slice *slices[PARTS];

	/* Under the lock. */
	enum task task;
	enum part part;
	bool is_to_stop; /* what it concludes, too */
	bool has_done;	 /* what the phase is for */
	struct blkbench_progress now;
};

struct blkbench_parallel {
	const struct clock *clock;
	struct blkbench_parallel_params params;
	struct compare_settings settings;
	uint64_t slice_ns;
	uint64_t fills; /* that a slice takes as long as, at the least */
	size_t lanes_count;
	struct lane *lanes;

	/* The caller's. */
	bool is_stopping;
	bool is_concluding;
	bool is_over;
	size_t heat; /* of the round: 0 to 2 * lanes_count + 1 */
	/* All have been read alone: each gets so far, whatever the limit. */
	bool has_met_all;
	uint64_t used_ns;   /* of the limit, until then */
	uint64_t begin_ns;  /* of the limit, once all have been met */
	uint64_t paused_ns; /* since when all stands still; 0: it does not */

	pthread_mutex_t lock;	  /* of all below, and of what lanes say */
	pthread_cond_t to_lanes;  /* a task, an order, the next phase */
	pthread_cond_t to_caller; /* all rest */
	size_t busy;		  /* have a task */
	bool is_ending;
	enum order order;
	bool is_cut;	   /* the heat is halted, but not to be done again */
	enum phase phase;  /* of the heat; PHASES: it is complete */
	uint64_t fill_ns;  /* when all had warmed up */
	uint64_t count_ns; /* how long COUNT is to take */
	uint64_t phase_end_ns; /* of LEAD and COUNT */
	uint64_t lots;	       /* state of the random numbers */
	size_t running;	       /* are in the heat */
	size_t waited_for;     /* of them, to have done what the phase is for */
};

static uint64_t now_ns(const struct blkbench_parallel *parallel)
{
	return clock_now_ns(parallel->clock);
}

/* ---- a heat, as a thread sees it ---------------------------------------- */

/* Under the lock. How long it took until all were filled tells what is a short
 * time to them. */
static void time_phase(struct blkbench_parallel *parallel, uint64_t now)
{
	const uint64_t fill_ns = now - parallel->fill_ns;

	switch (parallel->phase) {
	case FILL:
		parallel->fill_ns = now;
		break;
	case LEAD:
		parallel->count_ns =
			max_u64(parallel->slice_ns, parallel->fills * fill_ns);
		parallel->lots = mix64(parallel->lots + MIX_STEP);
		/* 24 bits of it, so that a long time does not overflow. */
		parallel->phase_end_ns =
			now + ((parallel->lots >> 40) * fill_ns >> 24);
		break;
	case COUNT:
		parallel->phase_end_ns = now + parallel->count_ns;
		break;
	default:
		break;
	}
}

/* Under the lock: on to the next phase, where nobody is to be waited for. */
static void settle_phase(struct blkbench_parallel *parallel)
{
	if (parallel->running == 0 || parallel->waited_for > 0 ||
	    parallel->phase == PHASES)
		return;
	parallel->phase++;
	time_phase(parallel, now_ns(parallel));
	for (size_t i = 0; i < parallel->lanes_count; i++)
		parallel->lanes[i].has_done = false;
	parallel->waited_for = parallel->running;
	pthread_cond_broadcast(&parallel->to_lanes);
}

/* Under the lock. */
static void say_done(struct lane *lane)
{
	if (lane->has_done)
		return;
	lane->has_done = true;
	lane->parallel->waited_for--;
	settle_phase(lane->parallel);
}

/* Returns the phase to go on with, which may have begun since; or PHASES. */
static enum phase meet(struct lane *lane, enum phase phase, bool is_done)
{
	struct blkbench_parallel *parallel = lane->parallel;
	enum phase next;

	pthread_mutex_lock(&parallel->lock);
	blkbench_measure_get_progress(lane->measures[lane->part], &lane->now);
	if (is_done && phase == parallel->phase)
		say_done(lane);
	while (phase == WARM_UP && is_done && parallel->phase == WARM_UP &&
	       parallel->order == GO_ON)
		pthread_cond_wait(&parallel->to_lanes, &parallel->lock);
	next = parallel->order == GO_ON ? parallel->phase : PHASES;
	lane->phase_end_ns = parallel->phase_end_ns;
	pthread_mutex_unlock(&parallel->lock);
	return next;
}

/* The others wait for it no more. */
static void leave_heat(struct lane *lane)
{
	struct blkbench_parallel *parallel = lane->parallel;

	pthread_mutex_lock(&parallel->lock);
	parallel->running--;
	if (!lane->has_done)
		parallel->waited_for--;
	lane->has_done = true;
	settle_phase(parallel);
	pthread_mutex_unlock(&parallel->lock);
}

static struct blkbench_slice slice_since(const struct blkbench_measure *measure,
					 const struct blkbench_progress *begin)
{
	struct blkbench_progress now;

	blkbench_measure_get_progress(measure, &now);
	return (struct blkbench_slice){
		.requests = now.requests - begin->requests,
		.bytes = now.bytes - begin->bytes,
	};
}

static bool is_taking_too_long(const struct lane *lane)
{
	const struct blkbench_parallel *parallel = lane->parallel;

	return now_ns(parallel) - parallel->fill_ns >= HEAT_MAX_NS;
}

/* These return whether what the phase is for is done. */

static bool step_warm_up(struct lane *lane, struct blkbench_measure *measure)
{
	(void)lane;
	return !measure_warm_up(measure, STEP_NS);
}

static bool step_fill(struct lane *lane, struct blkbench_measure *measure)
{
	blkbench_measure_advance(measure, STEP_NS);
	return slice_since(measure, &lane->mark).requests >=
		       lane->plan.queue_depth ||
	       is_taking_too_long(lane);
}

static bool step_until_end(struct lane *lane, struct blkbench_measure *measure)
{
	const uint64_t end = lane->phase_end_ns;
	const uint64_t now = now_ns(lane->parallel);

	blkbench_measure_advance(measure,
				 min_u64(STEP_NS, end > now ? end - now : 1));
	return now_ns(lane->parallel) >= end || is_taking_too_long(lane);
}

static bool step_mark(struct lane *lane, struct blkbench_measure *measure)
{
	(void)lane;
	blkbench_measure_advance(measure, STEP_NS);
	return true;
}

static bool (*const steps[])(struct lane *, struct blkbench_measure *) = {
	[WARM_UP] = step_warm_up, [FILL] = step_fill, [LEAD] = step_until_end,
	[COUNT] = step_until_end, [MARK] = step_mark,
};

static void begin_phase(struct lane *lane,
			const struct blkbench_measure *measure,
			enum phase phase)
{
	if (phase == MARK) {
		lane->slice = slice_since(measure, &lane->mark);
		lane->slice_end_ns = measure_last_good_ns(measure);
	} else if (phase == FILL || phase == COUNT) {
		blkbench_measure_get_progress(measure, &lane->mark);
		lane->slice_begin_ns = measure_last_good_ns(measure);
	}
}

static enum order get_order(struct blkbench_parallel *parallel)
{
	enum order order;

	pthread_mutex_lock(&parallel->lock);
	order = parallel->order;
	pthread_mutex_unlock(&parallel->lock);
	return order;
}

static uint64_t grace_ns(const struct lane *lane)
{
	if (lane->part == ALONE)
		return GRACE_EACH_NS;
	return min_u64(GRACE_EACH_NS * lane->parallel->lanes_count,
		       GRACE_MAX_NS);
}

static void run_heat(struct lane *lane, struct blkbench_measure *measure)
{
	enum phase phase = WARM_UP, next;

	while (phase != PHASES && !measure_is_over(measure)) {
		const bool is_done = steps[phase](lane, measure);

		next = meet(lane, phase, is_done);
		if (next != phase)
			begin_phase(lane, measure, next);
		phase = next;
	}
	leave_heat(lane);
	if (get_order(lane->parallel) != LEAVE)
		measure_pause_within(measure, grace_ns(lane));
}

/*
 * The second one of a device is as the first has found it to be best: in reads of
 * that size, by that engine.
 */
static struct blkbench_plan plan_of(const struct lane *lane)
{
	const struct blkbench_measure *alone = lane->measures[ALONE];
	struct blkbench_plan plan = lane->plan;

	/* The time is looked after by the caller. */
	plan.runtime_ns = BLKBENCH_RUNTIME_MAX_NS;
	plan.precision_percent = NAN;
	if (lane->part == ALONE)
		return plan;
	plan.block_bytes = measure_get_plan(alone)->block_bytes;
	plan.may_shrink = false;
	plan.engine = measure_get_engine(alone);
	return plan;
}

/* Each reads on from where the other one was: what has just been read may come
 * from a cache. */
static struct blkbench_measure *prepare(struct lane *lane)
{
	struct blkbench_measure **measure = &lane->measures[lane->part];
	const struct blkbench_plan plan = plan_of(lane);

	if (!*measure)
		lane->failure = measure_create(&lane->world, &plan, measure,
					       &lane->error);
	if (lane->failure)
		return NULL;
	if (lane->last && lane->last != *measure)
		measure_read_on(*measure, lane->last);
	lane->last = *measure;
	return *measure;
}

static void carry_out_heat(struct lane *lane)
{
	struct blkbench_measure *measure = prepare(lane);

	if (measure)
		run_heat(lane, measure);
	else
		leave_heat(lane);
}

/* Those that failed to read anything are read again; see LOCATE there. */
static void conclude(struct lane *lane)
{
	for (enum part part = ALONE; part < PARTS; part++) {
		struct blkbench_measure *measure = lane->measures[part];

		if (!measure)
			continue;
		if (lane->is_to_stop)
			blkbench_measure_stop(measure);
		else
			blkbench_measure_conclude(measure);
		while (get_order(lane->parallel) == GO_ON &&
		       blkbench_measure_advance(measure, STEP_NS))
			;
		if (get_order(lane->parallel) == HALT)
			blkbench_measure_pause(measure);
	}
}

static void (*const tasks[])(struct lane *) = {
	[HEAT] = carry_out_heat,
	[CONCLUDE] = conclude,
};

static void *run_lane(void *argument)
{
	struct lane *lane = argument;
	struct blkbench_parallel *parallel = lane->parallel;

	pthread_mutex_lock(&parallel->lock);
	for (;;) {
		while (lane->task == REST && !parallel->is_ending)
			pthread_cond_wait(&parallel->to_lanes, &parallel->lock);
		if (lane->task == REST)
			break;
		pthread_mutex_unlock(&parallel->lock);
		tasks[lane->task](lane);
		pthread_mutex_lock(&parallel->lock);
		lane->task = REST;
		if (--parallel->busy == 0)
			pthread_cond_signal(&parallel->to_caller);
	}
	pthread_mutex_unlock(&parallel->lock);
	/* A ring of io_uring belongs to the thread that made it. */
	for (enum part part = ALONE; part < PARTS; part++)
		blkbench_measure_destroy(lane->measures[part]);
	return NULL;
}

/* ---- making and ending -------------------------------------------------- */

static int check(const struct blkbench_plan *plans, size_t count,
		 struct blkbench_error *error)
{
	if (count < 2)
		return error_set(error, -EINVAL, "%zu devices: not two or more",
				 count);
	for (size_t i = 1; i < count; i++)
		if (strcmp(plans[i].test, plans[0].test) != 0)
			return error_set(error, -EINVAL,
					 "different tests: %s, %s",
					 plans[0].test, plans[i].test);
	return 0;
}

/* Signals are for the caller: its wait is what they are to interrupt. */
static int start_threads(struct blkbench_parallel *parallel,
			 struct blkbench_error *error)
{
	sigset_t all, before;
	size_t i;
	int rc = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	for (i = 0; i < parallel->lanes_count && !rc; i++) {
		struct lane *lane = &parallel->lanes[i];

		rc = pthread_create(&lane->thread, NULL, run_lane, lane);
		lane->has_thread = rc == 0;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!rc)
		return 0;
	return error_set(error, -rc,
			 "starting thread %zu of %zu, one for each device: %s",
			 i, parallel->lanes_count, strerror(rc));
}

static int init_lanes(struct blkbench_parallel *parallel,
		      const struct world *worlds,
		      const struct blkbench_plan *plans)
{
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		struct lane *lane = &parallel->lanes[i];

		lane->parallel = parallel;
		lane->world = worlds[i];
		lane->plan = plans[i];
		lane->now.rate_bytes_per_s = NAN;
		lane->now.seeks_per_s = NAN;
		for (enum part part = ALONE; part < PARTS; part++) {
			lane->slices[part] =
				calloc(SLICES_MAX, sizeof(*lane->slices[0]));
			if (!lane->slices[part])
				return -ENOMEM;
		}
	}
	return 0;
}

int parallel_create(const struct world *worlds,
		    const struct blkbench_plan *plans, size_t count,
		    const struct blkbench_parallel_params *params,
		    struct blkbench_parallel **parallel,
		    struct blkbench_error *error)
{
	struct blkbench_parallel *p;
	int r = check(plans, count, error);

	if (r < 0)
		return r;
	p = calloc(1, sizeof(*p));
	if (!p)
		return error_set(error, -ENOMEM, "no memory to measure with");
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->to_lanes, NULL);
	pthread_cond_init(&p->to_caller, NULL);
	p->clock = worlds[0].clock;
	p->params = *params;
	p->settings.is_seek = plans[0].is_seek;
	p->settings.equal_percent = params->equal_percent;
	p->settings.seed = params->seed;
	p->slice_ns = clamp_u64(params->limit_ns / SLICE_SHARE, SLICE_MIN_NS,
				SLICE_MAX_NS);
	p->fills = max_u64(SLICE_ROUNDS_MIN,
			   SLICE_READS_MIN / plans[0].queue_depth);
	p->lots = params->seed;
	p->lanes = calloc(count, sizeof(*p->lanes));
	if (p->lanes)
		p->lanes_count = count;
	if (!p->lanes || init_lanes(p, worlds, plans) < 0)
		r = error_set(error, -ENOMEM, "no memory to measure with");
	if (r == 0)
		r = start_threads(p, error);
	if (r < 0) {
		blkbench_parallel_destroy(p);
		return r;
	}
	*parallel = p;
	return 0;
}

void blkbench_parallel_destroy(struct blkbench_parallel *parallel)
{
	if (!parallel)
		return;
	pthread_mutex_lock(&parallel->lock);
	parallel->is_ending = true;
	parallel->order = LEAVE;
	pthread_cond_broadcast(&parallel->to_lanes);
	pthread_mutex_unlock(&parallel->lock);
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		struct lane *lane = &parallel->lanes[i];

		if (lane->has_thread)
			pthread_join(lane->thread, NULL);
		for (enum part part = ALONE; part < PARTS; part++)
			free(lane->slices[part]);
	}
	pthread_cond_destroy(&parallel->to_caller);
	pthread_cond_destroy(&parallel->to_lanes);
	pthread_mutex_destroy(&parallel->lock);
	free(parallel->lanes);
	free(parallel);
}

/* ---- from heat to heat -------------------------------------------------- */

static size_t count_lanes_in(const struct blkbench_parallel *parallel)
{
	size_t count = 0;

	for (size_t i = 0; i < parallel->lanes_count; i++)
		count += !parallel->lanes[i].is_out;
	return count;
}

/* All of it, for those that are left: each alone, and all together. */
static uint64_t limit_ns(const struct blkbench_parallel *parallel)
{
	const size_t count = count_lanes_in(parallel);
	const size_t parts = count > 1 ? count + 1 : 1;

	return parallel->params.limit_ns * parts;
}

/* Which lane is alone in the heat, or BLKBENCH_ALL. */
static size_t current(const struct blkbench_parallel *parallel)
{
	const size_t n = parallel->lanes_count, heat = parallel->heat;
	const size_t place = heat <= n ? heat : 2 * n + 1 - heat;

	return place < n ? place : BLKBENCH_ALL;
}

/* Two are needed for being together. */
static bool is_called(const struct blkbench_parallel *parallel, size_t i)
{
	const size_t alone = current(parallel);

	if (parallel->lanes[i].is_out)
		return false;
	return alone == i ||
	       (alone == BLKBENCH_ALL && count_lanes_in(parallel) > 1);
}

/* Under the lock. */
static void give_task(struct lane *lane, enum task task, enum part part)
{
	lane->task = task;
	lane->part = part;
	lane->is_to_stop = lane->parallel->is_stopping;
	lane->has_done = false;
	lane->parallel->busy++;
}

static enum part part_of_heat(const struct blkbench_parallel *parallel)
{
	return current(parallel) == BLKBENCH_ALL ? TOGETHER : ALONE;
}

/* Under the lock. */
static void begin_heat(struct blkbench_parallel *parallel)
{
	const enum part part = part_of_heat(parallel);

	parallel->order = GO_ON;
	parallel->is_cut = false;
	parallel->phase = WARM_UP;
	for (size_t i = 0; i < parallel->lanes_count; i++)
		if (is_called(parallel, i))
			give_task(&parallel->lanes[i], HEAT, part);
	parallel->running = parallel->waited_for = parallel->busy;
	pthread_cond_broadcast(&parallel->to_lanes);
}

/* Under the lock. */
static void begin_concluding(struct blkbench_parallel *parallel)
{
	parallel->is_concluding = true;
	parallel->order = GO_ON;
	for (size_t i = 0; i < parallel->lanes_count; i++)
		give_task(&parallel->lanes[i], CONCLUDE, ALONE);
	pthread_cond_broadcast(&parallel->to_lanes);
}

/* Returns whether any has. What the others did with it, or while it took their
 * time, is not what they do without it. */
static bool drop_out(struct blkbench_parallel *parallel)
{
	bool has_dropped = false;

	for (size_t i = 0; i < parallel->lanes_count; i++) {
		struct lane *lane = &parallel->lanes[i];
		bool is_over = lane->failure != 0;

		for (enum part part = ALONE; part < PARTS; part++)
			is_over |= lane->measures[part] &&
				   measure_is_over(lane->measures[part]);
		has_dropped |= is_over && !lane->is_out;
		lane->is_out = is_over;
	}
	return has_dropped;
}

static void begin_anew(struct blkbench_parallel *parallel)
{
	parallel->heat = 0;
	parallel->has_met_all = false;
	parallel->used_ns = 0;
	for (size_t i = 0; i < parallel->lanes_count; i++)
		for (enum part part = ALONE; part < PARTS; part++)
			parallel->lanes[i].counts[part] = 0;
}

static bool is_full(const struct blkbench_parallel *parallel)
{
	for (size_t i = 0; i < parallel->lanes_count; i++)
		if (parallel->lanes[i].counts[ALONE] == SLICES_MAX)
			return true;
	return false;
}

/* All that are in it have had as many at the end of a round. */
static void end_round(struct blkbench_parallel *parallel)
{
	parallel->heat = 0;
	if (!is_full(parallel))
		return;
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		struct lane *lane = &parallel->lanes[i];

		for (enum part part = ALONE; part < PARTS; part++)
			lane->counts[part] = slices_merge(lane->slices[part],
							  lane->counts[part]);
	}
	parallel->slice_ns *= 2;
}

/* At the end of a round, where the limit leaves more time than was asked for.
 * Not for what the slices say: that would spoil the interval. */
static bool is_enough(const struct blkbench_parallel *parallel)
{
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		const struct lane *lane = &parallel->lanes[i];
		struct blkbench_progress alone;

		if (lane->is_out)
			continue;
		if (parallel->heat > 0 || lane->counts[ALONE] < SLICES_ENOUGH)
			return false;
		blkbench_measure_get_progress(lane->measures[ALONE], &alone);
		if (alone.elapsed_ns < lane->plan.runtime_ns)
			return false;
	}
	return true;
}

/* The first reads of a device may take long, and are none of the limit. */
static void begin_limit(struct blkbench_parallel *parallel)
{
	if (parallel->has_met_all)
		return;
	parallel->has_met_all = true;
	parallel->begin_ns = now_ns(parallel) - parallel->used_ns;
}

static void next_heat(struct blkbench_parallel *parallel)
{
	if (++parallel->heat == parallel->lanes_count)
		begin_limit(parallel);
	else if (parallel->heat == 2 * (parallel->lanes_count + 1))
		end_round(parallel);
}

/* Of the heat; 0: no read has ended in it. */
static uint64_t slice_time_ns(const struct blkbench_parallel *parallel)
{
	uint64_t begin_ns = 0, end_ns = 0;

	for (size_t i = 0; i < parallel->lanes_count; i++) {
		const struct lane *lane = &parallel->lanes[i];

		if (!is_called(parallel, i))
			continue;
		begin_ns = max_u64(begin_ns, lane->slice_begin_ns);
		end_ns = max_u64(end_ns, lane->slice_end_ns);
	}
	return end_ns - begin_ns;
}

/* All rest. One that was broken off is to be done again; one that was cut short
 * has no slice, but its place. */
static void end_heat(struct blkbench_parallel *parallel)
{
	const enum part part = part_of_heat(parallel);
	uint64_t elapsed_ns;

	if (drop_out(parallel)) {
		begin_anew(parallel);
		return;
	}
	if (parallel->phase != PHASES && !parallel->is_cut)
		return;
	elapsed_ns = parallel->is_cut ? 0 : slice_time_ns(parallel);
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		struct lane *lane = &parallel->lanes[i];

		if (!is_called(parallel, i))
			continue;
		lane->slice.elapsed_ns = elapsed_ns;
		lane->slices[part][lane->counts[part]++] = lane->slice;
	}
	if (!parallel->has_met_all)
		parallel->used_ns += now_ns(parallel) - parallel->fill_ns;
	next_heat(parallel);
}

static uint64_t end_ns(const struct blkbench_parallel *parallel)
{
	if (!parallel->has_met_all)
		return UINT64_MAX;
	return parallel->begin_ns + limit_ns(parallel);
}

/* A heat may take all that one has, but no more. */
static uint64_t heat_end_ns(const struct blkbench_parallel *parallel)
{
	if (parallel->is_concluding || parallel->phase == WARM_UP)
		return UINT64_MAX;
	return parallel->fill_ns + parallel->params.limit_ns;
}

/* Under the lock; all rest. */
static void go_on(struct blkbench_parallel *parallel)
{
	if (parallel->is_concluding) {
		parallel->is_over = true;
		return;
	}
	end_heat(parallel);
	if (parallel->is_stopping || is_enough(parallel) ||
	    now_ns(parallel) >= end_ns(parallel)) {
		begin_concluding(parallel);
		return;
	}
	begin_heat(parallel);
	while (parallel->busy == 0) {
		next_heat(parallel);
		begin_heat(parallel);
	}
}

/* ---- as the caller sees it ---------------------------------------------- */

static void give_order(struct blkbench_parallel *parallel, enum order order)
{
	parallel->order = order;
	pthread_cond_broadcast(&parallel->to_lanes);
}

/* Under the lock. Returns whether all rest. */
static bool wait_for_rest(struct blkbench_parallel *parallel, uint64_t until_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(until_ns / NS_PER_S),
		.tv_nsec = (long)(until_ns % NS_PER_S),
	};
	int rc = 0;

	while (parallel->busy > 0 && rc == 0)
		rc = pthread_cond_clockwait(&parallel->to_caller,
					    &parallel->lock, CLOCK_MONOTONIC,
					    &until);
	return parallel->busy == 0;
}

/* The time away is none of the limit. */
static void go_on_after_pause(struct blkbench_parallel *parallel, uint64_t now)
{
	if (parallel->paused_ns)
		parallel->begin_ns += now - parallel->paused_ns;
	parallel->paused_ns = 0;
}

/* Waits until all rest, or the budget or some time is up. */
static void wait_a_while(struct blkbench_parallel *parallel, uint64_t until_ns)
{
	const uint64_t end = parallel->is_concluding ? UINT64_MAX
						     : end_ns(parallel);
	const uint64_t heat_end = heat_end_ns(parallel);
	const uint64_t look_ns = now_ns(parallel) + LOOK_NS;
	uint64_t now;

	if (parallel->order != GO_ON) {
		wait_for_rest(parallel, until_ns);
		return;
	}
	/* When the heat will end is not known before all have warmed up. */
	if (wait_for_rest(parallel, min_u64(min_u64(until_ns, look_ns),
					    min_u64(end, heat_end))))
		return;
	now = now_ns(parallel);
	if (now < end && now < heat_end)
		return;
	parallel->is_cut = now >= heat_end;
	give_order(parallel, HALT);
}

int blkbench_parallel_advance(struct blkbench_parallel *parallel,
			      uint64_t budget_ns)
{
	uint64_t now = now_ns(parallel);
	const uint64_t until = now + min_u64(budget_ns, UINT64_MAX - now);

	pthread_mutex_lock(&parallel->lock);
	go_on_after_pause(parallel, now);
	for (; !parallel->is_over && now < until; now = now_ns(parallel)) {
		if (parallel->busy == 0)
			go_on(parallel);
		else
			wait_a_while(parallel, until);
	}
	pthread_mutex_unlock(&parallel->lock);
	return !parallel->is_over;
}

void blkbench_parallel_pause(struct blkbench_parallel *parallel)
{
	if (parallel->is_over || parallel->paused_ns)
		return;
	pthread_mutex_lock(&parallel->lock);
	give_order(parallel, HALT);
	while (!wait_for_rest(parallel, now_ns(parallel) + NS_PER_S))
		;
	parallel->paused_ns = now_ns(parallel);
	pthread_mutex_unlock(&parallel->lock);
}

void blkbench_parallel_stop(struct blkbench_parallel *parallel)
{
	pthread_mutex_lock(&parallel->lock);
	parallel->is_stopping |= !parallel->is_concluding;
	give_order(parallel, HALT);
	pthread_mutex_unlock(&parallel->lock);
}

void blkbench_parallel_leave(struct blkbench_parallel *parallel)
{
	pthread_mutex_lock(&parallel->lock);
	give_order(parallel, LEAVE);
	wait_for_rest(parallel, now_ns(parallel) + LEAVE_NS);
	parallel->is_over = true;
	pthread_mutex_unlock(&parallel->lock);
}

static double fraction(const struct blkbench_parallel *parallel)
{
	const uint64_t now = parallel->paused_ns ? parallel->paused_ns
						 : now_ns(parallel);

	const uint64_t used = parallel->has_met_all ? now - parallel->begin_ns
						    : parallel->used_ns;

	return fmin((double)used / (double)limit_ns(parallel), 1);
}

/* Of those that have read; NAN: none has. */
static void add_rate(double *sum, double rate)
{
	if (!isnan(rate))
		*sum = isnan(*sum) ? rate : *sum + rate;
}

void blkbench_parallel_get_progress(struct blkbench_parallel *parallel,
				    struct blkbench_parallel_progress *progress)
{
	pthread_mutex_lock(&parallel->lock);
	*progress = (struct blkbench_parallel_progress){
		.fraction = fraction(parallel),
		.current = current(parallel),
		.rate_bytes_per_s = NAN,
		.seeks_per_s = NAN,
	};
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		const struct lane *lane = &parallel->lanes[i];

		if (!is_called(parallel, i))
			continue;
		add_rate(&progress->rate_bytes_per_s,
			 lane->now.rate_bytes_per_s);
		add_rate(&progress->seeks_per_s, lane->now.seeks_per_s);
	}
	pthread_mutex_unlock(&parallel->lock);
}

static int get_result(struct blkbench_parallel *parallel, size_t index,
		      enum part part, struct blkbench_result *result,
		      struct blkbench_error *error)
{
	struct lane *lane = &parallel->lanes[index];
	bool is_busy;
	int r;

	assert(index < parallel->lanes_count);
	pthread_mutex_lock(&parallel->lock);
	is_busy = lane->task != REST;
	pthread_mutex_unlock(&parallel->lock);
	if (is_busy)
		return error_set(error, -EBUSY, "the device holds it up");
	*error = lane->error;
	if (!lane->measures[part])
		return lane->failure ? lane->failure
				     : error_set(error, -ENODATA,
						 "it did not come to that");
	r = blkbench_measure_get_result(lane->measures[part], result);
	if (r < 0)
		return error_set(error, r, "no memory for the result");
	/* Not that of the measurement, which did not look after it. */
	result->plan.runtime_ns = parallel->params.limit_ns;
	return 0;
}

int blkbench_parallel_get_alone(struct blkbench_parallel *parallel,
				size_t index, struct blkbench_result *result,
				struct blkbench_error *error)
{
	return get_result(parallel, index, ALONE, result, error);
}

int blkbench_parallel_get_together(struct blkbench_parallel *parallel,
				   size_t index, struct blkbench_result *result,
				   struct blkbench_error *error)
{
	return get_result(parallel, index, TOGETHER, result, error);
}

/* ---- what is left of their rates ---------------------------------------- */

/* The heats of a round are not all done at its end. */
static size_t pairs_of(const struct lane *lane)
{
	return lane->counts[ALONE] < lane->counts[TOGETHER]
		       ? lane->counts[ALONE]
		       : lane->counts[TOGETHER];
}

static struct share_lane share_lane_of(const struct lane *lane)
{
	return (struct share_lane){
		.alone = lane->slices[ALONE],
		.together = lane->slices[TOGETHER],
	};
}

static int get_total(const struct blkbench_parallel *parallel,
		     struct blkbench_share *share)
{
	struct share_lane *lanes =
		calloc(parallel->lanes_count, sizeof(*lanes));
	size_t count = 0, pairs = SLICES_MAX;
	int r;

	if (!lanes)
		return -ENOMEM;
	for (size_t i = 0; i < parallel->lanes_count; i++) {
		const struct lane *lane = &parallel->lanes[i];

		if (lane->is_out)
			continue;
		lanes[count++] = share_lane_of(lane);
		if (pairs_of(lane) < pairs)
			pairs = pairs_of(lane);
	}
	r = share_of_all(lanes, count, count ? pairs : 0, &parallel->settings,
			 share);
	free(lanes);
	return r;
}

int blkbench_parallel_get_share(const struct blkbench_parallel *parallel,
				size_t index, struct blkbench_share *share)
{
	struct share_lane lane;

	if (index == BLKBENCH_ALL)
		return get_total(parallel, share);
	assert(index < parallel->lanes_count);
	lane = share_lane_of(&parallel->lanes[index]);
	share_of_one(&lane, pairs_of(&parallel->lanes[index]),
		     &parallel->settings, share);
	return 0;
}
