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

/* The one that does the reads now. */
enum blkbench_engine measure_get_engine(const struct blkbench_measure *measure);

/* As blkbench_measure_advance(), but no further than to where the run begins, or
 * goes on after a pause. Returns 1 while there is more to do before that. */
int measure_warm_up(struct blkbench_measure *measure, uint64_t budget_ns);

/* Whether there is nothing more to be had of it. */
bool measure_is_over(const struct blkbench_measure *measure);

/* As blkbench_measure_pause(), where the reads in flight may take longer. */
void measure_pause_within(struct blkbench_measure *measure, uint64_t grace_ns);

/* When the last read without an error has ended, or the run has begun or gone on
 * since: the time of the clock. */
uint64_t measure_last_good_ns(const struct blkbench_measure *measure);

/* Reads on from where another one, of the same range and in pieces of the same
 * size, has come to. Both are paused, or have not begun. */
void measure_read_on(struct blkbench_measure *measure,
		     const struct blkbench_measure *other);

#endif
