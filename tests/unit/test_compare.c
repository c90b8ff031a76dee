/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "simulated.h"
#include "test.h"

#define PAIRS_MAX 60
#define MIB (1024ULL * 1024)

/* How many times as many comparisons are simulated. */
static unsigned int scale = 1;

struct pairs {
	size_t count;
	struct blkbench_slice first[PAIRS_MAX], second[PAIRS_MAX];
};

/* 100 reads of 1 MiB in each slice, in so many ns each. */
static struct blkbench_slice slice_of(uint64_t read_ns)
{
	return (struct blkbench_slice){
		.elapsed_ns = 100 * read_ns,
		.requests = 100,
		.bytes = 100 * MIB,
		.latency_ns = 100 * read_ns,
	};
}

/* Times in us of each read: 5000 and a factor of it, and what varies. */
static void fill(struct pairs *pairs, size_t count, double factor,
		 uint64_t wobble_us)
{
	pairs->count = count;
	for (size_t i = 0; i < count; i++) {
		const uint64_t a = i * 7 % 5 * wobble_us;
		const uint64_t b = i * 3 % 5 * wobble_us;

		pairs->first[i] = slice_of((5000 + a) * NS_PER_US);
		pairs->second[i] = slice_of(
			(uint64_t)((double)(5000 + b) * factor) * NS_PER_US);
	}
}

static struct blkbench_comparison compare(const struct pairs *pairs,
					  double equal_percent)
{
	struct blkbench_comparison comparison;

	blkbench_compare(pairs->first, pairs->second, pairs->count, false,
			 equal_percent, 1, &comparison);
	return comparison;
}

static void steady_device_has_the_exact_ratio(void **state)
{
	struct blkbench_comparison c;
	struct pairs pairs;

	(void)state;
	fill(&pairs, 6, 2, 0);
	c = compare(&pairs, 2);
	assert_int_equal(c.pairs, 6);
	assert_true(fabs(c.ratio - 0.5) < 1e-9);
	assert_true(fabs(c.ratio_low - 0.5) < 1e-9);
	assert_true(fabs(c.ratio_high - 0.5) < 1e-9);
	assert_int_equal(c.verdict, BLKBENCH_SLOWER);
	assert_true(isnan(c.seconds_needed));
}

static void what_is_equal_is_for_the_caller_to_say(void **state)
{
	static const struct {
		double factor, equal_percent;
		enum blkbench_outcome verdict;
	} cases[] = {
		{ 1, 2, BLKBENCH_EQUAL },	{ 1.019, 2, BLKBENCH_EQUAL },
		{ 0.981, 2, BLKBENCH_EQUAL },	{ 1.021, 2, BLKBENCH_SLOWER },
		{ 0.979, 2, BLKBENCH_FASTER },	{ 1.021, 3, BLKBENCH_EQUAL },
		{ 1.01, 0.5, BLKBENCH_SLOWER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pairs pairs;

		fill(&pairs, 6, cases[i].factor, 0);
		assert_int_equal(
			compare(&pairs, cases[i].equal_percent).verdict,
			cases[i].verdict);
	}
}

static void who_is_named_first_makes_no_difference(void **state)
{
	struct blkbench_comparison ab, ba;
	struct pairs pairs, swapped;

	(void)state;
	fill(&pairs, 20, 1.1, 400);
	swapped.count = pairs.count;
	memcpy(swapped.first, pairs.second, sizeof(pairs.second));
	memcpy(swapped.second, pairs.first, sizeof(pairs.first));
	ab = compare(&pairs, 2);
	ba = compare(&swapped, 2);
	assert_int_equal(ab.verdict, BLKBENCH_SLOWER);
	assert_int_equal(ba.verdict, BLKBENCH_FASTER);
	assert_true(fabs(ab.ratio * ba.ratio - 1) < 1e-9);
	assert_true(fabs(ab.ratio_low * ba.ratio_high - 1) < 1e-9);
}

static void the_same_seed_gives_the_same_interval(void **state)
{
	struct blkbench_comparison a, b;
	struct pairs pairs;

	(void)state;
	fill(&pairs, 20, 1.01, 900);
	a = compare(&pairs, 2);
	b = compare(&pairs, 2);
	assert_true(a.ratio_low == b.ratio_low);
	assert_true(a.ratio_high == b.ratio_high);
	blkbench_compare(pairs.first, pairs.second, pairs.count, false, 2, 2,
			 &b);
	assert_true(a.ratio_low != b.ratio_low);
	assert_true(fabs(a.ratio_low / b.ratio_low - 1) < 0.01);
}

/* Half of the pairs have slices ten times as long, and all is slower in them. */
static void ratio_is_of_all_work_over_all_time(void **state)
{
	struct blkbench_comparison c;
	struct pairs pairs = { .count = 10 };

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		pairs.first[i] = slice_of(i % 2 ? 50 * NS_PER_MS : NS_PER_MS);
		pairs.second[i] = slice_of(i % 2 ? 60 * NS_PER_MS : NS_PER_MS);
	}
	c = compare(&pairs, 2);
	assert_true(fabs(c.ratio - 51.0 / 61.0) < 1e-9);
}

static void seeks_are_compared_by_their_number(void **state)
{
	struct blkbench_comparison c;
	struct pairs pairs;

	(void)state;
	fill(&pairs, 8, 1, 0);
	for (size_t i = 0; i < 8; i++)
		pairs.second[i].bytes /= 3;
	blkbench_compare(pairs.first, pairs.second, 8, true, 2, 1, &c);
	assert_int_equal(c.verdict, BLKBENCH_EQUAL);
	assert_int_equal(compare(&pairs, 2).verdict, BLKBENCH_SLOWER);
}

static void few_or_empty_slices_are_undecided(void **state)
{
	struct blkbench_comparison c;
	struct pairs pairs;

	(void)state;
	fill(&pairs, 6, 2, 0);
	for (pairs.count = 0; pairs.count < COMPARE_PAIRS_MIN; pairs.count++) {
		c = compare(&pairs, 2);
		assert_int_equal(c.pairs, pairs.count);
		assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
		assert_true(isnan(c.ratio_low) && isnan(c.ratio_high));
		assert_true(isnan(c.seconds_needed));
		if (pairs.count > 0)
			assert_true(fabs(c.ratio - 0.5) < 1e-9);
		else
			assert_true(isnan(c.ratio));
	}
	/* What a device that hung has left behind is no pair. */
	fill(&pairs, 8, 2, 0);
	memset(pairs.second, 0, 3 * sizeof(pairs.second[0]));
	c = compare(&pairs, 2);
	assert_int_equal(c.pairs, 5);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	memset(pairs.second, 0, sizeof(pairs.second));
	c = compare(&pairs, 2);
	assert_int_equal(c.pairs, 0);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_true(isnan(c.ratio));
}

/* All that one device did it did in one slice. */
static void hopelessly_uneven_slices_are_undecided(void **state)
{
	struct compare_settings settings = { .alpha = 0.05,
					     .equal_percent = 2,
					     .seed = 1 };
	struct blkbench_comparison c;
	struct pairs pairs;

	(void)state;
	fill(&pairs, 8, 1, 0);
	pairs.second[0].bytes *= 1000000;
	compare_pairs(pairs.first, pairs.second, 8, &settings, &c);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_true(isnan(c.ratio_low) && isnan(c.ratio_high));
	assert_true(fabs(c.ratio - 125000.875) < 1e-3);
}

/* Both fall to 70 % while it lasts, and waver together. */
static void common_drift_does_not_move_the_ratio(void **state)
{
	struct blkbench_comparison c;
	struct pairs pairs = { .count = 20 };

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		const double slower = 1 / (1 - 0.3 * (double)i / 19) +
				      (double)(i * 7 % 5) / 10;

		pairs.first[i] = slice_of((uint64_t)(4e6 * slower));
		pairs.second[i] = slice_of((uint64_t)(5e6 * slower));
	}
	c = compare(&pairs, 2);
	assert_true(fabs(c.ratio - 0.8) < 1e-6);
	assert_true(c.ratio_high - c.ratio_low < 1e-4);
}

/* ---- in the long run -------------------------------------------------- */

#define SLICE_S 0.5

static struct blkbench_slice simulate_slice(struct simulated *device,
					    double *now_s)
{
	struct blkbench_slice slice = { 0, 0, 0, 0 };
	double elapsed_s = 0;

	do {
		const double read_s = simulated_read_s(device, *now_s);

		elapsed_s += read_s;
		*now_s += read_s;
		slice.requests++;
	} while (elapsed_s < SLICE_S);
	slice.elapsed_ns = (uint64_t)(elapsed_s * 1e9);
	slice.bytes = slice.requests * MIB;
	return slice;
}

static void simulate(struct pairs *pairs, size_t count, struct simulated *first,
		     struct simulated *second)
{
	double now_s = 0;

	pairs->count = count;
	for (size_t i = 0; i < count; i++) {
		if (i % 2 == 0)
			pairs->first[i] = simulate_slice(first, &now_s);
		pairs->second[i] = simulate_slice(second, &now_s);
		if (i % 2 == 1)
			pairs->first[i] = simulate_slice(first, &now_s);
	}
}

/* Per cent of the intervals that contain the truth. */
static double coverage(enum simulated_kind a, enum simulated_kind b,
		       size_t pairs_count)
{
	const unsigned int trials = 1000 * scale;
	unsigned int hits = 0;

	for (unsigned int i = 0; i < trials; i++) {
		struct blkbench_comparison c;
		struct simulated first, second;
		struct pairs pairs;

		simulated_init(&first, a, 0.004, 2 * i);
		simulated_init(&second, b, 0.005, 2 * i + 1);
		simulate(&pairs, pairs_count, &first, &second);
		blkbench_compare(pairs.first, pairs.second, pairs_count, true,
				 2, i, &c);
		hits += c.ratio_low <= 0.8 && c.ratio_high >= 0.8;
	}
	print_message("# kinds %d and %d, %zu pairs: %.1f %% of %u\n", a, b,
		      pairs_count, hits * 100.0 / trials, trials);
	return hits * 100.0 / trials;
}

/*
 * 93 to 97 %: of 1000, a method that holds 95 % leaves these bounds 1 time in
 * 270.
 */
static void assert_covers(enum simulated_kind a, enum simulated_kind b,
			  size_t pairs_count)
{
	const double percent = coverage(a, b, pairs_count);

	assert_true(percent >= 93 && percent <= 97);
}

static void interval_holds_for_independent_reads(void **state)
{
	(void)state;
	assert_covers(SIMULATED_NORMAL, SIMULATED_NORMAL, 6);
	assert_covers(SIMULATED_NORMAL, SIMULATED_NORMAL, 20);
	assert_covers(SIMULATED_EXPONENTIAL, SIMULATED_NORMAL, 10);
}

static void interval_holds_for_reads_like_the_ones_before(void **state)
{
	(void)state;
	assert_covers(SIMULATED_WAVERING, SIMULATED_WAVERING, 20);
	assert_covers(SIMULATED_WAVERING, SIMULATED_NORMAL, 60);
}

static void interval_holds_for_bimodal_reads(void **state)
{
	(void)state;
	assert_covers(SIMULATED_BIMODAL, SIMULATED_BIMODAL, 10);
	assert_covers(SIMULATED_BIMODAL, SIMULATED_NORMAL, 20);
}

/* ---- the odd one out -------------------------------------------------- */

static void slow_one_of_many_is_the_odd_one(void **state)
{
	/* By Python: median, 1.4826 * MAD of the logarithms. */
	static const double rates[] = { 200, 204, 198, 201, 199, 202, 150 };
	double scores[7];

	(void)state;
	assert_int_equal(blkbench_odd_scores(rates, 7, 2, scores), 0);
	for (size_t i = 0; i < 6; i++)
		assert_true(fabs(scores[i]) < BLKBENCH_ODD_SCORE);
	assert_true(fabs(scores[6] + 19.5007) < 1e-4);
}

static void odd_one_of_three_is_named(void **state)
{
	static const double access_ms[] = { 4.0, 4.4, 4.01 };
	double scores[3];

	(void)state;
	assert_int_equal(blkbench_odd_scores(access_ms, 3, 2, scores), 0);
	assert_true(fabs(scores[0]) < BLKBENCH_ODD_SCORE);
	assert_true(scores[1] > BLKBENCH_ODD_SCORE);
	assert_true(scores[2] == 0);
}

static void what_counts_as_equal_is_not_odd(void **state)
{
	static const double rates[] = { 100, 100, 100, 101.5, 98.6 };
	double scores[5];

	(void)state;
	assert_int_equal(blkbench_odd_scores(rates, 5, 2, scores), 0);
	for (size_t i = 0; i < 5; i++)
		assert_true(fabs(scores[i]) < BLKBENCH_ODD_SCORE);
}

static void nobody_is_odd_among_evenly_spread_ones(void **state)
{
	static const double rates[] = { 100, 120, 140, 160, 180 };
	double scores[5];

	(void)state;
	assert_int_equal(blkbench_odd_scores(rates, 5, 2, scores), 0);
	for (size_t i = 0; i < 5; i++)
		assert_true(fabs(scores[i]) < BLKBENCH_ODD_SCORE);
}

static void unknown_figures_and_two_have_no_odd_one(void **state)
{
	const double rates[] = { 100, NAN, 50, 0 };
	double scores[4];

	(void)state;
	assert_int_equal(blkbench_odd_scores(rates, 4, 2, scores), 0);
	for (size_t i = 0; i < 4; i++)
		assert_true(isnan(scores[i]));
	assert_int_equal(blkbench_odd_scores(rates, 0, 2, scores), 0);
}

static void unknown_figure_among_known_ones_is_left_out(void **state)
{
	const double rates[] = { 100, NAN, 101, 50 };
	double scores[4];

	(void)state;
	assert_int_equal(blkbench_odd_scores(rates, 4, 2, scores), 0);
	assert_true(isnan(scores[1]));
	assert_true(scores[3] < -BLKBENCH_ODD_SCORE);
	assert_true(fabs(scores[2]) < BLKBENCH_ODD_SCORE);
}

static void outcomes_have_names(void **state)
{
	(void)state;
	assert_string_equal(blkbench_outcome_name(BLKBENCH_UNDECIDED),
			    "undecided");
	assert_string_equal(blkbench_outcome_name(BLKBENCH_EQUAL), "equal");
	assert_string_equal(blkbench_outcome_name(BLKBENCH_FASTER), "faster");
	assert_string_equal(blkbench_outcome_name(BLKBENCH_SLOWER), "slower");
}

/* "test_compare 100": a hundred times as many simulated comparisons. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_device_has_the_exact_ratio),
		cmocka_unit_test(what_is_equal_is_for_the_caller_to_say),
		cmocka_unit_test(who_is_named_first_makes_no_difference),
		cmocka_unit_test(the_same_seed_gives_the_same_interval),
		cmocka_unit_test(ratio_is_of_all_work_over_all_time),
		cmocka_unit_test(seeks_are_compared_by_their_number),
		cmocka_unit_test(few_or_empty_slices_are_undecided),
		cmocka_unit_test(hopelessly_uneven_slices_are_undecided),
		cmocka_unit_test(common_drift_does_not_move_the_ratio),
		cmocka_unit_test(interval_holds_for_independent_reads),
		cmocka_unit_test(interval_holds_for_reads_like_the_ones_before),
		cmocka_unit_test(interval_holds_for_bimodal_reads),
		cmocka_unit_test(slow_one_of_many_is_the_odd_one),
		cmocka_unit_test(odd_one_of_three_is_named),
		cmocka_unit_test(what_counts_as_equal_is_not_odd),
		cmocka_unit_test(nobody_is_odd_among_evenly_spread_ones),
		cmocka_unit_test(unknown_figures_and_two_have_no_odd_one),
		cmocka_unit_test(unknown_figure_among_known_ones_is_left_out),
		cmocka_unit_test(outcomes_have_names),
	};

	if (argc > 1)
		scale = (unsigned int)strtoul(argv[1], NULL, 10);
	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
