/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "kind.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/major.h>
#include <string.h>

#include "parse.h"

static const char *name_lv(const struct sysfs *sysfs, struct string_list *owner)
{
	char name[PARSE_DM_NAME_MAX], vg[PARSE_DM_NAME_MAX];
	char lv[PARSE_DM_NAME_MAX];

	if (sysfs_read_text(sysfs->self, "dm/name", name, sizeof(name)) != 0 ||
	    parse_lv_name(name, vg, lv) != 0)
		return NULL;
	return string_list_add_format(owner, "LV %s in %s", lv, vg);
}

static const char *name_dm(const struct sysfs *sysfs, struct string_list *owner)
{
	char name[PARSE_DM_NAME_MAX];

	if (sysfs_read_text(sysfs->self, "dm/name", name, sizeof(name)) != 0)
		return NULL;
	return string_list_add_format(owner, "device-mapper %s", name);
}

static const char *name_md(const struct sysfs *sysfs, struct string_list *owner)
{
	uint64_t disks;
	char level[32];

	if (sysfs_read_text(sysfs->self, "md/level", level, sizeof(level)) !=
		    0 ||
	    sysfs_read_u64(sysfs->self, "md/raid_disks", &disks) != 0)
		return NULL;
	return string_list_add_format(owner, "%s of %" PRIu64, level, disks);
}

static const char *name_loop(const struct sysfs *sysfs,
			     struct string_list *owner)
{
	char file[PATH_MAX];

	if (sysfs_read_text(sysfs->self, "loop/backing_file", file,
			    sizeof(file)) != 0)
		return NULL;
	return string_list_add_format(owner, "loop on %s", file);
}

static bool is_lv(const struct sysfs *sysfs)
{
	char uuid[PARSE_DM_NAME_MAX + 1]; /* DM_UUID_LEN, with its end */

	return sysfs_read_text(sysfs->self, "dm/uuid", uuid, sizeof(uuid)) ==
		       0 &&
	       strncmp(uuid, "LVM-", strlen("LVM-")) == 0;
}

enum blkbench_kind kind_find(const struct sysfs *sysfs, unsigned int major)
{
	char name[NAME_MAX + 1];

	sysfs_get_name(sysfs, name);
	if (sysfs->is_partition)
		return BLKBENCH_KIND_PARTITION;
	if (sysfs_has(sysfs->self, "dm"))
		return is_lv(sysfs) ? BLKBENCH_KIND_LV : BLKBENCH_KIND_DM;
	if (sysfs_has(sysfs->self, "md"))
		return BLKBENCH_KIND_MD;
	if (major == LOOP_MAJOR)
		return BLKBENCH_KIND_LOOP;
	if (sysfs->self < 0)
		return BLKBENCH_KIND_UNKNOWN;
	if (strncmp(name, "zram", strlen("zram")) == 0)
		return BLKBENCH_KIND_ZRAM;
	return BLKBENCH_KIND_DISK;
}

const char *kind_name(enum blkbench_kind kind, const struct sysfs *sysfs,
		      struct string_list *owner)
{
	static const char *(*const names[])(const struct sysfs *,
					    struct string_list *) = {
		[BLKBENCH_KIND_LV] = name_lv, [BLKBENCH_KIND_DM] = name_dm,
		[BLKBENCH_KIND_MD] = name_md, [BLKBENCH_KIND_LOOP] = name_loop,
		[BLKBENCH_KIND_FILE] = NULL,
	};

	return names[kind] ? names[kind](sysfs, owner) : NULL;
}
