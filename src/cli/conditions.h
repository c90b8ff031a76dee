/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include "pair.h"
#include "run.h"

/*
 * What two measurements that are compared should have alike. Those that return
 * int return 0, or -ENOMEM.
 */

/* Warns where the engine differs, or how it read. */
int conditions_warn(struct pairs *pairs, const struct sides *sides,
		    const struct blkbench_result *a,
		    const struct blkbench_result *b)
	__attribute__((warn_unused_result));

/* The same of two devices that took turns, and of their sectors and ranges. */
int conditions_warn_of_devices(struct pairs *pairs, const struct run_device *a,
			       const struct blkbench_result *a_result,
			       const struct run_device *b,
			       const struct blkbench_result *b_result)
	__attribute__((warn_unused_result));

#endif
