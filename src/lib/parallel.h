/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PARALLEL_H
#define PARALLEL_H

#include <blkbench.h>

#include "flight.h"

/* What blkbench_parallel_create() does, each device in a world of its own. The
 * worlds are copied; their clocks are to show the same time. */
int parallel_create(const struct world *worlds,
		    const struct blkbench_plan *plans, size_t count,
		    const struct blkbench_parallel_params *params,
		    struct blkbench_parallel **parallel,
		    struct blkbench_error *error);

#endif
