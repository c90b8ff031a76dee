/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "alignment.h"

struct input {
	uint64_t start, physical, io_min, io_opt;
	int64_t device_offset, disk_offset;
	struct alignment_stripe stripe;
	uint8_t logical_power; /* from 512 */
};

/* A start that is said to be aligned is; and none lies between. */
static void check_finding(const struct blkbench_finding *finding,
			  uint64_t start)
{
	const uint64_t boundary = finding->boundary_bytes;
	const uint64_t remainder = finding->remainder_bytes;
	const uint64_t next = finding->next_start_bytes;

	assert(remainder < boundary);
	assert(memchr(finding->text, '\0', sizeof(finding->text)));
	if (remainder == 0)
		assert(next == start);
	else if (next != BLKBENCH_UNKNOWN)
		assert(next > start && next - start == boundary - remainder);
}

/* A partition on a disk. */
static void judge(const struct input *input,
		  const struct blkbench_topology *topology,
		  struct blkbench_alignment *alignment)
{
	const struct blkbench_leg leg = {
		.layer = 1,
		.offset_bytes = input->start,
		.multiple_bytes = BLKBENCH_UNKNOWN,
	};
	const struct blkbench_segment segment = {
		.kind = "partition",
		.length_bytes = 1 << 20,
		.chunk_bytes = BLKBENCH_UNKNOWN,
		.full_stripe_bytes = BLKBENCH_UNKNOWN,
		.data_members = 1,
		.legs_count = 1,
		.legs = &leg,
	};
	struct blkbench_layer layers[] = {
		{ .name = "sda1",
		  .kind = "partition",
		  .topology = *topology,
		  .size_bytes = 1 << 20,
		  .segments_count = 1,
		  .segments = &segment },
		{ .name = "sda",
		  .kind = "disk",
		  .topology = *topology,
		  .size_bytes = BLKBENCH_UNKNOWN },
	};

	layers[1].topology.alignment_offset_bytes = input->disk_offset;
	alignment_judge(layers, &input->stripe, alignment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct blkbench_topology topology = { 0 };
	struct blkbench_alignment alignment;
	struct input input = { 0 };

	memcpy(&input, data, length < sizeof(input) ? length : sizeof(input));
	topology.logical_sector_bytes = 512ULL << input.logical_power % 8;
	topology.physical_sector_bytes = input.physical;
	topology.io_min_bytes = input.io_min;
	topology.io_opt_bytes = input.io_opt;
	topology.alignment_offset_bytes = input.device_offset;
	topology.start_bytes = input.start;
	judge(&input, &topology, &alignment);
	assert(alignment.text[0]);
	for (size_t i = 0; i < alignment.findings_count; i++)
		check_finding(&alignment.findings[i], input.start);
	free((void *)alignment.findings);
	return 0;
}
