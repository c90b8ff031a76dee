/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "legs.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "false_device.h"
#include "measure.h"
#include "mix.h"
#include "test.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

#define LEGS_MAX 8

/* A route that is known beforehand, and keeps what it is told. */
struct fixed_route {
	struct route route;
	size_t count, next;
	struct leg legs[LEGS_MAX];
	uint64_t left_ns[LEGS_MAX]; /* when each was asked for */
	size_t taken;
	struct leg_record records[LEGS_MAX];
	bool is_destroyed;
};

static bool fixed_next(struct route *route, uint64_t left_ns, struct leg *leg)
{
	struct fixed_route *fixed = (struct fixed_route *)route;

	if (fixed->next == fixed->count)
		return false;
	fixed->left_ns[fixed->next] = left_ns;
	*leg = fixed->legs[fixed->next++];
	return true;
}

static void fixed_take(struct route *route, const struct leg_record *record)
{
	struct fixed_route *fixed = (struct fixed_route *)route;

	fixed->records[fixed->taken++] = *record;
}

static double fixed_fraction(const struct route *route)
{
	const struct fixed_route *fixed = (const struct fixed_route *)route;

	return (double)fixed->taken / (double)fixed->count;
}

static int fixed_summarise(const struct route *route,
			   struct blkbench_result *result)
{
	(void)route;
	result->punted = 12345; /* a mark */
	return 0;
}

static void fixed_destroy(struct route *route)
{
	((struct fixed_route *)route)->is_destroyed = true;
}

static const struct route_ops fixed_ops = { fixed_next, fixed_take,
					    fixed_fraction, fixed_summarise,
					    fixed_destroy };

/* One read at a time of 1 MiB, in 4 ms each, of a device of 1 GiB. */
struct fixture {
	struct false_device device;
	struct blkbench_plan plan;
	struct fixed_route route;
	struct blkbench_measure *measure;
	struct blkbench_result result;
};

static struct leg leg_of(uint64_t offset_bytes, uint64_t enough_bytes)
{
	return (struct leg){
		.offset_bytes = offset_bytes,
		.length_bytes = 64 * MIB,
		.enough_bytes = enough_bytes,
		.limit_ns = 10 * NS_PER_S,
	};
}

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){ .route.route.ops = &fixed_ops };
	false_device_init(&f->device, GIB, 512);
	f->plan = (struct blkbench_plan){
		.test = "zones",
		.pattern = BLKBENCH_PATTERN_SEQUENTIAL,
		.is_direct = true,
		.length_bytes = GIB,
		.block_bytes = MIB,
		.sector_bytes = 512,
		.queue_depth = 1,
		.runtime_ns = 10 * NS_PER_S,
		.precision_percent = NAN,
		.warmup_limit_ns = 30 * NS_PER_S,
		.max_errors = 100,
	};
}

static void add_leg(struct fixture *f, struct leg leg)
{
	f->route.legs[f->route.count++] = leg;
}

static void begin(struct fixture *f)
{
	const struct world world = false_world(&f->device);
	struct blkbench_error error;

	assert_int_equal(measure_create(&world, &f->plan, &f->measure, &error),
			 0);
	measure_follow(f->measure, &f->route.route);
}

static void finish(struct fixture *f)
{
	while (blkbench_measure_advance(f->measure, 100 * NS_PER_MS))
		;
	assert_int_equal(blkbench_measure_get_result(f->measure, &f->result),
			 0);
	blkbench_measure_destroy(f->measure);
	assert_true(f->route.is_destroyed);
	blkbench_result_finish(&f->result);
}

static void each_leg_is_read_and_counted_by_itself(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	add_leg(&f, leg_of(512 * MIB, 10 * MIB));
	add_leg(&f, leg_of(0, 20 * MIB));
	begin(&f);
	finish(&f);

	assert_int_equal(f.route.taken, 2);
	assert_int_equal(f.route.records[0].requests, 10);
	assert_int_equal(f.route.records[0].bytes, 10 * MIB);
	assert_int_equal(f.route.records[0].elapsed_ns, 40 * NS_PER_MS);
	assert_int_equal(f.route.records[1].bytes, 20 * MIB);
	assert_int_equal(f.route.records[1].elapsed_ns, 80 * NS_PER_MS);
	assert_int_equal(f.device.highest_byte, 522 * MIB);
	/* All of them, and a discarded read before each. */
	assert_int_equal(f.result.requests, 30);
	assert_int_equal(f.result.elapsed_ns, 120 * NS_PER_MS);
	assert_int_equal(f.device.reads, 32);
	assert_false(f.result.is_partial);
	assert_int_equal(f.result.punted, 12345);
}

static void leg_has_bytes_and_time_enough_before_it_ends(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	add_leg(&f, leg_of(0, 10 * MIB));
	f.route.legs[0].enough_ns = 100 * NS_PER_MS;
	begin(&f);
	finish(&f);

	assert_int_equal(f.route.records[0].bytes, 25 * MIB);
	assert_int_equal(f.route.records[0].elapsed_ns, 100 * NS_PER_MS);
}

static void leg_ends_with_its_time(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	add_leg(&f, leg_of(0, 64 * MIB));
	f.route.legs[0].limit_ns = 50 * NS_PER_MS;
	begin(&f);
	finish(&f);

	/* The read that is in flight then counts. */
	assert_int_equal(f.route.records[0].bytes, 13 * MIB);
	assert_int_equal(f.route.records[0].elapsed_ns, 52 * NS_PER_MS);
}

static void leg_ends_after_one_pass(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	add_leg(&f, leg_of(GIB - 64 * MIB, UINT64_MAX));
	f.plan.queue_depth = 8;
	begin(&f);
	finish(&f);

	assert_int_equal(f.route.records[0].requests, 64);
	assert_int_equal(f.route.records[0].bytes, 64 * MIB);
	assert_int_equal(f.device.max_in_flight, 8);
}

static struct false_answer answer_badly_from_256m(struct false_device *device,
						  enum blkbench_engine engine,
						  const struct io *io,
						  uint64_t index)
{
	if (io->offset_bytes >= 256 * MIB && io->offset_bytes < 512 * MIB)
		return (struct false_answer){ NS_PER_S, -EIO };
	return false_answer_4ms(device, engine, io, index);
}

static void failed_read_ends_its_leg_alone(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.device.answer = answer_badly_from_256m;
	add_leg(&f, leg_of(250 * MIB, 10 * MIB)); /* 6 MiB are good */
	add_leg(&f, leg_of(300 * MIB, 10 * MIB)); /* none is */
	add_leg(&f, leg_of(512 * MIB, 10 * MIB));
	begin(&f);
	finish(&f);

	assert_int_equal(f.route.taken, 3);
	assert_int_equal(f.route.records[0].requests, 6);
	assert_int_equal(f.route.records[0].errors, 1);
	assert_int_equal(f.route.records[0].error, EIO);
	/* The discarded one. */
	assert_int_equal(f.route.records[1].requests, 0);
	assert_int_equal(f.route.records[1].errors, 1);
	assert_int_equal(f.route.records[2].errors, 0);
	assert_int_equal(f.route.records[2].error, 0);
	assert_int_equal(f.route.records[2].bytes, 10 * MIB);
	assert_int_equal(f.route.records[2].elapsed_ns, 40 * NS_PER_MS);
	assert_int_equal(f.result.errors, 2);
	assert_false(f.result.is_partial);
}

/* Longer than good ones, but not by so much that their time is left out. */
static struct false_answer answer_badly_in_15ms(struct false_device *device,
						enum blkbench_engine engine,
						const struct io *io,
						uint64_t index)
{
	if (io->offset_bytes == 256 * MIB)
		return (struct false_answer){ 15 * NS_PER_MS, -EIO };
	return false_answer_4ms(device, engine, io, index);
}

static void failed_read_takes_no_time_of_the_next_leg(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.device.answer = answer_badly_in_15ms;
	f.plan.queue_depth = 2;
	/* The bad read is the last but one, and ends last. */
	add_leg(&f, leg_of(236 * MIB, 40 * MIB));
	f.route.legs[0].length_bytes = 22 * MIB;
	add_leg(&f, leg_of(512 * MIB, 10 * MIB));
	begin(&f);
	finish(&f);

	assert_int_equal(f.route.records[0].errors, 1);
	assert_int_equal(f.route.records[1].bytes, 10 * MIB);
	assert_int_equal(f.route.records[1].elapsed_ns, 20 * NS_PER_MS);
}

static void discarded_reads_take_from_the_time_that_is_left(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.plan.runtime_ns = 100 * NS_PER_MS;
	for (int i = 0; i < 3; i++)
		add_leg(&f, leg_of(0, 10 * MIB));
	begin(&f);
	finish(&f);

	assert_int_equal(f.route.left_ns[0], 100 * NS_PER_MS);
	assert_int_equal(f.route.left_ns[1], 60 * NS_PER_MS);
	assert_int_equal(f.route.left_ns[2], 16 * NS_PER_MS);
	/* The last one is cut short by the end, and that is its figure. */
	assert_int_equal(f.route.taken, 3);
	assert_int_equal(f.route.records[2].bytes, 3 * MIB);
	assert_int_equal(f.route.records[2].elapsed_ns, 12 * NS_PER_MS);
	assert_false(f.result.is_partial);
}

static void pause_in_a_leg_is_in_no_figure_of_it(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	add_leg(&f, leg_of(0, 20 * MIB));
	add_leg(&f, leg_of(512 * MIB, 10 * MIB));
	begin(&f);
	blkbench_measure_advance(f.measure, 30 * NS_PER_MS);
	blkbench_measure_pause(f.measure);
	f.device.now_ns += 1000 * NS_PER_S;
	finish(&f);

	assert_int_equal(f.route.taken, 2);
	assert_int_equal(f.route.records[0].bytes, 20 * MIB);
	assert_int_equal(f.route.records[0].elapsed_ns, 80 * NS_PER_MS);
	assert_int_equal(f.route.records[1].bytes, 10 * MIB);
}

static void stop_brings_the_leg_back_that_is_under_way(void **state)
{
	struct fixture f;
	struct blkbench_progress progress;

	(void)state;
	fixture_init(&f);
	for (int i = 0; i < 4; i++)
		add_leg(&f, leg_of(0, 10 * MIB));
	begin(&f);
	blkbench_measure_advance(f.measure, 60 * NS_PER_MS);
	blkbench_measure_get_progress(f.measure, &progress);
	assert_true(progress.fraction == 0.25);
	blkbench_measure_stop(f.measure);
	finish(&f);

	assert_int_equal(f.route.taken, 2);
	assert_int_equal(f.route.records[0].bytes, 10 * MIB);
	/* From 48 ms on, when its discarded read had ended. */
	assert_int_equal(f.route.records[1].bytes, 3 * MIB);
	assert_int_equal(f.route.records[1].elapsed_ns, 12 * NS_PER_MS);
	assert_true(f.result.is_partial);
}

static struct false_answer answer_never_at_512m(struct false_device *device,
						enum blkbench_engine engine,
						const struct io *io,
						uint64_t index)
{
	if (io->offset_bytes == 512 * MIB)
		return (struct false_answer){ FALSE_NEVER, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void hung_leg_ends_the_route_within_the_time_limit(void **state)
{
	static const uint64_t offsets[] = { 512 * MIB, 510 * MIB };
	struct fixture f;

	(void)state;
	for (int i = 0; i < 2; i++) {
		fixture_init(&f);
		f.device.answer = answer_never_at_512m;
		add_leg(&f, leg_of(0, 10 * MIB));
		add_leg(&f, leg_of(offsets[i], 10 * MIB));
		add_leg(&f, leg_of(0, 10 * MIB));
		begin(&f);
		finish(&f);

		assert_int_equal(f.route.taken, 2);
		assert_false(f.route.records[0].has_stalled);
		assert_true(f.route.records[1].has_stalled);
		assert_int_equal(f.result.stalled, 1);
		assert_true(f.result.is_partial);
		/* The limit of 10 s, and 2 s for the reads in flight. */
		assert_true(f.device.now_ns - 1000 * NS_PER_S <=
			    12 * NS_PER_S + 100 * NS_PER_MS);
	}
}

static struct false_answer answer_in_5s_at_513m(struct false_device *device,
						enum blkbench_engine engine,
						const struct io *io,
						uint64_t index)
{
	if (io->offset_bytes == 513 * MIB)
		return (struct false_answer){ 5 * NS_PER_S, FALSE_FULL };
	return false_answer_4ms(device, engine, io, index);
}

static void read_that_takes_long_is_waited_for(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.device.answer = answer_in_5s_at_513m;
	add_leg(&f, leg_of(512 * MIB, 10 * MIB));
	f.route.legs[0].limit_ns = NS_PER_S;
	add_leg(&f, leg_of(0, 10 * MIB));
	begin(&f);
	finish(&f);

	assert_int_equal(f.result.stalled, 0);
	assert_int_equal(f.route.records[0].bytes, 2 * MIB);
	assert_int_equal(f.route.records[0].elapsed_ns, 5004 * NS_PER_MS);
	assert_int_equal(f.route.records[1].elapsed_ns, 40 * NS_PER_MS);
}

static void stop_between_two_legs_cuts_the_route_short(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f);
	f.device.answer = answer_in_5s_at_513m;
	add_leg(&f, leg_of(512 * MIB, 10 * MIB));
	f.route.legs[0].limit_ns = NS_PER_S;
	add_leg(&f, leg_of(0, 10 * MIB));
	begin(&f);
	/* The leg is over, and its last read awaited. */
	blkbench_measure_advance(f.measure, NS_PER_S + 10 * NS_PER_MS);
	blkbench_measure_advance(f.measure, 3 * NS_PER_S);
	blkbench_measure_stop(f.measure);
	finish(&f);

	assert_int_equal(f.route.taken, 1);
	assert_int_equal(f.route.records[0].bytes, 2 * MIB);
	assert_int_equal(f.result.stalled, 0);
	assert_true(f.result.is_partial);
}

/* ---- random routes ---------------------------------------------------- */

#define WALKS 1000
#define WALK_LIMIT_NS (20 * NS_PER_S)

/* A device and a caller that do as they like; all follows from the seed. */
struct walk {
	struct fixture f; /* first: the device finds the walk by it */
	uint64_t random;
	uint64_t legs; /* to come */
	unsigned int errors_percent, late_percent, hung_permille;
	uint64_t inside_ns; /* spent in calls, at the first stop too */
	uint64_t stopped_ns;
	struct leg_record sum;
	size_t stalls;
};

static uint64_t draw_below(struct walk *walk, uint64_t limit)
{
	return mix64(walk->random += MIX_STEP) % limit;
}

static struct walk *walk_of(struct route *route)
{
	return (void *)((char *)route - offsetof(struct walk, f.route.route));
}

static bool walk_next(struct route *route, uint64_t left_ns, struct leg *leg)
{
	struct walk *walk = walk_of(route);

	assert_true(left_ns <= walk->f.plan.runtime_ns);
	assert_int_equal(walk->stalls, 0);
	if (walk->legs == 0)
		return false;
	walk->legs--;
	*leg = (struct leg){
		.offset_bytes = draw_below(walk, 512) * MIB,
		.length_bytes = (1 + draw_below(walk, 64)) * MIB,
		.enough_bytes = draw_below(walk, 80) * MIB,
		.enough_ns = draw_below(walk, 300 * NS_PER_MS),
		.limit_ns = 1 + draw_below(walk, NS_PER_S),
	};
	return true;
}

static void walk_take(struct route *route, const struct leg_record *record)
{
	struct walk *walk = walk_of(route);
	struct leg_record *sum = &walk->sum;

	assert_true(record->requests + record->errors > 0 ||
		    record->has_stalled);
	assert_int_equal(record->bytes, record->requests * MIB);
	assert_true(record->requests == 0 || record->elapsed_ns > 0);
	assert_int_equal(record->error, record->errors > 0 ? EIO : 0);
	sum->elapsed_ns += record->elapsed_ns;
	sum->requests += record->requests;
	sum->bytes += record->bytes;
	sum->errors += record->errors;
	walk->stalls += record->has_stalled;
}

static double walk_fraction(const struct route *route)
{
	(void)route;
	return 0.5;
}

static const struct route_ops walk_ops = { walk_next, walk_take, walk_fraction,
					   fixed_summarise, fixed_destroy };

static struct false_answer answer_as_it_likes(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	struct walk *walk =
		(void *)((char *)device - offsetof(struct walk, f.device));
	struct false_answer answer = { 1 + draw_below(walk, 8 * NS_PER_MS),
				       FALSE_FULL };

	(void)engine;
	(void)io;
	(void)index;
	if (draw_below(walk, 100) < walk->errors_percent)
		answer.result = -EIO;
	if (draw_below(walk, 100) < walk->late_percent)
		answer.latency_ns = draw_below(walk, 5 * NS_PER_S);
	if (draw_below(walk, 1000) < walk->hung_permille)
		answer.latency_ns = FALSE_NEVER;
	return answer;
}

static void walk_init(struct walk *walk, uint64_t seed)
{
	memset(walk, 0, sizeof(*walk));
	fixture_init(&walk->f);
	walk->random = seed;
	walk->f.route.route.ops = &walk_ops;
	walk->f.device.answer = answer_as_it_likes;
	walk->f.device.may_abandon = true;
	walk->f.plan.queue_depth = 1 + draw_below(walk, 16);
	walk->f.plan.runtime_ns = 1 + draw_below(walk, WALK_LIMIT_NS);
	walk->f.plan.max_errors = 1 + draw_below(walk, 200);
	walk->legs = 1 + draw_below(walk, 30);
	if (draw_below(walk, 2))
		walk->errors_percent = (unsigned int)draw_below(walk, 20);
	if (draw_below(walk, 3) == 0)
		walk->late_percent = (unsigned int)draw_below(walk, 10);
	if (draw_below(walk, 4) == 0)
		walk->hung_permille = (unsigned int)draw_below(walk, 10);
	walk->stopped_ns = UINT64_MAX;
}

static bool walk_on(struct walk *walk, bool may_stop)
{
	struct blkbench_measure *measure = walk->f.measure;
	struct false_device *device = &walk->f.device;
	uint64_t begin = device->now_ns;
	bool has_more;

	if (draw_below(walk, 10) == 0) {
		blkbench_measure_pause(measure);
		assert_true(device->now_ns - begin <= 2 * NS_PER_S);
		device->now_ns += draw_below(walk, 100 * NS_PER_S);
		begin = device->now_ns;
	}
	if (may_stop && draw_below(walk, 50) == 0) {
		blkbench_measure_stop(measure);
		if (walk->stopped_ns == UINT64_MAX)
			walk->stopped_ns = walk->inside_ns;
	}
	has_more = blkbench_measure_advance(
		measure, 1 + draw_below(walk, 500 * NS_PER_MS));
	walk->inside_ns += device->now_ns - begin;
	return has_more;
}

/* The time limit, the first read, those in flight and the second look; here a
 * pause is followed by a first read again. */
static void check_walk(const struct walk *walk, bool may_stop)
{
	const struct blkbench_result *result = &walk->f.result;

	assert_int_equal(walk->sum.requests, result->requests);
	assert_int_equal(walk->sum.bytes, result->bytes);
	assert_int_equal(walk->sum.errors, result->errors);
	/* Those of a second look are in no leg. */
	assert_true(walk->stalls <= 1);
	assert_true(walk->stalls == 0 || result->stalled > 0);
	if (result->errors == 0)
		assert_int_equal(walk->stalls, result->stalled > 0);
	if (result->requests > 0 && !result->stalled)
		assert_true(walk->sum.elapsed_ns <= result->elapsed_ns);
	if (result->is_partial)
		assert_true(result->stalled > 0 ||
			    walk->stopped_ns != UINT64_MAX ||
			    result->errors >= walk->f.plan.max_errors);
	if (walk->stopped_ns != UINT64_MAX)
		assert_true(walk->inside_ns - walk->stopped_ns <= 2 * NS_PER_S);
	if (!may_stop && !walk->late_percent && !walk->hung_permille)
		assert_true(walk->inside_ns <=
			    walk->f.plan.runtime_ns + 5 * NS_PER_S);
}

static void every_read_of_random_routes_is_in_one_leg(void **state)
{
	static struct walk walk;

	(void)state;
	for (uint64_t seed = 1; seed <= WALKS; seed++) {
		const bool may_stop = seed % 2;

		walk_init(&walk, seed);
		begin(&walk.f);
		while (walk_on(&walk, may_stop))
			;
		finish(&walk.f);
		check_walk(&walk, may_stop);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_leg_is_read_and_counted_by_itself),
		cmocka_unit_test(leg_has_bytes_and_time_enough_before_it_ends),
		cmocka_unit_test(leg_ends_with_its_time),
		cmocka_unit_test(leg_ends_after_one_pass),
		cmocka_unit_test(failed_read_ends_its_leg_alone),
		cmocka_unit_test(failed_read_takes_no_time_of_the_next_leg),
		cmocka_unit_test(
			discarded_reads_take_from_the_time_that_is_left),
		cmocka_unit_test(stop_between_two_legs_cuts_the_route_short),
		cmocka_unit_test(pause_in_a_leg_is_in_no_figure_of_it),
		cmocka_unit_test(stop_brings_the_leg_back_that_is_under_way),
		cmocka_unit_test(hung_leg_ends_the_route_within_the_time_limit),
		cmocka_unit_test(read_that_takes_long_is_waited_for),
		cmocka_unit_test(every_read_of_random_routes_is_in_one_leg),
	};

	return cmocka_run_group_tests_name("legs", tests, NULL, NULL);
}
