/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "traffic.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char root[] = "/tmp/blkbench.traffic.XXXXXX";

/* As Linux 6.1 has them: 17 numbers, of which the third and the seventh are the
 * sectors read and written. */
static const struct {
	const char *devno, *stat;
} tree[] = {
	{ "8:0", "     100     5    2000       30      10        1    3000  "
		 "      9        0       40       50        0        0        "
		 "0        0        2        1\n" },
	{ "8:16", "7 0 56 1 0 0 0 0 0 1 1\n" },
	{ "253:0", "1 0 8 0 2 0 16 0 0 0 0\n" },
	{ "7:0", "2 0 40 0 0 0 0 0 0 0 0\n" },
};

static void make_directory(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static int make_tree(void **state)
{
	char path[PATH_MAX], target[256];
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(root));
	make_directory("dev");
	make_directory("dev/block");
	make_directory("devices");
	for (size_t i = 0; i < sizeof(tree) / sizeof(tree[0]); i++) {
		snprintf(target, sizeof(target), "devices/%s", tree[i].devno);
		make_directory(target);
		snprintf(path, sizeof(path), "%s/dev/block/%s", root,
			 tree[i].devno);
		snprintf(target, sizeof(target), "../../devices/%s",
			 tree[i].devno);
		assert_int_equal(symlink(target, path), 0);
		strcat(path, "/stat");
		file = fopen(path, "w");
		assert_non_null(file);
		fputs(tree[i].stat, file);
		fclose(file);
	}
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int remove_tree(void **state)
{
	(void)state;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const struct blkbench_leg on_1 = { .layer = 1 };
static const struct blkbench_leg on_2 = { .layer = 2 };
static const struct blkbench_leg on_both[] = { { .layer = 1 }, { .layer = 2 } };
static const struct blkbench_leg on_one[] = { { .layer = 1 },
					      { .layer = BLKBENCH_NO_LAYER } };

static struct blkbench_layer disk(const char *name, unsigned int minor)
{
	return (struct blkbench_layer){
		.name = name, .kind = "disk", .major = 8, .minor = minor
	};
}

static struct blkbench_segment
segment(const char *kind, const struct blkbench_leg *legs, size_t count)
{
	return (struct blkbench_segment){ .kind = kind,
					  .legs = legs,
					  .legs_count = count };
}

static bool count(const struct blkbench_layer *layers, size_t layers_count,
		  struct doubt_traffic *traffic)
{
	const struct blkbench_info info = {
		.layers = layers,
		.layers_count = layers_count,
	};

	return traffic_count(root, &info, traffic);
}

static void disk_has_its_own_counters(void **state)
{
	const struct blkbench_layer layers[] = { disk("sda", 0) };
	struct doubt_traffic traffic;

	(void)state;
	assert_true(count(layers, 1, &traffic));
	assert_int_equal(traffic.read_bytes, 2000 * 512);
	assert_int_equal(traffic.written_bytes, 3000 * 512);
	assert_string_equal(traffic.layer, "sda");
}

/* Of two segments on the same partition of it the disk is still one. */
static void volume_has_those_of_its_disk_once(void **state)
{
	const struct blkbench_segment linear[] = {
		segment("linear", &on_1, 1), segment("linear", &on_1, 1)
	};
	const struct blkbench_segment part = segment("partition", &on_2, 1);
	const struct blkbench_layer layers[] = {
		{ .name = "dm-0",
		  .kind = "linear",
		  .major = 253,
		  .segments = linear,
		  .segments_count = 2 },
		{ .name = "sda1",
		  .kind = "partition",
		  .major = 8,
		  .minor = 1,
		  .segments = &part,
		  .segments_count = 1 },
		disk("sda", 0),
	};
	struct doubt_traffic traffic;

	(void)state;
	assert_true(count(layers, 3, &traffic));
	assert_int_equal(traffic.read_bytes, 2000 * 512);
	assert_string_equal(traffic.layer, "sda");
}

static void disks_of_an_array_add_up(void **state)
{
	const struct blkbench_segment mirror = segment("raid1", on_both, 2);
	const struct blkbench_layer layers[] = {
		{ .name = "md0",
		  .kind = "raid1",
		  .major = 9,
		  .segments = &mirror,
		  .segments_count = 1 },
		disk("sda", 0),
		disk("sdb", 16),
	};
	struct doubt_traffic traffic;

	(void)state;
	assert_true(count(layers, 3, &traffic));
	assert_int_equal(traffic.read_bytes, 2056 * 512);
	assert_int_equal(traffic.written_bytes, 3000 * 512);
	assert_null(traffic.layer);
}

/* A member's part is made from the others; blocks may come from a cache. */
static void what_reads_otherwise_below_is_counted_itself(void **state)
{
	static const char *const kinds[] = { "raid5", "cache", "thin" };
	struct blkbench_segment mapped = segment("raid5", on_one, 2);
	const struct blkbench_layer layers[] = {
		{ .name = "dm-0",
		  .kind = "dm",
		  .major = 253,
		  .segments = &mapped,
		  .segments_count = 1 },
		disk("sda", 0),
	};
	struct doubt_traffic traffic;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		mapped.kind = kinds[i];
		mapped.legs_count = i == 0 ? 2 : 1;
		assert_true(count(layers, 2, &traffic));
		assert_int_equal(traffic.read_bytes, 8 * 512);
		assert_int_equal(traffic.written_bytes, 16 * 512);
		assert_string_equal(traffic.layer, "dm-0");
	}
}

static void loop_device_is_counted_and_not_its_file(void **state)
{
	const struct blkbench_segment loop = segment("loop", &on_1, 1);
	const struct blkbench_segment file = segment("file", &on_2, 1);
	const struct blkbench_layer layers[] = {
		{ .name = "loop0",
		  .kind = "loop",
		  .major = 7,
		  .segments = &loop,
		  .segments_count = 1 },
		{ .name = "/srv/disk",
		  .kind = "file",
		  .segments = &file,
		  .segments_count = 1 },
		disk("sda", 0),
	};
	struct doubt_traffic traffic;

	(void)state;
	assert_true(count(layers, 3, &traffic));
	assert_int_equal(traffic.read_bytes, 40 * 512);
	assert_string_equal(traffic.layer, "loop0");
	/* What is read of a file may come from the page cache. */
	assert_false(count(layers + 1, 1, &traffic));
}

static void what_has_no_counters_is_not_known(void **state)
{
	const struct blkbench_layer layers[] = { disk("sdz", 240) };
	struct doubt_traffic traffic;

	(void)state;
	assert_false(count(layers, 1, &traffic));
	assert_false(count(layers, 0, &traffic));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disk_has_its_own_counters),
		cmocka_unit_test(volume_has_those_of_its_disk_once),
		cmocka_unit_test(disks_of_an_array_add_up),
		cmocka_unit_test(what_reads_otherwise_below_is_counted_itself),
		cmocka_unit_test(loop_device_is_counted_and_not_its_file),
		cmocka_unit_test(what_has_no_counters_is_not_known),
	};

	return cmocka_run_group_tests_name("traffic", tests, make_tree,
					   remove_tree);
}
