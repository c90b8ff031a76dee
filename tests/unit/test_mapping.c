/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "mapping.h"

#include "test.h"

#define MIB (UINT64_C(1) << 20)

static void add_linear(struct mapping *mapping, uint64_t start, uint64_t length,
		       uint64_t offset)
{
	const struct mapping_segment segment = {
		.kind = "linear",
		.start_bytes = start,
		.length_bytes = length,
		.chunk_bytes = BLKBENCH_UNKNOWN,
		.data_members = 1,
	};
	const struct mapping_leg leg = { .major = 8, .offset_bytes = offset };

	mapping_add_segment(mapping, &segment);
	mapping_add_leg(mapping, &leg);
	mapping_join(mapping);
}

static void segments_that_go_on_become_one(void **state)
{
	struct mapping mapping = { 0 };

	(void)state;
	add_linear(&mapping, 0, MIB, 4 * MIB);
	add_linear(&mapping, MIB, 2 * MIB, 5 * MIB);
	assert_int_equal(mapping.segments_count, 1);
	assert_int_equal(mapping.legs_count, 1);
	assert_true(mapping.segments[0].length_bytes == 3 * MIB);
	assert_true(mapping.legs[0].offset_bytes == 4 * MIB);
	/* 1 MiB further on than that ends. */
	add_linear(&mapping, 3 * MIB, MIB, 8 * MIB);
	assert_int_equal(mapping.segments_count, 2);
	assert_true(mapping.segments[0].length_bytes == 3 * MIB);
	mapping_finish(&mapping);
}

static void lengths_that_overflow_stay_apart(void **state)
{
	struct mapping mapping = { 0 };

	(void)state;
	add_linear(&mapping, 0, MIB, 0);
	add_linear(&mapping, MIB, UINT64_MAX - 511, MIB);
	assert_int_equal(mapping.segments_count, 2);
	assert_true(mapping.segments[0].length_bytes == MIB);
	assert_true(mapping.segments[1].length_bytes == UINT64_MAX - 511);
	mapping_finish(&mapping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments_that_go_on_become_one),
		cmocka_unit_test(lengths_that_overflow_stay_apart),
	};

	return cmocka_run_group_tests_name("mapping", tests, NULL, NULL);
}
