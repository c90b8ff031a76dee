/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "false_device.h"
#include "test.h"

/*
 * Whether 95 % intervals contain the truth in 95 % of runs: of the measuring
 * loop on a device whose reads take random times of a known mean. A row of a
 * table is run 500 times, or BLKBENCH_COVERAGE_RUNS times, and then printed.
 */
#define RUNS 500

/* Where the true share is to lie, and what may come of that in so many runs:
 * 4 standard deviations of the binomial distribution, 1 in 30000. */
#define SHARE_MIN 0.93
#define SHARE_MAX 0.97
#define DEVIATIONS 4

#define MS 1e6

/* The state of the one who draws the times. */
struct source {
	const struct service *service;
	uint64_t random;
	double level;	/* of a process that has one, normally distributed */
	bool is_slow;	/* of one that has two */
	double free_ns; /* when the last of a queue will have ended */
};

struct service {
	const char *name;
	double (*draw_ns)(struct source *source);
	double mean_ns;
};

/* SplitMix64: Steele, Lea and Flood, OOPSLA 2014. */
static double draw_uniform(struct source *source)
{
	uint64_t x = source->random += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	x ^= x >> 31;
	return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller. */
static double draw_normal(struct source *source)
{
	const double length = sqrt(-2 * log(draw_uniform(source)));

	return length * cos(2 * M_PI * draw_uniform(source));
}

static double draw_even_ns(struct source *source)
{
	return 2 * MS + 6 * MS * draw_uniform(source);
}

static double draw_exponential_ns(struct source *source)
{
	return -5 * MS * log(draw_uniform(source));
}

static double draw_few_hits_ns(struct source *source)
{
	const double miss_ns = 3 * MS + 4 * MS * draw_uniform(source);

	return draw_uniform(source) < 0.2 ? 0.05 * MS : miss_ns;
}

static double draw_many_hits_ns(struct source *source)
{
	return draw_uniform(source) < 0.9 ? 0.1 * MS : 5 * MS;
}

/* Rare and slow: 1 in 100 takes twenty times as long as the others. */
static double draw_rare_ns(struct source *source)
{
	return draw_uniform(source) < 0.01 ? 80 * MS : 4 * MS;
}

/* Lognormal, its logarithm autoregressive: 0.9 for neighbours. */
static double draw_drifting_ns(struct source *source)
{
	source->level = 0.9 * source->level +
			sqrt(1 - 0.9 * 0.9) * draw_normal(source);
	return 5 * MS * exp(0.5 * source->level - 0.125);
}

/* Slow or fast for 20 reads on average. */
static double draw_changing_ns(struct source *source)
{
	if (draw_uniform(source) < 0.05)
		source->is_slow = !source->is_slow;
	return source->is_slow ? 8 * MS : 2 * MS;
}

static const struct service even = { "even", draw_even_ns, 5 * MS };
static const struct service exponential = { "exponential", draw_exponential_ns,
					    5 * MS };
static const struct service few_hits = { "20 % hits", draw_few_hits_ns,
					 4.01 * MS };
static const struct service many_hits = { "90 % hits", draw_many_hits_ns,
					  0.59 * MS };
static const struct service rare = { "1 % slow", draw_rare_ns, 4.76 * MS };
static const struct service drifting = { "drifting", draw_drifting_ns, 5 * MS };
static const struct service changing = { "changing", draw_changing_ns, 5 * MS };

enum manner {
	AT_ONCE,  /* all in flight, independent of each other */
	IN_QUEUE, /* one after the other */
};

struct row {
	const struct service *service;
	uint64_t depth;
	enum manner manner;
	double seconds;
	double precision_percent; /* or 0 */
};

static struct false_answer answer_at_once(struct false_device *device,
					  enum blkbench_engine engine,
					  const struct io *io, uint64_t index)
{
	struct source *source = (struct source *)(uintptr_t)device->script;

	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){
		(uint64_t)source->service->draw_ns(source), FALSE_FULL
	};
}

static struct false_answer answer_in_queue(struct false_device *device,
					   enum blkbench_engine engine,
					   const struct io *io, uint64_t index)
{
	struct source *source = (struct source *)(uintptr_t)device->script;
	const double now_ns = (double)device->now_ns;

	(void)engine;
	(void)io;
	(void)index;
	source->free_ns = fmax(source->free_ns, now_ns) +
			  source->service->draw_ns(source);
	return (struct false_answer){ (uint64_t)(source->free_ns - now_ns),
				      FALSE_FULL };
}

static void run(const struct row *row, uint64_t seed,
		struct blkbench_result *result)
{
	struct source source = { .service = row->service, .random = seed };
	struct blkbench_measure *measure;
	struct blkbench_error error;
	struct false_device device;
	struct blkbench_plan plan;
	struct world world;

	source.level = draw_normal(&source);
	source.is_slow = draw_uniform(&source) < 0.5;
	false_device_init(&device, 1ULL << 40, 512);
	device.answer = row->manner == IN_QUEUE ? answer_in_queue
						: answer_at_once;
	device.script = &source;
	plan = (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.length_bytes = device.size_bytes,
		.block_bytes = 4096,
		.sector_bytes = 512,
		.queue_depth = row->depth,
		.runtime_ns = (uint64_t)(row->seconds * (double)NS_PER_S),
		.precision_percent = row->precision_percent > 0
					     ? row->precision_percent
					     : NAN,
		.seed = seed,
		.warmup_limit_ns = NS_PER_S,
		.max_errors = 16,
	};
	world = false_world(&device);
	assert_int_equal(measure_create(&world, &plan, &measure, &error), 0);
	while (blkbench_measure_advance(measure, UINT64_MAX) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, result), 0);
	blkbench_measure_destroy(measure);
}

static bool contains(double value, double percent, double truth)
{
	assert_false(isnan(percent));
	return fabs(value - truth) <= value * percent / 100;
}

static bool is_as_expected(unsigned int held, unsigned int runs)
{
	const double n = runs, least = n * SHARE_MIN, most = n * SHARE_MAX;

	return held >= least - DEVIATIONS * sqrt(least * (1 - SHARE_MIN)) &&
	       held <= most + DEVIATIONS * sqrt(most * (1 - SHARE_MAX));
}

static unsigned int count_runs(bool *is_told)
{
	const char *text = getenv("BLKBENCH_COVERAGE_RUNS");
	const unsigned long runs = text ? strtoul(text, NULL, 10) : 0;

	*is_told = runs > 0;
	return runs > 0 ? (unsigned int)runs : RUNS;
}

/* Returns whether the intervals of a row hold as often as they are to. */
static bool holds(const struct row *row)
{
	/* Of several, all are served at a time or the others wait. */
	const double served = row->manner == IN_QUEUE ? 1 : (double)row->depth;
	const double seeks_per_s = served * 1e9 / row->service->mean_ns;
	const double access_ms = row->service->mean_ns * (double)row->depth /
				 served / MS;
	unsigned int rate_held = 0, access_held = 0;
	double seconds = 0;
	bool is_told, is_good;
	const unsigned int runs = count_runs(&is_told);

	for (unsigned int i = 0; i < runs; i++) {
		struct blkbench_result result;

		run(row, (uint64_t)i << 32, &result);
		rate_held += contains(result.seeks_per_s,
				      result.rate_ci95_percent, seeks_per_s);
		access_held += contains(result.access_ms,
					result.access_ci95_percent, access_ms);
		seconds += (double)result.elapsed_ns / 1e9;
		blkbench_result_finish(&result);
	}
	is_good = is_as_expected(rate_held, runs) &&
		  is_as_expected(access_held, runs);
	if (is_told || !is_good)
		print_message("%-12s %2u %-8s %4.1f s: rate %.1f %%, access "
			      "%.1f %% of %u\n",
			      row->service->name, (unsigned int)row->depth,
			      row->manner == IN_QUEUE ? "in queue" : "at once",
			      seconds / runs, 100.0 * rate_held / runs,
			      100.0 * access_held / runs, runs);
	return is_good;
}

static void assert_all_hold(const struct row *rows, size_t count)
{
	bool do_all = true;

	for (size_t i = 0; i < count; i++)
		do_all &= holds(&rows[i]);
	assert_true(do_all);
}

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void intervals_of_one_at_a_time_hold(void **state)
{
	static const struct row rows[] = {
		{ &even, 1, AT_ONCE, 1, 0 },
		{ &even, 1, AT_ONCE, 3, 0 },
		{ &exponential, 1, AT_ONCE, 1, 0 },
		{ &exponential, 1, AT_ONCE, 3, 0 },
		{ &exponential, 1, AT_ONCE, 20, 0 },
		{ &few_hits, 1, AT_ONCE, 1, 0 },
		{ &few_hits, 1, AT_ONCE, 3, 0 },
		{ &many_hits, 1, AT_ONCE, 3, 0 },
		{ &rare, 1, AT_ONCE, 8, 0 },
		{ &drifting, 1, AT_ONCE, 3, 0 },
		{ &drifting, 1, AT_ONCE, 8, 0 },
		{ &changing, 1, AT_ONCE, 3, 0 },
		{ &changing, 1, AT_ONCE, 8, 0 },
	};

	(void)state;
	assert_all_hold(rows, COUNT(rows));
}

static void intervals_of_several_in_flight_hold(void **state)
{
	static const struct row rows[] = {
		{ &even, 8, AT_ONCE, 1, 0 },
		{ &exponential, 8, AT_ONCE, 3, 0 },
		{ &exponential, 32, AT_ONCE, 1, 0 },
		{ &few_hits, 32, AT_ONCE, 1, 0 },
		{ &rare, 32, AT_ONCE, 3, 0 },
		{ &drifting, 8, AT_ONCE, 3, 0 },
		{ &even, 8, IN_QUEUE, 3, 0 },
		{ &few_hits, 8, IN_QUEUE, 3, 0 },
		{ &drifting, 8, IN_QUEUE, 8, 0 },
		{ &even, 32, IN_QUEUE, 3, 0 },
		{ &exponential, 32, IN_QUEUE, 3, 0 },
		{ &changing, 32, IN_QUEUE, 8, 0 },
	};

	(void)state;
	assert_all_hold(rows, COUNT(rows));
}

static void intervals_hold_where_the_precision_ended_the_run(void **state)
{
	static const struct row rows[] = {
		{ &even, 1, AT_ONCE, 60, 3 },
		{ &exponential, 1, AT_ONCE, 60, 10 },
		{ &exponential, 1, AT_ONCE, 60, 5 },
		{ &few_hits, 1, AT_ONCE, 60, 3 },
		{ &many_hits, 1, AT_ONCE, 60, 10 },
		{ &rare, 1, AT_ONCE, 60, 7 },
		{ &drifting, 1, AT_ONCE, 60, 10 },
		{ &changing, 1, AT_ONCE, 60, 10 },
		{ &exponential, 8, AT_ONCE, 60, 3 },
		{ &exponential, 8, IN_QUEUE, 60, 7 },
	};

	(void)state;
	assert_all_hold(rows, COUNT(rows));
}

/* At most 1.6 % too high, never too low; but for what the reads happen to be: 5
 * standard errors of the quantile of so many. */
static void assert_quantile(uint64_t told_ns, double true_ns, double error_ns)
{
	assert_true((double)told_ns >= true_ns - 5 * error_ns);
	assert_true((double)told_ns <= true_ns * 1.016 + 5 * error_ns);
}

static void percentiles_are_those_of_the_reads(void **state)
{
	static const struct row rows[] = {
		{ &even, 1, AT_ONCE, 600, 0 },
		{ &exponential, 1, AT_ONCE, 600, 0 },
		{ &few_hits, 1, AT_ONCE, 60, 0 },
	};
	struct blkbench_result result;

	(void)state;
	/* Errors: sqrt(p (1 - p) / 120000) over the density. */
	run(&rows[0], 1, &result);
	assert_quantile(result.latency.p50_ns, 5 * MS, 0.00866 * MS);
	assert_quantile(result.latency.p99_ns, 7.94 * MS, 0.00172 * MS);
	blkbench_result_finish(&result);
	run(&rows[1], 1, &result);
	assert_quantile(result.latency.p50_ns, 3.46574 * MS, 0.01443 * MS);
	assert_quantile(result.latency.p99_ns, 23.02585 * MS, 0.14361 * MS);
	blkbench_result_finish(&result);
	run(&rows[2], 1, &result);
	assert_quantile(result.latency.min_ns, 0.05 * MS, 0);
	assert_quantile(result.latency.p50_ns, 4.5 * MS, 0.02043 * MS);
	assert_quantile(result.latency.p99_ns, 6.95 * MS, 0.00406 * MS);
	blkbench_result_finish(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_of_one_at_a_time_hold),
		cmocka_unit_test(intervals_of_several_in_flight_hold),
		cmocka_unit_test(
			intervals_hold_where_the_precision_ended_the_run),
		cmocka_unit_test(percentiles_are_those_of_the_reads),
	};

	return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
