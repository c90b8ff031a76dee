/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef LOCATE_H
#define LOCATE_H

#include <blkbench.h>

/* Halving the largest block down to a sector leaves a piece at each step. */
#define LOCATE_PIECES_MAX 24

/*
 * Which sectors made a result's reads fail. Decides what to read again, one
 * piece after the other, and notes what that tells in the result; who reads,
 * and for how long, is up to the caller. What it has not come to by then stays
 * BLKBENCH_NOT_REREAD.
 */
struct locate {
	struct blkbench_result *result;
	uint64_t unit_bytes;		      /* the smallest piece */
	size_t order[BLKBENCH_ERRORS_LISTED]; /* of the errors, by offset */
	size_t order_count;
	size_t next;	   /* place in order; the one before is under way */
	uint64_t done_end; /* all listed errors are dealt with up to here */
	bool is_full;	   /* no room for another bad range */
	struct locate_piece {
		uint64_t begin, end;
	} pieces[LOCATE_PIECES_MAX]; /* still to read, the first one last */
	size_t pieces_count;
};

void locate_init(struct locate *locate, struct blkbench_result *result,
		 uint64_t unit_bytes);

/* What to read next; false: nothing is left to do. */
bool locate_next(struct locate *locate, uint64_t *offset_bytes,
		 uint32_t *bytes);

/* How that has ended: a positive errno, or 0. */
void locate_take(struct locate *locate, int error);

#endif
