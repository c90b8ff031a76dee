/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SIZING_H
#define SIZING_H

#include <blkbench.h>

/*
 * How large the reads of a plan may be for what is in flight to come back in
 * time: 8 reads of 1 MiB take two minutes at 64 KiB/s, and a device that slow
 * would be taken for one that hangs.
 *
 * The first reads of a measurement grow from a page towards a block. Each tells
 * how long a block would take: at the most as many times longer as it is larger;
 * or, where a read takes long whatever its size, by what it took longer than the
 * read before it. Where that is too long blocks are made smaller, after a second
 * read of the size to tell slowness from chance. None of them is left out: what
 * limits a device may let a little pass at once.
 */
struct sizing {
	uint64_t block_bytes; /* as planned; then what is right */
	uint64_t page_bytes;  /* not smaller */
	uint64_t depth;
	uint64_t bytes;			    /* of the read to be done */
	uint64_t smaller_bytes, smaller_ns; /* of the one before, or 0 */
	uint64_t first_try_ns;		    /* of the same size, or 0 */
};

#define SIZING_IN_FLIGHT_NS 1000000000ULL

void sizing_init(struct sizing *sizing, const struct blkbench_plan *plan);

/* Takes what the read of sizing->bytes took. Returns whether another one is to
 * be done. */
bool sizing_take(struct sizing *sizing, uint64_t took_ns);

#endif
