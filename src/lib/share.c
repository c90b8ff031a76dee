/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "share.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "slices.h"

/* Sums of rates are compared as slices of whole numbers: in millionths of a
 * read, or bytes as they are. */
#define READ_PARTS 1e6

const char *blkbench_limit_name(enum blkbench_limit limit)
{
	static const char *const names[] = {
		[BLKBENCH_LIMIT_UNDECIDED] = "undecided",
		[BLKBENCH_NOT_LIMITED] = "not limited",
		[BLKBENCH_LIMITED] = "limited",
	};

	return names[limit];
}

static double rate_of(const struct blkbench_slice *slice, bool is_seek)
{
	return slice_work(slice, is_seek) / ((double)slice->elapsed_ns / 1e9);
}

static bool is_empty(const struct blkbench_slice *slice, bool is_seek)
{
	return slice_work(slice, is_seek) <= 0 || slice->elapsed_ns == 0;
}

static bool is_pair(const struct share_lane *lane, size_t i, bool is_seek)
{
	return !is_empty(&lane->alone[i], is_seek) &&
	       !is_empty(&lane->together[i], is_seek);
}

/* In which each of them did something. */
static bool is_common_pair(const struct share_lane *lanes, size_t lanes_count,
			   size_t i, bool is_seek)
{
	for (size_t k = 0; k < lanes_count; k++)
		if (!is_pair(&lanes[k], i, is_seek))
			return false;
	return true;
}

/* All work over all time of the slices that count; 0 where none does. */
static double rate_of_lane(const struct share_lane *lanes, size_t lanes_count,
			   const struct blkbench_slice *slices, size_t count,
			   bool is_seek)
{
	struct blkbench_slice sum = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (!is_common_pair(lanes, lanes_count, i, is_seek))
			continue;
		sum.elapsed_ns += slices[i].elapsed_ns;
		sum.requests += slices[i].requests;
		sum.bytes += slices[i].bytes;
	}
	return is_empty(&sum, is_seek) ? 0 : rate_of(&sum, is_seek);
}

/* A device cannot be faster together, so only the lower end decides that it is
 * not limited. */
static enum blkbench_limit judge(const struct blkbench_comparison *comparison,
				 double equal_percent)
{
	if (isnan(comparison->ratio_low))
		return BLKBENCH_LIMIT_UNDECIDED;
	if (comparison->ratio_low >= 1 / (1 + equal_percent / 100))
		return BLKBENCH_NOT_LIMITED;
	if (comparison->ratio_high < 1)
		return BLKBENCH_LIMITED;
	return BLKBENCH_LIMIT_UNDECIDED;
}

/* The interval is that of the comparison, about the share that is printed. */
static void conclude(struct blkbench_share *share,
		     const struct blkbench_comparison *comparison,
		     double equal_percent)
{
	share->slices = comparison->pairs;
	share->percent = share->percent_low = share->percent_high = NAN;
	share->verdict = BLKBENCH_LIMIT_UNDECIDED;
	if (comparison->pairs == 0) {
		share->alone = share->together = NAN;
		return;
	}
	share->percent = share->together / share->alone * 100;
	share->percent_low = share->percent * comparison->ratio_low /
			     comparison->ratio;
	share->percent_high = share->percent * comparison->ratio_high /
			      comparison->ratio;
	share->verdict = judge(comparison, equal_percent);
}

void share_of_one(const struct share_lane *lane, size_t count,
		  const struct compare_settings *settings,
		  struct blkbench_share *share)
{
	struct compare_settings one = *settings;
	struct blkbench_comparison comparison;

	one.alpha = COMPARE_ALPHA;
	compare_pairs(lane->alone, lane->together, count, &one, &comparison);
	share->alone =
		rate_of_lane(lane, 1, lane->alone, count, settings->is_seek);
	share->together =
		rate_of_lane(lane, 1, lane->together, count, settings->is_seek);
	conclude(share, &comparison, settings->equal_percent);
}

/* ---- all of them -------------------------------------------------------- */

/* One slice for all: what they did a second, for the time of one of them. */
static struct blkbench_slice add_up(const struct share_lane *lanes,
				    size_t lanes_count, size_t i, bool is_alone,
				    bool is_seek)
{
	const double parts = is_seek ? READ_PARTS : 1;
	double rate = 0;
	uint64_t elapsed_ns = 0;

	for (size_t k = 0; k < lanes_count; k++) {
		const struct blkbench_slice *slice =
			is_alone ? &lanes[k].alone[i] : &lanes[k].together[i];

		rate += rate_of(slice, is_seek);
		elapsed_ns += slice->elapsed_ns / lanes_count;
	}
	return (struct blkbench_slice){
		.elapsed_ns = elapsed_ns,
		.bytes = (uint64_t)(rate * parts * (double)elapsed_ns / 1e9),
	};
}

int share_of_all(const struct share_lane *lanes, size_t lanes_count,
		 size_t count, const struct compare_settings *settings,
		 struct blkbench_share *share)
{
	const bool is_seek = settings->is_seek;
	struct compare_settings all = *settings;
	struct blkbench_comparison comparison;
	struct blkbench_slice *alone = calloc(count + 1, sizeof(*alone));
	struct blkbench_slice *together = calloc(count + 1, sizeof(*together));
	size_t pairs = 0;

	*share = (struct blkbench_share){ 0 };
	for (size_t i = 0; i < count && alone && together; i++) {
		if (!is_common_pair(lanes, lanes_count, i, is_seek))
			continue;
		alone[pairs] = add_up(lanes, lanes_count, i, true, is_seek);
		together[pairs++] =
			add_up(lanes, lanes_count, i, false, is_seek);
	}
	for (size_t k = 0; k < lanes_count; k++) {
		share->alone += rate_of_lane(lanes, lanes_count, lanes[k].alone,
					     count, is_seek);
		share->together += rate_of_lane(
			lanes, lanes_count, lanes[k].together, count, is_seek);
	}
	all.is_seek = false;
	all.alpha = COMPARE_ALPHA;
	compare_pairs(alone, together, alone && together ? pairs : 0, &all,
		      &comparison);
	conclude(share, &comparison, settings->equal_percent);
	pairs = alone && together;
	free(together);
	free(alone);
	return pairs ? 0 : -ENOMEM;
}
