/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include <blkbench.h>

#include "blkdev.h"
#include "sysfs.h"
#include "warnings.h"

/* More than this is no optimal request size, but a mistake. */
#define TOPOLOGY_IO_MAX (64ULL << 20)

void topology_init(struct blkbench_topology *topology);

/*
 * What the kernel says, by ioctl or else by sysfs; what is senseless is warned
 * of ("bogus") and replaced by what can be used.
 */
void topology_read(struct blkbench_topology *topology,
		   const struct blkdev_limits *limits,
		   const struct sysfs *sysfs, struct warnings *warnings);

/* The same for a regular file: only what reading it takes is known. */
void topology_read_file(struct blkbench_topology *topology,
			const struct blkdev_limits *limits);

/* Warns ("topology") where a second opinion is another; UNKNOWN is none. */
void topology_compare(const struct blkdev_limits *kernel,
		      const struct blkbench_topology *libblkid,
		      struct warnings *warnings);

#endif
