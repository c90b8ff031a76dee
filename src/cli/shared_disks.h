/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SHARED_DISKS_H
#define SHARED_DISKS_H

#include "options.h"
#include "run.h"

/*
 * Devices that are compared and lie on the same disk are to be read in the same
 * zone of it, and none where another one is.
 */

/* Gives those on one disk their ranges, unless the options have one. */
void shared_disks_choose(const struct options *options,
			 struct run_device *devices, size_t count);

/* Once the plans are made: warns where it could not be done. */
void shared_disks_warn(const struct options *options,
		       struct run_device *devices, size_t count);

#endif
