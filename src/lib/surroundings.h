/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SURROUNDINGS_H
#define SURROUNDINGS_H

#include "doubt.h"
#include "flight.h"
#include "pressure.h"

/*
 * What goes on beside the reads while they are counted: the traffic of others,
 * the CPU time of this process and the want of it, io_uring's workers. Pauses
 * are in none of it.
 */
struct surroundings {
	const struct world *world;
	bool is_counting;
	bool is_traffic_known, is_pressure_known;
	uint64_t own_bytes; /* read here since it began or went on */
	/* What the kernel had seen then, and others did up to the last pause. */
	struct doubt_traffic traffic_mark, other_traffic;
	struct pressure pressure_mark;
	uint64_t cpu_wait_ns; /* up to the last pause */
	double cpu_seconds, cpu_mark;
	uint64_t activity_mark;
	uint64_t workers;	    /* that had something to do */
	struct doubt_limits limits; /* at the end */
};

void surroundings_init(struct surroundings *surroundings,
		       const struct world *world,
		       const struct blkbench_plan *plan);

/* Quiet: no read of this process is out that is not counted. */
void surroundings_begin(struct surroundings *surroundings, bool is_quiet);

/* Quiet: all that were counted have come back. */
void surroundings_end(struct surroundings *surroundings, bool is_quiet);

/* After the last end: what may have held the reads back. */
void surroundings_finish(struct surroundings *surroundings);

/* Into a result that knows how long it took; run_ns is the time of the begun
 * and ended parts, whatever was read in it. */
void surroundings_tell(const struct surroundings *surroundings, uint64_t run_ns,
		       struct blkbench_result *result);

#endif
