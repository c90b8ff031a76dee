/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "inventory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "kind.h"
#include "mounts.h"
#include "parse.h"
#include "place.h"
#include "sysfs.h"
#include "topology.h"

int inventory_init(struct inventory *inventory, const char *path)
{
	struct blkbench_info *info = &inventory->info;
	char *resolved;

	*inventory = (struct inventory){
		.info = {
			.rotational = BLKBENCH_NOT_KNOWN,
			.read_only = BLKBENCH_NOT_KNOWN,
			.removable = BLKBENCH_NOT_KNOWN,
			.content = { .block_bytes = BLKBENCH_UNKNOWN },
		},
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
	stack_finish(&inventory->stack);
	free((void *)inventory->info.alignment.findings);
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

/* ---- kind and name --------------------------------------------------- */

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

static void read_kind(struct inventory *inventory, const struct sysfs *sysfs)
{
	struct blkbench_info *info = &inventory->info;

	info->kind = kind_find(sysfs, info->major);
	info->name = kind_name(info->kind, sysfs, &inventory->owned);
	if (info->kind == BLKBENCH_KIND_PARTITION)
		read_partition(inventory, sysfs);
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

/* ---- zones ------------------------------------------------------------ */

static void warn_of_zones(struct inventory *inventory,
			  const struct sysfs *sysfs)
{
	char model[32];

	if (sysfs_read_text(sysfs->disk, "queue/zoned", model, sizeof(model)) !=
		    0 ||
	    strcmp(model, "none") == 0)
		return;
	warnings_add(&inventory->warnings, "zoned",
		     "its zones are %s: what was not written to them since "
		     "their reset is not read from the medium, and a read "
		     "across the end of what a zone can hold may fail",
		     model);
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

/* Of two paths, one may not read at all: which, only the map knows. */
static void warn_of_map(struct inventory *inventory, const struct sysfs *sysfs,
			const char *holder)
{
	char attribute[PATH_MAX], uuid[PARSE_DM_NAME_MAX + 1];
	char name[PARSE_DM_NAME_MAX], disk[NAME_MAX + 1];

	snprintf(attribute, sizeof(attribute), "holders/%s/dm/uuid", holder);
	if (sysfs_read_text(sysfs->disk, attribute, uuid, sizeof(uuid)) != 0 ||
	    strncmp(uuid, "mpath-", strlen("mpath-")) != 0)
		return;
	snprintf(attribute, sizeof(attribute), "holders/%s/dm/name", holder);
	if (sysfs_read_text(sysfs->disk, attribute, name, sizeof(name)) != 0)
		return;
	sysfs_get_disk_name(sysfs, disk);
	warnings_add(&inventory->warnings, "path",
		     "%s is one path of the multipath map %s, and may be one "
		     "that does not read: /dev/mapper/%s uses those that do",
		     disk, name, name);
}

static void warn_of_maps(struct inventory *inventory, const struct sysfs *sysfs)
{
	struct string_list holders = { 0 };

	sysfs_list(sysfs->disk, "holders", &holders);
	for (size_t i = 0; i < holders.count; i++)
		warn_of_map(inventory, sysfs, holders.items[i]);
	string_list_finish(&holders);
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

/* ---- the stack ------------------------------------------------------- */

/* The first that is met on the way down, by its name. */
static void note_hang(struct inventory *inventory)
{
	struct blkbench_info *info = &inventory->info;

	for (size_t i = 0; i < info->layers_count && !info->hang; i++) {
		const struct blkbench_layer *layer = &info->layers[i];

		if (layer->hang && i == 0)
			info->hang = layer->hang;
		else if (layer->hang)
			info->hang = string_list_add_format(
				&inventory->owned, "%s%s%s, below it, %s",
				layer->name, layer->title ? " " : "",
				layer->title ? layer->title : "", layer->hang);
	}
	if (info->hang)
		warnings_add(&inventory->warnings, "hang", "%s", info->hang);
}

/* Of the device itself, more is known than sysfs has told. */
static void read_stack(struct inventory *inventory, int err)
{
	struct blkbench_info *info = &inventory->info;
	struct stack *stack = &inventory->stack;

	if (err)
		return;
	stack->layers[0].topology = info->topology;
	stack->layers[0].size_bytes = info->size_bytes;
	if (place_note_extents(stack->layers, stack->count) != 0)
		return;
	info->layers = stack->layers;
	info->layers_count = stack->count;
	note_hang(inventory);
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
	info->size_bytes = round_down(limits->size_bytes,
				      info->topology.logical_sector_bytes);
	read_holders(inventory, &sysfs);
	warn_of_maps(inventory, &sysfs);
	warn_of_zones(inventory, &sysfs);
	read_mounts(inventory, &sysfs, sources);
	sysfs_close(&sysfs);
	read_stack(inventory, stack_read(&inventory->stack, &sources->stack,
					 major, minor));
}

void inventory_read_file(struct inventory *inventory,
			 const struct inventory_sources *sources,
			 const struct blkdev_limits *limits)
{
	struct blkbench_info *info = &inventory->info;

	info->kind = BLKBENCH_KIND_FILE;
	/* The kernel says 0 where it would read through the page cache. */
	info->direct_works = limits->direct_offset_bytes != 0;
	topology_read_file(&info->topology, limits);
	info->size_bytes = round_down(limits->size_bytes,
				      info->topology.logical_sector_bytes);
	read_stack(inventory, stack_read_file(&inventory->stack,
					      &sources->stack, info->resolved));
}

void inventory_tidy(struct inventory *inventory)
{
	struct blkbench_info *info = &inventory->info;

	/* What libata says of itself, for want of a vendor. */
	if (info->vendor && strcmp(info->vendor, "ATA") == 0)
		info->vendor = NULL;
}

void inventory_judge(struct inventory *inventory)
{
	struct blkbench_info *info = &inventory->info;

	free((void *)info->alignment.findings);
	if (info->layers)
		alignment_judge(info->layers, &inventory->stripe,
				&info->alignment);
	info->warnings = inventory->warnings.items;
	info->warnings_count = inventory->warnings.count;
}
