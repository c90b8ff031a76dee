/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RESULT_FIXTURE_H
#define RESULT_FIXTURE_H

#include "doubt.h"
#include "histogram.h"
#include "slices.h"

/* What the measuring loop has counted of a test, before it is summed up. */
struct result_fixture {
	struct blkbench_result result;
	struct histogram histogram;
	struct slices slices;
	struct doubt_limits limits;
};

/* A second of random reads of 4 KiB from 1 GB, of that latency each. */
void result_fixture_init(struct result_fixture *f, uint64_t depth,
			 uint64_t requests, uint64_t latency_ns);

#endif
