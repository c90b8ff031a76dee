/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "place.h"

#include <errno.h>
#include <string.h>

#include "test.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define PLACES_MAX 32

struct places {
	struct place_visitor visitor;
	size_t count;
	struct place list[PLACES_MAX];
};

static void keep(struct place_visitor *visitor, const struct place *place)
{
	struct places *places = (struct places *)visitor;

	if (places->count < PLACES_MAX)
		places->list[places->count] = *place;
	places->count++;
}

static void follow(const struct blkbench_layer *layers, struct places *places)
{
	*places = (struct places){ .visitor = { .visit = keep } };
	assert_int_equal(place_follow(layers, &places->visitor), 0);
	assert_in_range(places->count, 1, PLACES_MAX);
}

static void check(const struct place *place, size_t layer, uint64_t begin,
		  uint64_t length, int64_t shift)
{
	assert_true(place->is_known);
	assert_int_equal(place->layer, layer);
	assert_int_equal(place->begin_bytes, begin);
	assert_int_equal(place->length_bytes, length);
	assert_true(place->shift_bytes == shift);
	assert_int_equal(place->multiple_bytes, 0);
}

static struct blkbench_leg leg_at(size_t layer, uint64_t offset)
{
	return (struct blkbench_leg){ layer, offset, BLKBENCH_UNKNOWN };
}

/* Of one leg. */
static struct blkbench_segment linear(uint64_t start, uint64_t length,
				      const struct blkbench_leg *leg)
{
	return (struct blkbench_segment){
		"linear",	  start, length, BLKBENCH_UNKNOWN,
		BLKBENCH_UNKNOWN, 1,	 1,	 leg
	};
}

static struct blkbench_segment striped(uint64_t length, uint64_t chunk,
				       size_t data_members, size_t legs_count,
				       const struct blkbench_leg *legs)
{
	return (struct blkbench_segment){
		"striped",    0,	  length, chunk, chunk * data_members,
		data_members, legs_count, legs
	};
}

static struct blkbench_layer layer_of(uint64_t size, size_t count,
				      const struct blkbench_segment *segments)
{
	return (struct blkbench_layer){
		.name = "layer",
		.kind = "linear",
		.size_bytes = size,
		.begin_bytes = BLKBENCH_UNKNOWN,
		.end_bytes = BLKBENCH_UNKNOWN,
		.segments_count = count,
		.segments = segments,
	};
}

static void offsets_add_up_on_the_way_down(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, MIB), leg_at(2, 32256) };
	const struct blkbench_segment segments[] = {
		linear(0, 8 * MIB, &legs[0]),
		linear(0, 16 * MIB, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(8 * MIB, 1, &segments[0]),
		layer_of(16 * MIB, 1, &segments[1]),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 3);
	check(&places.list[0], 0, 0, 8 * MIB, 0);
	check(&places.list[1], 1, MIB, 8 * MIB, 0);
	check(&places.list[2], 2, 1080832, 8 * MIB, 0);
}

/* The second segment begins 4 MiB into the device. */
static void segment_counts_by_where_the_device_would_begin(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, MIB),
					     leg_at(1, 9 * MIB) };
	const struct blkbench_segment segments[] = {
		linear(0, 4 * MIB, &legs[0]),
		linear(4 * MIB, 4 * MIB, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(8 * MIB, 2, segments),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 3);
	check(&places.list[1], 1, MIB, 4 * MIB, 0);
	check(&places.list[2], 1, 9 * MIB, 4 * MIB, 4 * MIB);
	assert_int_equal(places.list[2].device_bytes, 4 * MIB);
}

/* A partition of 2 MiB at 192 KiB, chunk 3: member 1 has it in row 1, and
 * member 0 goes on with chunk 4 in row 2. */
static void members_of_a_stripe_take_turns(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, 192 * KIB),
					     leg_at(2, MIB),
					     leg_at(3, 2 * MIB) };
	const struct blkbench_segment segments[] = {
		linear(0, 2 * MIB, &legs[0]),
		striped(16 * MIB, 64 * KIB, 2, 2, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(2 * MIB, 1, &segments[0]),
		layer_of(16 * MIB, 1, &segments[1]),
		layer_of(64 * MIB, 0, NULL),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 4);
	check(&places.list[2], 2, MIB + 128 * KIB, MIB, 0);
	check(&places.list[3], 3, 2 * MIB + 64 * KIB, MIB, 0);
}

/* 512 B into a chunk is 512 B into a chunk of every member, though only one
 * begins there. */
static void all_members_are_as_far_into_a_chunk(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, 512), leg_at(2, MIB),
					     leg_at(3, MIB) };
	const struct blkbench_segment segments[] = {
		linear(0, MIB, &legs[0]),
		striped(16 * MIB, 64 * KIB, 2, 2, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(MIB, 1, &segments[0]),
		layer_of(16 * MIB, 1, &segments[1]),
		layer_of(64 * MIB, 0, NULL),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.list[2].begin_bytes, MIB + 512);
	assert_true(places.list[2].shift_bytes == 0);
	assert_int_equal(places.list[3].begin_bytes, MIB);
	assert_true(places.list[3].shift_bytes == -512);
}

/* A partition at 1 MiB of a raid5 of 4: 5 stripes of 192 KiB and a chunk. */
static void rows_of_raid5_count_data_members_only(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, MIB), leg_at(2, MIB),
					     leg_at(2, MIB), leg_at(2, MIB),
					     leg_at(2, MIB) };
	const struct blkbench_segment segments[] = {
		linear(0, 2 * 192 * KIB, &legs[0]),
		striped(15 * MIB, 64 * KIB, 3, 4, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(2 * 192 * KIB, 1, &segments[0]),
		layer_of(15 * MIB, 1, &segments[1]),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 6);
	for (size_t i = 2; i < 6; i++)
		check(&places.list[i], 2, MIB + 5 * 64 * KIB, 3 * 64 * KIB, 0);
}

static void place_by_chunk_is_known_up_to_its_multiples(void **state)
{
	const struct blkbench_leg legs[] = {
		leg_at(1, 512),
		{ 2, BLKBENCH_UNKNOWN, 64 * KIB },
		leg_at(3, 32256),
	};
	const struct blkbench_segment segments[] = {
		linear(0, MIB, &legs[0]),
		linear(0, 4 * MIB, &legs[1]),
		linear(0, 8 * MIB, &legs[2]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(MIB, 1, &segments[0]),
		layer_of(4 * MIB, 1, &segments[1]),
		layer_of(8 * MIB, 1, &segments[2]),
		layer_of(64 * MIB, 0, NULL),
	};
	const struct place *place;
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 4);
	place = &places.list[3];
	assert_true(place->is_known);
	assert_int_equal(place->multiple_bytes, 64 * KIB);
	/* 512 B into a chunk, and that at a multiple of 64 KiB from 32256. */
	assert_true((int64_t)place->begin_bytes - place->shift_bytes ==
		    32256 + 512);
}

static void nothing_is_followed_beyond_what_is_not_known(void **state)
{
	const struct blkbench_leg legs[] = {
		{ 1, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN },
		{ BLKBENCH_NO_LAYER, 0, BLKBENCH_UNKNOWN },
		leg_at(1, 0),
	};
	struct blkbench_segment segments[] = {
		linear(0, MIB, &legs[0]),
		linear(MIB, MIB, &legs[1]),
		linear(2 * MIB, MIB, &legs[2]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(3 * MIB, 3, segments),
		layer_of(64 * MIB, 1, &segments[2]),
	};
	struct places places;

	(void)state;
	segments[2].data_members = 0;
	follow(layers, &places);
	assert_int_equal(places.count, 4);
	for (size_t i = 1; i < 4; i++)
		assert_false(places.list[i].is_known);
}

static void numbers_that_no_device_has_are_not_known(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, UINT64_MAX - 511),
					     leg_at(1, 512) };
	const struct blkbench_segment segments[] = {
		linear(0, UINT64_MAX - 511, &legs[0]),
		linear(UINT64_MAX - 511, MIB, &legs[1]),
		striped(UINT64_MAX, UINT64_C(1) << 61, 3, 1, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(UINT64_MAX, 2, segments),
		layer_of(BLKBENCH_UNKNOWN, 1, &segments[2]),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 4);
	assert_true(places.list[1].is_known);
	assert_false(places.list[2].is_known);
	assert_false(places.list[3].is_known);
}

/* 64 KiB are on one member of stripes with chunks of 512. */
static void members_that_hold_nothing_are_no_places(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, 640 * KIB), leg_at(2, 0),
					     leg_at(3, 0) };
	const struct blkbench_segment segments[] = {
		linear(0, 64 * KIB, &legs[0]),
		striped(16 * MIB, 512 * KIB, 2, 2, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(64 * KIB, 1, &segments[0]),
		layer_of(16 * MIB, 1, &segments[1]),
		layer_of(64 * MIB, 0, NULL),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 3);
	check(&places.list[2], 3, 128 * KIB, 64 * KIB, 0);
}

/* A table that ends early, has a hole, or goes beyond what is below. */
static void what_is_on_nothing_is_not_known(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, 0), leg_at(1, 2 * MIB),
					     leg_at(1, 15 * MIB) };
	const struct blkbench_segment segments[] = {
		linear(0, MIB, &legs[0]),
		linear(MIB, 0, &legs[0]),
		linear(2 * MIB, MIB, &legs[1]),
		linear(3 * MIB, 2 * MIB, &legs[2]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(6 * MIB, 4, segments),
		layer_of(16 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 5);
	check(&places.list[1], 1, 0, MIB, 0);
	check(&places.list[2], 1, 2 * MIB, MIB, 2 * MIB);
	assert_false(places.list[3].is_known);
	assert_int_equal(places.list[3].layer, 1);
	assert_false(places.list[4].is_known);
	assert_true(places.list[4].layer == BLKBENCH_NO_LAYER);
}

static void segments_of_no_length_hide_nothing(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, 0) };
	const struct blkbench_segment segments[] = {
		linear(0, 0, &legs[0]),
		linear(0, MIB, &legs[0]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(MIB, 2, segments),
		layer_of(16 * MIB, 0, NULL),
	};
	struct places places;

	(void)state;
	follow(layers, &places);
	assert_int_equal(places.count, 2);
	check(&places.list[1], 1, 0, MIB, 0);
}

static uint64_t find_multiple_below_stripes(uint64_t chunk, size_t members)
{
	const struct blkbench_leg legs[] = {
		{ 1, BLKBENCH_UNKNOWN, 64 * KIB },
		leg_at(2, 0),
		leg_at(2, 0),
		leg_at(2, 0),
		leg_at(2, 0),
	};
	const struct blkbench_segment segments[] = {
		linear(0, MIB, &legs[0]),
		striped(16 * MIB, chunk, members, members, &legs[1]),
	};
	const struct blkbench_layer layers[] = {
		layer_of(MIB, 1, &segments[0]),
		layer_of(16 * MIB, 1, &segments[1]),
		layer_of(64 * MIB, 0, NULL),
	};
	struct places places;

	follow(layers, &places);
	return places.list[2].multiple_bytes;
}

/* Chunks of a pool of 64 KiB, somewhere on a stripe: over 2 members at 32 KiB
 * each takes 32 of it. */
static void stripes_divide_what_lies_at_multiples(void **state)
{
	(void)state;
	assert_int_equal(find_multiple_below_stripes(32 * KIB, 2), 32 * KIB);
	assert_int_equal(find_multiple_below_stripes(8 * KIB, 4), 16 * KIB);
	assert_int_equal(find_multiple_below_stripes(64 * KIB, 2), 64 * KIB);
	assert_int_equal(find_multiple_below_stripes(128 * KIB, 2), 64 * KIB);
	assert_int_equal(find_multiple_below_stripes(48 * KIB, 2), 16 * KIB);
}

/* Two ways on from each of 40 layers: 2^40 places. */
static void too_many_places_are_given_up(void **state)
{
	struct blkbench_layer layers[41];
	struct blkbench_segment segments[40];
	struct blkbench_leg legs[80];
	struct places places = { .visitor = { .visit = keep } };

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		legs[2 * i] = leg_at(i + 1, 0);
		legs[2 * i + 1] = leg_at(i + 1, 0);
		segments[i] = linear(0, MIB, &legs[2 * i]);
		segments[i].legs_count = 2;
		layers[i] = layer_of(MIB, 1, &segments[i]);
	}
	layers[40] = layer_of(MIB, 0, NULL);
	assert_int_equal(place_follow(layers, &places.visitor), -E2BIG);
	assert_true(places.count > 200000);
}

static void extents_span_all_places(void **state)
{
	const struct blkbench_leg legs[] = { leg_at(1, 32 * MIB),
					     leg_at(1, 8 * MIB) };
	const struct blkbench_segment segments[] = {
		linear(0, 4 * MIB, &legs[0]),
		linear(4 * MIB, 2 * MIB, &legs[1]),
	};
	struct blkbench_layer layers[] = {
		layer_of(6 * MIB, 2, segments),
		layer_of(64 * MIB, 0, NULL),
		layer_of(64 * MIB, 0, NULL),
	};

	(void)state;
	assert_int_equal(place_note_extents(layers,
					    sizeof(layers) / sizeof(layers[0])),
			 0);
	assert_int_equal(layers[0].begin_bytes, 0);
	assert_int_equal(layers[0].end_bytes, 6 * MIB);
	assert_int_equal(layers[1].begin_bytes, 8 * MIB);
	assert_int_equal(layers[1].end_bytes, 36 * MIB);
	assert_true(layers[2].begin_bytes == BLKBENCH_UNKNOWN);
	assert_true(layers[2].end_bytes == BLKBENCH_UNKNOWN);
}

/* A snapshot's origin has a known place on the disk, its store has not. */
static void extent_is_not_known_where_a_part_of_it_is_not(void **state)
{
	const struct blkbench_leg legs[] = {
		leg_at(1, 0),
		{ 2, BLKBENCH_UNKNOWN, 4 * KIB },
		leg_at(3, 8 * MIB),
		leg_at(3, 16 * MIB),
	};
	struct blkbench_segment segments[] = {
		linear(0, MIB, &legs[0]),
		linear(0, MIB, &legs[2]),
		linear(0, MIB, &legs[3]),
	};
	struct blkbench_layer layers[] = {
		layer_of(MIB, 1, &segments[0]),
		layer_of(MIB, 1, &segments[1]),
		layer_of(MIB, 1, &segments[2]),
		layer_of(64 * MIB, 0, NULL),
	};

	(void)state;
	segments[0].legs_count = 2;
	assert_int_equal(place_note_extents(layers, 4), 0);
	assert_int_equal(layers[0].end_bytes, MIB);
	assert_int_equal(layers[1].end_bytes, MIB);
	assert_true(layers[2].end_bytes == BLKBENCH_UNKNOWN);
	assert_true(layers[3].begin_bytes == BLKBENCH_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_add_up_on_the_way_down),
		cmocka_unit_test(
			segment_counts_by_where_the_device_would_begin),
		cmocka_unit_test(members_of_a_stripe_take_turns),
		cmocka_unit_test(all_members_are_as_far_into_a_chunk),
		cmocka_unit_test(rows_of_raid5_count_data_members_only),
		cmocka_unit_test(place_by_chunk_is_known_up_to_its_multiples),
		cmocka_unit_test(nothing_is_followed_beyond_what_is_not_known),
		cmocka_unit_test(numbers_that_no_device_has_are_not_known),
		cmocka_unit_test(members_that_hold_nothing_are_no_places),
		cmocka_unit_test(what_is_on_nothing_is_not_known),
		cmocka_unit_test(segments_of_no_length_hide_nothing),
		cmocka_unit_test(stripes_divide_what_lies_at_multiples),
		cmocka_unit_test(too_many_places_are_given_up),
		cmocka_unit_test(extents_span_all_places),
		cmocka_unit_test(extent_is_not_known_where_a_part_of_it_is_not),
	};

	return cmocka_run_group_tests_name("place", tests, NULL, NULL);
}
