/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef COMPARE_H
#define COMPARE_H

#include <blkbench.h>

/* The chance that a 95 % interval misses. */
#define COMPARE_ALPHA 0.05

/* Fewer pairs of slices are not judged. */
#define COMPARE_PAIRS_MIN 6

struct compare_settings {
	bool is_seek;	      /* reads are counted, not bytes */
	double alpha;	      /* the chance that the interval may miss */
	double equal_percent; /* what counts as no difference */
	uint64_t seed;	      /* of the bootstrap */
	uint64_t elapsed_ns;  /* that the slices took, with all between them */
};

/*
 * What blkbench_compare() does, for any interval: the i-th slice of a and the
 * i-th of b are a pair.
 */
void compare_pairs(const struct blkbench_slice *a,
		   const struct blkbench_slice *b, size_t count,
		   const struct compare_settings *settings,
		   struct blkbench_comparison *comparison);

#endif
