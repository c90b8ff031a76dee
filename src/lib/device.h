/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DEVICE_H
#define DEVICE_H

#include <blkbench.h>

#include "doubt.h"

/* The only descriptor; owned by the device. */
int device_get_fd(const struct blkbench_device *device);

/*
 * Turns O_DIRECT of that descriptor on or off, with no read in flight.
 * Returns 0, or a negative errno.
 */
int device_set_direct(struct blkbench_device *device, bool is_direct);

/* What has become of it, or of what it lies on: see loss.h. */
enum blkbench_loss device_find_loss(const struct blkbench_device *device,
				    const char **layer);

/* What has gone to and from the disks that it lies on: see traffic.h. */
bool device_count_traffic(const struct blkbench_device *device,
			  struct doubt_traffic *traffic);

/* What may hold back reads of it, now. */
void device_find_limits(const struct blkbench_device *device,
			struct doubt_limits *limits);

#endif
