/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "histogram.h"

#include <string.h>

#define SUB_BITS 6 /* 64 buckets for each doubling */
#define SUB_COUNT (1U << SUB_BITS)

static size_t bucket_from_ns(uint64_t ns)
{
	unsigned int shift;
	size_t bucket;

	if (ns < 2 * SUB_COUNT)
		return ns;
	shift = 63 - SUB_BITS - (unsigned int)__builtin_clzll(ns);
	bucket = (size_t)(shift + 1) * SUB_COUNT +
		 ((ns >> shift) & (SUB_COUNT - 1));
	if (bucket >= BLKBENCH_HISTOGRAM_BUCKETS)
		return BLKBENCH_HISTOGRAM_BUCKETS - 1;
	return bucket;
}

uint64_t blkbench_histogram_bound(size_t bucket)
{
	unsigned int shift;

	if (bucket < 2 * SUB_COUNT)
		return bucket;
	shift = (unsigned int)(bucket / SUB_COUNT) - 1;
	return (uint64_t)(SUB_COUNT + bucket % SUB_COUNT) << shift;
}

void histogram_init(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min_ns = UINT64_MAX;
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
	histogram->buckets[bucket_from_ns(ns)]++;
	histogram->count++;
	histogram->sum_ns += ns;
	if (ns < histogram->min_ns)
		histogram->min_ns = ns;
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
}

uint64_t histogram_permille(const struct histogram *histogram,
			    unsigned int permille)
{
	uint64_t rank, seen = 0, edge;
	size_t i;

	if (histogram->count == 0)
		return BLKBENCH_UNKNOWN;

	rank = (histogram->count * permille + 999) / 1000;
	for (i = 0; i < BLKBENCH_HISTOGRAM_BUCKETS - 1; i++) {
		seen += histogram->buckets[i];
		if (seen >= rank)
			break;
	}
	if (i == BLKBENCH_HISTOGRAM_BUCKETS - 1)
		return histogram->max_ns;
	edge = blkbench_histogram_bound(i + 1) - 1;
	return edge < histogram->max_ns ? edge : histogram->max_ns;
}

void histogram_summarise(const struct histogram *histogram,
			 struct blkbench_latency *latency)
{
	if (histogram->count == 0) {
		memset(latency, 0xff, sizeof(*latency)); /* all UNKNOWN */
		return;
	}
	latency->min_ns = histogram->min_ns;
	latency->mean_ns = histogram->sum_ns / histogram->count;
	latency->p50_ns = histogram_permille(histogram, 500);
	latency->p90_ns = histogram_permille(histogram, 900);
	latency->p99_ns = histogram_permille(histogram, 990);
	latency->p99_9_ns = histogram_permille(histogram, 999);
	latency->max_ns = histogram->max_ns;
}
