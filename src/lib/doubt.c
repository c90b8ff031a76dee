/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "doubt.h"

#include <inttypes.h>

#include "result.h"

/* Less of the asked-for depth is worth a word. */
#define DEPTH_KEPT 0.7

/* Not for the cached test, which means to read the same again. */
static void doubt_passes(struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;

	if (plan->pattern == BLKBENCH_PATTERN_REPEAT || result->passes < 2 ||
	    result->bytes <= plan->length_bytes)
		return;
	result_warn(result, "small",
		    "the range of %.6g MB was read %.1f times over: a cache "
		    "may have answered",
		    (double)plan->length_bytes / 1e6,
		    (double)result->bytes / (double)plan->length_bytes);
}

/* Not for the cached test, which means it to be memory. */
static void doubt_page_cache(struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;

	if (plan->is_direct || plan->pattern == BLKBENCH_PATTERN_REPEAT ||
	    result->requests == 0)
		return;
	result_warn(result, "cache",
		    "read through the page cache, which is not emptied first: "
		    "memory may have answered");
}

/*
 * By Little's law: latencies add up to as many times the elapsed time as reads
 * were in flight. Threads may not keep up with a fast device.
 */
static void doubt_depth(struct blkbench_result *result)
{
	const uint64_t asked = result->plan.queue_depth;
	double depth;

	if (asked == 1 || result->requests < asked * 4 || result->errors > 0 ||
	    result->stalled > 0)
		return;
	depth = (double)result->latency.mean_ns * (double)result->requests /
		(double)result->elapsed_ns;
	if (depth < (double)asked * DEPTH_KEPT)
		result_warn(result, "depth",
			    "only %.1f of %" PRIu64 " reads were in flight on "
			    "average: %s is slower than the device",
			    depth, asked, result->engine);
}

void doubt_find(struct blkbench_result *result)
{
	static void (*const doubts[])(struct blkbench_result *) = {
		doubt_passes,
		doubt_page_cache,
		doubt_depth,
	};

	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
		doubts[i](result);
}
