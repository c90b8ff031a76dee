/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "engine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* How long to leave the kernel alone that has no memory for a request. */
#define NO_MEMORY_PAUSE_US 1000

struct aio_engine {
	struct engine engine;
	int fd;
	const struct clock *clock;
	unsigned int depth;
	io_context_t context;
	unsigned int in_flight;

	struct iocb *blocks;  /* depth of them; each is in one of three */
	struct iocb **queued; /* places: queued, spare or in flight */
	unsigned int queued_count;
	struct iocb **spare;
	unsigned int spare_count;
	struct io_event *events; /* depth of them, for wait to fill */
};

static struct aio_engine *from_engine(struct engine *engine)
{
	return (struct aio_engine *)engine;
}

/* ---- opening --------------------------------------------------------- */

static void free_engine(struct aio_engine *aio)
{
	free(aio->blocks);
	free(aio->queued);
	free(aio->spare);
	free(aio->events);
	free(aio);
}

static struct aio_engine *alloc_engine(const struct engine_setup *setup)
{
	struct aio_engine *aio = calloc(1, sizeof(*aio));

	if (!aio)
		return NULL;
	aio->engine.ops = &engine_aio;
	aio->fd = setup->fd;
	aio->clock = setup->clock;
	aio->depth = setup->depth;
	aio->blocks = calloc(setup->depth, sizeof(aio->blocks[0]));
	aio->queued = calloc(setup->depth, sizeof(struct iocb *));
	aio->spare = calloc(setup->depth, sizeof(struct iocb *));
	aio->events = calloc(setup->depth, sizeof(aio->events[0]));
	if (!aio->blocks || !aio->queued || !aio->spare || !aio->events) {
		free_engine(aio);
		return NULL;
	}
	while (aio->spare_count < setup->depth) {
		aio->spare[aio->spare_count] = &aio->blocks[aio->spare_count];
		aio->spare_count++;
	}
	return aio;
}

static int set_call_error(struct blkbench_error *error, const char *call,
			  int code)
{
	const char *why = strerror(-code);

	if (code == -EAGAIN)
		return error_set(error, code,
				 "%s: %s "
				 "(sysctl fs.aio-max-nr is too low)",
				 call, why);
	if (code == -ENOSYS)
		return error_set(error, code,
				 "%s: %s (the kernel is built without, "
				 "or a seccomp profile hides it)",
				 call, why);
	if (code == -EPERM)
		return error_set(error, code,
				 "%s: %s (a seccomp or security profile "
				 "forbids it)",
				 call, why);
	return error_set(error, code, "%s: %s", call, why);
}

/* A profile may let a context be made and not be used: threads are for that as
 * well. Nothing is submitted, and nothing waited for. */
static int try_calls(struct aio_engine *aio, struct blkbench_error *error)
{
	/* With none at all, libaio would not ask the kernel. */
	struct timespec soon = { .tv_nsec = 1 };
	int rc;

	rc = io_submit(aio->context, 0, aio->queued);
	if (rc < 0)
		return set_call_error(error, "io_submit", rc);
	rc = io_getevents(aio->context, 0, 1, aio->events, &soon);
	if (rc < 0 && rc != -EINTR)
		return set_call_error(error, "io_getevents", rc);
	return 0;
}

static void aio_close(struct engine *engine)
{
	struct aio_engine *aio = from_engine(engine);

	io_destroy(aio->context);
	free_engine(aio);
}

static int aio_open(const struct engine_setup *setup, struct engine **engine,
		    struct blkbench_error *error)
{
	struct aio_engine *aio;
	int rc;

	/* io_submit() would do each of them, one after the other. */
	if (!(fcntl(setup->fd, F_GETFL) & O_DIRECT))
		return error_set(error, -EOPNOTSUPP,
				 "aio: only direct reads are asynchronous");
	aio = alloc_engine(setup);
	if (!aio)
		return error_set(error, -ENOMEM, "aio: %s", strerror(ENOMEM));
	rc = io_setup((int)setup->depth, &aio->context);
	if (rc < 0) {
		free_engine(aio);
		return set_call_error(error, "io_setup", rc);
	}
	rc = try_calls(aio, error);
	if (rc < 0) {
		aio_close(&aio->engine);
		return rc;
	}
	*engine = &aio->engine;
	return 0;
}

/* ---- reading --------------------------------------------------------- */

static void aio_queue(struct engine *engine, struct io *io)
{
	struct aio_engine *aio = from_engine(engine);
	struct iocb *block;

	assert(aio->spare_count);
	block = aio->spare[--aio->spare_count];
	io_prep_pread(block, aio->fd, io->buffer, io->bytes,
		      (long long)io->offset_bytes);
	block->data = io;
	aio->queued[aio->queued_count++] = block;
}

static struct io *finish(struct aio_engine *aio, struct iocb *block,
			 long result, uint64_t now_ns)
{
	struct io *io = block->data;

	io->result = (int32_t)result;
	io->done_ns = now_ns;
	aio->spare[aio->spare_count++] = block;
	return io;
}

/*
 * Submits what is queued; where the kernel has no room for all (EAGAIN), the
 * rest stays queued. One that the kernel refuses is finished with its errno.
 * Returns how many of those were put into done.
 */
static unsigned int submit(struct aio_engine *aio, struct io **done,
			   unsigned int max)
{
	uint64_t now_ns = clock_now_ns(aio->clock);
	unsigned int first = 0, refused = 0;

	for (unsigned int i = 0; i < aio->queued_count; i++)
		((struct io *)aio->queued[i]->data)->submit_ns = now_ns;

	while (first < aio->queued_count && refused < max) {
		int rc = io_submit(aio->context, aio->queued_count - first,
				   aio->queued + first);

		if (rc > 0) {
			first += (unsigned int)rc;
			aio->in_flight += (unsigned int)rc;
			continue;
		}
		if (rc == 0 || rc == -EAGAIN)
			break;
		done[refused++] = finish(aio, aio->queued[first++], rc,
					 clock_now_ns(aio->clock));
	}
	aio->queued_count -= first;
	memmove(aio->queued, aio->queued + first,
		aio->queued_count * sizeof(aio->queued[0]));
	return refused;
}

static int reap(struct aio_engine *aio, struct io **done, unsigned int max,
		unsigned int min, uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	uint64_t now_ns;
	int rc;

	rc = io_getevents(aio->context, min, max, aio->events, &timeout);
	if (rc == -EINTR)
		return 0;
	if (rc < 0)
		return rc;
	now_ns = clock_now_ns(aio->clock);
	for (int i = 0; i < rc; i++)
		done[i] = finish(aio, aio->events[i].obj,
				 (long)aio->events[i].res, now_ns);
	aio->in_flight -= (unsigned int)rc;
	return rc;
}

static unsigned int smaller(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static int aio_wait(struct engine *engine, struct io **done, unsigned int max,
		    unsigned int min, uint64_t timeout_ns)
{
	struct aio_engine *aio = from_engine(engine);
	unsigned int refused = 0;

	if (aio->queued_count)
		refused = submit(aio, done, max);
	if (refused)
		return (int)refused;
	if (!aio->in_flight) {
		usleep(NO_MEMORY_PAUSE_US);
		return 0;
	}
	return reap(aio, done, smaller(max, aio->depth),
		    smaller(min, aio->in_flight), timeout_ns);
}

const struct engine_ops engine_aio = {
	.id = BLKBENCH_ENGINE_AIO,
	.open = aio_open,
	.queue = aio_queue,
	.wait = aio_wait,
	.close = aio_close,
};
