/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"
#include "io_uring.h"

/*
 * Requests of every kind that could do harm, pushed into the ring of the open
 * engine. Its file is open for writing here, which the program's never is: so
 * it is the kernel's restriction of the ring that refuses them, and not the
 * mode of the file.
 */
#define BLOCK 4096U
#define OLD 'o'
#define NEW 'n'

struct fixture {
	char path[40];
	int fd;
	char *memory;
	struct engine *engine;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct engine_setup setup = { .clock = &clock_monotonic,
				      .memory_bytes = BLOCK,
				      .depth = 4 };
	struct blkbench_error error = { "" };
	int rc;

	assert_non_null(fixture);
	strcpy(fixture->path, "test_ring_is_read_only.XXXXXX");
	fixture->fd = mkostemp(fixture->path, O_DIRECT | O_CLOEXEC);
	assert_true(fixture->fd >= 0);
	fixture->memory = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(fixture->memory, MAP_FAILED);
	memset(fixture->memory, OLD, BLOCK);
	assert_int_equal(pwrite(fixture->fd, fixture->memory, BLOCK, 0), BLOCK);
	memset(fixture->memory, NEW, BLOCK);

	setup.fd = fixture->fd;
	setup.memory = fixture->memory;
	rc = engine_io_uring.open(&setup, &fixture->engine, &error);
	assert_string_equal(error.text, "");
	assert_int_equal(rc, 0);
	*state = fixture;
	return 0;
}

static void assert_file_is_unchanged(struct fixture *fixture)
{
	memset(fixture->memory, NEW, BLOCK);
	assert_int_equal(pread(fixture->fd, fixture->memory, BLOCK, 0), BLOCK);
	for (unsigned int i = 0; i < BLOCK; i++)
		assert_int_equal(fixture->memory[i], OLD);
	assert_int_equal(lseek(fixture->fd, 0, SEEK_END), BLOCK);
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	assert_file_is_unchanged(fixture);
	engine_close(fixture->engine);
	munmap(fixture->memory, BLOCK);
	close(fixture->fd);
	unlink(fixture->path);
	free(fixture);
	return 0;
}

static struct io_uring_sqe *get_sqe(struct fixture *fixture)
{
	struct io_uring_sqe *sqe =
		io_uring_get_sqe(io_uring_engine_ring(fixture->engine));

	assert_non_null(sqe);
	return sqe;
}

static int submit(struct fixture *fixture)
{
	struct io_uring *ring = io_uring_engine_ring(fixture->engine);
	struct io_uring_cqe *cqe;
	int result;

	assert_int_equal(io_uring_submit_and_wait(ring, 1), 1);
	assert_int_equal(io_uring_wait_cqe(ring, &cqe), 0);
	result = cqe->res;
	io_uring_cqe_seen(ring, cqe);
	return result;
}

/* On the file as the engine registered it. */
static int submit_on_device(struct fixture *fixture, struct io_uring_sqe *sqe)
{
	io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	return submit(fixture);
}

static void read_works(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_read(sqe, 0, fixture->memory, BLOCK, 0);
	assert_int_equal(submit_on_device(fixture, sqe), BLOCK);
	assert_int_equal(fixture->memory[0], OLD);
}

static void read_fixed_works(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_read_fixed(sqe, 0, fixture->memory, BLOCK, 0, 0);
	assert_int_equal(submit_on_device(fixture, sqe), BLOCK);
	assert_int_equal(fixture->memory[0], OLD);
}

static void write_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_write(sqe, 0, fixture->memory, BLOCK, 0);
	assert_int_equal(submit_on_device(fixture, sqe), -EACCES);
}

static void write_fixed_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_write_fixed(sqe, 0, fixture->memory, BLOCK, 0, 0);
	assert_int_equal(submit_on_device(fixture, sqe), -EACCES);
}

static void writev_is_refused(void **state)
{
	struct fixture *fixture = *state;
	const struct iovec piece = { fixture->memory, BLOCK };
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_writev(sqe, 0, &piece, 1, 0);
	assert_int_equal(submit_on_device(fixture, sqe), -EACCES);
}

static void fsync_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_fsync(sqe, 0, 0);
	assert_int_equal(submit_on_device(fixture, sqe), -EACCES);
}

static void fallocate_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_fallocate(sqe, 0, 0, BLOCK, BLOCK);
	assert_int_equal(submit_on_device(fixture, sqe), -EACCES);
}

static void nop_is_refused(void **state)
{
	struct fixture *fixture = *state;

	io_uring_prep_nop(get_sqe(fixture));
	assert_int_equal(submit(fixture), -EACCES);
}

static void a_read_of_another_file_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_read(sqe, fixture->fd, fixture->memory, BLOCK, 0);
	assert_int_equal(submit(fixture), -EACCES);
}

static void a_write_to_another_file_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_write(sqe, fixture->fd, fixture->memory, BLOCK, 0);
	assert_int_equal(submit(fixture), -EACCES);
}

static void a_request_to_register_files_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring_sqe *sqe = get_sqe(fixture);

	io_uring_prep_files_update(sqe, &fixture->fd, 1, 0);
	assert_int_equal(submit(fixture), -EACCES);
}

static void registering_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring *ring = io_uring_engine_ring(fixture->engine);

	assert_int_equal(io_uring_register_files_update(ring, 0, &fixture->fd,
							1),
			 -EACCES);
	assert_int_equal(io_uring_unregister_buffers(ring), -EACCES);
}

static void what_was_let_go_cannot_be_had_again(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring *ring = io_uring_engine_ring(fixture->engine);
	struct io_uring_sqe *sqe;

	assert_int_equal(io_uring_unregister_files(ring), 0);
	assert_int_equal(io_uring_register_files(ring, &fixture->fd, 1),
			 -EACCES);
	sqe = get_sqe(fixture);
	io_uring_prep_read(sqe, 0, fixture->memory, BLOCK, 0);
	assert_int_equal(submit_on_device(fixture, sqe), -EBADF);
}

/* Once only: what is restricted cannot be widened again. */
static void lifting_the_restrictions_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct io_uring *ring = io_uring_engine_ring(fixture->engine);
	struct io_uring_restriction write = {
		.opcode = IORING_RESTRICTION_SQE_OP,
		.sqe_op = IORING_OP_WRITE,
	};

	assert_int_equal(io_uring_register((unsigned int)ring->ring_fd,
					   IORING_REGISTER_RESTRICTIONS, &write,
					   1),
			 -EACCES);
}

#define RING_TEST(function) \
	cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RING_TEST(read_works),
		RING_TEST(read_fixed_works),
		RING_TEST(write_is_refused),
		RING_TEST(write_fixed_is_refused),
		RING_TEST(writev_is_refused),
		RING_TEST(fsync_is_refused),
		RING_TEST(fallocate_is_refused),
		RING_TEST(nop_is_refused),
		RING_TEST(a_read_of_another_file_is_refused),
		RING_TEST(a_write_to_another_file_is_refused),
		RING_TEST(a_request_to_register_files_is_refused),
		RING_TEST(registering_is_refused),
		RING_TEST(what_was_let_go_cannot_be_had_again),
		RING_TEST(lifting_the_restrictions_is_refused),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
