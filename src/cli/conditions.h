/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include "pair.h"

/*
 * What two measurements that are compared should have alike. Those that return
 * int return 0, or -ENOMEM.
 */

/* Warns where the engine differs, or how it read. */
int conditions_warn(struct pairs *pairs, const struct sides *sides,
		    const struct blkbench_result *a,
		    const struct blkbench_result *b)
	__attribute__((warn_unused_result));

#endif
