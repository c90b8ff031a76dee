/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "blkdev.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

/* <linux/fs.h> counts BLKSECTGET's answer in these, whatever the device's. */
#define IOCTL_SECTOR_BYTES 512

void blkdev_limits_init(struct blkdev_limits *limits)
{
	*limits = (struct blkdev_limits){
		.size_bytes = BLKBENCH_UNKNOWN,
		.logical_sector_bytes = BLKBENCH_UNKNOWN,
		.physical_sector_bytes = BLKBENCH_UNKNOWN,
		.io_min_bytes = BLKBENCH_UNKNOWN,
		.io_opt_bytes = BLKBENCH_UNKNOWN,
		.max_request_bytes = BLKBENCH_UNKNOWN,
		.alignment_offset_bytes = BLKBENCH_UNKNOWN_OFFSET,
		.direct_offset_bytes = BLKBENCH_UNKNOWN,
		.direct_memory_bytes = BLKBENCH_UNKNOWN,
		.rotational = BLKBENCH_NOT_KNOWN,
		.read_only = BLKBENCH_NOT_KNOWN,
	};
}

static void read_direct_alignment(int fd, struct blkdev_limits *limits)
{
	struct statx stx;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &stx) != 0 ||
	    !(stx.stx_mask & STATX_DIOALIGN))
		return;
	limits->direct_offset_bytes = stx.stx_dio_offset_align;
	limits->direct_memory_bytes = stx.stx_dio_mem_align;
}

static void read_unsigned(int fd, unsigned long request, uint64_t *value)
{
	unsigned int answer;

	if (ioctl(fd, request, &answer) == 0)
		*value = answer;
}

static void read_answers(int fd, struct blkdev_limits *limits)
{
	unsigned short rotational, sectors;
	int read_only;

	if (ioctl(fd, BLKROTATIONAL, &rotational) == 0)
		limits->rotational = rotational ? BLKBENCH_YES : BLKBENCH_NO;
	if (ioctl(fd, BLKROGET, &read_only) == 0)
		limits->read_only = read_only ? BLKBENCH_YES : BLKBENCH_NO;
	if (ioctl(fd, BLKSECTGET, &sectors) == 0)
		limits->max_request_bytes = (uint64_t)sectors *
					    IOCTL_SECTOR_BYTES;
}

int blkdev_limits_read(int fd, struct blkdev_limits *limits)
{
	int alignment_offset, logical;

	blkdev_limits_init(limits);
	if (ioctl(fd, BLKGETSIZE64, &limits->size_bytes) != 0)
		return -errno;
	if (ioctl(fd, BLKSSZGET, &logical) == 0 && logical > 0)
		limits->logical_sector_bytes = (uint64_t)logical;
	read_unsigned(fd, BLKPBSZGET, &limits->physical_sector_bytes);
	read_unsigned(fd, BLKIOMIN, &limits->io_min_bytes);
	read_unsigned(fd, BLKIOOPT, &limits->io_opt_bytes);
	if (ioctl(fd, BLKALIGNOFF, &alignment_offset) == 0)
		limits->alignment_offset_bytes = alignment_offset;
	read_answers(fd, limits);
	read_direct_alignment(fd, limits);
	return 0;
}

void blkdev_limits_read_file(int fd, uint64_t size_bytes,
			     struct blkdev_limits *limits)
{
	blkdev_limits_init(limits);
	limits->size_bytes = size_bytes;
	read_direct_alignment(fd, limits);
}

uint64_t blkdev_find_size(int fd)
{
	uint64_t size_bytes;
	struct stat st;

	if (ioctl(fd, BLKGETSIZE64, &size_bytes) == 0)
		return size_bytes;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return (uint64_t)st.st_size;
	return BLKBENCH_UNKNOWN;
}

int blkdev_find_file(const char *path, struct blkdev_file *file)
{
	struct statx stx;

	if (statx(AT_FDCWD, path, AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT,
		  STATX_TYPE | STATX_SIZE, &stx) != 0)
		return -errno;
	file->is_block = S_ISBLK(stx.stx_mode);
	file->major = file->is_block ? stx.stx_rdev_major : stx.stx_dev_major;
	file->minor = file->is_block ? stx.stx_rdev_minor : stx.stx_dev_minor;
	file->size_bytes = S_ISREG(stx.stx_mode) ? stx.stx_size
						 : BLKBENCH_UNKNOWN;
	return 0;
}
