/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "engine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "error.h"
#include "minmax.h"

/* As linux/aio_abi.h has it, which does not go together with libaio.h. */
#define IOCB_FLAG_IOPRIO (1 << 1)

/* How long to leave the kernel alone that has no memory for a request. */
#define NO_MEMORY_PAUSE_US 1000

/*
 * Where a device does not know RWF_NOWAIT, submissions that take long tell that
 * its queue is full at this depth: it would be when it hangs as well.
 */
#define LATE_NS (50 * NS_PER_US) /* for each read */
#define LATE_MAX 8

/*
 * io_submit() waits where the device's queue is full, and on one that hangs it
 * does not come back. So reads are submitted with RWF_NOWAIT, and those for
 * which it would have to wait are left to a thread for which that does no harm.
 * It is started when there is a first one.
 */
struct submitter {
	pthread_t thread;
	bool is_started;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t work;
	bool is_closing;
	struct iocb **waiting; /* a ring: depth of them */
	unsigned int head, count;
	struct iocb **refused; /* the result is in their io */
	unsigned int refused_count;
};

struct aio_engine {
	struct engine engine;
	int fd;
	uint16_t ioprio;
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
	bool has_no_nowait;	 /* the device does not know it */
	unsigned int late;	 /* submissions, less those in time */
	struct submitter submitter;
};

static struct aio_engine *from_engine(struct engine *engine)
{
	return (struct aio_engine *)engine;
}

/* ---- opening --------------------------------------------------------- */

static void free_engine(struct aio_engine *aio)
{
	pthread_cond_destroy(&aio->submitter.work);
	pthread_mutex_destroy(&aio->submitter.lock);
	free(aio->submitter.waiting);
	free(aio->submitter.refused);
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
	aio->ioprio = setup->ioprio;
	aio->clock = setup->clock;
	aio->depth = setup->depth;
	aio->blocks = calloc(setup->depth, sizeof(aio->blocks[0]));
	aio->queued = calloc(setup->depth, sizeof(struct iocb *));
	aio->spare = calloc(setup->depth, sizeof(struct iocb *));
	aio->events = calloc(setup->depth, sizeof(aio->events[0]));
	aio->submitter.waiting = calloc(setup->depth, sizeof(struct iocb *));
	aio->submitter.refused = calloc(setup->depth, sizeof(struct iocb *));
	pthread_mutex_init(&aio->submitter.lock, NULL);
	pthread_cond_init(&aio->submitter.work, NULL);
	if (!aio->blocks || !aio->queued || !aio->spare || !aio->events ||
	    !aio->submitter.waiting || !aio->submitter.refused) {
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

static void stop_submitter(struct submitter *submitter)
{
	if (!submitter->is_started)
		return;
	pthread_mutex_lock(&submitter->lock);
	submitter->is_closing = true;
	pthread_mutex_unlock(&submitter->lock);
	pthread_cond_signal(&submitter->work);
	pthread_join(submitter->thread, NULL);
}

static void aio_close(struct engine *engine)
{
	struct aio_engine *aio = from_engine(engine);

	stop_submitter(&aio->submitter);
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
	if (aio->ioprio) {
		block->u.c.flags |= IOCB_FLAG_IOPRIO;
		block->aio_reqprio = (short)aio->ioprio;
	}
	block->data = io;
	block->aio_rw_flags = aio->has_no_nowait ? 0 : RWF_NOWAIT;
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

/* Tries until the kernel has room for it. Returns a negative errno if it is
 * refused. */
static int submit_and_wait(struct aio_engine *aio, struct iocb *block)
{
	int rc;

	((struct io *)block->data)->submit_ns = clock_now_ns(aio->clock);
	while ((rc = io_submit(aio->context, 1, &block)) == -EAGAIN || rc == 0)
		usleep(NO_MEMORY_PAUSE_US);
	return rc < 0 ? rc : 0;
}

static struct iocb *take_waiting(struct aio_engine *aio)
{
	struct submitter *submitter = &aio->submitter;
	struct iocb *block = NULL;

	pthread_mutex_lock(&submitter->lock);
	while (!submitter->count && !submitter->is_closing)
		pthread_cond_wait(&submitter->work, &submitter->lock);
	if (!submitter->is_closing) {
		block = submitter->waiting[submitter->head];
		submitter->head = (submitter->head + 1) % aio->depth;
		submitter->count--;
	}
	pthread_mutex_unlock(&submitter->lock);
	return block;
}

static void refuse(struct aio_engine *aio, struct iocb *block, int rc)
{
	struct submitter *submitter = &aio->submitter;

	pthread_mutex_lock(&submitter->lock);
	((struct io *)block->data)->result = rc;
	submitter->refused[submitter->refused_count++] = block;
	pthread_mutex_unlock(&submitter->lock);
}

static void *run_submitter(void *argument)
{
	struct aio_engine *aio = argument;
	struct iocb *block;

	while ((block = take_waiting(aio))) {
		int rc = submit_and_wait(aio, block);

		if (rc < 0)
			refuse(aio, block, rc);
	}
	return NULL;
}

/* Signals are for the caller: its wait is what they are to interrupt. */
static bool start_submitter(struct aio_engine *aio)
{
	struct submitter *submitter = &aio->submitter;
	sigset_t all, before;

	if (submitter->is_started)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	submitter->is_started = pthread_create(&submitter->thread, NULL,
					       run_submitter, aio) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return submitter->is_started;
}

/* It counts as in flight. Without a thread the caller has to wait. */
static void leave_to_submitter(struct aio_engine *aio, struct iocb *block)
{
	struct submitter *submitter = &aio->submitter;
	int rc;

	block->aio_rw_flags = 0;
	aio->in_flight++;
	if (!start_submitter(aio)) {
		rc = submit_and_wait(aio, block);
		if (rc < 0)
			refuse(aio, block, rc);
		return;
	}
	pthread_mutex_lock(&submitter->lock);
	submitter->waiting[(submitter->head + submitter->count) % aio->depth] =
		block;
	submitter->count++;
	pthread_mutex_unlock(&submitter->lock);
	pthread_cond_signal(&submitter->work);
}

/* What the submitter had refused. */
static unsigned int take_refused(struct aio_engine *aio, struct io **done,
				 unsigned int max)
{
	struct submitter *submitter = &aio->submitter;
	const uint64_t now_ns = clock_now_ns(aio->clock);
	unsigned int count = 0;

	pthread_mutex_lock(&submitter->lock);
	while (submitter->refused_count && count < max) {
		struct iocb *block =
			submitter->refused[--submitter->refused_count];

		done[count++] = finish(
			aio, block, ((struct io *)block->data)->result, now_ns);
	}
	pthread_mutex_unlock(&submitter->lock);
	aio->in_flight -= count;
	return count;
}

/* A submission that does not wait is late by chance only. */
static void note_pace(struct aio_engine *aio, int count, uint64_t *begin_ns)
{
	const uint64_t now_ns = clock_now_ns(aio->clock);
	const uint64_t took_ns = now_ns - *begin_ns;

	*begin_ns = now_ns;
	if (!aio->has_no_nowait || count <= 0)
		return;
	if (took_ns > LATE_NS * (unsigned int)count)
		aio->late++;
	else if (aio->late > 0)
		aio->late--;
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
		int rc;

		if (aio->late == LATE_MAX) {
			leave_to_submitter(aio, aio->queued[first++]);
			continue;
		}
		rc = io_submit(aio->context, aio->queued_count - first,
			       aio->queued + first);
		note_pace(aio, rc, &now_ns);
		if (rc > 0) {
			first += (unsigned int)rc;
			aio->in_flight += (unsigned int)rc;
			continue;
		}
		if (rc == 0 || rc == -EAGAIN)
			break;
		if (rc == -EOPNOTSUPP && !aio->has_no_nowait) {
			aio->has_no_nowait = true;
			for (unsigned int i = first; i < aio->queued_count; i++)
				aio->queued[i]->aio_rw_flags = 0;
			continue;
		}
		done[refused++] = finish(aio, aio->queued[first++], rc,
					 clock_now_ns(aio->clock));
	}
	aio->queued_count -= first;
	memmove(aio->queued, aio->queued + first,
		aio->queued_count * sizeof(aio->queued[0]));
	return refused;
}

/* Whether a read that was not to wait came back for that. */
static bool would_wait(struct aio_engine *aio, const struct iocb *block,
		       long result)
{
	if (!(block->aio_rw_flags & RWF_NOWAIT))
		return false;
	if (result == -EOPNOTSUPP)
		aio->has_no_nowait = true;
	return result == -EOPNOTSUPP || result == -EAGAIN;
}

static int reap(struct aio_engine *aio, struct io **done, unsigned int max,
		unsigned int min, uint64_t timeout_ns)
{
	struct timespec timeout = {
		.tv_sec = (time_t)(timeout_ns / NS_PER_S),
		.tv_nsec = (long)(timeout_ns % NS_PER_S),
	};
	uint64_t now_ns;
	int rc, count = 0;

	rc = io_getevents(aio->context, min, max, aio->events, &timeout);
	if (rc == -EINTR)
		return 0;
	if (rc < 0)
		return rc;
	now_ns = clock_now_ns(aio->clock);
	aio->in_flight -= (unsigned int)rc;
	for (int i = 0; i < rc; i++) {
		struct iocb *block = aio->events[i].obj;
		const long result = (long)aio->events[i].res;

		if (would_wait(aio, block, result))
			leave_to_submitter(aio, block);
		else
			done[count++] = finish(aio, block, result, now_ns);
	}
	return count;
}

static int aio_wait(struct engine *engine, struct io **done, unsigned int max,
		    unsigned int min, uint64_t timeout_ns)
{
	struct aio_engine *aio = from_engine(engine);
	unsigned int refused = 0;

	if (aio->queued_count)
		refused = submit(aio, done, max);
	if (refused < max)
		refused += take_refused(aio, done + refused, max - refused);
	if (refused)
		return (int)refused;
	if (!aio->in_flight) {
		usleep(NO_MEMORY_PAUSE_US);
		return 0;
	}
	return reap(aio, done, min_uint(max, aio->depth),
		    min_uint(min, aio->in_flight), timeout_ns);
}

const struct engine_ops engine_aio = {
	.id = BLKBENCH_ENGINE_AIO,
	.open = aio_open,
	.queue = aio_queue,
	.wait = aio_wait,
	.close = aio_close,
};
