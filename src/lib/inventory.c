/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "inventory.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/major.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "mounts.h"
#include "parse.h"
#include "sysfs.h"
#include "topology.h"

int inventory_init(struct inventory *inventory, const char *path)
{
	struct blkbench_info *info = &inventory->info;
	char *resolved;

	*inventory = (struct inventory){
		.info = {
			.kind = BLKBENCH_KIND_DISK,
			.rotational = BLKBENCH_NOT_KNOWN,
			.read_only = BLKBENCH_NOT_KNOWN,
			.removable = BLKBENCH_NOT_KNOWN,
		},
		.disk_offset_bytes = BLKBENCH_UNKNOWN_OFFSET,
	};
	topology_init(&info->topology);
	resolved = realpath(path, NULL);
	info->path = string_list_add(&inventory->owned, path);
	info->resolved =
		string_list_add(&inventory->owned, resolved ? resolved : path);
	free(resolved);
	if (info->path && info->resolved)
		return 0;
	inventory_finish(inventory);
	return -ENOMEM;
}

void inventory_finish(struct inventory *inventory)
{
	string_list_finish(&inventory->owned);
	string_list_finish(&inventory->mounts);
	string_list_finish(&inventory->holders);
}

static enum blkbench_answer read_answer(int directory, const char *attribute)
{
	uint64_t value;

	if (sysfs_read_u64(directory, attribute, &value) != 0)
		return BLKBENCH_NOT_KNOWN;
	return value ? BLKBENCH_YES : BLKBENCH_NO;
}

static enum blkbench_answer first_known(enum blkbench_answer a,
					enum blkbench_answer b)
{
	return a != BLKBENCH_NOT_KNOWN ? a : b;
}

/* ---- kinds, and the names of each ------------------------------------ */

static void read_partition(struct inventory *inventory,
			   const struct sysfs *sysfs)
{
	char disk[NAME_MAX + 1];
	uint64_t number;

	sysfs_get_disk_name(sysfs, disk);
	inventory->info.parent = string_list_add(&inventory->owned, disk);
	if (sysfs_read_u64(sysfs->self, "partition", &number) == 0 &&
	    number <= UINT32_MAX)
		inventory->info.partition = (unsigned int)number;
}

static void name_lv(struct inventory *inventory, const struct sysfs *sysfs)
{
	char name[PARSE_DM_NAME_MAX], vg[PARSE_DM_NAME_MAX];
	char lv[PARSE_DM_NAME_MAX];

	if (sysfs_read_text(sysfs->self, "dm/name", name, sizeof(name)) == 0 &&
	    parse_lv_name(name, vg, lv) == 0)
		inventory->info.name = string_list_add_format(
			&inventory->owned, "LV %s in %s", lv, vg);
}

static void name_dm(struct inventory *inventory, const struct sysfs *sysfs)
{
	char name[PARSE_DM_NAME_MAX];

	if (sysfs_read_text(sysfs->self, "dm/name", name, sizeof(name)) == 0)
		inventory->info.name = string_list_add_format(
			&inventory->owned, "device-mapper %s", name);
}

static bool is_suspended(const struct sysfs *sysfs)
{
	uint64_t value;

	return sysfs_read_u64(sysfs->self, "dm/suspended", &value) == 0 &&
	       value != 0;
}

static void name_md(struct inventory *inventory, const struct sysfs *sysfs)
{
	uint64_t disks;
	char level[32];

	if (sysfs_read_text(sysfs->self, "md/level", level, sizeof(level)) ==
		    0 &&
	    sysfs_read_u64(sysfs->self, "md/raid_disks", &disks) == 0)
		inventory->info.name = string_list_add_format(
			&inventory->owned, "%s of %" PRIu64, level, disks);
}

static void name_loop(struct inventory *inventory, const struct sysfs *sysfs)
{
	char file[PATH_MAX];

	if (sysfs_read_text(sysfs->self, "loop/backing_file", file,
			    sizeof(file)) == 0)
		inventory->info.name = string_list_add_format(
			&inventory->owned, "loop on %s", file);
}

static bool is_lv(const struct sysfs *sysfs)
{
	char uuid[PARSE_DM_NAME_MAX + 1]; /* DM_UUID_LEN, with its end */

	return sysfs_read_text(sysfs->self, "dm/uuid", uuid, sizeof(uuid)) ==
		       0 &&
	       strncmp(uuid, "LVM-", strlen("LVM-")) == 0;
}

static enum blkbench_kind find_kind(const struct sysfs *sysfs,
				    unsigned int major)
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
	if (strncmp(name, "zram", strlen("zram")) == 0)
		return BLKBENCH_KIND_ZRAM;
	return BLKBENCH_KIND_DISK;
}

static void read_kind(struct inventory *inventory, const struct sysfs *sysfs)
{
	static void (*const more[])(struct inventory *,
				    const struct sysfs *) = {
		[BLKBENCH_KIND_PARTITION] = read_partition,
		[BLKBENCH_KIND_LV] = name_lv,
		[BLKBENCH_KIND_DM] = name_dm,
		[BLKBENCH_KIND_MD] = name_md,
		[BLKBENCH_KIND_LOOP] = name_loop,
		[BLKBENCH_KIND_FILE] = NULL,
	};
	struct blkbench_info *info = &inventory->info;

	info->kind = find_kind(sysfs, info->major);
	info->is_suspended = is_suspended(sysfs);
	if (more[info->kind])
		more[info->kind](inventory, sysfs);
}

/* ---- identity -------------------------------------------------------- */

static void read_attributes(struct inventory *inventory, int disk)
{
	struct blkbench_info *info = &inventory->info;
	/* Of one field, the first that is there: SCSI, NVMe, MMC, virtio. */
	const struct {
		const char **field;
		const char *attribute;
	} table[] = {
		{ &info->model, "device/model" },
		{ &info->model, "device/name" },
		{ &info->vendor, "device/vendor" },
		{ &info->firmware, "device/firmware_rev" },
		{ &info->firmware, "device/rev" },
		{ &info->firmware, "device/fwrev" },
		{ &info->serial, "device/serial" },
		{ &info->serial, "serial" },
		{ &info->wwn, "wwid" },
		{ &info->wwn, "device/wwid" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char text[BLKBENCH_TEXT_MAX];

		/* "0x1af4" is a number for drivers, and no name. */
		if (!*table[i].field &&
		    sysfs_read_text(disk, table[i].attribute, text,
				    sizeof(text)) == 0 &&
		    strncmp(text, "0x", 2) != 0)
			*table[i].field =
				string_list_add(&inventory->owned, text);
	}
}

static void read_identity(struct inventory *inventory,
			  const struct sysfs *sysfs)
{
	struct blkbench_info *info = &inventory->info;
	char serial[BLKBENCH_TEXT_MAX];
	uint8_t page[BLKBENCH_TEXT_MAX];
	int length;

	read_attributes(inventory, sysfs->disk);
	length = sysfs_read_bytes(sysfs->disk, "device/vpd_pg80", page,
				  sizeof(page));
	if (!info->serial && length > 0 &&
	    parse_vpd_serial(page, (size_t)length, serial, sizeof(serial)) == 0)
		info->serial = string_list_add(&inventory->owned, serial);
	info->transport = parse_transport(sysfs->place);
	info->removable = read_answer(sysfs->disk, "removable");
}

/* ---- use ------------------------------------------------------------- */

/* A NULL list is "not known", an empty one is none. */
static const char *const *list_items(const struct string_list *list)
{
	static const char *const none[] = { NULL };

	return list->count ? list->items : none;
}

static void read_holders(struct inventory *inventory, const struct sysfs *sysfs)
{
	struct string_list *holders = &inventory->holders;

	if (sysfs_list_holders(sysfs, holders) != 0)
		return;
	inventory->info.holders = list_items(holders);
	inventory->info.holders_count = holders->count;
}

static void read_mounts(struct inventory *inventory, const struct sysfs *sysfs,
			const struct inventory_sources *sources)
{
	struct blkbench_info *info = &inventory->info;
	struct sysfs_partition *partitions = NULL;
	struct mounts_wanted *wanted;
	int count = sysfs_list_partitions(sysfs, &partitions);

	if (count < 0)
		count = 0;
	wanted = calloc((size_t)count + 1, sizeof(*wanted));
	if (!wanted)
		goto out;
	wanted[0].devno = makedev(info->major, info->minor);
	for (int i = 0; i < count; i++)
		wanted[i + 1] = (struct mounts_wanted){
			.devno = makedev(partitions[i].major,
					 partitions[i].minor),
			.name = partitions[i].name,
		};
	if (mounts_list(sources->mountinfo, sources->swaps, wanted,
			(size_t)count + 1, &inventory->mounts) == 0) {
		info->mounts = list_items(&inventory->mounts);
		info->mounts_count = inventory->mounts.count;
	}
out:
	free(wanted);
	free(partitions);
}

/* ---- all of it ------------------------------------------------------- */

static uint64_t round_down(uint64_t bytes, uint64_t unit)
{
	return bytes - bytes % unit;
}

void inventory_read(struct inventory *inventory,
		    const struct inventory_sources *sources, unsigned int major,
		    unsigned int minor, const struct blkdev_limits *limits)
{
	struct blkbench_info *info = &inventory->info;
	struct sysfs sysfs;

	sysfs_open(&sysfs, sources->sysfs, major, minor);
	info->major = major;
	info->minor = minor;
	info->direct_works = true;
	read_kind(inventory, &sysfs);
	read_identity(inventory, &sysfs);
	info->rotational =
		first_known(limits->rotational,
			    read_answer(sysfs.disk, "queue/rotational"));
	info->read_only =
		first_known(limits->read_only, read_answer(sysfs.self, "ro"));
	topology_read(&info->topology, limits, &sysfs, &inventory->warnings);
	inventory->disk_offset_bytes =
		topology_disk_offset(&info->topology, &sysfs);
	info->size_bytes = round_down(limits->size_bytes,
				      info->topology.logical_sector_bytes);
	read_holders(inventory, &sysfs);
	read_mounts(inventory, &sysfs, sources);
	sysfs_close(&sysfs);
}

void inventory_read_file(struct inventory *inventory,
			 const struct blkdev_limits *limits)
{
	struct blkbench_info *info = &inventory->info;

	info->kind = BLKBENCH_KIND_FILE;
	/* The kernel says 0 where it would read through the page cache. */
	info->direct_works = limits->direct_offset_bytes != 0;
	topology_read_file(&info->topology, limits);
	info->size_bytes = round_down(limits->size_bytes,
				      info->topology.logical_sector_bytes);
}

void inventory_tidy(struct inventory *inventory)
{
	struct blkbench_info *info = &inventory->info;

	if (!info->vendor)
		return;
	/* libata's own name for want of one, or the model's first word. */
	if (strcmp(info->vendor, "ATA") == 0 ||
	    (info->model &&
	     strncmp(info->model, info->vendor, strlen(info->vendor)) == 0))
		info->vendor = NULL;
}

void inventory_judge(struct inventory *inventory)
{
	struct blkbench_info *info = &inventory->info;

	alignment_judge(&info->topology, inventory->disk_offset_bytes,
			&inventory->stripe, &info->alignment);
	info->warnings = inventory->warnings.items;
	info->warnings_count = inventory->warnings.count;
}
