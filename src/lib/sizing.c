/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "sizing.h"

/* One page is enough to move the heads and wake the drive. */
#define PAGE_BYTES 4096
#define GROWTH 4

void sizing_init(struct sizing *sizing, const struct blkbench_plan *plan)
{
	*sizing = (struct sizing){
		.block_bytes = plan->block_bytes,
		.page_bytes = plan->sector_bytes > PAGE_BYTES
				      ? plan->sector_bytes
				      : PAGE_BYTES,
		.depth = plan->queue_depth,
	};
	sizing->bytes = sizing->page_bytes < plan->block_bytes
				? sizing->page_bytes
				: plan->block_bytes;
}

/* Bytes that come in time, all in flight together, at a pace. */
static double in_time(const struct sizing *sizing, uint64_t bytes,
		      uint64_t took_ns)
{
	return (double)bytes / (double)took_ns * SIZING_IN_FLIGHT_NS /
	       (double)sizing->depth;
}

static void make_smaller(struct sizing *sizing, double bytes)
{
	while ((double)sizing->block_bytes > bytes &&
	       sizing->block_bytes / 2 >= sizing->page_bytes)
		sizing->block_bytes = sizing->block_bytes / 2 /
				      sizing->page_bytes * sizing->page_bytes;
}

static bool grow(struct sizing *sizing, uint64_t took_ns)
{
	sizing->smaller_bytes = sizing->bytes;
	sizing->smaller_ns = took_ns;
	sizing->first_try_ns = 0;
	sizing->bytes *= GROWTH;
	return sizing->bytes < sizing->block_bytes;
}

bool sizing_take(struct sizing *sizing, uint64_t took_ns)
{
	const uint64_t first_try_ns = sizing->first_try_ns;
	double bytes;

	if (first_try_ns && first_try_ns < took_ns)
		took_ns = first_try_ns;
	if (sizing->smaller_bytes == 0 || took_ns <= sizing->smaller_ns ||
	    in_time(sizing, sizing->bytes, took_ns) >=
		    (double)sizing->block_bytes)
		return grow(sizing, took_ns);

	bytes = in_time(sizing, sizing->bytes - sizing->smaller_bytes,
			took_ns - sizing->smaller_ns);
	if (bytes >= (double)sizing->bytes * GROWTH)
		return grow(sizing, took_ns);
	if (first_try_ns == 0) {
		sizing->first_try_ns = took_ns;
		return true;
	}
	make_smaller(sizing, bytes);
	return false;
}
