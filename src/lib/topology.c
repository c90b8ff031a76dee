/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "topology.h"

#include <inttypes.h>
#include <stddef.h>

#define SECTOR_MIN 512ULL

void topology_init(struct blkbench_topology *topology)
{
	*topology = (struct blkbench_topology){
		.logical_sector_bytes = SECTOR_MIN,
		.physical_sector_bytes = BLKBENCH_UNKNOWN,
		.io_min_bytes = BLKBENCH_UNKNOWN,
		.io_opt_bytes = BLKBENCH_UNKNOWN,
		.dma_alignment_bytes = BLKBENCH_UNKNOWN,
		.max_request_bytes = BLKBENCH_UNKNOWN,
		.queue_requests = BLKBENCH_UNKNOWN,
		.alignment_offset_bytes = BLKBENCH_UNKNOWN_OFFSET,
		.start_bytes = BLKBENCH_UNKNOWN,
	};
}

static bool is_power_of_two(uint64_t value)
{
	return value && !(value & (value - 1));
}

static uint64_t first_known(uint64_t a, uint64_t b)
{
	return a != BLKBENCH_UNKNOWN ? a : b;
}

static void read_logical(struct blkbench_topology *topology, uint64_t value,
			 struct warnings *warnings)
{
	if (value == BLKBENCH_UNKNOWN)
		return;
	if (is_power_of_two(value) && value >= SECTOR_MIN &&
	    value <= TOPOLOGY_IO_MAX) {
		topology->logical_sector_bytes = value;
		return;
	}
	warnings_add(warnings, "bogus",
		     "the kernel reports a logical sector of %" PRIu64
		     " B; %llu B is used",
		     value, SECTOR_MIN);
}

static void read_physical(struct blkbench_topology *topology, uint64_t value,
			  struct warnings *warnings)
{
	const uint64_t logical = topology->logical_sector_bytes;
	const uint64_t power = value & -value; /* largest that divides it */
	const char *fault = "not a power of two";

	topology->physical_sector_bytes = value;
	if (value == BLKBENCH_UNKNOWN ||
	    (is_power_of_two(value) && value >= logical))
		return;
	if (value < logical)
		fault = "below the logical one";
	topology->physical_sector_bytes = power > logical ? power : logical;
	warnings_add(warnings, "bogus",
		     "the kernel reports a physical sector of %" PRIu64
		     " B, which is %s; %" PRIu64 " B is used",
		     value, fault, topology->physical_sector_bytes);
}

/* Why a request size cannot be meant, or NULL. */
static const char *find_fault(uint64_t value, uint64_t multiple_of)
{
	if (value > TOPOLOGY_IO_MAX)
		return "it is more than 64 MiB";
	if (multiple_of != BLKBENCH_UNKNOWN && value % multiple_of)
		return "it is not a multiple of the physical sector";
	return NULL;
}

static void read_io_min(struct blkbench_topology *topology, uint64_t value,
			struct warnings *warnings)
{
	const char *fault;

	if (value == BLKBENCH_UNKNOWN || value == 0)
		return;
	fault = find_fault(value, topology->physical_sector_bytes);
	if (!fault) {
		topology->io_min_bytes = value;
		return;
	}
	warnings_add(warnings, "bogus",
		     "the minimum I/O size of %" PRIu64 " B is ignored: %s",
		     value, fault);
}

static void read_io_opt(struct blkbench_topology *topology, uint64_t value,
			struct warnings *warnings)
{
	const char *fault;

	if (value == BLKBENCH_UNKNOWN || value == 0)
		return;
	fault = find_fault(value, topology->physical_sector_bytes);
	if (value == 0xffff * topology->logical_sector_bytes ||
	    value == 0xffff * SECTOR_MIN)
		fault = "it is 65535 sectors, which USB bridges report when "
			"they know none";
	topology->io_opt_bytes = value;
	topology->io_opt_is_bogus = fault;
	if (fault)
		warnings_add(warnings, "bogus",
			     "the optimal I/O size of %" PRIu64
			     " B is ignored: %s",
			     value, fault);
}

static void read_alignment_offset(struct blkbench_topology *topology,
				  int64_t answer, int directory)
{
	if (answer == BLKBENCH_UNKNOWN_OFFSET &&
	    sysfs_read_i64(directory, "alignment_offset", &answer) != 0)
		return;
	topology->alignment_offset_bytes = answer < 0 ? -1 : answer;
}

static void read_dma_alignment(struct blkbench_topology *topology,
			       uint64_t answer, int directory)
{
	uint64_t mask;

	if (answer != BLKBENCH_UNKNOWN && answer != 0)
		topology->dma_alignment_bytes = answer;
	else if (sysfs_read_u64(directory, "queue/dma_alignment", &mask) == 0 &&
		 is_power_of_two(mask + 1))
		topology->dma_alignment_bytes = mask + 1;
}

static void read_start(struct blkbench_topology *topology,
		       const struct sysfs *sysfs)
{
	if (sysfs->self < 0)
		return;
	topology->start_bytes = 0;
	if (sysfs->is_partition)
		topology->start_bytes = sysfs_read_size(sysfs->self, "start",
							SYSFS_SECTOR_BYTES);
}

static void read_queue(struct blkbench_topology *topology,
		       const struct blkdev_limits *limits, int disk)
{
	/* sysfs before the ioctl, whose 16 bits end at 32 MiB. */
	topology->max_request_bytes =
		first_known(sysfs_read_size(disk, "queue/max_sectors_kb", 1024),
			    limits->max_request_bytes);
	if (sysfs_read_u64(disk, "queue/nr_requests",
			   &topology->queue_requests) != 0)
		topology->queue_requests = BLKBENCH_UNKNOWN;
}

void topology_read(struct blkbench_topology *topology,
		   const struct blkdev_limits *limits,
		   const struct sysfs *sysfs, struct warnings *warnings)
{
	const int disk = sysfs->disk;

	topology_init(topology);
	read_logical(topology,
		     first_known(limits->logical_sector_bytes,
				 sysfs_read_size(
					 disk, "queue/logical_block_size", 1)),
		     warnings);
	read_physical(topology,
		      first_known(limits->physical_sector_bytes,
				  sysfs_read_size(disk,
						  "queue/physical_block_size",
						  1)),
		      warnings);
	read_io_min(
		topology,
		first_known(limits->io_min_bytes,
			    sysfs_read_size(disk, "queue/minimum_io_size", 1)),
		warnings);
	read_io_opt(
		topology,
		first_known(limits->io_opt_bytes,
			    sysfs_read_size(disk, "queue/optimal_io_size", 1)),
		warnings);
	read_dma_alignment(topology, limits->direct_memory_bytes, disk);
	read_alignment_offset(topology, limits->alignment_offset_bytes,
			      sysfs->self);
	read_queue(topology, limits, disk);
	read_start(topology, sysfs);
}

void topology_read_file(struct blkbench_topology *topology,
			const struct blkdev_limits *limits)
{
	/* Kernels before 6.1 do not tell; a page suits every disk. */
	const uint64_t fallback = 4096;
	const uint64_t sector = limits->direct_offset_bytes;

	topology_init(topology);
	topology->start_bytes = 0;
	if (sector == BLKBENCH_UNKNOWN)
		topology->logical_sector_bytes = fallback;
	else if (is_power_of_two(sector) && sector >= SECTOR_MIN)
		topology->logical_sector_bytes = sector;
	if (limits->direct_memory_bytes != 0)
		topology->dma_alignment_bytes = limits->direct_memory_bytes;
}

void topology_compare(const struct blkdev_limits *kernel,
		      const struct blkbench_topology *libblkid,
		      struct warnings *warnings)
{
	const struct {
		const char *what;
		uint64_t kernel, libblkid;
	} values[] = {
		{ "logical sector", kernel->logical_sector_bytes,
		  libblkid->logical_sector_bytes },
		{ "physical sector", kernel->physical_sector_bytes,
		  libblkid->physical_sector_bytes },
		{ "minimum I/O size", kernel->io_min_bytes,
		  libblkid->io_min_bytes },
		{ "optimal I/O size", kernel->io_opt_bytes,
		  libblkid->io_opt_bytes },
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (values[i].kernel == values[i].libblkid ||
		    values[i].kernel == BLKBENCH_UNKNOWN ||
		    values[i].libblkid == BLKBENCH_UNKNOWN)
			continue;
		warnings_add(warnings, "topology",
			     "libblkid has a %s of %" PRIu64
			     " B, the kernel %" PRIu64
			     " B; the kernel's is used",
			     values[i].what, values[i].libblkid,
			     values[i].kernel);
	}
	if (libblkid->alignment_offset_bytes != BLKBENCH_UNKNOWN_OFFSET &&
	    libblkid->alignment_offset_bytes != kernel->alignment_offset_bytes)
		warnings_add(warnings, "topology",
			     "libblkid has an alignment offset of %" PRId64
			     " B, the kernel another; the kernel's is used",
			     libblkid->alignment_offset_bytes);
}
