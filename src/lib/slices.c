/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "slices.h"

#include <string.h>

void slices_init(struct slices *slices)
{
	memset(slices, 0, sizeof(*slices));
	slices->slice_ns = SLICES_FIRST_NS;
}

size_t slices_merge(struct blkbench_slice *list, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		const struct blkbench_slice *a = &list[2 * i];
		const struct blkbench_slice *b = a + 1;

		list[i] = (struct blkbench_slice){
			.elapsed_ns = a->elapsed_ns + b->elapsed_ns,
			.requests = a->requests + b->requests,
			.bytes = a->bytes + b->bytes,
			.latency_ns = a->latency_ns + b->latency_ns,
		};
	}
	return count / 2;
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

	if (slices->count == SLICES_MAX) {
		slices->count = slices_merge(slices->closed, slices->count);
		slices->slice_ns *= 2;
	}
	slices->closed[slices->count++] = *open;
	slices->begin_ns = elapsed_ns;
	memset(open, 0, sizeof(*open));
}
