/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "zones.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "false_device.h"
#include "measure.h"
#include "test.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define TIB (1024 * GIB)

#define NO_PLACE UINT64_MAX

/* In the 26th of 50 places of 4 GiB, from 2057 MiB on. */
#define BAD_BYTES (2080 * MIB)

/* A disk that does one thing after the other, at a rate for each place. */
struct disk {
	struct false_device device; /* first */
	uint64_t free_ns;	    /* when it is done with what it has */
	double first_rate, last_rate;
	double drift; /* of the rate, for each second */
	uint64_t slow_bytes, slow_length_bytes;
	double slowness;
	bool is_slow_once;			/* only for the first time */
	uint64_t data_bytes, data_length_bytes; /* else zeros; length 0: all */
	uint64_t fast_from_ns; /* three times as fast from then on; 0: never */
	uint64_t bad_bytes;
	uint64_t hung_bytes;
};

struct fixture {
	struct disk disk;
	struct blkbench_plan plan;
	struct blkbench_measure *measure;
	struct blkbench_result result;
};

static bool is_slow(struct disk *disk, uint64_t offset)
{
	const uint64_t end = disk->slow_bytes + disk->slow_length_bytes;

	if (offset < disk->slow_bytes || offset >= end)
		return false;
	if (disk->is_slow_once && offset >= end - MIB)
		disk->slow_length_bytes = 0;
	return true;
}

static double rate_at(struct disk *disk, uint64_t offset)
{
	const struct false_device *device = &disk->device;
	const double place = (double)offset / (double)device->size_bytes;
	const double seconds = (double)(device->now_ns - 1000 * NS_PER_S) / 1e9;
	double rate = disk->first_rate +
		      (disk->last_rate - disk->first_rate) * place;

	rate *= 1 + disk->drift * seconds;
	if (disk->fast_from_ns > 0 && device->now_ns >= disk->fast_from_ns)
		rate *= 3;
	return is_slow(disk, offset) ? rate / disk->slowness : rate;
}

/* The buffers come round again. */
static void give_data(const struct disk *disk, const struct io *io)
{
	const uint64_t end = disk->data_bytes + disk->data_length_bytes;
	const bool has_data = disk->data_length_bytes == 0 ||
			      (io->offset_bytes >= disk->data_bytes &&
			       io->offset_bytes < end);
	uint8_t *data = io->buffer;

	if ((data[io->bytes - 1] != 0) != has_data)
		memset(data, has_data ? 0x55 : 0, io->bytes);
}

static struct false_answer answer_at_its_rate(struct false_device *device,
					      enum blkbench_engine engine,
					      const struct io *io,
					      uint64_t index)
{
	struct disk *disk = (struct disk *)device;
	const double ns = (double)io->bytes * 1e9 /
			  rate_at(disk, io->offset_bytes);

	(void)engine;
	(void)index;
	if (io->offset_bytes <= disk->hung_bytes &&
	    disk->hung_bytes < io->offset_bytes + io->bytes)
		return (struct false_answer){ FALSE_NEVER, FALSE_FULL };
	give_data(disk, io);
	if (disk->free_ns < device->now_ns)
		disk->free_ns = device->now_ns;
	disk->free_ns += (uint64_t)ns;
	return (struct false_answer){
		disk->free_ns - device->now_ns,
		io->offset_bytes <= disk->bad_bytes &&
				disk->bad_bytes < io->offset_bytes + io->bytes
			? -EIO
			: FALSE_FULL,
	};
}

static void plan_places(struct fixture *f, struct blkbench_params *params)
{
	struct blkbench_plan plans[BLKBENCH_PLANS_MAX];
	struct blkbench_error error;
	struct blkbench_info info = {
		.size_bytes = f->disk.device.size_bytes,
		.direct_works = true,
		.topology = {
			.logical_sector_bytes = 512,
			.io_opt_bytes = BLKBENCH_UNKNOWN,
		},
	};
	const struct blkbench_test *tests;
	size_t count;

	tests = blkbench_test_list(&count);
	for (size_t i = 0; i < count; i++) {
		if (strcmp(tests[i].name, "zones") != 0)
			continue;
		assert_int_equal(blkbench_plan_make(&tests[i], &info, params,
						    plans, &error),
				 1);
		f->plan = plans[0];
		return;
	}
	fail();
}

/* From 160 to 80 MB/s. */
static void fixture_init(struct fixture *f, uint64_t size_bytes)
{
	struct blkbench_params params;

	memset(f, 0, sizeof(*f));
	false_device_init(&f->disk.device, size_bytes, 512);
	f->disk.device.answer = answer_at_its_rate;
	f->disk.first_rate = 160e6;
	f->disk.last_rate = 80e6;
	f->disk.slowness = 3;
	f->disk.bad_bytes = f->disk.hung_bytes = NO_PLACE;
	blkbench_params_init(&params);
	plan_places(f, &params);
}

static void begin(struct fixture *f)
{
	const struct world world = false_world(&f->disk.device);
	struct blkbench_error error;

	assert_int_equal(measure_create(&world, &f->plan, &f->measure, &error),
			 0);
}

static void finish(struct fixture *f)
{
	while (blkbench_measure_advance(f->measure, 100 * NS_PER_MS))
		;
	assert_int_equal(blkbench_measure_get_result(f->measure, &f->result),
			 0);
	blkbench_measure_destroy(f->measure);
}

static void run(struct fixture *f)
{
	begin(f);
	finish(f);
}

static double seconds_of(const struct fixture *f)
{
	return (double)(f->disk.device.now_ns - 1000 * NS_PER_S) / 1e9;
}

static bool has_warning(const struct blkbench_result *result, const char *code)
{
	for (size_t i = 0; i < result->warnings_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

/* Within so much of the rate half way through what was read. */
static void assert_falling(const struct fixture *f, double within)
{
	const struct blkbench_result *result = &f->result;
	const double size = (double)f->disk.device.size_bytes;

	for (size_t i = 0; i < result->zones_count; i++) {
		const struct blkbench_zone *zone = &result->zones[i];
		const double middle = (double)zone->offset_bytes +
				      (double)zone->length_bytes / 2;
		const double right = 160e6 - 80e6 * middle / size;

		assert_true(fabs(zone->rate_bytes_per_s / right - 1) < within);
	}
}

static void curve_of_a_falling_rate_is_right_at_each_place(void **state)
{
	static const uint64_t sizes[] = { GIB, 4 * GIB, 2 * TIB };
	struct fixture f;

	(void)state;
	for (int i = 0; i < 3; i++) {
		fixture_init(&f, sizes[i]);
		run(&f);

		assert_int_equal(f.result.zones_count, 50);
		assert_falling(&f, 0.005);
		assert_int_equal(f.result.slow_spots_count, 0);
		assert_int_equal(f.result.zones[0].offset_bytes, 0);
		assert_int_equal(f.result.zones[49].offset_bytes +
					 f.plan.place_bytes,
				 sizes[i]);
		assert_true(fabs(f.result.curve.mean_rate_bytes_per_s / 120e6 -
				 1) < 0.01);
		assert_int_equal(f.result.curve.max_offset_bytes, 0);
		assert_int_equal(f.result.curve.min_offset_bytes,
				 f.result.zones[49].offset_bytes);
		assert_true(f.result.curve.max_rate_bytes_per_s ==
			    f.result.zones[0].rate_bytes_per_s);
		assert_true(isnan(f.result.rate_ci95_percent));
		assert_int_equal(f.result.warnings_count, 0);
		assert_true(seconds_of(&f) < 40);
		blkbench_result_finish(&f.result);
	}
}

static void place_has_64_mib_and_300_ms(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 2 * TIB);
	f.disk.first_rate = f.disk.last_rate = 160e6;
	run(&f);
	/* 0.42 s each. */
	for (size_t i = 0; i < 50; i++)
		assert_int_equal(f.result.zones[i].length_bytes, 64 * MIB);
	blkbench_result_finish(&f.result);

	fixture_init(&f, 2 * TIB);
	f.disk.first_rate = f.disk.last_rate = 1000e6;
	run(&f);
	/* 300 MB, and what is in flight then; the last one ends with the disk. */
	for (size_t i = 0; i < 49; i++)
		assert_in_range(f.result.zones[i].length_bytes, 286 * MIB,
				300 * MIB);
	assert_int_equal(f.result.zones[49].length_bytes, 64 * MIB);
	blkbench_result_finish(&f.result);

	/* What is too slow for that has 0.64 s, a fifth is kept for later. */
	fixture_init(&f, 2 * TIB);
	f.disk.first_rate = f.disk.last_rate = 20e6;
	run(&f);
	assert_in_range(f.result.zones[0].length_bytes, 12 * MIB, 22 * MIB);
	assert_true(seconds_of(&f) < 42);
	blkbench_result_finish(&f.result);
}

static void runtime_is_shared_among_the_places(void **state)
{
	struct blkbench_params params;
	struct fixture f;

	(void)state;
	fixture_init(&f, 2 * TIB);
	f.disk.first_rate = f.disk.last_rate = 100e6;
	blkbench_params_init(&params);
	params.runtime_ns = 100 * NS_PER_S;
	params.places = 10;
	plan_places(&f, &params);
	run(&f);

	assert_int_equal(f.result.zones_count, 10);
	/* A twelfth each, as second looks count as two places; and what the
	 * last one leaves, as the disk ends after 64 MiB. */
	for (size_t i = 0; i < 9; i++)
		assert_in_range(f.result.zones[i].length_bytes, 830000000,
				920000000);
	assert_true(seconds_of(&f) <= 100);
	blkbench_result_finish(&f.result);
}

static void slow_spot_is_named_within_one_step_and_nothing_else(void **state)
{
	static const uint64_t sizes[] = { 2 * GIB, 4 * GIB };
	struct fixture f;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const uint64_t step = sizes[i] / 49;

		for (uint64_t begin = 0; begin <= sizes[i] - 64 * MIB;
		     begin += 37 * MIB) {
			const struct blkbench_slow_spot *spot;

			fixture_init(&f, sizes[i]);
			f.disk.slow_bytes = begin;
			f.disk.slow_length_bytes = 64 * MIB;
			run(&f);

			assert_int_equal(f.result.slow_spots_count, 1);
			spot = &f.result.slow_spots[0];
			assert_true(llabs((int64_t)spot->offset_bytes -
					  (int64_t)begin) <= (int64_t)step);
			assert_true(llabs((int64_t)(spot->offset_bytes +
						    spot->length_bytes) -
					  (int64_t)(begin + 64 * MIB)) <=
				    (int64_t)step);
			assert_true(spot->rate_bytes_per_s <
				    spot->expected_bytes_per_s * 0.85);
			blkbench_result_finish(&f.result);
		}
	}
}

static void spot_that_is_slow_only_once_is_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 2 * GIB);
	f.disk.slow_bytes = GIB;
	f.disk.slow_length_bytes = 64 * MIB;
	f.disk.is_slow_once = true;
	run(&f);

	assert_int_equal(f.disk.slow_length_bytes, 0);
	assert_int_equal(f.result.slow_spots_count, 0);
	blkbench_result_finish(&f.result);
}

static double slope_percent(const struct blkbench_result *result)
{
	const double n = (double)result->zones_count;
	double x2 = 0, xy = 0, y = 0;

	for (size_t i = 0; i < result->zones_count; i++) {
		const double x = (double)i - (n - 1) / 2;

		x2 += x * x;
		xy += x * result->zones[i].rate_bytes_per_s;
		y += result->zones[i].rate_bytes_per_s;
	}
	return xy / x2 * (n - 1) / (y / n) * 100;
}

/* What was never written is no measure for what was. */
static void data_among_zeros_is_no_slow_spot(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 4 * GIB);
	f.disk.slow_bytes = f.disk.data_bytes = 2048 * MIB;
	f.disk.slow_length_bytes = f.disk.data_length_bytes = 256 * MIB;
	run(&f);

	assert_int_equal(f.result.slow_spots_count, 0);
	assert_true(f.result.zones[26].rate_bytes_per_s <
		    f.result.zones[20].rate_bytes_per_s / 2);
	blkbench_result_finish(&f.result);
}

/* But a disk that was wiped has as many slow spots as before. */
static void slow_spot_of_a_wiped_disk_is_named(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 4 * GIB);
	f.disk.slow_bytes = 1984 * MIB;
	f.disk.slow_length_bytes = 128 * MIB;
	f.disk.data_length_bytes = MIB;
	run(&f);

	assert_int_equal(f.result.slow_spots_count, 1);
	blkbench_result_finish(&f.result);
}

/* The one beside it may come from a cache by then. */
static void spot_that_is_as_fast_as_expected_is_none(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 4 * GIB);
	f.disk.slow_bytes = 1984 * MIB;
	f.disk.slow_length_bytes = 128 * MIB;
	f.disk.fast_from_ns = f.disk.device.now_ns + 26 * NS_PER_S;
	run(&f);

	assert_int_equal(f.result.slow_spots_count, 0);
	blkbench_result_finish(&f.result);
}

static void drift_over_time_is_no_slope_and_no_slow_spot(void **state)
{
	static const double drifts[] = { -0.01, 0.01, 0.05 };
	struct fixture f;

	(void)state;
	for (int i = 0; i < 3; i++) {
		fixture_init(&f, 2 * TIB);
		f.disk.first_rate = f.disk.last_rate = 160e6;
		f.disk.drift = drifts[i];
		run(&f);

		/* The rate becomes 25 % lower, or a third or more higher. */
		assert_true(fabs(slope_percent(&f.result)) < 1);
		assert_int_equal(f.result.slow_spots_count, 0);
		blkbench_result_finish(&f.result);
	}
}

static void disk_that_becomes_slow_in_the_end_has_no_slow_spots(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 2 * TIB);
	f.disk.first_rate = f.disk.last_rate = 160e6;
	begin(&f);
	while (seconds_of(&f) < 18)
		blkbench_measure_advance(f.measure, 100 * NS_PER_MS);
	f.disk.first_rate = f.disk.last_rate = 80e6;
	finish(&f);

	/* 50 places took 21 s: some were read at half the rate. */
	assert_true(f.result.curve.min_rate_bytes_per_s < 90e6);
	assert_int_equal(f.result.slow_spots_count, 0);
	blkbench_result_finish(&f.result);
}

static void bad_place_has_its_error_and_does_not_end_the_curve(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 4 * GIB);
	f.disk.bad_bytes = BAD_BYTES;
	run(&f);

	for (size_t i = 0; i < 50; i++) {
		const struct blkbench_zone *zone = &f.result.zones[i];
		const bool is_bad = zone->offset_bytes <= BAD_BYTES &&
				    BAD_BYTES < zone->offset_bytes + 64 * MIB;

		assert_int_equal(zone->errors > 0, is_bad);
		assert_int_equal(zone->error, is_bad ? EIO : 0);
		assert_int_equal(isnan(zone->rate_bytes_per_s), is_bad);
	}
	assert_int_equal(f.result.errors, 1);
	assert_int_equal(f.result.bad_count, 1);
	assert_int_equal(f.result.bad_list[0].offset_bytes, BAD_BYTES);
	assert_int_equal(f.result.slow_spots_count, 0);
	assert_false(f.result.is_partial);
	blkbench_result_finish(&f.result);
}

static void hung_place_ends_the_curve_in_time(void **state)
{
	struct fixture f;

	(void)state;
	fixture_init(&f, 4 * GIB);
	f.disk.hung_bytes = BAD_BYTES;
	f.disk.device.may_abandon = true;
	run(&f);

	assert_true(f.result.stalled > 0);
	assert_true(f.result.is_partial);
	assert_true(seconds_of(&f) < 43);
	assert_false(isnan(f.result.zones[0].rate_bytes_per_s));
	blkbench_result_finish(&f.result);
}

static void interrupted_curve_is_partial(void **state)
{
	struct blkbench_progress progress;
	struct fixture f;
	size_t known = 0;

	(void)state;
	fixture_init(&f, 4 * GIB);
	begin(&f);
	while (known < 10) {
		blkbench_measure_advance(f.measure, 100 * NS_PER_MS);
		blkbench_measure_get_progress(f.measure, &progress);
		known = (size_t)(progress.fraction * 50 + 0.5);
	}
	blkbench_measure_stop(f.measure);
	finish(&f);

	known = 0;
	for (size_t i = 0; i < 50; i++)
		known += !isnan(f.result.zones[i].rate_bytes_per_s);
	assert_in_range(known, 10, 11);
	assert_true(f.result.is_partial);
	assert_false(has_warning(&f.result, "time"));
	blkbench_result_finish(&f.result);
}

static void short_time_limit_is_kept_and_told(void **state)
{
	struct blkbench_params params;
	struct fixture f;

	(void)state;
	fixture_init(&f, 4 * GIB);
	blkbench_params_init(&params);
	params.runtime_ns = 100 * NS_PER_MS;
	plan_places(&f, &params);
	run(&f);

	/* 8 reads of 1 MiB take 50 to 100 ms. */
	assert_true(seconds_of(&f) < 0.3);
	assert_true(has_warning(&f.result, "time"));
	assert_false(f.result.is_partial);
	blkbench_result_finish(&f.result);
}

static void small_devices_have_fewer_places(void **state)
{
	static const struct {
		uint64_t size_bytes;
		size_t places;
	} cases[] = {
		{ 512, 1 },	   { MIB, 1 },	      { MIB + 512, 1 },
		{ 16 * MIB, 2 },   { 64 * MIB, 8 },   { 65 * MIB + 1536, 8 },
		{ 400 * MIB, 50 }, { 401 * MIB, 50 },
	};
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_init(&f, cases[i].size_bytes);
		run(&f);
		assert_int_equal(f.result.zones_count, cases[i].places);
		assert_int_equal(f.disk.device.highest_byte,
				 cases[i].size_bytes);
		if (cases[i].places >= 8)
			assert_falling(&f, 0.01);
		assert_int_equal(f.result.slow_spots_count, 0);
		assert_int_equal(f.result.errors, 0);
		/* No byte twice. */
		assert_true(f.result.bytes <= cases[i].size_bytes);
		blkbench_result_finish(&f.result);
	}
}

static void order_visits_each_place_once(void **state)
{
	size_t order[BLKBENCH_PLACES_MAX];

	(void)state;
	for (size_t count = 1; count <= BLKBENCH_PLACES_MAX; count++) {
		bool seen[BLKBENCH_PLACES_MAX] = { false };

		zones_order(order, count);
		for (size_t i = 0; i < count; i++) {
			assert_true(order[i] < count);
			assert_false(seen[order[i]]);
			seen[order[i]] = true;
		}
	}
}

/* What a drift by 1 from the first to the last visit looks like. */
static void order_hides_drift(void **state)
{
	size_t order[BLKBENCH_PLACES_MAX];

	(void)state;
	for (size_t count = 8; count <= BLKBENCH_PLACES_MAX; count++) {
		const double middle = (double)(count - 1) / 2;
		double tx = 0, x2 = 0;

		zones_order(order, count);
		for (size_t i = 0; i < count; i++) {
			const double t = (double)i - middle;
			const double x = (double)order[i] - middle;

			tx += t * x;
			x2 += x * x;
		}
		assert_true(fabs(tx / x2) < (count < 40 ? 0.05 : 0.005));
	}
}

static void places_are_expected_on_the_line_of_their_neighbours(void **state)
{
	double rates[20], expected[20], work[20];

	(void)state;
	for (size_t i = 0; i < 20; i++)
		rates[i] = 100 * pow(0.9, (double)i);
	rates[7] /= 2;
	rates[8] /= 2;
	rates[19] /= 2;
	rates[12] = NAN;
	zones_expect(rates, 20, expected);

	for (size_t i = 0; i < 20; i++)
		if (i != 12)
			assert_true(
				fabs(expected[i] / 100 / pow(0.9, (double)i) -
				     1) < 1e-9);
	assert_true(isnan(expected[12]));
	assert_true(zones_limit(rates, expected, 20, work) == -log(0.85));
	/* Of so few nothing is expected. */
	zones_expect(rates, 4, expected);
	assert_true(isnan(expected[0]));
}

/* Residuals of +-20 %: the median deviation is ln 1.2 or more. */
static void uneven_places_are_to_be_lower_by_more(void **state)
{
	double rates[40], expected[40], work[40];

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		expected[i] = 100;
		rates[i] = i % 2 ? 120 : 100 / 1.2;
	}
	assert_true(fabs(zones_limit(rates, expected, 40, work) -
			 3.5 * 1.4826 * log(1.2)) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			curve_of_a_falling_rate_is_right_at_each_place),
		cmocka_unit_test(place_has_64_mib_and_300_ms),
		cmocka_unit_test(runtime_is_shared_among_the_places),
		cmocka_unit_test(
			slow_spot_is_named_within_one_step_and_nothing_else),
		cmocka_unit_test(spot_that_is_slow_only_once_is_none),
		cmocka_unit_test(data_among_zeros_is_no_slow_spot),
		cmocka_unit_test(slow_spot_of_a_wiped_disk_is_named),
		cmocka_unit_test(spot_that_is_as_fast_as_expected_is_none),
		cmocka_unit_test(drift_over_time_is_no_slope_and_no_slow_spot),
		cmocka_unit_test(
			disk_that_becomes_slow_in_the_end_has_no_slow_spots),
		cmocka_unit_test(
			bad_place_has_its_error_and_does_not_end_the_curve),
		cmocka_unit_test(hung_place_ends_the_curve_in_time),
		cmocka_unit_test(interrupted_curve_is_partial),
		cmocka_unit_test(short_time_limit_is_kept_and_told),
		cmocka_unit_test(small_devices_have_fewer_places),
		cmocka_unit_test(order_visits_each_place_once),
		cmocka_unit_test(order_hides_drift),
		cmocka_unit_test(
			places_are_expected_on_the_line_of_their_neighbours),
		cmocka_unit_test(uneven_places_are_to_be_lower_by_more),
	};

	return cmocka_run_group_tests_name("zones", tests, NULL, NULL);
}
