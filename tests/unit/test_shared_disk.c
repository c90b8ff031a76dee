/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <math.h>
#include <string.h>

#include "test.h"

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)
#define DISK_BYTES (1024 * GIB)

/* A device that lies on a disk from some byte on: as a partition, or in it. */
struct scene {
	struct blkbench_layer layers[2];
	struct blkbench_segment segment;
	struct blkbench_leg leg;
	struct blkbench_info info;
};

static void make(struct scene *scene, unsigned int minor, uint64_t disk_bytes,
		 uint64_t begin, uint64_t size)
{
	memset(scene, 0, sizeof(*scene));
	scene->leg = (struct blkbench_leg){
		.layer = 1,
		.offset_bytes = begin,
		.multiple_bytes = BLKBENCH_UNKNOWN,
	};
	scene->segment = (struct blkbench_segment){
		.kind = "linear",
		.length_bytes = size,
		.legs_count = 1,
		.legs = &scene->leg,
	};
	scene->layers[0] = (struct blkbench_layer){
		.name = "sda1",
		.kind = "partition",
		.major = 8,
		.minor = minor,
		.size_bytes = size,
		.segments_count = 1,
		.segments = &scene->segment,
	};
	scene->layers[1] = (struct blkbench_layer){
		.name = "sda",
		.kind = "disk",
		.major = 8,
		.size_bytes = disk_bytes,
	};
	scene->info = (struct blkbench_info){
		.size_bytes = size,
		.rotational = BLKBENCH_YES,
		.layers_count = 2,
		.layers = scene->layers,
	};
}

/* The disk itself. */
static void make_disk(struct scene *scene, uint64_t disk_bytes)
{
	make(scene, 0, disk_bytes, 0, disk_bytes);
	scene->layers[0] = scene->layers[1];
	scene->info.layers_count = 1;
}

static void assert_chosen(const struct scene *a, const struct scene *b,
			  uint64_t a_offset, uint64_t b_offset, uint64_t length)
{
	struct blkbench_range ranges[2];

	assert_true(blkbench_shared_disk_choose(&a->info, &b->info, ranges));
	assert_int_equal(ranges[0].offset_bytes, a_offset);
	assert_int_equal(ranges[1].offset_bytes, b_offset);
	assert_int_equal(ranges[0].length_bytes, length);
	assert_int_equal(ranges[1].length_bytes, length);

	/* Who is named first makes no difference. */
	assert_true(blkbench_shared_disk_choose(&b->info, &a->info, ranges));
	assert_int_equal(ranges[1].length_bytes, length);
	if (a->leg.offset_bytes != b->leg.offset_bytes) {
		assert_int_equal(ranges[1].offset_bytes, a_offset);
		assert_int_equal(ranges[0].offset_bytes, b_offset);
	}
}

static void assert_left_alone(const struct scene *a, const struct scene *b)
{
	struct blkbench_range ranges[2] = { { 1, 2 }, { 3, 4 } };

	assert_false(blkbench_shared_disk_choose(&a->info, &b->info, ranges));
	assert_int_equal(ranges[0].offset_bytes, 1);
	assert_int_equal(ranges[0].length_bytes, 2);
	assert_int_equal(ranges[1].offset_bytes, 3);
	assert_int_equal(ranges[1].length_bytes, 4);
}

/* A 64th of the disk is 16 GiB. */
static void neighbours_are_read_where_they_meet(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, MIB, 100 * GIB);
	make(&b, 2, DISK_BYTES, MIB + 100 * GIB, 200 * GIB);
	/* 64 MiB lie between them. */
	assert_chosen(&a, &b, 84 * GIB, 64 * MIB, 16 * GIB);
}

static void distant_ones_are_read_at_their_nearest_ends(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, 0, 100 * GIB);
	make(&b, 2, DISK_BYTES, 900 * GIB, 100 * GIB);
	assert_chosen(&a, &b, 84 * GIB, 0, 16 * GIB);
}

static void same_device_twice_is_read_around_its_middle(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, MIB, 100 * GIB);
	make(&b, 1, DISK_BYTES, MIB, 100 * GIB);
	assert_chosen(&a, &b, 34 * GIB - 32 * MIB, 50 * GIB + 32 * MIB,
		      16 * GIB);
}

static void partition_is_read_beside_what_is_read_of_its_disk(void **state)
{
	struct scene disk, partition;

	(void)state;
	make_disk(&disk, DISK_BYTES);
	make(&partition, 1, DISK_BYTES, 100 * GIB, 8 * GIB);
	/* All of the partition, and the disk right behind it. */
	assert_chosen(&disk, &partition, 108 * GIB + 64 * MIB, 0, 8 * GIB);
	make(&partition, 1, DISK_BYTES, 1016 * GIB, 8 * GIB);
	/* At the end of the disk, before it. */
	assert_chosen(&disk, &partition, 1008 * GIB - 64 * MIB, 0, 8 * GIB);
}

static void small_disk_has_its_gap_in_proportion(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, 64 * MIB, 0, 64 * MIB);
	make(&b, 1, 64 * MIB, 0, 64 * MIB);
	assert_chosen(&a, &b, 0, 36 * MIB, 28 * MIB);
}

/* From sector 63 on, ranges are whole MiB of the device, not of the disk. */
static void ranges_are_aligned_on_their_devices(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, 63 * 512, GIB + 512);
	make(&b, 2, DISK_BYTES, 63 * 512 + GIB + 512, GIB + 512);
	assert_chosen(&a, &b, 0, 32 * MIB, GIB - 32 * MIB);
}

static void disk_without_tracks_leaves_strangers_alone(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, 0, 100 * GIB);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	a.info.rotational = b.info.rotational = BLKBENCH_NO;
	assert_left_alone(&a, &b);
	make(&b, 2, DISK_BYTES, 50 * GIB, 100 * GIB);
	b.info.rotational = BLKBENCH_NO;
	/* But these would read the same blocks. */
	assert_chosen(&a, &b, 59 * GIB - 32 * MIB, 25 * GIB + 32 * MIB,
		      16 * GIB);
}

static void others_are_left_alone(void **state)
{
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, 0, 100 * GIB);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	b.layers[1].minor = 16; /* another disk */
	assert_left_alone(&a, &b);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	b.leg.offset_bytes = BLKBENCH_UNKNOWN;
	assert_left_alone(&a, &b);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	b.leg.layer = BLKBENCH_NO_LAYER;
	assert_left_alone(&a, &b);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	b.segment.legs_count = 2; /* striped, mirrored */
	assert_left_alone(&a, &b);
	/* Nothing is left beside it. */
	make(&a, 1, MIB, 0, MIB);
	make(&b, 1, MIB, 0, MIB);
	assert_left_alone(&a, &b);
}

static void files_are_known_by_their_names(void **state)
{
	const struct blkbench_range halves[2] = {
		{ 0, GIB / 2 },
		{ GIB / 2, GIB / 2 },
	};
	struct blkbench_shared_disk shared;
	struct scene a, b;

	(void)state;
	make(&a, 1, GIB, 0, GIB);
	make(&b, 2, GIB, 0, GIB);
	for (size_t i = 0; i < 2; i++) {
		struct blkbench_layer *layer = &(i ? &b : &a)->layers[1];

		layer->major = layer->minor = 0;
		layer->kind = "file";
		layer->name = "/srv/image";
	}
	assert_chosen(&a, &b, 0, 544 * MIB, 480 * MIB);
	assert_true(
		blkbench_shared_disk_look(&a.info, &b.info, halves, &shared));
	assert_true(shared.change_percent == 0);
	b.layers[1].name = "/srv/other";
	assert_left_alone(&a, &b);
}

static void look_says_where_they_are_read_and_what_that_changes(void **state)
{
	const struct blkbench_range whole[2] = { { 0, 256 * GIB },
						 { 0, 256 * GIB } };
	struct blkbench_shared_disk shared;
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, 0, 256 * GIB);
	make(&b, 2, DISK_BYTES, 768 * GIB, 256 * GIB);
	assert_true(
		blkbench_shared_disk_look(&a.info, &b.info, whole, &shared));
	assert_string_equal(shared.disk, "sda");
	assert_true(shared.begin_percent[0] == 0 &&
		    shared.end_percent[0] == 25);
	assert_true(shared.begin_percent[1] == 75 &&
		    shared.end_percent[1] == 100);
	assert_int_equal(shared.shared_bytes, 0);
	/* In the middle 1/8 and 7/8 of the way in: 0.5625 of 0.9375. */
	assert_true(fabs(shared.change_percent - -40) < 1e-9);

	a.info.rotational = b.info.rotational = BLKBENCH_NO;
	assert_true(
		blkbench_shared_disk_look(&a.info, &b.info, whole, &shared));
	assert_true(shared.change_percent == 0);

	make(&b, 2, DISK_BYTES, 255 * GIB, 256 * GIB);
	assert_true(
		blkbench_shared_disk_look(&a.info, &b.info, whole, &shared));
	assert_int_equal(shared.shared_bytes, GIB);
}

/* Next to each other on the slow end: what is chosen changes less than 2 %. */
static void what_is_chosen_is_one_zone(void **state)
{
	struct blkbench_range ranges[2];
	struct blkbench_shared_disk shared;
	struct scene a, b;

	(void)state;
	for (uint64_t at = 0; at <= 900; at += 100) {
		make(&a, 1, DISK_BYTES, at * GIB, 50 * GIB);
		make(&b, 2, DISK_BYTES, (at + 50) * GIB, 50 * GIB);
		assert_true(
			blkbench_shared_disk_choose(&a.info, &b.info, ranges));
		assert_true(blkbench_shared_disk_look(&a.info, &b.info, ranges,
						      &shared));
		assert_int_equal(shared.shared_bytes, 0);
		assert_true(shared.change_percent < 0);
		assert_true(shared.change_percent > -2);
	}
}

/* ---- one more ----------------------------------------------------------- */

/* Two that are placed as two alone are. */
static void place_two(struct blkbench_placed placed[2], const struct scene *a,
		      const struct scene *b)
{
	struct blkbench_range ranges[2];

	assert_true(blkbench_shared_disk_choose(&a->info, &b->info, ranges));
	for (size_t i = 0; i < 2; i++)
		placed[i] = (struct blkbench_placed){
			.info = i ? &b->info : &a->info,
			.range = ranges[i],
		};
}

static void assert_placed(const struct blkbench_placed *placed, size_t count,
			  const struct scene *scene, uint64_t offset,
			  uint64_t length)
{
	struct blkbench_range range;

	assert_true(blkbench_shared_disk_choose_next(placed, count,
						     &scene->info, &range));
	assert_int_equal(range.offset_bytes, offset);
	assert_int_equal(range.length_bytes, length);
}

static void third_neighbour_is_read_at_its_nearest_end(void **state)
{
	struct blkbench_placed placed[2];
	struct scene a, b, c;

	(void)state;
	make(&a, 1, DISK_BYTES, 0, 100 * GIB);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	place_two(placed, &a, &b);
	/* Behind both, before both; and too short for as much as they have. */
	make(&c, 3, DISK_BYTES, 200 * GIB, 100 * GIB);
	assert_placed(placed, 2, &c, 0, 16 * GIB);
	make(&a, 1, DISK_BYTES, 300 * GIB, 100 * GIB);
	make(&b, 2, DISK_BYTES, 400 * GIB, 100 * GIB);
	place_two(placed, &a, &b);
	assert_placed(placed, 2, &c, 84 * GIB, 16 * GIB);
	make(&c, 3, DISK_BYTES, 200 * GIB, 5 * GIB);
	assert_placed(placed, 2, &c, 0, 5 * GIB);
}

static void same_device_many_times_is_read_side_by_side(void **state)
{
	struct blkbench_placed placed[4];
	struct scene a, b;

	(void)state;
	make(&a, 1, DISK_BYTES, MIB, 100 * GIB);
	make(&b, 1, DISK_BYTES, MIB, 100 * GIB);
	place_two(placed, &a, &b);
	/* The first is read from 34 GiB - 32 MiB on, the second from 50 GiB +
	 * 32 MiB on. */
	assert_placed(placed, 2, &a, 18 * GIB - 96 * MIB, 16 * GIB);
	placed[2].info = &a.info;
	assert_true(blkbench_shared_disk_choose_next(placed, 2, &a.info,
						     &placed[2].range));
	/* As near above as below. */
	assert_placed(placed, 3, &a, 66 * GIB + 96 * MIB, 16 * GIB);
	placed[3].info = &a.info;
	assert_true(blkbench_shared_disk_choose_next(placed, 3, &a.info,
						     &placed[3].range));
	assert_placed(placed, 4, &a, 2 * GIB - 160 * MIB, 16 * GIB);
}

static void whole_disk_is_read_beside_its_partitions(void **state)
{
	struct blkbench_placed placed[2];
	struct scene a, b, disk;

	(void)state;
	make(&a, 1, DISK_BYTES, 0, 100 * GIB);
	make(&b, 2, DISK_BYTES, 100 * GIB, 100 * GIB);
	make_disk(&disk, DISK_BYTES);
	place_two(placed, &a, &b);
	/* The first from 84 GiB - 32 MiB on, the second behind it. */
	assert_placed(placed, 2, &disk, 68 * GIB - 96 * MIB, 16 * GIB);
}

static void nothing_is_chosen_without_room_or_reason(void **state)
{
	struct blkbench_range range = { 1, 2 };
	struct blkbench_placed placed[2];
	struct scene a, b, c;

	(void)state;
	/* On a small disk the first two take it all. */
	make(&a, 1, GIB, 0, GIB);
	make(&b, 1, GIB, 0, GIB);
	place_two(placed, &a, &b);
	assert_false(
		blkbench_shared_disk_choose_next(placed, 2, &a.info, &range));
	/* On another disk, or on one without tracks beside the others. */
	make(&a, 1, DISK_BYTES, 0, 100 * GIB);
	make(&b, 1, DISK_BYTES, 0, 100 * GIB);
	place_two(placed, &a, &b);
	make(&c, 3, DISK_BYTES, 200 * GIB, 100 * GIB);
	c.layers[1].major = 9;
	assert_false(
		blkbench_shared_disk_choose_next(placed, 2, &c.info, &range));
	c.layers[1].major = 8;
	a.info.rotational = c.info.rotational = BLKBENCH_NO;
	assert_false(
		blkbench_shared_disk_choose_next(placed, 2, &c.info, &range));
	assert_false(
		blkbench_shared_disk_choose_next(placed, 0, &c.info, &range));
	assert_int_equal(range.offset_bytes, 1);
	assert_int_equal(range.length_bytes, 2);
	/* But where blocks are shared. */
	make(&c, 3, DISK_BYTES, 50 * GIB, 100 * GIB);
	assert_true(
		blkbench_shared_disk_choose_next(placed, 2, &c.info, &range));
}

static void a_disk_that_both_lie_on_is_shared(void **state)
{
	struct scene a, b, disk;

	(void)state;
	make(&a, 1, 1024 * GIB, 0, GIB);
	make(&b, 2, 1024 * GIB, GIB, GIB);
	make_disk(&disk, 1024 * GIB);
	assert_string_equal(blkbench_shared_layer(&a.info, &b.info), "sda");
	assert_string_equal(blkbench_shared_layer(&a.info, &disk.info), "sda");
	/* Of the same one twice, that one. */
	assert_string_equal(blkbench_shared_layer(&a.info, &a.info), "sda1");

	b.layers[1].minor = 16;
	assert_null(blkbench_shared_layer(&a.info, &b.info));
	b.info.layers_count = 0;
	assert_null(blkbench_shared_layer(&a.info, &b.info));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_are_read_where_they_meet),
		cmocka_unit_test(distant_ones_are_read_at_their_nearest_ends),
		cmocka_unit_test(same_device_twice_is_read_around_its_middle),
		cmocka_unit_test(
			partition_is_read_beside_what_is_read_of_its_disk),
		cmocka_unit_test(small_disk_has_its_gap_in_proportion),
		cmocka_unit_test(ranges_are_aligned_on_their_devices),
		cmocka_unit_test(disk_without_tracks_leaves_strangers_alone),
		cmocka_unit_test(others_are_left_alone),
		cmocka_unit_test(a_disk_that_both_lie_on_is_shared),
		cmocka_unit_test(files_are_known_by_their_names),
		cmocka_unit_test(
			look_says_where_they_are_read_and_what_that_changes),
		cmocka_unit_test(what_is_chosen_is_one_zone),
		cmocka_unit_test(third_neighbour_is_read_at_its_nearest_end),
		cmocka_unit_test(same_device_many_times_is_read_side_by_side),
		cmocka_unit_test(whole_disk_is_read_beside_its_partitions),
		cmocka_unit_test(nothing_is_chosen_without_room_or_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
