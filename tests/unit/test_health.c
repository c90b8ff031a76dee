/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "health.h"

#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "test.h"
#include "tree.h"

/*
 * The sysfs of a machine with an ATA disk sda, an NVMe disk, an array md0 of
 * which a member has failed, LVM's array dm-0 and a device of two paths, dm-1.
 */
static const struct {
	const char *path, *text;
} files[] = {
	{ "devices/sda/ro", "0\n" },
	{ "devices/sda/stat",
	  "  4113  11  338754  9005  0 0 0 0 0 6000 9005\n" },
	{ "devices/sda/queue/rotational", "1\n" },
	{ "devices/sda/device/state", "running\n" },
	{ "devices/sda/device/ioerr_cnt", "0x1f\n" },
	{ "devices/sda/device/iodone_cnt", "0x1022\n" },
	{ "devices/sda/device/iorequest_cnt", "0x1023\n" },
	{ "devices/sda/device/iotmo_cnt", "0x2\n" },
	{ "devices/sda/device/power/runtime_status", "active\n" },
	{ "devices/sda/device/hwmon/hwmon3/name", "drivetemp\n" },
	{ "devices/sda/device/hwmon/hwmon3/temp1_input", "41000\n" },
	{ "devices/sda/device/hwmon/hwmon3/temp1_max", "60000\n" },
	{ "devices/sda/device/hwmon/hwmon3/temp1_crit", "70000\n" },
	{ "devices/nvme0n1/ro", "1\n" },
	{ "devices/nvme0n1/stat", "7 0 56 1 0 0 0 0 0 1 1 0 0 0 0 0 0\n" },
	{ "devices/nvme0n1/queue/rotational", "0\n" },
	{ "devices/nvme0n1/device/state", "live\n" },
	{ "devices/nvme0n1/device/power/runtime_status", "unsupported\n" },
	{ "devices/nvme0n1/device/device/power/runtime_status", "active\n" },
	{ "devices/nvme0n1/device/hwmon1/name", "nvme\n" },
	{ "devices/nvme0n1/device/hwmon1/temp1_input", "-5850\n" },
	{ "devices/nvme0n1/device/hwmon1/temp1_max", "84850\n" },
	{ "devices/md0/md/array_state", "clean\n" },
	{ "devices/md0/md/raid_disks", "3\n" },
	{ "devices/md0/md/degraded", "1\n" },
	{ "devices/md0/md/mismatch_cnt", "128\n" },
	{ "devices/md0/md/dev-sdb1/errors", "20\n" },
	{ "devices/md0/md/dev-sdb1/bad_blocks", "" },
	{ "devices/md0/md/dev-sdc1/errors", "2\n" },
	{ "devices/md0/md/dev-sdc1/bad_blocks", "1000 8\n2048 16\n" },
	{ "devices/dm-0/dm/name", "vg-lv\n" },
	{ "status/253:0", "0 204800 raid raid5_ls 3 ADA 8/8 idle 8 0 -\n" },
	{ "devices/dm-1/dm/name", "mpatha\n" },
	{ "status/253:1", "0 204800 multipath 2 0 0 0 1 1 A 0 2 0 8:32 A 0 "
			  "8:48 F 3 \n" },
};

static const struct {
	const char *devno, *name;
} links[] = {
	{ "8:0", "sda" },    { "259:0", "nvme0n1" }, { "9:0", "md0" },
	{ "253:0", "dm-0" }, { "253:1", "dm-1" },    { "8:1", "sda/sda1" },
};

static const struct blkbench_layer layers[] = {
	{ .name = "md0", .kind = "raid5", .major = 9, .minor = 0 },
	{ .name = "sda1", .kind = "partition", .major = 8, .minor = 1 },
	{ .name = "sda", .kind = "disk", .major = 8, .minor = 0 },
	{ .name = "nvme0n1", .kind = "disk", .major = 259, .minor = 0 },
	{ .name = "dm-0", .kind = "raid5_ls", .major = 253, .minor = 0 },
	{ .name = "dm-1", .kind = "multipath", .major = 253, .minor = 1 },
	{ .name = "/srv/disk", .kind = "file" },
};

enum { MD0, SDA, NVME, DM0, DM1, COUNT };

static struct tree tree;

static int make_tree(void **state)
{
	(void)state;
	tree_create(&tree);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		tree_put(&tree, files[i].path, files[i].text);
	tree_put(&tree, "devices/sda/sda1/partition", "1\n");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		tree_link(&tree, links[i].devno, links[i].name);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	tree_destroy(&tree);
	return 0;
}

static struct blkbench_health read_health(const struct blkbench_health *before)
{
	const struct stack_source source = fixture_source(tree.root);
	struct blkbench_health health;

	assert_int_equal(health_read(&source, layers,
				     sizeof(layers) / sizeof(layers[0]), before,
				     &health),
			 0);
	assert_int_equal(health.layers_count, COUNT);
	return health;
}

/* Of one layer, before and after what is put into the tree between. */
static struct blkbench_layer_health read_after(size_t index, const char *path,
					       const char *text)
{
	struct blkbench_health before = read_health(NULL), after;
	struct blkbench_layer_health layer;

	tree_put(&tree, path, text);
	after = read_health(&before);
	layer = after.layers[index];
	blkbench_health_finish(&after);
	blkbench_health_finish(&before);
	return layer;
}

static void disk_has_the_counters_of_its_driver(void **state)
{
	struct blkbench_health health = read_health(NULL);
	const struct blkbench_layer_health *sda = &health.layers[SDA];

	(void)state;
	assert_string_equal(sda->layer, "sda");
	assert_true(sda->is_disk);
	assert_string_equal(sda->state, "running");
	assert_int_equal(sda->rotational, BLKBENCH_YES);
	assert_int_equal(sda->read_only, BLKBENCH_NO);
	assert_int_equal(sda->suspended, BLKBENCH_NO);
	assert_int_equal(sda->reads, 4113);
	assert_int_equal(sda->failed_commands, 31);
	assert_int_equal(sda->timeouts, 2);
	assert_int_equal(sda->members, BLKBENCH_UNKNOWN);
	blkbench_health_finish(&health);
}

static void nvme_disk_has_the_state_of_its_controller(void **state)
{
	struct blkbench_health health = read_health(NULL);
	const struct blkbench_layer_health *nvme = &health.layers[NVME];

	(void)state;
	assert_string_equal(nvme->state, "live");
	assert_int_equal(nvme->read_only, BLKBENCH_YES);
	assert_int_equal(nvme->suspended, BLKBENCH_NO);
	assert_int_equal(nvme->failed_commands, BLKBENCH_UNKNOWN);
	assert_int_equal(nvme->timeouts, BLKBENCH_UNKNOWN);
	blkbench_health_finish(&health);
}

static void array_tells_of_its_members(void **state)
{
	struct blkbench_health health = read_health(NULL);
	const struct blkbench_layer_health *md = &health.layers[MD0];

	(void)state;
	assert_false(md->is_disk);
	assert_string_equal(md->state, "clean");
	assert_int_equal(md->members, 3);
	assert_int_equal(md->lost_members, 1);
	assert_int_equal(md->mismatch_sectors, 128);
	assert_int_equal(md->corrected_errors, 22);
	assert_int_equal(md->bad_sectors, 24);
	blkbench_health_finish(&health);
}

static void device_mapper_tells_of_members_and_of_paths(void **state)
{
	struct blkbench_health health = read_health(NULL);

	(void)state;
	assert_int_equal(health.layers[DM0].members, 3);
	assert_int_equal(health.layers[DM0].lost_members, 1);
	assert_int_equal(health.layers[DM0].mismatch_sectors, 8);
	assert_false(health.layers[DM0].is_multipath);
	assert_true(health.layers[DM1].is_multipath);
	assert_int_equal(health.layers[DM1].members, 2);
	assert_int_equal(health.layers[DM1].lost_members, 1);
	assert_int_equal(health.layers[DM1].mismatch_sectors, BLKBENCH_UNKNOWN);
	blkbench_health_finish(&health);
}

static void first_look_asks_no_disk_for_its_temperature(void **state)
{
	struct blkbench_health health = read_health(NULL);

	(void)state;
	assert_true(health.layers[SDA].temperature ==
		    BLKBENCH_UNKNOWN_TEMPERATURE);
	assert_true(health.layers[NVME].temperature ==
		    BLKBENCH_UNKNOWN_TEMPERATURE);
	blkbench_health_finish(&health);
}

static void disk_that_has_read_since_is_asked(void **state)
{
	struct blkbench_layer_health sda =
		read_after(SDA, "devices/sda/stat", "4114 11 338755\n");

	(void)state;
	assert_int_equal(sda.temperature, 41000);
	assert_int_equal(sda.temperature_max, 60000);
	assert_int_equal(sda.temperature_critical, 70000);
}

static void spinning_disk_that_may_sleep_is_not_asked(void **state)
{
	struct blkbench_layer_health sda;

	(void)state;
	sda = read_after(SDA, "devices/sda/stat", "4113 11 338754\n");
	assert_true(sda.temperature == BLKBENCH_UNKNOWN_TEMPERATURE);
	/* With queue/iostats off nothing is counted. */
	sda = read_after(SDA, "devices/sda/stat", "");
	assert_true(sda.temperature == BLKBENCH_UNKNOWN_TEMPERATURE);
}

static void suspended_disk_is_not_asked_even_if_it_does_not_spin(void **state)
{
	struct blkbench_layer_health nvme;

	(void)state;
	nvme = read_after(NVME,
			  "devices/nvme0n1/device/device/power/runtime_status",
			  "suspended\n");
	assert_int_equal(nvme.suspended, BLKBENCH_YES);
	assert_true(nvme.temperature == BLKBENCH_UNKNOWN_TEMPERATURE);
	nvme = read_after(NVME,
			  "devices/nvme0n1/device/device/power/runtime_status",
			  "suspending\n");
	assert_int_equal(nvme.suspended, BLKBENCH_YES);
}

static void disk_that_does_not_spin_is_asked_anyhow(void **state)
{
	struct blkbench_layer_health nvme =
		read_after(NVME, "devices/sda/stat", "9\n");

	(void)state;
	assert_int_equal(nvme.temperature, -5850);
	assert_int_equal(nvme.temperature_max, 84850);
	assert_true(nvme.temperature_critical == BLKBENCH_UNKNOWN_TEMPERATURE);
}

static void what_no_thermometer_shows_is_not_known(void **state)
{
	static const char *const texts[] = { "4294967000\n", "-300000\n",
					     "hot\n", "" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct blkbench_layer_health nvme = read_after(
			NVME, "devices/nvme0n1/device/hwmon1/temp1_input",
			texts[i]);

		assert_true(nvme.temperature == BLKBENCH_UNKNOWN_TEMPERATURE);
		assert_int_equal(nvme.temperature_max, 84850);
	}
}

static void garbage_is_not_known(void **state)
{
	struct blkbench_layer_health layer;

	(void)state;
	layer = read_after(SDA, "devices/sda/device/ioerr_cnt", "31\n");
	assert_int_equal(layer.failed_commands, BLKBENCH_UNKNOWN);
	layer = read_after(MD0, "devices/md0/md/degraded", "some\n");
	assert_int_equal(layer.lost_members, BLKBENCH_UNKNOWN);
	layer = read_after(MD0, "devices/md0/md/dev-sdc1/bad_blocks",
			   "1000 8\n77\n2048 x\n");
	assert_int_equal(layer.bad_sectors, 8);
}

static void without_sysfs_nothing_is_known_of_a_disk(void **state)
{
	const struct stack_source source = fixture_source("/nowhere");
	struct blkbench_health health;

	(void)state;
	assert_int_equal(health_read(&source, layers, 3, NULL, &health), 0);
	assert_int_equal(health.layers_count, 1);
	assert_string_equal(health.layers[0].layer, "sda");
	assert_string_equal(health.layers[0].state, "");
	assert_int_equal(health.layers[0].suspended, BLKBENCH_NOT_KNOWN);
	assert_int_equal(health.layers[0].reads, BLKBENCH_UNKNOWN);
	blkbench_health_finish(&health);
	assert_int_equal(health_read(&source, NULL, 0, NULL, &health), 0);
	assert_int_equal(health.layers_count, 0);
	blkbench_health_finish(&health);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(disk_has_the_counters_of_its_driver),
		TEST(nvme_disk_has_the_state_of_its_controller),
		TEST(array_tells_of_its_members),
		TEST(device_mapper_tells_of_members_and_of_paths),
		TEST(first_look_asks_no_disk_for_its_temperature),
		TEST(disk_that_has_read_since_is_asked),
		TEST(spinning_disk_that_may_sleep_is_not_asked),
		TEST(suspended_disk_is_not_asked_even_if_it_does_not_spin),
		TEST(disk_that_does_not_spin_is_asked_anyhow),
		TEST(what_no_thermometer_shows_is_not_known),
		TEST(garbage_is_not_known),
		TEST(without_sysfs_nothing_is_known_of_a_disk),
	};

	return cmocka_run_group_tests_name("health", tests, NULL, NULL);
}
