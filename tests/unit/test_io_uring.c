/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <liburing.h>
#include <pthread.h>
#include <unistd.h>

#include "io_uring.h"

/* Has a request of no effect carried out by a worker thread. */
static void use_a_worker(struct io_uring *ring)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	struct io_uring_cqe *cqe;

	assert_non_null(sqe);
	io_uring_prep_nop(sqe);
	io_uring_sqe_set_flags(sqe, IOSQE_ASYNC);
	assert_int_equal(io_uring_submit_and_wait(ring, 1), 1);
	assert_int_equal(io_uring_wait_cqe(ring, &cqe), 0);
	assert_int_equal(cqe->res, 0);
	io_uring_cqe_seen(ring, cqe);
}

static void workers_are_counted(void **state)
{
	struct io_uring ring;

	(void)state;
	assert_int_equal(io_uring_queue_init(4, &ring, 0), 0);
	assert_int_equal(io_uring_count_workers(), 0);
	use_a_worker(&ring);
	assert_int_equal(io_uring_count_workers(), 1);
	io_uring_queue_exit(&ring);
}

static void activity_changes_when_a_worker_runs_and_else_not(void **state)
{
	struct io_uring ring;

	(void)state;
	assert_int_equal(io_uring_queue_init(4, &ring, 0), 0);
	use_a_worker(&ring);
	for (unsigned int i = 0; i < 20; i++) {
		uint64_t before;

		usleep(1000); /* it goes to sleep */
		before = io_uring_worker_activity();
		assert_int_equal(io_uring_worker_activity(), before);
		use_a_worker(&ring);
		assert_int_not_equal(io_uring_worker_activity(), before);
	}
	io_uring_queue_exit(&ring);
}

/* What a thread with a worker of its own counts. */
static void *use_a_ring(void *argument)
{
	uint64_t *count = argument;
	struct io_uring ring;

	assert_int_equal(io_uring_queue_init(4, &ring, 0), 0);
	use_a_worker(&ring);
	*count = io_uring_count_workers();
	io_uring_queue_exit(&ring);
	return NULL;
}

/* All are there as long as their threads. */
static void workers_of_other_threads_are_not_counted(void **state)
{
	struct io_uring ring;
	pthread_t thread;
	uint64_t before, count = 0;

	(void)state;
	assert_int_equal(io_uring_queue_init(4, &ring, 0), 0);
	use_a_worker(&ring);
	before = io_uring_count_workers();
	assert_int_equal(pthread_create(&thread, NULL, use_a_ring, &count), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(count, 1);
	assert_int_equal(io_uring_count_workers(), before);
	io_uring_queue_exit(&ring);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_are_counted),
		cmocka_unit_test(
			activity_changes_when_a_worker_runs_and_else_not),
		cmocka_unit_test(workers_of_other_threads_are_not_counted),
	};

	return cmocka_run_group_tests_name("io_uring", tests, NULL, NULL);
}
