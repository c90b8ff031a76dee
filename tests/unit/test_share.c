/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "share.h"

#include <math.h>

#include "clock.h"
#include "test.h"

#define SLICES 12
#define LANES 4
#define NEAR 1e-6

/* Four devices; what each did in a slice alone, and what together. */
struct scene {
	struct blkbench_slice alone[LANES][SLICES];
	struct blkbench_slice together[LANES][SLICES];
	struct share_lane lanes[LANES];
	struct compare_settings settings;
};

/* Of half a second; the rate is one of MB/s and one of reads/s. */
static struct blkbench_slice slice_of(double rate)
{
	return (struct blkbench_slice){
		.elapsed_ns = NS_PER_S / 2,
		.requests = (uint64_t)(rate / 2),
		.bytes = (uint64_t)(rate / 2 * 1e6),
	};
}

/* Slices are up to 1 % above and below the rate, in two orders. */
static void set(struct scene *scene, size_t lane, double alone, double together)
{
	for (size_t i = 0; i < SLICES; i++) {
		scene->alone[lane][i] = slice_of(alone * (i % 2 ? 1.01 : 0.99));
		scene->together[lane][i] =
			slice_of(together * (1 + 0.01 * ((double)(i % 3) - 1)));
	}
}

static void init(struct scene *scene, double alone, double together)
{
	scene->settings = (struct compare_settings){
		.equal_percent = 2,
		.seed = 1,
	};
	for (size_t lane = 0; lane < LANES; lane++) {
		scene->lanes[lane] = (struct share_lane){
			.alone = scene->alone[lane],
			.together = scene->together[lane],
		};
		set(scene, lane, alone, together);
	}
}

static struct blkbench_share all_of(const struct scene *scene, size_t count)
{
	struct blkbench_share share;

	assert_int_equal(share_of_all(scene->lanes, LANES, count,
				      &scene->settings, &share),
			 0);
	return share;
}

static struct blkbench_share one_of(const struct scene *scene, size_t lane,
				    size_t count)
{
	struct blkbench_share share;

	share_of_one(&scene->lanes[lane], count, &scene->settings, &share);
	return share;
}

static void four_that_share_the_rate_of_one_are_limited(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 25);
	share = all_of(&scene, SLICES);
	assert_float_equal(share.alone, 400e6, NEAR);
	assert_float_equal(share.together, 100e6, NEAR);
	assert_float_equal(share.percent, 25, NEAR);
	assert_true(share.percent_low > 24 && share.percent_low < 25);
	assert_true(share.percent_high > 25 && share.percent_high < 26);
	assert_int_equal(share.slices, SLICES);
	assert_int_equal(share.verdict, BLKBENCH_LIMITED);

	share = one_of(&scene, 3, SLICES);
	assert_float_equal(share.alone, 100e6, NEAR);
	assert_float_equal(share.together, 25e6, NEAR);
	assert_float_equal(share.percent, 25, NEAR);
	assert_int_equal(share.verdict, BLKBENCH_LIMITED);
}

static void four_that_do_as_well_together_are_not_limited(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 100);
	share = all_of(&scene, SLICES);
	assert_float_equal(share.together, 400e6, NEAR);
	assert_float_equal(share.percent, 100, NEAR);
	assert_int_equal(share.verdict, BLKBENCH_NOT_LIMITED);
}

static void what_is_faster_together_is_not_limited(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene, 100, 130);
	assert_int_equal(all_of(&scene, SLICES).verdict, BLKBENCH_NOT_LIMITED);
}

/* The one below 98 % of which the interval reaches above it is neither. */
static void an_interval_about_what_is_equal_decides_nothing(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 99);
	for (size_t i = 0; i < SLICES; i++)
		scene.together[0][i] = slice_of(i % 3 ? 60 : 175);
	share = one_of(&scene, 0, SLICES);
	assert_true(share.percent_low < 98 && share.percent_high > 100);
	assert_int_equal(share.verdict, BLKBENCH_LIMIT_UNDECIDED);
}

/* One device can be held up by others that are not. */
static void unlike_devices_have_shares_of_their_own(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 100);
	set(&scene, 1, 500, 200);
	share = all_of(&scene, SLICES);
	assert_float_equal(share.alone, 800e6, NEAR);
	assert_float_equal(share.together, 500e6, NEAR);
	assert_float_equal(share.percent, 62.5, NEAR);
	assert_int_equal(share.verdict, BLKBENCH_LIMITED);
	assert_int_equal(one_of(&scene, 0, SLICES).verdict,
			 BLKBENCH_NOT_LIMITED);
	assert_float_equal(one_of(&scene, 1, SLICES).percent, 40, NEAR);
}

static void of_seek_tests_reads_are_counted(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 1000, 600);
	scene.settings.is_seek = true;
	share = all_of(&scene, SLICES);
	assert_float_equal(share.alone, 4000, NEAR);
	assert_float_equal(share.together, 2400, NEAR);
	assert_float_equal(share.percent, 60, NEAR);
	assert_int_equal(share.verdict, BLKBENCH_LIMITED);
}

/* A rate is all work over all time, also of slices that are not alike. */
static void longer_slices_count_for_more(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 100);
	for (size_t i = 0; i < SLICES; i++)
		scene.together[0][i] = (struct blkbench_slice){
			.elapsed_ns = i % 2 ? 3 * NS_PER_S : NS_PER_S,
			.bytes = i % 2 ? 150000000 : 90000000,
		};
	share = one_of(&scene, 0, SLICES);
	assert_float_equal(share.together, 60e6, NEAR);
	assert_float_equal(share.percent, 60, NEAR);
}

static void a_pair_in_which_one_did_nothing_is_left_out(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 25);
	scene.together[2][5] = (struct blkbench_slice){ .elapsed_ns = 1 };
	scene.alone[1][7] = (struct blkbench_slice){ 0 };
	share = all_of(&scene, SLICES);
	assert_int_equal(share.slices, SLICES - 2);
	assert_float_equal(share.percent, 25, 0.2);
	assert_int_equal(one_of(&scene, 2, SLICES).slices, SLICES - 1);
	assert_int_equal(one_of(&scene, 0, SLICES).slices, SLICES);
}

static void few_slices_give_a_share_and_no_verdict(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene, 100, 25);
	share = all_of(&scene, 4);
	assert_float_equal(share.percent, 25, 0.1);
	assert_true(isnan(share.percent_low) && isnan(share.percent_high));
	assert_int_equal(share.verdict, BLKBENCH_LIMIT_UNDECIDED);
}

static void without_slices_nothing_is_known(void **state)
{
	struct scene scene;
	struct blkbench_share shares[2];

	(void)state;
	init(&scene, 100, 25);
	shares[0] = all_of(&scene, 0);
	shares[1] = one_of(&scene, 0, 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(shares[i].slices, 0);
		assert_true(isnan(shares[i].alone));
		assert_true(isnan(shares[i].together));
		assert_true(isnan(shares[i].percent));
		assert_true(isnan(shares[i].percent_low));
		assert_int_equal(shares[i].verdict, BLKBENCH_LIMIT_UNDECIDED);
	}
}

static void verdicts_have_names(void **state)
{
	(void)state;
	assert_string_equal(blkbench_limit_name(BLKBENCH_LIMIT_UNDECIDED),
			    "undecided");
	assert_string_equal(blkbench_limit_name(BLKBENCH_NOT_LIMITED),
			    "not limited");
	assert_string_equal(blkbench_limit_name(BLKBENCH_LIMITED), "limited");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_that_share_the_rate_of_one_are_limited),
		cmocka_unit_test(four_that_do_as_well_together_are_not_limited),
		cmocka_unit_test(what_is_faster_together_is_not_limited),
		cmocka_unit_test(
			an_interval_about_what_is_equal_decides_nothing),
		cmocka_unit_test(unlike_devices_have_shares_of_their_own),
		cmocka_unit_test(of_seek_tests_reads_are_counted),
		cmocka_unit_test(longer_slices_count_for_more),
		cmocka_unit_test(a_pair_in_which_one_did_nothing_is_left_out),
		cmocka_unit_test(few_slices_give_a_share_and_no_verdict),
		cmocka_unit_test(without_slices_nothing_is_known),
		cmocka_unit_test(verdicts_have_names),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
