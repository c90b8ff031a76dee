/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "test.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define SECOND 1000000000ULL

struct fixture {
	struct blkbench_info info;
	struct blkbench_params params;
	struct blkbench_plan plans[BLKBENCH_PLANS_MAX];
	struct blkbench_error error;
};

static struct fixture disk(uint64_t size, uint64_t sector)
{
	struct fixture f;

	memset(&f, 0, sizeof(f));
	f.info.path = "/dev/false";
	f.info.size_bytes = size;
	f.info.direct_works = true;
	f.info.topology.logical_sector_bytes = sector;
	f.info.topology.io_opt_bytes = BLKBENCH_UNKNOWN;
	blkbench_params_init(&f.params);
	return f;
}

static const struct blkbench_test *find_test(const char *name)
{
	const struct blkbench_test *list;
	size_t count;

	list = blkbench_test_list(&count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			return &list[i];
	fail_msg("no test %s", name);
	return NULL;
}

static int make(struct fixture *f, const char *name)
{
	return blkbench_plan_make(find_test(name), &f->info, &f->params,
				  f->plans, &f->error);
}

static void sequential_is_1_mib_at_depth_8_for_3_s(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "sequential"), 1);
	assert_int_equal(f.plans[0].pattern, BLKBENCH_PATTERN_SEQUENTIAL);
	assert_int_equal(f.plans[0].block_bytes, MIB);
	assert_int_equal(f.plans[0].queue_depth, 8);
	assert_int_equal(f.plans[0].runtime_ns, 3 * SECOND);
	assert_int_equal(f.plans[0].offset_bytes, 0);
	assert_int_equal(f.plans[0].length_bytes, 500 * GIB);
	assert_true(f.plans[0].is_direct);
	assert_false(f.plans[0].is_seek);
	assert_true(isnan(f.plans[0].precision_percent));
}

static void sequential_reads_whole_stripes(void **state)
{
	static const struct {
		uint64_t io_opt, block;
	} cases[] = {
		{ 192 * KIB, 960 * KIB }, /* 5 of them */
		{ 64 * KIB, MIB },
		{ 4096, MIB },
		{ MIB, MIB },
		{ 1536 * KIB, 1536 * KIB },
		{ 16 * MIB, MIB }, /* more than a request should be */
		{ 1000, MIB },	   /* no multiple of the sector */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = disk(500 * GIB, 512);

		f.info.topology.io_opt_bytes = cases[i].io_opt;
		assert_int_equal(make(&f, "sequential"), 1);
		assert_int_equal(f.plans[0].block_bytes, cases[i].block);
	}
}

static void bogus_stripe_is_not_used(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	f.info.topology.io_opt_bytes = 192 * KIB;
	f.info.topology.io_opt_is_bogus = true;
	assert_int_equal(make(&f, "sequential"), 1);
	assert_int_equal(f.plans[0].block_bytes, MIB);
}

static void timed_is_what_hdparm_does(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "timed"), 1);
	assert_int_equal(f.plans[0].block_bytes, 2 * MIB);
	assert_int_equal(f.plans[0].queue_depth, 1);
	assert_int_equal(f.plans[0].runtime_ns, 3 * SECOND);
}

static void cached_repeats_through_the_page_cache_then_direct(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "cached"), 2);
	assert_int_equal(f.plans[0].pattern, BLKBENCH_PATTERN_REPEAT);
	assert_int_equal(f.plans[0].block_bytes, 2 * MIB);
	assert_false(f.plans[0].is_direct);
	assert_true(f.plans[1].is_direct);
	assert_int_equal(f.plans[1].runtime_ns, 2 * SECOND);
}

static void seek_is_one_at_a_time_then_32(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "seek"), 2);
	assert_int_equal(f.plans[0].pattern, BLKBENCH_PATTERN_RANDOM);
	assert_true(f.plans[0].is_seek);
	assert_int_equal(f.plans[0].block_bytes, 4096);
	assert_int_equal(f.plans[0].queue_depth, 1);
	assert_int_equal(f.plans[1].queue_depth, 32);
	assert_int_equal(f.plans[0].runtime_ns + f.plans[1].runtime_ns,
			 8 * SECOND);
	assert_true(f.plans[0].precision_percent == 2);
	assert_int_equal(f.plans[1].seed, f.plans[0].seed + 1);
}

static void asked_for_runtime_is_used_to_the_end(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	f.params.runtime_ns = 60 * SECOND;
	f.params.queue_depth = 1;
	assert_int_equal(make(&f, "seek"), 1);
	assert_int_equal(f.plans[0].runtime_ns, 60 * SECOND);
	assert_true(isnan(f.plans[0].precision_percent));
	f.params.precision_percent = 5;
	assert_int_equal(make(&f, "seek"), 1);
	assert_true(f.plans[0].precision_percent == 5);
}

static void seek_block_is_at_least_a_sector(void **state)
{
	struct fixture f = disk(500 * GIB, 16384);

	(void)state;
	assert_int_equal(make(&f, "seek"), 2);
	assert_int_equal(f.plans[0].block_bytes, 16384);
}

static void device_smaller_than_the_request_is_one_block(void **state)
{
	struct fixture f = disk(512, 512);
	static const char *const names[] = { "sequential", "timed", "cached",
					     "seek" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_true(make(&f, names[i]) > 0);
		assert_int_equal(f.plans[0].block_bytes, 512);
		assert_int_equal(f.plans[0].length_bytes, 512);
	}
}

static void buffered_is_asked_for(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	f.params.is_buffered = true;
	assert_int_equal(make(&f, "timed"), 1);
	assert_false(f.plans[0].is_direct);
}

static void file_system_without_direct_reads_is_refused(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	f.info.direct_works = false;
	assert_int_equal(make(&f, "timed"), -EOPNOTSUPP);
	assert_non_null(strstr(f.error.text, "--buffered"));
	f.params.is_buffered = true;
	assert_int_equal(make(&f, "timed"), 1);
	assert_int_equal(make(&f, "cached"), 1);
	assert_false(f.plans[0].is_direct);
}

static void offset_gives_the_rest_of_the_device(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	f.params.offset_bytes = GIB - 1536;
	assert_int_equal(make(&f, "seek"), 2);
	assert_int_equal(f.plans[0].offset_bytes, GIB - 1536);
	assert_int_equal(f.plans[0].length_bytes, 1536);
	assert_int_equal(f.plans[0].block_bytes, 1536);
}

static void first_read_may_take_as_long_as_a_spin_up(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "timed"), 1);
	assert_int_equal(f.plans[0].warmup_limit_ns, 30 * SECOND);
	f.params.runtime_ns = 2 * SECOND;
	assert_int_equal(make(&f, "timed"), 1);
	assert_int_equal(f.plans[0].warmup_limit_ns, 4 * SECOND);
}

static void tests_are_given_up_after_16_errors_or_as_many_as_asked(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "seek"), 2);
	assert_int_equal(f.plans[0].max_errors, 16);
	assert_int_equal(f.plans[1].max_errors, 16);
	f.params.max_errors = 1000000000;
	assert_int_equal(make(&f, "timed"), 1);
	assert_int_equal(f.plans[0].max_errors, 1000000000);
}

static void zones_are_50_places_of_64_mib_or_300_ms(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "zones"), 1);
	assert_int_equal(f.plans[0].pattern, BLKBENCH_PATTERN_PLACES);
	assert_int_equal(f.plans[0].block_bytes, MIB);
	assert_int_equal(f.plans[0].queue_depth, 8);
	assert_int_equal(f.plans[0].places, 50);
	assert_int_equal(f.plans[0].place_bytes, 64 * MIB);
	assert_int_equal(f.plans[0].place_ns, SECOND * 3 / 10);
	assert_int_equal(f.plans[0].runtime_ns, 40 * SECOND);
	assert_int_equal(f.plans[0].length_bytes, 500 * GIB);
	/* A bad place does not end the curve. */
	assert_int_equal(f.plans[0].max_errors, BLKBENCH_ERRORS_MAX);

	f.params.places = 10;
	assert_int_equal(make(&f, "zones"), 1);
	assert_int_equal(f.plans[0].places, 10);
	assert_int_equal(f.plans[0].runtime_ns, 8 * SECOND);

	f.params.max_errors = 3;
	f.params.runtime_ns = 60 * SECOND;
	f.params.precision_percent = 1;
	assert_int_equal(make(&f, "zones"), 1);
	assert_int_equal(f.plans[0].max_errors, 3);
	assert_int_equal(f.plans[0].runtime_ns, 60 * SECOND);
	assert_int_equal(f.plans[0].place_ns, BLKBENCH_UNKNOWN);
	assert_true(isnan(f.plans[0].precision_percent));
}

static void check_is_zones_and_reads_one_at_a_time_within_a_minute(void **state)
{
	struct fixture f = disk(500 * GIB, 512);

	(void)state;
	assert_int_equal(make(&f, "check"), 2);
	assert_int_equal(f.plans[0].pattern, BLKBENCH_PATTERN_PLACES);
	assert_int_equal(f.plans[0].places, 50);
	assert_int_equal(f.plans[0].runtime_ns, 25 * SECOND);
	assert_int_equal(f.plans[1].pattern, BLKBENCH_PATTERN_RANDOM);
	assert_int_equal(f.plans[1].queue_depth, 1);
	assert_int_equal(f.plans[1].block_bytes, 4096);
	assert_int_equal(f.plans[1].runtime_ns, 15 * SECOND);
	assert_int_equal(f.plans[1].places, 0);
	/* Not earlier: a bad place is found late. */
	assert_true(isnan(f.plans[1].precision_percent));

	f.params.queue_depth = 4;
	f.params.runtime_ns = 8 * SECOND;
	assert_int_equal(make(&f, "check"), 2);
	assert_int_equal(f.plans[0].queue_depth, 4);
	assert_int_equal(f.plans[0].runtime_ns, 5 * SECOND);
	assert_int_equal(f.plans[1].queue_depth, 1);
	assert_int_equal(f.plans[1].runtime_ns, 3 * SECOND);
}

static void small_ranges_have_fewer_zones_and_shorter_ones(void **state)
{
	static const struct {
		uint64_t size, block, places, place_bytes;
	} cases[] = {
		{ 512, BLKBENCH_UNKNOWN, 1, 512 },
		{ MIB, BLKBENCH_UNKNOWN, 1, MIB },
		{ 64 * MIB, BLKBENCH_UNKNOWN, 8, 8 * MIB },
		{ 100 * MIB, BLKBENCH_UNKNOWN, 12, 8 * MIB },
		{ GIB, BLKBENCH_UNKNOWN, 50, 20 * MIB },
		{ GIB, 64 * MIB, 16, 64 * MIB },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = disk(cases[i].size, 512);

		f.params.block_bytes = cases[i].block;
		assert_int_equal(make(&f, "zones"), 1);
		assert_int_equal(f.plans[0].places, cases[i].places);
		assert_int_equal(f.plans[0].place_bytes, cases[i].place_bytes);
	}
}

/* What is refused, and the words that must be in the message. */
static void bad_params_are_refused_with_what_is_allowed(void **state)
{
	static const struct {
		size_t field;
		uint64_t value;
		const char *words;
	} cases[] = {
#define FIELD(name) offsetof(struct blkbench_params, name)
		{ FIELD(block_bytes), 512, "smaller than the logical sector" },
		{ FIELD(block_bytes), 0, "smaller than the logical sector" },
		{ FIELD(block_bytes), 6144, "not a multiple" },
		{ FIELD(block_bytes), 3 * GIB, "up to 64 MiB" },
		{ FIELD(block_bytes), 64 * MIB, "larger than the range" },
		{ FIELD(queue_depth), 0, "from 1 to 4096" },
		{ FIELD(queue_depth), 100000, "from 1 to 4096" },
		{ FIELD(max_errors), 0, "from 1 to 1000000000" },
		{ FIELD(max_errors), 1000000001, "from 1 to 1000000000" },
		{ FIELD(places), 0, "from 1 to 1024" },
		{ FIELD(places), 1025, "from 1 to 1024" },
		{ FIELD(runtime_ns), 0, "from 0.001" },
		{ FIELD(runtime_ns), SECOND * 1000000, "to 864000 s" },
		{ FIELD(offset_bytes), GIB, "not before the end" },
		{ FIELD(offset_bytes), 512, "not a multiple" },
		{ FIELD(length_bytes), 0, "length 0" },
		{ FIELD(length_bytes), GIB + 4096, "from the offset" },
		{ FIELD(length_bytes), 4608, "not a multiple" },
#undef FIELD
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fixture f = disk(GIB, 4096);

		f.params.length_bytes = 32 * MIB;
		memcpy((char *)&f.params + cases[i].field, &cases[i].value,
		       sizeof(uint64_t));
		assert_int_equal(make(&f, "sequential"), -EINVAL);
		assert_non_null(strstr(f.error.text, cases[i].words));
	}
}

static void unknown_engine_is_refused(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	f.params.engine = (enum blkbench_engine)7;
	assert_int_equal(make(&f, "seek"), -EINVAL);
	assert_non_null(strstr(f.error.text, "engine 7"));
}

static void device_whose_reads_would_hang_is_not_read(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	f.info.hang = "dm-1, below it, is suspended";
	assert_int_equal(make(&f, "seek"), -EBUSY);
	assert_string_equal(f.error.text, "dm-1, below it, is suspended");
}

static void bad_precision_is_refused(void **state)
{
	static const double values[] = { 0, -1, 50.1, INFINITY };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct fixture f = disk(GIB, 512);

		f.params.precision_percent = values[i];
		assert_int_equal(make(&f, "seek"), -EINVAL);
		assert_non_null(strstr(f.error.text, "0.01 to 50"));
	}
}

static void buffers_above_1_gib_are_refused(void **state)
{
	struct fixture f = disk(GIB, 512);

	(void)state;
	f.params.block_bytes = 64 * MIB;
	f.params.queue_depth = 17;
	assert_int_equal(make(&f, "sequential"), -EINVAL);
	assert_non_null(strstr(f.error.text, "1 GiB"));
	f.params.queue_depth = 16;
	assert_int_equal(make(&f, "sequential"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequential_is_1_mib_at_depth_8_for_3_s),
		cmocka_unit_test(sequential_reads_whole_stripes),
		cmocka_unit_test(bogus_stripe_is_not_used),
		cmocka_unit_test(timed_is_what_hdparm_does),
		cmocka_unit_test(
			cached_repeats_through_the_page_cache_then_direct),
		cmocka_unit_test(seek_is_one_at_a_time_then_32),
		cmocka_unit_test(asked_for_runtime_is_used_to_the_end),
		cmocka_unit_test(seek_block_is_at_least_a_sector),
		cmocka_unit_test(device_smaller_than_the_request_is_one_block),
		cmocka_unit_test(buffered_is_asked_for),
		cmocka_unit_test(file_system_without_direct_reads_is_refused),
		cmocka_unit_test(offset_gives_the_rest_of_the_device),
		cmocka_unit_test(first_read_may_take_as_long_as_a_spin_up),
		cmocka_unit_test(
			tests_are_given_up_after_16_errors_or_as_many_as_asked),
		cmocka_unit_test(zones_are_50_places_of_64_mib_or_300_ms),
		cmocka_unit_test(
			check_is_zones_and_reads_one_at_a_time_within_a_minute),
		cmocka_unit_test(
			small_ranges_have_fewer_zones_and_shorter_ones),
		cmocka_unit_test(bad_params_are_refused_with_what_is_allowed),
		cmocka_unit_test(bad_precision_is_refused),
		cmocka_unit_test(unknown_engine_is_refused),
		cmocka_unit_test(device_whose_reads_would_hang_is_not_read),
		cmocka_unit_test(buffers_above_1_gib_are_refused),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
