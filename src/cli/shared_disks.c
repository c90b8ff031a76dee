/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>
#include <stdio.h>

#include "text.h"
#include "shared_disks.h"

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

void shared_disks_choose(const struct options *options,
			 struct run_device *devices, size_t count)
{
	struct blkbench_range ranges[2];

	if (options->has_offset || options->has_length)
		return;
	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (!is_free(&devices[i]) || !is_free(&devices[k]) ||
			    !blkbench_shared_disk_choose(
				    devices[k].info, devices[i].info, ranges) ||
			    !has_room(options, &ranges[0]))
				continue;
			devices[k].range = ranges[0];
			devices[i].range = ranges[1];
		}
	}
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
