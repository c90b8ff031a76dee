/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MAPPING_H
#define MAPPING_H

#include <blkbench.h>

/*
 * How one layer is mapped to others, as segments with their legs, while only
 * the numbers of those others are known.
 */
struct mapping_leg {
	bool is_missing;
	bool is_placed_by_chunk; /* at a multiple of the chunk size */
	const char *path;	 /* of a file, or NULL: */
	unsigned int major, minor;
	uint64_t offset_bytes; /* or UNKNOWN */
};

struct mapping_segment {
	const char *kind; /* static */
	uint64_t start_bytes, length_bytes;
	uint64_t chunk_bytes; /* or UNKNOWN */
	size_t data_members;  /* 0: not known */
	size_t legs_count;    /* of the mapping's, in turn */
};

struct mapping {
	size_t segments_count, segments_allocated;
	struct mapping_segment *segments;
	size_t legs_count, legs_allocated;
	struct mapping_leg *legs;
	int error; /* -ENOMEM: not all was added */
};

void mapping_add_segment(struct mapping *mapping,
			 const struct mapping_segment *segment);

/* To the last segment. */
void mapping_add_leg(struct mapping *mapping, const struct mapping_leg *leg);

/* Makes one of the last two segments, where the last goes on as the one before
 * it ends. */
void mapping_join(struct mapping *mapping);

void mapping_finish(struct mapping *mapping);

#endif
