/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "measure.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "false_device.h"
#include "test.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static struct blkbench_plan seek_plan(const struct false_device *device)
{
	return (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.engine = BLKBENCH_ENGINE_AUTO,
		.length_bytes = device->size_bytes,
		.block_bytes = 4 * KIB,
		.sector_bytes = device->sector_bytes,
		.queue_depth = 1,
		.runtime_ns = NS_PER_S,
		.precision_percent = NAN,
		.seed = 1,
		.warmup_limit_ns = 30 * NS_PER_S,
		.max_errors = 16,
	};
}

static struct blkbench_plan stream_plan(const struct false_device *device)
{
	struct blkbench_plan plan = seek_plan(device);

	plan.test = "sequential";
	plan.pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	plan.is_seek = false;
	plan.block_bytes = MIB;
	plan.queue_depth = 8;
	return plan;
}

static struct blkbench_measure *create(struct false_device *device,
				       const struct blkbench_plan *plan)
{
	const struct world world = false_world(device);
	struct blkbench_measure *measure;
	struct blkbench_error error;

	assert_int_equal(measure_create(&world, plan, &measure, &error), 0);
	return measure;
}

/* To its end; the result is to be finished by the caller. */
static void run(struct false_device *device, const struct blkbench_plan *plan,
		struct blkbench_result *result)
{
	struct blkbench_measure *measure = create(device, plan);

	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, result), 0);
	blkbench_measure_destroy(measure);
}

static bool has_warning(const struct blkbench_result *result, const char *code)
{
	for (size_t i = 0; i < result->warnings_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

static void seeks_are_counted_exactly(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 250);
	assert_int_equal(result.bytes, 250 * 4 * KIB);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	assert_true(result.seeks_per_s == 250.0);
	assert_true(result.access_ms == 4.0);
	assert_true(result.rate_bytes_per_s == 1024000.0);
	assert_true(result.rate_ci95_percent < 1e-9);
	assert_int_equal(result.latency.min_ns, 4 * NS_PER_MS);
	assert_int_equal(result.latency.p50_ns, 4 * NS_PER_MS);
	assert_int_equal(result.latency.max_ns, 4 * NS_PER_MS);
	assert_int_equal(result.slices_count, 10);
	assert_int_equal(result.slices[0].requests, 25);
	assert_int_equal(result.errors, 0);
	assert_false(result.is_partial);
	assert_string_equal(result.engine, "io_uring");
	assert_true(result.overhead_ns == 0.0);
	assert_int_equal(device.reads, 251); /* and the warm-up */
	assert_int_equal(device.reaped, 251);
	blkbench_result_finish(&result);
}

static void depth_is_kept(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	plan.queue_depth = 32;
	run(&device, &plan, &result);

	assert_int_equal(device.max_in_flight, 32);
	assert_int_equal(result.requests, 32 * 250);
	assert_true(result.seeks_per_s == 8000.0);
	assert_true(isnan(result.overhead_ns));
	assert_true(result.access_ms == 4.0);
	blkbench_result_finish(&result);
}

/* 10 ms for each; but one of the last two takes half a second. */
static struct false_answer answer_slow_at_last(struct false_device *device,
					       enum blkbench_engine engine,
					       const struct io *io,
					       uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	return (struct false_answer){ index == 202 ? 500 * NS_PER_MS
						   : 10 * NS_PER_MS,
				      FALSE_FULL };
}

static void slowest_of_the_last_reads_is_in_no_rate(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_slow_at_last;
	plan = seek_plan(&device);
	plan.queue_depth = 2;
	plan.runtime_ns = 1005 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 202);
	assert_int_equal(result.elapsed_ns, 1500 * NS_PER_MS);
	assert_int_equal(result.tail_requests, 1);
	assert_int_equal(result.tail_bytes, 4 * KIB);
	assert_int_equal(result.tail_ns, 490 * NS_PER_MS);
	assert_true(fabs(result.seeks_per_s - 201 / 1.01) < 1e-9);
	assert_true(fabs(result.rate_bytes_per_s - 201 * 4096 / 1.01) < 1e-6);
	assert_true(result.access_ms > 12.4);
	blkbench_result_finish(&result);
}

/* All 32 end together, and the last of them after the time. */
static void burst_at_the_end_counts_as_a_whole(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	plan.queue_depth = 32;
	plan.runtime_ns = 1001 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 32 * 251);
	assert_true(result.seeks_per_s == 8000.0);
	assert_int_equal(result.tail_requests, 0);
	assert_int_equal(result.tail_ns, 0);
	blkbench_result_finish(&result);
}

/* Sequential reads that end one after the other, 2 ms apart. */
static struct false_answer answer_in_turn(struct false_device *device,
					  enum blkbench_engine engine,
					  const struct io *io, uint64_t index)
{
	const uint64_t begin = 1000 * NS_PER_S;

	(void)engine;
	(void)io;
	return (struct false_answer){
		begin + (index + 1) * 2 * NS_PER_MS - device->now_ns, FALSE_FULL
	};
}

static void streaming_rate_is_bytes_over_time(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_in_turn;
	plan = stream_plan(&device);
	run(&device, &plan, &result);

	/* 1 MiB every 2 ms; 7 more were in flight when the second was over. */
	assert_int_equal(result.requests, 507);
	assert_int_equal(result.elapsed_ns, 507 * 2 * NS_PER_MS);
	assert_true(fabs(result.rate_bytes_per_s - 524288000.0) < 0.001);
	assert_true(isnan(result.seeks_per_s));
	assert_true(isnan(result.access_ms));
	blkbench_result_finish(&result);
}

/* A disk that serves its queue in turn: only a full queue is of the depth. */
static void filling_of_the_queue_is_in_no_access_time(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_in_turn;
	plan = seek_plan(&device);
	plan.queue_depth = 8;
	run(&device, &plan, &result);

	assert_int_equal(result.head_requests, 8);
	assert_int_equal(result.latency.min_ns, 2 * NS_PER_MS);
	assert_true(result.access_ms == 16.0);
	blkbench_result_finish(&result);
}

static struct false_answer answer_first_in_3s(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	if (index == 0)
		return (struct false_answer){ 3 * NS_PER_S, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void first_read_is_timed_apart(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_first_in_3s;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.warmup_ns, 3 * NS_PER_S);
	assert_int_equal(result.requests, 250);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	assert_int_equal(result.latency.max_ns, 4 * NS_PER_MS);
	blkbench_result_finish(&result);
}

/* Half of what is asked for, then the rest. */
static struct false_answer answer_in_halves(struct false_device *device,
					    enum blkbench_engine engine,
					    const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)index;
	return (struct false_answer){ NS_PER_MS, io->bytes == MIB
							 ? (int32_t)(MIB / 2)
							 : FALSE_FULL };
}

static void short_reads_are_completed(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_in_halves;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 500);
	assert_int_equal(result.short_reads, 500);
	assert_int_equal(result.bytes, 500 * MIB);
	assert_int_equal(result.latency.min_ns, 2 * NS_PER_MS);
	assert_int_equal(device.bytes_given, 500 * MIB + 4 * KIB);
	blkbench_result_finish(&result);
}

static struct false_answer answer_again(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	return (struct false_answer){ NS_PER_MS,
				      index % 4 ? -EAGAIN : FALSE_FULL };
}

static void busy_device_is_asked_again(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_again;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 0);
	assert_int_equal(result.requests, 250);
	assert_int_equal(result.retries, 3 * 250);
	assert_true(result.access_ms == 4.0);
	blkbench_result_finish(&result);
}

static struct false_answer answer_always_again(struct false_device *device,
					       enum blkbench_engine engine,
					       const struct io *io,
					       uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	return (struct false_answer){ NS_PER_US, index ? -EAGAIN : FALSE_FULL };
}

static void device_that_stays_busy_is_asked_a_thousand_times(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_always_again;
	plan = seek_plan(&device);
	plan.max_errors = 1;
	run(&device, &plan, &result);

	assert_int_equal(result.retries, 1000);
	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].error, EAGAIN);
	blkbench_result_finish(&result);
}

/* As the kernel answers to a read in pieces of which one would have to wait. */
static struct false_answer answer_if_it_may_wait(struct false_device *device,
						 enum blkbench_engine engine,
						 const struct io *io,
						 uint64_t index)
{
	(void)device;
	(void)engine;
	(void)index;
	return (struct false_answer){ NS_PER_MS,
				      io->may_wait ? FALSE_FULL : -EAGAIN };
}

static void read_that_would_have_to_wait_is_let_wait(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_if_it_may_wait;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 0);
	assert_int_equal(result.requests, 500);
	assert_int_equal(result.retries, 500);
	blkbench_result_finish(&result);
}

/* Fails, and slowly, where the bytes 1 GiB to 1 GiB + 3 MiB are. */
static struct false_answer answer_with_hole(struct false_device *device,
					    enum blkbench_engine engine,
					    const struct io *io, uint64_t index)
{
	const bool is_hole = io->offset_bytes >= GIB &&
			     io->offset_bytes < GIB + 3 * MIB;

	(void)device;
	(void)engine;
	(void)index;
	return (struct false_answer){ is_hole ? NS_PER_S : NS_PER_MS,
				      is_hole ? -EIO : FALSE_FULL };
}

static void failed_reads_enter_no_figure(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 2 * GIB, 512);
	device.answer = answer_with_hole;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.runtime_ns = 3 * NS_PER_S + 2045 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 3);
	assert_int_equal(result.errors_listed, 3);
	assert_int_equal(result.error_list[0].offset_bytes, GIB);
	assert_int_equal(result.error_list[2].offset_bytes, GIB + 2 * MIB);
	assert_int_equal(result.error_list[0].length_bytes, MIB);
	assert_int_equal(result.error_list[0].error, EIO);
	assert_int_equal(result.requests, 2045);
	assert_int_equal(result.bytes, 2045 * MIB);
	assert_int_equal(result.elapsed_ns, 2045 * NS_PER_MS);
	assert_true(fabs(result.rate_bytes_per_s - 1048576000.0) < 0.001);
	assert_int_equal(result.latency.max_ns, NS_PER_MS);
	assert_false(result.is_partial);
	blkbench_result_finish(&result);
}

/* Bad are the sectors 8195 to 8202, each read in 1 ms. */
static struct false_answer answer_with_bad_sectors(struct false_device *device,
						   enum blkbench_engine engine,
						   const struct io *io,
						   uint64_t index)
{
	const bool is_bad = io->offset_bytes < 8203 * 512 &&
			    8195 * 512 < io->offset_bytes + io->bytes;

	(void)device;
	(void)engine;
	(void)index;
	return (struct false_answer){ NS_PER_MS, is_bad ? -EIO : FALSE_FULL };
}

static void bad_sectors_are_located_after_the_test(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t begin;

	(void)state;
	false_device_init(&device, 16 * MIB, 512);
	device.answer = answer_with_bad_sectors;
	begin = device.now_ns;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.runtime_ns = 32 * NS_PER_MS;
	run(&device, &plan, &result);

	/* Two passes, each over 15 good blocks and a bad one. */
	assert_int_equal(result.errors, 2);
	assert_int_equal(result.errors_listed, 1);
	assert_int_equal(result.error_list[0].offset_bytes, 4 * MIB);
	assert_int_equal(result.error_list[0].length_bytes, MIB);
	assert_int_equal(result.error_list[0].reads, 2);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_REREAD_BAD);
	assert_int_equal(result.bad_count, 1);
	assert_int_equal(result.bad_list[0].offset_bytes, 8195 * 512);
	assert_int_equal(result.bad_list[0].length_bytes, 8 * 512);
	assert_int_equal(result.bad_list[0].error, EIO);
	assert_int_equal(result.bad_list[0].reads, 2);
	/* None of the reads that it took is in a figure. */
	assert_int_equal(result.requests, 30);
	assert_int_equal(result.bytes, 30 * MIB);
	assert_int_equal(result.elapsed_ns, 30 * NS_PER_MS);
	assert_false(result.is_partial);
	assert_true(device.now_ns - begin > 50 * NS_PER_MS);
	assert_int_equal(device.reads, device.reaped);
	blkbench_result_finish(&result);
}

/* As bad sectors of a dying disk are: each takes 1.5 s, outside of a test that
 * ends with the first of them. */
static struct false_answer answer_dying(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	struct false_answer answer =
		answer_with_bad_sectors(device, engine, io, index);

	if (answer.result == -EIO)
		answer.latency_ns = 1500 * NS_PER_MS;
	return answer;
}

static void locating_takes_2_s_and_the_read_in_flight(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t begin;

	(void)state;
	false_device_init(&device, 16 * MIB, 512);
	device.answer = answer_dying;
	begin = device.now_ns;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.max_errors = 1;
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
	assert_int_equal(result.bad_count, 0);
	assert_int_equal(result.stalled, 0);
	/* The warm-up, 4 good reads, a bad one; two bad pieces. */
	assert_int_equal(device.now_ns - begin,
			 5 * NS_PER_MS + 4500 * NS_PER_MS);
	blkbench_result_finish(&result);
}

/* Fails at once, and never comes back where it is read again. */
static struct false_answer answer_fatal(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	struct false_answer answer =
		answer_with_bad_sectors(device, engine, io, index);

	if (answer.result == -EIO && io->bytes < MIB)
		answer.latency_ns = FALSE_NEVER;
	return answer;
}

static void stall_while_locating_leaves_the_figures_whole(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t begin;

	(void)state;
	false_device_init(&device, 16 * MIB, 512);
	device.answer = answer_fatal;
	begin = device.now_ns;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.runtime_ns = 16 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
	assert_int_equal(result.stalled, 1);
	assert_int_equal(result.stalled_ns, 4 * NS_PER_S);
	assert_int_equal(result.stalled_offset_bytes, 4 * MIB);
	assert_int_equal(device.now_ns - begin, 4 * NS_PER_S + 17 * NS_PER_MS);
	assert_false(result.is_partial);
	assert_int_equal(result.requests, 15);
	assert_int_equal(result.elapsed_ns, 15 * NS_PER_MS);
	blkbench_result_finish(&result);
}

/* A measurement of one pass that has come to read again what has failed. */
static struct blkbench_measure *create_locating(struct false_device *device)
{
	struct blkbench_plan plan;
	struct blkbench_measure *measure;

	false_device_init(device, 16 * MIB, 512);
	device->answer = answer_with_bad_sectors;
	plan = stream_plan(device);
	plan.queue_depth = 1;
	plan.runtime_ns = 16 * NS_PER_MS;
	measure = create(device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 25 * NS_PER_MS), 1);
	assert_true(device->reads > 20);
	return measure;
}

static void assert_not_located(struct false_device *device,
			       struct blkbench_measure *measure)
{
	struct blkbench_result result;

	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
	assert_int_equal(result.bad_count, 0);
	assert_int_equal(result.requests, 15);
	assert_false(result.is_partial);
	assert_int_equal(device->reads, device->reaped);
	blkbench_result_finish(&result);
}

static void stop_ends_locating_and_is_no_partial_test(void **state)
{
	struct false_device device;
	struct blkbench_measure *measure = create_locating(&device);
	const uint64_t reads = device.reads;

	(void)state;
	blkbench_measure_stop(measure);
	assert_int_equal(blkbench_measure_advance(measure, NS_PER_S), 0);
	assert_int_equal(device.reads, reads);
	assert_not_located(&device, measure);
	blkbench_measure_destroy(measure);
}

static void pause_ends_locating(void **state)
{
	struct false_device device;
	struct blkbench_measure *measure = create_locating(&device);
	const uint64_t reads = device.reads;

	(void)state;
	blkbench_measure_pause(measure);
	assert_int_equal(blkbench_measure_advance(measure, NS_PER_S), 0);
	assert_int_equal(device.reads, reads);
	assert_not_located(&device, measure);
	blkbench_measure_destroy(measure);
}

static void stopped_test_is_not_located(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 16 * MIB, 512);
	device.answer = answer_with_bad_sectors;
	plan = stream_plan(&device);
	measure = create(&device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 4 * NS_PER_MS), 1);
	blkbench_measure_stop(measure);
	assert_int_equal(blkbench_measure_advance(measure, NS_PER_S), 0);
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_true(result.errors > 0);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
	assert_true(result.is_partial);
	blkbench_result_finish(&result);
}

/* As if its time had been up, also while it is paused. */
static void concluded_test_is_whole_and_located(void **state)
{
	(void)state;
	for (int is_paused = 0; is_paused < 2; is_paused++) {
		struct false_device device;
		struct blkbench_plan plan;
		struct blkbench_result result;
		struct blkbench_measure *measure;

		false_device_init(&device, 16 * MIB, 512);
		device.answer = answer_with_bad_sectors;
		plan = stream_plan(&device);
		measure = create(&device, &plan);
		assert_int_equal(
			blkbench_measure_advance(measure, 10 * NS_PER_MS), 1);
		if (is_paused)
			blkbench_measure_pause(measure);
		blkbench_measure_conclude(measure);
		assert_int_equal(blkbench_measure_advance(measure, NS_PER_S),
				 0);
		assert_int_equal(blkbench_measure_get_result(measure, &result),
				 0);
		blkbench_measure_destroy(measure);

		assert_false(result.is_partial);
		assert_true(result.requests > 0);
		assert_true(result.errors > 0);
		assert_int_equal(result.error_list[0].reread,
				 BLKBENCH_REREAD_BAD);
		assert_int_equal(result.bad_list[0].offset_bytes, 8195 * 512);
		blkbench_result_finish(&result);
	}
}

/* Fails in every second of its life. */
static struct false_answer answer_flakily(struct false_device *device,
					  enum blkbench_engine engine,
					  const struct io *io, uint64_t index)
{
	const bool is_down = device->now_ns / NS_PER_S % 2;

	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ NS_PER_MS, is_down ? -EIO : FALSE_FULL };
}

static void what_reads_well_again_is_said_so(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 16 * GIB, 512);
	device.answer = answer_flakily;
	plan = stream_plan(&device);
	plan.runtime_ns = 2 * NS_PER_S;
	plan.max_errors = 1000000;
	run(&device, &plan, &result);

	/* One ms of them is the first read's. */
	assert_int_equal(result.requests, 8 * 1000);
	assert_int_equal(result.errors, 8 * 1000);
	assert_int_equal(result.errors_listed, BLKBENCH_ERRORS_LISTED);
	for (size_t i = 0; i < result.errors_listed; i++)
		assert_int_equal(result.error_list[i].reread,
				 BLKBENCH_REREAD_GOOD);
	assert_int_equal(result.bad_count, 0);
	blkbench_result_finish(&result);
}

/* One read after the other, 2 ms each, but a second for the bad fifth MiB. */
static struct false_answer answer_by_one_head(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	uint64_t *busy_until = (uint64_t *)(uintptr_t)device->script;
	const bool is_bad = io->offset_bytes == 4 * MIB;

	(void)engine;
	(void)index;
	if (*busy_until < device->now_ns)
		*busy_until = device->now_ns;
	*busy_until += is_bad ? NS_PER_S : 2 * NS_PER_MS;
	return (struct false_answer){ *busy_until - device->now_ns,
				      is_bad ? -EIO : FALSE_FULL };
}

static void second_spent_on_a_bad_sector_is_not_in_the_rate(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t busy_until = 0;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_by_one_head;
	device.script = &busy_until;
	plan = stream_plan(&device);
	plan.runtime_ns = 2 * NS_PER_S;
	run(&device, &plan, &result);

	/* 4 reads, 496 after the bad one, 7 that were in flight at the end;
	 * of the bad one's second no more counts than others take. */
	assert_int_equal(result.errors, 1);
	assert_int_equal(result.requests, 507);
	assert_int_equal(result.elapsed_ns, 508 * 2 * NS_PER_MS);
	blkbench_result_finish(&result);
}

/* Each MiB in 4 ms; but from second to second all fail, in no time. */
static struct false_answer answer_up_and_down(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	const bool is_down = device->now_ns / NS_PER_S % 2;

	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ is_down ? 100 * NS_PER_US : 4 * NS_PER_MS,
				      is_down ? -EIO : FALSE_FULL };
}

static void seconds_of_nothing_but_errors_are_not_in_the_rate(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_up_and_down;
	plan = stream_plan(&device);
	plan.runtime_ns = 4 * NS_PER_S;
	plan.max_errors = 1000000;
	run(&device, &plan, &result);

	assert_true(result.errors > 10000);
	assert_true(fabs(result.rate_bytes_per_s - 8 * MIB * 250.0) <
		    8 * MIB * 250.0 * 0.01);
	assert_true(result.elapsed_ns < 2010 * NS_PER_MS);
	blkbench_result_finish(&result);
}

/* Every second read fails, after the same 4 ms as the others. */
static struct false_answer answer_half(struct false_device *device,
				       enum blkbench_engine engine,
				       const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	return (struct false_answer){ 4 * NS_PER_MS,
				      index % 2 ? -EIO : FALSE_FULL };
}

static void seeks_per_s_counts_good_reads_only(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_half;
	plan = seek_plan(&device);
	plan.queue_depth = 32;
	plan.max_errors = 1000000;
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 16 * 250);
	assert_int_equal(result.errors, 16 * 250);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	assert_true(result.seeks_per_s == 4000.0);
	assert_true(result.access_ms == 4.0);
	assert_false(result.is_partial);
	assert_int_equal(result.failing_since_ns, BLKBENCH_UNKNOWN);
	blkbench_result_finish(&result);
}

/* Every other five: long enough a row to be asked after. */
static struct false_answer answer_five_by_five(struct false_device *device,
					       enum blkbench_engine engine,
					       const struct io *io,
					       uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	return (struct false_answer){ NS_PER_MS,
				      index / 5 % 2 ? -EIO : FALSE_FULL };
}

static void device_with_many_errors_is_not_asked_after_each_time(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_five_by_five;
	plan = seek_plan(&device);
	plan.max_errors = 1000000;
	run(&device, &plan, &result);

	assert_int_equal(result.requests + result.errors, 1000);
	/* At the first row, and at the end. */
	assert_int_equal(device.losses_found, 2);
	assert_int_equal(result.failing_since_ns, BLKBENCH_UNKNOWN);
	assert_false(result.is_partial);
	blkbench_result_finish(&result);
}

static struct false_answer answer_eio(struct false_device *device,
				      enum blkbench_engine engine,
				      const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ NS_PER_MS, -EIO };
}

static void test_is_given_up_after_max_errors(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 2 * GIB, 512);
	device.answer = answer_eio;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 16);
	assert_int_equal(result.errors_listed, BLKBENCH_ERRORS_LISTED);
	assert_int_equal(result.requests, 0);
	assert_true(result.is_partial);
	assert_true(isnan(result.rate_bytes_per_s));
	assert_true(isnan(result.seeks_per_s));
	assert_true(isnan(result.access_ms));
	assert_true(isnan(result.rate_ci95_percent));
	assert_int_equal(result.latency.p50_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(result.latency.max_ns, BLKBENCH_UNKNOWN);
	blkbench_result_finish(&result);
}

static struct false_answer answer_first_with_eio(struct false_device *device,
						 enum blkbench_engine engine,
						 const struct io *io,
						 uint64_t index)
{
	if (index == 0)
		return (struct false_answer){ 3 * NS_PER_S, -EIO };
	return false_answer_4ms(device, engine, io, index);
}

static void failed_first_read_is_not_lost(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_first_with_eio;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].error, EIO);
	assert_int_equal(result.warmup_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(result.requests, 250);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	blkbench_result_finish(&result);
}

/* Good for 100 reads, then as script (an int) says. */
static struct false_answer answer_then_script(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	if (index > 100)
		return (struct false_answer){ NS_PER_US,
					      *(const int *)device->script };
	return false_answer_4ms(device, engine, io, index);
}

static void removed_device_ends_the_test_at_once(void **state)
{
	const int no_device = -ENODEV;
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 2 * GIB, 512);
	device.answer = answer_then_script;
	device.script = &no_device;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 100);
	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].error, ENODEV);
	assert_true(result.is_partial);
	blkbench_result_finish(&result);
}

/* 4 ms each; the hundredth, and all after it, end as script (an int) says. */
static struct false_answer answer_till_100(struct false_device *device,
					   enum blkbench_engine engine,
					   const struct io *io, uint64_t index)
{
	(void)engine;
	(void)io;
	return (struct false_answer){ 4 * NS_PER_MS,
				      index < 100
					      ? FALSE_FULL
					      : *(const int *)device->script };
}

/* Pauses when the hundredth read is in flight, then goes on to the end. */
static void run_with_pause(struct false_device *device,
			   const struct blkbench_plan *plan,
			   struct blkbench_result *result)
{
	struct blkbench_measure *measure = create(device, plan);

	assert_int_equal(blkbench_measure_advance(measure, 402 * NS_PER_MS), 1);
	blkbench_measure_pause(measure);
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, result), 0);
	blkbench_measure_destroy(measure);
}

static void device_removed_in_a_pause_is_not_read_again(void **state)
{
	const int no_device = -ENODEV;
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 2 * GIB, 512);
	device.answer = answer_till_100;
	device.script = &no_device;
	plan = seek_plan(&device);
	run_with_pause(&device, &plan, &result);

	assert_int_equal(result.requests, 99);
	assert_int_equal(result.errors, 1);
	assert_true(result.is_partial);
	assert_int_equal(device.reads, 1 + 99 + 1 + 1); /* a second look */
	blkbench_result_finish(&result);
}

static void last_error_allowed_counts_in_a_pause_too(void **state)
{
	const int bad = -EIO;
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 2 * GIB, 512);
	device.answer = answer_till_100;
	device.script = &bad;
	plan = seek_plan(&device);
	plan.max_errors = 1;
	run_with_pause(&device, &plan, &result);

	assert_int_equal(result.requests, 99);
	assert_int_equal(result.errors, 1);
	assert_true(result.is_partial);
	/* Its 8 sectors again, in halves, quarters and one by one. */
	assert_int_equal(device.reads, 1 + 99 + 1 + 2 + 4 + 8);
	blkbench_result_finish(&result);
}

static void shrunk_device_is_told_apart(void **state)
{
	const int nothing = 0;
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 2 * GIB, 512);
	device.answer = answer_then_script;
	device.script = &nothing;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 100);
	assert_int_equal(result.errors, 1);
	assert_int_equal(result.error_list[0].error, 0);
	assert_int_equal(result.error_list[0].offset_bytes, 100 * MIB);
	assert_true(result.is_partial);
	blkbench_result_finish(&result);
}

/* Good for 100 reads; then all fail as a bad sector does. */
static struct blkbench_result run_until_lost(struct false_device *device,
					     enum blkbench_loss loss,
					     uint64_t depth)
{
	static const int bad = -EIO;
	struct blkbench_plan plan;
	struct blkbench_result result;

	false_device_init(device, 2 * GIB, 512);
	device->answer = answer_then_script;
	device->script = &bad;
	device->loss = loss;
	plan = seek_plan(device);
	plan.queue_depth = depth;
	plan.max_errors = 1000;
	run(device, &plan, &result);
	return result;
}

static void lost_device_is_asked_after_and_left_alone(void **state)
{
	struct false_device device;
	struct blkbench_result result;

	(void)state;
	result = run_until_lost(&device, BLKBENCH_LOSS_REMOVED, 1);
	assert_int_equal(result.loss, BLKBENCH_LOSS_REMOVED);
	assert_string_equal(result.lost_layer, "false0");
	assert_int_equal(result.requests, 100);
	assert_int_equal(result.elapsed_ns, 400 * NS_PER_MS);
	assert_int_equal(result.failing_since_ns, 400 * NS_PER_MS);
	assert_int_equal(result.errors, 4);
	assert_true(result.is_partial);
	/* Nothing is read again of it. */
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
	assert_int_equal(device.reads, 1 + 100 + 4);
	blkbench_result_finish(&result);

	result = run_until_lost(&device, BLKBENCH_LOSS_TABLE, 8);
	assert_int_equal(result.loss, BLKBENCH_LOSS_TABLE);
	assert_true(result.errors <= 4 + 8 + 8);
	assert_int_equal(device.reads, 1 + 100 + result.errors);
	blkbench_result_finish(&result);
}

static void
device_that_fails_for_no_known_reason_ends_by_max_errors(void **state)
{
	struct false_device device;
	struct blkbench_result result;

	(void)state;
	result = run_until_lost(&device, BLKBENCH_LOSS_NONE, 1);
	assert_int_equal(result.loss, BLKBENCH_LOSS_NONE);
	assert_null(result.lost_layer);
	assert_int_equal(result.errors, 1000);
	assert_int_equal(result.failing_since_ns, 400 * NS_PER_MS);
	/* After 4, 8, 16 .. 512 and at the end. */
	assert_int_equal(device.losses_found, 9);
	blkbench_result_finish(&result);
}

static void shrunk_device_is_read_on_where_it_is(void **state)
{
	struct false_device device;
	struct blkbench_result result;

	(void)state;
	result = run_until_lost(&device, BLKBENCH_LOSS_SHRUNK, 1);
	assert_int_equal(result.loss, BLKBENCH_LOSS_SHRUNK);
	assert_int_equal(result.errors, 1000);
	assert_int_equal(result.failing_since_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_REREAD_BAD);
	blkbench_result_finish(&result);
}

static void few_errors_among_good_reads_are_no_loss(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 16 * MIB, 512);
	device.answer = answer_with_bad_sectors;
	/* A member of an array is, say: that does not make reads fail. */
	device.loss = BLKBENCH_LOSS_REMOVED;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.runtime_ns = 32 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_int_equal(result.loss, BLKBENCH_LOSS_NONE);
	assert_null(result.lost_layer);
	assert_int_equal(result.failing_since_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(result.requests, 30);
	assert_false(result.is_partial);
	assert_int_equal(device.losses_found, 1);
	blkbench_result_finish(&result);
}

/* What lies in the last quarter cannot be read. */
static struct false_answer answer_three_quarters(struct false_device *device,
						 enum blkbench_engine engine,
						 const struct io *io,
						 uint64_t index)
{
	if (io->offset_bytes >= device->size_bytes / 4 * 3)
		return (struct false_answer){ NS_PER_MS, -EIO };
	return false_answer_4ms(device, engine, io, index);
}

static void device_that_has_less_than_it_says_is_told(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_three_quarters;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.errors, 16);
	assert_true(has_warning(&result, "capacity"));
	assert_non_null(strstr(result.warnings[0].text, "all 16 reads from "));
	blkbench_result_finish(&result);
}

/* From one moment on: where that was says nothing of the end. */
static struct false_answer answer_until_now(struct false_device *device,
					    enum blkbench_engine engine,
					    const struct io *io, uint64_t index)
{
	if (index > 100)
		return (struct false_answer){ NS_PER_MS, -EIO };
	return false_answer_4ms(device, engine, io, index);
}

static void device_that_fails_from_now_on_has_no_end_for_that(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_until_now;
	plan = stream_plan(&device);
	run(&device, &plan, &result);

	assert_true(result.errors >= 16);
	assert_false(has_warning(&result, "capacity"));
	blkbench_result_finish(&result);
}

/* 100 reads come back, the others never. */
static struct false_answer answer_then_hang(struct false_device *device,
					    enum blkbench_engine engine,
					    const struct io *io, uint64_t index)
{
	if (index > 100)
		return (struct false_answer){ FALSE_NEVER, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void hung_device_keeps_the_time_limit(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t begin;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_then_hang;
	begin = device.now_ns;
	plan = stream_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 100);
	assert_int_equal(result.stalled, 8);
	assert_true(result.stalled_ns > 2900 * NS_PER_MS);
	assert_int_equal(result.stalled_offset_bytes, 100 * MIB);
	assert_true(result.is_partial);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	assert_int_equal(device.now_ns - begin, 3 * NS_PER_S + 4 * NS_PER_MS);
	blkbench_result_finish(&result);
}

static struct false_answer answer_500ms(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ 500 * NS_PER_MS, FALSE_FULL };
}

static void reads_that_came_while_nobody_looked_are_no_stall(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_500ms;
	plan = seek_plan(&device);
	plan.queue_depth = 128;
	plan.runtime_ns = 700 * NS_PER_MS;
	measure = create(&device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 1200 * NS_PER_MS),
			 1);
	device.now_ns += 10 * NS_PER_S; /* stopped by Ctrl-Z, say */
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.stalled, 0);
	assert_int_equal(result.requests, 2 * 128);
	assert_false(result.is_partial);
	blkbench_result_finish(&result);
}

static struct false_answer answer_never(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ FALSE_NEVER, FALSE_FULL };
}

static void first_read_that_hangs_is_a_stall(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t begin;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_never;
	begin = device.now_ns;
	plan = seek_plan(&device);
	plan.warmup_limit_ns = 4 * NS_PER_S;
	run(&device, &plan, &result);

	assert_int_equal(device.now_ns - begin, 4 * NS_PER_S);
	assert_int_equal(result.stalled, 1);
	assert_int_equal(result.stalled_ns, 4 * NS_PER_S);
	assert_int_equal(result.requests, 0);
	assert_int_equal(result.elapsed_ns, BLKBENCH_UNKNOWN);
	assert_int_equal(result.passes, 0);
	assert_true(isnan(result.rate_bytes_per_s));
	assert_true(isnan(result.cpu_percent));
	blkbench_result_finish(&result);
}

static struct false_answer answer_1500ms(struct false_device *device,
					 enum blkbench_engine engine,
					 const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ 1500 * NS_PER_MS, FALSE_FULL };
}

/* Stops the program for a minute when the test is so old. */
static void run_with_stop(struct false_device *device, uint64_t age_ns,
			  struct blkbench_result *result)
{
	struct blkbench_plan plan = seek_plan(device);
	struct blkbench_measure *measure;

	plan.queue_depth = 8;
	plan.warmup_limit_ns = 3 * NS_PER_S;
	measure = create(device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, age_ns), 1);
	device->stop_ns = 60 * NS_PER_S;
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, result), 0);
	blkbench_measure_destroy(measure);
}

static void stop_of_the_program_is_no_stall(void **state)
{
	/* In the first read, which takes 1.5 s; in the second run of reads,
	 * which began at 1.5 s; while the last are waited for, after 2.5 s. */
	static const uint64_t ages_ns[] = { 1000 * NS_PER_MS, 2000 * NS_PER_MS,
					    2700 * NS_PER_MS };

	(void)state;
	for (size_t i = 0; i < sizeof(ages_ns) / sizeof(ages_ns[0]); i++) {
		struct false_device device;
		struct blkbench_result result;

		false_device_init(&device, 64 * GIB, 512);
		device.answer = answer_1500ms;
		run_with_stop(&device, ages_ns[i], &result);
		assert_int_equal(result.stalled, 0);
		assert_int_equal(result.requests, 8);
		assert_false(result.is_partial);
		blkbench_result_finish(&result);
	}
}

/* Whatever came back meanwhile: more than is taken back at a time. */
static void late_look_at_many_reads_is_no_stall(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_1500ms;
	plan = seek_plan(&device);
	plan.queue_depth = 1000;
	plan.warmup_limit_ns = 3 * NS_PER_S;
	measure = create(&device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 2700 * NS_PER_MS),
			 1);
	device.now_ns += 60 * NS_PER_S;
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.stalled, 0);
	assert_int_equal(result.requests, 1000);
	blkbench_result_finish(&result);
}

/* One read after the other, at so many bytes per second. */
struct trickle {
	uint64_t bytes_per_s;
	uint64_t *free_ns; /* when what was asked for is read */
};

static struct false_answer answer_trickle(struct false_device *device,
					  enum blkbench_engine engine,
					  const struct io *io, uint64_t index)
{
	const struct trickle *trickle = device->script;

	(void)engine;
	(void)index;
	if (*trickle->free_ns < device->now_ns)
		*trickle->free_ns = device->now_ns;
	*trickle->free_ns += io->bytes * NS_PER_S / trickle->bytes_per_s;
	return (struct false_answer){ *trickle->free_ns - device->now_ns,
				      FALSE_FULL };
}

static void check_trickle(struct blkbench_plan *plan, uint64_t bytes_per_s,
			  uint64_t block_bytes)
{
	struct false_device device;
	uint64_t free_ns = 0, begin;
	const struct trickle trickle = { bytes_per_s, &free_ns };
	struct blkbench_result result;

	false_device_init(&device, plan->length_bytes, 512);
	device.answer = answer_trickle;
	device.script = &trickle;
	begin = device.now_ns;
	plan->runtime_ns = 10 * NS_PER_S;
	run(&device, plan, &result);

	assert_int_equal(result.stalled, 0);
	assert_int_equal(result.errors, 0);
	assert_false(result.is_partial);
	assert_int_equal(result.plan.block_bytes, block_bytes);
	/* All that was read, and a read too many or too few. */
	assert_true(fabs(result.rate_bytes_per_s / (double)bytes_per_s - 1) <
		    0.001);
	assert_true(result.bytes > 8 * bytes_per_s);
	assert_true(device.now_ns - begin < 12 * NS_PER_S);
	assert_int_equal(device.reads, device.reaped);
	assert_true(has_warning(&result, "slow") == (block_bytes < MIB));
	blkbench_result_finish(&result);
}

static void slow_device_has_its_rate_and_is_not_stalled(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = stream_plan(&device);
	plan.may_shrink = true;
	check_trickle(&plan, 65536, 8 * KIB);
	plan = stream_plan(&device);
	plan.may_shrink = true;
	check_trickle(&plan, MIB, 128 * KIB);
}

/* The blocks that were asked for are in flight for 4 s: the last ones are
 * started as long before the end. */
static void reads_that_take_long_are_not_started_late(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = stream_plan(&device);
	check_trickle(&plan, 2 * MIB, MIB);
}

static void what_is_read_again_is_read_whole_before(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = stream_plan(&device);
	plan.pattern = BLKBENCH_PATTERN_REPEAT;
	plan.queue_depth = 1;
	plan.may_shrink = true;
	run(&device, &plan, &result);

	/* A page, three to find how large a block may be, and the block. */
	assert_int_equal(result.warmup_ns, 4 * NS_PER_MS);
	assert_int_equal(device.reads, 250 + 5);
	assert_int_equal(result.plan.block_bytes, MIB);
	blkbench_result_finish(&result);
}

static void stop_keeps_what_was_measured(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	plan.runtime_ns = 60 * NS_PER_S;
	measure = create(&device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 500 * NS_PER_MS), 1);
	blkbench_measure_stop(measure);
	assert_int_equal(blkbench_measure_advance(measure, NS_PER_S), 0);
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	/* 4 ms of warm-up, 496 ms of reads. */
	assert_int_equal(result.requests, 124);
	assert_int_equal(result.elapsed_ns, 496 * NS_PER_MS);
	assert_true(result.is_partial);
	assert_int_equal(result.stalled, 0);
	blkbench_result_finish(&result);
}

static void pauses_are_not_counted(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	measure = create(&device, &plan);
	do {
		blkbench_measure_pause(measure);
		device.now_ns += 7 * NS_PER_S;
	} while (blkbench_measure_advance(measure, 204 * NS_PER_MS) == 1);
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.requests, 250);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	assert_true(result.seeks_per_s == 250.0);
	assert_int_equal(device.reads, 250 + 5); /* a warm-up after each */
	blkbench_result_finish(&result);
}

/* 4 ms before the pause, and never again after it. */
static struct false_answer answer_until_pause(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	if (device->now_ns > 1050 * NS_PER_S)
		return (struct false_answer){ FALSE_NEVER, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void pause_does_not_age_a_stall(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_until_pause;
	plan = seek_plan(&device);
	plan.warmup_limit_ns = 4 * NS_PER_S;
	measure = create(&device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 200 * NS_PER_MS), 1);
	blkbench_measure_pause(measure);
	device.now_ns += 60 * NS_PER_S;
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.stalled, 1);
	assert_int_equal(result.stalled_ns, 4 * NS_PER_S);
	blkbench_result_finish(&result);
}

/* Leaves the measurement alone for a minute where no read is in flight. */
static struct blkbench_measure *go_and_leave(struct false_device *device,
					     const struct blkbench_plan *plan,
					     uint64_t budget_ns)
{
	struct blkbench_measure *measure = create(device, plan);

	assert_int_equal(blkbench_measure_advance(measure, budget_ns), 1);
	assert_int_equal(device->reads, device->reaped);
	device->now_ns += 60 * NS_PER_S;
	return measure;
}

static void run_begins_with_its_first_read(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	measure = go_and_leave(&device, &plan, 4 * NS_PER_MS);
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.requests, 250);
	assert_int_equal(result.elapsed_ns, NS_PER_S);
	blkbench_result_finish(&result);
}

static void nothing_is_read_when_the_time_is_up(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	measure = go_and_leave(&device, &plan, 204 * NS_PER_MS);
	assert_int_equal(blkbench_measure_advance(measure, NS_PER_S), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(device.reads, 1 + 50);
}

static void time_before_a_read_does_not_age_a_stall(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_until_pause;
	plan = seek_plan(&device);
	plan.runtime_ns = 600 * NS_PER_S;
	measure = go_and_leave(&device, &plan, 204 * NS_PER_MS);
	assert_int_equal(blkbench_measure_advance(measure, 300 * NS_PER_MS), 1);
	blkbench_measure_stop(measure);
	assert_int_equal(blkbench_measure_advance(measure, 9 * NS_PER_S), 0);
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.stalled, 1);
	assert_int_equal(result.stalled_ns, 2300 * NS_PER_MS);
	blkbench_result_finish(&result);
}

static struct false_answer
answer_hundredth_in_800ms(struct false_device *device,
			  enum blkbench_engine engine, const struct io *io,
			  uint64_t index)
{
	if (index == 100)
		return (struct false_answer){ 800 * NS_PER_MS, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void pause_that_takes_the_rest_of_the_time_ends_the_test(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_hundredth_in_800ms;
	plan = seek_plan(&device);
	run_with_pause(&device, &plan, &result);

	assert_int_equal(result.requests, 100);
	assert_int_equal(result.elapsed_ns, (99 * 4 + 800) * NS_PER_MS);
	assert_int_equal(device.reads, 1 + 100); /* and no other warm-up */
	assert_false(result.is_partial);
	blkbench_result_finish(&result);
}

/* The first two take 40 ms; then it has enough. */
static struct false_answer answer_twice(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	if (index == 1 || index == 2)
		return (struct false_answer){ 40 * NS_PER_MS, FALSE_FULL };
	return (struct false_answer){ 4 * NS_PER_MS,
				      index == 0 ? FALSE_FULL : -EIO };
}

static void time_of_failed_reads_is_not_forgotten_in_a_pause(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;
	int turns = 1;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_twice;
	plan = seek_plan(&device);
	plan.queue_depth = 2;
	plan.max_errors = 1000000;
	measure = create(&device, &plan);
	while (turns < 100 &&
	       blkbench_measure_advance(measure, 104 * NS_PER_MS) == 1) {
		blkbench_measure_pause(measure);
		turns++;
	}
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	/* 100 ms of each turn are the test's, 4 ms the warm-up's. One more is
	 * spent on looking for bad sectors, which a pause ends, and one finds
	 * that it is over. */
	assert_int_equal(turns, 10 + 1 + 1);
	assert_int_equal(result.requests, 2);
	assert_int_equal(result.elapsed_ns, 40 * NS_PER_MS);
	blkbench_result_finish(&result);
}

static void pause_takes_back_the_first_read_too(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	measure = create(&device, &plan);
	assert_int_equal(blkbench_measure_advance(measure, 2 * NS_PER_MS), 1);
	blkbench_measure_pause(measure);
	assert_int_equal(device.reads, 1);
	assert_int_equal(device.reaped, 1);
	device.now_ns += 60 * NS_PER_S;
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	blkbench_measure_destroy(measure);

	assert_int_equal(result.warmup_ns, 4 * NS_PER_MS);
	assert_int_equal(result.requests, 250);
	blkbench_result_finish(&result);
}

/* Few come back at once, most after 50 ms. */
static struct false_answer answer_with_hiccups(struct false_device *device,
					       enum blkbench_engine engine,
					       const struct io *io,
					       uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	if (index < 10000)
		return (struct false_answer){ NS_PER_US, FALSE_FULL };
	return (struct false_answer){ index % 8 ? 50 * NS_PER_MS : NS_PER_US,
				      FALSE_FULL };
}

static void finished_read_is_not_held_for_slow_ones(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t between = 0;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_with_hiccups;
	plan = seek_plan(&device);
	plan.queue_depth = 32;
	run(&device, &plan, &result);

	/* Fast ones may wait 100 us for a batch, none longer. */
	for (size_t i = 0; i < BLKBENCH_HISTOGRAM_BUCKETS; i++)
		if (blkbench_histogram_bound(i) > 110 * NS_PER_US &&
		    blkbench_histogram_bound(i) < 49 * NS_PER_MS)
			between += result.histogram[i];
	assert_int_equal(between, 0);
	assert_true(result.latency.max_ns < 51 * NS_PER_MS);
	blkbench_result_finish(&result);
}

static void steady_device_ends_early_when_asked_to(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	plan.runtime_ns = 60 * NS_PER_S;
	plan.precision_percent = 1;
	run(&device, &plan, &result);

	assert_true(result.elapsed_ns >= 2 * NS_PER_S);
	assert_true(result.elapsed_ns < 4 * NS_PER_S);
	assert_false(result.is_partial);
	blkbench_result_finish(&result);
}

/* 1 ms and 39 ms in turn: too wide for any precision at first. */
static struct false_answer answer_unsteadily(struct false_device *device,
					     enum blkbench_engine engine,
					     const struct io *io,
					     uint64_t index)
{
	const uint64_t second = device->now_ns / NS_PER_S;

	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ second % 2 ? 39 * NS_PER_MS : NS_PER_MS,
				      FALSE_FULL };
}

static void unsteady_device_runs_to_the_end(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_unsteadily;
	plan = seek_plan(&device);
	plan.runtime_ns = 10 * NS_PER_S;
	plan.precision_percent = 1;
	run(&device, &plan, &result);

	assert_true(result.elapsed_ns >= 10 * NS_PER_S);
	assert_true(result.rate_ci95_percent > 20);
	blkbench_result_finish(&result);
}

static void refused_ring_falls_back_and_says_why(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.ring_refused = -EPERM;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "aio");
	assert_int_equal(result.requests, 250);
	assert_true(has_warning(&result, "fallback"));
	assert_non_null(strstr(result.warnings[0].text, "no rings today"));
	blkbench_result_finish(&result);
}

static void refused_ring_that_was_asked_for_is_an_error(void **state)
{
	struct false_device device;
	struct blkbench_measure *measure;
	struct blkbench_error error;
	struct blkbench_plan plan;
	struct world world;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.ring_refused = -EPERM;
	world = false_world(&device);
	plan = seek_plan(&device);
	plan.engine = BLKBENCH_ENGINE_IO_URING;
	assert_int_equal(measure_create(&world, &plan, &measure, &error),
			 -EPERM);
	assert_non_null(strstr(error.text, "no rings today"));
}

/* The ring needs 30 us for what the other engine does in 1 us. */
static struct false_answer answer_slow_ring(struct false_device *device,
					    enum blkbench_engine engine,
					    const struct io *io, uint64_t index)
{
	(void)device;
	(void)io;
	(void)index;
	return (struct false_answer){ engine == BLKBENCH_ENGINE_IO_URING
					      ? 30 * NS_PER_US
					      : NS_PER_US,
				      FALSE_FULL };
}

static void punting_ring_is_left_for_a_faster_engine(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_slow_ring;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	plan.runtime_ns = 100 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "aio");
	assert_true(has_warning(&result, "punted"));
	assert_int_equal(result.requests, 100000);
	assert_true(result.seeks_per_s == 1e6);
	/* Two turns of 10 ms for each engine, and the warm-up. */
	assert_int_equal(device.reads, 100000 + 20000 + 2 * 334 + 1);
	blkbench_result_finish(&result);
}

/* The third engine that is opened, after the ring and once more the ring. */
#define AIO 2

/* Its first read is waited for in vain, once: the ring was taken down. */
static struct false_wait interrupt_once(struct false_device *device,
					unsigned int engine)
{
	/* The warm-up, and 10 ms of the ring. */
	if (engine == AIO && device->reads == 1 + 334)
		return (struct false_wait){ .signal_ns = 100 };
	return (struct false_wait){ .signal_ns = FALSE_NEVER };
}

/* And however often: someone sends signals. */
static struct false_wait interrupt_always(struct false_device *device,
					  unsigned int engine)
{
	(void)device;
	if (engine == AIO)
		return (struct false_wait){ .signal_ns = 100 };
	return (struct false_wait){ .signal_ns = FALSE_NEVER };
}

static void check_interrupted_trial(
	struct false_wait (*interrupt)(struct false_device *device,
				       unsigned int engine),
	const char *engine)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_slow_ring;
	device.answer_wait = interrupt;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	plan.runtime_ns = 100 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_string_equal(result.engine, engine);
	blkbench_result_finish(&result);
}

static void trial_goes_on_where_a_ring_was_taken_down(void **state)
{
	(void)state;
	check_interrupted_trial(interrupt_once, "aio");
}

static void trial_ends_when_a_signal_comes(void **state)
{
	(void)state;
	check_interrupted_trial(interrupt_always, "io_uring");
}

/* The other engine is fast because it fails. */
static struct false_answer answer_failing_aio(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	if (engine == BLKBENCH_ENGINE_AIO)
		return (struct false_answer){ NS_PER_US, -EINVAL };
	return false_answer_4ms(device, engine, io, index);
}

static void failing_engine_does_not_win_the_trial(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_failing_aio;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "io_uring");
	assert_int_equal(result.requests, 250);
	assert_int_equal(result.errors, 0);
	blkbench_result_finish(&result);
}

/* As answer_slow_ring(), but one of a hundred reads meets a bad sector. */
static struct false_answer answer_slow_ring_badly(struct false_device *device,
						  enum blkbench_engine engine,
						  const struct io *io,
						  uint64_t index)
{
	struct false_answer answer =
		answer_slow_ring(device, engine, io, index);

	if (index % 100 == 99)
		answer.result = -EIO;
	return answer;
}

static void bad_sectors_do_not_decide_the_trial(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_slow_ring_badly;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "aio");
	assert_true(has_warning(&result, "punted"));
	/* 98 good ones of 99 in 99 times 30 us; 99 of 100 in 100 us. */
	assert_non_null(strstr(result.warnings[0].text,
			       "threads: 32997 reads/s in a trial, 990000"));
	blkbench_result_finish(&result);
}

/* It comes back for the other engines alone. */
static struct false_answer answer_stuck_aio(struct false_device *device,
					    enum blkbench_engine engine,
					    const struct io *io, uint64_t index)
{
	if (engine == BLKBENCH_ENGINE_AIO)
		return (struct false_answer){ FALSE_NEVER, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void read_that_is_stuck_since_the_trial_is_a_stall(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_stuck_aio;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "io_uring");
	assert_int_equal(result.requests, 250);
	assert_true(result.seeks_per_s == 250.0);
	assert_int_equal(result.stalled, 1);
	/* The second of the trial, but for the other engine's turn; the run; the
	 * time that reads have at the end. */
	assert_true(result.stalled_ns > 4 * NS_PER_S - 100 * NS_PER_MS);
	assert_true(result.stalled_ns < 4 * NS_PER_S);
	assert_true(result.is_partial);
	blkbench_result_finish(&result);
}

/* The first of the other engine comes in the middle of the run. */
static struct false_answer answer_late_aio(struct false_device *device,
					   enum blkbench_engine engine,
					   const struct io *io, uint64_t index)
{
	if (engine == BLKBENCH_ENGINE_AIO)
		return (struct false_answer){ 1500 * NS_PER_MS, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void check_late_trial(uint64_t runtime_ns)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_late_aio;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	plan.runtime_ns = runtime_ns;
	run(&device, &plan, &result);

	assert_int_equal(result.stalled, 0);
	assert_false(result.is_partial);
	assert_int_equal(result.elapsed_ns, runtime_ns);
	assert_int_equal(device.reads, device.reaped);
	blkbench_result_finish(&result);
}

static void read_of_the_trial_that_came_late_is_no_stall(void **state)
{
	(void)state;
	check_late_trial(NS_PER_S);
}

/* Neither is one that needs the time which reads have at the end. */
static void short_test_waits_for_the_reads_of_its_trial(void **state)
{
	(void)state;
	check_late_trial(100 * NS_PER_MS);
}

/* What it costs is said all the same. */
static void punting_ring_that_was_asked_for_is_kept(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_slow_ring;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	plan.engine = BLKBENCH_ENGINE_IO_URING;
	plan.runtime_ns = 300 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "io_uring");
	assert_int_equal(result.requests, 10000);
	assert_true(has_warning(&result, "punted"));
	/* Of the last read of a turn, a part lies beyond its 25 ms. */
	assert_non_null(strstr(result.warnings[0].text,
			       "threads: 33333 reads/s in a trial, 1000000 "
			       "with aio, which was not asked for"));
	blkbench_result_finish(&result);
}

static void other_engine_that_was_asked_for_is_not_tried(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.ring_punts = 1;
	plan = seek_plan(&device);
	plan.engine = BLKBENCH_ENGINE_AIO;
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "aio");
	assert_false(has_warning(&result, "punted"));
	assert_int_equal(device.reads, 251);
	blkbench_result_finish(&result);
}

static void punting_ring_is_kept_where_it_is_no_slower(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.ring_punts = 1;
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "io_uring");
	assert_true(has_warning(&result, "punted"));
	assert_non_null(strstr(result.warnings[0].text,
			       "threads: 250 reads/s in a trial, 250 with aio, "
			       "which is not clearly faster"));
	assert_int_equal(result.requests, 250);
	blkbench_result_finish(&result);
}

static struct false_answer answer_300ms(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)io;
	(void)index;
	return (struct false_answer){ 300 * NS_PER_MS, FALSE_FULL };
}

static void trial_takes_one_second_at_the_most(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t begin;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_300ms;
	device.ring_punts = 1;
	device.may_abandon = true;
	begin = device.now_ns;
	plan = seek_plan(&device);
	plan.runtime_ns = 3 * NS_PER_S;
	run(&device, &plan, &result);

	/* The fourth turn is not over then, and nobody has won. */
	assert_string_equal(result.engine, "io_uring");
	assert_int_equal(result.requests, 10);
	assert_int_equal(device.now_ns - begin,
			 300 * NS_PER_MS + NS_PER_S + 3 * NS_PER_S);
	blkbench_result_finish(&result);
}

static void asked_for_ring_is_kept_although_it_punts(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.answer = answer_slow_ring;
	device.ring_punts = 1;
	plan = seek_plan(&device);
	plan.runtime_ns = 3 * NS_PER_MS;
	plan.engine = BLKBENCH_ENGINE_IO_URING;
	run(&device, &plan, &result);

	assert_string_equal(result.engine, "io_uring");
	assert_int_equal(result.requests, 100);
	blkbench_result_finish(&result);
}

/* Of the first half of the device something, of the second zeros. */
static struct false_answer answer_half_written(struct false_device *device,
					       enum blkbench_engine engine,
					       const struct io *io,
					       uint64_t index)
{
	const bool is_written = io->offset_bytes < device->size_bytes / 2;

	memset(io->buffer, is_written ? 'x' : 0, io->bytes);
	return false_answer_4ms(device, engine, io, index);
}

/* As many as were there when the test had ended. */
static void limits_of_the_device_are_told(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 4096);
	device.limits.reads_per_s.value = 250;
	device.limits.reads_per_s.layers = 1;
	device.limits.reads_per_s.layer = "false0";
	plan = seek_plan(&device);
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 250);
	assert_true(has_warning(&result, "throttled"));
	blkbench_result_finish(&result);
}

static void zeros_are_told_from_data(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, GIB, 512);
	device.answer = answer_half_written;
	plan = seek_plan(&device);
	plan.queue_depth = 8;
	run(&device, &plan, &result);
	assert_int_equal(result.requests, 2000);
	assert_true(fabs(result.zero_percent - 50) < 3);
	assert_true(has_warning(&result, "zeros"));
	blkbench_result_finish(&result);

	plan.length_bytes = GIB / 2;
	run(&device, &plan, &result);
	assert_true(result.zero_percent == 0);
	assert_false(has_warning(&result, "zeros"));
	blkbench_result_finish(&result);

	plan.pattern = BLKBENCH_PATTERN_REPEAT;
	run(&device, &plan, &result);
	assert_true(isnan(result.zero_percent));
	blkbench_result_finish(&result);
}

/* Somebody else reads 1 KiB with each of our 4 KiB. */
static struct false_answer answer_beside_others(struct false_device *device,
						enum blkbench_engine engine,
						const struct io *io,
						uint64_t index)
{
	device->other_bytes += KIB;
	return false_answer_4ms(device, engine, io, index);
}

static void traffic_of_others_is_told_from_ours(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	run(&device, &plan, &result);
	assert_int_equal(result.other_read_bytes, 0);
	assert_int_equal(result.other_written_bytes, 0);
	assert_false(has_warning(&result, "busy"));
	blkbench_result_finish(&result);

	device.answer = answer_beside_others;
	run(&device, &plan, &result);
	assert_int_equal(result.other_read_bytes, 250 * KIB);
	assert_int_equal(result.other_written_bytes, 125 * KIB);
	assert_string_equal(result.other_layer, "false0");
	assert_true(has_warning(&result, "busy"));
	blkbench_result_finish(&result);
}

/* What goes on meanwhile is not the test's. */
static void traffic_in_a_pause_is_not_counted(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	plan = seek_plan(&device);
	measure = create(&device, &plan);
	blkbench_measure_advance(measure, NS_PER_S / 2);
	blkbench_measure_pause(measure);
	device.other_bytes += GIB;
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	assert_int_equal(result.other_read_bytes, 0);
	blkbench_result_finish(&result);
	blkbench_measure_destroy(measure);
}

static void traffic_that_is_not_counted_is_not_known(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_beside_others;
	device.counts_nothing = true;
	plan = seek_plan(&device);
	run(&device, &plan, &result);
	assert_int_equal(result.other_read_bytes, BLKBENCH_UNKNOWN);
	assert_int_equal(result.other_written_bytes, BLKBENCH_UNKNOWN);
	assert_false(has_warning(&result, "busy"));
	blkbench_result_finish(&result);

	/* The page cache reads what and when it wants. */
	device.counts_nothing = false;
	plan.is_direct = false;
	run(&device, &plan, &result);
	assert_int_equal(result.other_read_bytes, BLKBENCH_UNKNOWN);
	blkbench_result_finish(&result);
}

/* Others have the CPU for 1 ms of the 4 of each read. */
static struct false_answer answer_without_cpu(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	device->pressure.total_ns += NS_PER_MS;
	return false_answer_4ms(device, engine, io, index);
}

static void waiting_for_a_cpu_is_counted_but_in_pauses(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	struct blkbench_measure *measure;

	(void)state;
	false_device_init(&device, 64 * GIB, 512);
	device.answer = answer_without_cpu;
	plan = seek_plan(&device);
	measure = create(&device, &plan);
	blkbench_measure_advance(measure, NS_PER_S / 2);
	blkbench_measure_pause(measure);
	device.pressure.total_ns += NS_PER_S;
	while (blkbench_measure_advance(measure, 100 * NS_PER_MS) == 1)
		;
	assert_int_equal(blkbench_measure_get_result(measure, &result), 0);
	assert_true(result.cpu_pressure_percent == 25);
	blkbench_result_finish(&result);
	blkbench_measure_destroy(measure);

	device.pressure.last_10s_percent = 75;
	run(&device, &plan, &result);
	assert_true(result.cpu_pressure_percent == 75);
	blkbench_result_finish(&result);

	device.counts_nothing = true;
	run(&device, &plan, &result);
	assert_true(isnan(result.cpu_pressure_percent));
	blkbench_result_finish(&result);
}

/* What was read once is in a cache, and comes four times as fast. */
static struct false_answer answer_from_a_cache(struct false_device *device,
					       enum blkbench_engine engine,
					       const struct io *io,
					       uint64_t index)
{
	(void)engine;
	(void)io;
	return (struct false_answer){ index <= device->size_bytes / MIB
					      ? 4 * NS_PER_MS
					      : NS_PER_MS,
				      FALSE_FULL };
}

static void cached_passes_are_not_in_the_rate(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 250 * MIB, 512);
	device.answer = answer_from_a_cache;
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.runtime_ns = 2 * NS_PER_S;
	run(&device, &plan, &result);
	/* 250 in a second after the warm-up read, 1000 in another. */
	assert_int_equal(result.requests, 1250);
	assert_int_equal(result.first_pass_ns, NS_PER_S);
	assert_true(result.rate_bytes_per_s == 250.0 * MIB);
	assert_true(result.cached_rate_bytes_per_s == 1000.0 * MIB);
	assert_true(has_warning(&result, "cache"));
	assert_false(has_warning(&result, "small"));
	assert_false(has_warning(&result, "rising"));
	blkbench_result_finish(&result);
}

static void small_device_is_read_in_passes(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 512, 512);
	plan = stream_plan(&device);
	plan.block_bytes = 512;
	run(&device, &plan, &result);

	assert_int_equal(result.requests, 8 * 250);
	assert_int_equal(result.passes, 8 * 250);
	assert_int_equal(device.highest_byte, 512);
	assert_true(has_warning(&result, "small"));
	blkbench_result_finish(&result);
}

static void last_block_of_an_odd_device_is_read(void **state)
{
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;

	(void)state;
	false_device_init(&device, 10 * MIB + 1536, 512);
	plan = stream_plan(&device);
	plan.queue_depth = 1;
	plan.runtime_ns = 11 * 4 * NS_PER_MS;
	run(&device, &plan, &result);

	assert_int_equal(device.highest_byte, 10 * MIB + 1536);
	assert_int_equal(result.bytes, 10 * MIB + 1536);
	assert_int_equal(result.passes, 1);
	assert_false(has_warning(&result, "small"));
	blkbench_result_finish(&result);
}

static void seed_decides_the_places(void **state)
{
	static const uint64_t seeds[] = { 1, 1, 2 };
	struct false_device device;
	struct blkbench_plan plan;
	struct blkbench_result result;
	uint64_t highest[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		false_device_init(&device, 1ULL << 62, 512);
		plan = seek_plan(&device);
		plan.seed = seeds[i];
		plan.runtime_ns = 400 * NS_PER_MS;
		run(&device, &plan, &result);
		highest[i] = device.highest_byte;
		blkbench_result_finish(&result);
	}
	assert_int_equal(highest[0], highest[1]);
	assert_int_not_equal(highest[0], highest[2]);
	assert_true(highest[0] > 1ULL << 61);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeks_are_counted_exactly),
		cmocka_unit_test(depth_is_kept),
		cmocka_unit_test(slowest_of_the_last_reads_is_in_no_rate),
		cmocka_unit_test(burst_at_the_end_counts_as_a_whole),
		cmocka_unit_test(streaming_rate_is_bytes_over_time),
		cmocka_unit_test(filling_of_the_queue_is_in_no_access_time),
		cmocka_unit_test(first_read_is_timed_apart),
		cmocka_unit_test(short_reads_are_completed),
		cmocka_unit_test(busy_device_is_asked_again),
		cmocka_unit_test(
			device_that_stays_busy_is_asked_a_thousand_times),
		cmocka_unit_test(read_that_would_have_to_wait_is_let_wait),
		cmocka_unit_test(failed_reads_enter_no_figure),
		cmocka_unit_test(
			second_spent_on_a_bad_sector_is_not_in_the_rate),
		cmocka_unit_test(
			seconds_of_nothing_but_errors_are_not_in_the_rate),
		cmocka_unit_test(seeks_per_s_counts_good_reads_only),
		cmocka_unit_test(bad_sectors_are_located_after_the_test),
		cmocka_unit_test(locating_takes_2_s_and_the_read_in_flight),
		cmocka_unit_test(stall_while_locating_leaves_the_figures_whole),
		cmocka_unit_test(stop_ends_locating_and_is_no_partial_test),
		cmocka_unit_test(pause_ends_locating),
		cmocka_unit_test(stopped_test_is_not_located),
		cmocka_unit_test(concluded_test_is_whole_and_located),
		cmocka_unit_test(what_reads_well_again_is_said_so),
		cmocka_unit_test(failed_first_read_is_not_lost),
		cmocka_unit_test(test_is_given_up_after_max_errors),
		cmocka_unit_test(removed_device_ends_the_test_at_once),
		cmocka_unit_test(device_removed_in_a_pause_is_not_read_again),
		cmocka_unit_test(last_error_allowed_counts_in_a_pause_too),
		cmocka_unit_test(shrunk_device_is_told_apart),
		cmocka_unit_test(lost_device_is_asked_after_and_left_alone),
		cmocka_unit_test(
			device_that_fails_for_no_known_reason_ends_by_max_errors),
		cmocka_unit_test(shrunk_device_is_read_on_where_it_is),
		cmocka_unit_test(few_errors_among_good_reads_are_no_loss),
		cmocka_unit_test(
			device_with_many_errors_is_not_asked_after_each_time),
		cmocka_unit_test(hung_device_keeps_the_time_limit),
		cmocka_unit_test(
			reads_that_came_while_nobody_looked_are_no_stall),
		cmocka_unit_test(device_that_has_less_than_it_says_is_told),
		cmocka_unit_test(
			device_that_fails_from_now_on_has_no_end_for_that),
		cmocka_unit_test(first_read_that_hangs_is_a_stall),
		cmocka_unit_test(stop_of_the_program_is_no_stall),
		cmocka_unit_test(late_look_at_many_reads_is_no_stall),
		cmocka_unit_test(slow_device_has_its_rate_and_is_not_stalled),
		cmocka_unit_test(reads_that_take_long_are_not_started_late),
		cmocka_unit_test(what_is_read_again_is_read_whole_before),
		cmocka_unit_test(stop_keeps_what_was_measured),
		cmocka_unit_test(pauses_are_not_counted),
		cmocka_unit_test(pause_does_not_age_a_stall),
		cmocka_unit_test(run_begins_with_its_first_read),
		cmocka_unit_test(nothing_is_read_when_the_time_is_up),
		cmocka_unit_test(time_before_a_read_does_not_age_a_stall),
		cmocka_unit_test(
			pause_that_takes_the_rest_of_the_time_ends_the_test),
		cmocka_unit_test(
			time_of_failed_reads_is_not_forgotten_in_a_pause),
		cmocka_unit_test(pause_takes_back_the_first_read_too),
		cmocka_unit_test(finished_read_is_not_held_for_slow_ones),
		cmocka_unit_test(steady_device_ends_early_when_asked_to),
		cmocka_unit_test(unsteady_device_runs_to_the_end),
		cmocka_unit_test(refused_ring_falls_back_and_says_why),
		cmocka_unit_test(refused_ring_that_was_asked_for_is_an_error),
		cmocka_unit_test(punting_ring_is_left_for_a_faster_engine),
		cmocka_unit_test(trial_goes_on_where_a_ring_was_taken_down),
		cmocka_unit_test(trial_ends_when_a_signal_comes),
		cmocka_unit_test(failing_engine_does_not_win_the_trial),
		cmocka_unit_test(bad_sectors_do_not_decide_the_trial),
		cmocka_unit_test(read_that_is_stuck_since_the_trial_is_a_stall),
		cmocka_unit_test(read_of_the_trial_that_came_late_is_no_stall),
		cmocka_unit_test(short_test_waits_for_the_reads_of_its_trial),
		cmocka_unit_test(punting_ring_that_was_asked_for_is_kept),
		cmocka_unit_test(other_engine_that_was_asked_for_is_not_tried),
		cmocka_unit_test(punting_ring_is_kept_where_it_is_no_slower),
		cmocka_unit_test(trial_takes_one_second_at_the_most),
		cmocka_unit_test(asked_for_ring_is_kept_although_it_punts),
		cmocka_unit_test(zeros_are_told_from_data),
		cmocka_unit_test(traffic_of_others_is_told_from_ours),
		cmocka_unit_test(traffic_in_a_pause_is_not_counted),
		cmocka_unit_test(traffic_that_is_not_counted_is_not_known),
		cmocka_unit_test(waiting_for_a_cpu_is_counted_but_in_pauses),
		cmocka_unit_test(cached_passes_are_not_in_the_rate),
		cmocka_unit_test(small_device_is_read_in_passes),
		cmocka_unit_test(last_block_of_an_odd_device_is_read),
		cmocka_unit_test(seed_decides_the_places),
		cmocka_unit_test(limits_of_the_device_are_told),
	};

	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
