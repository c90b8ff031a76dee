/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fixture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 4096

const char *fixture_path(char path[PATH_MAX], const char *name)
{
	const char *source = getenv("BLKBENCH_SOURCE");

	snprintf(path, PATH_MAX, "%s/tests/sysfs/%s", source ? source : ".",
		 name);
	return path;
}

static int read_targets(const char *path, struct devmapper_visitor *visitor)
{
	FILE *file = fopen(path, "r");
	char line[LINE_MAX_BYTES];

	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		struct devmapper_target target;
		char type[32];
		int end = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNu64 " %" SCNu64 " %31s %n",
			   &target.start_sectors, &target.length_sectors, type,
			   &end) != 3)
			continue;
		target.type = type;
		target.params = line + (end ? (size_t)end : strlen(line));
		visitor->visit(visitor, &target);
	}
	fclose(file);
	return 0;
}

static int read_table(const struct stack_source *source, unsigned int major,
		      unsigned int minor, struct devmapper_visitor *visitor)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/tables/%u:%u", source->sysfs, major,
		 minor);
	return read_targets(path, visitor);
}

static int read_status(const struct stack_source *source, unsigned int major,
		       unsigned int minor, struct devmapper_visitor *visitor)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/status/%u:%u", source->sysfs, major,
		 minor);
	return read_targets(path, visitor);
}

static int find_file(const struct stack_source *source, const char *path,
		     struct blkdev_file *file)
{
	char name[PATH_MAX], line[LINE_MAX_BYTES];
	int err = -ENOENT;
	FILE *files;

	snprintf(name, sizeof(name), "%s/files", source->sysfs);
	files = fopen(name, "r");
	if (!files)
		return -errno;
	while (err && fgets(line, sizeof(line), files)) {
		const bool is_block = strncmp(line, "block ", 6) == 0;
		int end = 0;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line + 6 * is_block, "%u:%u %" SCNu64 " %n",
			   &file->major, &file->minor, &file->size_bytes,
			   &end) != 3 ||
		    strcmp(line + 6 * is_block + end, path) != 0)
			continue;
		file->is_block = is_block;
		err = 0;
	}
	fclose(files);
	return err;
}

struct stack_source fixture_source(const char *root)
{
	return (struct stack_source){
		.sysfs = root,
		.read_table = read_table,
		.read_status = read_status,
		.find_file = find_file,
	};
}
