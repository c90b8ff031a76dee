/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"
#include "test.h"

#define MS 1000000ULL
#define SECOND (1000 * MS)

static bool is_near(double a, double b, double relative)
{
	return fabs(a - b) <= relative * fabs(b);
}

/* ---- passes ---------------------------------------------------------- */

/* A range of so many MB, and the MB that were read in each tenth of a second,
 * one at a time. */
struct passes_fixture {
	struct blkbench_result result;
	struct blkbench_slice slices[40];
};

static void init_passes(struct passes_fixture *f, uint64_t length_mb,
			const unsigned int *mb, size_t count)
{
	struct blkbench_result *result = &f->result;

	memset(f, 0, sizeof(*f));
	result->plan.pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	result->plan.is_direct = true;
	result->plan.length_bytes = length_mb * 1000000;
	result->first_pass_ns = BLKBENCH_UNKNOWN;
	result->slices = f->slices;
	result->slices_count = count;
	for (size_t i = 0; i < count; i++) {
		f->slices[i].elapsed_ns = 100 * MS;
		f->slices[i].requests = mb[i];
		f->slices[i].bytes = mb[i] * 1000000;
		result->bytes += f->slices[i].bytes;
		result->elapsed_ns += 100 * MS;
		if (result->first_pass_ns == BLKBENCH_UNKNOWN &&
		    result->bytes >= result->plan.length_bytes)
			result->first_pass_ns = result->elapsed_ns;
	}
}

/* 100 MB at 100 MB/s, the same twice at 200 MB/s. */
static const unsigned int twice_as_fast[] = { 10, 10, 10, 10, 10, 10, 10,
					      10, 10, 10, 20, 20, 20, 20,
					      20, 20, 20, 20, 20, 20 };

static void faster_second_pass_comes_from_a_cache(void **state)
{
	static struct passes_fixture f;
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, twice_as_fast, 20);
	assert_true(cache_find_passes(&f.result, &passes));
	assert_true(is_near(passes.first_bytes_per_s, 100e6, 1e-9));
	assert_true(is_near(passes.later_bytes_per_s, 200e6, 1e-9));
	assert_int_equal(passes.first_slices, 10);
}

static void part_of_a_second_pass_is_enough(void **state)
{
	static struct passes_fixture f;
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, twice_as_fast, 12);
	assert_true(cache_find_passes(&f.result, &passes));
	assert_true(is_near(passes.later_bytes_per_s, 200e6, 1e-9));
	init_passes(&f, 100, twice_as_fast, 11);
	assert_false(cache_find_passes(&f.result, &passes));
	init_passes(&f, 100, twice_as_fast, 10);
	assert_false(cache_find_passes(&f.result, &passes));
}

static void passes_of_one_rate_tell_no_cache(void **state)
{
	static struct passes_fixture f;
	static const unsigned int rates[] = { 11, 9,  10, 12, 8,  10, 10,
					      9,  11, 10, 12, 10, 11, 12,
					      11, 10, 12, 11, 10, 12 };
	static const unsigned int slower[] = { 20, 20, 20, 20, 20,
					       10, 10, 10, 10, 10 };
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, rates, 20);
	assert_false(cache_find_passes(&f.result, &passes));
	init_passes(&f, 100, slower, 10);
	assert_false(cache_find_passes(&f.result, &passes));
}

/* By 40 % faster, but as often slower than the first. */
static void unsteady_later_passes_tell_no_cache(void **state)
{
	static struct passes_fixture f;
	static const unsigned int rates[] = { 10, 10, 10, 10, 10, 10, 10,
					      10, 10, 10, 24, 4,  24, 4,
					      24, 4,  24, 4,  24, 4 };
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, rates, 20);
	assert_false(cache_find_passes(&f.result, &passes));
}

/* What memory gives varies by times, and is always far more. */
static void uneven_later_passes_from_memory_tell_a_cache(void **state)
{
	static struct passes_fixture f;
	static const unsigned int rates[] = { 10,   10,	  10,	10,   10,
					      10,   10,	  10,	10,   10,
					      40,   1200, 60,	1500, 30,
					      1300, 50,	  1400, 1600, 20 };
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, rates, 20);
	assert_true(cache_find_passes(&f.result, &passes));
	assert_true(is_near(passes.first_bytes_per_s, 100e6, 1e-9));
}

/* A pass of 60 ms, of which 40 ms were a hiccup: 20 ms in the next ones. */
static void hiccup_in_a_short_pass_tells_no_cache(void **state)
{
	static struct passes_fixture f;
	static const unsigned int rates[] = { 60,  100, 100, 100, 100, 100, 100,
					      100, 100, 100, 100, 100, 100, 100,
					      100, 100, 100, 100, 100, 100 };
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 20, rates, 20);
	f.result.first_pass_ns = 60 * MS;
	assert_false(cache_find_passes(&f.result, &passes));
	f.result.first_pass_ns = 80 * MS;
	assert_true(cache_find_passes(&f.result, &passes));
	assert_int_equal(passes.first_slices, 0);
	/* Of a busy machine the kernel may have told nothing yet. */
	f.result.elapsed_ns = 1999 * MS;
	assert_false(cache_find_passes(&f.result, &passes));
}

/* Half of the first pass could have been waiting for a CPU: as fast, then. */
static void waiting_for_a_cpu_is_no_first_pass(void **state)
{
	static struct passes_fixture f;
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, twice_as_fast, 20);
	f.result.cpu_pressure_percent = 51;
	assert_false(cache_find_passes(&f.result, &passes));
	f.result.cpu_pressure_percent = 49;
	assert_true(cache_find_passes(&f.result, &passes));
	f.result.cpu_pressure_percent = NAN;
	assert_true(cache_find_passes(&f.result, &passes));
	f.result.cpu_pressure_percent = 20;
	f.result.first_pass_ns = 999 * MS;
	assert_false(cache_find_passes(&f.result, &passes));
}

static void reads_that_cannot_be_compared_tell_no_cache(void **state)
{
	static struct passes_fixture f;
	struct cache_passes passes;

	(void)state;
	init_passes(&f, 100, twice_as_fast, 20);
	f.result.plan.is_direct = false;
	assert_false(cache_find_passes(&f.result, &passes));
	init_passes(&f, 100, twice_as_fast, 20);
	f.result.errors = 1;
	assert_false(cache_find_passes(&f.result, &passes));
	init_passes(&f, 100, twice_as_fast, 20);
	f.result.plan.pattern = BLKBENCH_PATTERN_RANDOM;
	assert_false(cache_find_passes(&f.result, &passes));
}

/* ---- hits ------------------------------------------------------------ */

struct hits_fixture {
	struct blkbench_result result;
	struct histogram histogram;
	struct slices slices;
};

static void init_hits(struct hits_fixture *f)
{
	memset(f, 0, sizeof(*f));
	histogram_init(&f->histogram);
	slices_init(&f->slices);
	f->result.plan = (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.queue_depth = 1,
	};
	f->result.first_pass_ns = BLKBENCH_UNKNOWN;
}

/* Reads that take from one latency to another, evenly, one after the other. */
static void add_reads(struct hits_fixture *f, uint64_t count, uint64_t from_ns,
		      uint64_t to_ns)
{
	for (uint64_t i = 0; i < count; i++) {
		const uint64_t ns = from_ns + (to_ns - from_ns) * i / count;

		histogram_add(&f->histogram, ns);
		f->result.elapsed_ns += ns;
		f->result.requests++;
		f->result.bytes += 4096;
	}
}

/* The result is to be finished. */
static const struct blkbench_result *summarise(struct hits_fixture *f)
{
	assert_int_equal(
		result_summarise(&f->result, &f->histogram, &f->slices), 0);
	return &f->result;
}

static void assert_no_hits(struct hits_fixture *f)
{
	const struct blkbench_result *result = summarise(f);

	assert_true(isnan(result->hit_percent));
	assert_true(isnan(result->hit_access_ms));
	assert_true(isnan(result->miss_access_ms));
	assert_true(is_near(result->access_ms,
			    (double)result->elapsed_ns / 1e6 /
				    (double)result->requests,
			    1e-9));
	blkbench_result_finish(&f->result);
}

static void assert_told_beside(struct hits_fixture *f, double hit_percent,
			       double miss_ms)
{
	const struct blkbench_result *result = summarise(f);

	assert_true(is_near(result->hit_percent, hit_percent, 1e-9));
	assert_true(is_near(result->miss_access_ms, miss_ms, 0.005));
	assert_true(is_near(result->access_ms,
			    (double)result->elapsed_ns / 1e6 /
				    (double)result->requests,
			    1e-9));
	assert_true(is_near(result->seeks_per_s,
			    (double)result->requests * 1e9 /
				    (double)result->elapsed_ns,
			    1e-9));
	blkbench_result_finish(&f->result);
}

static void fifth_of_the_reads_from_a_cache_is_told_apart(void **state)
{
	static struct hits_fixture f;
	const struct blkbench_result *result;

	(void)state;
	init_hits(&f);
	add_reads(&f, 200, 50000, 50000);
	add_reads(&f, 800, 5 * MS, 5 * MS);
	result = summarise(&f);
	assert_true(is_near(result->hit_percent, 20, 1e-9));
	assert_true(is_near(result->hit_access_ms, 0.05, 0.02));
	assert_true(is_near(result->miss_access_ms, 5, 0.001));
	assert_true(is_near(result->access_ms, 5, 0.001));
	assert_true(is_near(result->rate_bytes_per_s, 200 * 4096, 0.001));
	assert_true(is_near(result->seeks_per_s, 200, 0.001));
	blkbench_result_finish(&f.result);
}

/* As of a disk of 7200 rpm: 4 to 16 ms; hits from 20 to 60 us, and 32 at once. */
static void spread_groups_are_told_apart_at_any_depth(void **state)
{
	static struct hits_fixture f;
	const struct blkbench_result *result;

	(void)state;
	init_hits(&f);
	f.result.plan.queue_depth = 32;
	add_reads(&f, 1000, 20000, 60000);
	add_reads(&f, 9000, 4 * MS, 16 * MS);
	f.result.elapsed_ns /= 32;
	result = summarise(&f);
	assert_true(is_near(result->hit_percent, 10, 1e-9));
	assert_true(is_near(result->access_ms, 10, 0.001));
	assert_true(is_near(result->seeks_per_s, 3200, 0.001));
	blkbench_result_finish(&f.result);
}

static void one_group_is_no_cache(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f); /* a disk */
	add_reads(&f, 1000, 2 * MS, 16 * MS);
	assert_no_hits(&f);
	init_hits(&f); /* an SSD, with a tail */
	add_reads(&f, 950, 60000, 120000);
	add_reads(&f, 50, 120000, 8 * MS);
	assert_no_hits(&f);
	init_hits(&f);
	assert_int_equal(result_summarise(&f.result, &f.histogram, &f.slices),
			 0);
	assert_true(isnan(f.result.hit_percent));
	blkbench_result_finish(&f.result);
}

/* A machine that is busy makes some reads of a fast device wait for 4 ms. */
static void hiccups_of_a_fast_device_are_no_misses(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 910, 50000, 60000);
	add_reads(&f, 90, 4 * MS, 5 * MS);
	assert_no_hits(&f);
}

/* 87 of 100 in 0.15 ms, the others held up for 3.5 ms: 78 % of the time. */
static void waiting_for_a_cpu_is_no_miss(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 870, 150000, 150000);
	add_reads(&f, 130, 3500000, 3500000);
	f.result.cpu_pressure_percent = 80;
	assert_no_hits(&f);
	init_hits(&f);
	add_reads(&f, 870, 150000, 150000);
	add_reads(&f, 130, 3500000, 3500000);
	f.result.cpu_pressure_percent = 100;
	assert_no_hits(&f);
	init_hits(&f);
	add_reads(&f, 870, 150000, 150000);
	add_reads(&f, 130, 3500000, 3500000);
	f.result.cpu_pressure_percent = 70;
	assert_told_beside(&f, 87, 3.5);
}

/* However busy the machine: of a disk they take 99.8 % of the time. But how
 * long they take, a busy machine does not tell. */
static void misses_of_a_disk_are_more_than_waiting(void **state)
{
	static const double pressures[] = { 20, 100, NAN };
	static struct hits_fixture f;

	(void)state;
	for (size_t i = 0; i < sizeof(pressures) / sizeof(pressures[0]); i++) {
		init_hits(&f);
		add_reads(&f, 200, 50000, 50000);
		add_reads(&f, 800, 5 * MS, 5 * MS);
		f.result.cpu_pressure_percent = pressures[i];
		assert_told_beside(&f, 20, 5);
	}
}

/* As a disk's cache that has most of it; or others that hold up a fast one. */
static void fewer_misses_than_hits_are_not_the_figure(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 1010, 50000, 50000);
	add_reads(&f, 990, 5 * MS, 5 * MS);
	assert_told_beside(&f, 50.5, 5);
}

/* The kernel may have told nothing of a load that has just begun. */
static void misses_of_less_than_2_s_are_not_the_figure(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 50, 50000, 50000);
	add_reads(&f, 399, 5 * MS, 5 * MS);
	assert_told_beside(&f, 5000.0 / 449, 5);
}

static void few_hits_do_not_change_the_figure(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 49, 50000, 50000);
	add_reads(&f, 951, 5 * MS, 5 * MS);
	assert_told_beside(&f, 4.9, 5);
	init_hits(&f);
	add_reads(&f, 19, 50000, 50000);
	add_reads(&f, 81, 50 * MS, 50 * MS);
	assert_told_beside(&f, 19, 50);
}

/* A medium without moving parts has such reads: dies that are busy. */
static void fast_medium_may_have_two_groups(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 500, 60000, 80000);
	add_reads(&f, 500, 400000, 900000);
	assert_no_hits(&f);
}

static void zeros_are_answered_fast_by_no_cache(void **state)
{
	static struct hits_fixture f;

	(void)state;
	init_hits(&f);
	add_reads(&f, 300, 50000, 50000);
	add_reads(&f, 700, 5 * MS, 5 * MS);
	f.result.zero_percent = 28;
	assert_no_hits(&f);
	init_hits(&f);
	add_reads(&f, 300, 50000, 50000);
	add_reads(&f, 700, 5 * MS, 5 * MS);
	f.result.zero_percent = 2;
	assert_true(is_near(summarise(&f)->hit_percent, 30, 1e-9));
	blkbench_result_finish(&f.result);
}

/* ---- figures --------------------------------------------------------- */

static void figure_is_that_of_the_first_pass(void **state)
{
	static struct passes_fixture f;
	static struct hits_fixture empty;
	struct blkbench_result *result = &f.result;

	(void)state;
	init_hits(&empty);
	init_passes(&f, 100, twice_as_fast, 20);
	memcpy(empty.slices.closed, f.slices, sizeof(f.slices));
	empty.slices.count = 20;
	result->requests = 300;
	assert_int_equal(
		result_summarise(result, &empty.histogram, &empty.slices), 0);
	assert_true(is_near(result->rate_bytes_per_s, 100e6, 1e-9));
	assert_true(is_near(result->cached_rate_bytes_per_s, 200e6, 1e-9));
	assert_true(result->rate_spread_percent < 1e-9);
	assert_true(result->rate_ci95_percent < 1e-9);
	blkbench_result_finish(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faster_second_pass_comes_from_a_cache),
		cmocka_unit_test(part_of_a_second_pass_is_enough),
		cmocka_unit_test(passes_of_one_rate_tell_no_cache),
		cmocka_unit_test(unsteady_later_passes_tell_no_cache),
		cmocka_unit_test(uneven_later_passes_from_memory_tell_a_cache),
		cmocka_unit_test(hiccup_in_a_short_pass_tells_no_cache),
		cmocka_unit_test(reads_that_cannot_be_compared_tell_no_cache),
		cmocka_unit_test(fifth_of_the_reads_from_a_cache_is_told_apart),
		cmocka_unit_test(spread_groups_are_told_apart_at_any_depth),
		cmocka_unit_test(waiting_for_a_cpu_is_no_first_pass),
		cmocka_unit_test(waiting_for_a_cpu_is_no_miss),
		cmocka_unit_test(misses_of_a_disk_are_more_than_waiting),
		cmocka_unit_test(fewer_misses_than_hits_are_not_the_figure),
		cmocka_unit_test(misses_of_less_than_2_s_are_not_the_figure),
		cmocka_unit_test(few_hits_do_not_change_the_figure),
		cmocka_unit_test(one_group_is_no_cache),
		cmocka_unit_test(hiccups_of_a_fast_device_are_no_misses),
		cmocka_unit_test(fast_medium_may_have_two_groups),
		cmocka_unit_test(zeros_are_answered_fast_by_no_cache),
		cmocka_unit_test(figure_is_that_of_the_first_pass),
	};

	return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
