/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <blkbench.h>

/*
 * Latencies in buckets of 1/64 of a power of two: values below 128 ns exactly,
 * larger ones within 1.6 %, up to 2^41 ns (36 minutes); what is longer falls
 * into the last bucket. The layout is that of fio's json+ (stat.h, PLAT_BITS 6)
 * with more groups, so that its tools can read ours.
 */
struct histogram {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; /* exact; UINT64_MAX when empty */
	uint64_t max_ns; /* exact */
	uint64_t buckets[BLKBENCH_HISTOGRAM_BUCKETS];
};

void histogram_init(struct histogram *histogram);
void histogram_add(struct histogram *histogram, uint64_t ns);

/*
 * The latency that this share of the reads, above 0, does not exceed: the upper
 * edge of its bucket, so never too low, but never above the maximum. UNKNOWN
 * when empty.
 */
uint64_t histogram_permille(const struct histogram *histogram,
			    unsigned int permille);

void histogram_summarise(const struct histogram *histogram,
			 struct blkbench_latency *latency);

#endif
