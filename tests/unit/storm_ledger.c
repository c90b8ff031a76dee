/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "storm_ledger.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "storm.h"

static void look_ahead(struct storm_ledger *ledger)
{
	struct pattern pattern = ledger->pattern;

	pattern_next(&pattern, &ledger->next.offset_bytes, &ledger->next.bytes);
}

void storm_ledger_init(struct storm_ledger *ledger,
		       const struct blkbench_plan *plan)
{
	memset(ledger, 0, sizeof(*ledger));
	ledger->is_warm_up_next = true;
	ledger->warm_up_ns = BLKBENCH_UNKNOWN;
	pattern_init(&ledger->pattern, plan);
	look_ahead(ledger);
}

void storm_ledger_finish(struct storm_ledger *ledger)
{
	free(ledger->latencies);
	ledger->latencies = NULL;
}

/* ---- reads by their io ----------------------------------------------- */

static struct ledger_read **bucket_of(struct storm_ledger *ledger,
				      const struct io *io)
{
	return &ledger->buckets[(uintptr_t)io / 16 % LEDGER_BUCKETS];
}

/* Where the read is linked, or the end of its bucket. */
static struct ledger_read **find(struct storm_ledger *ledger,
				 const struct io *io)
{
	struct ledger_read **link = bucket_of(ledger, io);

	while (*link && (*link)->io != io)
		link = &(*link)->next;
	return link;
}

static void forget(struct ledger_read **link)
{
	struct ledger_read *read = *link;

	*link = read->next;
	free(read);
}

/* ---- starting -------------------------------------------------------- */

static void check_place(const struct storm *storm,
			const struct ledger_read *read)
{
	const struct blkbench_plan *plan = &storm->plan;

	if (read->offset_bytes < plan->offset_bytes ||
	    read->offset_bytes + read->bytes >
		    plan->offset_bytes + plan->length_bytes ||
	    read->bytes > plan->block_bytes)
		storm_fail(storm,
			   "a read of %" PRIu32 " at %" PRIu64
			   ": not in the range, or too large",
			   read->bytes, read->offset_bytes);
}

static bool is_at(const struct ledger_read *read, struct ledger_place place)
{
	return read->offset_bytes == place.offset_bytes &&
	       read->bytes == place.bytes;
}

static struct ledger_place warm_up_place(const struct storm *storm)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const struct blkbench_plan *plan = &storm->plan;
	uint32_t most = STORM_PAGE_BYTES;
	struct ledger_place place;

	if (plan->pattern == BLKBENCH_PATTERN_RANDOM)
		pattern_peek_back(&ledger->pattern, 0, &place.offset_bytes,
				  &place.bytes);
	else
		pattern_where(&ledger->pattern, &place.offset_bytes,
			      &place.bytes);
	if (most < plan->sector_bytes)
		most = (uint32_t)plan->sector_bytes;
	if (place.bytes > most && plan->pattern != BLKBENCH_PATTERN_REPEAT)
		place.bytes = most;
	return place;
}

static bool is_lost(const struct storm *storm)
{
	return storm->ledger.is_gone ||
	       storm->device.told > BLKBENCH_LOSS_SHRUNK;
}

/* No reads are started that would take longer than half of the grace to come
 * back after the end. */
static uint64_t left_early_ns(const struct storm_ledger *ledger)
{
	uint64_t latency = 0;

	if (ledger->run_reads > 0)
		latency = ledger->run_latencies_ns / ledger->run_reads;
	return latency > LEDGER_LATE_NS ? latency - LEDGER_LATE_NS : 0;
}

/* As far as can be seen from outside: it can have ended by its precision. */
static bool is_test_over(const struct storm *storm)
{
	const struct storm_ledger *ledger = &storm->ledger;

	return is_lost(storm) || ledger->errors >= storm->plan.max_errors ||
	       storm_ledger_spent_ns(storm) + left_early_ns(ledger) >=
		       storm->plan.runtime_ns;
}

/* One at a time, after the test, and a part of what has failed. */
static bool is_second_look(const struct storm *storm,
			   const struct ledger_read *read)
{
	const struct storm_ledger *ledger = &storm->ledger;

	if (ledger->outstanding[ledger->engine] > 1)
		return false;
	for (size_t i = 0; i < ledger->listed; i++) {
		const struct blkbench_read_error *error =
			&ledger->error_list[i];

		if (error->error && read->offset_bytes >= error->offset_bytes &&
		    read->offset_bytes + read->bytes <=
			    error->offset_bytes + error->length_bytes)
			return true;
	}
	return false;
}

static void begin_run(struct storm_ledger *ledger, uint64_t now_ns)
{
	if (ledger->is_running && !ledger->has_begun) {
		ledger->has_begun = true;
		ledger->begin_ns = now_ns;
		ledger->last_done_ns = now_ns;
		ledger->run_reads = 0;
		ledger->run_latencies_ns = 0;
	}
}

static bool is_too_late(const struct storm *storm,
			const struct ledger_read *read)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const uint64_t limit = storm->plan.runtime_ns + LEDGER_HOLD_NS +
			       storm_slack_ns(storm);

	if (read->kind == WARM_UP)
		return ledger->gone_by_ns > limit;
	return storm_ledger_spent_ns(storm) > limit;
}

/* Whether it may be; this is where a busy loop of failing reads would show. */
static void check_start(const struct storm *storm,
			const struct ledger_read *read,
			struct ledger_place expected)
{
	const struct storm_ledger *ledger = &storm->ledger;

	check_place(storm, read);
	if (read->io->may_wait)
		storm_fail(storm, "a read was let wait from its start");
	if (ledger->is_ending)
		storm_fail(storm, "a read was started after a stop");
	if (ledger->is_gone_for_good)
		storm_fail(storm, "a read was started after a second look");
	if (read->kind == SECOND_LOOK)
		return;
	if (is_lost(storm))
		storm_fail(storm,
			   "a read was started on a device that is gone");
	if (ledger->has_second_look)
		storm_fail(storm, "a read was started after the test");
	if (ledger->errors >= storm->plan.max_errors)
		storm_fail(storm, "a read was started after %" PRIu64 " errors",
			   ledger->errors);
	if (read->kind == COUNTED && !ledger->is_running)
		storm_fail(storm, "a read was started before the warm-up");
	if (is_too_late(storm, read))
		storm_fail(storm, "a read was started after the time");
	if (!is_at(read, expected))
		storm_fail(storm,
			   "a read of %" PRIu32 " at %" PRIu64
			   ", not of %" PRIu32 " at %" PRIu64,
			   read->bytes, read->offset_bytes, expected.bytes,
			   expected.offset_bytes);
}

static enum ledger_kind tell_kind(const struct storm *storm,
				  const struct ledger_read *read,
				  struct ledger_place expected)
{
	const struct storm_ledger *ledger = &storm->ledger;

	if (read->engine != ledger->engine)
		return TRIAL;
	if (is_second_look(storm, read) &&
	    (is_test_over(storm) || !is_at(read, expected)))
		return SECOND_LOOK;
	return ledger->is_warm_up_next ? WARM_UP : COUNTED;
}

static void note_start(struct storm *storm, struct ledger_read *read)
{
	struct storm_ledger *ledger = &storm->ledger;
	struct ledger_place place;

	switch (read->kind) {
	case TRIAL:
		ledger->trial_reads++;
		break;
	case WARM_UP:
		ledger->is_warm_up_next = false;
		ledger->warm_up_begin_ns = read->queued_ns;
		break;
	case SECOND_LOOK:
		ledger->has_second_look = true;
		break;
	case COUNTED:
		begin_run(ledger, read->queued_ns);
		pattern_next(&ledger->pattern, &place.offset_bytes,
			     &place.bytes);
		look_ahead(ledger);
		ledger->started++;
		break;
	}
}

static void start_read(struct storm *storm, unsigned int engine,
		       const struct io *io, struct ledger_read **link)
{
	struct ledger_read *read = calloc(1, sizeof(*read));
	struct ledger_place expected = storm->ledger.next;

	assert(read && engine < LEDGER_ENGINES_MAX);
	read->io = io;
	read->engine = engine;
	read->offset_bytes = io->offset_bytes;
	read->bytes = io->bytes;
	read->queued_ns = storm->device.now_ns;
	*link = read;
	storm->ledger.outstanding[engine]++;
	if (storm->ledger.is_warm_up_next)
		expected = warm_up_place(storm);
	read->kind = tell_kind(storm, read, expected);
	if (read->kind != TRIAL)
		check_start(storm, read, expected);
	note_start(storm, read);
}

static void go_on(struct storm *storm, struct ledger_read *read)
{
	const struct io *io = read->io;

	if (!read->is_due)
		storm_fail(storm, "a read was queued twice");
	if (io->offset_bytes != read->offset_bytes + read->done_bytes ||
	    io->bytes != read->bytes - read->done_bytes)
		storm_fail(storm,
			   "a read of %" PRIu32 " at %" PRIu64
			   " that gave %" PRIu32 " goes on with %" PRIu32
			   " at %" PRIu64,
			   read->bytes, read->offset_bytes, read->done_bytes,
			   io->bytes, io->offset_bytes);
	if (read->retries > 0 && !io->may_wait)
		storm_fail(storm, "a busy read is not let wait");
	read->is_due = false;
}

static void note_queued(struct false_device *device, unsigned int engine,
			const struct io *io)
{
	struct storm *storm = (struct storm *)device;
	struct ledger_read **link = find(&storm->ledger, io);

	if (*link)
		go_on(storm, *link);
	else
		start_read(storm, engine, io, link);
}

/* ---- ending ---------------------------------------------------------- */

enum outcome { GOOD, DUE, FAILED };

/* What is to become of a read after a part of it; error as in a result. */
static enum outcome judge(struct ledger_read *read, int32_t result,
			  uint32_t sector_bytes, int *error)
{
	if (result == -EAGAIN || result == -EINTR) {
		*error = -result;
		if (read->retries == LEDGER_RETRIES_MAX)
			return FAILED;
		read->retries++;
		return DUE;
	}
	if (result < 0) {
		*error = -result;
		return FAILED;
	}
	read->done_bytes += (uint32_t)result;
	if (read->done_bytes == read->bytes)
		return GOOD;
	*error = 0; /* the device ended */
	if (result == 0 || read->done_bytes % sector_bytes != 0)
		return FAILED;
	read->further_reads++;
	return DUE;
}

static void note_latency(struct storm_ledger *ledger, uint64_t latency_ns)
{
	if (ledger->latencies_count == ledger->latencies_size) {
		ledger->latencies_size = ledger->latencies_size
						 ? 2 * ledger->latencies_size
						 : 1024;
		ledger->latencies =
			realloc(ledger->latencies,
				ledger->latencies_size * sizeof(uint64_t));
		assert(ledger->latencies);
	}
	ledger->latencies[ledger->latencies_count++] = latency_ns;
	ledger->latencies_sum_ns += latency_ns;
}

static void note_good(struct storm_ledger *ledger,
		      const struct ledger_read *read, uint64_t done_ns)
{
	const uint64_t elapsed = ledger->gone_by_ns + done_ns -
				 ledger->begin_ns;

	ledger->requests++;
	ledger->bytes += read->bytes;
	ledger->uncounted_bytes -= read->bytes;
	note_latency(ledger, done_ns - read->start_ns);
	if (elapsed > ledger->elapsed_ns)
		ledger->elapsed_ns = elapsed;
}

static void list_error(struct storm_ledger *ledger,
		       struct blkbench_read_error error)
{
	for (size_t i = 0; i < ledger->listed; i++) {
		struct blkbench_read_error *other = &ledger->error_list[i];

		if (other->offset_bytes == error.offset_bytes &&
		    other->length_bytes == error.length_bytes &&
		    other->error == error.error) {
			other->reads++;
			return;
		}
	}
	if (ledger->listed < BLKBENCH_ERRORS_LISTED)
		ledger->error_list[ledger->listed++] = error;
}

static void note_failed(struct storm_ledger *ledger,
			const struct ledger_read *read, int error)
{
	const struct blkbench_read_error entry = {
		.offset_bytes = read->offset_bytes + read->done_bytes,
		.length_bytes = read->bytes - read->done_bytes,
		.error = error,
		.reads = 1,
	};

	if (error == ENODEV || error == ENXIO || error == ENOMEDIUM ||
	    error == 0) {
		ledger->is_gone = true;
		ledger->is_gone_for_good = read->kind == SECOND_LOOK;
	}
	if (read->kind == SECOND_LOOK)
		return;
	ledger->errors++;
	list_error(ledger, entry);
}

/* One that ends in a pause or after a stop is none. */
static void note_warmed_up(struct storm_ledger *ledger, bool is_good,
			   uint64_t done_ns)
{
	if (ledger->is_ending)
		return;
	if (is_good && ledger->warm_up_ns == BLKBENCH_UNKNOWN)
		ledger->warm_up_ns = done_ns - ledger->warm_up_begin_ns;
	ledger->is_running = true;
}

static void note_counted(struct storm_ledger *ledger,
			 const struct ledger_read *read, bool is_good,
			 uint64_t done_ns)
{
	ledger->retries += read->retries;
	ledger->short_reads += read->further_reads;
	ledger->run_reads++;
	ledger->run_latencies_ns += done_ns - read->start_ns;
	if (ledger->longest_ns < done_ns - read->start_ns)
		ledger->longest_ns = done_ns - read->start_ns;
	if (is_good)
		note_good(ledger, read, done_ns);
	if (done_ns <= ledger->last_done_ns)
		return;
	if (!is_good)
		ledger->failed_ns += done_ns - ledger->last_done_ns;
	ledger->last_done_ns = done_ns;
}

static void end_read(struct storm_ledger *ledger,
		     const struct ledger_read *read, bool is_good,
		     uint64_t done_ns)
{
	if (read->kind == WARM_UP)
		note_warmed_up(ledger, is_good, done_ns);
	else if (read->kind == COUNTED)
		note_counted(ledger, read, is_good, done_ns);
}

static void note_ended(struct false_device *device, unsigned int engine,
		       const struct io *io, const struct false_end *end)
{
	struct storm *storm = (struct storm *)device;
	struct ledger_read **link = find(&storm->ledger, io);
	struct ledger_read *read = *link;
	enum outcome outcome;
	int error = 0;

	if (!read || read->is_due || read->engine != engine)
		storm_fail(storm, "a read ended that was not in flight");
	if (read->start_ns == 0)
		read->start_ns = end->submit_ns;
	if (end->result > 0)
		storm->ledger.uncounted_bytes += (uint32_t)end->result;
	outcome = judge(read, end->result, device->sector_bytes, &error);
	if (outcome == DUE) {
		read->is_due = true;
		storm->ledger.has_been_due = true;
		return;
	}
	storm->ledger.outstanding[engine]--;
	if (outcome == FAILED && read->kind != TRIAL)
		note_failed(&storm->ledger, read, error);
	end_read(&storm->ledger, read, outcome == GOOD, end->done_ns);
	forget(link);
}

static void forget_engine(struct storm_ledger *ledger, unsigned int engine)
{
	for (size_t i = 0; i < LEDGER_BUCKETS; i++) {
		struct ledger_read **link = &ledger->buckets[i];

		while (*link) {
			if ((*link)->engine == engine)
				forget(link);
			else
				link = &(*link)->next;
		}
	}
}

static void note_closed(struct false_device *device, unsigned int engine,
			unsigned int unfetched)
{
	struct storm *storm = (struct storm *)device;
	struct storm_ledger *ledger = &storm->ledger;

	if (!ledger->is_destroying && ledger->outstanding[engine] > 0)
		storm_fail(storm, "closing an engine blocks in mid-test");
	/* Those that would have to go on need not do so after the time. */
	if (engine == ledger->engine && !storm->is_broken && unfetched > 0 &&
	    !ledger->has_been_due)
		storm_fail(storm, "%u reads had come, and were not fetched",
			   unfetched);
	forget_engine(ledger, engine);
	/* After the trial, another one is used. */
	if (engine == ledger->engine && !ledger->is_destroying)
		ledger->engine = device->engines - 1;
}

const struct false_witness storm_ledger_witness = {
	.queued = note_queued,
	.ended = note_ended,
	.closed = note_closed,
};

/* ---- the caller ------------------------------------------------------ */

void storm_ledger_note_pause(struct storm *storm)
{
	struct storm_ledger *ledger = &storm->ledger;

	ledger->spent_ns = storm_ledger_spent_ns(storm);
	if (ledger->has_begun)
		ledger->gone_by_ns += ledger->last_done_ns - ledger->begin_ns;
	ledger->is_running = false;
	ledger->has_begun = false;
	ledger->is_warm_up_next = true;
}

uint64_t storm_ledger_spent_ns(const struct storm *storm)
{
	const struct storm_ledger *ledger = &storm->ledger;

	if (!ledger->has_begun)
		return ledger->spent_ns;
	return ledger->spent_ns + storm->device.now_ns - ledger->begin_ns;
}

uint64_t storm_ledger_count_outstanding(const struct storm *storm)
{
	const struct ledger_read *read;
	uint64_t count = 0;

	for (size_t i = 0; i < LEDGER_BUCKETS; i++) {
		for (read = storm->ledger.buckets[i]; read; read = read->next)
			count++;
	}
	return count;
}

uint64_t storm_ledger_oldest_ns(const struct storm *storm)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const struct ledger_read *read;
	uint64_t oldest = UINT64_MAX;

	for (size_t i = 0; i < LEDGER_BUCKETS; i++) {
		for (read = ledger->buckets[i]; read; read = read->next)
			if (read->queued_ns < oldest)
				oldest = read->queued_ns;
	}
	return oldest;
}

bool storm_ledger_has_outstanding_at(const struct storm *storm,
				     uint64_t offset_bytes)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const struct ledger_read *read;

	for (size_t i = 0; i < LEDGER_BUCKETS; i++) {
		for (read = ledger->buckets[i]; read; read = read->next)
			if (read->offset_bytes == offset_bytes)
				return true;
	}
	return false;
}
