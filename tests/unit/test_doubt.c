/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "doubt.h"

#include <math.h>
#include <string.h>

#include "result.h"
#include "result_fixture.h"
#include "test.h"

#define SECOND 1000000000ULL
#define MS (SECOND / 1000)

static const char *warning(struct result_fixture *f, const char *code)
{
	assert_int_equal(
		result_summarise(&f->result, &f->histogram, &f->slices), 0);
	doubt_find(&f->result, &f->limits);
	blkbench_result_finish(&f->result);
	for (size_t i = 0; i < f->result.warnings_count; i++)
		if (strcmp(f->result.warnings[i].code, code) == 0)
			return f->result.warnings[i].text;
	return NULL;
}

static void depth_that_was_kept_is_no_warning(void **state)
{
	static struct result_fixture f;

	(void)state;
	/* 32 in flight of 4 ms each: 8000 in a second. */
	result_fixture_init(&f, 32, 8000, SECOND / 250);
	assert_null(warning(&f, "depth"));
}

static void depth_that_was_not_reached_is_a_warning(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	result_fixture_init(&f, 32, 80000, 5000); /* 0.4 of them */
	text = warning(&f, "depth");
	assert_non_null(text);
	assert_non_null(strstr(text, "only 0.4 of 32"));
	assert_non_null(strstr(text, "pread"));
}

static void page_cache_is_a_warning(void **state)
{
	static struct result_fixture f;

	(void)state;
	result_fixture_init(&f, 1, 1000, 900000);
	assert_null(warning(&f, "cache"));
	result_fixture_init(&f, 1, 1000, 900000);
	f.result.plan.is_direct = false;
	assert_non_null(warning(&f, "cache"));
	result_fixture_init(&f, 1, 1000, 900000);
	f.result.plan.is_direct = false;
	f.result.plan.pattern = BLKBENCH_PATTERN_REPEAT;
	assert_null(warning(&f, "cache"));
}

static void range_that_was_read_again_is_a_warning(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	result_fixture_init(&f, 1, 366211, 2000); /* 1.5 GB of 1 GB */
	f.result.passes = 2;
	text = warning(&f, "small");
	assert_non_null(text);
	assert_non_null(strstr(text, "range of 1000 MB was read 1.5 times"));
}

/* As if the test went on for so many slices of 100 ms, each with so many reads. */
static void init_slices(struct result_fixture *f, const uint64_t *requests,
			size_t count)
{
	result_fixture_init(f, 1, 0, 0);
	f->result.warmup_ns = 4000000;
	for (size_t i = 0; i < count; i++) {
		f->slices.closed[i] = (struct blkbench_slice){
			.elapsed_ns = SECOND / 10,
			.requests = requests[i],
			.bytes = requests[i] * 4096,
		};
		f->result.requests += requests[i];
		for (uint64_t k = 0; k < requests[i]; k++)
			histogram_add(&f->histogram, 4000000);
	}
	f->slices.count = count;
	f->result.elapsed_ns = count * SECOND / 10;
	f->result.bytes = f->result.requests * 4096;
	f->result.plan.precision_percent = 5;
}

static void assert_no_warnings(struct result_fixture *f)
{
	assert_null(warning(f, "none"));
	assert_int_equal(f->result.warnings_count, 0);
}

static const uint64_t even[] = { 25, 25, 25, 25, 25, 25, 25, 25, 25, 25 };

static void quiet_device_has_no_warning(void **state)
{
	static struct result_fixture f;
	/* As 7200 rpm: some 10 seeks in 100 ms, evenly between 4 and 16 ms. */
	static const uint64_t disk[] = { 10, 11, 9, 12, 10, 8,	9, 11, 10, 10,
					 11, 9,	 8, 10, 12, 10, 9, 11, 10, 9 };

	(void)state;
	init_slices(&f, even, 10);
	assert_no_warnings(&f);
	init_slices(&f, disk, 20);
	assert_no_warnings(&f);
}

static void first_read_that_took_long_is_a_sleeping_device(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	init_slices(&f, even, 10);
	f.result.warmup_ns = 3 * SECOND;
	text = warning(&f, "asleep");
	assert_non_null(text);
	assert_non_null(strstr(text, "took 3 s, of the others 99 % not over 4 "
				     "ms"));
	init_slices(&f, even, 10);
	f.result.warmup_ns = 299999999;
	assert_no_warnings(&f);
}

/* Of a device whose every read takes 200 ms, 1.9 s is no sleep. */
static void first_read_of_a_slow_device_may_be_slow(void **state)
{
	static struct result_fixture f;

	(void)state;
	init_slices(&f, even, 10);
	for (size_t i = 0; i < 250; i++)
		histogram_add(&f.histogram, SECOND / 5);
	f.result.warmup_ns = 19 * SECOND / 10;
	assert_null(warning(&f, "asleep"));
	f.result.warnings_count = 0;
	f.result.warmup_ns = 21 * SECOND / 10;
	assert_non_null(warning(&f, "asleep"));
}

static void figure_without_an_interval_has_too_few_reads(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	init_slices(&f, even, 5);
	text = warning(&f, "few");
	assert_non_null(text);
	assert_non_null(strstr(text, "0.5 s (125 reads) is too short"));
	/* Nothing at all is told by "n/a", what was cut short by "partial". */
	init_slices(&f, even, 0);
	assert_null(warning(&f, "few"));
	init_slices(&f, even, 5);
	f.result.is_partial = true;
	assert_null(warning(&f, "few"));
}

static void interval_that_was_asked_for_takes_so_long(void **state)
{
	static struct result_fixture f;
	static const uint64_t uneven[] = { 24, 26, 25, 24, 26,
					   26, 24, 25, 26, 24 };
	const char *text;

	(void)state;
	/* s = 0.943 of 25, 1 s, and a correlation that counts as -0.05:
	 * 2.262 * s / sqrt(10) / 25 * sqrt(0.95 / 1.05) = 2.566 %. */
	init_slices(&f, uneven, 10);
	f.result.plan.precision_percent = 0.2566;
	f.result.plan.is_precision_asked = true;
	text = warning(&f, "few");
	assert_non_null(text);
	assert_non_null(strstr(text, "±2.6 % and not ±0.26 %"));
	assert_non_null(strstr(text, "about 100 s"));
	/* The default is a time to stop early, and no promise. */
	init_slices(&f, uneven, 10);
	f.result.plan.precision_percent = 0.2566;
	assert_no_warnings(&f);
	init_slices(&f, uneven, 10);
	f.result.plan.precision_percent = 2.57;
	f.result.plan.is_precision_asked = true;
	assert_no_warnings(&f);
}

static void rate_that_varies_is_a_warning(void **state)
{
	static struct result_fixture f;
	static const uint64_t by_19[] = { 82,  118, 118, 82,  82,
					  118, 118, 82,	 100, 100 };
	static const uint64_t by_21[] = { 80,  120, 120, 80,  80,
					  120, 120, 80,	 120, 80 };
	const char *text;

	(void)state;
	init_slices(&f, by_19, 10); /* 17 % */
	assert_no_warnings(&f);
	init_slices(&f, by_21, 10);
	text = warning(&f, "unsteady");
	assert_non_null(text);
	assert_non_null(strstr(text, "varied by 21 %"));
	assert_int_equal(f.result.warnings_count, 1);
	assert_true(f.result.rate_spread_percent > 21.08);
	assert_true(f.result.rate_spread_percent < 21.09);
}

/* What others do with the CPUs has a course as well. */
static void course_on_a_busy_machine_is_that_of_the_machine(void **state)
{
	static struct result_fixture f;
	static const uint64_t rising[] = { 50,	70,  90,  110, 130,
					   150, 170, 190, 210, 230 };
	const char *text;

	(void)state;
	init_slices(&f, rising, 10);
	f.result.cpu_pressure_percent = 25;
	assert_null(warning(&f, "rising"));
	init_slices(&f, rising, 10);
	f.result.cpu_pressure_percent = 25;
	text = warning(&f, "unsteady");
	assert_non_null(text);
	assert_non_null(strstr(text, "25 % of the time there were too few "
				     "CPUs"));
	init_slices(&f, rising, 10);
	f.result.cpu_pressure_percent = 19;
	assert_non_null(warning(&f, "rising"));
	init_slices(&f, rising, 10);
	f.result.cpu_pressure_percent = NAN;
	assert_non_null(warning(&f, "rising"));
}

static void rate_that_rises_or_falls_is_a_warning(void **state)
{
	static struct result_fixture f;
	/* By 9 in each tenth, 90 in all, of 140.5. */
	static const uint64_t rising[] = { 100, 109, 118, 127, 136,
					   145, 154, 163, 172, 181 };
	static const uint64_t falling[] = { 181, 172, 163, 154, 145,
					    136, 127, 118, 109, 100 };
	/* As far, and as far back. */
	static const uint64_t hill[] = { 100, 118, 136, 154, 172,
					 172, 154, 136, 118, 100 };
	const char *text;

	(void)state;
	init_slices(&f, rising, 10);
	text = warning(&f, "rising");
	assert_non_null(text);
	assert_non_null(strstr(text, "rose by 64 %"));
	assert_int_equal(f.result.warnings_count, 1);
	init_slices(&f, falling, 10);
	text = warning(&f, "rising");
	assert_non_null(text);
	assert_non_null(strstr(text, "fell by 64 %"));
	init_slices(&f, hill, 10);
	assert_null(warning(&f, "rising"));
}

static void small_rise_is_no_warning(void **state)
{
	static struct result_fixture f;
	/* By 2 in each tenth, 20 in all, of 109: 18 %. */
	static const uint64_t rising[] = { 100, 102, 104, 106, 108,
					   110, 112, 114, 116, 118 };

	(void)state;
	init_slices(&f, rising, 10);
	assert_no_warnings(&f);
}

static void zeros_are_a_warning_from_a_tenth_on(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	init_slices(&f, even, 10);
	f.result.zero_percent = NAN;
	assert_no_warnings(&f);
	init_slices(&f, even, 10);
	f.result.zero_percent = 9.9;
	assert_no_warnings(&f);
	init_slices(&f, even, 10);
	f.result.zero_percent = 49.6;
	text = warning(&f, "zeros");
	assert_non_null(text);
	assert_non_null(strstr(text, "50 % of what was read is zeros"));
}

static void traffic_of_others_is_a_warning_from_2_percent_on(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	/* 250 reads of 4096 bytes: 1024000. */
	init_slices(&f, even, 10);
	f.result.other_read_bytes = 20000;
	f.result.other_layer = "sda";
	assert_no_warnings(&f);
	init_slices(&f, even, 10);
	f.result.other_read_bytes = BLKBENCH_UNKNOWN;
	f.result.other_written_bytes = BLKBENCH_UNKNOWN;
	assert_no_warnings(&f);
	init_slices(&f, even, 10);
	f.result.other_read_bytes = 204800;
	f.result.other_written_bytes = 51200;
	f.result.other_layer = "sda";
	text = warning(&f, "busy");
	assert_non_null(text);
	assert_non_null(strstr(text, "read 0.2048 MB and wrote 0.0512 MB of "
				     "sda meanwhile, 25 % of"));
}

static void init_hits(struct result_fixture *f, uint64_t elapsed_ns)
{
	result_fixture_init(f, 1, 100, 50000);
	for (size_t i = 0; i < 400; i++)
		histogram_add(&f->histogram, 5000000);
	f->result.requests = 500;
	f->result.elapsed_ns = elapsed_ns;
}

static void cache_is_a_warning_with_its_evidence(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	/* 1 GB in 100 s, then 0.3 GB in 10 s. */
	result_fixture_init(&f, 1, 1300, SECOND / 12);
	f.result.plan.test = "timed";
	f.result.plan.pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	f.result.plan.is_seek = false;
	f.result.bytes = 1300000000;
	f.result.first_pass_ns = 100 * SECOND;
	f.result.elapsed_ns = 110 * SECOND;
	f.result.passes = 2;
	text = warning(&f, "cache");
	assert_non_null(text);
	assert_non_null(strstr(text, "of 1000 MB went at 10 MB/s, which is the "
				     "figure, later ones at 30 MB/s"));
	assert_int_equal(f.result.warnings_count, 1);

	init_hits(&f, 2 * SECOND);
	text = warning(&f, "cache");
	assert_non_null(text);
	assert_non_null(strstr(text, "answered 20.0 % of the reads, in "
				     "0.0499 ms"));
	assert_non_null(strstr(text, "took 5 ms"));

	init_hits(&f, 2 * SECOND - 1);
	text = warning(&f, "cache");
	assert_non_null(text);
	assert_non_null(strstr(text, "20.0 % of the reads took 0.0499 ms on "
				     "average, the others 5 ms: a cache may"));
}

static void set_limit(struct doubt_limit *limit, uint64_t value, size_t layers)
{
	limit->value = value;
	limit->layers = layers;
	limit->layer = "sda";
	strcpy(limit->file, "/a/file");
}

/* 1000 reads of 4096 bytes in a second. */
static void rate_of_a_cgroup_limit_is_a_warning(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.bytes_per_s, 4200000, 1);
	text = warning(&f, "throttled");
	assert_non_null(text);
	assert_non_null(strstr(text,
			       "4.096 MB/s were read, and a cgroup limits "
			       "reads of sda to 4.2:"));
	assert_non_null(strstr(text, "(/a/file)"));
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.bytes_per_s, 4600000, 1);
	assert_null(warning(&f, "throttled"));
	/* It cannot have been this one, unless two share the reads. */
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.bytes_per_s, 3000000, 1);
	assert_null(warning(&f, "throttled"));
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.bytes_per_s, 2000000, 2);
	assert_non_null(warning(&f, "throttled"));
}

static void number_of_a_cgroup_limit_is_a_warning(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.reads_per_s, 1010, 1);
	text = warning(&f, "throttled");
	assert_non_null(text);
	assert_non_null(strstr(text, "1000 reads/s were done, and a cgroup "
				     "limits those of sda to 1010:"));
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.reads_per_s, 1200, 1);
	assert_null(warning(&f, "throttled"));
	/* Of 4 KiB, in pieces of 1 KiB. */
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.reads_per_s, 4000, 1);
	f.limits.reads_per_s.request_bytes = 1024;
	assert_non_null(warning(&f, "throttled"));
}

static void queue_that_takes_fewer_is_a_warning(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	result_fixture_init(&f, 32, 32000, MS);
	set_limit(&f.limits.in_flight, 1, 1);
	text = warning(&f, "throttled");
	assert_non_null(text);
	assert_non_null(strstr(text, "32 reads were in flight, of which sda "
				     "takes 1 at a time (/a/file)"));
	result_fixture_init(&f, 32, 32000, MS);
	set_limit(&f.limits.in_flight, 16, 2);
	text = warning(&f, "throttled");
	assert_non_null(text);
	assert_non_null(strstr(text, "of which the 2 disks take 16 at a time"));
	/* A few less, and one at a time. */
	result_fixture_init(&f, 32, 32000, MS);
	set_limit(&f.limits.in_flight, 31, 1);
	assert_null(warning(&f, "throttled"));
	result_fixture_init(&f, 1, 1000, MS);
	set_limit(&f.limits.in_flight, 1, 1);
	assert_null(warning(&f, "throttled"));
}

static void read_ahead_that_is_off_is_a_warning(void **state)
{
	static struct result_fixture f;
	const char *text;

	(void)state;
	result_fixture_init(&f, 1, 1000, MS);
	f.result.plan.pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	f.result.plan.is_direct = false;
	set_limit(&f.limits.read_ahead, 0, 1);
	text = warning(&f, "throttled");
	assert_non_null(text);
	assert_non_null(strstr(text, "read-ahead of sda is off"));
	f.result.warnings_count = 0;
	f.limits.read_ahead.value = 131072;
	assert_null(warning(&f, "throttled"));
	f.result.warnings_count = 0;
	f.limits.read_ahead.value = 0;
	f.result.plan.is_direct = true;
	assert_null(warning(&f, "throttled"));
}

static void without_a_read_nothing_is_throttled(void **state)
{
	static struct result_fixture f;

	(void)state;
	result_fixture_init(&f, 32, 0, MS);
	set_limit(&f.limits.bytes_per_s, 0, 1);
	set_limit(&f.limits.in_flight, 1, 1);
	assert_null(warning(&f, "throttled"));
}

/* Runs of so many MB/s, known to a twentieth. */
static bool doubt_runs_of(const double *rates, size_t count,
			  enum blkbench_pattern pattern, double ci95_percent,
			  struct blkbench_warning *warning)
{
	static struct blkbench_result results[8];
	const struct blkbench_result *runs[8];

	for (size_t i = 0; i < count; i++) {
		results[i] = (struct blkbench_result){
			.plan = { .test = "timed",
				  .pattern = pattern,
				  .is_direct = true },
			.rate_bytes_per_s = rates[i] * 1e6,
			.rate_ci95_percent = ci95_percent,
			.cpu_pressure_percent = NAN,
		};
		runs[i] = &results[i];
	}
	return blkbench_repeats_doubt(runs, count, warning);
}

static bool doubt_runs(const double *rates, size_t count,
		       enum blkbench_pattern pattern,
		       struct blkbench_warning *warning)
{
	return doubt_runs_of(rates, count, pattern, 5, warning);
}

static void repeats_that_a_cache_answered_are_told(void **state)
{
	static const double rates[] = { 99, 184, 234 };
	static const double first_is_slow[] = { 99, 234, 184 };
	static const double later[] = { 99, 101, 234 };
	struct blkbench_warning warning;

	(void)state;
	assert_true(
		doubt_runs(rates, 3, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	assert_string_equal(warning.code, "cache");
	assert_string_equal(warning.test, "timed");
	assert_non_null(strstr(warning.text,
			       "from 99 MB/s in the first to 234 in the last "
			       "of 3 runs"));
	assert_true(doubt_runs(first_is_slow, 3, BLKBENCH_PATTERN_SEQUENTIAL,
			       &warning));
	assert_string_equal(warning.code, "cache");
	assert_true(
		doubt_runs(later, 3, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	assert_string_equal(warning.code, "rising");
	/* Of other blocks a cache that fills is a guess. */
	assert_true(doubt_runs(rates, 3, BLKBENCH_PATTERN_RANDOM, &warning));
	assert_string_equal(warning.code, "rising");
	assert_non_null(strstr(warning.text, "rose from 99 to 234 MB/s"));
}

static void repeats_that_fall_are_told(void **state)
{
	static const double rates[] = { 234, 184, 99 };
	struct blkbench_warning warning;

	(void)state;
	assert_true(
		doubt_runs(rates, 3, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	assert_string_equal(warning.code, "rising");
	assert_non_null(strstr(warning.text, "fell from 234 to 99 MB/s"));
}

static void repeats_of_one_rate_are_no_warning(void **state)
{
	static const double steady[] = { 100, 104, 97, 110, 92 };
	static const double little[] = { 100, 105, 119 };
	static const double back[] = { 100, 150, 99, 160 };
	struct blkbench_warning warning;

	(void)state;
	assert_false(
		doubt_runs(steady, 5, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	assert_false(
		doubt_runs(little, 3, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	assert_false(
		doubt_runs(back, 4, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	assert_false(
		doubt_runs(back, 1, BLKBENCH_PATTERN_SEQUENTIAL, &warning));
	/* Two runs differ one way or the other. */
	assert_false(doubt_runs(back, 2, BLKBENCH_PATTERN_RANDOM, &warning));
}

static void repeats_too_short_for_an_interval_are_no_warning(void **state)
{
	static const double rates[] = { 99, 184, 234 };
	struct blkbench_warning warning;

	(void)state;
	assert_false(doubt_runs_of(rates, 3, BLKBENCH_PATTERN_SEQUENTIAL, NAN,
				   &warning));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_that_was_kept_is_no_warning),
		cmocka_unit_test(depth_that_was_not_reached_is_a_warning),
		cmocka_unit_test(page_cache_is_a_warning),
		cmocka_unit_test(range_that_was_read_again_is_a_warning),
		cmocka_unit_test(quiet_device_has_no_warning),
		cmocka_unit_test(
			first_read_that_took_long_is_a_sleeping_device),
		cmocka_unit_test(first_read_of_a_slow_device_may_be_slow),
		cmocka_unit_test(figure_without_an_interval_has_too_few_reads),
		cmocka_unit_test(interval_that_was_asked_for_takes_so_long),
		cmocka_unit_test(rate_that_varies_is_a_warning),
		cmocka_unit_test(rate_that_rises_or_falls_is_a_warning),
		cmocka_unit_test(zeros_are_a_warning_from_a_tenth_on),
		cmocka_unit_test(
			traffic_of_others_is_a_warning_from_2_percent_on),
		cmocka_unit_test(cache_is_a_warning_with_its_evidence),
		cmocka_unit_test(rate_of_a_cgroup_limit_is_a_warning),
		cmocka_unit_test(number_of_a_cgroup_limit_is_a_warning),
		cmocka_unit_test(queue_that_takes_fewer_is_a_warning),
		cmocka_unit_test(read_ahead_that_is_off_is_a_warning),
		cmocka_unit_test(without_a_read_nothing_is_throttled),
		cmocka_unit_test(
			course_on_a_busy_machine_is_that_of_the_machine),
		cmocka_unit_test(repeats_that_a_cache_answered_are_told),
		cmocka_unit_test(repeats_that_fall_are_told),
		cmocka_unit_test(repeats_of_one_rate_are_no_warning),
		cmocka_unit_test(
			repeats_too_short_for_an_interval_are_no_warning),
		cmocka_unit_test(small_rise_is_no_warning),
	};

	return cmocka_run_group_tests_name("doubt", tests, NULL, NULL);
}
