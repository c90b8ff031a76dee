/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine.h"

/*
 * What an engine's wait does while reads are under way, on a device of which
 * each read takes READ_NS.
 */
#define READ_NS NS_PER_S
#define SHORT_NS (200 * NS_PER_MS)
#define LONG_NS (20 * NS_PER_S)
#define PAST_THE_END (1ULL << 40)
#define BLOCK 4096U
#define DEPTH 2U

struct fixture {
	const struct engine_ops *ops;
	int fd;
	char *memory;
	struct io ios[DEPTH];
	unsigned int outstanding;
	struct engine *engine;
};

static int set_up(void **state)
{
	const struct engine_ops *ops = *state;
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct engine_setup setup = { .clock = &clock_monotonic,
				      .memory_bytes = DEPTH * BLOCK,
				      .depth = DEPTH };
	struct blkbench_error error = { "" };

	assert_non_null(fixture);
	assert_non_null(getenv("BLKBENCH_TEST_DEV"));
	fixture->ops = ops;
	fixture->fd = open(getenv("BLKBENCH_TEST_DEV"),
			   O_RDONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fixture->fd >= 0);
	fixture->memory = mmap(NULL, DEPTH * BLOCK, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(fixture->memory, MAP_FAILED);
	for (unsigned int i = 0; i < DEPTH; i++)
		fixture->ios[i] = (struct io){
			.offset_bytes = (uint64_t)i << 20,
			.bytes = BLOCK,
			.buffer = fixture->memory + i * BLOCK,
		};
	setup.fd = fixture->fd;
	setup.memory = fixture->memory;
	assert_int_equal(ops->open(&setup, &fixture->engine, &error), 0);
	*state = fixture;
	return 0;
}

/* Returns how long it took. */
static uint64_t wait_for(struct fixture *fixture, unsigned int min,
			 uint64_t timeout_ns, int *count)
{
	uint64_t begin_ns = clock_now_ns(&clock_monotonic);
	struct io *done[DEPTH];

	*count = fixture->ops->wait(fixture->engine, done, DEPTH, min,
				    timeout_ns);
	assert_in_range(*count, 0, fixture->outstanding);
	fixture->outstanding -= (unsigned int)*count;
	return clock_now_ns(&clock_monotonic) - begin_ns;
}

static void queue(struct fixture *fixture, unsigned int i)
{
	fixture->ops->queue(fixture->engine, &fixture->ios[i]);
	fixture->outstanding++;
}

/* Leaves the device without a read under way, for the next test. */
static int tear_down(void **state)
{
	struct fixture *fixture = *state;
	int count;

	if (fixture->outstanding)
		wait_for(fixture, fixture->outstanding, LONG_NS, &count);
	assert_int_equal(fixture->outstanding, 0);
	engine_close(fixture->engine);
	munmap(fixture->memory, DEPTH * BLOCK);
	close(fixture->fd);
	free(fixture);
	return 0;
}

static void a_wait_ends_with_its_timeout_and_the_read_goes_on(void **state)
{
	struct fixture *fixture = *state;
	const struct io *io = &fixture->ios[0];
	uint64_t took_ns;
	int count;

	queue(fixture, 0);
	took_ns = wait_for(fixture, 1, SHORT_NS, &count);
	assert_int_equal(count, 0);
	assert_in_range(took_ns, SHORT_NS, READ_NS / 2);

	took_ns = wait_for(fixture, 1, LONG_NS, &count);
	assert_int_equal(count, 1);
	assert_in_range(took_ns, READ_NS / 2, READ_NS);
	assert_int_equal(io->result, BLOCK);
	assert_in_range(io->done_ns - io->submit_ns, READ_NS,
			READ_NS + READ_NS / 2);
}

static void a_wait_for_two_hands_out_one_at_its_timeout(void **state)
{
	struct fixture *fixture = *state;
	uint64_t took_ns;
	int count;

	fixture->ios[1].offset_bytes = PAST_THE_END; /* that takes no time */
	queue(fixture, 0);
	queue(fixture, 1);
	took_ns = wait_for(fixture, 2, SHORT_NS, &count);
	assert_int_equal(count, 1);
	assert_int_equal(fixture->ios[1].result, 0);
	assert_in_range(took_ns, SHORT_NS, READ_NS / 2);
}

static void two_reads_are_in_flight_together(void **state)
{
	struct fixture *fixture = *state;
	const struct io *ios = fixture->ios;
	int count;

	queue(fixture, 0);
	queue(fixture, 1);
	wait_for(fixture, 2, LONG_NS, &count);
	assert_int_equal(count, 2);
	assert_true(ios[0].submit_ns + READ_NS / 2 < ios[1].done_ns);
	assert_true(ios[1].submit_ns + READ_NS / 2 < ios[0].done_ns);
}

static void do_nothing(int number)
{
	(void)number;
}

static void a_signal_ends_the_wait(void **state)
{
	struct fixture *fixture = *state;
	const struct sigaction action = { .sa_handler = do_nothing,
					  .sa_flags = SA_RESTART };
	const struct itimerval timer = { .it_value.tv_usec = SHORT_NS /
							     NS_PER_US };
	uint64_t took_ns;
	int count;

	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	queue(fixture, 0);
	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
	took_ns = wait_for(fixture, 1, LONG_NS, &count);
	assert_int_equal(count, 0);
	assert_in_range(took_ns, SHORT_NS / 2, READ_NS / 2);
}

static void *find_engine(const char *name)
{
	for (size_t i = 0; engine_table[i]; i++) {
		if (!strcmp(name, blkbench_engine_name(engine_table[i]->id)))
			return (void *)engine_table[i]; /* never written */
	}
	return NULL;
}

#define WAIT_TEST(function)                                                   \
	cmocka_unit_test_prestate_setup_teardown(function, set_up, tear_down, \
						 engine)

/* One engine for each run: closing a ring can interrupt later waits. */
int main(int argc, char **argv)
{
	void *engine = argc == 2 ? find_engine(argv[1]) : NULL;
	const struct CMUnitTest tests[] = {
		WAIT_TEST(a_wait_ends_with_its_timeout_and_the_read_goes_on),
		WAIT_TEST(a_wait_for_two_hands_out_one_at_its_timeout),
		WAIT_TEST(two_reads_are_in_flight_together),
		WAIT_TEST(a_signal_ends_the_wait),
	};

	if (!engine) {
		fprintf(stderr, "usage: test_engine_wait ENGINE\n");
		return EXIT_FAILURE;
	}
	return cmocka_run_group_tests_name(argv[1], tests, NULL, NULL);
}
