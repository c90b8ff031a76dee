/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "md.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "raid.h"

#define KIB 1024ULL
#define MEMBERS_MAX 1920 /* that metadata 1.x has room for: md_p.h */

struct member {
	struct mapping_leg leg;
	uint64_t size_bytes; /* that are used for data, or UNKNOWN */
};

struct array {
	const struct raid_level *level; /* NULL: not known */
	uint64_t chunk_bytes;		/* or UNKNOWN */
	size_t data_members;		/* 0: not known */
	bool has_ordered_zones; /* all zones begin with their first member */
	size_t members_count;
	struct member *members;
};

/* ---- from sysfs ------------------------------------------------------ */

static void read_member(const struct sysfs *sysfs, size_t slot,
			struct member *member)
{
	struct mapping_leg *leg = &member->leg;
	char attribute[64];

	snprintf(attribute, sizeof(attribute), "md/rd%zu/block/dev", slot);
	leg->is_missing = sysfs_read_devno(sysfs->self, attribute, &leg->major,
					   &leg->minor) != 0;
	snprintf(attribute, sizeof(attribute), "md/rd%zu/offset", slot);
	leg->offset_bytes =
		sysfs_read_size(sysfs->self, attribute, SYSFS_SECTOR_BYTES);
	snprintf(attribute, sizeof(attribute), "md/rd%zu/size", slot);
	member->size_bytes = sysfs_read_size(sysfs->self, attribute, KIB);
	if (member->size_bytes == 0)
		member->size_bytes = BLKBENCH_UNKNOWN;
}

/* raid0 counts the chunks of a zone from its start only with the alternate
 * layout (RAID0_ALT_MULTIZONE_LAYOUT of the kernel's raid0.h). */
static bool has_alternate_layout(const struct sysfs *sysfs)
{
	uint64_t layout;

	return sysfs_read_u64(sysfs->self, "md/layout", &layout) == 0 &&
	       layout == 2;
}

/* While it changes its shape, a part of it has another one. */
static bool is_reshaping(const struct sysfs *sysfs)
{
	char position[32];

	return sysfs_read_text(sysfs->self, "md/reshape_position", position,
			       sizeof(position)) == 0 &&
	       strcmp(position, "none") != 0;
}

/* The layout of raid10 as raid10.c has it: a byte of each, and a bit. */
static struct raid_copies read_copies(const struct sysfs *sysfs,
				      const struct raid_level *level)
{
	uint64_t layout;

	if (strcmp(level->name, "raid10") != 0)
		return raid_no_copies;
	if (sysfs_read_u64(sysfs->self, "md/layout", &layout) != 0)
		return (struct raid_copies){ 0 };
	return (struct raid_copies){
		.near = layout & 0xff,
		.far = layout >> 8 & 0xff,
		.is_offset = layout >> 16 & 1,
	};
}

static void read_geometry(const struct sysfs *sysfs, struct array *array)
{
	struct raid_copies copies;
	char level[32];

	array->chunk_bytes = BLKBENCH_UNKNOWN;
	if (is_reshaping(sysfs) ||
	    sysfs_read_text(sysfs->self, "md/level", level, sizeof(level)) != 0)
		return;
	array->level = raid_find(level);
	if (!array->level)
		return;
	if (array->level->is_striped)
		array->chunk_bytes =
			sysfs_read_size(sysfs->self, "md/chunk_size", 1);
	if (array->chunk_bytes == 0)
		array->chunk_bytes = BLKBENCH_UNKNOWN;
	array->has_ordered_zones = has_alternate_layout(sysfs);
	copies = read_copies(sysfs, array->level);
	array->data_members =
		raid_data_members(array->level, array->members_count, &copies);
	if (array->level->is_striped && array->chunk_bytes == BLKBENCH_UNKNOWN)
		array->data_members = 0;
}

/* Returns 0, or -ENOMEM. */
static int read_members(const struct sysfs *sysfs, struct array *array)
{
	uint64_t count;

	if (sysfs_read_u64(sysfs->self, "md/raid_disks", &count) != 0 ||
	    count > MEMBERS_MAX)
		count = 0;
	array->members = calloc(count + 1, sizeof(*array->members));
	if (!array->members)
		return -ENOMEM;
	array->members_count = count;
	for (size_t i = 0; i < count; i++)
		read_member(sysfs, i, &array->members[i]);
	return 0;
}

/* ---- to a mapping ---------------------------------------------------- */

static void add_member(struct mapping *mapping, const struct member *member,
		       uint64_t done_bytes)
{
	struct mapping_leg leg = member->leg;

	if (leg.offset_bytes != BLKBENCH_UNKNOWN)
		leg.offset_bytes += done_bytes;
	if (!mapping->error)
		mapping_add_leg(mapping, &leg);
}

static void map_alike(struct mapping *mapping, const struct array *array,
		      uint64_t size_bytes)
{
	const struct mapping_segment segment = {
		.kind = array->level ? array->level->name : "not known",
		.length_bytes = size_bytes,
		.chunk_bytes = array->chunk_bytes,
		.data_members = array->data_members,
	};
	const struct member missing = {
		.leg = { .is_missing = true },
	};

	mapping_add_segment(mapping, &segment);
	for (size_t i = 0; i < array->members_count; i++)
		add_member(mapping, &array->members[i], 0);
	if (array->members_count == 0)
		add_member(mapping, &missing, 0);
}

/* One behind the other. */
static void map_linear(struct mapping *mapping, const struct array *array)
{
	struct mapping_segment segment = {
		.kind = array->level->name,
		.chunk_bytes = BLKBENCH_UNKNOWN,
		.data_members = 1,
	};

	for (size_t i = 0; i < array->members_count; i++) {
		segment.length_bytes = array->members[i].size_bytes;
		mapping_add_segment(mapping, &segment);
		add_member(mapping, &array->members[i], 0);
		segment.start_bytes += segment.length_bytes;
	}
}

/* Bytes of each member up to the end of the next smallest one, or UNKNOWN. */
static uint64_t find_zone_end(const struct array *array, uint64_t done)
{
	uint64_t end = BLKBENCH_UNKNOWN;

	for (size_t i = 0; i < array->members_count; i++)
		if (array->members[i].size_bytes > done &&
		    array->members[i].size_bytes < end)
			end = array->members[i].size_bytes;
	return end;
}

/* Where the smallest member ends, the next zone goes on without it. */
static void map_zones(struct mapping *mapping, const struct array *array)
{
	struct mapping_segment segment = {
		.kind = array->level->name,
		.chunk_bytes = array->chunk_bytes,
	};
	uint64_t done = 0, end;

	while ((end = find_zone_end(array, done)) != BLKBENCH_UNKNOWN) {
		size_t members = 0;

		for (size_t i = 0; i < array->members_count; i++)
			members += array->members[i].size_bytes > done;
		segment.length_bytes = (end - done) * members;
		segment.data_members = done == 0 || members == 1 ||
						       array->has_ordered_zones
					       ? members
					       : 0;
		mapping_add_segment(mapping, &segment);
		for (size_t i = 0; i < array->members_count; i++)
			if (array->members[i].size_bytes > done)
				add_member(mapping, &array->members[i], done);
		segment.start_bytes += segment.length_bytes;
		done = end;
	}
}

static bool are_sizes_known(const struct array *array)
{
	for (size_t i = 0; i < array->members_count; i++)
		if (array->members[i].size_bytes > INT64_MAX / MEMBERS_MAX)
			return false;
	return array->members_count > 0;
}

static bool is_level(const struct array *array, const char *name)
{
	return array->level && strcmp(array->level->name, name) == 0;
}

void md_map(struct mapping *mapping, const struct sysfs *sysfs,
	    uint64_t size_bytes)
{
	struct array array = { 0 };

	mapping->error = read_members(sysfs, &array);
	if (mapping->error)
		return;
	read_geometry(sysfs, &array);
	if ((is_level(&array, "linear") || is_level(&array, "raid0")) &&
	    !are_sizes_known(&array))
		array.data_members = 0;
	if (array.data_members && is_level(&array, "linear"))
		map_linear(mapping, &array);
	else if (array.data_members && is_level(&array, "raid0"))
		map_zones(mapping, &array);
	else
		map_alike(mapping, &array, size_bytes);
	free(array.members);
}
