/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "loss.h"

#include <stdio.h>
#include <unistd.h>

#include "fixture.h"
#include "test.h"
#include "tree.h"

#define MIB UINT64_C(1048576)

/*
 * The sysfs of a machine with a partition sda1 that dm-0 lies on, 64 MiB each,
 * and a loop device on a file.
 */
static const struct {
	const char *path, *text;
} tree[] = {
	{ "devices/sda/size", "131072\n" },
	{ "devices/sda/removable", "0\n" },
	{ "devices/sda/device/state", "running\n" },
	{ "devices/sda/sda1/size", "131072\n" },
	{ "devices/sda/sda1/partition", "1\n" },
	{ "devices/dm-0/size", "131072\n" },
	{ "devices/dm-0/dm/name", "lv\n" },
	{ "devices/loop0/size", "131072\n" },
	{ "tables/253:0", "0 131072 linear 8:1 0\n" },
	{ "files", "8:2 67108864 /srv/disk\n" },
};

static const struct {
	const char *devno, *target;
} links[] = {
	{ "8:0", "sda" },
	{ "8:1", "sda/sda1" },
	{ "253:0", "dm-0" },
	{ "7:0", "loop0" },
};

static struct tree at;

static void put(const char *name, const char *text)
{
	tree_put(&at, name, text);
}

static int make_tree(void **state)
{
	(void)state;
	tree_create(&at);
	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++)
		put(tree[i].path, tree[i].text);
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		tree_link(&at, links[i].devno, links[i].target);
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	tree_destroy(&at);
	return 0;
}

static enum blkbench_loss find(const struct blkbench_layer *layers,
			       size_t count, uint64_t size_bytes,
			       const char **layer)
{
	const struct stack_source source = fixture_source(at.root);
	const struct blkbench_info info = {
		.path = "/dev/it",
		.size_bytes = 64 * MIB,
		.layers_count = count,
		.layers = layers,
	};

	return loss_find(&source, &info, size_bytes, layer);
}

/* On the volume, as it was when it was opened. */
static enum blkbench_loss find_volume(const char **layer)
{
	const struct blkbench_leg legs[] = { { .layer = 1 }, { .layer = 2 } };
	const struct blkbench_segment segments[] = {
		{ .kind = "linear", .legs_count = 1, .legs = &legs[0] },
		{ .kind = "partition", .legs_count = 1, .legs = &legs[1] },
	};
	const struct blkbench_layer layers[] = {
		{ .name = "dm-0",
		  .kind = "linear",
		  .major = 253,
		  .size_bytes = 64 * MIB,
		  .segments_count = 1,
		  .segments = &segments[0] },
		{ .name = "sda1",
		  .kind = "partition",
		  .major = 8,
		  .minor = 1,
		  .size_bytes = 64 * MIB,
		  .segments_count = 1,
		  .segments = &segments[1] },
		{ .name = "sda",
		  .kind = "disk",
		  .major = 8,
		  .size_bytes = 64 * MIB },
	};

	return find(layers, 3, 64 * MIB, layer);
}

/* On an array of sda1, a disk that is gone (8:32) and some that are missing. */
static enum blkbench_loss find_array(size_t data_members, size_t legs_count,
				     const char **layer)
{
	const struct blkbench_leg legs[] = {
		{ .layer = 1 },
		{ .layer = 2 },
		{ .layer = BLKBENCH_NO_LAYER },
	};
	const struct blkbench_segment segment = {
		.kind = "raid",
		.data_members = data_members,
		.legs_count = legs_count,
		.legs = legs,
	};
	const struct blkbench_layer layers[] = {
		{ .name = "md0",
		  .kind = "raid",
		  .major = 253,
		  .size_bytes = 64 * MIB,
		  .segments_count = 1,
		  .segments = &segment },
		{ .name = "sda1",
		  .kind = "partition",
		  .major = 8,
		  .minor = 1,
		  .size_bytes = 64 * MIB },
		{ .name = "sdc",
		  .kind = "disk",
		  .major = 8,
		  .minor = 32,
		  .size_bytes = 64 * MIB },
	};

	return find(layers, 3, 64 * MIB, layer);
}

/* On the loop device, the last byte of which is that of its file. */
static enum blkbench_loss find_loop(const char **layer)
{
	const struct blkbench_leg leg = { .layer = 1, .offset_bytes = MIB };
	const struct blkbench_segment segment = {
		.kind = "loop",
		.length_bytes = 63 * MIB,
		.legs_count = 1,
		.legs = &leg,
	};
	const struct blkbench_layer layers[] = {
		{ .name = "loop0",
		  .kind = "loop",
		  .major = 7,
		  .size_bytes = 64 * MIB,
		  .segments_count = 1,
		  .segments = &segment },
		{ .name = "/srv/disk", .kind = "file", .size_bytes = 64 * MIB },
	};

	return find(layers, 2, 64 * MIB, layer);
}

static void device_that_is_as_it_was_is_not_lost(void **state)
{
	const char *layer;

	(void)state;
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_NONE);
	assert_int_equal(find_loop(&layer), BLKBENCH_LOSS_NONE);
}

static void disk_that_left_sysfs_was_removed(void **state)
{
	char path[256];
	const char *layer;

	(void)state;
	snprintf(path, sizeof(path), "%s/dev/block/8:1", at.root);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_REMOVED);
	assert_string_equal(layer, "sda1");
}

static void state_of_the_disk_tells(void **state)
{
	static const struct {
		const char *text;
		enum blkbench_loss loss;
	} cases[] = {
		{ "running\n", BLKBENCH_LOSS_NONE },
		{ "blocked\n", BLKBENCH_LOSS_NONE },
		{ "offline\n", BLKBENCH_LOSS_OFFLINE },
		{ "transport-offline\n", BLKBENCH_LOSS_OFFLINE },
		{ "cancel\n", BLKBENCH_LOSS_REMOVED },
		{ "deleted\n", BLKBENCH_LOSS_REMOVED },
		{ "live\n", BLKBENCH_LOSS_NONE },
		{ "dead\n", BLKBENCH_LOSS_OFFLINE },
		{ "deleting\n", BLKBENCH_LOSS_REMOVED },
		{ "deleting (no IO)\n", BLKBENCH_LOSS_REMOVED },
	};
	const char *layer;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put("devices/sda/device/state", cases[i].text);
		assert_int_equal(find_volume(&layer), cases[i].loss);
		if (cases[i].loss)
			assert_string_equal(layer, "sda1");
	}
}

static void size_tells_shrunk_from_removed_from_no_medium(void **state)
{
	const char *layer;

	(void)state;
	put("devices/sda/sda1/size", "131071\n");
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_SHRUNK);
	put("devices/sda/sda1/size", "0\n");
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_REMOVED);
	put("devices/sda/removable", "1\n");
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_NO_MEDIUM);
	assert_string_equal(layer, "sda1");
}

static void table_of_errors_alone_is_told(void **state)
{
	const char *layer;

	(void)state;
	put("tables/253:0", "0 65536 linear 8:1 0\n65536 65536 error\n");
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_NONE);
	put("tables/253:0", "0 131072 error\n");
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_TABLE);
	assert_string_equal(layer, "dm-0");
	put("tables/253:0", "");
	assert_int_equal(find_volume(&layer), BLKBENCH_LOSS_NONE);
}

static void array_is_lost_when_less_is_left_than_its_data_needs(void **state)
{
	const char *layer;

	(void)state;
	/* A mirror of two has one; a stripe over both does not. */
	assert_int_equal(find_array(1, 2, &layer), BLKBENCH_LOSS_NONE);
	assert_int_equal(find_array(2, 2, &layer), BLKBENCH_LOSS_REMOVED);
	assert_string_equal(layer, "sdc");
	/* A raid5 of three that was degraded before; a mirror of three. */
	assert_int_equal(find_array(2, 3, &layer), BLKBENCH_LOSS_REMOVED);
	assert_int_equal(find_array(1, 3, &layer), BLKBENCH_LOSS_NONE);
}

static void file_that_was_cut_is_told_by_its_path(void **state)
{
	const char *layer;

	(void)state;
	put("files", "8:2 67108863 /srv/disk\n");
	assert_int_equal(find_loop(&layer), BLKBENCH_LOSS_SHRUNK);
	assert_string_equal(layer, "/srv/disk");
	/* It may have been deleted by its name only. */
	put("files", "");
	assert_int_equal(find_loop(&layer), BLKBENCH_LOSS_NONE);
}

static void without_sysfs_the_descriptor_tells(void **state)
{
	const struct blkbench_layer unknown = {
		.name = "9:9",
		.kind = "not known",
		.major = 9,
		.minor = 9,
		.size_bytes = BLKBENCH_UNKNOWN,
	};
	const char *layer;

	(void)state;
	assert_int_equal(find(&unknown, 1, 64 * MIB, &layer),
			 BLKBENCH_LOSS_NONE);
	assert_int_equal(find(&unknown, 1, BLKBENCH_UNKNOWN, &layer),
			 BLKBENCH_LOSS_NONE);
	assert_int_equal(find(&unknown, 1, MIB, &layer), BLKBENCH_LOSS_SHRUNK);
	assert_string_equal(layer, "9:9");
	assert_int_equal(find(&unknown, 1, 0, &layer), BLKBENCH_LOSS_REMOVED);
	assert_int_equal(find(NULL, 0, 0, &layer), BLKBENCH_LOSS_REMOVED);
	assert_string_equal(layer, "/dev/it");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(device_that_is_as_it_was_is_not_lost),
		TEST(disk_that_left_sysfs_was_removed),
		TEST(state_of_the_disk_tells),
		TEST(size_tells_shrunk_from_removed_from_no_medium),
		TEST(table_of_errors_alone_is_told),
		TEST(array_is_lost_when_less_is_left_than_its_data_needs),
		TEST(file_that_was_cut_is_told_by_its_path),
		TEST(without_sysfs_the_descriptor_tells),
	};

	return cmocka_run_group_tests_name("loss", tests, NULL, NULL);
}
