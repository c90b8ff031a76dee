/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "false_device.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "error.h"

#define OUTSTANDING_MAX 4200

struct pending {
	struct io *io;
	uint64_t done_ns;
	int32_t result;
};

struct false_engine {
	struct engine engine;
	struct false_device *device;
	struct engine_setup setup;
	struct io *queued[OUTSTANDING_MAX];
	unsigned int queued_count;
	struct pending pending[OUTSTANDING_MAX];
	unsigned int pending_count;
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
	f->device = (struct false_device *)(uintptr_t)setup->clock;
	f->setup = *setup;
	*engine = &f->engine;
	return 0;
}

static bool overlaps(const struct io *a, const struct io *b)
{
	const char *at = a->buffer, *other = b->buffer;

	return at < other + b->bytes && other < at + a->bytes;
}

static void assert_no_overlap(const struct false_engine *f, const struct io *io)
{
	for (unsigned int i = 0; i < f->queued_count; i++)
		assert(!overlaps(io, f->queued[i]));
	for (unsigned int i = 0; i < f->pending_count; i++)
		assert(!overlaps(io, f->pending[i].io));
}

static void false_queue(struct engine *engine, struct io *io)
{
	struct false_engine *f = (struct false_engine *)engine;
	const struct false_device *device = f->device;
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
	assert(f->pending_count + f->queued_count <
	       f->setup.depth + f->setup.ahead);
	f->queued[f->queued_count++] = io;
}

static void submit(struct false_engine *f)
{
	struct false_device *device = f->device;
	const enum blkbench_engine id = f->engine.ops->id;

	for (unsigned int i = 0; i < f->queued_count; i++) {
		struct io *io = f->queued[i];
		struct false_answer answer =
			device->answer(device, id, io, device->reads++);
		struct pending *p = &f->pending[f->pending_count++];

		if (id == BLKBENCH_ENGINE_IO_URING)
			device->worker_activity += device->ring_punts;
		if (io->offset_bytes + io->bytes > device->highest_byte)
			device->highest_byte = io->offset_bytes + io->bytes;
		io->submit_ns = device->now_ns;
		p->io = io;
		p->done_ns = answer.latency_ns == FALSE_NEVER
				     ? FALSE_NEVER
				     : device->now_ns + answer.latency_ns;
		p->result = answer.result == FALSE_FULL ? (int32_t)io->bytes
							: answer.result;
	}
	f->queued_count = 0;
	if (f->pending_count > device->max_in_flight)
		device->max_in_flight = f->pending_count;
}

static int compare_pending(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	return (x->done_ns > y->done_ns) - (x->done_ns < y->done_ns);
}

static int false_wait(struct engine *engine, struct io **done, unsigned int max,
		      unsigned int min, uint64_t timeout_ns)
{
	struct false_engine *f = (struct false_engine *)engine;
	struct false_device *device = f->device;
	const uint64_t until = device->now_ns + timeout_ns;
	unsigned int n = 0;

	submit(f);
	assert(min >= 1 && min <= f->pending_count);
	qsort(f->pending, f->pending_count, sizeof(f->pending[0]),
	      compare_pending);
	if (f->pending[min - 1].done_ns > until)
		device->now_ns = until;
	else if (f->pending[min - 1].done_ns > device->now_ns)
		device->now_ns = f->pending[min - 1].done_ns;

	while (n < max && n < f->pending_count &&
	       f->pending[n].done_ns <= device->now_ns) {
		done[n] = f->pending[n].io;
		done[n]->result = f->pending[n].result;
		done[n]->done_ns = device->now_ns;
		if (f->pending[n].result > 0)
			device->bytes_given += (uint32_t)f->pending[n].result;
		n++;
	}
	f->pending_count -= n;
	for (unsigned int i = 0; i < f->pending_count; i++)
		f->pending[i] = f->pending[i + n];
	device->reaped += n;
	return (int)n;
}

static void false_close(struct engine *engine)
{
	struct false_engine *f = (struct false_engine *)engine;

	for (unsigned int i = 0; i < f->pending_count; i++)
		assert(f->pending[i].done_ns == FALSE_NEVER);
	free(f);
}

static int ring_open(const struct engine_setup *setup, struct engine **engine,
		     struct blkbench_error *error);
static int aio_open(const struct engine_setup *setup, struct engine **engine,
		    struct blkbench_error *error);

static const struct engine_ops false_ring = { BLKBENCH_ENGINE_IO_URING,
					      ring_open, false_queue,
					      false_wait, false_close };
static const struct engine_ops false_aio = { BLKBENCH_ENGINE_AIO, aio_open,
					     false_queue, false_wait,
					     false_close };

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
	*layer = "false0";
	return current->loss;
}

struct world false_world(struct false_device *device)
{
	static const struct engine_ops *const engines[] = { &false_ring,
							    &false_aio, NULL };

	current = device;
	return (struct world){
		.fd = -1,
		.clock = &device->clock,
		.engines = engines,
		.count_workers = no_workers,
		.worker_activity = current_activity,
		.find_loss = current_loss,
	};
}
