/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>
#include <math.h>

#include "clock.h"
#include "simulated.h"
#include "stats.h"
#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-5 * fabs(b);
}

static struct blkbench_estimate make(double value, double ci95_percent)
{
	return (struct blkbench_estimate){
		.value = value,
		.ci95_percent = ci95_percent,
		.elapsed_ns = 10 * NS_PER_S,
	};
}

static struct blkbench_comparison compare(double a, double a_percent, double b,
					  double b_percent)
{
	const struct blkbench_estimate first = make(a, a_percent);
	const struct blkbench_estimate second = make(b, b_percent);
	struct blkbench_comparison comparison;

	blkbench_estimate_compare(&first, &second, 2, &comparison);
	return comparison;
}

/* ---- two that were measured apart ---------------------------------------- */

/* By hand: ln 1.2 less, and more, the root of the sums of squares of ln 0.95 and
 * ln 1.1, and of ln 1.05 and ln 0.9. */
static void both_intervals_are_in_that_of_the_ratio(void **state)
{
	const struct blkbench_comparison c = compare(100, 10, 120, 5);

	(void)state;
	assert_true(is_near(c.ratio, 1.2));
	assert_true(is_near(c.ratio_low, 1.0768989));
	assert_true(is_near(c.ratio_high, 1.3477420));
	assert_int_equal(c.verdict, BLKBENCH_FASTER);
	assert_true(isnan(c.seconds_needed));
}

static void verdict_is_by_the_whole_interval(void **state)
{
	static const struct {
		double b, percent;
		enum blkbench_outcome verdict;
	} cases[] = {
		{ 200, 0, BLKBENCH_FASTER },	{ 50, 0, BLKBENCH_SLOWER },
		{ 100, 0, BLKBENCH_EQUAL },	{ 102, 0, BLKBENCH_EQUAL },
		{ 102.1, 0, BLKBENCH_FASTER },	{ 98, 0, BLKBENCH_SLOWER },
		{ 98.1, 0, BLKBENCH_EQUAL },	{ 100, 1.9, BLKBENCH_EQUAL },
		{ 100, 3, BLKBENCH_UNDECIDED }, { 105, 6, BLKBENCH_UNDECIDED },
		{ 105, 4, BLKBENCH_UNDECIDED }, { 110, 4, BLKBENCH_FASTER },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(
			compare(100, 0, cases[i].b, cases[i].percent).verdict,
			cases[i].verdict);
}

static void who_is_first_makes_no_difference(void **state)
{
	const struct blkbench_comparison ab = compare(100, 10, 130, 5);
	const struct blkbench_comparison ba = compare(130, 5, 100, 10);

	(void)state;
	assert_int_equal(ab.verdict, BLKBENCH_FASTER);
	assert_int_equal(ba.verdict, BLKBENCH_SLOWER);
	assert_true(is_near(ab.ratio_low * ba.ratio_high, 1));
	assert_true(is_near(ab.ratio_high * ba.ratio_low, 1));
}

static void without_an_interval_there_is_no_verdict(void **state)
{
	static const double percents[][2] = {
		{ NAN, 1 }, { 1, NAN }, { 100, 1 }, { 1, 150 }
	};

	(void)state;
	for (size_t i = 0; i < COUNT(percents); i++) {
		const struct blkbench_comparison c =
			compare(100, percents[i][0], 300, percents[i][1]);

		assert_true(is_near(c.ratio, 3));
		assert_true(isnan(c.ratio_low) && isnan(c.ratio_high));
		assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
		assert_true(isnan(c.seconds_needed));
	}
	assert_true(isnan(compare(NAN, NAN, 100, 1).ratio));
}

/* By hand; the second's part of the interval is to shrink with the root of its
 * time, of which it has had 10 s, and the first's stays. */
static void time_needed_is_that_of_the_second_alone(void **state)
{
	(void)state;
	/* Until it no longer reaches 1.02. */
	assert_true(is_near(compare(100, 1, 105, 6).seconds_needed, 41.648857));
	/* Until it is within what is equal. */
	assert_true(
		is_near(compare(100, 0.5, 100, 3).seconds_needed, 15.261175));
}

static void first_may_be_too_uncertain_for_any_verdict(void **state)
{
	const struct blkbench_comparison c = compare(100, 6, 105, 1);

	(void)state;
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_true(isnan(c.seconds_needed));
}

/* A run of 3 s, in slices of 100 ms. */
static struct blkbench_estimate simulate(struct simulated *device)
{
	struct blkbench_slice slices[30] = { 0 };
	uint64_t elapsed_ns = 0, bytes = 0;
	double now_s = 0;

	for (size_t i = 0; i < COUNT(slices); i++) {
		while (slices[i].elapsed_ns < 100 * NS_PER_MS) {
			const double read_s = simulated_read_s(device, now_s);

			now_s += read_s;
			slices[i].elapsed_ns += (uint64_t)(read_s * 1e9);
			slices[i].requests++;
			slices[i].bytes += 4096;
		}
		elapsed_ns += slices[i].elapsed_ns;
		bytes += slices[i].bytes;
	}
	return (struct blkbench_estimate){
		.value = (double)bytes / (double)elapsed_ns * 1e9,
		.ci95_percent = stats_rate_ci95_percent(slices, COUNT(slices)),
		.elapsed_ns = elapsed_ns,
	};
}

/* Of a device with itself at another time, and with one 1.5 times as slow. */
static void intervals_of_simulated_runs_hold(void **state)
{
	static const enum simulated_kind kinds[] = { SIMULATED_NORMAL,
						     SIMULATED_EXPONENTIAL,
						     SIMULATED_BIMODAL };
	enum { TRIALS = 400 };

	(void)state;
	for (size_t kind = 0; kind < COUNT(kinds); kind++) {
		unsigned int missed = 0, wrong = 0, undecided = 0;
		struct simulated device, slow;

		simulated_init(&device, kinds[kind], 0.004, 1);
		simulated_init(&slow, kinds[kind], 0.006, 2);
		for (unsigned int i = 0; i < TRIALS; i++) {
			const struct blkbench_estimate a = simulate(&device);
			const struct blkbench_estimate b = simulate(&device);
			const struct blkbench_estimate c = simulate(&slow);
			struct blkbench_comparison same, other;

			blkbench_estimate_compare(&a, &b, 2, &same);
			blkbench_estimate_compare(&a, &c, 2, &other);
			missed += same.ratio_low > 1 || same.ratio_high < 1;
			wrong += same.verdict == BLKBENCH_FASTER ||
				 same.verdict == BLKBENCH_SLOWER;
			undecided += other.verdict != BLKBENCH_SLOWER;
		}
		assert_true(missed <= simulated_failures_max(TRIALS, 0.05));
		assert_true(wrong <= missed);
		assert_int_equal(undecided, 0);
	}
}

/* ---- several runs as one -------------------------------------------------- */

static struct blkbench_estimate merge(const struct blkbench_estimate *runs,
				      size_t count)
{
	struct blkbench_estimate estimate;

	blkbench_estimate_merge(runs, count, &estimate);
	return estimate;
}

static void one_run_stays_as_it_is(void **state)
{
	const struct blkbench_estimate run = make(100, 2);
	const struct blkbench_estimate merged = merge(&run, 1);

	(void)state;
	assert_true(is_near(merged.value, 100));
	assert_true(is_near(merged.ci95_percent, 2));
	assert_int_equal(merged.elapsed_ns, 10 * NS_PER_S);
}

/* 2 % each: 2 % by the root of 2. */
static void runs_that_agree_are_as_sure_as_their_intervals(void **state)
{
	const struct blkbench_estimate runs[] = { make(100, 2), make(100, 2) };
	const struct blkbench_estimate merged = merge(runs, 2);

	(void)state;
	assert_true(is_near(merged.ci95_percent, 1.4142136));
	assert_int_equal(merged.elapsed_ns, 20 * NS_PER_S);
}

/* Student's t of 2 degrees is 4.30265; deviation 4, by the root of 3. */
static void runs_that_differ_are_less_sure(void **state)
{
	const struct blkbench_estimate runs[] = { make(100, 0.1),
						  make(104, 0.1),
						  make(96, 0.1) };
	const struct blkbench_estimate merged = merge(runs, 3);

	(void)state;
	assert_true(is_near(merged.value, 100));
	assert_true(is_near(merged.ci95_percent, 9.936545));
}

static void runs_too_short_for_an_interval_take_six(void **state)
{
	const struct blkbench_estimate runs[] = {
		make(100, NAN), make(101, NAN), make(99, NAN),
		make(102, NAN), make(98, NAN),	make(100, NAN),
	};

	(void)state;
	assert_true(isnan(merge(runs, 5).ci95_percent));
	assert_true(is_near(merge(runs, 6).ci95_percent, 1.484126));
}

static void runs_without_a_figure_are_left_out(void **state)
{
	const struct blkbench_estimate runs[] = { make(NAN, NAN), make(100, 2),
						  make(NAN, NAN) };

	(void)state;
	assert_true(is_near(merge(runs, 3).value, 100));
	assert_true(is_near(merge(runs, 3).ci95_percent, 2));
	assert_int_equal(merge(runs, 3).elapsed_ns, 10 * NS_PER_S);
	assert_true(isnan(merge(runs, 1).value));
	assert_true(isnan(merge(runs, 0).value));
}

/* ---- the trend of several -------------------------------------------------- */

#define RUNS_MAX 12

static struct blkbench_trend trend(const double *values, size_t count,
				   double percent)
{
	struct blkbench_estimate runs[RUNS_MAX];
	struct blkbench_trend found;

	for (size_t i = 0; i < count; i++)
		runs[i] = make(values[i], percent);
	assert_int_equal(blkbench_trend_find(runs, count, &found), 0);
	return found;
}

static void cache_that_warms_up_rises(void **state)
{
	static const double rates[] = { 99.32, 184.1, 233.85 };
	const struct blkbench_trend found = trend(rates, 3, 2);

	(void)state;
	assert_int_equal(found.direction, BLKBENCH_RISING);
	assert_true(is_near(found.from, 99.32));
	assert_true(is_near(found.to, 233.85));
}

static void trend_of_few_is_to_be_in_order_large_and_sure(void **state)
{
	static const struct {
		double values[3], percent;
		enum blkbench_direction direction;
	} cases[] = {
		{ { 100, 90, 75 }, 2, BLKBENCH_FALLING },
		{ { 100, 104, 119 }, 2, BLKBENCH_STEADY }, /* by 19 % only */
		{ { 100, 104, 121 }, 2, BLKBENCH_RISING },
		{ { 100, 104, 121 }, 12, BLKBENCH_STEADY }, /* within both */
		{ { 100, 130, 120 }, 2, BLKBENCH_STEADY },  /* up and down */
		{ { 100, 120, 120 }, 2, BLKBENCH_STEADY },
		{ { 100, 150, 200 }, NAN, BLKBENCH_DIRECTION_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(
			trend(cases[i].values, 3, cases[i].percent).direction,
			cases[i].direction);
}

static void two_runs_have_no_trend(void **state)
{
	static const double rates[] = { 100, 200 };
	const struct blkbench_trend found = trend(rates, 2, 1);

	(void)state;
	assert_int_equal(found.direction, BLKBENCH_DIRECTION_UNKNOWN);
	assert_true(isnan(found.from) && isnan(found.to));
}

/* Kendall's S and its z by hand: of 8 runs with one pair out of order S is 26 and
 * z 3.09, with five out of order 18 and 2.10. */
static void order_of_many_is_evidence_without_intervals(void **state)
{
	static const double rising[] = {
		100, 101, 102, 104, 103, 105, 106, 107
	};
	static const double falling[] = { 50, 49, 48, 47, 46, 45 };
	static const double mixed[] = {
		101, 100, 104, 102, 103, 107, 105, 106
	};
	static const double tiny[] = { 100, 100.1, 100.2, 100.3, 100.4, 100.5 };

	(void)state;
	assert_int_equal(trend(rising, 8, NAN).direction, BLKBENCH_RISING);
	assert_true(is_near(trend(rising, 8, NAN).from, 100.5));
	assert_true(is_near(trend(rising, 8, NAN).to, 106.5));
	assert_int_equal(trend(falling, 6, NAN).direction, BLKBENCH_FALLING);
	assert_int_equal(trend(mixed, 8, NAN).direction, BLKBENCH_STEADY);
	assert_int_equal(trend(tiny, 6, 0.01).direction, BLKBENCH_STEADY);
}

/* Of runs that differ by chance alone, by 5 %. */
static void chance_is_seldom_taken_for_a_trend(void **state)
{
	enum { TRIALS = 2000 };
	struct simulated source;

	(void)state;
	simulated_init(&source, SIMULATED_NORMAL, 1, 3);
	for (size_t count = 3; count <= RUNS_MAX; count++) {
		double values[RUNS_MAX];
		unsigned int found = 0;

		for (unsigned int i = 0; i < TRIALS; i++) {
			for (size_t j = 0; j < count; j++)
				values[j] =
					100 +
					5 / 0.3 *
						(simulated_read_s(&source, 0) -
						 1);
			found += trend(values, count, 2).direction !=
				 BLKBENCH_STEADY;
		}
		assert_true(found * 20 <= TRIALS);
	}
}

static void runs_without_a_figure_are_no_part_of_a_trend(void **state)
{
	static const double rates[] = { 100, NAN, 150, 200 };

	(void)state;
	assert_int_equal(trend(rates, 4, 2).direction, BLKBENCH_RISING);
	assert_int_equal(trend(rates, 3, 2).direction,
			 BLKBENCH_DIRECTION_UNKNOWN);
	assert_int_equal(trend(rates, 0, 2).direction,
			 BLKBENCH_DIRECTION_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_intervals_are_in_that_of_the_ratio),
		cmocka_unit_test(verdict_is_by_the_whole_interval),
		cmocka_unit_test(who_is_first_makes_no_difference),
		cmocka_unit_test(without_an_interval_there_is_no_verdict),
		cmocka_unit_test(time_needed_is_that_of_the_second_alone),
		cmocka_unit_test(first_may_be_too_uncertain_for_any_verdict),
		cmocka_unit_test(intervals_of_simulated_runs_hold),
		cmocka_unit_test(one_run_stays_as_it_is),
		cmocka_unit_test(
			runs_that_agree_are_as_sure_as_their_intervals),
		cmocka_unit_test(runs_that_differ_are_less_sure),
		cmocka_unit_test(runs_too_short_for_an_interval_take_six),
		cmocka_unit_test(runs_without_a_figure_are_left_out),
		cmocka_unit_test(cache_that_warms_up_rises),
		cmocka_unit_test(trend_of_few_is_to_be_in_order_large_and_sure),
		cmocka_unit_test(two_runs_have_no_trend),
		cmocka_unit_test(order_of_many_is_evidence_without_intervals),
		cmocka_unit_test(chance_is_seldom_taken_for_a_trend),
		cmocka_unit_test(runs_without_a_figure_are_no_part_of_a_trend),
	};

	return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
