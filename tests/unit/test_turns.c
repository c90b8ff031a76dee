/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "false_device.h"
#include "measure.h"
#include "simulated.h"
#include "test.h"

#define LANES_MAX 4
#define LANE_BYTES (16ULL << 30)
#define BEGIN_NS (1000 * NS_PER_S)
#define RUNS_MAX 64

/* How many times as many comparisons are simulated. */
static unsigned int scale = 1;

/* What one lane's device does; FALSE_NEVER is never. */
struct lane_script {
	struct simulated reads;
	uint64_t fails_ns, hangs_ns; /* from when on */
};

/* A device that is several: each has its own stretch of the bytes. */
struct scene {
	struct false_device device;
	struct lane_script lanes[LANES_MAX];
	double equal_percent;
	double drift_per_s; /* of the rates of all, of what they are at first */
	size_t runs_count;  /* of reads of one lane in a row */
	struct run {
		size_t lane;
		unsigned int reads;
	} runs[RUNS_MAX];

	size_t count;
	struct blkbench_measure *measures[LANES_MAX];
	struct blkbench_turns *turns;
};

static void note(struct scene *scene, size_t lane)
{
	const size_t n = scene->runs_count;

	if (n > 0 && scene->runs[n - 1].lane == lane)
		scene->runs[n - 1].reads++;
	else if (n < RUNS_MAX)
		scene->runs[scene->runs_count++] = (struct run){ lane, 1 };
}

static struct false_answer answer(struct false_device *device,
				  enum blkbench_engine engine,
				  const struct io *io, uint64_t index)
{
	struct scene *scene = (struct scene *)device;
	const size_t lane = io->offset_bytes / LANE_BYTES;
	const uint64_t now = device->now_ns - BEGIN_NS;
	struct lane_script *script = &scene->lanes[lane];
	const double now_s = (double)now / 1e9;
	double read_s = simulated_read_s(&script->reads, now_s);

	(void)engine;
	(void)index;
	note(scene, lane);
	read_s /= 1 + scene->drift_per_s * now_s;
	return (struct false_answer){
		now >= script->hangs_ns ? FALSE_NEVER
					: (uint64_t)(read_s * 1e9),
		now >= script->fails_ns ? -EIO : FALSE_FULL,
	};
}

static struct blkbench_plan plan_of(size_t lane)
{
	return (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.engine = BLKBENCH_ENGINE_IO_URING,
		.offset_bytes = lane * LANE_BYTES,
		.length_bytes = LANE_BYTES,
		.block_bytes = 4096,
		.sector_bytes = 512,
		.queue_depth = 1,
		.runtime_ns = 3600 * NS_PER_S,
		.precision_percent = NAN,
		.seed = 1,
		.warmup_limit_ns = 30 * NS_PER_S,
		.max_errors = 16,
	};
}

/* Lanes are added by add(); then begin(). */
static void init(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	false_device_init(&scene->device, LANES_MAX * LANE_BYTES, 512);
	scene->device.answer = answer;
	scene->equal_percent = 2;
}

static struct lane_script *add_plan(struct scene *scene,
				    const struct blkbench_plan *plan,
				    enum simulated_kind kind, double mean_s,
				    uint64_t seed)
{
	const struct world world = false_world(&scene->device);
	struct lane_script *script = &scene->lanes[scene->count];
	struct blkbench_error error;

	simulated_init(&script->reads, kind, mean_s, seed);
	script->fails_ns = script->hangs_ns = FALSE_NEVER;
	assert_int_equal(measure_create(&world, plan,
					&scene->measures[scene->count++],
					&error),
			 0);
	return script;
}

static struct lane_script *add(struct scene *scene, enum simulated_kind kind,
			       double mean_s, uint64_t seed)
{
	const struct blkbench_plan plan = plan_of(scene->count);

	return add_plan(scene, &plan, kind, mean_s, seed);
}

static void begin(struct scene *scene, double limit_s, uint64_t seed)
{
	const struct blkbench_turns_params params = {
		.limit_ns = (uint64_t)(limit_s * 1e9),
		.equal_percent = scene->equal_percent,
		.seed = seed,
	};
	struct blkbench_error error;

	assert_int_equal(blkbench_turns_create(scene->measures, scene->count,
					       &params, &scene->turns, &error),
			 0);
}

/* Returns how long it took. */
static double run(struct scene *scene)
{
	while (blkbench_turns_advance(scene->turns, 100 * NS_PER_MS) == 1)
		;
	return (double)(scene->device.now_ns - BEGIN_NS) / 1e9;
}

static struct blkbench_comparison comparison_of(const struct scene *scene,
						size_t lane)
{
	struct blkbench_comparison comparison;

	blkbench_turns_get_comparison(scene->turns, lane, &comparison);
	return comparison;
}

static void finish(struct scene *scene)
{
	blkbench_turns_destroy(scene->turns);
	for (size_t i = 0; i < scene->count; i++)
		blkbench_measure_destroy(scene->measures[i]);
}

static void assert_runs(const struct scene *scene, const size_t *lanes,
			const unsigned int *reads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(scene->runs[i].lane, lanes[i]);
		assert_int_equal(scene->runs[i].reads, reads[i]);
	}
}

/* Slices of 63 reads of 4 ms, just over 250 ms, and a discarded one each. */
static void two_take_turns_there_and_back(void **state)
{
	static const size_t lanes[] = { 0, 1, 0, 1, 0 };
	static const unsigned int reads[] = { 64, 128, 128, 128, 128 };
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.004, 1);
	add(&scene, SIMULATED_STEADY, 0.004, 2);
	begin(&scene, 10, 1);
	assert_int_equal(blkbench_turns_advance(scene.turns, 2560 * NS_PER_MS),
			 1);
	assert_runs(&scene, lanes, reads, 5);
	finish(&scene);
}

static void three_take_turns_there_and_back(void **state)
{
	static const size_t lanes[] = { 0, 1, 2, 1, 0, 1, 2, 1, 0 };
	static const unsigned int reads[] = {
		64, 64, 128, 64, 128, 64, 128, 64
	};
	struct scene scene;

	(void)state;
	init(&scene);
	for (size_t i = 0; i < 3; i++)
		add(&scene, SIMULATED_STEADY, 0.004, i);
	begin(&scene, 10, 1);
	assert_int_equal(blkbench_turns_advance(scene.turns, 2900 * NS_PER_MS),
			 1);
	assert_runs(&scene, lanes, reads, 8);
	finish(&scene);
}

static void nothing_that_was_measured_is_lost(void **state)
{
	struct blkbench_turns_progress progress;
	struct scene scene;
	uint64_t reads = 0;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.004, 1);
	add(&scene, SIMULATED_STEADY, 0.005, 2);
	begin(&scene, 10, 1);
	run(&scene);
	blkbench_turns_get_progress(scene.turns, &progress);
	assert_int_equal(progress.decided, 1);
	assert_int_equal(progress.slices, 6);
	for (size_t i = 0; i < 2; i++) {
		struct blkbench_result result;

		assert_int_equal(blkbench_measure_get_result(scene.measures[i],
							     &result),
				 0);
		assert_true(fabs(result.access_ms - (i ? 5 : 4)) < 1e-9);
		assert_false(result.is_partial);
		reads += result.requests;
		blkbench_result_finish(&result);
	}
	/* All but the discarded ones. */
	assert_int_equal(reads, scene.device.reads - 2 * 6);
	finish(&scene);
}

static void steady_devices_are_decided_after_three_rounds(void **state)
{
	struct blkbench_comparison c;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.004, 1);
	add(&scene, SIMULATED_STEADY, 0.005, 2);
	add(&scene, SIMULATED_STEADY, 0.004, 3);
	begin(&scene, 10, 1);
	assert_true(run(&scene) < 6);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_SLOWER);
	assert_true(fabs(c.ratio - 0.8) < 1e-6);
	c = comparison_of(&scene, 2);
	assert_int_equal(c.verdict, BLKBENCH_EQUAL);
	assert_true(fabs(c.ratio - 1) < 1e-6);
	finish(&scene);
}

static void decided_one_takes_no_more_turns(void **state)
{
	struct blkbench_comparison c;
	struct scene scene;
	struct run *last;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 1);
	add(&scene, SIMULATED_EXPONENTIAL, 0.040, 2);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 3);
	begin(&scene, 20, 1);
	run(&scene);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_SLOWER);
	assert_int_equal(comparison_of(&scene, 2).verdict, BLKBENCH_UNDECIDED);
	assert_true(comparison_of(&scene, 2).pairs > c.pairs);
	last = &scene.runs[scene.runs_count - 1];
	for (size_t i = 0; i < 4; i++)
		assert_int_not_equal(last[-(int)i].lane, 1);
	finish(&scene);
}

/* Reads of 1 s: the least number of them; of 10 ms: the least time, 1 s. */
static void slow_device_gets_eight_reads_a_slice(void **state)
{
	static const size_t lanes[] = { 0, 1, 0, 1, 0 };
	static const unsigned int reads[] = { 9, 202, 18, 202, 18 };
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 1, 1);
	add(&scene, SIMULATED_STEADY, 0.01, 2);
	begin(&scene, 120, 1);
	run(&scene);
	assert_runs(&scene, lanes, reads, 5);
	assert_int_equal(comparison_of(&scene, 1).verdict, BLKBENCH_FASTER);
	assert_true(fabs(comparison_of(&scene, 1).ratio - 100) < 1e-3);
	finish(&scene);
}

/* Eight at a time; the same reads/s, but each of half as many bytes. */
static void streams_are_compared_by_their_bytes(void **state)
{
	struct blkbench_comparison c;
	struct scene scene;

	(void)state;
	init(&scene);
	for (size_t i = 0; i < 2; i++) {
		struct blkbench_plan plan = plan_of(i);

		plan.test = "sequential";
		plan.pattern = BLKBENCH_PATTERN_SEQUENTIAL;
		plan.is_seek = false;
		plan.block_bytes = (1 << 20) >> i;
		plan.queue_depth = 8;
		add_plan(&scene, &plan, SIMULATED_NORMAL, 0.004, i);
	}
	begin(&scene, 20, 1);
	run(&scene);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_SLOWER);
	assert_true(fabs(c.ratio - 0.5) < 0.01);
	assert_int_equal(scene.device.max_in_flight, 8);
	finish(&scene);
}

/* More than 4096 slices each: neighbours are merged. */
static void hours_of_turns_are_compared_as_well(void **state)
{
	struct blkbench_turns_progress progress;
	struct blkbench_comparison c;
	struct scene scene;

	(void)state;
	init(&scene);
	scene.equal_percent = 0.001;
	add(&scene, SIMULATED_NORMAL, 0.12, 1);
	add(&scene, SIMULATED_NORMAL, 0.12, 2);
	begin(&scene, 3 * 3600, 1);
	run(&scene);
	blkbench_turns_get_progress(scene.turns, &progress);
	assert_in_range(progress.slices, 2049, 4095);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_true(c.ratio_low < 1 && c.ratio_high > 1);
	/* 0.3 * sqrt(2 / 39000) is 0.21 %. */
	assert_true(c.ratio_high - c.ratio_low < 0.02);
	finish(&scene);
}

static void limit_is_kept_and_few_slices_are_undecided(void **state)
{
	struct blkbench_comparison c;
	struct scene scene;
	double took_s;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.004, 1);
	add(&scene, SIMULATED_STEADY, 0.008, 2);
	begin(&scene, 2, 1);
	took_s = run(&scene);
	assert_true(took_s >= 2 && took_s < 2.02);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_int_equal(c.pairs, 3);
	assert_true(fabs(c.ratio - 0.5) < 0.01);
	assert_true(isnan(c.ratio_low) && isnan(c.seconds_needed));
	finish(&scene);
}

static void progress_goes_from_0_to_1(void **state)
{
	struct blkbench_turns_progress progress;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 1);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 2);
	begin(&scene, 10, 1);
	blkbench_turns_get_progress(scene.turns, &progress);
	assert_true(progress.fraction == 0);
	assert_int_equal(progress.current, 0);
	assert_int_equal(blkbench_turns_advance(scene.turns, 400 * NS_PER_MS),
			 1);
	blkbench_turns_get_progress(scene.turns, &progress);
	assert_true(fabs(progress.fraction - 0.04) < 0.003);
	assert_int_equal(progress.current, 1);
	assert_int_equal(progress.slices, 1);
	run(&scene);
	blkbench_turns_get_progress(scene.turns, &progress);
	assert_true(progress.fraction == 1);
	assert_int_equal(progress.decided, 0);
	finish(&scene);
}

static void stop_keeps_what_was_measured(void **state)
{
	struct blkbench_result result;
	struct blkbench_comparison c;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 1);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 2);
	begin(&scene, 20, 1);
	assert_int_equal(blkbench_turns_advance(scene.turns, 8 * NS_PER_S), 1);
	blkbench_turns_stop(scene.turns);
	assert_int_equal(blkbench_turns_advance(scene.turns, NS_PER_S), 0);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_true(c.pairs >= 14);
	assert_true(c.ratio_low < c.ratio && c.ratio < c.ratio_high);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(blkbench_measure_get_result(scene.measures[i],
							     &result),
				 0);
		assert_true(result.is_partial);
		assert_true(result.requests > 800);
		assert_int_equal(result.stalled, 0);
		blkbench_result_finish(&result);
	}
	finish(&scene);
}

static void stop_before_the_first_read_is_no_harm(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.004, 1);
	add(&scene, SIMULATED_STEADY, 0.004, 2);
	begin(&scene, 20, 1);
	blkbench_turns_stop(scene.turns);
	assert_int_equal(blkbench_turns_advance(scene.turns, NS_PER_S), 0);
	assert_int_equal(comparison_of(&scene, 1).verdict, BLKBENCH_UNDECIDED);
	assert_int_equal(scene.device.reads, 0);
	finish(&scene);
}

/* As long as it liked: an hour, of which nothing is in the limit. */
static void pause_stops_the_clock_of_the_limit(void **state)
{
	struct blkbench_turns_progress before, after;
	struct scene scene;
	double seconds;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 1);
	add(&scene, SIMULATED_EXPONENTIAL, 0.004, 2);
	begin(&scene, 20, 1);
	blkbench_turns_pause(scene.turns);
	assert_int_equal(blkbench_turns_advance(scene.turns, 8 * NS_PER_S), 1);
	blkbench_turns_pause(scene.turns);
	blkbench_turns_get_progress(scene.turns, &before);
	scene.device.now_ns += 3600 * NS_PER_S;
	blkbench_turns_pause(scene.turns);
	blkbench_turns_get_progress(scene.turns, &after);
	assert_true(after.fraction == before.fraction);
	seconds = run(&scene);
	assert_true(seconds > 3619.9 && seconds < 3620.2);
	assert_true(comparison_of(&scene, 1).pairs >= 36);
	finish(&scene);
}

/* Of the reads in flight nothing is lost, and of the others there are none. */
static void stop_waits_for_the_reads_in_flight(void **state)
{
	struct blkbench_result result;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.4, 1);
	add(&scene, SIMULATED_STEADY, 0.4, 2);
	begin(&scene, 20, 1);
	/* A discarded read, a whole one, and half of the next. */
	assert_int_equal(blkbench_turns_advance(scene.turns, NS_PER_S), 1);
	blkbench_turns_stop(scene.turns);
	assert_int_equal(blkbench_turns_advance(scene.turns, 100 * NS_PER_MS),
			 1);
	assert_int_equal(blkbench_turns_advance(scene.turns, NS_PER_S), 0);
	assert_int_equal(scene.device.reads, 3);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(blkbench_measure_get_result(scene.measures[i],
							     &result),
				 0);
		assert_true(result.is_partial);
		assert_int_equal(result.requests, i ? 0 : 2);
		blkbench_result_finish(&result);
	}
	finish(&scene);
}

/* ---- what drops out ---------------------------------------------------- */

static void device_that_hangs_drops_out_alone(void **state)
{
	struct blkbench_result result;
	struct blkbench_comparison c;
	struct scene scene;
	double took_s;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_NORMAL, 0.004, 1);
	add(&scene, SIMULATED_NORMAL, 0.004, 2)->hangs_ns = 3 * NS_PER_S;
	add(&scene, SIMULATED_NORMAL, 0.005, 3);
	begin(&scene, 60, 1);
	took_s = run(&scene);
	/* The hanging one holds up the others for 10 s and 2 s of grace. */
	assert_true(took_s < 40);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_int_equal(c.pairs, 2);
	assert_int_equal(comparison_of(&scene, 2).verdict, BLKBENCH_SLOWER);
	assert_int_equal(
		blkbench_measure_get_result(scene.measures[1], &result), 0);
	assert_int_equal(result.stalled, 1);
	assert_true(result.is_partial);
	assert_true(fabs(result.access_ms - 4) < 0.3);
	blkbench_result_finish(&result);
	assert_int_equal(
		blkbench_measure_get_result(scene.measures[0], &result), 0);
	assert_false(result.is_partial);
	blkbench_result_finish(&result);
	finish(&scene);
}

static void device_that_fails_is_judged_by_what_there_is(void **state)
{
	struct blkbench_comparison c;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_NORMAL, 0.004, 1);
	add(&scene, SIMULATED_NORMAL, 0.0041, 2)->fails_ns = 30 * NS_PER_S;
	begin(&scene, 60, 1);
	assert_true(run(&scene) < 31);
	c = comparison_of(&scene, 1);
	assert_in_range(c.pairs, 18, 20);
	/* The interval of an end, and not of an early look. */
	assert_true(c.ratio_low < 4.0 / 4.1 && c.ratio_high > 4.0 / 4.1);
	assert_true(c.ratio_high - c.ratio_low < 0.05);
	finish(&scene);
}

static void first_device_takes_all_with_it(void **state)
{
	struct blkbench_result result;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_NORMAL, 0.004, 1)->fails_ns = 2 * NS_PER_S;
	add(&scene, SIMULATED_NORMAL, 0.004, 2);
	add(&scene, SIMULATED_NORMAL, 0.004, 3);
	begin(&scene, 60, 1);
	assert_true(run(&scene) < 7);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(comparison_of(&scene, i).verdict,
				 BLKBENCH_UNDECIDED);
		assert_int_equal(blkbench_measure_get_result(scene.measures[i],
							     &result),
				 0);
		assert_false(result.is_partial);
		assert_true(result.requests > 200);
		blkbench_result_finish(&result);
	}
	finish(&scene);
}

static void device_that_never_answers_is_a_stall(void **state)
{
	struct blkbench_comparison c;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_NORMAL, 0.004, 1);
	add(&scene, SIMULATED_NORMAL, 0.004, 2)->hangs_ns = 0;
	begin(&scene, 60, 1);
	/* As long as a disk may take to spin up. */
	assert_true(run(&scene) < 35);
	c = comparison_of(&scene, 1);
	assert_int_equal(c.pairs, 0);
	assert_int_equal(c.verdict, BLKBENCH_UNDECIDED);
	assert_true(isnan(c.ratio));
	finish(&scene);
}

static void one_alone_takes_no_turns(void **state)
{
	const struct blkbench_turns_params params = { NS_PER_S, 2, 1 };
	struct blkbench_turns *turns;
	struct blkbench_error error;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_NORMAL, 0.004, 1);
	assert_int_equal(blkbench_turns_create(scene.measures, 1, &params,
					       &turns, &error),
			 -EINVAL);
	assert_string_equal(error.text, "1 measurements: not two or more");
	finish(&scene);
}

static void different_tests_take_no_turns(void **state)
{
	const struct blkbench_turns_params params = { NS_PER_S, 2, 1 };
	struct blkbench_turns *turns;
	struct blkbench_error error;
	struct blkbench_plan plan;
	struct scene scene;

	(void)state;
	init(&scene);
	add(&scene, SIMULATED_STEADY, 0.004, 1);
	plan = plan_of(1);
	plan.test = "timed";
	add_plan(&scene, &plan, SIMULATED_STEADY, 0.004, 2);
	assert_int_equal(blkbench_turns_create(scene.measures, 2, &params,
					       &turns, &error),
			 -EINVAL);
	assert_string_equal(error.text,
			    "measurements of different tests: seek, timed");
	finish(&scene);
}

/* ---- in the long run --------------------------------------------------- */

struct tally {
	unsigned int outcomes[4], wrong_intervals;
};

static void compare_two(struct tally *tally, unsigned int trials,
			enum simulated_kind kind, double first_s,
			double second_s, double limit_s, double drift_per_s)
{
	*tally = (struct tally){ { 0 }, 0 };
	for (unsigned int i = 0; i < trials; i++) {
		struct blkbench_comparison c;
		struct scene scene;

		init(&scene);
		scene.drift_per_s = drift_per_s;
		add(&scene, kind, first_s, 2 * i);
		add(&scene, kind, second_s, 2 * i + 1);
		begin(&scene, limit_s, i);
		run(&scene);
		c = comparison_of(&scene, 1);
		tally->outcomes[c.verdict]++;
		tally->wrong_intervals += c.ratio_low > first_s / second_s ||
					  c.ratio_high < first_s / second_s;
		finish(&scene);
	}
	print_message("# %g and %g ms, kind %d: %u undecided, %u equal, "
		      "%u faster, %u slower; %u intervals miss; of %u\n",
		      first_s * 1e3, second_s * 1e3, kind, tally->outcomes[0],
		      tally->outcomes[1], tally->outcomes[2],
		      tally->outcomes[3], tally->wrong_intervals, trials);
}

static void device_is_seldom_unlike_itself(void **state)
{
	static const enum simulated_kind kinds[] = { SIMULATED_NORMAL,
						     SIMULATED_EXPONENTIAL,
						     SIMULATED_BIMODAL,
						     SIMULATED_WAVERING };
	const unsigned int trials = 200 * scale;
	struct tally tally;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		compare_two(&tally, trials, kinds[i], 0.004, 0.004, 20, 0);
		assert_true(tally.outcomes[BLKBENCH_FASTER] +
				    tally.outcomes[BLKBENCH_SLOWER] <=
			    trials / 20);
		assert_true(tally.wrong_intervals <=
			    simulated_failures_max(trials, 0.05));
	}
}

static void three_percent_are_seen_through_a_spread_of_30(void **state)
{
	const unsigned int trials = 100 * scale;
	struct tally tally;

	(void)state;
	compare_two(&tally, trials, SIMULATED_NORMAL, 0.004, 0.00412, 60, 0);
	assert_true(tally.outcomes[BLKBENCH_SLOWER] >= trials * 95 / 100);
	assert_true(tally.wrong_intervals <=
		    simulated_failures_max(trials, 0.05));
}

static void ten_percent_are_always_seen(void **state)
{
	const unsigned int trials = 20 * scale;
	struct tally tally;

	(void)state;
	compare_two(&tally, trials, SIMULATED_NORMAL, 0.004, 0.0044, 20, 0);
	assert_int_equal(tally.outcomes[BLKBENCH_SLOWER], trials);
	compare_two(&tally, trials, SIMULATED_NORMAL, 0.0044, 0.004, 20, 0);
	assert_int_equal(tally.outcomes[BLKBENCH_FASTER], trials);
}

/* Both fall to 70 % of their rates. */
static void common_drift_is_no_difference(void **state)
{
	const unsigned int trials = 100 * scale;
	struct tally tally;

	(void)state;
	compare_two(&tally, trials, SIMULATED_NORMAL, 0.004, 0.004, 40,
		    -0.3 / 40);
	assert_true(tally.outcomes[BLKBENCH_FASTER] +
			    tally.outcomes[BLKBENCH_SLOWER] <=
		    trials / 20);
	compare_two(&tally, trials, SIMULATED_NORMAL, 0.004, 0.005, 40,
		    -0.3 / 40);
	assert_int_equal(tally.outcomes[BLKBENCH_SLOWER], trials);
	assert_true(tally.wrong_intervals <=
		    simulated_failures_max(trials, 0.05));
}

static void hundred_times_faster_is_faster(void **state)
{
	const unsigned int trials = 20 * scale;
	struct tally tally;

	(void)state;
	compare_two(&tally, trials, SIMULATED_EXPONENTIAL, 0.02, 0.0002, 20, 0);
	assert_int_equal(tally.outcomes[BLKBENCH_FASTER], trials);
	assert_true(tally.wrong_intervals <=
		    simulated_failures_max(trials, 0.05));
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Of what was said after 6 s, and what it then took with time to spare. */
static void time_needed_is_about_what_it_takes(void **state)
{
	enum { TRIALS = 40 };
	static const double second_s[] = { 0.004, 0.00408, 0.00412 };
	double ratios[TRIALS];

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		size_t n = 0;

		for (unsigned int i = 0; i < TRIALS; i++) {
			double needed_s, took_s;
			struct scene scene;

			init(&scene);
			add(&scene, SIMULATED_NORMAL, 0.004, 2 * i);
			add(&scene, SIMULATED_NORMAL, second_s[k], 2 * i + 1);
			begin(&scene, 6, i);
			took_s = run(&scene);
			needed_s = comparison_of(&scene, 1).seconds_needed;
			finish(&scene);
			if (isnan(needed_s))
				continue;
			needed_s += took_s;

			init(&scene);
			add(&scene, SIMULATED_NORMAL, 0.004, 2 * i);
			add(&scene, SIMULATED_NORMAL, second_s[k], 2 * i + 1);
			begin(&scene, 120, i);
			ratios[n++] = run(&scene) / needed_s;
			finish(&scene);
		}
		assert_true(n > TRIALS / 2);
		qsort(ratios, n, sizeof(ratios[0]), compare_doubles);
		print_message("# %g ms: %zu undecided, took %.2f of what was "
			      "said; %.2f to %.2f\n",
			      second_s[k] * 1e3, n, ratios[n / 2], ratios[0],
			      ratios[n - 1]);
		assert_true(ratios[n / 2] > 1.0 / 3 && ratios[n / 2] < 3);
	}
}

/* "test_turns 100": a hundred times as many simulated comparisons. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_take_turns_there_and_back),
		cmocka_unit_test(three_take_turns_there_and_back),
		cmocka_unit_test(nothing_that_was_measured_is_lost),
		cmocka_unit_test(steady_devices_are_decided_after_three_rounds),
		cmocka_unit_test(decided_one_takes_no_more_turns),
		cmocka_unit_test(slow_device_gets_eight_reads_a_slice),
		cmocka_unit_test(streams_are_compared_by_their_bytes),
		cmocka_unit_test(hours_of_turns_are_compared_as_well),
		cmocka_unit_test(limit_is_kept_and_few_slices_are_undecided),
		cmocka_unit_test(progress_goes_from_0_to_1),
		cmocka_unit_test(stop_keeps_what_was_measured),
		cmocka_unit_test(stop_before_the_first_read_is_no_harm),
		cmocka_unit_test(pause_stops_the_clock_of_the_limit),
		cmocka_unit_test(stop_waits_for_the_reads_in_flight),
		cmocka_unit_test(device_that_hangs_drops_out_alone),
		cmocka_unit_test(device_that_fails_is_judged_by_what_there_is),
		cmocka_unit_test(first_device_takes_all_with_it),
		cmocka_unit_test(device_that_never_answers_is_a_stall),
		cmocka_unit_test(one_alone_takes_no_turns),
		cmocka_unit_test(different_tests_take_no_turns),
		cmocka_unit_test(device_is_seldom_unlike_itself),
		cmocka_unit_test(three_percent_are_seen_through_a_spread_of_30),
		cmocka_unit_test(ten_percent_are_always_seen),
		cmocka_unit_test(common_drift_is_no_difference),
		cmocka_unit_test(hundred_times_faster_is_faster),
		cmocka_unit_test(time_needed_is_about_what_it_takes),
	};

	if (argc > 1)
		scale = (unsigned int)strtoul(argv[1], NULL, 10);
	return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
