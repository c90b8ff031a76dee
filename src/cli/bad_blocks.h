/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef BAD_BLOCKS_H
#define BAD_BLOCKS_H

#include <blkbench.h>
#include <stdio.h>

/* Of badblocks(8), where nothing is said of blocks. */
#define BAD_BLOCKS_SIZE 1024

struct bad_blocks_range {
	uint64_t begin_bytes, end_bytes;
};

/* What of a device cannot be read, in any order and more than once. */
struct bad_blocks {
	size_t count, allocated;
	struct bad_blocks_range *ranges;
	uint64_t not_located; /* reads that failed, and it is not known where */
};

/* Adds a range of at least 1 byte. Returns 0, or -ENOMEM. */
int bad_blocks_add(struct bad_blocks *bad, uint64_t offset_bytes,
		   uint64_t length_bytes) __attribute__((warn_unused_result));

/* Adds what was found after a test. Returns 0, or -ENOMEM. */
int bad_blocks_add_result(struct bad_blocks *bad,
			  const struct blkbench_result *result)
	__attribute__((warn_unused_result));

/*
 * Prints the numbers of the blocks in which something bad lies, as badblocks(8)
 * does: one a line, rising, each once. Returns how many they are.
 */
uint64_t bad_blocks_print(struct bad_blocks *bad, uint64_t block_bytes,
			  FILE *out);

void bad_blocks_finish(struct bad_blocks *bad);

#endif
