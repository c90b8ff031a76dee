/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

#define EXBIBYTE (1ULL << 60)

static struct pattern make(enum blkbench_pattern kind, uint64_t offset,
			   uint64_t length, uint64_t block, uint64_t seed)
{
	const struct blkbench_plan plan = {
		.pattern = kind,
		.offset_bytes = offset,
		.length_bytes = length,
		.block_bytes = block,
		.sector_bytes = 512,
		.seed = seed,
	};
	struct pattern pattern;

	pattern_init(&pattern, &plan);
	return pattern;
}

/* Marks each sector of the range; returns whether all have been read. */
static bool reads_all(struct pattern *pattern, uint64_t length, uint64_t block)
{
	const uint64_t blocks = (length - 1) / block + 1;
	unsigned char *seen = calloc(length / 512, 1);
	bool all = true;
	uint64_t offset, last = 0;
	uint32_t bytes;

	assert_non_null(seen);
	for (uint64_t i = 0; i < blocks; i++) {
		pattern_next(pattern, &offset, &bytes);
		offset -= pattern->offset_bytes;
		assert_true(offset % 512 == 0 && bytes % 512 == 0);
		assert_true(bytes > 0 && offset + bytes <= length);
		if (offset + bytes == length)
			last++;
		memset(seen + offset / 512, 1, bytes / 512);
	}
	for (uint64_t i = 0; i < length / 512; i++)
		all = all && seen[i];
	free(seen);
	/* As many reads as blocks and all read: none came twice. */
	return all && last == 1;
}

static void random_reads_every_block_once_before_any_twice(void **state)
{
	static const uint64_t sectors[] = { 1,	  2,	3,     4,    5,	  7,
					    8,	  15,	16,    17,   63,  64,
					    65,	  100,	255,   256,  257, 1000,
					    1023, 4097, 65536, 99991 };

	(void)state;
	for (size_t i = 0; i < sizeof(sectors) / sizeof(sectors[0]); i++) {
		for (uint64_t seed = 0; seed < 5; seed++) {
			const uint64_t length = sectors[i] * 512;
			struct pattern p = make(BLKBENCH_PATTERN_RANDOM, 1536,
						length, 512, seed);

			for (int pass = 0; pass < 3; pass++)
				assert_true(reads_all(&p, length, 512));
			assert_int_equal(p.passes, 3);
		}
	}
}

static void random_reads_the_rest_that_is_no_whole_block(void **state)
{
	const uint64_t length = 1000 * 4096 + 1536;
	struct pattern p = make(BLKBENCH_PATTERN_RANDOM, 0, length, 4096, 42);

	(void)state;
	assert_true(reads_all(&p, length, 4096));
}

static void sequential_reads_in_order_and_the_rest_shorter(void **state)
{
	struct pattern p = make(BLKBENCH_PATTERN_SEQUENTIAL, 8192,
				2 * 4096 + 512, 4096, 0);
	uint64_t offset;
	uint32_t bytes;

	(void)state;
	for (int pass = 1; pass <= 2; pass++) {
		pattern_next(&p, &offset, &bytes);
		assert_int_equal(offset, 8192);
		assert_int_equal(bytes, 4096);
		pattern_next(&p, &offset, &bytes);
		assert_int_equal(offset, 12288);
		pattern_next(&p, &offset, &bytes);
		assert_int_equal(offset, 16384);
		assert_int_equal(bytes, 512);
		assert_int_equal(p.passes, pass);
	}
}

static void repeat_reads_the_first_block_only(void **state)
{
	struct pattern p =
		make(BLKBENCH_PATTERN_REPEAT, 4096, 1ULL << 40, 2 << 20, 0);
	uint64_t offset;
	uint32_t bytes;

	(void)state;
	for (int i = 0; i < 5; i++) {
		pattern_next(&p, &offset, &bytes);
		assert_int_equal(offset, 4096);
		assert_int_equal(bytes, 2 << 20);
	}
}

static void eight_exbibytes_are_covered_evenly(void **state)
{
	/* The largest device: 2^63 bytes less one sector. */
	const uint64_t length = 8 * EXBIBYTE - 512;
	struct pattern p = make(BLKBENCH_PATTERN_RANDOM, 0, length, 4096, 7);
	unsigned int parts[16] = { 0 };
	uint64_t offset;
	uint32_t bytes;

	(void)state;
	for (int i = 0; i < 160000; i++) {
		pattern_next(&p, &offset, &bytes);
		assert_int_equal(bytes, 4096);
		assert_true(offset <= length - 4096);
		parts[offset / (EXBIBYTE / 2)]++;
	}
	/* 10000 each, with a standard deviation of 97. */
	for (int i = 0; i < 16; i++)
		assert_in_range(parts[i], 9500, 10500);
}

/* Each of 10 blocks comes first for a tenth of the seeds. */
static void no_block_is_preferred(void **state)
{
	unsigned int first[10] = { 0 };
	uint64_t offset;
	uint32_t bytes;

	(void)state;
	for (uint64_t seed = 0; seed < 100000; seed++) {
		struct pattern p =
			make(BLKBENCH_PATTERN_RANDOM, 0, 10 * 4096, 4096, seed);

		pattern_next(&p, &offset, &bytes);
		first[offset / 4096]++;
	}
	/* 10000 each, with a standard deviation of 95. */
	for (int i = 0; i < 10; i++)
		assert_in_range(first[i], 9500, 10500);
}

static void seed_decides_the_order(void **state)
{
	struct pattern a = make(BLKBENCH_PATTERN_RANDOM, 0, EXBIBYTE, 4096, 1);
	struct pattern b = make(BLKBENCH_PATTERN_RANDOM, 0, EXBIBYTE, 4096, 1);
	struct pattern c = make(BLKBENCH_PATTERN_RANDOM, 0, EXBIBYTE, 4096, 2);
	uint64_t x, y, z;
	uint32_t bytes;
	int same = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		pattern_next(&a, &x, &bytes);
		pattern_next(&b, &y, &bytes);
		pattern_next(&c, &z, &bytes);
		assert_int_equal(x, y);
		same += x == z;
	}
	assert_int_equal(same, 0);
}

static void second_pass_has_another_order(void **state)
{
	struct pattern p =
		make(BLKBENCH_PATTERN_RANDOM, 0, 1000 * 4096, 4096, 1);
	uint64_t first[1000], offset;
	uint32_t bytes;
	int same = 0;

	(void)state;
	for (int i = 0; i < 1000; i++)
		pattern_next(&p, &first[i], &bytes);
	for (int i = 0; i < 1000; i++) {
		pattern_next(&p, &offset, &bytes);
		same += offset == first[i];
	}
	assert_true(same < 20);
}

static void reads_apart_come_from_the_end_of_the_pass(void **state)
{
	struct pattern p =
		make(BLKBENCH_PATTERN_RANDOM, 0, 100 * 4096, 4096, 3);
	uint64_t apart, offset = 0;
	uint32_t bytes;

	(void)state;
	pattern_peek_back(&p, 0, &apart, &bytes);
	for (int i = 0; i < 100; i++)
		pattern_next(&p, &offset, &bytes);
	assert_int_equal(apart, offset);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			random_reads_every_block_once_before_any_twice),
		cmocka_unit_test(random_reads_the_rest_that_is_no_whole_block),
		cmocka_unit_test(
			sequential_reads_in_order_and_the_rest_shorter),
		cmocka_unit_test(repeat_reads_the_first_block_only),
		cmocka_unit_test(eight_exbibytes_are_covered_evenly),
		cmocka_unit_test(no_block_is_preferred),
		cmocka_unit_test(seed_decides_the_order),
		cmocka_unit_test(second_pass_has_another_order),
		cmocka_unit_test(reads_apart_come_from_the_end_of_the_pass),
	};

	return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
