/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "stats.h"

#include <math.h>

#include "test.h"

static bool is_near(double a, double b, double relative)
{
	return fabs(a - b) <= relative * fabs(b);
}

static void t_quantiles_are_those_of_the_tables(void **state)
{
	(void)state;
	assert_true(is_near(stats_t95(4), 2.776445, 1e-3));
	assert_true(is_near(stats_t95(5), 2.570582, 5e-4));
	assert_true(is_near(stats_t95(9), 2.262157, 1e-4));
	assert_true(is_near(stats_t95(19), 2.093024, 1e-5));
	assert_true(is_near(stats_t95(38), 2.024394, 1e-5));
	assert_true(is_near(stats_t95(1000000), 1.959966, 1e-6));
}

/* By the tables of the handbook; for 1 and 2 degrees by the inverse of the
 * distribution, which is known there. */
static void t_is_known_for_any_chance(void **state)
{
	(void)state;
	assert_true(is_near(stats_t_quantile(0.05, 1), 12.706205, 1e-6));
	assert_true(is_near(stats_t_quantile(0.05, 2), 4.302653, 1e-6));
	assert_true(is_near(stats_t_quantile(0.05, 5), 2.570582, 1e-6));
	assert_true(is_near(stats_t_quantile(0.05, 38), 2.024394, 1e-6));
	assert_true(is_near(stats_t_quantile(0.5, 10), 0.699812, 1e-6));
	assert_true(is_near(stats_t_quantile(0.001, 5), 6.868827, 1e-6));
	assert_true(is_near(stats_t_quantile(0.001, 30), 3.645959, 1e-6));
	assert_true(is_near(stats_t_quantile(1e-9, 2), 31622.776578, 1e-6));
	assert_true(is_near(stats_t_quantile(0.05, 100000), 1.959988, 1e-5));
}

#define SLICES_MAX 50

/* Of a second and ten reads each, that read so many bytes. */
static void fill(struct blkbench_slice *slices, size_t count, uint64_t bytes)
{
	assert_true(count <= SLICES_MAX);
	for (size_t i = 0; i < count; i++)
		slices[i] = (struct blkbench_slice){ 1000000000, 10, bytes, 0 };
}

/* Expected values by Python, from the formulas in doc/method.md. */
static void interval_of_ten_slices_is_that_of_their_mean(void **state)
{
	static const uint64_t rates[] = { 100, 104, 97,	 101, 99,
					  103, 98,  102, 100, 96 };
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 10, 0);
	for (size_t i = 0; i < 10; i++)
		slices[i].bytes = rates[i] * 1000;
	assert_true(
		is_near(stats_rate_ci95_percent(slices, 10), 1.7568889, 1e-4));
}

static void neighbouring_slices_are_merged_into_batches(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 46, 0);
	for (size_t i = 0; i < 46; i++)
		slices[i].bytes = (90 + i * 37 % 21) * 1000;
	/* 14 batches of three and one of four. */
	assert_true(
		is_near(stats_rate_ci95_percent(slices, 46), 1.5396524, 1e-4));
}

/* Of two levels half of the time each; t alone would give 11 %. */
static void interval_of_a_rate_that_steps_is_wide(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 7, 100);
	fill(slices + 7, 7, 140);
	assert_true(
		is_near(stats_rate_ci95_percent(slices, 14), 29.958923, 1e-4));
}

/* How often that happens one time does not tell; t alone would give 6.5 %. */
static void interval_with_one_odd_slice_is_wide(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 20, 100);
	slices[7].bytes = 40;
	assert_true(
		is_near(stats_rate_ci95_percent(slices, 20), 20.234124, 1e-4));
}

static void interval_that_reaches_down_to_nothing_is_none(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 10, 100);
	slices[3].bytes = 100000;
	assert_true(isnan(stats_rate_ci95_percent(slices, 10)));
}

/* Slices of different lengths at one rate: nothing is uncertain. */
static void interval_is_of_the_rate_and_not_of_the_bytes(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 12, 0);
	for (size_t i = 0; i < 12; i++) {
		slices[i].elapsed_ns = 100000000 + i * 10000000;
		slices[i].bytes = 100000000 + i * 10000000;
	}
	assert_true(stats_rate_ci95_percent(slices, 12) < 1e-9);
}

static void interval_of_the_access_time_is_of_latency_by_reads(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 12, 4096);
	for (size_t i = 0; i < 12; i++)
		slices[i].latency_ns = (90 + i * 37 % 21) * 10;
	assert_true(is_near(stats_access_ci95_percent(slices, 12, 1), 3.8082656,
			    1e-4));
	assert_true(stats_rate_ci95_percent(slices, 12) < 1e-9);
}

static void filling_of_the_queue_is_not_in_the_access_time(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 12, 4096);
	for (size_t i = 0; i < 12; i++)
		slices[i].latency_ns = i < 4 ? 1000 * i : 4000;
	assert_true(stats_access_ci95_percent(slices, 12, 30) > 10);
	assert_true(stats_access_ci95_percent(slices, 12, 32) < 1e-9);
}

static void too_few_slices_have_no_interval(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 6, 4096);
	slices[0].bytes++;
	assert_true(isnan(stats_rate_ci95_percent(slices, 0)));
	assert_true(isnan(stats_rate_ci95_percent(slices, 5)));
	assert_false(isnan(stats_rate_ci95_percent(slices, 6)));
}

static void too_few_reads_have_no_interval(void **state)
{
	struct blkbench_slice slices[SLICES_MAX];

	(void)state;
	fill(slices, 50, 4096);
	for (size_t i = 0; i < 50; i++)
		slices[i].requests = 1;
	assert_true(isnan(stats_rate_ci95_percent(slices, 49)));
	assert_false(isnan(stats_rate_ci95_percent(slices, 50)));
}

static void slices_without_a_read_have_no_interval(void **state)
{
	struct blkbench_slice slices[8] = { { 0, 0, 0, 0 } };

	(void)state;
	assert_true(isnan(stats_rate_ci95_percent(slices, 8)));
	assert_true(isnan(stats_access_ci95_percent(slices, 8, 32)));
}

static void spread_of_three_runs_is_around_the_middle_one(void **state)
{
	static const double rates[] = { 234, 99, NAN, 184 };
	struct blkbench_spread spread;

	(void)state;
	assert_int_equal(blkbench_spread_summarise(rates, 4, &spread), 0);
	assert_true(spread.median == 184);
	assert_true(spread.min == 99);
	assert_true(spread.max == 234);
	assert_true(is_near(spread.percent, 73.369565, 1e-6));
}

static void spread_of_two_runs_has_their_mean_as_median(void **state)
{
	static const double rates[] = { 10, 20 };
	struct blkbench_spread spread;

	(void)state;
	assert_int_equal(blkbench_spread_summarise(rates, 2, &spread), 0);
	assert_true(spread.median == 15);
}

static void spread_of_nothing_is_not_known(void **state)
{
	static const double rates[] = { NAN, NAN };
	struct blkbench_spread spread;

	(void)state;
	assert_int_equal(blkbench_spread_summarise(rates, 2, &spread), 0);
	assert_true(isnan(spread.median));
	assert_true(isnan(spread.percent));
}

static void median_is_in_the_middle_of_what_is_sorted(void **state)
{
	double odd[] = { 9, 1, 5 }, even[] = { 9, 1, 5, 4 };

	(void)state;
	assert_true(stats_median(odd, 3) == 5);
	assert_true(stats_median(even, 4) == 4.5);
}

static void line_through_points_goes_on_beyond_them(void **state)
{
	static const double x[] = { 1, 2, 3, 4 }, y[] = { 98, 96, 94, 92 };

	(void)state;
	assert_true(is_near(stats_line_at_0(x, y, 4), 100, 1e-12));
}

static void line_is_not_bent_by_three_points_of_eight(void **state)
{
	static const double x[] = { -4, -3, -2, -1, 1, 2, 3, 4 };
	static const double y[] = { 54, 53, 52, 1, 1, 48, 1, 46 };

	(void)state;
	assert_true(is_near(stats_line_at_0(x, y, 8), 50, 1e-12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(t_quantiles_are_those_of_the_tables),
		cmocka_unit_test(t_is_known_for_any_chance),
		cmocka_unit_test(interval_of_ten_slices_is_that_of_their_mean),
		cmocka_unit_test(neighbouring_slices_are_merged_into_batches),
		cmocka_unit_test(interval_of_a_rate_that_steps_is_wide),
		cmocka_unit_test(interval_with_one_odd_slice_is_wide),
		cmocka_unit_test(interval_that_reaches_down_to_nothing_is_none),
		cmocka_unit_test(interval_is_of_the_rate_and_not_of_the_bytes),
		cmocka_unit_test(
			interval_of_the_access_time_is_of_latency_by_reads),
		cmocka_unit_test(
			filling_of_the_queue_is_not_in_the_access_time),
		cmocka_unit_test(too_few_slices_have_no_interval),
		cmocka_unit_test(too_few_reads_have_no_interval),
		cmocka_unit_test(slices_without_a_read_have_no_interval),
		cmocka_unit_test(spread_of_three_runs_is_around_the_middle_one),
		cmocka_unit_test(spread_of_two_runs_has_their_mean_as_median),
		cmocka_unit_test(spread_of_nothing_is_not_known),
		cmocka_unit_test(median_is_in_the_middle_of_what_is_sorted),
		cmocka_unit_test(line_through_points_goes_on_beyond_them),
		cmocka_unit_test(line_is_not_bent_by_three_points_of_eight),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
