/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "topology.h"

#include <string.h>

#include "test.h"

static struct blkdev_limits sane(void)
{
	struct blkdev_limits limits;

	blkdev_limits_init(&limits);
	limits.logical_sector_bytes = 512;
	limits.physical_sector_bytes = 4096;
	limits.io_min_bytes = 4096;
	limits.io_opt_bytes = 0;
	limits.alignment_offset_bytes = 0;
	return limits;
}

/* As where there is no /sys. */
static struct blkbench_topology read_limits(const struct blkdev_limits *limits,
					    struct warnings *warnings)
{
	const struct sysfs none = { .self = -1, .disk = -1 };
	struct blkbench_topology topology;

	*warnings = (struct warnings){ 0 };
	topology_read(&topology, limits, &none, warnings);
	return topology;
}

static void check_bogus(const struct warnings *warnings, const char *words)
{
	assert_int_equal(warnings->count, 1);
	assert_string_equal(warnings->items[0].code, "bogus");
	assert_null(warnings->items[0].test);
	assert_non_null(strstr(warnings->items[0].text, words));
}

static void sane_values_pass_without_a_word(void **state)
{
	const struct blkdev_limits limits = sane();
	struct warnings warnings;
	const struct blkbench_topology topology =
		read_limits(&limits, &warnings);

	(void)state;
	assert_int_equal(warnings.count, 0);
	assert_int_equal(topology.logical_sector_bytes, 512);
	assert_int_equal(topology.physical_sector_bytes, 4096);
	assert_int_equal(topology.io_min_bytes, 4096);
	assert_int_equal(topology.alignment_offset_bytes, 0);
}

static void without_sysfs_the_rest_is_unknown(void **state)
{
	const struct blkdev_limits limits = sane();
	struct warnings warnings;
	const struct blkbench_topology topology =
		read_limits(&limits, &warnings);

	(void)state;
	assert_true(topology.start_bytes == BLKBENCH_UNKNOWN);
	assert_true(topology.queue_requests == BLKBENCH_UNKNOWN);
	assert_true(topology.max_request_bytes == BLKBENCH_UNKNOWN);
	assert_true(topology.dma_alignment_bytes == BLKBENCH_UNKNOWN);
}

static void optimal_size_of_0_is_unknown_and_not_bogus(void **state)
{
	const struct blkdev_limits limits = sane();
	struct warnings warnings;
	const struct blkbench_topology topology =
		read_limits(&limits, &warnings);

	(void)state;
	assert_true(topology.io_opt_bytes == BLKBENCH_UNKNOWN);
	assert_false(topology.io_opt_is_bogus);
}

static void check_io_opt(uint64_t logical, uint64_t physical, uint64_t io_opt,
			 const char *words)
{
	struct blkdev_limits limits = sane();
	struct blkbench_topology topology;
	struct warnings warnings;

	limits.logical_sector_bytes = logical;
	limits.physical_sector_bytes = physical;
	limits.io_min_bytes = physical;
	limits.io_opt_bytes = io_opt;
	topology = read_limits(&limits, &warnings);
	assert_true(topology.io_opt_bytes == io_opt);
	assert_int_equal(topology.io_opt_is_bogus, words != NULL);
	if (words)
		check_bogus(&warnings, words);
	else
		assert_int_equal(warnings.count, 0);
}

static void optimal_size_of_65535_sectors_is_bogus(void **state)
{
	(void)state;
	check_io_opt(512, 512, 33553920, "65535 sectors");
	check_io_opt(512, 4096, 33553920, "65535 sectors");
	check_io_opt(4096, 4096, 268431360, "65535 sectors");
}

static void optimal_size_must_be_whole_sectors_and_not_huge(void **state)
{
	(void)state;
	check_io_opt(512, 4096, 196608, NULL);
	check_io_opt(512, 4096, 64 << 20, NULL);
	check_io_opt(512, 4096, (64 << 20) + 4096, "more than 64 MiB");
	check_io_opt(512, 4096, 66048, "multiple of the physical sector");
}

static void physical_sector_below_the_logical_is_bogus(void **state)
{
	struct blkdev_limits limits = sane();
	struct blkbench_topology topology;
	struct warnings warnings;

	(void)state;
	limits.logical_sector_bytes = 4096;
	limits.physical_sector_bytes = 512;
	topology = read_limits(&limits, &warnings);
	check_bogus(&warnings, "physical sector of 512 B");
	assert_int_equal(topology.physical_sector_bytes, 4096);
}

static void physical_sector_must_be_a_power_of_two(void **state)
{
	struct blkdev_limits limits = sane();
	struct blkbench_topology topology;
	struct warnings warnings;

	(void)state;
	limits.physical_sector_bytes = 12288;
	limits.io_min_bytes = 12288;
	topology = read_limits(&limits, &warnings);
	check_bogus(&warnings, "not a power of two");
	assert_int_equal(topology.physical_sector_bytes, 4096);
}

static void zero_is_no_sector_size(void **state)
{
	struct blkdev_limits limits = sane();
	struct blkbench_topology topology;
	struct warnings warnings;

	(void)state;
	limits.physical_sector_bytes = 0;
	limits.io_min_bytes = 0;
	topology = read_limits(&limits, &warnings);
	check_bogus(&warnings, "physical sector of 0 B");
	assert_int_equal(topology.physical_sector_bytes, 512);
	assert_true(topology.io_min_bytes == BLKBENCH_UNKNOWN);
}

static void logical_sector_must_be_a_power_of_two_from_512(void **state)
{
	static const uint64_t senseless[] = { 0, 256, 520, 1ULL << 40 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct blkdev_limits limits = sane();
		struct blkbench_topology topology;
		struct warnings warnings;

		limits.logical_sector_bytes = senseless[i];
		topology = read_limits(&limits, &warnings);
		check_bogus(&warnings, "logical sector");
		assert_int_equal(topology.logical_sector_bytes, 512);
	}
}

static void alignment_offset_keeps_its_sign(void **state)
{
	struct blkdev_limits limits = sane();
	struct warnings warnings;

	(void)state;
	limits.alignment_offset_bytes = -1;
	assert_int_equal(read_limits(&limits, &warnings).alignment_offset_bytes,
			 -1);
	limits.alignment_offset_bytes = 3584;
	assert_int_equal(read_limits(&limits, &warnings).alignment_offset_bytes,
			 3584);
}

static void second_opinion_is_heard_where_it_differs(void **state)
{
	const struct blkdev_limits kernel = sane();
	struct blkbench_topology libblkid;
	struct warnings warnings = { 0 };

	(void)state;
	topology_init(&libblkid);
	topology_compare(&kernel, &libblkid, &warnings);
	assert_int_equal(warnings.count, 0);

	libblkid.physical_sector_bytes = 4096;
	topology_compare(&kernel, &libblkid, &warnings);
	assert_int_equal(warnings.count, 0);

	libblkid.physical_sector_bytes = 512;
	topology_compare(&kernel, &libblkid, &warnings);
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].code, "topology");
	assert_string_equal(warnings.items[0].text,
			    "libblkid has a physical sector of 512 B, "
			    "the kernel 4096 B; the kernel's is used");

	libblkid.physical_sector_bytes = BLKBENCH_UNKNOWN;
	libblkid.alignment_offset_bytes = -1;
	topology_compare(&kernel, &libblkid, &warnings);
	assert_int_equal(warnings.count, 2);
}

static void file_is_read_by_what_its_file_system_asks(void **state)
{
	struct blkbench_topology topology;
	struct blkdev_limits limits;

	(void)state;
	blkdev_limits_init(&limits);
	topology_read_file(&topology, &limits);
	assert_int_equal(topology.logical_sector_bytes, 4096);

	limits.direct_offset_bytes = 512;
	limits.direct_memory_bytes = 4;
	topology_read_file(&topology, &limits);
	assert_int_equal(topology.logical_sector_bytes, 512);
	assert_int_equal(topology.dma_alignment_bytes, 4);

	/* No direct reads at all. */
	limits.direct_offset_bytes = 0;
	limits.direct_memory_bytes = 0;
	topology_read_file(&topology, &limits);
	assert_int_equal(topology.logical_sector_bytes, 512);
	assert_true(topology.dma_alignment_bytes == BLKBENCH_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sane_values_pass_without_a_word),
		cmocka_unit_test(without_sysfs_the_rest_is_unknown),
		cmocka_unit_test(optimal_size_of_0_is_unknown_and_not_bogus),
		cmocka_unit_test(optimal_size_of_65535_sectors_is_bogus),
		cmocka_unit_test(
			optimal_size_must_be_whole_sectors_and_not_huge),
		cmocka_unit_test(physical_sector_below_the_logical_is_bogus),
		cmocka_unit_test(physical_sector_must_be_a_power_of_two),
		cmocka_unit_test(zero_is_no_sector_size),
		cmocka_unit_test(
			logical_sector_must_be_a_power_of_two_from_512),
		cmocka_unit_test(alignment_offset_keeps_its_sign),
		cmocka_unit_test(second_opinion_is_heard_where_it_differs),
		cmocka_unit_test(file_is_read_by_what_its_file_system_asks),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
