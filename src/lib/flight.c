/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "flight.h"

#include <assert.h>
#include <errno.h>
#include <linux/ioprio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "error.h"
#include "minmax.h"

/*
 * Reads may queue up behind the one that is read only where that saves more
 * than it costs: small ones, read faster than threads can be switched.
 */
#define AHEAD 63
#define AHEAD_BLOCK_MAX 65536
#define AHEAD_LATENCY_NS (20 * NS_PER_US)

/*
 * Completions are taken in batches where they come fast, to save system calls;
 * but none is held back for longer than this to fill one.
 */
#define HOLD_NS (100 * NS_PER_US)
#define BATCH_MAX 64

/*
 * Nor does a batch leave the device much less to do than was asked for: an
 * eighth of the depth, where that is small, is held back at the most. Of a
 * great one half is still enough to be busy with.
 */
#define GREAT_DEPTH 64

/* A device that is only busy says EAGAIN a few times, not for ever. */
#define RETRIES_MAX 1000

static size_t round_up(size_t value, size_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static int map_buffers(struct flight *flight, uint64_t block_bytes)
{
	const unsigned int count = flight->depth + flight->ahead;
	/* More than any device asks of an address. */
	const size_t each = round_up(block_bytes, 4096);

	flight->memory_bytes = each * count;
	flight->memory = mmap(NULL, flight->memory_bytes,
			      PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (flight->memory == MAP_FAILED) {
		flight->memory = NULL;
		return -ENOMEM;
	}
	/* Fewer, larger pieces for each request; only a wish. */
	madvise(flight->memory, flight->memory_bytes, MADV_HUGEPAGE);
	memset(flight->memory, 0, flight->memory_bytes);

	flight->reads = calloc(count, sizeof(*flight->reads));
	if (!flight->reads)
		return -ENOMEM;
	for (unsigned int i = count; i-- > 0;) {
		struct read *read = &flight->reads[i];

		read->io.buffer = (char *)flight->memory + each * i;
		read->next_free = flight->free;
		flight->free = read;
	}
	return 0;
}

int flight_open(struct flight *flight, const struct world *world,
		const struct blkbench_plan *plan, enum blkbench_engine engine,
		struct blkbench_error *reason, struct blkbench_error *error)
{
	struct engine_setup setup;
	int r;

	memset(flight, 0, sizeof(*flight));
	flight->world = world;
	flight->depth = (unsigned int)plan->queue_depth;
	flight->ahead = plan->block_bytes <= AHEAD_BLOCK_MAX ? AHEAD : 0;
	flight->sector_bytes = (uint32_t)plan->sector_bytes;

	r = map_buffers(flight, plan->block_bytes);
	if (r < 0) {
		error_set(error, r, "no memory for the buffers");
		goto fail;
	}
	setup = (struct engine_setup){
		.fd = world->fd,
		.clock = world->clock,
		.memory = flight->memory,
		.memory_bytes = flight->memory_bytes,
		.depth = flight->depth,
		.ahead = flight->ahead,
		.ioprio = plan->is_idle
				  ? IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0)
				  : 0,
	};
	r = engine_open(world->engines, engine, &setup, &flight->engine, reason,
			error);
	if (r < 0)
		goto fail;
	flight_restart(flight);
	return 0;

fail:
	flight_close(flight);
	return r;
}

void flight_restart(struct flight *flight)
{
	flight->begin_ns = flight->now_ns = clock_now_ns(flight->world->clock);
	flight->finished = 0;
	flight->latency_ns = 0;
}

void flight_close(struct flight *flight)
{
	engine_close(flight->engine);
	flight->engine = NULL;
	free(flight->reads);
	flight->reads = NULL;
	if (flight->memory)
		munmap(flight->memory, flight->memory_bytes);
	flight->memory = NULL;
}

bool flight_has_room(const struct flight *flight)
{
	if (flight->outstanding < flight->depth)
		return true;
	if (!flight->engine->has_queue_ahead || flight->finished == 0 ||
	    flight->latency_ns / flight->finished > AHEAD_LATENCY_NS)
		return false;
	return flight->outstanding < flight->depth + flight->ahead;
}

void flight_start(struct flight *flight, uint64_t offset_bytes, uint32_t bytes)
{
	struct read *read = flight->free;

	assert(read);
	flight->free = read->next_free;
	flight->outstanding++;
	/* Threads may have ended the last reads before the caller came back. */
	read->queued_ns = flight->now_ns > flight->entered_ns
				  ? flight->now_ns
				  : flight->entered_ns;
	read->offset_bytes = read->io.offset_bytes = offset_bytes;
	read->bytes = read->io.bytes = bytes;
	read->done_bytes = 0;
	read->start_ns = 0;
	read->retries = 0;
	read->further_reads = 0;
	read->error = 0;
	read->io.may_wait = false;
	read->is_outstanding = true;
	flight->engine->ops->queue(flight->engine, &read->io);
}

void flight_release(struct flight *flight, struct read *read)
{
	read->next_free = flight->free;
	flight->free = read;
}

/* Whether the read goes on: there is more of it, or it is to be tried again. */
static bool goes_on(struct flight *flight, struct read *read)
{
	const int32_t result = read->io.result;

	if (read->start_ns == 0)
		read->start_ns = read->io.submit_ns;
	if (result == -EAGAIN || result == -EINTR) {
		read->io.may_wait = true;
		if (read->retries < RETRIES_MAX) {
			read->retries++;
			return true;
		}
		read->error = -result;
		return false;
	}
	if (result < 0) {
		read->error = -result;
		return false;
	}
	read->done_bytes += (uint32_t)result;
	if (read->done_bytes == read->bytes)
		return false;
	if (result == 0 || read->done_bytes % flight->sector_bytes != 0) {
		read->error = READ_ENDED;
		return false;
	}
	read->further_reads++;
	read->io.offset_bytes += (uint32_t)result;
	read->io.buffer = (char *)read->io.buffer + result;
	read->io.bytes -= (uint32_t)result;
	return true;
}

static void end_read(struct flight *flight, struct read *read)
{
	/* Back to the start of its buffer after short reads. */
	read->io.buffer = (char *)read->io.buffer -
			  (read->io.offset_bytes - read->offset_bytes);
	read->is_outstanding = false;
	flight->outstanding--;
	flight->finished++;
	flight->latency_ns += read->io.done_ns - read->start_ns;
}

/* How many completions to ask for at a time. */
static unsigned int choose_batch(const struct flight *flight)
{
	const unsigned int outstanding = flight->outstanding;
	const uint64_t most = outstanding / (outstanding < GREAT_DEPTH ? 8 : 2);
	uint64_t interval, count;

	/* What is queued ahead goes on meanwhile: nothing is held back. */
	if (outstanding > flight->depth)
		return min_uint(outstanding - flight->depth, BATCH_MAX / 2);
	if (flight->finished == 0 || most < 2)
		return 1;
	interval = (flight->now_ns - flight->begin_ns) / flight->finished;
	count = interval == 0 ? most : min_u64(HOLD_NS / interval, most);
	return count > 1 ? (unsigned int)min_u64(count, BATCH_MAX) : 1;
}

/* Waits for a batch, but not for long; then for whatever comes. */
static int wait_for_batch(struct flight *flight, struct io **done,
			  unsigned int max, uint64_t timeout_ns)
{
	const struct engine_ops *ops = flight->engine->ops;
	const struct clock *clock = flight->world->clock;
	unsigned int batch = choose_batch(flight);
	uint64_t begin, waited;
	int n;

	if (batch > max)
		batch = max;
	if (batch == 1 || timeout_ns <= HOLD_NS)
		return ops->wait(flight->engine, done, max, batch, timeout_ns);

	begin = clock_now_ns(clock);
	n = ops->wait(flight->engine, done, max, batch, HOLD_NS);
	waited = clock_now_ns(clock) - begin;
	/* Nothing, and before the time: a signal. */
	if (n != 0 || waited < HOLD_NS || waited >= timeout_ns)
		return n;
	return ops->wait(flight->engine, done, max, 1, timeout_ns - waited);
}

int flight_wait(struct flight *flight, struct read **ended, unsigned int max,
		uint64_t timeout_ns)
{
	struct io *done[BATCH_MAX];
	const uint64_t begin = flight->now_ns;
	int n, count = 0;

	assert(flight->outstanding > 0);
	n = wait_for_batch(flight, done, max < BATCH_MAX ? max : BATCH_MAX,
			   timeout_ns);
	if (n < 0)
		return n;
	flight->now_ns = n > 0 ? done[n - 1]->done_ns
			       : clock_now_ns(flight->world->clock);
	flight->was_interrupted = n == 0 && flight->now_ns - begin < timeout_ns;
	for (int i = 0; i < n; i++) {
		struct read *read = (struct read *)done[i]; /* its first part */

		assert(read->is_outstanding);
		if (goes_on(flight, read)) {
			flight->engine->ops->queue(flight->engine, &read->io);
			continue;
		}
		end_read(flight, read);
		ended[count++] = read;
	}
	return count;
}

const struct read *flight_oldest(const struct flight *flight)
{
	const struct read *oldest = NULL;

	for (unsigned int i = 0; i < flight->depth + flight->ahead; i++) {
		const struct read *read = &flight->reads[i];

		if (read->is_outstanding &&
		    (!oldest || read->queued_ns < oldest->queued_ns))
			oldest = read;
	}
	return oldest;
}
