/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CACHE_H
#define CACHE_H

#include <blkbench.h>

/*
 * What a cache has answered, told from the medium by its speed. Looks at the
 * counts, slices and histogram of a result, not at its figures. What a shortage
 * of CPUs can explain is none.
 */

/* Passes over a range: the first one, and all later ones together. */
struct cache_passes {
	double first_bytes_per_s, later_bytes_per_s;
	size_t first_slices; /* that lie in the first */
};

/* Whether the later passes were clearly faster than the first. */
bool cache_find_passes(const struct blkbench_result *result,
		       struct cache_passes *passes);

/* Whether of several runs over the same range all later ones were clearly faster
 * than the first. */
bool cache_find_repeats(const struct blkbench_result *const *runs,
			size_t count);

/* Reads in two groups, of which none were in between. */
struct cache_hits {
	uint64_t hits, misses;
	double hit_ns, miss_ns; /* mean latencies */
	bool is_sure; /* that the slow ones were no mishap of the machine */
};

/* Whether some seeks were so fast that a cache may have answered them, and the
 * others were what the medium can do. */
bool cache_find_hits(const struct blkbench_result *result,
		     struct cache_hits *hits);

#endif
