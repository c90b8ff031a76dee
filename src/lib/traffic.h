/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <blkbench.h>

#include "doubt.h"

/*
 * What the kernel has counted up to now of the disks that a device lies on; of
 * the device itself, where a read of it may become none below, or several. What
 * others read of another partition is in it. sysfs is "/sys" or a test's tree.
 * Returns false where the kernel does not count.
 */
bool traffic_count(const char *sysfs, const struct blkbench_info *info,
		   struct doubt_traffic *traffic);

#endif
