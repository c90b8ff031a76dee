/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "result_fixture.h"

#include <string.h>

#include "clock.h"

void result_fixture_init(struct result_fixture *f, uint64_t depth,
			 uint64_t requests, uint64_t latency_ns)
{
	memset(f, 0, sizeof(*f));
	doubt_limits_init(&f->limits);
	histogram_init(&f->histogram);
	slices_init(&f->slices);
	f->result.plan = (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.length_bytes = 1000000000,
		.block_bytes = 4096,
		.queue_depth = depth,
	};
	f->result.engine = "pread";
	f->result.elapsed_ns = NS_PER_S;
	f->result.requests = requests;
	f->result.bytes = requests * 4096;
	f->result.passes = 1;
	for (uint64_t i = 0; i < requests; i++)
		histogram_add(&f->histogram, latency_ns);
}
