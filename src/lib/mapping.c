/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "mapping.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns the array with room for one more, or NULL. */
static void *make_room(struct mapping *mapping, void *array, size_t count,
		       size_t *allocated, size_t size)
{
	const size_t wanted = count ? 2 * count : 4;

	if (count < *allocated)
		return array;
	array = reallocarray(array, wanted, size);
	if (array)
		*allocated = wanted;
	else
		mapping->error = -ENOMEM;
	return array;
}

void mapping_add_segment(struct mapping *mapping,
			 const struct mapping_segment *segment)
{
	struct mapping_segment *segments =
		make_room(mapping, mapping->segments, mapping->segments_count,
			  &mapping->segments_allocated, sizeof(*segments));

	if (!segments)
		return;
	mapping->segments = segments;
	segments[mapping->segments_count] = *segment;
	segments[mapping->segments_count++].legs_count = 0;
}

void mapping_add_leg(struct mapping *mapping, const struct mapping_leg *leg)
{
	struct mapping_leg *legs =
		make_room(mapping, mapping->legs, mapping->legs_count,
			  &mapping->legs_allocated, sizeof(*legs));

	if (!legs)
		return;
	mapping->legs = legs;
	legs[mapping->legs_count++] = *leg;
	mapping->segments[mapping->segments_count - 1].legs_count++;
}

static bool goes_on(const struct mapping_leg *a, const struct mapping_leg *b,
		    uint64_t length_bytes)
{
	return !a->is_missing && !b->is_missing && !a->path && !b->path &&
	       a->major == b->major && a->minor == b->minor &&
	       a->offset_bytes != BLKBENCH_UNKNOWN &&
	       b->offset_bytes != BLKBENCH_UNKNOWN &&
	       b->offset_bytes > a->offset_bytes &&
	       b->offset_bytes - a->offset_bytes == length_bytes;
}

/* Only of these is a segment no more than the sum of its parts. */
static bool is_divisible(const struct mapping_segment *segment)
{
	return segment->data_members && (strcmp(segment->kind, "linear") == 0 ||
					 strcmp(segment->kind, "striped") == 0);
}

static bool is_one(const struct mapping *mapping,
		   const struct mapping_segment *a,
		   const struct mapping_segment *b)
{
	const struct mapping_leg *legs = mapping->legs + mapping->legs_count -
					 b->legs_count;

	if (a->kind != b->kind || a->chunk_bytes != b->chunk_bytes ||
	    a->legs_count != b->legs_count || !is_divisible(a) ||
	    b->start_bytes < a->start_bytes ||
	    b->start_bytes - a->start_bytes != a->length_bytes ||
	    a->length_bytes % a->data_members)
		return false;
	for (size_t i = 0; i < b->legs_count; i++)
		if (!goes_on(&legs[i] - a->legs_count, &legs[i],
			     a->length_bytes / a->data_members))
			return false;
	return true;
}

void mapping_join(struct mapping *mapping)
{
	struct mapping_segment *last;
	uint64_t length;

	if (mapping->segments_count < 2 || mapping->error)
		return;
	last = &mapping->segments[mapping->segments_count - 1];
	if (!is_one(mapping, last - 1, last) ||
	    __builtin_add_overflow(last[-1].length_bytes, last->length_bytes,
				   &length))
		return;
	last[-1].length_bytes = length;
	mapping->legs_count -= last->legs_count;
	mapping->segments_count--;
}

void mapping_finish(struct mapping *mapping)
{
	free(mapping->segments);
	free(mapping->legs);
	*mapping = (struct mapping){ 0 };
}
