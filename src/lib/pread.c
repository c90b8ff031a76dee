/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "engine.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/ioprio.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "error.h"

/*
 * One reader thread for each read in flight, so that the depth is what it is
 * said to be and the caller never blocks in a read.
 *
 *	caller   queued[] --.                       .--> wait()
 *	                    v                       |
 *	shared           waiting --> a reader --> done
 *
 * A reader goes from read to read with one lock operation for each, as long as
 * there are reads waiting: the ones ahead of the depth see to that.
 */

/* All that a reader needs, and little at a depth of thousands. */
#define READER_STACK_BYTES (64UL << 10)

struct fifo {
	struct io **slots;
	unsigned int size, head, count;
};

struct pread_engine {
	struct engine engine;
	int fd;
	uint16_t ioprio;
	const struct clock *clock;

	pthread_t *readers;
	unsigned int readers_count;

	struct io **queued; /* the caller's own, until it waits */
	unsigned int queued_count;

	pthread_mutex_t lock; /* of all below */
	struct fifo waiting;
	struct fifo done;
	unsigned int idle;   /* readers that wait for work */
	pthread_cond_t work; /* there is some, or it is over */
	bool is_closing;
	unsigned int wanted; /* reads the caller waits for, or 0 */
	sem_t due;	     /* posted when they are done */
};

static struct pread_engine *from_engine(struct engine *engine)
{
	return (struct pread_engine *)engine;
}

static void fifo_push(struct fifo *fifo, struct io *io)
{
	unsigned int i = fifo->head + fifo->count++;

	assert(fifo->count <= fifo->size);
	fifo->slots[i < fifo->size ? i : i - fifo->size] = io;
}

static struct io *fifo_pop(struct fifo *fifo)
{
	struct io *io = fifo->slots[fifo->head++];

	if (fifo->head == fifo->size)
		fifo->head = 0;
	fifo->count--;
	return io;
}

/* ---- reader ---------------------------------------------------------- */

static struct io *wait_for_work(struct pread_engine *pread)
{
	struct io *io = NULL;

	pthread_mutex_lock(&pread->lock);
	pread->idle++;
	while (!pread->waiting.count && !pread->is_closing)
		pthread_cond_wait(&pread->work, &pread->lock);
	pread->idle--;
	if (!pread->is_closing)
		io = fifo_pop(&pread->waiting);
	pthread_mutex_unlock(&pread->lock);
	return io;
}

/* Hands in a read and takes the next one, if there is any. */
static struct io *exchange(struct pread_engine *pread, struct io *io)
{
	struct io *next = NULL;
	bool is_due;

	pthread_mutex_lock(&pread->lock);
	fifo_push(&pread->done, io);
	is_due = pread->wanted && pread->done.count >= pread->wanted;
	if (is_due)
		pread->wanted = 0;
	if (pread->waiting.count && !pread->is_closing)
		next = fifo_pop(&pread->waiting);
	pthread_mutex_unlock(&pread->lock);

	if (is_due)
		sem_post(&pread->due);
	return next;
}

static void *run_reader(void *argument)
{
	struct pread_engine *pread = argument;
	struct io *io = NULL;

	/* Of this thread alone; that of the lowest class is never refused. */
	if (pread->ioprio)
		syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, pread->ioprio);
	while (io || (io = wait_for_work(pread))) {
		ssize_t result;

		io->submit_ns = clock_now_ns(pread->clock);
		result = pread64(pread->fd, io->buffer, io->bytes,
				 (off64_t)io->offset_bytes);
		io->result = result < 0 ? -errno : (int32_t)result;
		io->done_ns = clock_now_ns(pread->clock);
		io = exchange(pread, io);
	}
	return NULL;
}

/* ---- opening --------------------------------------------------------- */

static void free_engine(struct pread_engine *pread)
{
	sem_destroy(&pread->due);
	pthread_cond_destroy(&pread->work);
	pthread_mutex_destroy(&pread->lock);
	free(pread->readers);
	free(pread->queued);
	free(pread->waiting.slots);
	free(pread->done.slots);
	free(pread);
}

static struct pread_engine *alloc_engine(const struct engine_setup *setup)
{
	unsigned int outstanding = setup->depth + setup->ahead;
	struct pread_engine *pread = calloc(1, sizeof(*pread));

	if (!pread)
		return NULL;
	pread->engine.ops = &engine_pread;
	pread->engine.has_queue_ahead = true;
	pread->fd = setup->fd;
	pread->ioprio = setup->ioprio;
	pread->clock = setup->clock;
	pthread_mutex_init(&pread->lock, NULL);
	pthread_cond_init(&pread->work, NULL);
	sem_init(&pread->due, 0, 0);

	pread->readers = calloc(setup->depth, sizeof(pread->readers[0]));
	pread->queued = calloc(outstanding, sizeof(struct io *));
	pread->waiting.slots = calloc(outstanding, sizeof(struct io *));
	pread->waiting.size = outstanding;
	pread->done.slots = calloc(outstanding, sizeof(struct io *));
	pread->done.size = outstanding;
	if (!pread->readers || !pread->queued || !pread->waiting.slots ||
	    !pread->done.slots) {
		free_engine(pread);
		return NULL;
	}
	return pread;
}

static size_t reader_stack_bytes(void)
{
	size_t least = (size_t)PTHREAD_STACK_MIN;

	return least > READER_STACK_BYTES ? least : READER_STACK_BYTES;
}

/* Signals are for the caller: its wait is what they are to interrupt. */
static int start_readers(struct pread_engine *pread, unsigned int count)
{
	sigset_t all, before;
	pthread_attr_t attr;
	int rc;

	rc = pthread_attr_init(&attr);
	if (rc)
		return -rc;
	rc = pthread_attr_setstacksize(&attr, reader_stack_bytes());
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	while (!rc && pread->readers_count < count) {
		rc = pthread_create(&pread->readers[pread->readers_count],
				    &attr, run_reader, pread);
		if (!rc)
			pread->readers_count++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -rc;
}

static void stop_readers(struct pread_engine *pread)
{
	pthread_mutex_lock(&pread->lock);
	pread->is_closing = true;
	pthread_mutex_unlock(&pread->lock);
	pthread_cond_broadcast(&pread->work);
	for (unsigned int i = 0; i < pread->readers_count; i++)
		pthread_join(pread->readers[i], NULL);
}

static int pread_open(const struct engine_setup *setup, struct engine **engine,
		      struct blkbench_error *error)
{
	struct pread_engine *pread;
	int rc;

	pread = alloc_engine(setup);
	if (!pread)
		return error_set(error, -ENOMEM, "pread: %s", strerror(ENOMEM));
	rc = start_readers(pread, setup->depth);
	if (rc) {
		error_set(error, rc,
			  "pread: starting thread %u of %u, one for each read "
			  "in flight: %s",
			  pread->readers_count + 1, setup->depth,
			  strerror(-rc));
		stop_readers(pread);
		free_engine(pread);
		return rc;
	}
	*engine = &pread->engine;
	return 0;
}

static void pread_close(struct engine *engine)
{
	struct pread_engine *pread = from_engine(engine);

	stop_readers(pread);
	free_engine(pread);
}

/* ---- caller ---------------------------------------------------------- */

static void pread_queue(struct engine *engine, struct io *io)
{
	struct pread_engine *pread = from_engine(engine);

	assert(pread->queued_count < pread->waiting.size);
	pread->queued[pread->queued_count++] = io;
}

static void hand_over_queued(struct pread_engine *pread)
{
	unsigned int wakes;

	if (!pread->queued_count)
		return;
	pthread_mutex_lock(&pread->lock);
	for (unsigned int i = 0; i < pread->queued_count; i++)
		fifo_push(&pread->waiting, pread->queued[i]);
	wakes = pread->idle < pread->queued_count ? pread->idle
						  : pread->queued_count;
	pthread_mutex_unlock(&pread->lock);

	pread->queued_count = 0;
	while (wakes--)
		pthread_cond_signal(&pread->work);
}

static struct timespec deadline_after(uint64_t timeout_ns)
{
	struct timespec deadline;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_sec += (time_t)(timeout_ns / NS_PER_S);
	deadline.tv_nsec += (long)(timeout_ns % NS_PER_S);
	if (deadline.tv_nsec >= (long)NS_PER_S) {
		deadline.tv_nsec -= (long)NS_PER_S;
		deadline.tv_sec++;
	}
	return deadline;
}

/*
 * Waits on a semaphore because that, other than a condition variable, returns
 * when a signal is handled. It may have been posted for an earlier wait that
 * had just timed out: so the count decides.
 */
static int pread_wait(struct engine *engine, struct io **done, unsigned int max,
		      unsigned int min, uint64_t timeout_ns)
{
	struct pread_engine *pread = from_engine(engine);
	struct timespec deadline = deadline_after(timeout_ns);
	unsigned int count = 0;

	hand_over_queued(pread);
	pthread_mutex_lock(&pread->lock);
	while (pread->done.count < min) {
		int rc;

		pread->wanted = min;
		pthread_mutex_unlock(&pread->lock);
		rc = sem_clockwait(&pread->due, CLOCK_MONOTONIC, &deadline);
		pthread_mutex_lock(&pread->lock);
		if (rc)
			break;
	}
	pread->wanted = 0;
	while (count < max && pread->done.count)
		done[count++] = fifo_pop(&pread->done);
	pthread_mutex_unlock(&pread->lock);
	return (int)count;
}

const struct engine_ops engine_pread = {
	.id = BLKBENCH_ENGINE_PREAD,
	.open = pread_open,
	.queue = pread_queue,
	.wait = pread_wait,
	.close = pread_close,
};
