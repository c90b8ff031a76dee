/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "mounts.h"

#include <sys/sysmacros.h>

#include "fixture.h"
#include "inventory.h"
#include "test.h"

static void check(const struct string_list *list, size_t i, const char *text)
{
	assert_true(i < list->count);
	assert_string_equal(list->items[i], text);
}

static void mount_points_are_found_by_device_number(void **state)
{
	const struct mounts_wanted wanted = { .devno = makedev(8, 1) };
	struct string_list list = { 0 };
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(mounts_list(fixture_path(path, "mountinfo"),
				     "/no-such-table", &wanted, 1, &list),
			 0);
	assert_int_equal(list.count, 2);
	check(&list, 0, "/srv/my data");
	check(&list, 1, "/mnt");
	string_list_finish(&list);
}

static void other_devices_are_not_mounted(void **state)
{
	const struct mounts_wanted wanted = { .devno = makedev(8, 3) };
	struct string_list list = { 0 };
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(mounts_list(fixture_path(path, "mountinfo"),
				     "/no-such-table", &wanted, 1, &list),
			 0);
	assert_int_equal(list.count, 0);
}

static void missing_table_is_not_an_empty_one(void **state)
{
	const struct mounts_wanted wanted = { .devno = makedev(8, 1) };
	struct string_list list = { 0 };

	(void)state;
	assert_true(mounts_list("/no-such-table", "/no-such-table", &wanted, 1,
				&list) < 0);
}

static void disk_is_mounted_where_its_partitions_are(void **state)
{
	char root[PATH_MAX], mountinfo[PATH_MAX];
	const struct inventory_sources sources = {
		.sysfs = fixture_path(root, "sata512e"),
		.mountinfo = fixture_path(mountinfo, "mountinfo"),
		.swaps = "/no-such-table",
	};
	struct inventory inventory;
	struct blkdev_limits limits;

	(void)state;
	blkdev_limits_init(&limits);
	limits.size_bytes = 1 << 30;
	assert_int_equal(inventory_init(&inventory, "/dev/sda"), 0);
	inventory_read(&inventory, &sources, 8, 0, &limits);
	assert_int_equal(inventory.info.mounts_count, 3);
	assert_string_equal(inventory.info.mounts[0], "sda2 on /");
	assert_string_equal(inventory.info.mounts[1], "sda1 on /srv/my data");
	assert_string_equal(inventory.info.mounts[2], "sda1 on /mnt");
	inventory_finish(&inventory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mount_points_are_found_by_device_number),
		cmocka_unit_test(other_devices_are_not_mounted),
		cmocka_unit_test(missing_table_is_not_an_empty_one),
		cmocka_unit_test(disk_is_mounted_where_its_partitions_are),
	};

	return cmocka_run_group_tests_name("mounts", tests, NULL, NULL);
}
