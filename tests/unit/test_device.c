/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#define MIB (1 << 20)

/* A directory of its own for each test, on a real file system: memory ones
 * differ from kernel to kernel in what they can read directly. */
static int enter_directory(void **state)
{
	char *directory = strdup("/var/tmp/blkbench-test-XXXXXX");

	*state = directory;
	return directory && mkdtemp(directory) && chdir(directory) == 0 ? 0
									: -1;
}

static int leave_directory(void **state)
{
	static const char *const names[] = { "file", "link", "pipe" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(names[i]);
	rmdir(*state);
	free(*state);
	return 0;
}

static void make_file(size_t bytes, const void *text, size_t length,
		      off_t offset)
{
	const int fd = open("file", O_RDWR | O_CREAT, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	assert_int_equal(pwrite(fd, text, length, offset), length);
	close(fd);
}

static struct blkbench_device *open_device(const char *path)
{
	struct blkbench_device *device = NULL;
	struct blkbench_error error = { "" };

	if (blkbench_device_open(path, &device, &error) != 0)
		fail_msg("%s: %s", path, error.text);
	return device;
}

static void check_refused(const char *path, int err, const char *words)
{
	struct blkbench_device *device = NULL;
	struct blkbench_error error = { "" };

	assert_int_equal(blkbench_device_open(path, &device, &error), err);
	assert_null(device);
	assert_non_null(strstr(error.text, words));
	assert_null(strstr(error.text, "Success"));
}

static void what_is_not_there_is_not_made(void **state)
{
	(void)state;
	check_refused("file", -ENOENT, "No such file");
	assert_int_equal(access("file", F_OK), -1);
	check_refused("", -ENOENT, "No such file");
	check_refused("/dev/null/x", -ENOTDIR, "Not a directory");
}

static void link_to_nowhere_is_told_from_a_missing_path(void **state)
{
	(void)state;
	assert_int_equal(symlink("/no/such/disk", "link"), 0);
	check_refused("link", -ENOENT, "is a link to /no/such/disk");
}

static void other_types_are_named(void **state)
{
	(void)state;
	check_refused("/dev/null", -ENOTBLK, "a character device");
	check_refused(".", -ENOTBLK, "a directory");
	/* Nobody writes to it: an open would never return. */
	assert_int_equal(mkfifo("pipe", 0600), 0);
	check_refused("pipe", -ENOTBLK, "a pipe");
}

static void file_of_less_than_a_sector_is_refused(void **state)
{
	(void)state;
	make_file(0, "", 0, 0);
	check_refused("file", -ENODATA, "size 0");
	make_file(100, "x", 1, 0);
	check_refused("file", -ENODATA, "100 B");
}

static void file_is_described(void **state)
{
	const char *directory = *state;
	const struct blkbench_info *info;
	struct blkbench_device *device;
	char resolved[128];

	make_file(MIB + 100, "x", 1, 0);
	assert_int_equal(symlink("file", "link"), 0);
	device = open_device("link");
	info = blkbench_device_get_info(device);
	snprintf(resolved, sizeof(resolved), "%s/file", directory);
	assert_string_equal(info->path, "link");
	assert_string_equal(info->resolved, resolved);
	assert_int_equal(info->kind, BLKBENCH_KIND_FILE);
	assert_int_equal(info->size_bytes, MIB);
	assert_int_equal(info->major, 0);
	assert_int_equal(info->minor, 0);
	assert_int_equal(info->rotational, BLKBENCH_NOT_KNOWN);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	assert_null(info->content.type);
	blkbench_device_close(device);
}

static void descriptor_cannot_be_written_to(void **state)
{
	struct blkbench_device *device;
	int fd;

	(void)state;
	make_file(MIB, "x", 1, 0);
	device = open_device("file");
	fd = device_get_fd(device);
	assert_int_equal(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(pwrite(fd, "x", 1, 0), -1);
	assert_int_equal(errno, EBADF);
	blkbench_device_close(device);
}

static void direct_reads_can_be_switched_off_and_on(void **state)
{
	struct blkbench_device *device;
	char byte;
	int fd;

	(void)state;
	make_file(MIB, "x", 1, 1);
	device = open_device("file");
	fd = device_get_fd(device);
	assert_true(fcntl(fd, F_GETFL) & O_DIRECT);
	assert_int_equal(device_set_direct(device, false), 0);
	assert_false(fcntl(fd, F_GETFL) & O_DIRECT);
	assert_int_equal(pread(fd, &byte, 1, 1), 1);
	assert_int_equal(byte, 'x');
	assert_int_equal(device_set_direct(device, true), 0);
	assert_true(fcntl(fd, F_GETFL) & O_DIRECT);
	blkbench_device_close(device);
}

/* Version 1, 16 pages of 4096 bytes, label "pagefile": see swapon(8). */
static void content_is_recognised_from_the_ends(void **state)
{
	static const unsigned char header[] =
		"\1\0\0\0"
		"\x0f\0\0\0"
		"\0\0\0\0"
		"\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd"
		"\xef"
		"pagefile";
	const struct blkbench_content *content;
	struct blkbench_device *device;
	struct blkbench_error error;

	(void)state;
	make_file(65536, header, sizeof(header), 1024);
	make_file(65536, "SWAPSPACE2", 10, 4086);
	device = open_device("file");
	assert_int_equal(blkbench_device_probe_content(device, &error), 0);
	content = &blkbench_device_get_info(device)->content;
	assert_non_null(content->type);
	assert_string_equal(content->type, "swap");
	assert_string_equal(content->usage, "other");
	assert_string_equal(content->label, "pagefile");
	assert_string_equal(content->uuid,
			    "01234567-89ab-cdef-0123-456789abcdef");
	blkbench_device_close(device);
}

/* One Linux partition, from sector 63. */
static void partition_table_is_content_where_there_is_no_other(void **state)
{
	static const unsigned char table[] =
		"\x00\x01\x01\x00\x83\xfe\xff\xff\x3f\0\0\0\x00\x01\0\0"
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
		"\x55\xaa";
	const struct blkbench_content *content;
	struct blkbench_device *device;
	struct blkbench_error error;

	(void)state;
	make_file(MIB, table, 66, 446);
	device = open_device("file");
	assert_int_equal(blkbench_device_probe_content(device, &error), 0);
	content = &blkbench_device_get_info(device)->content;
	assert_non_null(content->type);
	assert_string_equal(content->type, "dos");
	assert_string_equal(content->usage, "other");
	assert_null(content->label);
	blkbench_device_close(device);
}

static void zeros_are_nothing(void **state)
{
	struct blkbench_device *device;
	struct blkbench_error error;

	(void)state;
	make_file(5 * MIB, "", 0, 0);
	device = open_device("file");
	assert_int_equal(blkbench_device_probe_content(device, &error), 0);
	assert_null(blkbench_device_get_info(device)->content.type);
	assert_int_equal(blkbench_device_get_info(device)->warnings_count, 0);
	blkbench_device_close(device);
}

static void nothing_is_closed(void **state)
{
	(void)state;
	blkbench_device_close(NULL);
}

#define DEVICE_TEST(test) \
	cmocka_unit_test_setup_teardown(test, enter_directory, leave_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DEVICE_TEST(what_is_not_there_is_not_made),
		DEVICE_TEST(link_to_nowhere_is_told_from_a_missing_path),
		DEVICE_TEST(other_types_are_named),
		DEVICE_TEST(file_of_less_than_a_sector_is_refused),
		DEVICE_TEST(file_is_described),
		DEVICE_TEST(descriptor_cannot_be_written_to),
		DEVICE_TEST(direct_reads_can_be_switched_off_and_on),
		DEVICE_TEST(content_is_recognised_from_the_ends),
		DEVICE_TEST(partition_table_is_content_where_there_is_no_other),
		DEVICE_TEST(zeros_are_nothing),
		cmocka_unit_test(nothing_is_closed),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
