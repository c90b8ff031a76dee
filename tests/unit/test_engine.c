/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine.h"
#include "error.h"

/*
 * Each engine reads a file of whole blocks and a tail, in which every 8 bytes
 * hold their own offset; so data from the wrong place shows.
 */
#define BLOCK 4096U
#define BLOCKS 64U
#define TAIL 616U
#define FILE_BYTES (BLOCKS * BLOCK + TAIL)

#define DEPTH 8U
#define AHEAD 24U
#define TIMEOUT_NS (20 * NS_PER_S)

struct fixture {
	const struct engine_ops *ops;
	char path[32];
	int fd;
	char *memory; /* a block for each read */
	struct io ios[BLOCKS];
	struct engine *engine;
};

static void fill_file(int fd)
{
	static uint64_t words[(FILE_BYTES + 7) / 8];

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = i * sizeof(words[0]);
	assert_int_equal(write(fd, words, FILE_BYTES), FILE_BYTES);
	assert_int_equal(fsync(fd), 0);
}

static void *map_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	return memory;
}

static void open_engine_with(struct fixture *fixture,
			     const struct engine_setup *setup)
{
	struct blkbench_error error = { "" };
	int rc;

	rc = fixture->ops->open(setup, &fixture->engine, &error);
	assert_string_equal(error.text, "");
	assert_int_equal(rc, 0);
}

static void open_engine(struct fixture *fixture, int fd, unsigned int depth,
			unsigned int ahead)
{
	const struct engine_setup setup = {
		.fd = fd,
		.clock = &clock_monotonic,
		.memory = fixture->memory,
		.memory_bytes = BLOCKS * BLOCK,
		.depth = depth,
		.ahead = ahead,
	};

	open_engine_with(fixture, &setup);
}

static int set_up(void **state)
{
	const struct engine_ops *ops = *state;
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	int fd;

	assert_non_null(fixture);
	fixture->ops = ops;
	strcpy(fixture->path, "test_engine.XXXXXX");
	fd = mkstemp(fixture->path);
	assert_true(fd >= 0);
	fill_file(fd);
	close(fd);
	fixture->fd = open(fixture->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fixture->fd >= 0);

	fixture->memory = map_memory(BLOCKS * BLOCK);
	for (unsigned int i = 0; i < BLOCKS; i++)
		fixture->ios[i] = (struct io){
			.offset_bytes = (uint64_t)i * BLOCK,
			.bytes = BLOCK,
			.buffer = fixture->memory + i * BLOCK,
		};
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	engine_close(fixture->engine);
	munmap(fixture->memory, BLOCKS * BLOCK);
	close(fixture->fd);
	unlink(fixture->path);
	free(fixture);
	return 0;
}

static void queue(struct fixture *fixture, unsigned int i)
{
	fixture->ops->queue(fixture->engine, &fixture->ios[i]);
}

static int wait_for(struct fixture *fixture, struct io **done, unsigned int max,
		    unsigned int min)
{
	return fixture->ops->wait(fixture->engine, done, max, min, TIMEOUT_NS);
}

/* Waits for so many one after the other; in done they are as they came. */
static void wait_for_all(struct fixture *fixture, struct io **done,
			 unsigned int count)
{
	unsigned int have = 0;

	while (have < count) {
		int rc = wait_for(fixture, done + have, count - have, 1);

		assert_true(rc > 0);
		have += (unsigned int)rc;
	}
}

static void assert_was_read(const struct io *io, int32_t bytes)
{
	const uint64_t *words = io->buffer;

	assert_int_equal(io->result, bytes);
	for (uint64_t i = 0; i < (uint64_t)bytes / 8; i++)
		assert_int_equal(words[i], io->offset_bytes + i * 8);
}

static void reads_every_block_into_its_own_buffer(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[BLOCKS];
	unsigned int next = 0, have = 0;

	open_engine(fixture, fixture->fd, DEPTH, 0);
	while (have < BLOCKS) {
		/* 27 is odd, so this goes through all of the 64. */
		for (; next < BLOCKS && next - have < DEPTH; next++)
			queue(fixture, next * 27 % BLOCKS);
		have += (unsigned int)wait_for(fixture, done + have,
					       BLOCKS - have, 1);
	}
	for (unsigned int i = 0; i < BLOCKS; i++) {
		assert_was_read(&fixture->ios[i], BLOCK);
		for (unsigned int j = 0; j < i; j++)
			assert_ptr_not_equal(done[i], done[j]);
	}
}

static void stamps_lie_between_queueing_and_handing_out(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[DEPTH];
	uint64_t begin, end;

	open_engine(fixture, fixture->fd, DEPTH, 0);
	begin = clock_now_ns(&clock_monotonic);
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
	wait_for_all(fixture, done, DEPTH);
	end = clock_now_ns(&clock_monotonic);

	for (unsigned int i = 0; i < DEPTH; i++) {
		assert_true(done[i]->submit_ns >= begin);
		assert_true(done[i]->done_ns > done[i]->submit_ns);
		assert_true(done[i]->done_ns <= end);
	}
}

static void wait_returns_when_min_reads_are_done(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[DEPTH];

	open_engine(fixture, fixture->fd, DEPTH, 0);
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
	assert_int_equal(wait_for(fixture, done, DEPTH, DEPTH), DEPTH);
}

static void wait_hands_out_max_and_keeps_the_rest(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[DEPTH];

	open_engine(fixture, fixture->fd, DEPTH, 0);
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
	assert_int_equal(wait_for(fixture, done, 3, 3), 3);
	wait_for_all(fixture, done + 3, DEPTH - 3);
	for (unsigned int i = 0; i < DEPTH; i++)
		assert_was_read(done[i], BLOCK);
}

static void the_tail_of_the_file_is_a_short_read(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[1];

	open_engine(fixture, fixture->fd, 1, 0);
	fixture->ios[0].offset_bytes = (uint64_t)BLOCKS * BLOCK;
	queue(fixture, 0);
	assert_int_equal(wait_for(fixture, done, 1, 1), 1);
	assert_was_read(done[0], TAIL);
}

static void past_the_end_of_the_file_0_bytes_are_read(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[1];

	open_engine(fixture, fixture->fd, 1, 0);
	fixture->ios[0].offset_bytes = (uint64_t)(BLOCKS + 1) * BLOCK;
	queue(fixture, 0);
	assert_int_equal(wait_for(fixture, done, 1, 1), 1);
	assert_int_equal(done[0]->result, 0);
}

static void
a_failed_read_has_its_errno_and_its_neighbours_their_data(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[DEPTH];

	open_engine(fixture, fixture->fd, DEPTH, 0);
	fixture->ios[3].offset_bytes = 1ULL << 63;
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
	wait_for_all(fixture, done, DEPTH);

	assert_int_equal(fixture->ios[3].result, -EINVAL);
	for (unsigned int i = 0; i < DEPTH; i++) {
		if (i != 3)
			assert_was_read(&fixture->ios[i], BLOCK);
	}
}

static void a_file_that_is_not_readable_fails_every_read(void **state)
{
	struct fixture *fixture = *state;
	int fd = open(fixture->path, O_WRONLY | O_DIRECT | O_CLOEXEC);
	struct io *done[DEPTH];

	assert_true(fd >= 0);
	open_engine(fixture, fd, DEPTH, 0);
	for (unsigned int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < DEPTH; i++)
			queue(fixture, i);
		wait_for_all(fixture, done, DEPTH);
		for (unsigned int i = 0; i < DEPTH; i++)
			assert_int_equal(done[i]->result, -EBADF);
	}
	close(fd);
}

/* It would do them one after the other, inside of the submitting call. */
static void aio_refuses_reads_through_the_page_cache(void **state)
{
	struct fixture *fixture = *state;
	int fd = open(fixture->path, O_RDONLY | O_CLOEXEC);
	const struct engine_setup setup = {
		.fd = fd,
		.clock = &clock_monotonic,
		.depth = DEPTH,
	};
	struct blkbench_error reason, error;
	struct engine *engine;
	int r;

	assert_true(fd >= 0);
	r = engine_open(engine_table, BLKBENCH_ENGINE_AIO, &setup, &engine,
			&reason, &error);
	close(fd);
	if (r == -ENOSYS)
		return; /* built without libaio */
	assert_int_equal(r, -EOPNOTSUPP);
	assert_non_null(strstr(error.text, "direct"));
}

static void the_greatest_depth_works(void **state)
{
	struct fixture *fixture = *state;
	const unsigned int depth = BLKBENCH_QUEUE_DEPTH_MAX;
	const struct engine_setup setup = {
		.fd = fixture->fd,
		.clock = &clock_monotonic,
		.memory = map_memory(depth * BLOCK),
		.memory_bytes = depth * BLOCK,
		.depth = depth,
	};
	struct io *ios = calloc(depth, sizeof(*ios));
	struct io **done = calloc(depth, sizeof(*done));

	assert_non_null(ios);
	assert_non_null(done);
	open_engine_with(fixture, &setup);
	for (unsigned int i = 0; i < depth; i++) {
		ios[i] = fixture->ios[i % BLOCKS];
		ios[i].buffer = (char *)setup.memory + i * BLOCK;
		fixture->ops->queue(fixture->engine, &ios[i]);
	}
	wait_for_all(fixture, done, depth);
	for (unsigned int i = 0; i < depth; i++)
		assert_was_read(&ios[i], BLOCK);
	free(done);
	free(ios);
	munmap(setup.memory, setup.memory_bytes);
}

/* A length that no kernel registers as one buffer. */
static void io_uring_reads_into_memory_that_cannot_be_registered(void **state)
{
	struct fixture *fixture = *state;
	const struct engine_setup setup = {
		.fd = fixture->fd,
		.clock = &clock_monotonic,
		.memory = fixture->memory,
		.memory_bytes = 2UL << 30,
		.depth = DEPTH,
	};
	struct io *done[DEPTH];

	open_engine_with(fixture, &setup);
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
	wait_for_all(fixture, done, DEPTH);
	for (unsigned int i = 0; i < DEPTH; i++)
		assert_was_read(done[i], BLOCK);
}

static void pread_reads_ahead_of_depth_1_in_order(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[1 + AHEAD];

	open_engine(fixture, fixture->fd, 1, AHEAD);
	assert_true(fixture->engine->has_queue_ahead);
	for (unsigned int i = 0; i < 1 + AHEAD; i++)
		queue(fixture, i);
	wait_for_all(fixture, done, 1 + AHEAD);
	for (unsigned int i = 0; i < 1 + AHEAD; i++) {
		assert_ptr_equal(done[i], &fixture->ios[i]);
		assert_was_read(done[i], BLOCK);
		if (i > 0)
			assert_true(done[i]->submit_ns >= done[i - 1]->done_ns);
	}
}

static void close_without_a_read_is_allowed(void **state)
{
	struct fixture *fixture = *state;

	open_engine(fixture, fixture->fd, DEPTH, AHEAD);
}

static void close_drops_what_was_never_submitted(void **state)
{
	struct fixture *fixture = *state;

	open_engine(fixture, fixture->fd, DEPTH, 0);
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
}

/* The kernel grants a write lease where nobody else has the file open. */
static void a_closed_engine_has_let_the_file_go(void **state)
{
	struct fixture *fixture = *state;
	struct io *done[DEPTH];

	open_engine(fixture, fixture->fd, DEPTH, 0);
	for (unsigned int i = 0; i < DEPTH; i++)
		queue(fixture, i);
	wait_for_all(fixture, done, DEPTH);
	engine_close(fixture->engine);
	fixture->engine = NULL;
	close(fixture->fd);
	fixture->fd = open(fixture->path, O_RDONLY | O_CLOEXEC);
	assert_true(fixture->fd >= 0);
	assert_int_equal(fcntl(fixture->fd, F_SETLEASE, F_WRLCK), 0);
}

/* ---- the table ------------------------------------------------------- */

static int open_nothing(const struct engine_setup *setup,
			struct engine **engine, struct blkbench_error *error)
{
	(void)setup;
	(void)engine;
	return error_set(error, -EPERM, "no rings today");
}

static int open_itself(const struct engine_setup *setup, struct engine **engine,
		       struct blkbench_error *error)
{
	(void)error;
	*engine = setup->memory;
	return 0;
}

static const struct engine_ops refusing_io_uring = {
	.id = BLKBENCH_ENGINE_IO_URING,
	.open = open_nothing,
};
static const struct engine_ops refusing_aio = {
	.id = BLKBENCH_ENGINE_AIO,
	.open = open_nothing,
};
static const struct engine_ops working_aio = {
	.id = BLKBENCH_ENGINE_AIO,
	.open = open_itself,
};

static int open_from(const struct engine_ops *const *table,
		     enum blkbench_engine id, struct blkbench_error *reason,
		     struct blkbench_error *error)
{
	struct engine itself;
	const struct engine_setup setup = { .memory = &itself };
	struct engine *engine = NULL;
	int rc;

	error->text[0] = '\0';
	rc = engine_open(table, id, &setup, &engine, reason, error);
	assert_ptr_equal(engine, rc ? NULL : &itself);
	return rc;
}

static void auto_takes_the_next_engine_and_says_why(void **state)
{
	const struct engine_ops *const table[] = { &refusing_io_uring,
						   &working_aio, NULL };
	struct blkbench_error reason, error;

	(void)state;
	assert_int_equal(
		open_from(table, BLKBENCH_ENGINE_AUTO, &reason, &error), 0);
	assert_string_equal(reason.text, "no rings today");
}

static void auto_has_no_reason_when_the_first_engine_opens(void **state)
{
	const struct engine_ops *const table[] = { &working_aio, NULL };
	struct blkbench_error reason = { "old" }, error;

	(void)state;
	assert_int_equal(
		open_from(table, BLKBENCH_ENGINE_AUTO, &reason, &error), 0);
	assert_string_equal(reason.text, "");
}

static void auto_fails_when_no_engine_opens(void **state)
{
	const struct engine_ops *const table[] = { &refusing_io_uring,
						   &refusing_aio, NULL };
	struct blkbench_error reason, error;

	(void)state;
	assert_int_equal(open_from(table, BLKBENCH_ENGINE_AUTO, &reason,
				   &error),
			 -EPERM);
	assert_string_equal(error.text, "no rings today");
}

static void an_engine_asked_for_is_not_replaced(void **state)
{
	const struct engine_ops *const table[] = { &refusing_io_uring,
						   &working_aio, NULL };
	struct blkbench_error reason, error;

	(void)state;
	assert_int_equal(open_from(table, BLKBENCH_ENGINE_IO_URING, &reason,
				   &error),
			 -EPERM);
	assert_string_equal(error.text, "no rings today");
}

static void an_engine_that_is_not_built_in_is_named(void **state)
{
	const struct engine_ops *const table[] = { &refusing_io_uring, NULL };
	struct blkbench_error reason, error;

	(void)state;
	assert_int_equal(open_from(table, BLKBENCH_ENGINE_AIO, &reason, &error),
			 -ENOSYS);
	assert_string_equal(error.text, "engine aio is not built in");
}

/* ---- all of them ----------------------------------------------------- */

#define NAMED(function)             \
	{                           \
#function, function \
	}

static const struct {
	const char *name;
	CMUnitTestFunction function;
} engine_tests[] = {
	NAMED(reads_every_block_into_its_own_buffer),
	NAMED(stamps_lie_between_queueing_and_handing_out),
	NAMED(wait_returns_when_min_reads_are_done),
	NAMED(wait_hands_out_max_and_keeps_the_rest),
	NAMED(the_tail_of_the_file_is_a_short_read),
	NAMED(past_the_end_of_the_file_0_bytes_are_read),
	NAMED(a_failed_read_has_its_errno_and_its_neighbours_their_data),
	NAMED(a_file_that_is_not_readable_fails_every_read),
	NAMED(the_greatest_depth_works),
	NAMED(close_without_a_read_is_allowed),
	NAMED(close_drops_what_was_never_submitted),
	NAMED(a_closed_engine_has_let_the_file_go),
};

static const struct CMUnitTest other_tests[] = {
	cmocka_unit_test_prestate_setup_teardown(
		pread_reads_ahead_of_depth_1_in_order, set_up, tear_down,
		(void *)&engine_pread),
	cmocka_unit_test_prestate_setup_teardown(
		io_uring_reads_into_memory_that_cannot_be_registered, set_up,
		tear_down, (void *)&engine_io_uring),
	cmocka_unit_test_setup_teardown(
		aio_refuses_reads_through_the_page_cache, set_up, tear_down),
	cmocka_unit_test(auto_takes_the_next_engine_and_says_why),
	cmocka_unit_test(auto_has_no_reason_when_the_first_engine_opens),
	cmocka_unit_test(auto_fails_when_no_engine_opens),
	cmocka_unit_test(an_engine_asked_for_is_not_replaced),
	cmocka_unit_test(an_engine_that_is_not_built_in_is_named),
};

#define COUNT(array) (sizeof(array) / sizeof(array[0]))
#define ENGINES_MAX 3

int main(void)
{
	static char names[ENGINES_MAX * COUNT(engine_tests)][100];
	struct CMUnitTest tests[COUNT(other_tests) + COUNT(names)];
	size_t count = COUNT(other_tests), named = 0;

	memcpy(tests, other_tests, sizeof(other_tests));
	for (size_t e = 0; engine_table[e]; e++) {
		for (size_t t = 0; t < COUNT(engine_tests); t++) {
			snprintf(names[named], sizeof(names[0]), "%s: %s",
				 blkbench_engine_name(engine_table[e]->id),
				 engine_tests[t].name);
			tests[count++] = (struct CMUnitTest){
				.name = names[named++],
				.test_func = engine_tests[t].function,
				.setup_func = set_up,
				.teardown_func = tear_down,
				/* It is only handed on: never written. */
				.initial_state = (void *)engine_table[e],
			};
		}
	}
	return _cmocka_run_group_tests("engine", tests, count, NULL, NULL);
}
