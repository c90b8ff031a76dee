/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "limit.h"

#define ENTRIES_MAX 4

/* One device with one step, of which each entry is a repeat. */
struct fixture {
	struct options options;
	struct blkbench_info info;
	struct run_step step;
	struct run_entry entries[ENTRIES_MAX];
	struct run_device device;
};

static void fixture_init(struct fixture *f, char letter)
{
	const struct blkbench_test *tests;
	size_t count, i;

	memset(f, 0, sizeof(*f));
	f->options.min_rate_mb = NAN;
	f->options.min_seeks_per_s = NAN;
	f->options.max_access_ms = NAN;
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (tests[i].letter == letter)
			f->step.test = &tests[i];
	f->step.plans_count = 1;
	f->device.info = &f->info;
	f->device.steps = &f->step;
	f->device.steps_count = 1;
	f->device.entries = f->entries;
}

static void add_rate(struct fixture *f, double rate)
{
	struct run_entry *entry = &f->entries[f->device.entries_count++];

	entry->step = &f->step;
	entry->is_measured = true;
	entry->result.plan = f->step.plans[0];
	entry->result.rate_bytes_per_s = rate;
	entry->result.curve.min_rate_bytes_per_s = rate / 2;
}

static void judge(struct fixture *f)
{
	assert_int_equal(limits_judge(&f->options, &f->device), 0);
}

static void assert_text(const struct fixture *f, const char *expected)
{
	char text[BLKBENCH_TEXT_MAX];

	assert_string_equal(limits_text(&f->device.limits[0], text), expected);
}

static void rate_is_held_against_what_is_asked(void **state)
{
	static const struct {
		double rate;
		enum blkbench_answer is_met;
	} cases[] = {
		{ 234e6, BLKBENCH_YES },
		{ 200e6, BLKBENCH_YES },
		{ 99.32e6, BLKBENCH_NO },
		{ NAN, BLKBENCH_NOT_KNOWN },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_init(&f, 'q');
		f.options.min_rate_mb = 200;
		add_rate(&f, cases[i].rate);
		judge(&f);
		assert_int_equal(f.device.limits_count, 1);
		assert_int_equal(f.device.limits[0].is_met, cases[i].is_met);
		assert_true(f.device.limits[0].asked == 200e6);
		if (cases[i].is_met == BLKBENCH_NO)
			assert_text(&f, "sequential: 99.32 MB/s, below "
					"--min-rate 200");
		if (cases[i].is_met == BLKBENCH_NOT_KNOWN)
			assert_text(&f, "sequential: nothing was measured for "
					"--min-rate");
		free(f.device.limits);
	}
}

static void median_of_the_repeats_counts(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 't');
	f.options.min_rate_mb = 150;
	add_rate(&f, 99e6);
	add_rate(&f, 234e6);
	add_rate(&f, 149e6);
	judge(&f);
	assert_int_equal(f.device.limits[0].is_met, BLKBENCH_NO);
	assert_text(&f, "timed: 149.00 MB/s (median of 3), below --min-rate "
			"150");
	free(f.device.limits);
}

static void of_zones_the_slowest_place_counts(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 'z');
	f.step.plans[0].pattern = BLKBENCH_PATTERN_PLACES;
	f.options.min_rate_mb = 60;
	add_rate(&f, 100e6);
	judge(&f);
	assert_text(&f, "zones: 50.00 MB/s at the slowest place, below "
			"--min-rate 60");
	free(f.device.limits);
}

static void of_zones_a_place_without_a_rate_may_be_the_slowest(void **state)
{
	static const struct {
		double min_rate_mb;
		enum blkbench_answer is_met;
		const char *text;
	} cases[] = {
		{ 40, BLKBENCH_NOT_KNOWN,
		  "zones: not all places were measured for --min-rate" },
		{ 60, BLKBENCH_NO,
		  "zones: 50.00 MB/s at the slowest place, below "
		  "--min-rate 60" },
	};
	struct blkbench_zone zones[] = {
		{ .rate_bytes_per_s = 100e6 },
		{ .rate_bytes_per_s = NAN },
		{ .rate_bytes_per_s = 50e6 },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_init(&f, 'z');
		f.step.plans[0].pattern = BLKBENCH_PATTERN_PLACES;
		f.options.min_rate_mb = cases[i].min_rate_mb;
		add_rate(&f, 100e6);
		f.entries[0].result.zones = zones;
		f.entries[0].result.zones_count = 3;
		judge(&f);
		assert_int_equal(f.device.limits[0].is_met, cases[i].is_met);
		assert_text(&f, cases[i].text);
		free(f.device.limits);
	}
}

static void what_is_cut_short_is_not_judged(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 'q');
	f.options.min_rate_mb = 200;
	add_rate(&f, 99e6);
	f.entries[0].result.is_partial = true;
	judge(&f);
	assert_int_equal(f.device.limits[0].is_met, BLKBENCH_NOT_KNOWN);
	free(f.device.limits);
}

static void repeats_from_a_cache_count_by_the_first_that_ended(void **state)
{
	struct blkbench_estimate *runs;
	struct fixture f;
	size_t count;

	(void)state;
	fixture_init(&f, 't');
	f.step.repeats_warnings[0].code = "cache";
	f.options.min_rate_mb = 150;
	add_rate(&f, 1e6);
	f.entries[0].is_measured = false;
	add_rate(&f, 2e6);
	f.entries[1].result.is_partial = true;
	add_rate(&f, 99e6);
	add_rate(&f, 900e6);
	judge(&f);
	assert_text(&f, "timed: 99.00 MB/s, below --min-rate 150");
	assert_int_equal(figure_gather(&f.device, &f.step, 0, &figure_rate,
				       &runs, &count),
			 0);
	assert_int_equal(count, 1);
	assert_true(runs[0].value == 99e6);
	free(runs);
	free(f.device.limits);
}

static void each_figure_has_its_own_interval(void **state)
{
	static const struct {
		const struct figure *figure;
		double ci95_percent;
	} cases[] = {
		{ &figure_access, 7 },
		{ &figure_seeks, 3 },
		{ &figure_rate, 3 },
	};
	struct blkbench_estimate *runs;
	struct fixture f;
	size_t count;

	(void)state;
	fixture_init(&f, 's');
	add_rate(&f, 1e6);
	f.entries[0].result.access_ms = 4;
	f.entries[0].result.seeks_per_s = 250;
	f.entries[0].result.rate_ci95_percent = 3;
	f.entries[0].result.access_ci95_percent = 7;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(figure_gather(&f.device, &f.step, 0,
					       cases[i].figure, &runs, &count),
				 0);
		assert_int_equal(count, 1);
		assert_true(runs[0].ci95_percent == cases[i].ci95_percent);
		free(runs);
	}
}

static void memory_has_no_minimum_rate(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 'T');
	f.options.min_rate_mb = 200;
	add_rate(&f, 99e6);
	judge(&f);
	assert_int_equal(f.device.limits_count, 0);
	free(f.device.limits);
}

static void alignment_is_one_of_them(void **state)
{
	static const struct {
		enum blkbench_verdict verdict;
		enum blkbench_answer is_met;
	} cases[] = {
		{ BLKBENCH_ALIGNED, BLKBENCH_YES },
		{ BLKBENCH_MISALIGNED, BLKBENCH_NO },
		{ BLKBENCH_ALIGNMENT_UNKNOWN, BLKBENCH_NOT_KNOWN },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_init(&f, 'q');
		f.options.is_alignment_required = true;
		f.info.alignment.verdict = cases[i].verdict;
		judge(&f);
		assert_int_equal(f.device.limits_count, 1);
		assert_int_equal(f.device.limits[0].is_met, cases[i].is_met);
		assert_string_equal(limits_key(&f.device.limits[0]),
				    "require_aligned");
		assert_text(&f, "alignment: misaligned (--require-aligned)");
		free(f.device.limits);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rate_is_held_against_what_is_asked),
		cmocka_unit_test(median_of_the_repeats_counts),
		cmocka_unit_test(of_zones_the_slowest_place_counts),
		cmocka_unit_test(
			of_zones_a_place_without_a_rate_may_be_the_slowest),
		cmocka_unit_test(what_is_cut_short_is_not_judged),
		cmocka_unit_test(
			repeats_from_a_cache_count_by_the_first_that_ended),
		cmocka_unit_test(each_figure_has_its_own_interval),
		cmocka_unit_test(memory_has_no_minimum_rate),
		cmocka_unit_test(alignment_is_one_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
