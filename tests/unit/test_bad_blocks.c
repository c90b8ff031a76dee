/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "bad_blocks.h"

#include <stdlib.h>

#include "test.h"

static void add(struct bad_blocks *bad, uint64_t offset_bytes,
		uint64_t length_bytes)
{
	assert_int_equal(bad_blocks_add(bad, offset_bytes, length_bytes), 0);
}

static void check(struct bad_blocks *bad, uint64_t block_bytes, uint64_t count,
		  const char *expected)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	assert_non_null(out);
	assert_int_equal(bad_blocks_print(bad, block_bytes, out), count);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void nothing_bad_is_an_empty_list(void **state)
{
	struct bad_blocks bad = { 0 };

	(void)state;
	check(&bad, 1024, 0, "");
	bad_blocks_finish(&bad);
}

static void block_is_bad_if_a_sector_of_it_is(void **state)
{
	struct bad_blocks bad = { 0 };

	(void)state;
	add(&bad, 512, 512);
	add(&bad, 4096 * 7 + 3584, 512);
	check(&bad, 1024, 2, "0\n31\n");
	check(&bad, 4096, 2, "0\n7\n");
	bad_blocks_finish(&bad);
}

static void range_is_all_blocks_that_it_touches(void **state)
{
	struct bad_blocks bad = { 0 };

	(void)state;
	add(&bad, 1536, 2048);
	check(&bad, 1024, 3, "1\n2\n3\n");
	check(&bad, 512, 4, "3\n4\n5\n6\n");
	check(&bad, 4096, 1, "0\n");
	bad_blocks_finish(&bad);
}

static void numbers_rise_and_come_once(void **state)
{
	struct bad_blocks bad = { 0 };

	(void)state;
	add(&bad, 10240, 1024);
	add(&bad, 2048, 512);
	add(&bad, 2560, 512);
	add(&bad, 10240, 1024);
	add(&bad, 0, 4096);
	add(&bad, 1024, 512);
	check(&bad, 1024, 5, "0\n1\n2\n3\n10\n");
	bad_blocks_finish(&bad);
}

static void numbers_may_need_more_than_32_bits(void **state)
{
	struct bad_blocks bad = { 0 };

	(void)state;
	add(&bad, UINT64_C(1) << 62, 4096);
	check(&bad, 4096, 1, "1125899906842624\n");
	bad_blocks_finish(&bad);
}

static void many_ranges_are_kept(void **state)
{
	struct bad_blocks bad = { 0 };
	uint64_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		add(&bad, (999 - i) * 512, 512);
	check(&bad, 512 * 500, 2, "0\n1\n");
	bad_blocks_finish(&bad);
}

static void reads_that_were_not_located_are_counted(void **state)
{
	const struct blkbench_result result = {
		.errors = 12,
		.errors_listed = 3,
		.error_list = { { .reads = 2, .reread = BLKBENCH_REREAD_BAD },
				{ .reads = 3, .reread = BLKBENCH_NOT_REREAD },
				{ .reads = 1,
				  .reread = BLKBENCH_REREAD_GOOD } },
		.bad_count = 1,
		.bad_list = { { .offset_bytes = 4096, .length_bytes = 512 } },
	};
	struct bad_blocks bad = { 0 };

	(void)state;
	assert_int_equal(bad_blocks_add_result(&bad, &result), 0);
	assert_int_equal(bad.not_located, 9);
	assert_int_equal(bad_blocks_add_result(&bad, &result), 0);
	assert_int_equal(bad.not_located, 18);
	check(&bad, 1024, 1, "4\n");
	bad_blocks_finish(&bad);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_bad_is_an_empty_list),
		cmocka_unit_test(block_is_bad_if_a_sector_of_it_is),
		cmocka_unit_test(range_is_all_blocks_that_it_touches),
		cmocka_unit_test(numbers_rise_and_come_once),
		cmocka_unit_test(numbers_may_need_more_than_32_bits),
		cmocka_unit_test(many_ranges_are_kept),
		cmocka_unit_test(reads_that_were_not_located_are_counted),
	};

	return cmocka_run_group_tests_name("bad_blocks", tests, NULL, NULL);
}
