/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PATTERN_H
#define PATTERN_H

#include <blkbench.h>

#define PATTERN_ROUNDS 6

/*
 * Where the reads of a plan go. The range is cut into blocks; the last one
 * ends with the range, so that nothing is left out and nothing is read past
 * it. Sequential: a shorter last block; random: a last block of full size that
 * overlaps the one before it.
 */
struct pattern {
	enum blkbench_pattern kind;
	uint64_t offset_bytes;
	uint64_t length_bytes;
	uint64_t block_bytes;
	uint64_t blocks; /* of one pass */
	uint64_t next;	 /* index of the next one in this pass */
	uint64_t passes; /* begun */
	uint64_t seed;
	unsigned int left_bits, right_bits; /* halves of a block's number */
	uint64_t keys[PATTERN_ROUNDS];	    /* new for each pass */
};

void pattern_init(struct pattern *pattern, const struct blkbench_plan *plan);

/* The next read: its offset and length. */
void pattern_next(struct pattern *pattern, uint64_t *offset_bytes,
		  uint32_t *bytes);

/* Where the next read of a sequential pattern begins. */
void pattern_where(const struct pattern *pattern, uint64_t *offset_bytes,
		   uint32_t *bytes);

/*
 * A read apart from the measured ones: the i-th from the end of this pass,
 * which comes to them last if at all.
 */
void pattern_peek_back(const struct pattern *pattern, uint64_t i,
		       uint64_t *offset_bytes, uint32_t *bytes);

#endif
