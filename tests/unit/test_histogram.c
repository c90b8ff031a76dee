/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "histogram.h"

#include "test.h"

#define MINUTE_NS (60ULL * 1000000000ULL)

static size_t only_bucket(const struct histogram *histogram)
{
	size_t i = 0;

	while (histogram->buckets[i] == 0)
		i++;
	return i;
}

static void bounds_have_64_steps_for_each_doubling(void **state)
{
	(void)state;
	for (size_t i = 128; i + 64 < BLKBENCH_HISTOGRAM_BUCKETS; i++) {
		uint64_t bound = blkbench_histogram_bound(i);

		assert_true(bound > blkbench_histogram_bound(i - 1));
		assert_int_equal(blkbench_histogram_bound(i + 64), 2 * bound);
	}
	/* fio, stat.c: plat_idx_to_val() of buckets 1000 and 1855 is the middle
	 * of these buckets: 1712128 and 17112760320 ns. */
	assert_int_equal(blkbench_histogram_bound(1000), 1703936);
	assert_int_equal(blkbench_histogram_bound(1855), 17045651456);
}

static void values_fall_between_the_bounds_of_their_bucket(void **state)
{
	static const uint64_t values[] = {
		0,
		1,
		127,
		128,
		129,
		255,
		256,
		1000,
		4095,
		4096,
		1000000,
		4400000,
		999999999,
		20 * MINUTE_NS,
		36 * MINUTE_NS,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		struct histogram h;
		size_t bucket;

		histogram_init(&h);
		histogram_add(&h, values[i]);
		bucket = only_bucket(&h);
		assert_true(blkbench_histogram_bound(bucket) <= values[i]);
		assert_true(blkbench_histogram_bound(bucket + 1) > values[i]);
	}
}

static void longest_latencies_are_kept(void **state)
{
	struct blkbench_latency latency;
	struct histogram h;

	(void)state;
	histogram_init(&h);
	histogram_add(&h, 60 * MINUTE_NS);
	assert_int_equal(only_bucket(&h), BLKBENCH_HISTOGRAM_BUCKETS - 1);
	histogram_summarise(&h, &latency);
	assert_int_equal(latency.p50_ns, 60 * MINUTE_NS);
	assert_int_equal(latency.max_ns, 60 * MINUTE_NS);
}

static void percentiles_of_1_to_100_us_are_their_numbers(void **state)
{
	struct blkbench_latency latency;
	struct histogram h;

	(void)state;
	histogram_init(&h);
	for (uint64_t us = 1; us <= 100; us++)
		histogram_add(&h, us * 1000);
	histogram_summarise(&h, &latency);
	assert_int_equal(latency.min_ns, 1000);
	assert_int_equal(latency.mean_ns, 50500);
	assert_int_equal(latency.max_ns, 100000);
	/* Upper edge of a bucket: at most 1/64 too high, never too low. */
	assert_in_range(latency.p50_ns, 50000, 50000 + 50000 / 64);
	assert_in_range(latency.p90_ns, 90000, 90000 + 90000 / 64);
	assert_in_range(latency.p99_ns, 99000, 99000 + 99000 / 64);
	assert_int_equal(latency.p99_9_ns, 100000);
}

static void percentile_never_exceeds_the_maximum(void **state)
{
	struct histogram h;

	(void)state;
	histogram_init(&h);
	histogram_add(&h, 1000001);
	assert_int_equal(histogram_permille(&h, 500), 1000001);
}

/* 99.9 % of 1000 reads is 999 of them, in whole numbers. */
static void one_slow_read_of_a_thousand_is_beyond_99_9(void **state)
{
	struct histogram h;

	(void)state;
	histogram_init(&h);
	for (int i = 0; i < 999; i++)
		histogram_add(&h, 100);
	histogram_add(&h, 1000000);
	assert_int_equal(histogram_permille(&h, 999), 100);
	assert_int_equal(histogram_permille(&h, 1000), 1000000);
}

static void empty_histogram_knows_nothing(void **state)
{
	struct blkbench_latency latency;
	struct histogram h;

	(void)state;
	histogram_init(&h);
	histogram_summarise(&h, &latency);
	assert_int_equal(latency.min_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(latency.mean_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(latency.p99_9_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(histogram_permille(&h, 500), BLKBENCH_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_have_64_steps_for_each_doubling),
		cmocka_unit_test(
			values_fall_between_the_bounds_of_their_bucket),
		cmocka_unit_test(longest_latencies_are_kept),
		cmocka_unit_test(percentiles_of_1_to_100_us_are_their_numbers),
		cmocka_unit_test(percentile_never_exceeds_the_maximum),
		cmocka_unit_test(one_slow_read_of_a_thousand_is_beyond_99_9),
		cmocka_unit_test(empty_histogram_knows_nothing),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
