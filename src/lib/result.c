/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "result.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache.h"
#include "course.h"
#include "stats.h"

void result_note_latency(struct blkbench_result *result, uint64_t offset_bytes,
			 uint64_t latency_ns)
{
	struct blkbench_slow_read *slowest = result->slowest;
	size_t at = result->slowest_count;

	if (at == BLKBENCH_SLOWEST_MAX) {
		if (latency_ns <= slowest[at - 1].latency_ns)
			return;
		at--;
	} else {
		result->slowest_count++;
	}
	for (; at > 0 && slowest[at - 1].latency_ns < latency_ns; at--)
		slowest[at] = slowest[at - 1];
	slowest[at] = (struct blkbench_slow_read){
		.offset_bytes = offset_bytes,
		.latency_ns = latency_ns,
	};
}

void result_warn(struct blkbench_result *result, const char *code,
		 const char *format, ...)
{
	struct blkbench_warning *warning;
	va_list args;

	if (result->warnings_count == BLKBENCH_RESULT_WARNINGS_MAX)
		return;
	warning = &result->warnings[result->warnings_count++];
	warning->code = code;
	warning->test = result->plan.test;
	va_start(args, format);
	vsnprintf(warning->text, sizeof(warning->text), format, args);
	va_end(args);
}

/* Of the first so many slices. */
static void derive_spread(struct blkbench_result *result, size_t count)
{
	struct course course;

	result->rate_ci95_percent = NAN;
	result->rate_spread_percent = NAN;
	/* Places differ by nature. */
	if (result->plan.pattern == BLKBENCH_PATTERN_PLACES)
		return;
	result->rate_ci95_percent =
		stats_rate_ci95_percent(result->slices, count);
	if (course_find(result->slices, count, &course))
		result->rate_spread_percent = course.spread_percent;
}

static void derive_figures(struct blkbench_result *result,
			   const struct histogram *histogram)
{
	const uint64_t requests = result->requests - result->tail_requests;
	const uint64_t bytes = result->bytes - result->tail_bytes;
	const double seconds = (double)(result->elapsed_ns - result->tail_ns) /
			       1e9;
	uint64_t reads = histogram->count, latency_ns = histogram->sum_ns;

	result->rate_bytes_per_s = NAN;
	result->seeks_per_s = NAN;
	result->access_ms = NAN;
	result->access_ci95_percent = NAN;
	result->overhead_ns = NAN;
	result->curve = (struct blkbench_curve){
		NAN, NAN, NAN, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN,
	};
	derive_spread(result, result->slices_count);
	if (result->requests == 0 || result->elapsed_ns == 0)
		return;

	result->rate_bytes_per_s = (double)bytes / seconds;
	/* What one at a time leaves of the time is the program's own. */
	if (result->plan.queue_depth == 1 && result->errors == 0 &&
	    result->elapsed_ns >= histogram->sum_ns)
		result->overhead_ns =
			(double)(result->elapsed_ns - histogram->sum_ns) /
			(double)result->requests;
	if (!result->plan.is_seek)
		return;
	result->seeks_per_s = (double)requests / seconds;
	/* Short as it is, a test of one round has no other reads. */
	if (result->head_requests < result->requests) {
		reads -= result->head_requests;
		latency_ns -= result->head_latency_ns;
	}
	result->access_ms = (double)latency_ns / (double)reads / 1e6;
	result->access_ci95_percent = stats_access_ci95_percent(
		result->slices, result->slices_count, result->plan.queue_depth);
}

/* The interval is that of the slices of the first pass, if they are enough. */
static void leave_out_passes(struct blkbench_result *result)
{
	struct cache_passes passes;

	result->cached_rate_bytes_per_s = NAN;
	if (!cache_find_passes(result, &passes))
		return;
	result->cached_rate_bytes_per_s = passes.later_bytes_per_s;
	result->rate_bytes_per_s = passes.first_bytes_per_s;
	derive_spread(result, passes.first_slices);
}

/*
 * As many would have been in flight, each for so much longer (Little's law). The
 * intervals remain those of all reads: they are wider, as they hold how many
 * were hits by chance as well.
 */
static void use_misses(struct blkbench_result *result,
		       const struct cache_hits *hits)
{
	const double slower = hits->miss_ns / (double)result->latency.mean_ns;

	result->access_ms = result->miss_access_ms;
	result->seeks_per_s /= slower;
	result->rate_bytes_per_s /= slower;
}

static void tell_hits(struct blkbench_result *result)
{
	struct cache_hits hits;
	double percent;

	result->hit_percent = NAN;
	result->hit_access_ms = NAN;
	result->miss_access_ms = NAN;
	if (!cache_find_hits(result, &hits))
		return;
	percent = (double)hits.hits / (double)result->requests * 100;
	/* What was never written is answered as fast, by no cache. */
	if (result->zero_percent >= percent / 2)
		return;
	result->hit_percent = percent;
	result->hit_access_ms = hits.hit_ns / 1e6;
	result->miss_access_ms = hits.miss_ns / 1e6;
	if (hits.is_sure)
		use_misses(result, &hits);
}

int result_summarise(struct blkbench_result *result,
		     const struct histogram *histogram,
		     const struct slices *slices)
{
	const size_t size = slices->count * sizeof(*result->slices);

	result->slices = malloc(size ? size : 1);
	result->histogram = malloc(sizeof(histogram->buckets));
	if (!result->slices || !result->histogram) {
		blkbench_result_finish(result);
		return -ENOMEM;
	}
	memcpy(result->slices, slices->closed, size);
	result->slices_count = slices->count;
	memcpy(result->histogram, histogram->buckets,
	       sizeof(histogram->buckets));

	histogram_summarise(histogram, &result->latency);
	derive_figures(result, histogram);
	leave_out_passes(result);
	tell_hits(result);
	return 0;
}

void blkbench_result_finish(struct blkbench_result *result)
{
	free(result->slices);
	result->slices = NULL;
	result->slices_count = 0;
	free(result->histogram);
	result->histogram = NULL;
	free(result->zones);
	result->zones = NULL;
	result->zones_count = 0;
	free(result->slow_spots);
	result->slow_spots = NULL;
	result->slow_spots_count = 0;
}
