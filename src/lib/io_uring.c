/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "io_uring.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <liburing.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

/* How long to leave the kernel alone that has no memory for a request. */
#define NO_MEMORY_PAUSE_US 1000

/* The device's place in the ring's table of files, and the memory's in that of
 * buffers. */
#define DEVICE_INDEX 0
#define MEMORY_INDEX 0

struct io_uring_engine {
	struct engine engine;
	const struct clock *clock;
	struct io_uring ring;
	bool has_fixed_memory;
	uint16_t ioprio;
	unsigned int outstanding;
	unsigned int queued_count;
	struct io *queued[]; /* since the last wait: not stamped yet */
};

static struct io_uring_engine *from_engine(struct engine *engine)
{
	return (struct io_uring_engine *)engine;
}

struct io_uring *io_uring_engine_ring(struct engine *engine)
{
	return &from_engine(engine)->ring;
}

/* ---- opening --------------------------------------------------------- */

/* What makes a ring faster, and which kernel brought it: newest first. */
static const unsigned int optional_flags[] = {
	IORING_SETUP_DEFER_TASKRUN, /* 6.1, needs SINGLE_ISSUER */
	IORING_SETUP_SINGLE_ISSUER, /* 6.0 */
	IORING_SETUP_COOP_TASKRUN,  /* 5.19 */
	IORING_SETUP_SUBMIT_ALL,    /* 5.18 */
};

#define OPTIONAL_FLAGS_COUNT \
	(sizeof(optional_flags) / sizeof(optional_flags[0]))

/* The value of the sysctl that forbids rings, or -1: the kernel has none. */
static int read_disabled_sysctl(void)
{
	char text[8] = "";
	ssize_t length;
	int fd;

	fd = open("/proc/sys/kernel/io_uring_disabled", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	return length > 0 ? atoi(text) : -1;
}

static int set_call_error(struct blkbench_error *error, const char *call,
			  int code)
{
	const char *why = strerror(-code);
	int disabled = read_disabled_sysctl();

	if (code == -EPERM && disabled > 0)
		return error_set(error, code,
				 "%s: %s "
				 "(sysctl kernel.io_uring_disabled is %d)",
				 call, why, disabled);
	if (code == -EPERM)
		return error_set(error, code,
				 "%s: %s "
				 "(a seccomp or security profile forbids it)",
				 call, why);
	if (code == -ENOSYS)
		return error_set(error, code,
				 "%s: %s (the kernel is too old, "
				 "or a seccomp profile hides it)",
				 call, why);
	if (code == -ENOMEM)
		return error_set(error, code,
				 "%s: %s (is the limit on locked "
				 "memory, ulimit -l, too low?)",
				 call, why);
	if (code == -EINVAL)
		return error_set(error, code,
				 "%s: %s (the kernel is older "
				 "than 5.10: rings could write)",
				 call, why);
	return error_set(error, code, "%s: %s", call, why);
}

/*
 * Makes a ring that is disabled until restrict_and_enable(), with as many of
 * the optional flags as the kernel knows. The completion queue gets twice as
 * many entries as the submission queue: with no more than depth reads
 * outstanding it cannot overflow.
 */
static int create_ring(struct io_uring *ring, unsigned int depth,
		       struct blkbench_error *error)
{
	unsigned int flags = IORING_SETUP_R_DISABLED;
	struct io_uring_params params;
	int rc;

	for (size_t i = 0; i < OPTIONAL_FLAGS_COUNT; i++)
		flags |= optional_flags[i];

	for (size_t i = 0;; i++) {
		memset(&params, 0, sizeof(params));
		params.flags = flags;
		rc = io_uring_queue_init_params(depth, ring, &params);
		if (rc != -EINVAL || i == OPTIONAL_FLAGS_COUNT)
			break;
		flags &= ~optional_flags[i];
	}
	if (rc)
		return set_call_error(error, "io_uring_setup", rc);

	/* Without it a timed wait is a request of its own kind, which the
	 * restrictions forbid. */
	if (!(params.features & IORING_FEAT_EXT_ARG)) {
		io_uring_queue_exit(ring);
		return error_set(error, -ENOSYS,
				 "io_uring: the kernel is older than 5.11: "
				 "waits cannot be timed");
	}
	return 0;
}

/*
 * From here on the kernel refuses whatever is no read of the registered file,
 * and every change of what is registered, but for letting go of that file.
 * (liburing 2.3 does not export its own functions for these two calls.)
 */
static int restrict_and_enable(struct io_uring *ring,
			       struct blkbench_error *error)
{
	struct io_uring_restriction restrictions[] = {
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_READ },
		{ .opcode = IORING_RESTRICTION_SQE_OP,
		  .sqe_op = IORING_OP_READ_FIXED },
		{ .opcode = IORING_RESTRICTION_REGISTER_OP,
		  .register_op = IORING_UNREGISTER_FILES },
		{ .opcode = IORING_RESTRICTION_SQE_FLAGS_REQUIRED,
		  .sqe_flags = IOSQE_FIXED_FILE },
		{ .opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED,
		  .sqe_flags = IOSQE_ASYNC },
	};
	int rc;

	rc = io_uring_register((unsigned int)ring->ring_fd,
			       IORING_REGISTER_RESTRICTIONS, restrictions,
			       sizeof(restrictions) / sizeof(restrictions[0]));
	if (rc < 0)
		return error_set(error, rc,
				 "io_uring: restricting the ring to reads: %s",
				 strerror(-rc));

	rc = io_uring_register((unsigned int)ring->ring_fd,
			       IORING_REGISTER_ENABLE_RINGS, NULL, 0);
	if (rc < 0)
		return error_set(error, rc, "io_uring: enabling the ring: %s",
				 strerror(-rc));
	return 0;
}

/* A profile may let rings be made and not be used: the other engines are for
 * that as well. */
static int try_to_wait(struct io_uring *ring, struct blkbench_error *error)
{
	struct __kernel_timespec at_once = { 0 };
	struct io_uring_cqe *cqe;
	int rc =
		io_uring_submit_and_wait_timeout(ring, &cqe, 1, &at_once, NULL);

	if (rc == -EPERM || rc == -EACCES || rc == -ENOSYS)
		return set_call_error(error, "io_uring_enter", rc);
	return 0;
}

static void *do_nothing(void *argument)
{
	return argument;
}

/*
 * Reads that would have to wait go to workers of the ring. Where the limit on
 * threads lets it have none, the kernel cancels them: as if the device had
 * failed to read.
 */
static int try_to_start_thread(struct blkbench_error *error)
{
	pthread_attr_t attr;
	pthread_t thread;
	int rc;

	if (pthread_attr_init(&attr) != 0)
		return 0;
	/* It is threads that are in question here, not memory for stacks. */
	pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN);
	rc = pthread_create(&thread, &attr, do_nothing, NULL);
	pthread_attr_destroy(&attr);
	if (rc == 0)
		pthread_join(thread, NULL);
	/* What a profile refuses to programs, the kernel still does. */
	if (rc != EAGAIN)
		return 0;
	return error_set(error, -rc,
			 "io_uring: no worker thread can be started: %s "
			 "(ulimit -u, or a limit of the container)",
			 strerror(rc));
}

static int prepare_ring(struct io_uring_engine *uring,
			const struct engine_setup *setup,
			struct blkbench_error *error)
{
	const struct iovec memory = { .iov_base = setup->memory,
				      .iov_len = setup->memory_bytes };
	int rc;

	rc = io_uring_register_files(&uring->ring, &setup->fd, 1);
	if (rc < 0)
		return set_call_error(error, "io_uring_register", rc);

	/* Pinning the pages once saves it for each read; where the limit on
	 * locked memory is too low for that, it is done for each. */
	rc = io_uring_register_buffers(&uring->ring, &memory, 1);
	uring->has_fixed_memory = rc >= 0;

	rc = restrict_and_enable(&uring->ring, error);
	return rc ? rc : try_to_wait(&uring->ring, error);
}

static int io_uring_open(const struct engine_setup *setup,
			 struct engine **engine, struct blkbench_error *error)
{
	struct io_uring_engine *uring;
	int rc;

	uring = calloc(1, sizeof(*uring) +
				  setup->depth * sizeof(uring->queued[0]));
	if (!uring)
		return error_set(error, -ENOMEM, "io_uring: %s",
				 strerror(ENOMEM));
	uring->engine.ops = &engine_io_uring;
	uring->ioprio = setup->ioprio;
	uring->clock = setup->clock;

	rc = try_to_start_thread(error);
	if (rc)
		goto free_engine;
	rc = create_ring(&uring->ring, setup->depth, error);
	if (rc)
		goto free_engine;
	rc = prepare_ring(uring, setup, error);
	if (rc)
		goto exit_ring;

	*engine = &uring->engine;
	return 0;

exit_ring:
	io_uring_queue_exit(&uring->ring);
free_engine:
	free(uring);
	return rc;
}

static void io_uring_close(struct engine *engine)
{
	struct io_uring_engine *uring = from_engine(engine);

	/* The kernel takes a ring down some time after its end, and would keep
	 * the device busy until then. With reads under way, older kernels
	 * would wait for those. */
	if (!uring->outstanding)
		io_uring_unregister_files(&uring->ring);
	io_uring_queue_exit(&uring->ring);
	free(uring);
}

/* ---- reading --------------------------------------------------------- */

static void io_uring_queue(struct engine *engine, struct io *io)
{
	struct io_uring_engine *uring = from_engine(engine);
	struct io_uring_sqe *sqe = io_uring_get_sqe(&uring->ring);

	assert(sqe);
	if (uring->has_fixed_memory)
		io_uring_prep_read_fixed(sqe, DEVICE_INDEX, io->buffer,
					 io->bytes, io->offset_bytes,
					 MEMORY_INDEX);
	else
		io_uring_prep_read(sqe, DEVICE_INDEX, io->buffer, io->bytes,
				   io->offset_bytes);
	/* A read in several pieces that may not wait fails as a whole when one
	 * of them would have to, and does so each time. */
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE |
					    (io->may_wait ? IOSQE_ASYNC : 0));
	sqe->ioprio = uring->ioprio;
	io_uring_sqe_set_data(sqe, io);
	uring->queued[uring->queued_count++] = io;
	uring->outstanding++;
}

static void stamp_queued(struct io_uring_engine *uring)
{
	uint64_t now_ns;

	if (!uring->queued_count)
		return;
	now_ns = clock_now_ns(uring->clock);
	for (unsigned int i = 0; i < uring->queued_count; i++)
		uring->queued[i]->submit_ns = now_ns;
}

/* Those that the kernel has not taken are stamped again with the next call. */
static void forget_submitted(struct io_uring_engine *uring)
{
	const unsigned int left = io_uring_sq_ready(&uring->ring);

	memmove(uring->queued, uring->queued + uring->queued_count - left,
		left * sizeof(uring->queued[0]));
	uring->queued_count = left;
}

/* Completions come in any order: each one carries its read. */
static int reap(struct io_uring_engine *uring, struct io **done,
		unsigned int max)
{
	uint64_t now_ns = clock_now_ns(uring->clock);
	struct io_uring_cqe *cqe;
	unsigned int count = 0;
	unsigned int head;

	io_uring_for_each_cqe(&uring->ring, head, cqe) {
		struct io *io = io_uring_cqe_get_data(cqe);

		if (count == max)
			break;
		io->result = cqe->res;
		io->done_ns = now_ns;
		done[count++] = io;
	}
	io_uring_cq_advance(&uring->ring, count);
	uring->outstanding -= count;
	return (int)count;
}

/*
 * One system call submits and waits. It may submit a part only, or nothing
 * (EAGAIN: no memory for requests; EBUSY: completions to be fetched first); the
 * rest stays in the queue for the next call.
 */
static int io_uring_wait(struct engine *engine, struct io **done,
			 unsigned int max, unsigned int min,
			 uint64_t timeout_ns)
{
	struct io_uring_engine *uring = from_engine(engine);
	struct __kernel_timespec timeout = {
		.tv_sec = (long long)(timeout_ns / NS_PER_S),
		.tv_nsec = (long long)(timeout_ns % NS_PER_S),
	};
	struct io_uring_cqe *cqe;
	int rc, count;

	stamp_queued(uring);
	rc = io_uring_submit_and_wait_timeout(&uring->ring, &cqe, min, &timeout,
					      NULL);
	forget_submitted(uring);
	count = reap(uring, done, max);
	if (count || rc >= 0 || rc == -ETIME || rc == -EINTR)
		return count;
	if (rc != -EAGAIN && rc != -EBUSY)
		return rc;
	usleep(NO_MEMORY_PAUSE_US);
	return 0;
}

const struct engine_ops engine_io_uring = {
	.id = BLKBENCH_ENGINE_IO_URING,
	.open = io_uring_open,
	.queue = io_uring_queue,
	.wait = io_uring_wait,
	.close = io_uring_close,
};

/* ---- workers --------------------------------------------------------- */

/* Reads the beginning of a small file of a thread; "" if it has just ended. */
static void read_thread_file(int tasks_fd, const char *thread_id,
			     const char *file, char *text, size_t size)
{
	char path[NAME_MAX + 32];
	ssize_t length;
	int fd;

	text[0] = '\0';
	snprintf(path, sizeof(path), "%s/%s", thread_id, file);
	fd = openat(tasks_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	length = read(fd, text, size - 1);
	text[length > 0 ? length : 0] = '\0';
	close(fd);
}

/*
 * Its name ends with the number of the thread that it works for. In a container
 * that is the one outside of it, which no thread has here: then it may be of
 * any of them.
 */
static bool is_own_worker(int tasks_fd, const char *thread_id)
{
	static const char prefix[] = "iou-wrk-";
	char name[32], *owner = name + sizeof(prefix) - 1;

	read_thread_file(tasks_fd, thread_id, "comm", name, sizeof(name));
	if (strncmp(name, prefix, sizeof(prefix) - 1) != 0)
		return false;
	owner[strspn(owner, "0123456789")] = '\0';
	return atoi(owner) == gettid() ||
	       faccessat(tasks_fd, owner, F_OK, 0) != 0;
}

/* How often it was given a CPU, or 0 where the kernel does not count it. */
static uint64_t count_runs(int tasks_fd, const char *thread_id)
{
	unsigned long long runs = 0;
	char text[96];

	read_thread_file(tasks_fd, thread_id, "schedstat", text, sizeof(text));
	sscanf(text, "%*u %*u %llu", &runs);
	return runs;
}

/* Returns whether there is a /proc to tell. */
static bool look_at_workers(uint64_t *count, uint64_t *runs)
{
	const struct dirent *entry;
	DIR *tasks;

	*count = *runs = 0;
	tasks = opendir("/proc/self/task");
	if (!tasks)
		return false;
	while ((entry = readdir(tasks))) {
		if (!is_own_worker(dirfd(tasks), entry->d_name))
			continue;
		*count += 1;
		*runs += count_runs(dirfd(tasks), entry->d_name);
	}
	closedir(tasks);
	return true;
}

uint64_t io_uring_count_workers(void)
{
	uint64_t count, runs;

	return look_at_workers(&count, &runs) ? count : BLKBENCH_UNKNOWN;
}

uint64_t io_uring_worker_activity(void)
{
	uint64_t count, runs;

	look_at_workers(&count, &runs);
	return count + runs;
}
