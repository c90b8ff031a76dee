/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SLICES_H
#define SLICES_H

#include <blkbench.h>

#define SLICES_MAX 4096
#define SLICES_FIRST_NS 100000000ULL

/*
 * A measurement's course in memory that does not grow: when it is full,
 * neighbours are merged and slices become twice as long.
 *
 * A slice ends with the first completion after its time, and has the time that
 * really passed; so no read is cut in two, and no rate is rounded to whole
 * reads per 100 ms.
 */
struct slices {
	uint64_t slice_ns;
	uint64_t begin_ns;	    /* of the open one */
	size_t count;		    /* closed ones */
	struct blkbench_slice open; /* the one being filled */
	struct blkbench_slice closed[SLICES_MAX];
};

/* Makes one of each two neighbours; of an odd count the last is lost. Returns
 * how many there are then. */
size_t slices_merge(struct blkbench_slice *list, size_t count);

/* What a slice is counted by: reads of a seek test, bytes of any other. */
static inline double slice_work(const struct blkbench_slice *slice,
				bool is_seek)
{
	return (double)(is_seek ? slice->requests : slice->bytes);
}

void slices_init(struct slices *slices);

/* A read of some bytes, complete elapsed_ns after the measurement began. */
void slices_add(struct slices *slices, uint64_t elapsed_ns, uint64_t bytes,
		uint64_t latency_ns);

#endif
