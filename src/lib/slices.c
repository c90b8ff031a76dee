/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "slices.h"

#include <string.h>

void slices_init(struct slices *slices)
{
	memset(slices, 0, sizeof(*slices));
	slices->slice_ns = SLICES_FIRST_NS;
}

static void merge_neighbours(struct slices *slices)
{
	for (size_t i = 0; i < SLICES_MAX / 2; i++) {
		const struct blkbench_slice *a = &slices->closed[2 * i];
		const struct blkbench_slice *b = a + 1;

		slices->closed[i] = (struct blkbench_slice){
			.elapsed_ns = a->elapsed_ns + b->elapsed_ns,
			.requests = a->requests + b->requests,
			.bytes = a->bytes + b->bytes,
			.latency_ns = a->latency_ns + b->latency_ns,
		};
	}
	slices->count = SLICES_MAX / 2;
	slices->slice_ns *= 2;
}

void slices_add(struct slices *slices, uint64_t elapsed_ns, uint64_t bytes,
		uint64_t latency_ns)
{
	struct blkbench_slice *open = &slices->open;

	open->requests++;
	open->bytes += bytes;
	open->latency_ns += latency_ns;
	open->elapsed_ns = elapsed_ns - slices->begin_ns;
	if (open->elapsed_ns < slices->slice_ns)
		return;

	if (slices->count == SLICES_MAX)
		merge_neighbours(slices);
	slices->closed[slices->count++] = *open;
	slices->begin_ns = elapsed_ns;
	memset(open, 0, sizeof(*open));
}
