/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "sysfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "test.h"

static struct sysfs open_fixture(const char *name, unsigned int major,
				 unsigned int minor)
{
	char root[PATH_MAX];
	struct sysfs sysfs;

	sysfs_open(&sysfs, fixture_path(root, name), major, minor);
	return sysfs;
}

static void partition_has_a_disk_above_it(void **state)
{
	struct sysfs sysfs = open_fixture("sata512e", 8, 1);
	char name[NAME_MAX + 1];
	uint64_t value = 0;

	(void)state;
	assert_true(sysfs.is_partition);
	sysfs_get_name(&sysfs, name);
	assert_string_equal(name, "sda1");
	sysfs_get_disk_name(&sysfs, name);
	assert_string_equal(name, "sda");
	assert_int_equal(sysfs_read_u64(sysfs.self, "start", &value), 0);
	assert_int_equal(value, 63);
	assert_int_equal(sysfs_read_u64(sysfs.disk, "size", &value), 0);
	assert_int_equal(value, 1953525168);
	sysfs_close(&sysfs);
}

static void whole_disk_is_its_own_disk(void **state)
{
	struct sysfs sysfs = open_fixture("sata512e", 8, 0);
	char name[NAME_MAX + 1];
	uint64_t value = 0;

	(void)state;
	assert_false(sysfs.is_partition);
	sysfs_get_disk_name(&sysfs, name);
	assert_string_equal(name, "sda");
	assert_int_equal(sysfs_read_u64(sysfs.disk, "size", &value), 0);
	assert_int_equal(value, 1953525168);
	sysfs_close(&sysfs);
}

static void slash_in_a_name_is_restored(void **state)
{
	struct sysfs sysfs = open_fixture("cciss", 104, 1);
	char name[NAME_MAX + 1];

	(void)state;
	sysfs_get_name(&sysfs, name);
	assert_string_equal(name, "cciss/c0d0p1");
	sysfs_get_disk_name(&sysfs, name);
	assert_string_equal(name, "cciss/c0d0");
	sysfs_close(&sysfs);
}

static void device_that_is_not_there_has_nothing(void **state)
{
	static const char *const roots[] = { "sata512e", "no-such-tree" };
	struct string_list holders = { 0 };
	struct sysfs_partition *partitions;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct sysfs sysfs = open_fixture(roots[i], 99, 99);
		char name[NAME_MAX + 1];
		uint64_t value;

		assert_int_equal(sysfs.self, -1);
		assert_false(sysfs.is_partition);
		sysfs_get_name(&sysfs, name);
		assert_string_equal(name, "");
		assert_true(sysfs_read_u64(sysfs.disk, "size", &value) < 0);
		assert_false(sysfs_has(sysfs.self, "size"));
		assert_true(sysfs_list_partitions(&sysfs, &partitions) < 0);
		assert_true(sysfs_list_holders(&sysfs, &holders) < 0);
		sysfs_close(&sysfs);
	}
}

static void garbage_is_no_number(void **state)
{
	static const char *const attributes[] = {
		"alignment_offset",
		"removable",
		"ro",
		"queue/physical_block_size",
		"queue/minimum_io_size",
		"queue/optimal_io_size",
		"queue/nr_requests",
		"queue/rotational",
	};
	struct sysfs sysfs = open_fixture("garbage", 8, 64);
	uint64_t value = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		assert_true(sysfs_read_u64(sysfs.disk, attributes[i], &value) <
			    0);
	assert_int_equal(value, 42);
	sysfs_close(&sysfs);
}

static void text_is_cut_to_its_buffer(void **state)
{
	struct sysfs sysfs = open_fixture("nvme4kn", 259, 0);
	char text[8];

	(void)state;
	assert_int_equal(sysfs_read_text(sysfs.disk, "device/model", text,
					 sizeof(text)),
			 0);
	assert_string_equal(text, "SAMSUNG");
	sysfs_close(&sysfs);
}

static void directory_is_no_attribute(void **state)
{
	struct sysfs sysfs = open_fixture("sata512e", 8, 0);
	char text[64];

	(void)state;
	assert_int_equal(sysfs_read_text(sysfs.disk, "queue", text,
					 sizeof(text)),
			 -EISDIR);
	sysfs_close(&sysfs);
}

static void partitions_are_listed_with_their_numbers(void **state)
{
	struct sysfs sysfs = open_fixture("sata512e", 8, 0);
	struct sysfs_partition *partitions = NULL;

	(void)state;
	assert_int_equal(sysfs_list_partitions(&sysfs, &partitions), 2);
	assert_string_equal(partitions[0].name, "sda1");
	assert_int_equal(partitions[0].major, 8);
	assert_int_equal(partitions[0].minor, 1);
	assert_string_equal(partitions[1].name, "sda2");
	assert_int_equal(partitions[1].minor, 2);
	free(partitions);
	sysfs_close(&sysfs);
}

static void holders_of_partitions_hold_the_disk_too(void **state)
{
	static const unsigned int minors[] = { 0, 2 };
	struct string_list holders = { 0 };
	struct sysfs sysfs;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		sysfs = open_fixture("sata512e", 8, minors[i]);
		assert_int_equal(sysfs_list_holders(&sysfs, &holders), 0);
		assert_int_equal(holders.count, 1);
		assert_string_equal(holders.items[0], "dm-0");
		string_list_finish(&holders);
		sysfs_close(&sysfs);
	}
	sysfs = open_fixture("sata512e", 8, 1);
	assert_int_equal(sysfs_list_holders(&sysfs, &holders), 0);
	assert_int_equal(holders.count, 0);
	sysfs_close(&sysfs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partition_has_a_disk_above_it),
		cmocka_unit_test(whole_disk_is_its_own_disk),
		cmocka_unit_test(slash_in_a_name_is_restored),
		cmocka_unit_test(device_that_is_not_there_has_nothing),
		cmocka_unit_test(garbage_is_no_number),
		cmocka_unit_test(text_is_cut_to_its_buffer),
		cmocka_unit_test(directory_is_no_attribute),
		cmocka_unit_test(partitions_are_listed_with_their_numbers),
		cmocka_unit_test(holders_of_partitions_hold_the_disk_too),
	};

	return cmocka_run_group_tests_name("sysfs", tests, NULL, NULL);
}
