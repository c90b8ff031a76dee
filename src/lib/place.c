/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "place.h"

#include <errno.h>
#include <stdlib.h>

#include "boundary.h"

/* Of 40 layers with 5,000 segments each there are 200,000. */
#define STEPS_MAX 500000

/* 2 EiB: what begins beyond is not known. */
#define POSITION_MAX (INT64_MAX / 4)

struct descent {
	const struct blkbench_layer *layers;
	struct place_visitor *visitor;
	size_t steps_left; /* places and segments to be looked at */
};

/* ---- arithmetic ------------------------------------------------------ */

/* Rounds down, also below 0. */
static int64_t divide(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static bool is_striped(const struct blkbench_segment *segment)
{
	return segment->data_members > 1;
}

/* Whether it is known how it is mapped, in numbers that do not overflow. */
static bool has_order(const struct blkbench_segment *segment)
{
	if (!is_striped(segment))
		return segment->data_members == 1;
	return segment->chunk_bytes &&
	       segment->chunk_bytes <= INT64_MAX / segment->data_members;
}

/* Whether members take turns in one order, without parity or copies. */
static bool has_fixed_order(const struct blkbench_segment *segment)
{
	return segment->data_members == segment->legs_count;
}

/*
 * Where in a striped segment a byte is: in the chunk of a member in a row.
 *
 *	chunk	  0 1 2 | 3 4 5		chunk 4, of 3 members,
 *	member	  0 1 2 | 0 1 2		is in row 1 of member 1
 *	row	  0 0 0 | 1 1 1
 */
struct cell {
	int64_t row, member;
	int64_t into_bytes; /* the chunk */
};

static struct cell find_cell(const struct blkbench_segment *segment,
			     int64_t byte)
{
	const int64_t chunk = (int64_t)segment->chunk_bytes;
	const int64_t members = (int64_t)segment->data_members;
	const int64_t number = divide(byte, chunk);
	const int64_t row = divide(number, members);

	return (struct cell){
		.row = row,
		.member = number - row * members,
		.into_bytes = byte - number * chunk,
	};
}

/* Where on one leg a byte of the segment is, or a later one that is as far into
 * its chunk: of a member that had its turn in this row, in the next. */
static int64_t find_on_leg(const struct blkbench_segment *segment, size_t leg,
			   int64_t byte)
{
	struct cell cell;

	if (!is_striped(segment))
		return byte;
	cell = find_cell(segment, byte);
	if (has_fixed_order(segment) && (int64_t)leg < cell.member)
		cell.row++;
	return cell.row * (int64_t)segment->chunk_bytes + cell.into_bytes;
}

/* Where the leg comes to what begins there first. */
static int64_t find_begin_on_leg(const struct blkbench_segment *segment,
				 size_t leg, int64_t begin)
{
	const int64_t chunk = (int64_t)segment->chunk_bytes;
	struct cell cell;

	if (!is_striped(segment))
		return begin;
	cell = find_cell(segment, begin);
	if (!has_fixed_order(segment) || (int64_t)leg > cell.member)
		return cell.row * chunk;
	if ((int64_t)leg < cell.member)
		return (cell.row + 1) * chunk;
	return cell.row * chunk + cell.into_bytes;
}

/* Where what ends there has ended on the leg. */
static int64_t find_end_on_leg(const struct blkbench_segment *segment,
			       size_t leg, int64_t end)
{
	const int64_t chunk = (int64_t)segment->chunk_bytes;
	struct cell last;

	if (!is_striped(segment))
		return end;
	last = find_cell(segment, end - 1);
	if (!has_fixed_order(segment) || (int64_t)leg < last.member)
		return (last.row + 1) * chunk;
	if ((int64_t)leg > last.member)
		return last.row * chunk;
	return last.row * chunk + last.into_bytes + 1;
}

/* The first that ends after byte, or the end of them all. */
static const struct blkbench_segment *
find_segment(const struct blkbench_layer *layer, uint64_t byte)
{
	size_t low = 0, high = layer->segments_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct blkbench_segment *segment =
			&layer->segments[middle];

		if (byte < segment->start_bytes)
			high = middle;
		else if (byte - segment->start_bytes >= segment->length_bytes)
			low = middle + 1;
		else
			return segment;
	}
	return &layer->segments[low];
}

/* ---- one step down --------------------------------------------------- */

/* A stretch of a layer, in bytes of one of its segments. */
struct stretch {
	int64_t begin, end;
	int64_t zero; /* where the device would begin; may be before it */
};

/* So that sums and differences of positions stay within 64 bits. */
static bool is_sane(const struct place *place,
		    const struct blkbench_segment *segment)
{
	return place->begin_bytes <= POSITION_MAX &&
	       segment->start_bytes <= POSITION_MAX &&
	       place->shift_bytes <= POSITION_MAX &&
	       place->shift_bytes >= -POSITION_MAX;
}

static uint64_t find_end(uint64_t begin, uint64_t length)
{
	uint64_t end;

	if (__builtin_add_overflow(begin, length, &end) || end > INT64_MAX)
		return INT64_MAX;
	return end;
}

/* Returns false where nothing of the place is in the segment. */
static bool cut(const struct place *place,
		const struct blkbench_segment *segment, struct stretch *stretch)
{
	const uint64_t start = segment->start_bytes;
	const uint64_t segment_end = find_end(start, segment->length_bytes);
	uint64_t end = find_end(place->begin_bytes, place->length_bytes);
	uint64_t begin = place->begin_bytes;

	stretch->zero = (int64_t)begin - (int64_t)start - place->shift_bytes;
	if (end > segment_end)
		end = segment_end;
	if (begin < start)
		begin = start;
	if (begin >= end)
		return false;
	stretch->begin = (int64_t)(begin - start);
	stretch->end = (int64_t)(end - start);
	return true;
}

/* The multiples on a leg of what lies at multiples on the segment. */
static uint64_t find_multiple_on_leg(const struct blkbench_segment *segment,
				     uint64_t multiple)
{
	if (!is_striped(segment) || multiple == 0)
		return multiple;
	if (multiple % segment->full_stripe_bytes == 0)
		return multiple / segment->data_members;
	return greatest_common_divisor(multiple, segment->chunk_bytes);
}

/* Returns false where the place on the leg is not known. */
static bool place_exactly(const struct blkbench_segment *segment, size_t leg,
			  const struct stretch *stretch, struct place *below)
{
	const uint64_t offset = segment->legs[leg].offset_bytes;
	const int64_t begin = find_begin_on_leg(segment, leg, stretch->begin);
	const int64_t end = find_end_on_leg(segment, leg, stretch->end);
	const int64_t zero = find_on_leg(segment, leg, stretch->zero);

	if (offset == BLKBENCH_UNKNOWN ||
	    __builtin_add_overflow(offset, (uint64_t)begin,
				   &below->begin_bytes))
		return false;
	below->length_bytes = end > begin ? (uint64_t)(end - begin) : 0;
	below->shift_bytes = begin - zero;
	below->multiple_bytes =
		find_multiple_on_leg(segment, below->multiple_bytes);
	below->is_spread |= is_striped(segment);
	return true;
}

/* Somewhere on the layer below, but each chunk at a multiple of its size. */
static bool place_by_chunk(const struct blkbench_leg *leg,
			   const struct stretch *stretch,
			   const struct blkbench_layer *layer,
			   struct place *below)
{
	const uint64_t multiple = leg->multiple_bytes;
	int64_t into;

	if (multiple == BLKBENCH_UNKNOWN || multiple == 0 ||
	    multiple > INT64_MAX || layer->size_bytes == BLKBENCH_UNKNOWN)
		return false;
	into = stretch->zero -
	       divide(stretch->zero, (int64_t)multiple) * (int64_t)multiple;
	below->begin_bytes = 0;
	below->length_bytes = layer->size_bytes;
	below->shift_bytes = -into;
	below->multiple_bytes =
		greatest_common_divisor(below->multiple_bytes, multiple);
	return true;
}

static bool place_on_leg(const struct blkbench_segment *segment, size_t index,
			 const struct stretch *stretch,
			 const struct blkbench_layer *layer,
			 struct place *below)
{
	if (!place_exactly(segment, index, stretch, below) &&
	    !place_by_chunk(&segment->legs[index], stretch, layer, below))
		return false;
	return layer->size_bytes == BLKBENCH_UNKNOWN ||
	       (below->begin_bytes <= layer->size_bytes &&
		below->length_bytes <= layer->size_bytes - below->begin_bytes);
}

static void follow(struct descent *descent, const struct place *place);

static void follow_nowhere(struct descent *descent, const struct place *place)
{
	struct place below = *place;

	below.layer = BLKBENCH_NO_LAYER;
	below.above = place->layer;
	below.is_known = false;
	follow(descent, &below);
}

static void follow_leg(struct descent *descent, const struct place *place,
		       const struct blkbench_segment *segment, size_t index,
		       const struct stretch *stretch)
{
	const struct blkbench_leg *leg = &segment->legs[index];
	struct place below = *place;

	below.layer = leg->layer;
	below.above = place->layer;
	below.is_known = leg->layer != BLKBENCH_NO_LAYER &&
			 has_order(segment) &&
			 place_on_leg(segment, index, stretch,
				      &descent->layers[leg->layer], &below);
	/* Of a few chunks, not all members hold one. */
	if (!below.is_known || below.length_bytes)
		follow(descent, &below);
}

static void follow_segment(struct descent *descent, const struct place *place,
			   const struct blkbench_segment *segment,
			   const struct stretch *stretch)
{
	struct place_visitor *visitor = descent->visitor;
	const uint64_t done = segment->start_bytes + (uint64_t)stretch->begin -
			      place->begin_bytes;
	struct place part = *place;

	if (done && (place->is_spread || place->multiple_bytes))
		part.device_bytes = BLKBENCH_UNKNOWN;
	else if (place->device_bytes != BLKBENCH_UNKNOWN)
		part.device_bytes += done;
	if (visitor->visit_segment)
		visitor->visit_segment(visitor, &part, segment);
	for (size_t i = 0; i < segment->legs_count; i++)
		follow_leg(descent, &part, segment, i, stretch);
}

static bool take_step(struct descent *descent)
{
	if (descent->steps_left == 0)
		return false;
	descent->steps_left--;
	return true;
}

/* All segments that the place is in; together they are to hold all of it. */
static void follow_segments(struct descent *descent, const struct place *place)
{
	const struct blkbench_layer *layer = &descent->layers[place->layer];
	const struct blkbench_segment *segment =
		find_segment(layer, place->begin_bytes);
	const struct blkbench_segment *last = layer->segments +
					      layer->segments_count;
	uint64_t end, at = place->begin_bytes;
	bool is_whole = true;
	struct stretch stretch;

	if (__builtin_add_overflow(at, place->length_bytes, &end))
		end = UINT64_MAX;
	for (; segment < last && segment->start_bytes < end; segment++) {
		if (!take_step(descent))
			return;
		if (!is_sane(place, segment)) {
			is_whole = false;
			break;
		}
		if (!cut(place, segment, &stretch))
			continue;
		is_whole &= segment->start_bytes + (uint64_t)stretch.begin ==
			    at;
		at = segment->start_bytes + (uint64_t)stretch.end;
		follow_segment(descent, place, segment, &stretch);
	}
	if (!is_whole || at < end)
		follow_nowhere(descent, place);
}

/* Layers form no circle, and stack.c keeps them from being too many. */
static void follow(struct descent *descent, const struct place *place)
{
	if (!take_step(descent))
		return;
	descent->visitor->visit(descent->visitor, place);
	if (place->is_known && descent->layers[place->layer].segments_count)
		follow_segments(descent, place);
}

static int follow_first(const struct blkbench_layer *layers,
			struct place_visitor *visitor,
			const struct place *place)
{
	struct descent descent = {
		.layers = layers,
		.visitor = visitor,
		.steps_left = STEPS_MAX,
	};

	follow(&descent, place);
	return descent.steps_left ? 0 : -E2BIG;
}

int place_follow(const struct blkbench_layer *layers,
		 struct place_visitor *visitor)
{
	const struct place place = {
		.is_known = true,
		.length_bytes = layers[0].size_bytes,
	};

	return follow_first(layers, visitor, &place);
}

int place_follow_from(const struct blkbench_layer *layers, size_t layer,
		      uint64_t begin_bytes, struct place_visitor *visitor)
{
	const uint64_t size = layers[layer].size_bytes;
	struct place place = {
		.layer = layer,
		.is_known = true,
		.begin_bytes = begin_bytes,
		.length_bytes = layers[0].size_bytes,
	};

	if (begin_bytes >= size)
		place.is_known = false;
	else if (place.length_bytes > size - begin_bytes)
		place.length_bytes = size - begin_bytes;
	return follow_first(layers, visitor, &place);
}

/* ---- extents --------------------------------------------------------- */

struct extents {
	struct place_visitor visitor;
	struct blkbench_layer *layers;
	bool *are_partial; /* of each layer: what is known is not all */
};

static void note_extent(struct place_visitor *visitor,
			const struct place *place)
{
	struct extents *extents = (struct extents *)visitor;
	struct blkbench_layer *layer;
	uint64_t end;

	if (place->layer == BLKBENCH_NO_LAYER)
		return;
	if (!place->is_known || place->multiple_bytes ||
	    __builtin_add_overflow(place->begin_bytes, place->length_bytes,
				   &end)) {
		extents->are_partial[place->layer] = true;
		return;
	}
	layer = &extents->layers[place->layer];
	if (layer->begin_bytes == BLKBENCH_UNKNOWN ||
	    layer->begin_bytes > place->begin_bytes)
		layer->begin_bytes = place->begin_bytes;
	if (layer->end_bytes == BLKBENCH_UNKNOWN || layer->end_bytes < end)
		layer->end_bytes = end;
}

static bool mark_legs(struct extents *extents,
		      const struct blkbench_layer *layer)
{
	bool has_marked = false;

	for (size_t i = 0; i < layer->segments_count; i++)
		for (size_t k = 0; k < layer->segments[i].legs_count; k++) {
			const size_t below = layer->segments[i].legs[k].layer;

			if (below == BLKBENCH_NO_LAYER ||
			    extents->are_partial[below])
				continue;
			extents->are_partial[below] = true;
			has_marked = true;
		}
	return has_marked;
}

/* What is not known of a layer is not known of those below it. */
static void clear_partial(struct extents *extents, size_t layers_count)
{
	struct blkbench_layer *layers = extents->layers;
	bool has_marked;

	do {
		has_marked = false;
		for (size_t i = 0; i < layers_count; i++)
			if (extents->are_partial[i])
				has_marked |= mark_legs(extents, &layers[i]);
	} while (has_marked);
	for (size_t i = 0; i < layers_count; i++)
		if (extents->are_partial[i]) {
			layers[i].begin_bytes = BLKBENCH_UNKNOWN;
			layers[i].end_bytes = BLKBENCH_UNKNOWN;
		}
}

int place_note_extents(struct blkbench_layer *layers, size_t layers_count)
{
	struct extents extents = {
		.visitor = { .visit = note_extent },
		.layers = layers,
		.are_partial =
			calloc(layers_count, sizeof(*extents.are_partial)),
	};

	if (!extents.are_partial)
		return -ENOMEM;
	/* Of more places than are followed, those of the device alone. */
	if (place_follow(layers, &extents.visitor) != 0)
		for (size_t i = 1; i < layers_count; i++)
			extents.are_partial[i] = true;
	clear_partial(&extents, layers_count);
	free(extents.are_partial);
	return 0;
}
