/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "measure.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doubt.h"
#include "error.h"
#include "legs.h"
#include "locate.h"
#include "minmax.h"
#include "pattern.h"
#include "result.h"
#include "sizing.h"
#include "stats.h"
#include "surroundings.h"
#include "tally.h"
#include "trial.h"
#include "zones.h"

/* Reads outstanding for longer after the end of a test count as stalled. */
#define GRACE_NS (2 * NS_PER_S)

/* To find the bad sectors; a dying disk can take seconds for each. */
#define LOCATE_NS (2 * NS_PER_S)

/* Through the page cache a failed page is all that can be told. */
#define PAGE_BYTES 4096

/*
 * A wait that ends so much later than it was to end is none of the device: the
 * program itself was stopped. Reads that came back meanwhile are then looked for
 * once more before the device is said to hang.
 */
#define OVERSLEPT_NS (50 * NS_PER_MS)
#define LAST_LOOK_NS (100 * NS_PER_MS)

/*
 * A test that ends when its interval is narrow ends rather when that is so by
 * chance. So it is looked at rarely, each time after a quarter more, and has to
 * be narrow twice in a row.
 */
#define FIRST_CHECK_NS NS_PER_S
#define CHECK_REQUESTS_MIN 200
#define CHECK_SLICES_MIN 20
#define CHECKS_IN_A_ROW 2

#define ENDED_MAX 64

/* Reads that fail in a row: time to ask what has become of the device. */
#define FIRST_LOOK_ROW 4

/* And to say that it gives nothing any more, whatever the reason. */
#define FAILING_ROW 16

/*
 * The course of a measurement:
 *
 *	          +-------- resumed after a pause ----------+
 *	          v                                         |
 *	created: WARM_UP --(trial of the engines)--> RUN --> DRAIN --> LOCATE
 *	          |                                         |            |
 *	          +-- the first read does not come --+      | stop       |
 *	                                             v      v            |
 *	                                            OVER <---------------+
 *
 * WARM_UP reads a page and throws it away; on a slow device it goes on until it
 * is known how large reads may be. RUN keeps the plan's depth of
 * reads in flight until the time is up, the interval is narrow enough or there
 * are too many errors. DRAIN starts nothing more and waits for what is in
 * flight: that still counts, but the tail of it, read by fewer at a time than
 * were asked for, is in no rate. Time is that of completions; the clock is not
 * asked for each.
 * LOCATE reads what has failed again, in pieces, after all that is counted; it
 * goes through DRAIN again where a piece is still in flight at its end.
 *
 * A plan with a route pauses by itself at the end of each leg, and resumes in
 * the next one.
 */
enum state { WARM_UP, RUN, DRAIN, LOCATE, OVER };

struct blkbench_measure {
	struct world world;
	struct blkbench_plan plan;
	struct flight flight;
	struct pattern pattern;
	struct sizing sizing;
	bool is_sized; /* the plan is that of the device's pace */
	struct trial trial;
	struct legs legs;
	struct tally tally; /* what is counted, and its clock */
	struct surroundings surroundings;
	struct locate locate;

	enum state state;
	enum state after_drain;
	bool has_ended;	  /* OVER, and summed up */
	bool is_counting; /* what ends now is part of the figures */
	bool is_lost;	  /* the device: what comes now was on its way */
	bool is_locating; /* what ends now is a piece of what has failed */
	uint64_t warmup_begin_ns;
	uint64_t warmup_until_ns;
	uint64_t last_look_ns;	  /* the limit that was put off last */
	uint64_t activity_before; /* of io_uring's workers */
	uint64_t failed_row; /* reads that failed since the last good one */
	uint64_t next_look_row;
	uint64_t next_check_ns;
	unsigned int narrow_row; /* checks in a row that found it narrow */
	uint64_t drain_until_ns;
	uint64_t locate_until_ns;
};

static uint64_t now_ns(const struct blkbench_measure *measure)
{
	return clock_now_ns(measure->world.clock);
}

int measure_create(const struct world *world, const struct blkbench_plan *plan,
		   struct blkbench_measure **measure,
		   struct blkbench_error *error)
{
	struct blkbench_measure *m = calloc(1, sizeof(*m));
	struct route *route = plan->places ? zones_create(plan) : NULL;
	struct blkbench_error reason;
	int r;

	if (!m || (plan->places && !route)) {
		r = error_set(error, -ENOMEM, "no memory to measure with");
		goto fail;
	}
	m->world = *world;
	m->plan = *plan;
	m->next_look_row = FIRST_LOOK_ROW;
	m->next_check_ns = FIRST_CHECK_NS;
	pattern_init(&m->pattern, plan);
	sizing_init(&m->sizing, plan);
	m->is_sized = !plan->may_shrink;
	tally_init(&m->tally, plan);
	surroundings_init(&m->surroundings, &m->world, plan);

	r = flight_open(&m->flight, &m->world, plan, plan->engine, &reason,
			error);
	if (r < 0)
		goto fail;
	if (plan->places > 0)
		measure_follow(m, route);
	if (reason.text[0])
		result_warn(&m->tally.counts, "fallback",
			    "%s; %s is used instead", reason.text,
			    blkbench_engine_name(m->flight.engine->ops->id));
	*measure = m;
	return 0;

fail:
	route_destroy(route);
	free(m);
	return r;
}

void blkbench_measure_destroy(struct blkbench_measure *measure)
{
	if (!measure)
		return;
	legs_finish(&measure->legs);
	flight_close(&measure->flight);
	trial_finish(&measure->trial);
	free(measure);
}

static uint64_t deadline_ns(const struct blkbench_measure *measure)
{
	return measure->tally.base_ns + measure->plan.runtime_ns -
	       measure->legs.between_ns;
}

/* ---- the legs of a route ---------------------------------------------- */

static struct legs_now legs_now(const struct blkbench_measure *measure)
{
	const struct pattern *pattern = &measure->pattern;

	return (struct legs_now){
		.counts = {
			.elapsed_ns = measure->tally.elapsed_ns,
			.requests = measure->tally.counts.requests,
			.bytes = measure->tally.counts.bytes,
			.sampled = measure->tally.zeros.reads,
			.zeros = measure->tally.zeros.zero_reads,
			.errors = measure->tally.counts.errors,
			.has_stalled = measure->tally.counts.stalled > 0,
		},
		.run_ns = measure->is_counting ? measure->flight.now_ns -
							 measure->tally.base_ns
					       : measure->tally.run_ns,
		.started_bytes = pattern->next * pattern->block_bytes,
		.is_through = pattern->next == pattern->blocks,
	};
}

static bool is_leg_over(const struct blkbench_measure *measure)
{
	struct legs_now now;

	if (!measure->legs.route)
		return false;
	now = legs_now(measure);
	return legs_is_over(&measure->legs, &now);
}

/* What the pattern covers: all of the range, or that of the leg. */
static void aim(struct blkbench_measure *measure)
{
	struct blkbench_plan plan = measure->plan;

	if (measure->legs.route) {
		plan.offset_bytes = measure->legs.leg.offset_bytes;
		plan.length_bytes = measure->legs.leg.length_bytes;
	}
	pattern_init(&measure->pattern, &plan);
}

/* Returns whether there is one. */
static bool begin_leg(struct blkbench_measure *measure)
{
	const uint64_t spent_ns = measure->tally.run_ns +
				  measure->legs.between_ns;
	const uint64_t runtime_ns = measure->plan.runtime_ns;
	struct legs_now now = legs_now(measure);

	/* What failed reads have held up is no time of the next leg. */
	now.counts.elapsed_ns =
		max_u64(now.counts.elapsed_ns,
			measure->tally.run_ns - measure->tally.failed_ns);
	if (!legs_next(&measure->legs, &now,
		       runtime_ns > spent_ns ? runtime_ns - spent_ns : 0))
		return false;
	aim(measure);
	return true;
}

static void end_leg(struct blkbench_measure *measure)
{
	const struct legs_now now = legs_now(measure);

	legs_take(&measure->legs, &now);
}

void measure_follow(struct blkbench_measure *measure, struct route *route)
{
	measure->legs.route = route;
	begin_leg(measure);
}

/* ---- its states -------------------------------------------------------- */

static void begin_drain(struct blkbench_measure *measure, enum state after)
{
	const uint64_t now = now_ns(measure);

	measure->state = DRAIN;
	measure->after_drain = after;
	measure->flight.now_ns = now;
	measure->drain_until_ns = now + GRACE_NS;
	if (measure->is_counting)
		tally_stop(&measure->tally, now, measure->flight.outstanding);
}

/* The clock goes on from where it stood. */
static void begin_run(struct blkbench_measure *measure)
{
	const bool is_quiet = !trial_is_out(&measure->trial);

	surroundings_begin(&measure->surroundings, is_quiet);
	flight_restart(&measure->flight);
	if (measure->legs.route && measure->tally.base_ns > 0)
		measure->legs.between_ns += measure->flight.now_ns -
					    measure->warmup_begin_ns;
	measure->is_counting = true;
	tally_begin(&measure->tally, measure->flight.now_ns);
}

static void end_counting(struct blkbench_measure *measure)
{
	if (!measure->is_counting)
		return;
	measure->is_counting = false;
	surroundings_end(&measure->surroundings,
			 measure->flight.outstanding == 0);
	tally_end(&measure->tally, measure->flight.now_ns);
}

static void note_stall(struct blkbench_measure *measure,
		       const struct flight *flight)
{
	struct blkbench_result *counts = &measure->tally.counts;
	const struct read *oldest;
	uint64_t age_ns;

	if (flight->outstanding == 0)
		return;
	oldest = flight_oldest(flight);
	age_ns = now_ns(measure) - oldest->queued_ns;
	if (counts->stalled == 0 || age_ns > counts->stalled_ns) {
		counts->stalled_ns = age_ns;
		counts->stalled_offset_bytes = oldest->offset_bytes;
	}
	/* A second look is in no figure; reads of the trial are no part of it. */
	if (!measure->is_locating || flight != &measure->flight)
		counts->is_partial = true;
	counts->stalled += flight->outstanding;
}

/* Of the engines that were tried, reads may still be out. */
static void end(struct blkbench_measure *measure)
{
	struct trial *trial = &measure->trial;

	if (measure->has_ended)
		return;
	measure->has_ended = true;
	end_counting(measure);
	end_leg(measure);
	surroundings_finish(&measure->surroundings);
	tally_finish(&measure->tally);
	trial_settle(trial);
	for (size_t i = 0; i < trial->count; i++)
		note_stall(measure, &trial->lanes[i].flight);
}

/* These alone tell that there is no more to be had. */
static bool is_gone(const struct read *read)
{
	return read->error == ENODEV || read->error == ENXIO ||
	       read->error == ENOMEDIUM || read->error == READ_ENDED;
}

static void find_loss(struct blkbench_measure *measure)
{
	struct blkbench_result *counts = &measure->tally.counts;

	counts->loss = measure->world.find_loss(measure->world.device,
						&counts->lost_layer);
	if (!counts->loss)
		counts->lost_layer = NULL;
}

/*
 * A device that is gone fails every read at once, mostly with EIO as a bad
 * sector does: after some in a row it is asked after, and for nothing again
 * only after twice as many, since that takes longer than a read.
 * Returns whether to go on reading it is of no use.
 */
static bool look_for_loss(struct blkbench_measure *measure,
			  const struct read *read)
{
	if (is_gone(read))
		return true;
	if (measure->failed_row < measure->next_look_row)
		return false;
	measure->next_look_row *= 2;
	find_loss(measure);
	return measure->tally.counts.loss > BLKBENCH_LOSS_SHRUNK;
}

static void note_row(struct blkbench_measure *measure, const struct read *read)
{
	struct blkbench_result *counts = &measure->tally.counts;

	if (!read->error && !measure->is_lost) {
		measure->failed_row = 0;
		counts->failing_since_ns = BLKBENCH_UNKNOWN;
	} else if (read->error && measure->failed_row++ == 0) {
		counts->failing_since_ns = measure->tally.elapsed_ns;
	}
}

/*
 * No more of the test is to be read. That cuts it short, unless it was at its
 * end already; a pause is not that.
 */
static void give_up(struct blkbench_measure *measure)
{
	if (measure->state == DRAIN && measure->after_drain != WARM_UP)
		return;
	measure->tally.counts.is_partial = true;
	if (measure->state == DRAIN)
		measure->after_drain = LOCATE;
	else
		begin_drain(measure, LOCATE);
}

static void note_error_of_leg(struct blkbench_measure *measure,
			      const struct read *read)
{
	const struct legs_now now = legs_now(measure);

	legs_note_error(&measure->legs, &now,
			read->error == READ_ENDED ? 0 : read->error);
}

/* Nothing more is started, for good. */
static bool is_at_end(const struct blkbench_measure *measure)
{
	return measure->state == DRAIN && measure->after_drain != WARM_UP;
}

static void take_test_read(struct blkbench_measure *measure, struct read *read)
{
	if (measure->is_counting) {
		tally_add(&measure->tally, read, measure->flight.begin_ns,
			  is_at_end(measure));
		measure->surroundings.own_bytes += read->done_bytes;
	}
	note_row(measure, read);
	if (!read->error)
		return;
	note_error_of_leg(measure, read);
	tally_add_error(&measure->tally, read);
	if (!measure->is_lost)
		measure->is_lost = look_for_loss(measure, read);
	if (measure->is_lost ||
	    measure->tally.counts.errors >= measure->plan.max_errors)
		give_up(measure);
}

/* A piece that ends where the device does tells no sector. */
static void take_piece(struct blkbench_measure *measure,
		       const struct read *read)
{
	if (is_gone(read))
		measure->state = OVER;
	else
		locate_take(&measure->locate, read->error);
}

static void take_read(struct blkbench_measure *measure, struct read *read)
{
	if (measure->is_locating)
		take_piece(measure, read);
	else
		take_test_read(measure, read);
	flight_release(&measure->flight, read);
}

/*
 * Waits until some reads end or the time comes, and counts them. Returns
 * whether to go on at once: not after a timeout or a signal.
 */
static bool take_reads(struct blkbench_measure *measure, uint64_t until_ns)
{
	const uint64_t now = now_ns(measure);
	struct read *ended[ENDED_MAX];
	int n;

	n = flight_wait(&measure->flight, ended, ENDED_MAX,
			until_ns > now ? until_ns - now : 0);
	if (n < 0) {
		result_warn(&measure->tally.counts, "engine",
			    "the engine failed: %s", strerror(-n));
		measure->tally.counts.is_partial |= !measure->is_locating;
		note_stall(measure, &measure->flight);
		measure->state = OVER;
		return false;
	}
	/* Of those that are seen together, good ones are no later. */
	for (int i = 0; i < n; i++)
		if (!ended[i]->error)
			take_read(measure, ended[i]);
	for (int i = 0; i < n; i++)
		if (ended[i]->error)
			take_read(measure, ended[i]);
	return n > 0;
}

/* As take_reads(), with a limit to the waiting that it may put off, once: where
 * every wait ends late, the machine is busy, and the limit is to be kept. */
static bool take_reads_within(struct blkbench_measure *measure,
			      uint64_t until_ns, uint64_t *limit_ns)
{
	const uint64_t end = min_u64(until_ns, *limit_ns);
	const bool go_on = take_reads(measure, end);
	const uint64_t now = now_ns(measure);

	if (now <= end + OVERSLEPT_NS || now + LAST_LOOK_NS <= *limit_ns ||
	    *limit_ns == measure->last_look_ns)
		return go_on;
	measure->last_look_ns = now + LAST_LOOK_NS;
	*limit_ns = measure->last_look_ns;
	return go_on;
}

static void warmup_read(const struct blkbench_measure *measure,
			uint64_t *offset, uint32_t *bytes)
{
	const struct blkbench_plan *plan = &measure->plan;
	uint64_t most;

	if (plan->pattern == BLKBENCH_PATTERN_RANDOM)
		pattern_peek_back(&measure->pattern, 0, offset, bytes);
	else
		pattern_where(&measure->pattern, offset, bytes);
	/* What is to be read from a cache has to get there first. */
	if (measure->is_sized && plan->pattern == BLKBENCH_PATTERN_REPEAT)
		return;
	most = measure->is_sized ? measure->sizing.page_bytes
				 : measure->sizing.bytes;
	if (*bytes > most)
		*bytes = (uint32_t)most;
}

/* Where io_uring had to hand over the first read, the others may be faster: by
 * how much is worth a word, even if it is to be io_uring. */
static void choose_engine(struct blkbench_measure *measure)
{
	const enum blkbench_engine incumbent = measure->flight.engine->ops->id;
	struct blkbench_error reason, error;
	enum blkbench_engine choice;
	char text[BLKBENCH_TEXT_MAX];
	struct flight flight;

	if (measure->trial.count > 0 || incumbent != BLKBENCH_ENGINE_IO_URING ||
	    measure->world.worker_activity() <= measure->activity_before)
		return;

	trial_run(&measure->trial, &measure->world, &measure->plan,
		  &measure->pattern);
	choice = trial_choose(&measure->trial, incumbent, measure->plan.engine,
			      text);
	if (text[0])
		result_warn(&measure->tally.counts, "punted", "%s", text);
	if (choice == incumbent ||
	    flight_open(&flight, &measure->world, &measure->plan, choice,
			&reason, &error) < 0)
		return;
	flight_close(&measure->flight);
	measure->flight = flight;
}

static void start_warmup_read(struct blkbench_measure *measure)
{
	uint64_t offset;
	uint32_t bytes;

	flight_restart(&measure->flight);
	warmup_read(measure, &offset, &bytes);
	flight_start(&measure->flight, offset, bytes);
}

static void begin_warm_up(struct blkbench_measure *measure)
{
	measure->activity_before = measure->world.worker_activity();
	start_warmup_read(measure);
	measure->warmup_begin_ns = measure->flight.begin_ns;
	measure->warmup_until_ns = measure->warmup_begin_ns +
				   measure->plan.warmup_limit_ns;
	/* It is awake by then. */
	if (measure->legs.route && measure->tally.base_ns > 0)
		measure->warmup_until_ns =
			min_u64(measure->warmup_until_ns,
				max_u64(deadline_ns(measure),
					measure->warmup_begin_ns) +
					GRACE_NS);
}

/* Takes over what is known now of the device's pace. */
static void use_sizing(struct blkbench_measure *measure)
{
	struct blkbench_plan *plan = &measure->plan;

	measure->is_sized = true;
	if (measure->sizing.block_bytes == plan->block_bytes)
		return;
	result_warn(&measure->tally.counts, "slow",
		    "at the pace of this device, reads of %" PRIu64
		    " B would not come back in time: they are of %" PRIu64
		    " B instead",
		    plan->block_bytes, measure->sizing.block_bytes);
	plan->block_bytes = measure->sizing.block_bytes;
	measure->tally.counts.plan = *plan;
	aim(measure);
}

/* Returns whether there is more to do before the run. */
static bool go_on_warming_up(struct blkbench_measure *measure, bool has_failed)
{
	const struct flight *flight = &measure->flight;
	const uint64_t spent_ns = flight->now_ns - measure->warmup_begin_ns;

	if (measure->is_sized)
		return false;
	if (has_failed || spent_ns > measure->plan.warmup_limit_ns / 2 ||
	    !sizing_take(&measure->sizing, flight->now_ns - flight->begin_ns))
		use_sizing(measure);
	if (measure->is_sized &&
	    measure->plan.pattern != BLKBENCH_PATTERN_REPEAT)
		return false;
	start_warmup_read(measure);
	return true;
}

static bool step_warm_up(struct blkbench_measure *measure, uint64_t until_ns)
{
	const uint64_t errors = measure->tally.counts.errors;
	bool go_on, has_failed;

	if (measure->flight.outstanding == 0)
		begin_warm_up(measure);
	go_on = take_reads_within(measure, until_ns, &measure->warmup_until_ns);
	if (measure->state != WARM_UP)
		return go_on;
	if (measure->flight.outstanding == 0) {
		has_failed = measure->tally.counts.errors != errors;
		if (measure->tally.counts.warmup_ns == BLKBENCH_UNKNOWN &&
		    !has_failed)
			measure->tally.counts.warmup_ns =
				measure->flight.now_ns -
				measure->warmup_begin_ns;
		if (go_on_warming_up(measure, has_failed))
			return go_on;
		choose_engine(measure);
		measure->state = RUN;
		if (measure->trial.was_interrupted)
			return false;
	} else if (measure->flight.now_ns >= measure->warmup_until_ns) {
		note_stall(measure, &measure->flight);
		measure->state = OVER;
	}
	return go_on;
}

static bool is_narrow_enough(struct blkbench_measure *measure)
{
	double percent;

	if (isnan(measure->plan.precision_percent) ||
	    measure->tally.elapsed_ns < measure->next_check_ns)
		return false;
	measure->next_check_ns = measure->tally.elapsed_ns +
				 measure->tally.elapsed_ns / 4;
	if (measure->tally.slices.count < CHECK_SLICES_MIN ||
	    measure->tally.counts.requests < CHECK_REQUESTS_MIN)
		return false;
	percent = stats_rate_ci95_percent(measure->tally.slices.closed,
					  measure->tally.slices.count);
	if (percent <= measure->plan.precision_percent)
		measure->narrow_row++;
	else
		measure->narrow_row = 0;
	return measure->narrow_row >= CHECKS_IN_A_ROW;
}

/*
 * When to start no more reads: at the end of the runtime, or so long before it
 * that what is in flight then comes back within half of the grace.
 */
static uint64_t last_start_ns(const struct blkbench_measure *measure)
{
	const struct flight *flight = &measure->flight;
	const uint64_t deadline = deadline_ns(measure);
	uint64_t latency = 0;

	if (flight->finished > 0)
		latency = flight->latency_ns / flight->finished;
	if (latency <= GRACE_NS / 2)
		return deadline;
	latency -= GRACE_NS / 2;
	return latency < deadline ? deadline - latency : 0;
}

/* Begun before the end, a drain has the rest of the time as well. */
static void drain_beyond(struct blkbench_measure *measure, uint64_t end_ns)
{
	if (measure->drain_until_ns < end_ns + GRACE_NS)
		measure->drain_until_ns = end_ns + GRACE_NS;
}

static bool is_time_up(const struct blkbench_measure *measure)
{
	return measure->flight.now_ns >= last_start_ns(measure);
}

static uint64_t leg_end_ns(const struct blkbench_measure *measure)
{
	uint64_t end;

	if (!measure->legs.route)
		return UINT64_MAX;
	end = legs_end_ns(&measure->legs);
	return end + min_u64(measure->tally.base_ns, UINT64_MAX - end);
}

static void start_reads(struct blkbench_measure *measure)
{
	uint64_t offset;
	uint32_t bytes;

	while (flight_has_room(&measure->flight) && !is_leg_over(measure)) {
		pattern_next(&measure->pattern, &offset, &bytes);
		flight_start(&measure->flight, offset, bytes);
	}
}

static bool step_run(struct blkbench_measure *measure, uint64_t until_ns)
{
	bool go_on = true;

	if (!measure->is_counting)
		begin_run(measure);
	/* The caller may have been away for longer than was left. */
	if (!is_time_up(measure) && !is_leg_over(measure)) {
		start_reads(measure);
		go_on = take_reads(
			measure, min_u64(min_u64(until_ns, leg_end_ns(measure)),
					 last_start_ns(measure)));
	}
	if (measure->state != RUN)
		return go_on;
	if (is_time_up(measure)) {
		begin_drain(measure, LOCATE);
		drain_beyond(measure, deadline_ns(measure));
	} else if (is_leg_over(measure)) {
		/* What takes long there has the time of those to come. */
		begin_drain(measure, WARM_UP);
		drain_beyond(measure, deadline_ns(measure));
	} else if (is_narrow_enough(measure)) {
		begin_drain(measure, LOCATE);
	}
	return go_on;
}

/* Of what is in flight together any order may be seen. */
static bool is_failing(const struct blkbench_measure *measure)
{
	return measure->failed_row >= FAILING_ROW &&
	       measure->failed_row > measure->plan.queue_depth;
}

/*
 * At the end of a test with errors: what the kernel has to say of it. Where
 * the last reads were good the device is still there, whatever one of those
 * below it does; of one that shrank the rest is.
 */
static void settle_loss(struct blkbench_measure *measure)
{
	struct blkbench_result *counts = &measure->tally.counts;

	if (counts->errors > 0 && counts->loss <= BLKBENCH_LOSS_SHRUNK)
		find_loss(measure);
	if (measure->failed_row == 0 && counts->loss > BLKBENCH_LOSS_SHRUNK) {
		counts->loss = BLKBENCH_LOSS_NONE;
		counts->lost_layer = NULL;
	}
	if (counts->loss == BLKBENCH_LOSS_SHRUNK ||
	    (!counts->loss && !is_failing(measure)))
		counts->failing_since_ns = BLKBENCH_UNKNOWN;
}

/* At the end of a drain: on to the next leg, if this one is over. */
static void go_on_with_route(struct blkbench_measure *measure)
{
	if (measure->after_drain == WARM_UP && !is_leg_over(measure))
		return;
	end_leg(measure);
	if (measure->after_drain == WARM_UP && !begin_leg(measure))
		measure->after_drain = LOCATE;
}

/* All reads have ended, or are given up. */
static void end_drain(struct blkbench_measure *measure)
{
	const struct blkbench_result *counts = &measure->tally.counts;

	/* A pause may have taken what time was left. */
	if (measure->after_drain == WARM_UP && measure->is_counting &&
	    is_time_up(measure))
		measure->after_drain = LOCATE;
	end_counting(measure);
	go_on_with_route(measure);
	if (!measure->is_locating && measure->after_drain != WARM_UP)
		settle_loss(measure);
	measure->state = measure->after_drain;
	if (measure->state == LOCATE &&
	    (counts->errors == 0 || counts->loss > BLKBENCH_LOSS_SHRUNK))
		measure->state = OVER;
}

/* Reads of the trial may still be out: they have the time of a drain, too. */
static bool is_trial_out(const struct blkbench_measure *measure)
{
	return measure->after_drain != WARM_UP &&
	       measure->flight.now_ns < measure->drain_until_ns &&
	       trial_is_out(&measure->trial);
}

static bool take_trial(struct blkbench_measure *measure, uint64_t until_ns)
{
	const uint64_t now = now_ns(measure);
	const uint64_t end = min_u64(until_ns, measure->drain_until_ns);
	const bool go_on =
		trial_wait(&measure->trial, end > now ? end - now : 0);

	measure->flight.now_ns = now_ns(measure);
	return go_on;
}

static bool step_drain(struct blkbench_measure *measure, uint64_t until_ns)
{
	bool go_on = true;

	if (measure->flight.outstanding > 0)
		go_on = take_reads_within(measure, until_ns,
					  &measure->drain_until_ns);
	if (measure->state != DRAIN)
		return go_on;
	if (measure->flight.outstanding > 0) {
		/* Those that have come are not all taken at once. */
		if (go_on || measure->flight.now_ns < measure->drain_until_ns)
			return go_on;
		note_stall(measure, &measure->flight);
		measure->after_drain = OVER;
	} else if (is_trial_out(measure)) {
		end_counting(measure);
		return take_trial(measure, until_ns);
	}
	end_drain(measure);
	return go_on;
}

static void begin_locate(struct blkbench_measure *measure)
{
	const struct blkbench_plan *plan = &measure->plan;
	uint64_t unit = plan->sector_bytes;

	if (!plan->is_direct && unit < PAGE_BYTES)
		unit = PAGE_BYTES;
	flight_restart(&measure->flight);
	measure->is_locating = true;
	measure->locate_until_ns = measure->flight.now_ns + LOCATE_NS;
	locate_init(&measure->locate, &measure->tally.counts, unit);
}

static bool step_locate(struct blkbench_measure *measure, uint64_t until_ns)
{
	uint64_t offset;
	uint32_t bytes;
	bool go_on;

	/* Where none succeeded, there are no bad sectors to tell from good. */
	if (!measure->is_locating && is_failing(measure) &&
	    measure->tally.counts.requests == 0) {
		measure->state = OVER;
		return true;
	}
	if (!measure->is_locating)
		begin_locate(measure);
	if (measure->flight.outstanding == 0) {
		if (measure->flight.now_ns >= measure->locate_until_ns ||
		    !locate_next(&measure->locate, &offset, &bytes)) {
			measure->state = OVER;
			return true;
		}
		flight_start(&measure->flight, offset, bytes);
	}
	go_on = take_reads(measure,
			   min_u64(until_ns, measure->locate_until_ns));
	if (measure->state == LOCATE && measure->flight.outstanding > 0 &&
	    measure->flight.now_ns >= measure->locate_until_ns)
		begin_drain(measure, OVER);
	return go_on;
}

static bool (*const steps[])(struct blkbench_measure *, uint64_t until_ns) = {
	[WARM_UP] = step_warm_up,
	[RUN] = step_run,
	[DRAIN] = step_drain,
	[LOCATE] = step_locate,
};

/* Goes on to a state at the most. */
static void advance_to(struct blkbench_measure *measure, uint64_t budget_ns,
		       enum state last)
{
	const uint64_t now = now_ns(measure);
	const uint64_t until = now + min_u64(budget_ns, UINT64_MAX - now);
	bool go_on = true;

	measure->flight.now_ns = measure->flight.entered_ns = now;
	while (go_on && measure->state != last && measure->state != OVER) {
		go_on = steps[measure->state](measure, until);
		if (measure->flight.now_ns >= until)
			break;
	}
	if (measure->state == OVER)
		end(measure);
}

int blkbench_measure_advance(struct blkbench_measure *measure,
			     uint64_t budget_ns)
{
	advance_to(measure, budget_ns, OVER);
	return !measure_is_over(measure);
}

int measure_warm_up(struct blkbench_measure *measure, uint64_t budget_ns)
{
	advance_to(measure, budget_ns, RUN);
	return measure->state == WARM_UP;
}

bool measure_is_over(const struct blkbench_measure *measure)
{
	return measure->state == OVER;
}

/* Whoever asks for the end waits for the grace alone. */
static void hurry_drain(struct blkbench_measure *measure)
{
	measure->drain_until_ns =
		min_u64(measure->drain_until_ns, now_ns(measure) + GRACE_NS);
}

void measure_pause_within(struct blkbench_measure *measure, uint64_t grace_ns)
{
	if (measure->state == OVER)
		return;
	hurry_drain(measure);
	if (measure->state == LOCATE) {
		begin_drain(measure, OVER);
	} else if (measure->state != DRAIN) {
		begin_drain(measure, WARM_UP);
		measure->drain_until_ns = now_ns(measure) + grace_ns;
	}
	while (measure->state == DRAIN)
		step_drain(measure, measure->drain_until_ns);
	end_counting(measure);
	if (measure->state == OVER)
		end(measure);
}

void blkbench_measure_pause(struct blkbench_measure *measure)
{
	measure_pause_within(measure, GRACE_NS);
}

void blkbench_measure_conclude(struct blkbench_measure *measure)
{
	if (measure->state == WARM_UP || measure->state == RUN)
		begin_drain(measure, LOCATE);
}

void blkbench_measure_stop(struct blkbench_measure *measure)
{
	if (measure->state == DRAIN) {
		/* Between two legs, that is short of the end. */
		if (measure->after_drain == WARM_UP)
			measure->tally.counts.is_partial = true;
		measure->after_drain = OVER;
	}
	hurry_drain(measure);
	if (measure->state == OVER || measure->state == DRAIN)
		return;
	if (measure->state != LOCATE)
		measure->tally.counts.is_partial = true;
	begin_drain(measure, OVER);
}

void blkbench_measure_get_progress(const struct blkbench_measure *measure,
				   struct blkbench_progress *progress)
{
	const struct blkbench_result *counts = &measure->tally.counts;
	const double seconds = (double)measure->tally.elapsed_ns / 1e9;

	*progress = (struct blkbench_progress){
		.fraction = (double)measure->tally.elapsed_ns /
			    (double)measure->plan.runtime_ns,
		.elapsed_ns = measure->tally.elapsed_ns,
		.requests = counts->requests,
		.bytes = counts->bytes,
		.rate_bytes_per_s = NAN,
		.seeks_per_s = NAN,
	};
	if (measure->legs.route)
		progress->fraction =
			measure->legs.route->ops->fraction(measure->legs.route);
	if (progress->fraction > 1)
		progress->fraction = 1;
	if (counts->requests == 0 || measure->tally.elapsed_ns == 0)
		return;
	progress->rate_bytes_per_s = (double)counts->bytes / seconds;
	progress->seeks_per_s = (double)counts->requests / seconds;
}

const struct clock *measure_get_clock(const struct blkbench_measure *measure)
{
	return measure->world.clock;
}

const struct blkbench_plan *
measure_get_plan(const struct blkbench_measure *measure)
{
	return &measure->plan;
}

static int summarise(const struct blkbench_measure *measure,
		     struct blkbench_result *result)
{
	const struct route *route = measure->legs.route;
	int r;

	r = result_summarise(result, &measure->tally.histogram,
			     &measure->tally.slices);
	if (r < 0)
		return r;
	if (route)
		r = route->ops->summarise(route, result);
	if (r < 0)
		blkbench_result_finish(result);
	else
		doubt_find(result, &measure->surroundings.limits);
	return r;
}

enum blkbench_engine measure_get_engine(const struct blkbench_measure *measure)
{
	return measure->flight.engine->ops->id;
}

uint64_t measure_last_good_ns(const struct blkbench_measure *measure)
{
	return measure->tally.last_good_ns;
}

void measure_read_on(struct blkbench_measure *measure,
		     const struct blkbench_measure *other)
{
	assert(measure->plan.block_bytes == other->plan.block_bytes);
	measure->pattern = other->pattern;
	tally_share_passes(&measure->tally);
}

/* Begun by itself; of shared ones, as many as its reads make up. */
static uint64_t count_passes(const struct blkbench_measure *measure)
{
	const struct tally *tally = &measure->tally;
	const uint64_t length = measure->plan.length_bytes;

	if (!tally_has_begun(tally))
		return 0;
	if (!tally->shares_passes)
		return measure->pattern.passes;
	return (tally->counts.bytes + length - 1) / length;
}

int blkbench_measure_get_result(const struct blkbench_measure *measure,
				struct blkbench_result *result)
{
	const struct tally *tally = &measure->tally;
	const struct surroundings *surroundings = &measure->surroundings;

	tally_get(tally, result);
	result->engine = blkbench_engine_name(measure->flight.engine->ops->id);
	/* Of a stall, the time in which nothing came belongs to the rate. */
	if (result->stalled > 0 && !measure->is_locating &&
	    tally_has_begun(tally))
		result->elapsed_ns =
			max_u64(tally->elapsed_ns, tally->stopped_ns);
	result->passes = count_passes(measure);
	surroundings_tell(surroundings, tally->run_ns, result);
	return summarise(measure, result);
}
