/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "false_device.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "error.h"

#define OUTSTANDING_MAX 4200

/* Being read, or read and not fetched. */
struct pending {
	struct io *io;
	uint64_t order; /* of what ends at the same time */
	struct false_end end;
};

/*
 * A read goes from queued to reading when a wait submits it (in an engine that
 * has a queue ahead: when one of depth has ended) and from there to finished
 * at its time.
 */
struct false_engine {
	struct engine engine;
	struct false_device *device;
	struct engine_setup setup;
	unsigned int number;
	unsigned int room; /* reads outstanding at the most */

	struct io *queued[OUTSTANDING_MAX]; /* a ring, as finished is */
	unsigned int queued_head, queued_count;
	struct pending reading[OUTSTANDING_MAX]; /* a heap: next to end first */
	unsigned int reading_count;
	struct pending finished[OUTSTANDING_MAX];
	unsigned int finished_head, finished_count;
	struct io *again;  /* to be handed out twice */
	unsigned int lost; /* never handed out */
};

static struct false_device *current;

static uint64_t false_now_ns(const struct clock *clock)
{
	return ((const struct false_device *)clock)->now_ns;
}

void false_device_init(struct false_device *device, uint64_t size_bytes,
		       uint32_t sector_bytes)
{
	*device = (struct false_device){
		.clock = { .now_ns = false_now_ns },
		.now_ns = 1000 * NS_PER_S,
		.size_bytes = size_bytes,
		.sector_bytes = sector_bytes,
		.answer = false_answer_4ms,
	};
	doubt_limits_init(&device->limits);
}

struct false_answer false_answer_4ms(struct false_device *device,
				     enum blkbench_engine engine,
				     const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ 4 * NS_PER_MS, FALSE_FULL };
}

static int open_engine(const struct engine_ops *ops,
		       const struct engine_setup *setup, struct engine **engine)
{
	struct false_engine *f = calloc(1, sizeof(*f));

	assert(f);
	f->engine.ops = ops;
	f->engine.has_queue_ahead = ops->id == BLKBENCH_ENGINE_PREAD;
	f->device = (struct false_device *)(uintptr_t)setup->clock;
	f->setup = *setup;
	f->number = f->device->engines++;
	f->room = setup->depth;
	if (f->engine.has_queue_ahead)
		f->room += setup->ahead;
	assert(f->room <= OUTSTANDING_MAX);
	*engine = &f->engine;
	return 0;
}

static struct io **queued_at(struct false_engine *f, unsigned int i)
{
	return &f->queued[(f->queued_head + i) % OUTSTANDING_MAX];
}

static struct pending *finished_at(struct false_engine *f, unsigned int i)
{
	return &f->finished[(f->finished_head + i) % OUTSTANDING_MAX];
}

static unsigned int count_outstanding(const struct false_engine *f)
{
	return f->queued_count + f->reading_count + f->finished_count;
}

static bool overlaps(const struct io *a, const struct io *b)
{
	const char *at = a->buffer, *other = b->buffer;

	return at < other + b->bytes && other < at + a->bytes;
}

static void assert_no_overlap(struct false_engine *f, const struct io *io)
{
	for (unsigned int i = 0; i < f->queued_count; i++)
		assert(!overlaps(io, *queued_at(f, i)));
	for (unsigned int i = 0; i < f->reading_count; i++)
		assert(!overlaps(io, f->reading[i].io));
	for (unsigned int i = 0; i < f->finished_count; i++)
		assert(!overlaps(io, finished_at(f, i)->io));
}

static void false_queue(struct engine *engine, struct io *io)
{
	struct false_engine *f = (struct false_engine *)engine;
	struct false_device *device = f->device;
	const char *memory = f->setup.memory;
	const char *buffer = io->buffer;

	assert(io->bytes > 0);
	assert(io->bytes % device->sector_bytes == 0);
	assert(io->offset_bytes % device->sector_bytes == 0);
	assert(io->offset_bytes <= device->size_bytes);
	assert(io->bytes <= device->size_bytes - io->offset_bytes);
	assert((uintptr_t)buffer % 512 == 0);
	assert(buffer >= memory);
	assert(buffer + io->bytes <= memory + f->setup.memory_bytes);
	assert_no_overlap(f, io);
	assert(count_outstanding(f) < f->room);
	if (device->witness)
		device->witness->queued(device, f->number, io);
	*queued_at(f, f->queued_count++) = io;
}

/* ---- reading --------------------------------------------------------- */

static bool ends_before(const struct pending *a, const struct pending *b)
{
	if (a->end.done_ns != b->end.done_ns)
		return a->end.done_ns < b->end.done_ns;
	return a->order < b->order;
}

static void push_reading(struct false_engine *f, struct pending pending)
{
	struct pending *heap = f->reading;
	unsigned int i = f->reading_count++;

	while (i > 0 && ends_before(&pending, &heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = pending;
}

static struct pending pop_reading(struct false_engine *f)
{
	struct pending *heap = f->reading;
	const struct pending first = heap[0];
	const unsigned int count = --f->reading_count;
	const struct pending last = heap[count];
	unsigned int i = 0, child;

	while ((child = 2 * i + 1) < count) {
		if (child + 1 < count &&
		    ends_before(&heap[child + 1], &heap[child]))
			child++;
		if (!ends_before(&heap[child], &last))
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return first;
}

static void start(struct false_engine *f, uint64_t now_ns)
{
	struct false_device *device = f->device;
	const enum blkbench_engine id = f->engine.ops->id;
	struct io *io = *queued_at(f, 0);
	const uint64_t index = device->reads++;
	const struct false_answer answer =
		device->answer(device, id, io, index);
	struct pending pending = {
		.io = io,
		.order = index,
		.end = {
			.result = answer.result == FALSE_FULL
					  ? (int32_t)io->bytes
					  : answer.result,
			.submit_ns = now_ns,
			.done_ns = answer.latency_ns == FALSE_NEVER
					   ? FALSE_NEVER
					   : now_ns + answer.latency_ns,
		},
	};

	f->queued_head = (f->queued_head + 1) % OUTSTANDING_MAX;
	f->queued_count--;
	if (id == BLKBENCH_ENGINE_IO_URING)
		device->worker_activity += device->ring_punts;
	if (io->offset_bytes + io->bytes > device->highest_byte)
		device->highest_byte = io->offset_bytes + io->bytes;
	push_reading(f, pending);
	if (f->reading_count > device->max_in_flight)
		device->max_in_flight = f->reading_count;
}

static void start_queued(struct false_engine *f, uint64_t now_ns)
{
	while (f->queued_count > 0 && f->reading_count < f->setup.depth)
		start(f, now_ns);
}

/* Whether the next read to end does so by a time; then it has. */
static bool finish_next(struct false_engine *f, uint64_t until_ns)
{
	struct pending pending;

	if (f->reading_count == 0 || f->reading[0].end.done_ns > until_ns)
		return false;
	pending = pop_reading(f);
	*finished_at(f, f->finished_count++) = pending;
	if (f->engine.has_queue_ahead)
		start_queued(f, pending.end.done_ns);
	return true;
}

/* ---- waiting --------------------------------------------------------- */

static bool lies(struct false_device *device, enum false_lie lie)
{
	if (device->lie != lie || device->reaped < device->lie_at)
		return false;
	device->lie = FALSE_LIE_NONE;
	return true;
}

/* Until enough have finished; with them, all that have by then. */
static void let_time_pass(struct false_engine *f, unsigned int min,
			  uint64_t until_ns)
{
	struct false_device *device = f->device;

	start_queued(f, device->now_ns);
	while (finish_next(f, device->now_ns))
		;
	while (f->finished_count < min && f->reading_count > 0 &&
	       f->reading[0].end.done_ns <= until_ns) {
		device->now_ns = f->reading[0].end.done_ns;
		finish_next(f, device->now_ns);
	}
	if (f->finished_count < min)
		device->now_ns = until_ns;
	while (finish_next(f, device->now_ns))
		;
}

static void swap_first(struct false_engine *f)
{
	const struct pending first = *finished_at(f, 0);

	*finished_at(f, 0) = *finished_at(f, 1);
	*finished_at(f, 1) = first;
}

static struct pending take_finished(struct false_engine *f)
{
	struct pending pending = *finished_at(f, 0);

	f->finished_head = (f->finished_head + 1) % OUTSTANDING_MAX;
	f->finished_count--;
	/* The time of a reader, or that at which it was seen. */
	if (!f->engine.has_queue_ahead)
		pending.end.done_ns = f->device->now_ns;
	pending.io->result = pending.end.result;
	pending.io->submit_ns = pending.end.submit_ns;
	pending.io->done_ns = pending.end.done_ns;
	return pending;
}

/* Hands out the first finished read, unless it gets lost. */
static unsigned int hand_out(struct false_engine *f, struct io **done)
{
	struct false_device *device = f->device;
	struct pending pending = take_finished(f);
	unsigned int count = 1;

	if (pending.end.result > 0 && lies(device, FALSE_LIE_BYTE))
		pending.end.result--;
	if (pending.end.result > 0 && lies(device, FALSE_LIE_ERROR))
		pending.io->result = -EIO;
	if (lies(device, FALSE_LIE_AGE))
		pending.io->done_ns += NS_PER_S;
	if (lies(device, FALSE_LIE_TWICE))
		f->again = pending.io;
	if (lies(device, FALSE_LIE_LOST)) {
		f->lost++;
		count = 0;
	}
	*done = pending.io;
	device->reaped++;
	if (pending.end.result > 0)
		device->bytes_given += (uint32_t)pending.end.result;
	if (device->witness)
		device->witness->ended(device, f->number, pending.io,
				       &pending.end);
	return count;
}

static int false_wait(struct engine *engine, struct io **done, unsigned int max,
		      unsigned int min, uint64_t timeout_ns)
{
	struct false_engine *f = (struct false_engine *)engine;
	struct false_device *device = f->device;
	struct false_wait met = { FALSE_NEVER, 0 };
	unsigned int count = 0;
	bool is_signal;

	assert(min >= 1 && min <= max);
	assert(min <= count_outstanding(f) + f->lost);
	if (device->answer_wait)
		met = device->answer_wait(device, f->number);
	device->now_ns += device->wait_ns;
	if (met.error)
		return met.error;
	if (device->stop_ns) {
		start_queued(f, device->now_ns);
		device->now_ns += device->stop_ns;
		device->stop_ns = 0;
		return 0;
	}
	is_signal = met.signal_ns < timeout_ns &&
		    met.signal_ns + device->wait_ns < timeout_ns;
	let_time_pass(f, min,
		      device->now_ns +
			      (is_signal ? met.signal_ns : timeout_ns));
	if (lies(device, FALSE_LIE_LATE))
		device->now_ns += 1000 * NS_PER_S;

	if (f->again) {
		done[count++] = f->again;
		f->again = NULL;
	}
	if (device->is_disorderly && f->finished_count > 1)
		swap_first(f);
	while (count < max && f->finished_count > 0)
		count += hand_out(f, &done[count]);
	device->was_signal = is_signal && count == 0;
	return (int)count;
}

static void assert_all_fetched(const struct false_engine *f)
{
	assert(f->finished_count == 0);
	for (unsigned int i = 0; i < f->reading_count; i++)
		assert(f->reading[i].end.done_ns == FALSE_NEVER);
}

static void false_close(struct engine *engine)
{
	struct false_engine *f = (struct false_engine *)engine;

	if (!f->device->may_abandon)
		assert_all_fetched(f);
	while (finish_next(f, f->device->now_ns))
		;
	if (f->device->witness)
		f->device->witness->closed(f->device, f->number,
					   f->finished_count);
	f->device->closed++;
	free(f);
}

/* ---- engines --------------------------------------------------------- */

static int ring_open(const struct engine_setup *setup, struct engine **engine,
		     struct blkbench_error *error);
static int aio_open(const struct engine_setup *setup, struct engine **engine,
		    struct blkbench_error *error);
static int pread_open(const struct engine_setup *setup, struct engine **engine,
		      struct blkbench_error *error);

static const struct engine_ops false_ring = { BLKBENCH_ENGINE_IO_URING,
					      ring_open, false_queue,
					      false_wait, false_close };
static const struct engine_ops false_aio = { BLKBENCH_ENGINE_AIO, aio_open,
					     false_queue, false_wait,
					     false_close };
static const struct engine_ops false_pread = { BLKBENCH_ENGINE_PREAD,
					       pread_open, false_queue,
					       false_wait, false_close };

static int ring_open(const struct engine_setup *setup, struct engine **engine,
		     struct blkbench_error *error)
{
	const struct false_device *device =
		(const struct false_device *)setup->clock;

	if (device->ring_refused)
		return error_set(error, device->ring_refused, "no rings today");
	return open_engine(&false_ring, setup, engine);
}

static int aio_open(const struct engine_setup *setup, struct engine **engine,
		    struct blkbench_error *error)
{
	(void)error;
	return open_engine(&false_aio, setup, engine);
}

static int pread_open(const struct engine_setup *setup, struct engine **engine,
		      struct blkbench_error *error)
{
	(void)error;
	return open_engine(&false_pread, setup, engine);
}

static uint64_t no_workers(void)
{
	return 0;
}

static uint64_t current_activity(void)
{
	return current->worker_activity;
}

static enum blkbench_loss current_loss(const struct blkbench_device *device,
				       const char **layer)
{
	(void)device;
	current->losses_found++;
	current->told = current->loss;
	*layer = "false0";
	return current->loss;
}

static bool current_pressure(struct pressure *pressure)
{
	*pressure = current->pressure;
	return !current->counts_nothing;
}

static bool current_traffic(const struct blkbench_device *device,
			    struct doubt_traffic *traffic)
{
	(void)device;
	*traffic = (struct doubt_traffic){
		.read_bytes = current->bytes_given + current->other_bytes,
		.written_bytes = current->other_bytes / 2,
		.layer = "false0",
	};
	return !current->counts_nothing;
}

static void current_limits(const struct blkbench_device *device,
			   struct doubt_limits *limits)
{
	(void)device;
	*limits = current->limits;
}

struct world false_world(struct false_device *device)
{
	static const struct engine_ops *const two[] = { &false_ring, &false_aio,
							NULL };
	static const struct engine_ops *const three[] = { &false_ring,
							  &false_aio,
							  &false_pread, NULL };

	current = device;
	return (struct world){
		.fd = -1,
		.clock = &device->clock,
		.engines = device->has_pread ? three : two,
		.count_workers = no_workers,
		.worker_activity = current_activity,
		.read_pressure = current_pressure,
		.find_loss = current_loss,
		.count_traffic = current_traffic,
		.find_limits = current_limits,
	};
}
