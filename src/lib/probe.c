/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "probe.h"

#include <blkid/blkid.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "topology.h"

static uint64_t known(unsigned long value)
{
	return value ? value : BLKBENCH_UNKNOWN;
}

static void copy_topology(blkid_topology from,
			  struct blkbench_topology *topology)
{
	/* It has a signed number in an unsigned type. */
	const long offset = (long)blkid_topology_get_alignment_offset(from);

	topology->logical_sector_bytes =
		known(blkid_topology_get_logical_sector_size(from));
	topology->physical_sector_bytes =
		known(blkid_topology_get_physical_sector_size(from));
	topology->io_min_bytes =
		known(blkid_topology_get_minimum_io_size(from));
	topology->io_opt_bytes =
		known(blkid_topology_get_optimal_io_size(from));
	if (offset)
		topology->alignment_offset_bytes = offset < 0 ? -1 : offset;
}

void probe_topology(int fd, struct blkbench_topology *topology)
{
	blkid_probe probe = blkid_new_probe();
	blkid_topology found = NULL;

	topology_init(topology);
	topology->logical_sector_bytes = BLKBENCH_UNKNOWN;
	if (!probe)
		return;
	if (blkid_probe_set_device(probe, fd, 0, 0) == 0)
		found = blkid_probe_get_topology(probe);
	if (found)
		copy_topology(found, topology);
	blkid_free_probe(probe);
	/* It switched the descriptor's read-ahead off, for good. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_NORMAL);
}

/* A value in words that can be printed, or NULL. */
static const char *copy_value(blkid_probe probe, const char *name,
			      struct string_list *owned)
{
	const char *value, *copy = NULL;
	char *text;

	if (blkid_probe_lookup_value(probe, name, &value, NULL) != 0)
		return NULL;
	text = strdup(value);
	if (!text)
		return NULL;
	parse_clean(text);
	if (*text)
		copy = string_list_add(owned, text);
	free(text);
	return copy;
}

/* What is called its block size is that of sectors for some, as XFS. */
static uint64_t read_block_size(blkid_probe probe, const char *type)
{
	const char *value;
	uint64_t bytes;

	if (strncmp(type, "ext", strlen("ext")) != 0 ||
	    blkid_probe_lookup_value(probe, "BLOCK_SIZE", &value, NULL) != 0 ||
	    parse_u64(value, &bytes) != 0 || bytes == 0)
		return BLKBENCH_UNKNOWN;
	return bytes;
}

/* Nothing that is known already is given up for nothing. */
static void copy_content(blkid_probe probe, struct string_list *owned,
			 struct blkbench_content *content)
{
	const char *type = copy_value(probe, "TYPE", owned);

	if (type) {
		content->type = type;
		content->usage = copy_value(probe, "USAGE", owned);
		content->label = copy_value(probe, "LABEL", owned);
		content->uuid = copy_value(probe, "UUID", owned);
		content->block_bytes = read_block_size(probe, type);
		return;
	}
	type = copy_value(probe, "PTTYPE", owned);
	if (type) {
		content->type = type;
		content->usage = "other";
		content->uuid = copy_value(probe, "PTUUID", owned);
	}
}

void probe_content(int fd, uint64_t sector_bytes, struct string_list *owned,
		   struct blkbench_content *content)
{
	blkid_probe probe = blkid_new_probe();

	if (!probe)
		return;
	if (blkid_probe_set_device(probe, fd, 0, 0) != 0 ||
	    blkid_probe_set_sectorsize(probe, (unsigned int)sector_bytes) != 0)
		goto out;
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(
		probe, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID |
			       BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE);
	blkid_probe_enable_partitions(probe, 1);
	/* Safe: more than one answer is none. */
	if (blkid_do_safeprobe(probe) == 0)
		copy_content(probe, owned, content);
out:
	blkid_free_probe(probe);
}
