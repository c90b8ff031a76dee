/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef THROTTLE_H
#define THROTTLE_H

#include <blkbench.h>

#include "doubt.h"

/*
 * What the kernel has been told to hold reads of a device back by: the limits of
 * the cgroups that this process runs in, and the settings of the queues of the
 * layers. sysfs is "/sys" or a test's tree, cgroup "/proc/self/cgroup" or a
 * test's file. Of cgroups outside of what a container sees, nothing is known.
 */
void throttle_find(const char *sysfs, const char *cgroup,
		   const struct blkbench_info *info,
		   struct doubt_limits *limits);

#endif
