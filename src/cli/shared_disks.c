/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "shared_disks.h"
#include "text.h"

static bool is_free(const struct run_device *device)
{
	return device->info && device->range.length_bytes == 0;
}

/* A range that cannot hold a read is none. */
static bool has_room(const struct options *options,
		     const struct blkbench_range *range)
{
	const uint64_t block = options->params.block_bytes;

	return block == BLKBENCH_UNKNOWN || block <= range->length_bytes;
}

/* Those that have a range, in the order in which they got it. */
struct places {
	size_t count;
	struct blkbench_placed *list;
};

static void place(struct places *places, struct run_device *device,
		  const struct blkbench_range *range)
{
	device->range = *range;
	places->list[places->count++] = (struct blkbench_placed){
		.info = device->info,
		.range = *range,
	};
}

/* Beside others that have one. Returns whether it could be done. */
static bool choose_next(const struct options *options, struct places *places,
			struct run_device *device)
{
	struct blkbench_range range;

	if (!blkbench_shared_disk_choose_next(places->list, places->count,
					      device->info, &range) ||
	    !has_room(options, &range))
		return false;
	place(places, device, &range);
	return true;
}

static void choose_two(const struct options *options, struct places *places,
		       struct run_device *a, struct run_device *b)
{
	struct blkbench_range ranges[2];

	if (!is_free(a) || !is_free(b) ||
	    !blkbench_shared_disk_choose(a->info, b->info, ranges) ||
	    !has_room(options, &ranges[0]))
		return;
	place(places, a, &ranges[0]);
	place(places, b, &ranges[1]);
}

void shared_disks_choose(const struct options *options,
			 struct run_device *devices, size_t count)
{
	struct places places = { .list = calloc(count, sizeof(*places.list)) };

	/* Without memory each is read as it would be alone, and warned of. */
	if (options->has_offset || options->has_length || !places.list)
		count = 0;
	for (size_t i = 1; i < count; i++) {
		if (!is_free(&devices[i]) ||
		    choose_next(options, &places, &devices[i]))
			continue;
		for (size_t k = 0; k < i; k++)
			choose_two(options, &places, &devices[k], &devices[i]);
	}
	free(places.list);
}

/* What its plans read, which is the same for all. */
static bool find_range(const struct run_device *device,
		       struct blkbench_range *range)
{
	for (size_t i = 0; i < device->steps_count; i++) {
		const struct run_step *step = &device->steps[i];

		if (!step->plans_count)
			continue;
		range->offset_bytes = step->plans[0].offset_bytes;
		range->length_bytes = step->plans[0].length_bytes;
		return true;
	}
	return false;
}

/* Returns whether they share a disk. */
static bool look(const struct run_device *a, const struct run_device *b,
		 struct blkbench_shared_disk *shared)
{
	struct blkbench_range ranges[2];

	return find_range(a, &ranges[0]) && find_range(b, &ranges[1]) &&
	       blkbench_shared_disk_look(a->info, b->info, ranges, shared);
}

static void warn_of_sharing(struct run_device *device,
			    const struct run_device *other,
			    const struct blkbench_shared_disk *shared)
{
	struct blkbench_warning *warning = &device->shared_disk_warning;
	char text[TEXT_FIGURE_MAX];

	warning->code = "zone";
	snprintf(warning->text, sizeof(warning->text),
		 "%s of the same blocks of %.60s are read of %.60s as well: a "
		 "cache may have answered",
		 text_capacity(shared->shared_bytes, text), shared->disk,
		 other->path);
}

static void warn_of_places(struct run_device *device,
			   const struct run_device *other,
			   const struct blkbench_shared_disk *shared)
{
	struct blkbench_warning *warning = &device->shared_disk_warning;

	warning->code = "zone";
	snprintf(warning->text, sizeof(warning->text),
		 "it is read from %.1f to %.1f %% of %.40s, %.40s from %.1f to "
		 "%.1f %%: that alone may make it up to %.1f %% %s, if the "
		 "inner tracks are half as fast as the outer ones",
		 shared->begin_percent[1], shared->end_percent[1], shared->disk,
		 other->path, shared->begin_percent[0], shared->end_percent[0],
		 fabs(shared->change_percent),
		 shared->change_percent < 0 ? "slower" : "faster");
}

/* Blocks that are shared matter with any other, the place with the first. */
static void device_warn(const struct options *options,
			struct run_device *devices, size_t index)
{
	struct run_device *device = &devices[index];
	struct blkbench_shared_disk shared;

	for (size_t k = 0; k < index; k++) {
		if (!look(&devices[k], device, &shared))
			continue;
		if (shared.shared_bytes) {
			warn_of_sharing(device, &devices[k], &shared);
			break;
		}
		if (k == 0 &&
		    fabs(shared.change_percent) > options->equal_percent)
			warn_of_places(device, &devices[k], &shared);
	}
	if (device->shared_disk_warning.code)
		run_device_add_warning(device, &device->shared_disk_warning);
}

void shared_disks_warn(const struct options *options,
		       struct run_device *devices, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (devices[i].info)
			device_warn(options, devices, i);
}
