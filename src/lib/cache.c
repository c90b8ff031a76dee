/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "cache.h"

#include <math.h>

#include "clock.h"
#include "pressure.h"

/* Who waits for a CPU gets some of it, however many wait. */
#define PRESSURE_MAX 0.9

/* The kernel sums it up each 2 s: of less it may have told nothing yet. */
#define PRESSURE_STEP_NS (2 * NS_PER_S)

/* Of a time that took longer, whether more of it than the machine may have been
 * at a loss for CPUs. */
static bool is_more_than_pressure(const struct blkbench_result *result,
				  double share)
{
	const double percent = result->cpu_pressure_percent;

	return isnan(percent) || share > fmin(percent / 100, PRESSURE_MAX);
}

/* ---- passes ---------------------------------------------------------- */

/*
 * Clearly faster: by a quarter, all but one in 20 of the later slices, and by
 * more time than a hiccup of the machine takes. Where there are too few slices
 * to tell, by half.
 */
#define CLEARLY_FASTER 1.25
#define FASTER_BY_FAR 1.5
#define SLOW_SLICES_MAX 0.05
#define SLICES_MIN 6
#define HICCUP_NS (50 * NS_PER_MS)

/* How busy the machine was in a shorter pass, the kernel does not tell. */
#define BUSY_PASS_NS NS_PER_S

/* So much of a second pass can be compared with the first. */
#define PASS_PARTS 4

static size_t count_first_slices(const struct blkbench_result *result)
{
	uint64_t elapsed_ns = 0;
	size_t i;

	for (i = 0; i < result->slices_count; i++) {
		elapsed_ns += result->slices[i].elapsed_ns;
		if (elapsed_ns > result->first_pass_ns)
			break;
	}
	return i;
}

/* Whether hardly any slice from one on is as slow as that. What a cache gives
 * varies by times, so its deviation tells nothing. */
static bool are_faster(const struct blkbench_result *result, size_t first,
		       double bytes_per_s)
{
	const double count = (double)(result->slices_count - first);
	size_t slow = 0;

	for (size_t i = first; i < result->slices_count; i++) {
		const struct blkbench_slice *slice = &result->slices[i];

		slow += (double)slice->bytes <=
			bytes_per_s * ((double)slice->elapsed_ns / 1e9);
	}
	return (double)slow <= SLOW_SLICES_MAX * count;
}

static bool is_too_busy(const struct blkbench_result *result)
{
	return result->first_pass_ns < BUSY_PASS_NS &&
	       (result->cpu_pressure_percent >= PRESSURE_BUSY_PERCENT ||
		result->elapsed_ns < PRESSURE_STEP_NS);
}

static bool is_comparable(const struct blkbench_result *result)
{
	const uint64_t length = result->plan.length_bytes;

	return result->plan.pattern == BLKBENCH_PATTERN_SEQUENTIAL &&
	       result->plan.is_direct && result->errors == 0 &&
	       result->first_pass_ns != BLKBENCH_UNKNOWN &&
	       result->first_pass_ns > 0 &&
	       result->elapsed_ns > result->first_pass_ns &&
	       !is_too_busy(result) &&
	       result->bytes >= length + length / PASS_PARTS;
}

bool cache_find_passes(const struct blkbench_result *result,
		       struct cache_passes *passes)
{
	const double length = (double)result->plan.length_bytes;
	double first_ns, later_ns, saved_ns, ratio;
	size_t later;

	if (!is_comparable(result))
		return false;
	first_ns = (double)result->first_pass_ns;
	later_ns = (double)(result->elapsed_ns - result->first_pass_ns);
	passes->first_bytes_per_s = length / first_ns * 1e9;
	passes->later_bytes_per_s = ((double)result->bytes - length) /
				    later_ns * 1e9;
	passes->first_slices = count_first_slices(result);

	ratio = passes->later_bytes_per_s / passes->first_bytes_per_s;
	saved_ns = first_ns - first_ns / ratio;
	if (ratio < CLEARLY_FASTER || saved_ns < (double)HICCUP_NS ||
	    !is_more_than_pressure(result, saved_ns / first_ns))
		return false;
	/* One of them may be of both. */
	later = passes->first_slices + 1;
	if (later + SLICES_MIN > result->slices_count)
		return ratio >= FASTER_BY_FAR;
	return are_faster(result, later,
			  passes->first_bytes_per_s * CLEARLY_FASTER);
}

/* ---- repeats --------------------------------------------------------- */

/* A slow device may give too few reads for an interval; a short run of a fast
 * one tells nothing without. */
static bool tells_enough(const struct blkbench_result *run)
{
	return !isnan(run->rate_ci95_percent) ||
	       run->elapsed_ns >= PRESSURE_STEP_NS;
}

static bool is_clearly_faster(const struct blkbench_result *run,
			      const struct blkbench_result *first)
{
	const double a = first->rate_bytes_per_s, b = run->rate_bytes_per_s;
	const double a_half = fmax(0, first->rate_ci95_percent) / 100;
	const double b_half = fmax(0, run->rate_ci95_percent) / 100;

	return tells_enough(first) && tells_enough(run) &&
	       b > a * CLEARLY_FASTER && b * (1 - b_half) > a * (1 + a_half) &&
	       is_more_than_pressure(first, 1 - a / b);
}

bool cache_find_repeats(const struct blkbench_result *const *runs, size_t count)
{
	if (count < 2 || runs[0]->plan.pattern != BLKBENCH_PATTERN_SEQUENTIAL ||
	    !runs[0]->plan.is_direct)
		return false;
	for (size_t i = 1; i < count; i++)
		if (!is_clearly_faster(runs[i], runs[0]))
			return false;
	return true;
}

/* ---- hits ------------------------------------------------------------ */

/*
 * Two groups are told apart by a gap: an octave of latencies that has hardly any
 * reads. The slow group waited for something that moves or is far away; the fast
 * one cannot have. Fewer misses may be the hiccups of a busy machine.
 */
#define GAP_BUCKETS 64
#define GAP_SHARE 0.05
#define HITS_SHARE_MIN 0.02
#define MISSES_SHARE_MIN 0.10
#define READS_MIN 50
#define HIT_NS_MAX (0.5 * NS_PER_MS)
#define MISS_NS_MIN (1.0 * NS_PER_MS)
#define TIMES_MIN 4

/*
 * When the slow group is the medium's beyond doubt: most reads are in it. Then
 * they took nearly all of the time, and had they waited for a CPU, the kernel
 * would have seen one lacking for as long. A minority may as well be what the
 * machine or others held up of a fast device.
 */
#define SURE_HITS_SHARE_MIN 0.05
#define SURE_HITS_MIN 20

static bool is_sure(const struct blkbench_result *result,
		    const struct cache_hits *hits)
{
	const double requests = (double)result->requests;

	return hits->misses >= hits->hits && hits->hits >= SURE_HITS_MIN &&
	       (double)hits->hits >= SURE_HITS_SHARE_MIN * requests &&
	       result->elapsed_ns >= PRESSURE_STEP_NS &&
	       result->cpu_pressure_percent < PRESSURE_BUSY_PERCENT;
}

static double bucket_middle_ns(size_t bucket)
{
	const double begin = (double)blkbench_histogram_bound(bucket);

	if (bucket + 1 == BLKBENCH_HISTOGRAM_BUCKETS)
		return begin;
	return (begin + (double)blkbench_histogram_bound(bucket + 1) - 1) / 2;
}

/* How well a gap tells them apart: the share of the smaller group that lies in
 * it, or 1 where one group is too small. */
static double judge_gap(uint64_t below, uint64_t in, uint64_t count)
{
	const uint64_t above = count - below - in;
	const uint64_t smaller = below < above ? below : above;

	if ((double)below < HITS_SHARE_MIN * (double)count ||
	    (double)above < MISSES_SHARE_MIN * (double)count)
		return 1;
	return (double)in / (double)smaller;
}

/* The bucket in the middle of the best gap, or 0. */
static size_t find_gap(const uint64_t *buckets, uint64_t count)
{
	uint64_t below = 0, in = 0;
	double best = GAP_SHARE;
	size_t middle = 0;

	for (size_t i = 0; i < GAP_BUCKETS; i++)
		in += buckets[i];
	for (size_t i = 0; i + GAP_BUCKETS < BLKBENCH_HISTOGRAM_BUCKETS; i++) {
		const double share = judge_gap(below, in, count);

		if (share < best) {
			best = share;
			middle = i + GAP_BUCKETS / 2;
		}
		below += buckets[i];
		in += buckets[i + GAP_BUCKETS] - buckets[i];
	}
	return middle;
}

bool cache_find_hits(const struct blkbench_result *result,
		     struct cache_hits *hits)
{
	const double all_ns = (double)result->latency.mean_ns *
			      (double)result->requests;
	double hits_ns = 0;
	size_t gap;

	if (!result->plan.is_seek || !result->plan.is_direct ||
	    result->requests < READS_MIN)
		return false;
	gap = find_gap(result->histogram, result->requests);
	hits->hits = 0;
	for (size_t i = 0; i < gap; i++) {
		hits->hits += result->histogram[i];
		hits_ns += (double)result->histogram[i] * bucket_middle_ns(i);
	}
	if (hits->hits == 0)
		return false;
	hits->misses = result->requests - hits->hits;
	hits->hit_ns = hits_ns / (double)hits->hits;
	hits->miss_ns = (all_ns - hits_ns) / (double)hits->misses;
	hits->is_sure = is_sure(result, hits);
	if (!is_more_than_pressure(result, 1 - hits_ns / all_ns))
		return false;
	/* With several in flight a few wait for the others. */
	if (hits->misses < hits->hits && result->plan.queue_depth > 1)
		return false;
	return hits->hit_ns <= HIT_NS_MAX && hits->miss_ns >= MISS_NS_MIN &&
	       hits->miss_ns >= TIMES_MIN * hits->hit_ns;
}
