/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "sizing.h"

#include "test.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)
#define MS 1000000ULL

/* A device: each read takes the latency, and its bytes at a rate. */
struct pace {
	uint64_t latency_ns;
	uint64_t bytes_per_s;
	uint64_t first_extra_ns; /* spinning up */
};

static uint64_t took_ns(const struct pace *pace, uint64_t bytes, unsigned int i)
{
	return pace->latency_ns + bytes * 1000 * MS / pace->bytes_per_s +
	       (i == 0 ? pace->first_extra_ns : 0);
}

/* Returns the size of blocks that was found, and how many reads it took. */
static uint64_t find_block(const struct pace *pace, uint64_t block_bytes,
			   uint64_t depth, unsigned int *reads)
{
	const struct blkbench_plan plan = {
		.block_bytes = block_bytes,
		.sector_bytes = 512,
		.queue_depth = depth,
	};
	struct sizing sizing;

	sizing_init(&sizing, &plan);
	*reads = 1;
	while (sizing_take(&sizing, took_ns(pace, sizing.bytes, *reads - 1)))
		++*reads;
	return sizing.block_bytes;
}

static void fast_devices_keep_their_blocks(void **state)
{
	const struct pace paces[] = {
		{ 20000, 3000 * MIB, 0 },	   /* NVMe */
		{ 10 * MS, 150 * MIB, 0 },	   /* a disk */
		{ 10 * MS, 150 * MIB, 8000 * MS }, /* asleep */
		{ 2 * MS, 20 * MIB, 0 },	   /* USB 2 */
	};
	unsigned int reads;

	(void)state;
	for (size_t i = 0; i < sizeof(paces) / sizeof(paces[0]); i++) {
		assert_int_equal(find_block(&paces[i], MIB, 8, &reads), MIB);
		assert_int_equal(reads, 4);
	}
}

static void latency_alone_makes_no_block_smaller(void **state)
{
	const struct pace slow_to_answer = { 500 * MS, 200 * MIB, 0 };
	unsigned int reads;

	(void)state;
	assert_int_equal(find_block(&slow_to_answer, MIB, 8, &reads), MIB);
	assert_int_equal(reads, 4);
}

/* What is in flight comes back within a second, and within half of one it
 * would not be more than twice as small. */
static void blocks_of_a_slow_device_fit_a_second(void **state)
{
	const uint64_t rates[] = { 65536, 200000, 1000000, 4000000 };
	unsigned int reads;

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const struct pace pace = { 5 * MS, rates[i], 0 };
		const uint64_t block = find_block(&pace, MIB, 8, &reads);

		assert_true(block * 8 <= rates[i]);
		assert_true(block * 8 * 2 > rates[i]);
		assert_int_equal(block % 4096, 0);
		assert_in_range(reads, 3, 6);
	}
}

static void
slow_device_that_spun_up_is_known_by_the_reads_after_it(void **state)
{
	const struct pace pace = { 5 * MS, 1000000, 8000 * MS };
	unsigned int reads;

	(void)state;
	assert_int_equal(find_block(&pace, MIB, 8, &reads), 64 * KIB);
}

static void blocks_are_not_smaller_than_a_page(void **state)
{
	const struct pace pace = { 0, 1000, 0 };
	unsigned int reads;

	(void)state;
	assert_int_equal(find_block(&pace, MIB, 8, &reads), 4 * KIB);
	assert_int_equal(find_block(&pace, 4 * KIB, 32, &reads), 4 * KIB);
	assert_int_equal(reads, 1);
	assert_int_equal(find_block(&pace, 512, 1, &reads), 512);
	assert_int_equal(reads, 1);
}

static void one_late_read_is_chance(void **state)
{
	const struct blkbench_plan plan = {
		.block_bytes = MIB,
		.sector_bytes = 512,
		.queue_depth = 8,
	};
	struct sizing sizing;

	(void)state;
	sizing_init(&sizing, &plan);
	assert_int_equal(sizing.bytes, 4 * KIB);
	assert_true(sizing_take(&sizing, 10 * MS));
	assert_int_equal(sizing.bytes, 16 * KIB);
	assert_true(sizing_take(&sizing, 400 * MS));
	assert_int_equal(sizing.bytes, 16 * KIB);
	assert_true(sizing_take(&sizing, MS));
	assert_int_equal(sizing.bytes, 64 * KIB);
	assert_true(sizing_take(&sizing, MS));
	assert_int_equal(sizing.bytes, 256 * KIB);
	assert_false(sizing_take(&sizing, MS));
	assert_int_equal(sizing.block_bytes, MIB);
}

/* 1 MB/s, and of each 100 ms at once what may pass in them. */
static void what_lets_a_little_pass_at_once_is_seen_through(void **state)
{
	const struct blkbench_plan plan = {
		.block_bytes = MIB,
		.sector_bytes = 512,
		.queue_depth = 8,
	};
	struct sizing sizing;

	(void)state;
	sizing_init(&sizing, &plan);
	assert_true(sizing_take(&sizing, MS));
	assert_true(sizing_take(&sizing, MS));
	assert_true(sizing_take(&sizing, MS));
	assert_int_equal(sizing.bytes, 256 * KIB);
	assert_true(sizing_take(&sizing, 250 * MS));
	assert_int_equal(sizing.bytes, 256 * KIB);
	assert_false(sizing_take(&sizing, 260 * MS));
	assert_int_equal(sizing.block_bytes, 64 * KIB);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fast_devices_keep_their_blocks),
		cmocka_unit_test(latency_alone_makes_no_block_smaller),
		cmocka_unit_test(blocks_of_a_slow_device_fit_a_second),
		cmocka_unit_test(
			slow_device_that_spun_up_is_known_by_the_reads_after_it),
		cmocka_unit_test(blocks_are_not_smaller_than_a_page),
		cmocka_unit_test(one_late_read_is_chance),
		cmocka_unit_test(
			what_lets_a_little_pass_at_once_is_seen_through),
	};

	return cmocka_run_group_tests_name("sizing", tests, NULL, NULL);
}
