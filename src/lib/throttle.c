/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "throttle.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers.h"
#include "parse.h"
#include "string_list.h"
#include "sysfs.h"

static bool is_file(const struct blkbench_layer *layer)
{
	return strcmp(layer->kind, "file") == 0;
}

/* ---- cgroups --------------------------------------------------------- */

enum unit { BYTES_PER_S, READS_PER_S };

/*
 * Documentation/admin-guide/cgroup-v2.rst, "IO Interface Files", and cgroup-v1/
 * blkio-controller.rst. A line is for a device, "8:16 rbps=1048576 wbps=max" and
 * "8:16 1048576"; what is not limited has none, or "max". Where both versions
 * are in use, the second is mounted below the first.
 */
static const struct rule {
	const char *controller; /* in /proc/self/cgroup */
	const char *directory;	/* below sysfs */
	const char *file, *key;
	enum unit unit;
} rules[] = {
	{ "", "fs/cgroup", "io.max", "rbps=", BYTES_PER_S },
	{ "", "fs/cgroup", "io.max", "riops=", READS_PER_S },
	{ "", "fs/cgroup/unified", "io.max", "rbps=", BYTES_PER_S },
	{ "", "fs/cgroup/unified", "io.max", "riops=", READS_PER_S },
	{ "blkio", "fs/cgroup/blkio", "blkio.throttle.read_bps_device", "",
	  BYTES_PER_S },
	{ "blkio", "fs/cgroup/blkio", "blkio.throttle.read_iops_device", "",
	  READS_PER_S },
};

/* Of a path the end tells more than the begin. */
static void set_file(struct doubt_limit *limit, const char *path)
{
	const size_t length = strlen(path);
	const size_t room = sizeof(limit->file) - 1;

	if (length <= room)
		snprintf(limit->file, sizeof(limit->file), "%s", path);
	else
		snprintf(limit->file, sizeof(limit->file), "...%s",
			 path + length - (room - 3));
}

/* Returns whether the line limits the layer, and to what. */
static bool read_line(const struct rule *rule, char *line,
		      const struct blkbench_layer *layer, uint64_t *value)
{
	unsigned int major, minor;
	char *rest = NULL, *word;

	word = strtok_r(line, " \n", &rest);
	if (!word || parse_devno(word, &major, &minor) < 0 ||
	    major != layer->major || minor != layer->minor)
		return false;
	while ((word = strtok_r(NULL, " \n", &rest)))
		if (strncmp(word, rule->key, strlen(rule->key)) == 0)
			return parse_u64(word + strlen(rule->key), value) == 0;
	return false;
}

static void read_limits(const struct rule *rule, const char *path,
			const struct blkbench_layer *layer,
			struct doubt_limit *limit)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	uint64_t value;

	if (!file)
		return;
	while (getline(&line, &size, file) > 0) {
		if (!read_line(rule, line, layer, &value) ||
		    value >= limit->value)
			continue;
		limit->value = value;
		set_file(limit, path);
	}
	free(line);
	fclose(file);
}

/* That of a group holds for all below it: up to where it is mounted. */
static void climb(const struct rule *rule, const char *sysfs, const char *group,
		  const struct blkbench_layer *layer, struct doubt_limit *limit)
{
	char at[PATH_MAX], path[2 * PATH_MAX];
	char *end;

	snprintf(at, sizeof(at), "%s", group);
	for (;;) {
		/* "/" is where it is mounted, as "" is. */
		end = strrchr(at, '/');
		if (end && !end[1])
			*end = '\0';
		snprintf(path, sizeof(path), "%s/%s%s/%s", sysfs,
			 rule->directory, at, rule->file);
		read_limits(rule, path, layer, limit);
		end = strrchr(at, '/');
		if (!end)
			return;
		*end = '\0';
	}
}

static bool has_controller(char *controllers, const char *name)
{
	char *rest = NULL, *word;

	if (!*name)
		return !*controllers;
	for (word = strtok_r(controllers, ",", &rest); word;
	     word = strtok_r(NULL, ",", &rest))
		if (strcmp(word, name) == 0)
			return true;
	return false;
}

/* "7:blkio:/a/b", "0::/a/b". Returns false if there is none. */
static bool find_group(const char *cgroup, const char *controller,
		       char group[PATH_MAX])
{
	FILE *file = fopen(cgroup, "re");
	bool is_found = false;
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return false;
	while (!is_found && getline(&line, &size, file) > 0) {
		char *rest = line, *controllers;

		line[strcspn(line, "\n")] = '\0';
		strsep(&rest, ":");
		controllers = strsep(&rest, ":");
		is_found = rest && has_controller(controllers, controller);
		if (is_found)
			snprintf(group, PATH_MAX, "%s", rest);
	}
	free(line);
	fclose(file);
	return is_found;
}

/* The lowest of all layers, and how many have one. */
static void add_layer(struct doubt_limit *limit, const struct doubt_limit *own,
		      const struct blkbench_layer *layer)
{
	const size_t layers = limit->layers + 1;

	if (own->value == BLKBENCH_UNKNOWN)
		return;
	if (own->value < limit->value) {
		*limit = *own;
		limit->layer = layer->name;
		limit->request_bytes = layer->topology.max_request_bytes;
	}
	limit->layers = layers;
}

static struct doubt_limit *get_limit(struct doubt_limits *limits,
				     enum unit unit)
{
	return unit == BYTES_PER_S ? &limits->bytes_per_s
				   : &limits->reads_per_s;
}

static void find_cgroup_limits(const char *sysfs, const char *cgroup,
			       const struct blkbench_layer *layer,
			       struct doubt_limits *limits)
{
	struct doubt_limits own;
	char group[PATH_MAX];

	doubt_limits_init(&own);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (find_group(cgroup, rules[i].controller, group))
			climb(&rules[i], sysfs, group, layer,
			      get_limit(&own, rules[i].unit));
	add_layer(&limits->bytes_per_s, &own.bytes_per_s, layer);
	add_layer(&limits->reads_per_s, &own.reads_per_s, layer);
}

/* ---- queues ---------------------------------------------------------- */

/*
 * How many reads it takes at a time. Each hardware queue has nr_requests of its
 * own, a SCSI unit one depth for all; what has no such queue takes any number.
 */
static uint64_t read_depth(const struct sysfs *sysfs, const char **attribute)
{
	struct string_list queues = { 0 };
	uint64_t requests, depth, unit;

	*attribute = "queue/nr_requests";
	if (sysfs_list(sysfs->disk, "mq", &queues) < 0 || queues.count == 0 ||
	    sysfs_read_u64(sysfs->disk, "queue/nr_requests", &requests) < 0)
		depth = BLKBENCH_UNKNOWN;
	else
		depth = requests * queues.count;
	string_list_finish(&queues);
	if (sysfs_read_u64(sysfs->disk, "device/queue_depth", &unit) < 0 ||
	    unit >= depth)
		return depth;
	*attribute = "device/queue_depth";
	return unit;
}

/* Those of several disks add up. */
static void add_depth(const char *root, const struct blkbench_layer *layer,
		      struct doubt_limit *limit)
{
	const char *attribute;
	struct sysfs sysfs;
	uint64_t depth;

	sysfs_open(&sysfs, root, layer->major, layer->minor);
	depth = read_depth(&sysfs, &attribute);
	sysfs_close(&sysfs);
	if (limit->layers++ == 0) {
		limit->value = depth;
		limit->layer = layer->name;
		set_file(limit, attribute);
	} else if (depth == BLKBENCH_UNKNOWN ||
		   limit->value == BLKBENCH_UNKNOWN) {
		limit->value = BLKBENCH_UNKNOWN;
	} else {
		limit->value += depth;
	}
}

/* The disks that the device lies on. What a loop device reads of its file comes
 * at a pace of its own: it is one itself. */
static bool is_disk(const struct blkbench_info *info,
		    const struct blkbench_layer *layer)
{
	for (size_t i = 0; i < layer->segments_count; i++)
		for (size_t k = 0; k < layer->segments[i].legs_count; k++) {
			const size_t below = layer->segments[i].legs[k].layer;

			if (below != BLKBENCH_NO_LAYER &&
			    !is_file(&info->layers[below]))
				return false;
		}
	return !is_file(layer);
}

struct disks {
	struct layers_visitor visitor;
	const char *sysfs;
	const struct blkbench_info *info;
	struct doubt_limit *limit;
};

static bool visit_layer(struct layers_visitor *visitor,
			const struct blkbench_layer *layer)
{
	struct disks *disks = (struct disks *)visitor;

	if (!is_disk(disks->info, layer))
		return true;
	add_depth(disks->sysfs, layer, disks->limit);
	return false;
}

static void find_depth(const char *sysfs, const struct blkbench_info *info,
		       struct doubt_limit *limit)
{
	struct disks disks = {
		.visitor = { .visit = visit_layer },
		.sysfs = sysfs,
		.info = info,
		.limit = limit,
	};

	/* Without memory nothing is known to hold reads back. */
	if (layers_walk(info, &disks.visitor) < 0)
		limit->value = BLKBENCH_UNKNOWN;
}

static void find_read_ahead(const char *root, const struct blkbench_layer *top,
			    struct doubt_limit *limit)
{
	struct sysfs sysfs;

	sysfs_open(&sysfs, root, top->major, top->minor);
	limit->value = sysfs_read_size(sysfs.disk, "queue/read_ahead_kb", 1024);
	limit->layer = top->name;
	sysfs_close(&sysfs);
}

void throttle_find(const char *sysfs, const char *cgroup,
		   const struct blkbench_info *info,
		   struct doubt_limits *limits)
{
	doubt_limits_init(limits);
	if (info->layers_count == 0)
		return;
	for (size_t i = 0; i < info->layers_count; i++)
		if (!is_file(&info->layers[i]))
			find_cgroup_limits(sysfs, cgroup, &info->layers[i],
					   limits);
	find_depth(sysfs, info, &limits->in_flight);
	find_read_ahead(sysfs, &info->layers[0], &limits->read_ahead);
}
