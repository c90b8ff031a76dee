/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "traffic.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layers.h"
#include "sysfs.h"

#define STAT_MAX 512

struct census {
	struct layers_visitor visitor;
	const char *sysfs;
	struct doubt_traffic *traffic;
	size_t counted; /* layers */
	bool is_known;
};

/* Whether each byte that is read of such a segment is read once below: no cache,
 * no parity to make it from, no copy of it anywhere else. */
static bool reads_once(const struct blkbench_segment *segment)
{
	static const char *const kinds[] = {
		"partition", "linear", "striped", "crypt",     "delay",
		"dust",	     "flakey", "mirror",  "multipath", "raid0",
		"raid1",     "raid10", "raid4",	  "raid5",     "raid6",
	};

	for (size_t i = 0; i < segment->legs_count; i++)
		if (segment->legs[i].layer == BLKBENCH_NO_LAYER)
			return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(segment->kind, kinds[i]) == 0)
			return true;
	return false;
}

static bool is_counted_below(const struct blkbench_layer *layer)
{
	for (size_t i = 0; i < layer->segments_count; i++)
		if (!reads_once(&layer->segments[i]))
			return false;
	return layer->segments_count > 0;
}

/* Documentation/block/stat.rst of the kernel: sectors are the third of reads,
 * and of writes. */
static bool read_stat(const char *root, const struct blkbench_layer *layer,
		      uint64_t *read_sectors, uint64_t *written_sectors)
{
	struct sysfs sysfs;
	char text[STAT_MAX];
	int err;

	sysfs_open(&sysfs, root, layer->major, layer->minor);
	err = sysfs_read_text(sysfs.self, "stat", text, sizeof(text));
	sysfs_close(&sysfs);
	return err == 0 &&
	       sscanf(text, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64,
		      read_sectors, written_sectors) == 2;
}

static void count_layer(struct census *census,
			const struct blkbench_layer *layer)
{
	struct doubt_traffic *traffic = census->traffic;
	uint64_t read_sectors, written_sectors;

	if (strcmp(layer->kind, "file") == 0 ||
	    !read_stat(census->sysfs, layer, &read_sectors, &written_sectors)) {
		census->is_known = false;
		return;
	}
	traffic->read_bytes += read_sectors * SYSFS_SECTOR_BYTES;
	traffic->written_bytes += written_sectors * SYSFS_SECTOR_BYTES;
	traffic->layer = census->counted++ == 0 ? layer->name : NULL;
}

static bool visit_layer(struct layers_visitor *visitor,
			const struct blkbench_layer *layer)
{
	struct census *census = (struct census *)visitor;

	if (is_counted_below(layer))
		return true;
	count_layer(census, layer);
	return false;
}

bool traffic_count(const char *sysfs, const struct blkbench_info *info,
		   struct doubt_traffic *traffic)
{
	struct census census = {
		.visitor = { .visit = visit_layer },
		.sysfs = sysfs,
		.traffic = traffic,
		.is_known = info->layers_count > 0,
	};

	*traffic = (struct doubt_traffic){ 0 };
	return layers_walk(info, &census.visitor) == 0 && census.is_known;
}
