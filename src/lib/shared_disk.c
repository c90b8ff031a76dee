/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "minmax.h"

#define MIB (1ULL << 20)

/* So far from what the other one reads that what a drive reads ahead for one is
 * no help to the other; of a small disk, an eighth of what there is. */
#define GAP_BYTES (64 * MIB)
#define GAP_PARTS 8

/* Of a disk: with the gap, less than 2 % of its rate lies between two such
 * ranges next to each other, at its slow end too. But room for some reads. */
#define ZONE_PARTS 64
#define ZONE_MIN_BYTES (1024 * MIB)

/* Ranges begin and end at its multiples on their devices, as those do that no
 * one has chosen: whole blocks and stripes. */
#define GRAIN_BYTES MIB

/* The rate of the innermost track, of the outermost's. */
#define INNER_RATE 0.5

/* A stretch of a disk. */
struct stretch {
	uint64_t begin, end;
};

/* ---- the disk ----------------------------------------------------------- */

static bool is_same_layer(const struct blkbench_layer *a,
			  const struct blkbench_layer *b)
{
	if (a->major || a->minor)
		return a->major == b->major && a->minor == b->minor;
	return !b->major && !b->minor && !strcmp(a->kind, "file") &&
	       !strcmp(b->kind, "file") && !strcmp(a->name, b->name);
}

static bool has_layer(const struct blkbench_info *info,
		      const struct blkbench_layer *layer)
{
	for (size_t i = 0; i < info->layers_count; i++)
		if (is_same_layer(&info->layers[i], layer))
			return true;
	return false;
}

const char *blkbench_shared_layer(const struct blkbench_info *a,
				  const struct blkbench_info *b)
{
	for (size_t i = 0; i < b->layers_count; i++)
		if (has_layer(a, &b->layers[i]))
			return b->layers[i].name;
	return NULL;
}

/*
 * Follows the device down as long as it lies in one piece on one layer. Returns
 * whether that leads to the layer; *begin is where the device begins on it.
 */
static bool lies_on(const struct blkbench_info *info, size_t layer,
		    uint64_t *begin)
{
	size_t at = 0;

	*begin = 0;
	while (at != layer) {
		const struct blkbench_layer *above = &info->layers[at];
		const struct blkbench_segment *segment = above->segments;

		if (above->segments_count != 1 || segment->legs_count != 1 ||
		    segment->legs[0].layer == BLKBENCH_NO_LAYER ||
		    segment->legs[0].offset_bytes == BLKBENCH_UNKNOWN ||
		    *begin < segment->start_bytes)
			return false;
		*begin += segment->legs[0].offset_bytes - segment->start_bytes;
		at = segment->legs[0].layer;
	}
	return true;
}

/* The lowest layer that both lie on in one piece, of the first one's; and where
 * on it. NULL: there is none. */
static const struct blkbench_layer *find_disk(const struct blkbench_info *a,
					      const struct blkbench_info *b,
					      struct stretch places[2])
{
	for (size_t i = a->layers_count; i-- > 0;) {
		const struct blkbench_layer *layer = &a->layers[i];
		size_t k = 0;

		if (layer->size_bytes == BLKBENCH_UNKNOWN ||
		    layer->size_bytes == 0)
			continue;
		while (k < b->layers_count &&
		       !is_same_layer(layer, &b->layers[k]))
			k++;
		if (k == b->layers_count || !lies_on(a, i, &places[0].begin) ||
		    !lies_on(b, k, &places[1].begin))
			continue;
		places[0].end = places[0].begin + a->size_bytes;
		places[1].end = places[1].begin + b->size_bytes;
		return layer;
	}
	return NULL;
}

/* ---- the choice --------------------------------------------------------- */

static bool is_lower(const struct stretch *a, const struct stretch *b)
{
	return a->begin / 2 + a->end / 2 <= b->begin / 2 + b->end / 2;
}

/*
 * Of the lower one the range ends, of the upper one it begins, where they come
 * nearest to each other; where they overlap, in the middle of both.
 */
static bool choose(const struct stretch *lower, const struct stretch *upper,
		   uint64_t most, struct blkbench_range *lower_range,
		   struct blkbench_range *upper_range)
{
	const uint64_t all = upper->end - lower->begin;
	const uint64_t gap = min_u64(GAP_BYTES, all / GAP_PARTS);
	uint64_t end = min_u64(lower->end, lower->begin + (all - gap) / 2);
	const uint64_t begin = max_u64(upper->begin, end + gap);
	uint64_t length;

	end = min_u64(lower->end, begin - gap);
	if (end <= lower->begin || begin >= upper->end)
		return false;
	/* Where they begin and end on their own devices. */
	end = (end - lower->begin) / GRAIN_BYTES * GRAIN_BYTES;
	upper_range->offset_bytes = (begin - upper->begin + GRAIN_BYTES - 1) /
				    GRAIN_BYTES * GRAIN_BYTES;
	if (upper->begin + upper_range->offset_bytes >= upper->end)
		return false;
	length = min_u64(end,
			 upper->end - upper->begin - upper_range->offset_bytes);
	length = min_u64(length, most) / GRAIN_BYTES * GRAIN_BYTES;
	lower_range->offset_bytes = end - length;
	lower_range->length_bytes = upper_range->length_bytes = length;
	return length > 0;
}

/* Where in a file tells nothing of where on a disk. */
static bool has_tracks(const struct blkbench_info *a,
		       const struct blkbench_info *b,
		       const struct blkbench_layer *disk)
{
	return strcmp(disk->kind, "file") != 0 &&
	       (a->rotational != BLKBENCH_NO || b->rotational != BLKBENCH_NO);
}

static uint64_t overlap(const struct stretch *a, const struct stretch *b)
{
	const uint64_t begin = max_u64(a->begin, b->begin);
	const uint64_t end = min_u64(a->end, b->end);

	return end > begin ? end - begin : 0;
}

bool blkbench_shared_disk_choose(const struct blkbench_info *a,
				 const struct blkbench_info *b,
				 struct blkbench_range ranges[2])
{
	const struct blkbench_layer *disk;
	struct blkbench_range chosen[2];
	struct stretch places[2];
	size_t lower;

	disk = find_disk(a, b, places);
	if (!disk ||
	    (!has_tracks(a, b, disk) && !overlap(&places[0], &places[1])))
		return false;
	lower = is_lower(&places[0], &places[1]) ? 0 : 1;
	if (!choose(&places[lower], &places[1 - lower],
		    max_u64(ZONE_MIN_BYTES, disk->size_bytes / ZONE_PARTS),
		    &chosen[lower], &chosen[1 - lower]))
		return false;
	memcpy(ranges, chosen, sizeof(chosen));
	return true;
}

/* ---- one more ----------------------------------------------------------- */

/* In bytes of the device that is to be placed, on which others may begin before
 * its own first one. */
struct taken {
	int64_t begin, end;
	bool is_shared; /* the devices have bytes of the disk in common */
};

struct search {
	const struct blkbench_placed *placed;
	size_t count;
	const struct blkbench_info *info;
	int64_t length, gap;
	int64_t target; /* as near to it as can be */
	int64_t best;	/* or -1 */
};

/* Returns whether the two lie on one disk. */
static bool find_taken(const struct blkbench_placed *placed,
		       const struct blkbench_info *info, struct taken *taken)
{
	struct stretch places[2];

	if (!find_disk(placed->info, info, places))
		return false;
	taken->begin = (int64_t)(places[0].begin + placed->range.offset_bytes) -
		       (int64_t)places[1].begin;
	taken->end = taken->begin + (int64_t)placed->range.length_bytes;
	taken->is_shared = overlap(&places[0], &places[1]) > 0;
	return true;
}

static bool is_free(const struct search *search, int64_t at)
{
	struct taken taken;

	for (size_t i = 0; i < search->count; i++)
		if (find_taken(&search->placed[i], search->info, &taken) &&
		    at + search->length + search->gap > taken.begin &&
		    at < taken.end + search->gap)
			return false;
	return true;
}

/* Returns the multiple of the grain at or before it. */
static int64_t to_grain(int64_t at)
{
	return at < 0 ? 0 : at - at % (int64_t)GRAIN_BYTES;
}

static void consider(struct search *search, int64_t at)
{
	const int64_t last =
		to_grain((int64_t)search->info->size_bytes - search->length);

	at = at < last ? to_grain(at) : last;
	if (search->best >= 0 &&
	    llabs(at - search->target) >= llabs(search->best - search->target))
		return;
	if (is_free(search, at))
		search->best = at;
}

/* The first one placed on the same disk, or NULL. */
static const struct blkbench_placed *find_first(const struct search *search,
						struct taken *taken)
{
	for (size_t i = 0; i < search->count; i++)
		if (find_taken(&search->placed[i], search->info, taken))
			return &search->placed[i];
	return NULL;
}

/* Of a disk without tracks, only what is shared is a reason. */
static bool has_reason(const struct search *search,
		       const struct blkbench_placed *first)
{
	const struct blkbench_layer *disk;
	struct stretch places[2];
	struct taken taken;

	disk = find_disk(first->info, search->info, places);
	if (has_tracks(first->info, search->info, disk))
		return true;
	for (size_t i = 0; i < search->count; i++)
		if (find_taken(&search->placed[i], search->info, &taken) &&
		    taken.is_shared)
			return true;
	return false;
}

bool blkbench_shared_disk_choose_next(const struct blkbench_placed *placed,
				      size_t count,
				      const struct blkbench_info *info,
				      struct blkbench_range *range)
{
	struct search search = {
		.placed = placed,
		.count = count,
		.info = info,
		.best = -1,
	};
	const struct blkbench_placed *first;
	struct taken taken;

	first = find_first(&search, &taken);
	if (!first || !has_reason(&search, first))
		return false;
	search.target = taken.begin;
	search.length = to_grain(
		(int64_t)min_u64(first->range.length_bytes, info->size_bytes));
	if (search.length == 0)
		return false;
	search.gap = (int64_t)min_u64(GAP_BYTES, (uint64_t)search.length);
	consider(&search, search.target);
	for (size_t i = 0; i < count; i++) {
		if (!find_taken(&placed[i], info, &taken))
			continue;
		consider(&search, taken.begin - search.gap - search.length);
		consider(&search,
			 taken.end + search.gap + (int64_t)GRAIN_BYTES - 1);
	}
	if (search.best < 0)
		return false;
	range->offset_bytes = (uint64_t)search.best;
	range->length_bytes = (uint64_t)search.length;
	return true;
}

/* ---- the look ----------------------------------------------------------- */

static double percent_of(uint64_t bytes, const struct blkbench_layer *disk)
{
	return 100.0 * (double)bytes / (double)disk->size_bytes;
}

/* In the middle of a stretch, of the rate of the outermost track. */
static double rate_at(const struct stretch *stretch,
		      const struct blkbench_layer *disk)
{
	const double middle = ((double)stretch->begin + (double)stretch->end) /
			      2 / (double)disk->size_bytes;

	return 1 - (1 - INNER_RATE) * middle;
}

bool blkbench_shared_disk_look(const struct blkbench_info *a,
			       const struct blkbench_info *b,
			       const struct blkbench_range ranges[2],
			       struct blkbench_shared_disk *shared)
{
	const struct blkbench_layer *disk;
	struct stretch places[2];

	*shared = (struct blkbench_shared_disk){ .disk = NULL };
	disk = find_disk(a, b, places);
	if (!disk)
		return false;
	shared->disk = disk->name;
	for (size_t i = 0; i < 2; i++) {
		places[i].begin += ranges[i].offset_bytes;
		places[i].end = places[i].begin + ranges[i].length_bytes;
		shared->begin_percent[i] = percent_of(places[i].begin, disk);
		shared->end_percent[i] = percent_of(places[i].end, disk);
	}
	shared->shared_bytes = overlap(&places[0], &places[1]);
	if (has_tracks(a, b, disk))
		shared->change_percent =
			100 *
			(rate_at(&places[1], disk) / rate_at(&places[0], disk) -
			 1);
	return true;
}
