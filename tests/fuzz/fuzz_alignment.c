/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
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
	alignment_judge(&topology, input.disk_offset, &input.stripe,
			&alignment);
	assert(alignment.findings_count <= BLKBENCH_FINDINGS_MAX);
	assert(alignment.text[0]);
	for (size_t i = 0; i < alignment.findings_count; i++)
		check_finding(&alignment.findings[i], input.start);
	return 0;
}
