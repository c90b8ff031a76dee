/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "throttle.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

static char root[] = "/tmp/blkbench.throttle.XXXXXX";

static void remove_file(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(remove(path), 0);
}

/* With the directories that lead to it. */
static void write_file(const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void link_device(const char *devno, const char *name)
{
	char target[PATH_MAX], path[PATH_MAX];

	snprintf(target, sizeof(target), "../../devices/%s", name);
	snprintf(path, sizeof(path), "%s/dev/block/%s", root, devno);
	assert_int_equal(symlink(target, path), 0);
}

/* sda is a SATA disk with NCQ, sdb a stick without; ram0 has no queue. */
static int make_tree(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	write_file("dev/block/empty", "");
	write_file("devices/sda/queue/nr_requests", "64\n");
	write_file("devices/sda/queue/read_ahead_kb", "128\n");
	write_file("devices/sda/mq/0/nr_tags", "32\n");
	write_file("devices/sda/device/queue_depth", "32\n");
	write_file("devices/sdb/queue/nr_requests", "2\n");
	write_file("devices/sdb/queue/read_ahead_kb", "0\n");
	write_file("devices/sdb/mq/0/nr_tags", "1\n");
	write_file("devices/sdb/device/queue_depth", "1\n");
	write_file("devices/nvme0n1/queue/nr_requests", "1023\n");
	write_file("devices/nvme0n1/mq/0/nr_tags", "1023\n");
	write_file("devices/nvme0n1/mq/1/nr_tags", "1023\n");
	write_file("devices/ram0/queue/nr_requests", "128\n");
	link_device("8:0", "sda");
	link_device("8:16", "sdb");
	link_device("259:0", "nvme0n1");
	link_device("1:0", "ram0");
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

static const struct blkbench_layer sda = {
	.name = "sda",
	.kind = "disk",
	.major = 8,
	.minor = 0,
	.topology = { .max_request_bytes = 524288 },
};
static const struct blkbench_layer sdb = {
	.name = "sdb", .kind = "disk", .major = 8, .minor = 16
};

/* What /proc/self/cgroup says is to be in the tree's file of that name. */
static void find(const struct blkbench_layer *layers, size_t count,
		 struct doubt_limits *limits)
{
	const struct blkbench_info info = { .layers = layers,
					    .layers_count = count };
	char cgroup[PATH_MAX];

	snprintf(cgroup, sizeof(cgroup), "%s/cgroup", root);
	throttle_find(root, cgroup, &info, limits);
}

static void assert_file(const struct doubt_limit *limit, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/fs/cgroup/%s", root, name);
	assert_string_equal(limit->file, path);
}

static void lowest_limit_of_a_group_and_those_above_counts(void **state)
{
	struct doubt_limits limits;

	(void)state;
	write_file("cgroup", "0::/system.slice/a.service\n");
	write_file("fs/cgroup/system.slice/a.service/io.max",
		   "8:16 rbps=5 wbps=max riops=7 wiops=max\n"
		   "8:0 rbps=3000000 wbps=1 riops=max wiops=2\n");
	write_file("fs/cgroup/system.slice/io.max",
		   "8:0 rbps=2000000 wbps=max riops=100 wiops=max\n");
	write_file("fs/cgroup/io.max", "8:0 rbps=9000000 riops=90\n");
	/* Of another group. */
	write_file("fs/cgroup/user.slice/io.max", "8:0 rbps=1 riops=1\n");
	find(&sda, 1, &limits);
	assert_int_equal(limits.bytes_per_s.value, 2000000);
	assert_int_equal(limits.bytes_per_s.layers, 1);
	assert_string_equal(limits.bytes_per_s.layer, "sda");
	assert_int_equal(limits.bytes_per_s.request_bytes, 524288);
	assert_file(&limits.bytes_per_s, "system.slice/io.max");
	assert_int_equal(limits.reads_per_s.value, 90);
	assert_file(&limits.reads_per_s, "io.max");
	remove_file("fs/cgroup/system.slice/a.service/io.max");
	remove_file("fs/cgroup/system.slice/io.max");
	remove_file("fs/cgroup/io.max");
}

static void limits_of_the_first_version_are_in_files_of_their_own(void **state)
{
	struct doubt_limits limits;

	(void)state;
	write_file("cgroup", "12:cpu,cpuacct:/else\n7:net_cls,blkio:/batch/1\n"
			     "0::/\n");
	write_file("fs/cgroup/blkio/batch/1/blkio.throttle.read_bps_device",
		   "8:0 1048576\n8:16 4\n");
	write_file("fs/cgroup/blkio/batch/blkio.throttle.read_iops_device",
		   "8:16 5\n8:0 60\n");
	write_file("fs/cgroup/blkio/else/blkio.throttle.read_iops_device",
		   "8:0 1\n");
	find(&sda, 1, &limits);
	assert_int_equal(limits.bytes_per_s.value, 1048576);
	assert_file(&limits.bytes_per_s,
		    "blkio/batch/1/blkio.throttle.read_bps_device");
	assert_int_equal(limits.reads_per_s.value, 60);
	assert_file(&limits.reads_per_s,
		    "blkio/batch/blkio.throttle.read_iops_device");
	remove_file("fs/cgroup/blkio/batch/1/blkio.throttle.read_bps_device");
	remove_file("fs/cgroup/blkio/batch/blkio.throttle.read_iops_device");
	remove_file("fs/cgroup/blkio/else/blkio.throttle.read_iops_device");
}

static void second_version_may_be_mounted_beside_the_first(void **state)
{
	struct doubt_limits limits;

	(void)state;
	write_file("cgroup", "7:blkio:/\n0::/a\n");
	write_file("fs/cgroup/unified/a/io.max", "8:0 riops=50\n");
	find(&sda, 1, &limits);
	assert_int_equal(limits.bytes_per_s.value, BLKBENCH_UNKNOWN);
	assert_int_equal(limits.reads_per_s.value, 50);
	assert_file(&limits.reads_per_s, "unified/a/io.max");
	remove_file("fs/cgroup/unified/a/io.max");
}

static void nothing_is_limited_without_a_group_or_a_line(void **state)
{
	static const char *const groups[] = { "", "nonsense\n", "0::\n",
					      "0::/nowhere\n", "0::/../a\n" };
	struct doubt_limits limits;

	(void)state;
	write_file("fs/cgroup/io.max", "8:1 rbps=5\n8:0\n8:0 rbps=max\n"
				       "8:0 rbps=-1\nx\n\n");
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		write_file("cgroup", groups[i]);
		find(&sda, 1, &limits);
		assert_int_equal(limits.bytes_per_s.value, BLKBENCH_UNKNOWN);
		assert_int_equal(limits.reads_per_s.value, BLKBENCH_UNKNOWN);
		assert_int_equal(limits.bytes_per_s.layers, 0);
	}
	remove_file("cgroup");
	find(&sda, 1, &limits);
	assert_int_equal(limits.bytes_per_s.value, BLKBENCH_UNKNOWN);
	remove_file("fs/cgroup/io.max");
}

static void lowest_of_all_layers_counts_and_how_many_have_one(void **state)
{
	static const struct blkbench_leg legs[] = { { .layer = 1 },
						    { .layer = 2 } };
	static const struct blkbench_segment striped = { .kind = "striped",
							 .legs_count = 2,
							 .legs = legs };
	const struct blkbench_layer layers[] = { { .name = "dm-0",
						   .kind = "striped",
						   .major = 253,
						   .segments_count = 1,
						   .segments = &striped },
						 sda,
						 sdb };
	struct doubt_limits limits;

	(void)state;
	write_file("cgroup", "0::/\n");
	write_file("fs/cgroup/io.max", "8:0 rbps=2000\n8:16 rbps=1000\n");
	find(layers, 3, &limits);
	assert_int_equal(limits.bytes_per_s.value, 1000);
	assert_int_equal(limits.bytes_per_s.layers, 2);
	assert_string_equal(limits.bytes_per_s.layer, "sdb");
	/* Both disks' queues, and not that of the volume. */
	assert_int_equal(limits.in_flight.value, 33);
	assert_int_equal(limits.in_flight.layers, 2);
	remove_file("fs/cgroup/io.max");
}

static void long_path_keeps_its_end(void **state)
{
	struct doubt_limits limits;
	char group[200], name[300];

	(void)state;
	memset(group, 'a', sizeof(group));
	group[sizeof(group) - 1] = '\0';
	snprintf(name, sizeof(name), "0::/%s\n", group);
	write_file("cgroup", name);
	snprintf(name, sizeof(name), "fs/cgroup/%s/io.max", group);
	write_file(name, "8:0 rbps=1\n");
	find(&sda, 1, &limits);
	assert_int_equal(strlen(limits.bytes_per_s.file), DOUBT_FILE_MAX - 1);
	assert_memory_equal(limits.bytes_per_s.file, "...aaa", 6);
	assert_string_equal(limits.bytes_per_s.file + DOUBT_FILE_MAX - 1 - 8,
			    "a/io.max");
	remove_file(name);
}

static void queue_is_what_the_disk_and_the_kernel_take(void **state)
{
	static const struct blkbench_layer nvme = { .name = "nvme0n1",
						    .kind = "disk",
						    .major = 259 };
	static const struct blkbench_layer ram = { .name = "ram0",
						   .kind = "disk",
						   .major = 1 };
	struct doubt_limits limits;

	(void)state;
	find(&sda, 1, &limits);
	assert_int_equal(limits.in_flight.value, 32);
	assert_string_equal(limits.in_flight.layer, "sda");
	assert_string_equal(limits.in_flight.file, "device/queue_depth");
	assert_int_equal(limits.read_ahead.value, 131072);
	write_file("devices/sda/queue/nr_requests", "4\n");
	find(&sda, 1, &limits);
	assert_int_equal(limits.in_flight.value, 4);
	assert_string_equal(limits.in_flight.file, "queue/nr_requests");
	write_file("devices/sda/queue/nr_requests", "64\n");
	find(&sdb, 1, &limits);
	assert_int_equal(limits.in_flight.value, 1);
	assert_int_equal(limits.read_ahead.value, 0);
	/* Each of two hardware queues takes as many. */
	find(&nvme, 1, &limits);
	assert_int_equal(limits.in_flight.value, 2046);
	/* What a driver takes without a queue is not told by the number. */
	find(&ram, 1, &limits);
	assert_int_equal(limits.in_flight.value, BLKBENCH_UNKNOWN);
	assert_int_equal(limits.read_ahead.value, BLKBENCH_UNKNOWN);
}

/* What its file lies on has one of its own, but reads come at another pace. */
static void queue_of_a_loop_device_is_its_own(void **state)
{
	static const struct blkbench_leg on_file = { .layer = 1 };
	static const struct blkbench_leg on_disk = { .layer = 2 };
	static const struct blkbench_segment loop = { .kind = "loop",
						      .legs_count = 1,
						      .legs = &on_file };
	static const struct blkbench_segment file = { .kind = "file",
						      .legs_count = 1,
						      .legs = &on_disk };
	const struct blkbench_layer layers[] = { { .name = "loop0",
						   .kind = "loop",
						   .major = 8,
						   .segments_count = 1,
						   .segments = &loop },
						 { .name = "/a",
						   .kind = "file",
						   .segments_count = 1,
						   .segments = &file },
						 sdb };
	struct doubt_limits limits;

	(void)state;
	find(layers, 3, &limits);
	assert_int_equal(limits.in_flight.value, 32);
	assert_string_equal(limits.in_flight.layer, "loop0");
	assert_int_equal(limits.in_flight.layers, 1);
}

static void file_is_read_through_the_queue_of_its_disk(void **state)
{
	static const struct blkbench_leg on_disk = { .layer = 1 };
	static const struct blkbench_segment file = { .kind = "file",
						      .legs_count = 1,
						      .legs = &on_disk };
	const struct blkbench_layer layers[] = { { .name = "/a",
						   .kind = "file",
						   .segments_count = 1,
						   .segments = &file },
						 sdb };
	struct doubt_limits limits;

	(void)state;
	find(layers, 2, &limits);
	assert_int_equal(limits.in_flight.value, 1);
	assert_string_equal(limits.in_flight.layer, "sdb");
}

static void without_a_disk_there_is_no_queue(void **state)
{
	static const struct blkbench_layer file = { .name = "/a",
						    .kind = "file" };
	struct doubt_limits limits;

	(void)state;
	find(&file, 1, &limits);
	assert_int_equal(limits.in_flight.value, BLKBENCH_UNKNOWN);
	find(&file, 0, &limits);
	assert_int_equal(limits.in_flight.value, BLKBENCH_UNKNOWN);
	assert_int_equal(limits.read_ahead.value, BLKBENCH_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			lowest_limit_of_a_group_and_those_above_counts),
		cmocka_unit_test(
			limits_of_the_first_version_are_in_files_of_their_own),
		cmocka_unit_test(
			second_version_may_be_mounted_beside_the_first),
		cmocka_unit_test(nothing_is_limited_without_a_group_or_a_line),
		cmocka_unit_test(
			lowest_of_all_layers_counts_and_how_many_have_one),
		cmocka_unit_test(long_path_keeps_its_end),
		cmocka_unit_test(queue_is_what_the_disk_and_the_kernel_take),
		cmocka_unit_test(queue_of_a_loop_device_is_its_own),
		cmocka_unit_test(file_is_read_through_the_queue_of_its_disk),
		cmocka_unit_test(without_a_disk_there_is_no_queue),
	};

	return cmocka_run_group_tests_name("throttle", tests, make_tree,
					   remove_tree);
}
