/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "conditions.h"

#include <string.h>

#include "test.h"

/* Two devices, and what a seek test of each came to; alike. */
struct scene {
	struct blkbench_info infos[2];
	struct run_device devices[2];
	struct blkbench_result results[2];
	struct pairs pairs;
};

static void init(struct scene *scene)
{
	*scene = (struct scene){ .pairs.count = 0 };
	for (size_t i = 0; i < 2; i++) {
		scene->infos[i].topology = (struct blkbench_topology){
			.logical_sector_bytes = 512,
			.physical_sector_bytes = 4096,
		};
		scene->devices[i].path = i ? "/dev/sdb" : "/dev/sda";
		scene->devices[i].info = &scene->infos[i];
		scene->results[i].engine = "io_uring";
		scene->results[i].plan = (struct blkbench_plan){
			.test = "seek",
			.pattern = BLKBENCH_PATTERN_RANDOM,
			.is_direct = true,
			.length_bytes = 500000000000,
			.block_bytes = 4096,
			.queue_depth = 32,
		};
	}
}

static void compare(struct scene *scene)
{
	assert_int_equal(conditions_warn_of_devices(
				 &scene->pairs, &scene->devices[0],
				 &scene->results[0], &scene->devices[1],
				 &scene->results[1]),
			 0);
}

/* And, of NULL, nothing. */
static void assert_warned(struct scene *scene, const char *test,
			  const char *text)
{
	compare(scene);
	assert_int_equal(scene->pairs.warnings_count, text ? 1 : 0);
	if (text) {
		const struct blkbench_warning *warning = scene->pairs.warnings;

		assert_string_equal(warning->code, "differs");
		assert_string_equal(warning->text, text);
		assert_true(test ? warning->test && !strcmp(warning->test, test)
				 : !warning->test);
	}
	pairs_finish(&scene->pairs);
	init(scene);
}

static void devices_alike_are_not_warned_of(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	assert_warned(&scene, NULL, NULL);
}

static void each_condition_that_differs_is_told(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	scene.results[1].engine = "pread";
	assert_warned(&scene, "seek",
		      "engine: io_uring for /dev/sda, pread for /dev/sdb");
	scene.results[1].engine = NULL;
	assert_warned(&scene, "seek",
		      "engine: io_uring for /dev/sda, not known for /dev/sdb");
	scene.results[0].plan.block_bytes = 65536;
	assert_warned(&scene, "seek",
		      "request size: 64 KiB for /dev/sda, 4 KiB for /dev/sdb");
	scene.results[0].plan.queue_depth = 8;
	assert_warned(&scene, "seek",
		      "requests in flight: 8 for /dev/sda, 32 for /dev/sdb");
	scene.results[1].plan.is_direct = false;
	assert_warned(&scene, "seek",
		      "access: direct for /dev/sda, through the page cache "
		      "for /dev/sdb");
	/* These are not of one test. */
	scene.infos[1].topology.logical_sector_bytes = 4096;
	assert_warned(&scene, NULL,
		      "logical sector: 512 B for /dev/sda, 4 KiB for /dev/sdb");
	scene.infos[0].topology.physical_sector_bytes = BLKBENCH_UNKNOWN;
	assert_warned(&scene, NULL,
		      "physical sector: not known for /dev/sda, 4 KiB for "
		      "/dev/sdb");
}

/* Two disks of a size are never of quite the same. */
static void range_matters_to_seeks_and_by_a_tenth(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	scene.results[1].plan.length_bytes = 475000000000;
	assert_warned(&scene, NULL, NULL);
	scene.results[1].plan.length_bytes = 100000000000;
	assert_warned(&scene, "seek",
		      "range: 500.00 GB (465.66 GiB) for /dev/sda, 100.00 GB "
		      "(93.13 GiB) for /dev/sdb");
	for (size_t i = 0; i < 2; i++)
		scene.results[i].plan.pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	scene.results[1].plan.length_bytes = 100000000000;
	assert_warned(&scene, NULL, NULL);
}

static void same_words_are_said_once(void **state)
{
	struct scene scene;

	(void)state;
	init(&scene);
	scene.results[1].engine = "aio";
	scene.infos[1].topology.logical_sector_bytes = 4096;
	for (int repeat = 0; repeat < 3; repeat++)
		compare(&scene);
	assert_int_equal(scene.pairs.warnings_count, 2);
	pairs_finish(&scene.pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices_alike_are_not_warned_of),
		cmocka_unit_test(each_condition_that_differs_is_told),
		cmocka_unit_test(range_matters_to_seeks_and_by_a_tenth),
		cmocka_unit_test(same_words_are_said_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
