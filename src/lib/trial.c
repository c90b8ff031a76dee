/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "trial.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* All turns together take less time than the test itself. */
#define TURN_NS (25 * NS_PER_MS)
#define TURN_SHARE 10

/* Where reads are slow, so that turns take longer, it ends after this. */
#define LIMIT_NS NS_PER_S

/* Less is within what a race this short can tell. */
#define CLEARLY_FASTER 1.1

#define ENDED_MAX 64

static void start_next(struct flight *flight, const struct pattern *pattern,
		       uint64_t index)
{
	uint64_t offset;
	uint32_t bytes;

	pattern_peek_back(pattern, index, &offset, &bytes);
	flight_start(flight, offset, bytes);
}

static void take(struct trial_lane *lane, struct read **ended, int count)
{
	for (int i = 0; i < count; i++) {
		if (ended[i]->error)
			lane->has_bad_reads = true;
		else
			lane->reads++;
		flight_release(&lane->flight, ended[i]);
	}
}

/*
 * Taking down a ring of io_uring interrupts its thread as a signal does, in the
 * midst of the next engine's turn, and may do so once for each of its workers. So
 * a few do not end a turn; the caller, who may wait for a signal, has his turn
 * when all is over.
 */
#define INTERRUPTIONS_MAX 8

/* Reads at the plan's depth for a turn, then lets the rest end. Returns how often
 * it was interrupted. */
static unsigned int race(struct trial_lane *lane, const struct pattern *pattern,
			 uint64_t turn_ns, uint64_t limit, uint64_t *index)
{
	struct flight *flight = &lane->flight;
	const uint64_t begin = flight->now_ns;
	const uint64_t end = begin + turn_ns;
	struct read *ended[ENDED_MAX];
	unsigned int interruptions = 0;
	uint64_t now = begin;
	int n;

	while (now < limit && (flight->outstanding > 0 ||
			       (now < end && !lane->has_bad_reads))) {
		while (now < end && !lane->has_bad_reads &&
		       flight_has_room(flight))
			start_next(flight, pattern, (*index)++);
		n = flight_wait(flight, ended, ENDED_MAX, limit - now);
		if (n < 0)
			break;
		interruptions += flight->was_interrupted;
		if (interruptions > INTERRUPTIONS_MAX)
			break;
		take(lane, ended, n);
		now = flight->now_ns;
	}
	lane->elapsed_ns += now - begin;
	if (flight->outstanding > 0)
		lane->has_failed = true;
	return interruptions;
}

static void take_turn(struct trial *trial, size_t i, const struct world *world,
		      const struct blkbench_plan *plan,
		      const struct pattern *pattern, uint64_t *index)
{
	struct trial_lane *lane = &trial->lanes[i];
	const uint64_t before = world->worker_activity();
	const uint64_t share = plan->runtime_ns / TURN_SHARE;
	struct blkbench_error reason, error;
	unsigned int interruptions;

	if (lane->has_failed || lane->has_bad_reads || trial->is_broken_off ||
	    clock_now_ns(world->clock) >= trial->limit_ns)
		return;
	if (flight_open(&lane->flight, world, plan, lane->engine, &reason,
			&error) < 0) {
		lane->has_failed = true;
		return;
	}
	interruptions = race(lane, pattern, share < TURN_NS ? share : TURN_NS,
			     trial->limit_ns, index);
	trial->was_interrupted |= interruptions > 0;
	trial->is_broken_off |= interruptions > INTERRUPTIONS_MAX;
	if (lane->engine == BLKBENCH_ENGINE_IO_URING &&
	    world->worker_activity() > before)
		trial->is_punting = true;
	if (lane->flight.outstanding == 0)
		flight_close(&lane->flight);
}

void trial_run(struct trial *trial, const struct world *world,
	       const struct blkbench_plan *plan, const struct pattern *pattern)
{
	uint64_t index = 1; /* 0 was the warm-up read */

	memset(trial, 0, sizeof(*trial));
	trial->limit_ns = clock_now_ns(world->clock) + LIMIT_NS;
	while (world->engines[trial->count]) {
		assert(trial->count < TRIAL_ENGINES_MAX);
		trial->lanes[trial->count].engine =
			world->engines[trial->count]->id;
		trial->count++;
	}
	for (size_t i = 0; i < trial->count; i++)
		take_turn(trial, i, world, plan, pattern, &index);
	for (size_t i = trial->count; i-- > 0;)
		take_turn(trial, i, world, plan, pattern, &index);
	trial->is_cut_short = clock_now_ns(world->clock) >= trial->limit_ns;
}

static const struct trial_lane *find_lane(const struct trial *trial,
					  enum blkbench_engine engine)
{
	for (size_t i = 0; i < trial->count; i++)
		if (trial->lanes[i].engine == engine)
			return &trial->lanes[i];
	return NULL;
}

/* A read that fails with the incumbent as well is the device's fault. */
static double reads_per_s(const struct trial_lane *lane,
			  const struct trial_lane *incumbent)
{
	if (lane->has_failed || lane->elapsed_ns == 0 ||
	    (lane->has_bad_reads && !incumbent->has_bad_reads))
		return 0;
	return (double)lane->reads / (double)lane->elapsed_ns * 1e9;
}

/* Of all but the incumbent; NULL where none did any good. */
static const struct trial_lane *find_best(const struct trial *trial,
					  const struct trial_lane *incumbent)
{
	const struct trial_lane *best = NULL;
	double most = 0;

	for (size_t i = 0; i < trial->count; i++) {
		const struct trial_lane *lane = &trial->lanes[i];
		const double rate = reads_per_s(lane, incumbent);

		if (lane == incumbent || rate <= most)
			continue;
		most = rate;
		best = lane;
	}
	return best;
}

enum blkbench_engine trial_choose(const struct trial *trial,
				  enum blkbench_engine incumbent,
				  enum blkbench_engine asked_for,
				  char text[BLKBENCH_TEXT_MAX])
{
	const struct trial_lane *own_lane = find_lane(trial, incumbent);
	const struct trial_lane *best_lane = NULL;
	const char *outcome;
	double own, best;

	text[0] = '\0';
	if (!trial->is_punting || trial->is_broken_off)
		return incumbent;
	assert(own_lane);
	/* Of reads that slow, no engine is the reason. */
	if (!trial->is_cut_short)
		best_lane = find_best(trial, own_lane);
	own = reads_per_s(own_lane, own_lane);
	/* Nor of reads that all fail. */
	if (own <= 0 && !best_lane)
		return incumbent;
	if (!best_lane) {
		snprintf(text, BLKBENCH_TEXT_MAX,
			 "%s hands the reads of this device to worker threads; "
			 "what that costs, a trial could not tell",
			 blkbench_engine_name(incumbent));
		return incumbent;
	}

	best = reads_per_s(best_lane, own_lane);
	if (best <= own * CLEARLY_FASTER)
		outcome = "is not clearly faster";
	else if (asked_for == BLKBENCH_ENGINE_AUTO)
		outcome = "was used instead";
	else
		outcome = "was not asked for";
	snprintf(text, BLKBENCH_TEXT_MAX,
		 "%s hands the reads of this device to worker threads: %.0f "
		 "reads/s in a trial, %.0f with %s, which %s",
		 blkbench_engine_name(incumbent), own, best,
		 blkbench_engine_name(best_lane->engine), outcome);
	if (asked_for != BLKBENCH_ENGINE_AUTO || best <= own * CLEARLY_FASTER)
		return incumbent;
	return best_lane->engine;
}

static bool is_out(const struct trial_lane *lane)
{
	return lane->flight.outstanding > 0 && !lane->is_broken;
}

static bool wait_for(struct trial_lane *lane, uint64_t timeout_ns)
{
	struct read *ended[ENDED_MAX];
	const int n = flight_wait(&lane->flight, ended, ENDED_MAX, timeout_ns);

	lane->is_broken = n < 0;
	if (n > 0)
		take(lane, ended, n);
	return n > 0;
}

bool trial_is_out(const struct trial *trial)
{
	for (size_t i = 0; i < trial->count; i++)
		if (is_out(&trial->lanes[i]))
			return true;
	return false;
}

bool trial_wait(struct trial *trial, uint64_t timeout_ns)
{
	for (size_t i = 0; i < trial->count; i++)
		if (is_out(&trial->lanes[i]))
			return wait_for(&trial->lanes[i], timeout_ns);
	return false;
}

void trial_settle(struct trial *trial)
{
	for (size_t i = 0; i < trial->count; i++)
		while (is_out(&trial->lanes[i]) &&
		       wait_for(&trial->lanes[i], 0))
			;
}

void trial_finish(struct trial *trial)
{
	for (size_t i = 0; i < trial->count; i++)
		flight_close(&trial->lanes[i].flight);
}
