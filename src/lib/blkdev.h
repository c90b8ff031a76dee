/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef BLKDEV_H
#define BLKDEV_H

#include <blkbench.h>

/*
 * What the kernel answers for an open descriptor, by ioctl(2) and statx(2), as
 * it is: nothing checked, 0 where the kernel says 0, UNKNOWN where it does not
 * answer.
 */
struct blkdev_limits {
	uint64_t size_bytes;
	uint64_t logical_sector_bytes;
	uint64_t physical_sector_bytes;
	uint64_t io_min_bytes;
	uint64_t io_opt_bytes;
	uint64_t max_request_bytes;
	int64_t alignment_offset_bytes; /* signed: -1 is a message */
	/* For direct reads; 0: they do not work here. */
	uint64_t direct_offset_bytes;
	uint64_t direct_memory_bytes;
	enum blkbench_answer rotational, read_only;
};

void blkdev_limits_init(struct blkdev_limits *limits);

/* Of a block device. Returns 0, or a negative errno: the size is not known. */
int blkdev_limits_read(int fd, struct blkdev_limits *limits);

/* Of a regular file of some size. */
void blkdev_limits_read_file(int fd, uint64_t size_bytes,
			     struct blkdev_limits *limits);

/* Of a block device or a regular file, now; or UNKNOWN. */
uint64_t blkdev_find_size(int fd);

/* What a path leads to. */
struct blkdev_file {
	bool is_block; /* major and minor are its own, else its file system's */
	unsigned int major, minor;
	uint64_t size_bytes; /* of a file; or UNKNOWN */
};

/* Without opening it or asking a server for it. Returns 0, or a negative
 * errno. */
int blkdev_find_file(const char *path, struct blkdev_file *file);

#endif
