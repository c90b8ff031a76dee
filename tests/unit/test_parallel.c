/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "parallel.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"

#define LANES 3
#define DEPTH 16
#define BLOCK 4096
#define LOG_MAX 65536
#define NEVER UINT64_MAX

/*
 * Devices that exist in real time: threads cannot share a clock that moves when
 * one of them waits. Each takes a time for a read, one after the other, and
 * then has it go over a bus that all share. Where the machine is busy, waits are
 * longer, but no reads: as long as some are waiting, they follow each other
 * without a gap.
 */
struct bus {
	pthread_mutex_t lock;
	uint64_t read_ns; /* 0: it is none */
	uint64_t free_ns; /* from when on */
};

struct disk {
	struct clock clock; /* first: its engines find it by that */
	struct bus *bus;
	uint64_t read_ns;
	uint64_t free_ns;
	uint64_t hangs_after; /* so many reads */
	uint64_t fails_after;
	int refusal; /* of an engine: negative errno, or 0 */
	uint64_t engines_max, engines;

	uint64_t reads;
	uint64_t offsets[LOG_MAX];
};

struct pending {
	struct io *io;
	uint64_t end_ns;
};

struct disk_engine {
	struct engine engine;
	struct disk *disk;
	size_t count;
	struct pending pending[DEPTH];
};

static uint64_t clock_ns(const struct clock *clock)
{
	struct timespec now;

	(void)clock;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t cross(struct bus *bus, uint64_t begin_ns)
{
	uint64_t end_ns;

	pthread_mutex_lock(&bus->lock);
	bus->free_ns = later(bus->free_ns, begin_ns) + bus->read_ns;
	end_ns = bus->free_ns;
	pthread_mutex_unlock(&bus->lock);
	return end_ns;
}

/* Those that are not there yet do not get in the way of others on the bus. */
static uint64_t serve(struct disk *disk)
{
	const uint64_t now = clock_ns(&disk->clock);

	if (disk->reads > disk->hangs_after)
		return NEVER;
	disk->free_ns = later(disk->free_ns, now) + disk->read_ns;
	if (disk->bus->read_ns == 0)
		return disk->free_ns;
	return later(disk->free_ns, cross(disk->bus, now));
}

static void disk_queue(struct engine *engine, struct io *io)
{
	struct disk_engine *self = (struct disk_engine *)engine;
	struct disk *disk = self->disk;

	assert_true(self->count < DEPTH);
	if (disk->reads < LOG_MAX)
		disk->offsets[disk->reads] = io->offset_bytes;
	disk->reads++;
	io->submit_ns = clock_ns(&disk->clock);
	io->result = disk->reads > disk->fails_after ? -EIO
						     : (int32_t)io->bytes;
	self->pending[self->count++] = (struct pending){ io, serve(disk) };
}

static int take_ended(struct disk_engine *self, struct io **done,
		      unsigned int max)
{
	const uint64_t now = clock_ns(&self->disk->clock);
	unsigned int taken = 0;
	size_t left = 0;

	for (size_t i = 0; i < self->count; i++) {
		const struct pending *pending = &self->pending[i];

		if (pending->end_ns > now || taken == max) {
			self->pending[left++] = *pending;
			continue;
		}
		pending->io->done_ns = pending->end_ns;
		done[taken++] = pending->io;
	}
	self->count = left;
	return (int)taken;
}

static int disk_wait(struct engine *engine, struct io **done, unsigned int max,
		     unsigned int min, uint64_t timeout_ns)
{
	struct disk_engine *self = (struct disk_engine *)engine;
	uint64_t until = clock_ns(&self->disk->clock) + timeout_ns;
	struct timespec wake;
	int taken;

	(void)min;
	taken = take_ended(self, done, max);
	if (taken > 0)
		return taken;
	for (size_t i = 0; i < self->count; i++)
		if (self->pending[i].end_ns < until)
			until = self->pending[i].end_ns;
	wake.tv_sec = (time_t)(until / NS_PER_S);
	wake.tv_nsec = (long)(until % NS_PER_S);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL);
	return take_ended(self, done, max);
}

static void disk_close(struct engine *engine)
{
	free(engine);
}

static int disk_open(const struct engine_setup *setup, struct engine **engine,
		     struct blkbench_error *error);

static const struct engine_ops disk_ops = {
	.id = BLKBENCH_ENGINE_PREAD,
	.open = disk_open,
	.queue = disk_queue,
	.wait = disk_wait,
	.close = disk_close,
};

static int disk_open(const struct engine_setup *setup, struct engine **engine,
		     struct blkbench_error *error)
{
	struct disk_engine *self = calloc(1, sizeof(*self));

	assert_non_null(self);
	self->disk = (struct disk *)setup->clock;
	if (self->disk->engines++ >= self->disk->engines_max) {
		free(self);
		strcpy(error->text, "no more engines");
		return -ENOMEM;
	}
	self->engine.ops = &disk_ops;
	*engine = &self->engine;
	return 0;
}

static const struct engine_ops *const engines[] = { &disk_ops, NULL };

static uint64_t nothing(void)
{
	return 0;
}

static enum blkbench_loss no_loss(const struct blkbench_device *device,
				  const char **layer)
{
	(void)device;
	*layer = NULL;
	return BLKBENCH_LOSS_NONE;
}

static bool no_pressure(struct pressure *pressure)
{
	(void)pressure;
	return false;
}

static bool no_traffic(const struct blkbench_device *device,
		       struct doubt_traffic *traffic)
{
	(void)device;
	(void)traffic;
	return false;
}

static void no_limits(const struct blkbench_device *device,
		      struct doubt_limits *limits)
{
	(void)device;
	*limits = (struct doubt_limits){
		.bytes_per_s.value = BLKBENCH_UNKNOWN,
		.reads_per_s.value = BLKBENCH_UNKNOWN,
		.in_flight.value = BLKBENCH_UNKNOWN,
		.read_ahead.value = BLKBENCH_UNKNOWN,
	};
}

/* ---- a scene ------------------------------------------------------------ */

struct scene {
	struct bus bus;
	struct disk *disks; /* LANES of them */
	struct blkbench_plan plan;
	struct blkbench_parallel_params params;
	struct blkbench_parallel *parallel;
};

/* 500 reads a second of each disk, and no bus. */
static void init(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	pthread_mutex_init(&scene->bus.lock, NULL);
	scene->disks = calloc(LANES, sizeof(*scene->disks));
	assert_non_null(scene->disks);
	for (size_t i = 0; i < LANES; i++)
		scene->disks[i] = (struct disk){
			.clock = { clock_ns },
			.bus = &scene->bus,
			.read_ns = 2 * NS_PER_MS,
			.hangs_after = NEVER,
			.fails_after = NEVER,
			.engines_max = NEVER,
		};
	scene->plan = (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.engine = BLKBENCH_ENGINE_PREAD,
		.length_bytes = 1ULL << 30,
		.block_bytes = BLOCK,
		.sector_bytes = 512,
		.queue_depth = DEPTH,
		.runtime_ns = NS_PER_S / 2,
		.precision_percent = NAN,
		.seed = 1,
		.warmup_limit_ns = 2 * NS_PER_S,
		.max_errors = 4,
	};
	scene->params = (struct blkbench_parallel_params){
		.limit_ns = NS_PER_S / 2, /* with pauses: not enough */
		.equal_percent = 10,
		.seed = 1,
	};
}

static void begin(struct scene *scene)
{
	struct blkbench_plan plans[LANES];
	struct world worlds[LANES];
	struct blkbench_error error;

	for (size_t i = 0; i < LANES; i++) {
		plans[i] = scene->plan;
		worlds[i] = (struct world){
			.fd = -1,
			.clock = &scene->disks[i].clock,
			.engines = engines,
			.count_workers = nothing,
			.worker_activity = nothing,
			.read_pressure = no_pressure,
			.find_loss = no_loss,
			.count_traffic = no_traffic,
			.find_limits = no_limits,
		};
	}
	assert_int_equal(parallel_create(worlds, plans, LANES, &scene->params,
					 &scene->parallel, &error),
			 0);
}

static void go_on(struct scene *scene)
{
	while (blkbench_parallel_advance(scene->parallel, 50 * NS_PER_MS))
		;
}

static void end(struct scene *scene)
{
	blkbench_parallel_destroy(scene->parallel);
	pthread_mutex_destroy(&scene->bus.lock);
	free(scene->disks);
}

static struct blkbench_share share_of(const struct scene *scene, size_t index)
{
	struct blkbench_share share;

	assert_int_equal(
		blkbench_parallel_get_share(scene->parallel, index, &share), 0);
	return share;
}

typedef int getter(struct blkbench_parallel *, size_t, struct blkbench_result *,
		   struct blkbench_error *);

/* Without what it owns. */
static struct blkbench_result get(const struct scene *scene, getter *get_part,
				  size_t index)
{
	struct blkbench_result result;
	struct blkbench_error error;

	assert_int_equal(get_part(scene->parallel, index, &result, &error), 0);
	blkbench_result_finish(&result);
	return result;
}

/* ---- tests -------------------------------------------------------------- */

static void a_bus_for_750_reads_leaves_each_of_three_a_half(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene);
	scene.params.limit_ns = 4 * NS_PER_S;
	scene.bus.read_ns = NS_PER_S / 750;
	begin(&scene);
	go_on(&scene);
	share = share_of(&scene, BLKBENCH_ALL);
	assert_float_equal(share.alone, 1500, 75);
	assert_float_equal(share.together, 750, 50);
	assert_float_equal(share.percent, 50, 4);
	assert_int_equal(share.verdict, BLKBENCH_LIMITED);
	for (size_t i = 0; i < LANES; i++) {
		share = share_of(&scene, i);
		assert_float_equal(share.alone, 500, 50);
		assert_float_equal(share.percent, 50, 8);
		assert_int_equal(share.verdict, BLKBENCH_LIMITED);
	}
	end(&scene);
}

static void three_without_a_bus_are_not_limited(void **state)
{
	struct scene scene;
	struct blkbench_share share;

	(void)state;
	init(&scene);
	scene.params.limit_ns = 4 * NS_PER_S;
	begin(&scene);
	go_on(&scene);
	share = share_of(&scene, BLKBENCH_ALL);
	assert_float_equal(share.alone, 1500, 75);
	assert_float_equal(share.together, 1500, 75);
	assert_int_equal(share.verdict, BLKBENCH_NOT_LIMITED);
	end(&scene);
}

static void each_has_its_own_time_alone_and_one_with_all(void **state)
{
	struct scene scene;
	uint64_t before, took;

	(void)state;
	init(&scene);
	before = clock_ns(NULL);
	begin(&scene);
	go_on(&scene);
	took = clock_ns(NULL) - before;
	assert_true(took >= 4 * scene.params.limit_ns);
	assert_true(took < 6 * scene.params.limit_ns);
	for (size_t i = 0; i < LANES; i++) {
		const struct blkbench_result alone =
			get(&scene, blkbench_parallel_get_alone, i);
		const struct blkbench_result together =
			get(&scene, blkbench_parallel_get_together, i);

		assert_false(alone.is_partial || together.is_partial);
		assert_true(alone.elapsed_ns > scene.params.limit_ns / 2);
		assert_true(alone.elapsed_ns < scene.params.limit_ns * 3 / 2);
		assert_true(together.elapsed_ns > scene.params.limit_ns / 2);
		assert_float_equal(alone.seeks_per_s, 500, 50);
		assert_int_equal(alone.plan.runtime_ns, scene.params.limit_ns);
	}
	end(&scene);
}

/* One that is slower than the time that there is has it all the same. */
static void each_is_read_however_short_the_time(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	scene.params.limit_ns = 60 * NS_PER_MS;
	for (size_t i = 0; i < LANES; i++)
		scene.disks[i].read_ns = 20 * NS_PER_MS;
	begin(&scene);
	go_on(&scene);
	for (size_t i = 0; i < LANES; i++)
		assert_true(
			get(&scene, blkbench_parallel_get_alone, i).requests >
			0);
	assert_int_equal(share_of(&scene, BLKBENCH_ALL).slices, 0);
	end(&scene);
}

static int compare_offsets(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Alone or not: but for the discarded reads, which are two for each round. */
static void no_block_is_read_twice(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	begin(&scene);
	go_on(&scene);
	for (size_t i = 0; i < LANES; i++) {
		struct disk *disk = &scene.disks[i];
		const uint64_t slices = share_of(&scene, i).slices;
		uint64_t twice = 0;

		assert_true(disk->reads < LOG_MAX);
		qsort(disk->offsets, disk->reads, sizeof(disk->offsets[0]),
		      compare_offsets);
		for (uint64_t j = 1; j < disk->reads; j++)
			twice += disk->offsets[j] == disk->offsets[j - 1];
		assert_true(twice <= 2 * slices + 4);
		assert_true(disk->reads > 20 * slices);
	}
	end(&scene);
}

static void one_that_hangs_drops_out_and_the_others_begin_anew(void **state)
{
	struct scene scene;
	struct blkbench_result result;

	(void)state;
	init(&scene);
	scene.bus.read_ns = NS_PER_S / 750;
	scene.disks[1].hangs_after = 100;
	begin(&scene);
	go_on(&scene);
	assert_true(get(&scene, blkbench_parallel_get_alone, 1).stalled > 0 ||
		    get(&scene, blkbench_parallel_get_together, 1).stalled > 0);
	assert_int_equal(share_of(&scene, 1).slices, 0);
	assert_true(isnan(share_of(&scene, 1).percent));
	for (size_t i = 0; i < LANES; i++) {
		if (i == 1)
			continue;
		result = get(&scene, blkbench_parallel_get_alone, i);
		assert_int_equal(result.stalled, 0);
		assert_false(result.is_partial);
	}
	/* Two want 1000 of the 750. */
	assert_float_equal(share_of(&scene, BLKBENCH_ALL).percent, 75, 8);
	end(&scene);
}

static void one_that_fails_its_reads_drops_out(void **state)
{
	struct scene scene;
	struct blkbench_result result;

	(void)state;
	init(&scene);
	scene.disks[0].fails_after = 0;
	begin(&scene);
	go_on(&scene);
	result = get(&scene, blkbench_parallel_get_alone, 0);
	assert_int_equal(result.requests, 0);
	assert_true(result.errors >= 4);
	assert_true(result.is_partial);
	assert_float_equal(share_of(&scene, BLKBENCH_ALL).together, 1000, 200);
	end(&scene);
}

static void one_that_cannot_be_measured_has_the_reason(void **state)
{
	struct scene scene;
	struct blkbench_result result;
	struct blkbench_error error;

	(void)state;
	init(&scene);
	scene.disks[0].engines_max = 0;
	scene.disks[2].engines_max = 1;
	begin(&scene);
	go_on(&scene);
	assert_int_equal(blkbench_parallel_get_alone(scene.parallel, 0, &result,
						     &error),
			 -ENOMEM);
	assert_string_equal(error.text, "no more engines");
	assert_int_equal(blkbench_parallel_get_together(scene.parallel, 2,
							&result, &error),
			 -ENOMEM);
	assert_true(get(&scene, blkbench_parallel_get_alone, 2).requests > 0);
	assert_int_equal(share_of(&scene, BLKBENCH_ALL).slices, 0);
	assert_true(get(&scene, blkbench_parallel_get_alone, 1).elapsed_ns >
		    scene.params.limit_ns / 2);
	end(&scene);
}

static void a_last_one_goes_on_alone(void **state)
{
	struct scene scene;
	struct blkbench_result result;

	(void)state;
	init(&scene);
	for (size_t i = 1; i < LANES; i++)
		scene.disks[i].engines_max = 0;
	begin(&scene);
	go_on(&scene);
	result = get(&scene, blkbench_parallel_get_alone, 0);
	assert_true(result.elapsed_ns > scene.params.limit_ns / 2);
	assert_false(result.is_partial);
	assert_int_equal(share_of(&scene, 0).slices, 0);
	end(&scene);
}

static void without_any_left_it_is_over(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	for (size_t i = 0; i < LANES; i++)
		scene.disks[i].engines_max = 0;
	begin(&scene);
	go_on(&scene);
	assert_int_equal(share_of(&scene, BLKBENCH_ALL).slices, 0);
	assert_true(isnan(share_of(&scene, BLKBENCH_ALL).together));
	end(&scene);
}

/* Alone after some time, then in what is together. */
static void stopped_it_has_what_it_has_and_is_partial(void **state)
{
	const uint64_t times_ns[] = { 20 * NS_PER_MS, 600 * NS_PER_MS };
	struct blkbench_parallel_progress progress;
	struct scene scene;
	uint64_t before;

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		init(&scene);
		begin(&scene);
		assert_int_equal(blkbench_parallel_advance(scene.parallel,
							   times_ns[t]),
				 1);
		blkbench_parallel_get_progress(scene.parallel, &progress);
		assert_true(progress.fraction >= 0 && progress.fraction < 1);
		before = clock_ns(NULL);
		blkbench_parallel_stop(scene.parallel);
		go_on(&scene);
		assert_true(clock_ns(NULL) - before < NS_PER_S);
		assert_true(
			get(&scene, blkbench_parallel_get_alone, 0).is_partial);
		assert_true(
			get(&scene, blkbench_parallel_get_alone, 0).requests >
			0);
		end(&scene);
	}
}

static void stopped_before_it_begins_it_has_nothing(void **state)
{
	struct blkbench_result result;
	struct blkbench_error error;
	struct scene scene;

	(void)state;
	init(&scene);
	begin(&scene);
	blkbench_parallel_stop(scene.parallel);
	go_on(&scene);
	assert_int_equal(blkbench_parallel_get_alone(scene.parallel, 0, &result,
						     &error),
			 -ENODATA);
	assert_int_equal(scene.disks[0].reads, 0);
	end(&scene);
}

static void a_pause_is_none_of_the_time(void **state)
{
	const struct timespec away = { .tv_nsec = NS_PER_S / 2 };
	struct blkbench_parallel_progress before, after;
	struct scene scene;
	uint64_t reads;

	(void)state;
	init(&scene);
	begin(&scene);
	blkbench_parallel_advance(scene.parallel, NS_PER_S);
	blkbench_parallel_pause(scene.parallel);
	blkbench_parallel_get_progress(scene.parallel, &before);
	reads = scene.disks[0].reads;
	nanosleep(&away, NULL);
	blkbench_parallel_get_progress(scene.parallel, &after);
	assert_int_equal(scene.disks[0].reads, reads);
	assert_float_equal(after.fraction, before.fraction, 1e-9);
	go_on(&scene);
	assert_true(share_of(&scene, 0).slices > 0);
	assert_float_equal(
		get(&scene, blkbench_parallel_get_alone, 0).seeks_per_s, 500,
		50);
	end(&scene);
}

static void rates_are_not_known_before_any_read(void **state)
{
	struct blkbench_parallel_progress progress;
	struct scene scene;

	(void)state;
	init(&scene);
	begin(&scene);
	blkbench_parallel_get_progress(scene.parallel, &progress);
	assert_true(isnan(progress.rate_bytes_per_s));
	assert_true(isnan(progress.seeks_per_s));
	while (isnan(progress.rate_bytes_per_s) &&
	       blkbench_parallel_advance(scene.parallel, NS_PER_S / 10))
		blkbench_parallel_get_progress(scene.parallel, &progress);
	assert_true(progress.rate_bytes_per_s > 0);
	assert_true(progress.seeks_per_s > 0);
	blkbench_parallel_stop(scene.parallel);
	go_on(&scene);
	end(&scene);
}

static void left_it_does_not_wait_for_reads(void **state)
{
	struct scene scene;
	uint64_t before;

	(void)state;
	init(&scene);
	scene.disks[0].read_ns = 2 * NS_PER_S;
	begin(&scene);
	blkbench_parallel_advance(scene.parallel, 100 * NS_PER_MS);
	before = clock_ns(NULL);
	blkbench_parallel_leave(scene.parallel);
	assert_true(clock_ns(NULL) - before < NS_PER_S);
	assert_int_equal(blkbench_parallel_advance(scene.parallel, NS_PER_S),
			 0);
	assert_int_equal(get(&scene, blkbench_parallel_get_alone, 0).requests,
			 0);
	end(&scene);
}

static void one_device_or_two_tests_are_refused(void **state)
{
	struct blkbench_plan plans[2];
	struct blkbench_error error;
	struct world worlds[2];
	struct scene scene;

	(void)state;
	init(&scene);
	memset(worlds, 0, sizeof(worlds));
	plans[0] = plans[1] = scene.plan;
	assert_int_equal(parallel_create(worlds, plans, 1, &scene.params,
					 &scene.parallel, &error),
			 -EINVAL);
	assert_string_equal(error.text, "1 devices: not two or more");
	plans[1].test = "timed";
	assert_int_equal(parallel_create(worlds, plans, 2, &scene.params,
					 &scene.parallel, &error),
			 -EINVAL);
	assert_string_equal(error.text, "different tests: seek, timed");
	end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_bus_for_750_reads_leaves_each_of_three_a_half),
		cmocka_unit_test(three_without_a_bus_are_not_limited),
		cmocka_unit_test(each_has_its_own_time_alone_and_one_with_all),
		cmocka_unit_test(each_is_read_however_short_the_time),
		cmocka_unit_test(no_block_is_read_twice),
		cmocka_unit_test(
			one_that_hangs_drops_out_and_the_others_begin_anew),
		cmocka_unit_test(one_that_fails_its_reads_drops_out),
		cmocka_unit_test(one_that_cannot_be_measured_has_the_reason),
		cmocka_unit_test(a_last_one_goes_on_alone),
		cmocka_unit_test(without_any_left_it_is_over),
		cmocka_unit_test(stopped_it_has_what_it_has_and_is_partial),
		cmocka_unit_test(stopped_before_it_begins_it_has_nothing),
		cmocka_unit_test(a_pause_is_none_of_the_time),
		cmocka_unit_test(rates_are_not_known_before_any_read),
		cmocka_unit_test(left_it_does_not_wait_for_reads),
		cmocka_unit_test(one_device_or_two_tests_are_refused),
	};

	return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}
