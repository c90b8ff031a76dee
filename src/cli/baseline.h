/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef BASELINE_H
#define BASELINE_H

#include <blkbench.h>

#include "pair.h"
#include "results.h"
#include "run.h"

/*
 * The results of now against those of an earlier run, the baseline: "then". It
 * points into both, which are to outlive it.
 */

/* Something that was not compared, and why. */
struct baseline_unmatched {
	bool is_then; /* a device of the baseline; else one of now */
	const char *path;
	const char *test; /* NULL: the whole device */
	const char *text;
};

struct baseline {
	const struct results *results; /* of then */
	size_t devices;		       /* that were matched */
	struct pairs pairs;	       /* a then, b now */
	size_t unmatched_count;
	struct baseline_unmatched *unmatched;
};

/* What was measured now, and where. */
struct baseline_now {
	const char *version;
	const struct host *host;
	size_t devices_count;
	const struct run_device *devices;
};

/* Returns 0, or -ENOMEM; baseline_finish() frees what it holds, also then. */
int baseline_compare(const struct results *then, const struct baseline_now *now,
		     double equal_percent, struct baseline *baseline)
	__attribute__((warn_unused_result));

void baseline_finish(struct baseline *baseline);

#endif
