/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MEASURE_H
#define MEASURE_H

#include <blkbench.h>

#include "flight.h"
#include "route.h"

/* What blkbench_measure_create() does, in whatever world. The world is copied;
 * what it points to must outlive the measurement. */
int measure_create(const struct world *world, const struct blkbench_plan *plan,
		   struct blkbench_measure **measure,
		   struct blkbench_error *error);

/* Before its first advance: takes it to where the route goes, within the plan's
 * range. The measurement then owns the route. */
void measure_follow(struct blkbench_measure *measure, struct route *route);

/* What it was created with. */
const struct clock *measure_get_clock(const struct blkbench_measure *measure);
const struct blkbench_plan *
measure_get_plan(const struct blkbench_measure *measure);

#endif
