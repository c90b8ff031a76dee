/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "slices.h"

#include <stdlib.h>

#include "test.h"

#define MS 1000000ULL

static void slice_ends_with_the_read_that_passes_its_time(void **state)
{
	struct slices slices;

	(void)state;
	slices_init(&slices);
	slices_add(&slices, 60 * MS, 1000, 60 * MS);
	assert_int_equal(slices.count, 0);
	slices_add(&slices, 130 * MS, 1000, 70 * MS);
	assert_int_equal(slices.count, 1);
	assert_int_equal(slices.closed[0].elapsed_ns, 130 * MS);
	assert_int_equal(slices.closed[0].requests, 2);
	assert_int_equal(slices.closed[0].bytes, 2000);
	assert_int_equal(slices.closed[0].latency_ns, 130 * MS);
	slices_add(&slices, 230 * MS, 1000, 100 * MS);
	assert_int_equal(slices.count, 2);
	assert_int_equal(slices.closed[1].elapsed_ns, 100 * MS);
	assert_int_equal(slices.closed[1].requests, 1);
}

static void slow_read_makes_one_long_slice(void **state)
{
	struct slices slices;

	(void)state;
	slices_init(&slices);
	slices_add(&slices, 7000 * MS, 4096, 7000 * MS);
	assert_int_equal(slices.count, 1);
	assert_int_equal(slices.closed[0].elapsed_ns, 7000 * MS);
}

static void long_run_loses_nothing_in_the_same_memory(void **state)
{
	const uint64_t reads = 5 * SLICES_MAX;
	struct slices *slices = malloc(sizeof(*slices));
	uint64_t bytes = 0, elapsed = 0, requests = 0;

	(void)state;
	assert_non_null(slices);
	slices_init(slices);
	for (uint64_t i = 1; i <= reads; i++)
		slices_add(slices, i * 100 * MS, i, MS);
	assert_true(slices->count <= SLICES_MAX);
	assert_true(slices->count >= SLICES_MAX / 2);
	assert_int_equal(slices->slice_ns, 800 * MS);
	for (size_t i = 0; i < slices->count; i++) {
		bytes += slices->closed[i].bytes;
		elapsed += slices->closed[i].elapsed_ns;
		requests += slices->closed[i].requests;
	}
	bytes += slices->open.bytes;
	elapsed += slices->open.elapsed_ns;
	requests += slices->open.requests;
	assert_int_equal(bytes, reads * (reads + 1) / 2);
	assert_int_equal(elapsed, reads * 100 * MS);
	assert_int_equal(requests, reads);
	free(slices);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slice_ends_with_the_read_that_passes_its_time),
		cmocka_unit_test(slow_read_makes_one_long_slice),
		cmocka_unit_test(long_run_loses_nothing_in_the_same_memory),
	};

	return cmocka_run_group_tests_name("slices", tests, NULL, NULL);
}
