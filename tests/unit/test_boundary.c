/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "boundary.h"

#include <blkbench.h>

#include "test.h"

static void remainder_is_counted_from_the_offset(void **state)
{
	const struct boundary at_3584 = { .bytes = 4096, .offset_bytes = 3584 };

	(void)state;
	assert_int_equal(boundary_remainder(&at_3584, 0), 512);
	assert_int_equal(boundary_remainder(&at_3584, 3584), 0);
	assert_int_equal(boundary_remainder(&at_3584, 32256), 0);
	assert_int_equal(boundary_next(&at_3584, 0), 3584);
	assert_int_equal(boundary_next(&at_3584, 32256), 32256);
}

static void next_one_beyond_64_bits_is_not_known(void **state)
{
	const struct boundary boundary = { .bytes = 4096 };

	(void)state;
	assert_true(boundary_next(&boundary, UINT64_MAX - 1) ==
		    BLKBENCH_UNKNOWN);
}

/* 192 KiB is no power of two, and neither is what wraps around. */
static void shift_goes_both_ways(void **state)
{
	struct boundary boundary = { .bytes = 196608, .offset_bytes = 65536 };

	(void)state;
	boundary_shift(&boundary, 196608 + 131072);
	assert_int_equal(boundary.offset_bytes, 0);
	boundary_shift(&boundary, -512);
	assert_int_equal(boundary.offset_bytes, 196608 - 512);
	boundary_shift(&boundary, 512);
	assert_int_equal(boundary.offset_bytes, 0);
	boundary_shift(&boundary, INT64_MIN);
	/* 2^63 is 131072 past a multiple of 196608. */
	assert_int_equal(boundary.offset_bytes, 65536);
}

/* 3 and 5 chunks of 4 KiB meet every 15. */
static void next_of_all_suits_all_that_are_declared(void **state)
{
	const struct boundary boundaries[] = {
		{ .bytes = 12288, .is_declared = true },
		{ .bytes = 20480, .is_declared = true },
		{ .bytes = 1048576, .is_declared = false },
	};

	(void)state;
	assert_int_equal(boundary_next_of_all(boundaries, 3, 4096), 61440);
	assert_int_equal(boundary_next_of_all(boundaries, 3, 61441), 122880);
	assert_int_equal(boundary_next_of_all(boundaries, 0, 7), 7);
}

/* 3^40 and 4096 have no common multiple in 64 bits but 0. */
static void next_of_all_may_be_the_only_one_in_64_bits(void **state)
{
	const struct boundary boundaries[] = {
		{ .bytes = UINT64_C(12157665459056928801),
		  .is_declared = true },
		{ .bytes = 4096, .is_declared = true },
		{ .bytes = 512, .is_declared = true },
	};

	(void)state;
	assert_int_equal(boundary_next_of_all(boundaries, 3, 0), 0);
	assert_true(boundary_next_of_all(boundaries, 3, 1) == BLKBENCH_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remainder_is_counted_from_the_offset),
		cmocka_unit_test(next_one_beyond_64_bits_is_not_known),
		cmocka_unit_test(shift_goes_both_ways),
		cmocka_unit_test(next_of_all_suits_all_that_are_declared),
		cmocka_unit_test(next_of_all_may_be_the_only_one_in_64_bits),
	};

	return cmocka_run_group_tests_name("boundary", tests, NULL, NULL);
}
