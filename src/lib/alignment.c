/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "alignment.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define KIB 1024ULL
#define MIB (1024 * KIB)

/* Chunks and stripes are often no powers of two: always %, never a mask. */
struct boundary {
	const char *layer;
	const char *unit; /* what it is the edge of, in a sentence */
	uint64_t bytes;
	uint64_t offset_bytes; /* where on the disk one begins */
	bool is_declared;
};

/* ---- arithmetic ------------------------------------------------------ */

/* How far position is past a boundary; cannot overflow. */
static uint64_t find_remainder(uint64_t position,
			       const struct boundary *boundary)
{
	const uint64_t here = position % boundary->bytes;
	const uint64_t there = boundary->offset_bytes % boundary->bytes;

	return here >= there ? here - there : boundary->bytes - (there - here);
}

/* The nearest one not before position, or UNKNOWN beyond 64 bits. */
static uint64_t find_next(uint64_t position, const struct boundary *boundary)
{
	const uint64_t remainder = find_remainder(position, boundary);
	uint64_t next;

	if (remainder == 0)
		return position;
	if (__builtin_add_overflow(position, boundary->bytes - remainder,
				   &next))
		return BLKBENCH_UNKNOWN;
	return next;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Narrows the starts that suit joint, of which *next is one, to those that suit
 * b as well, and moves *next on to the first of them. Steps along the larger
 * until the smaller fits: within smaller / divisor steps, or never.
 */
static bool join(uint64_t *next, struct boundary *joint,
		 const struct boundary *b)
{
	const uint64_t divisor =
		greatest_common_divisor(joint->bytes, b->bytes);
	const bool is_larger = b->bytes > joint->bytes;
	const struct boundary large = is_larger ? *b : *joint;
	const struct boundary small = is_larger ? *joint : *b;
	const uint64_t steps = small.bytes / divisor;
	uint64_t at = find_next(*next, &large);

	for (uint64_t i = 0; i < steps && i < UINT16_MAX; i++) {
		if (at == BLKBENCH_UNKNOWN)
			return false;
		if (find_remainder(at, &small) == 0) {
			*next = at;
			joint->offset_bytes = at;
			return !__builtin_mul_overflow(large.bytes, steps,
						       &joint->bytes);
		}
		if (__builtin_add_overflow(at, large.bytes, &at))
			return false;
	}
	return false;
}

/* The nearest start not before this one that suits all declared boundaries, or
 * UNKNOWN. */
static uint64_t find_next_start(uint64_t start,
				const struct boundary *boundaries, size_t count)
{
	struct boundary joint = { .bytes = 1 };

	for (size_t i = 0; i < count; i++)
		if (boundaries[i].is_declared &&
		    !join(&start, &joint, &boundaries[i]))
			return BLKBENCH_UNKNOWN;
	return start;
}

/* ---- boundaries and the verdict -------------------------------------- */

#define BOUNDARIES_MAX 6

static bool is_listed(const struct boundary *boundaries, size_t count,
		      const struct boundary *boundary)
{
	for (size_t i = 0; i < count; i++)
		if (boundaries[i].bytes == boundary->bytes &&
		    find_remainder(boundary->offset_bytes, &boundaries[i]) == 0)
			return true;
	return false;
}

static size_t list_boundaries(const struct blkbench_topology *topology,
			      int64_t disk_offset,
			      const struct alignment_stripe *stripe,
			      struct boundary boundaries[BOUNDARIES_MAX])
{
	/* Where the layers disagree, no byte is known to be aligned to any of
	 * them; a stripe that is given does not depend on them. */
	const bool is_known = disk_offset >= 0;
	const uint64_t offset = is_known ? (uint64_t)disk_offset : 0;
	const uint64_t io_opt = topology->io_opt_is_bogus
					? BLKBENCH_UNKNOWN
					: topology->io_opt_bytes;
	const struct boundary all[BOUNDARIES_MAX] = {
		{ "physical sector", "a physical sector",
		  topology->physical_sector_bytes, offset, is_known },
		{ "minimum I/O", "a chunk", topology->io_min_bytes, offset,
		  is_known },
		{ "optimal I/O", "a stripe", io_opt, offset, is_known },
		{ "given stripe", "a given stripe", stripe->bytes,
		  stripe->offset_bytes, true },
		{ "4 KiB", "a 4 KiB boundary", 4 * KIB, offset, false },
		{ "1 MiB", "a 1 MiB boundary", MIB, offset, false },
	};
	size_t count = 0;

	for (size_t i = 0; i < BOUNDARIES_MAX; i++)
		if (all[i].bytes != 0 && all[i].bytes != BLKBENCH_UNKNOWN &&
		    !is_listed(boundaries, count, &all[i]))
			boundaries[count++] = all[i];
	return count;
}

static enum blkbench_verdict
find_verdict(const struct blkbench_topology *topology, int64_t disk_offset,
	     const struct blkbench_alignment *alignment)
{
	bool has_boundary = topology->start_bytes == 0 && disk_offset == 0;

	if (disk_offset < 0 || topology->alignment_offset_bytes == -1)
		return BLKBENCH_MISALIGNED;
	for (size_t i = 0; i < alignment->findings_count; i++) {
		const struct blkbench_finding *at = &alignment->findings[i];

		if (!at->is_declared)
			continue;
		if (at->remainder_bytes)
			return BLKBENCH_MISALIGNED;
		if (at->boundary_bytes > topology->logical_sector_bytes)
			has_boundary = true;
	}
	return has_boundary ? BLKBENCH_ALIGNED : BLKBENCH_ALIGNMENT_UNKNOWN;
}

/* ---- words ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void
append(char text[BLKBENCH_TEXT_MAX], const char *format, ...)
{
	const size_t length = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, BLKBENCH_TEXT_MAX - length, format, args);
	va_end(args);
}

static void describe_finding(const struct boundary *boundary, uint64_t start,
			     struct blkbench_finding *finding)
{
	*finding = (struct blkbench_finding){
		.layer = boundary->layer,
		.boundary_bytes = boundary->bytes,
		.remainder_bytes = find_remainder(start, boundary),
		.next_start_bytes = find_next(start, boundary),
		.is_declared = boundary->is_declared,
	};
	if (finding->remainder_bytes == 0) {
		append(finding->text, "on %s (%" PRIu64 " B)", boundary->unit,
		       boundary->bytes);
		return;
	}
	append(finding->text, "%" PRIu64 " B past %s (%" PRIu64 " B)",
	       finding->remainder_bytes, boundary->unit, boundary->bytes);
	if (finding->next_start_bytes != BLKBENCH_UNKNOWN)
		append(finding->text, "; next aligned start %" PRIu64,
		       finding->next_start_bytes);
}

static void describe_start(const struct blkbench_topology *topology,
			   char text[BLKBENCH_TEXT_MAX])
{
	const uint64_t start = topology->start_bytes;

	append(text, "starts at byte %" PRIu64 " (sector %" PRIu64 ")", start,
	       start / topology->logical_sector_bytes);
}

/* The kernel's alignment offset is 0 on disks that hide what they are made of;
 * the largest power of two in the start tells what it can be aligned to. */
static void describe_divisor(uint64_t start, char text[BLKBENCH_TEXT_MAX])
{
	if (start)
		append(text, "; divisible by %" PRIu64 " B", start & -start);
}

static void describe_misaligned(const struct blkbench_topology *topology,
				const struct boundary *boundaries,
				struct blkbench_alignment *alignment)
{
	const uint64_t start = topology->start_bytes;
	const size_t count = alignment->findings_count;
	const uint64_t next = find_next_start(start, boundaries, count);
	char *text = alignment->text;

	if (topology->alignment_offset_bytes == -1)
		append(text, "the layers below disagree (the kernel reports "
			     "-1); ");
	describe_start(topology, text);
	for (size_t i = 0; i < count; i++)
		if (boundaries[i].is_declared &&
		    alignment->findings[i].remainder_bytes)
			append(text, ", %" PRIu64 " B past %s",
			       alignment->findings[i].remainder_bytes,
			       boundaries[i].unit);
	describe_divisor(start, text);
	if (next != BLKBENCH_UNKNOWN && next != start)
		append(text, "; next aligned start %" PRIu64, next);
}

static void describe_aligned(const struct blkbench_topology *topology,
			     const struct boundary *boundaries,
			     struct blkbench_alignment *alignment)
{
	char *text = alignment->text;

	describe_start(topology, text);
	for (size_t i = 0; i < alignment->findings_count; i++)
		if (boundaries[i].is_declared)
			append(text, ", on %s (%" PRIu64 " B)",
			       boundaries[i].unit, boundaries[i].bytes);
	describe_divisor(topology->start_bytes, text);
}

static void describe_unknown(const struct blkbench_topology *topology,
			     const struct boundary *boundaries,
			     struct blkbench_alignment *alignment)
{
	(void)boundaries;
	describe_start(topology, alignment->text);
	describe_divisor(topology->start_bytes, alignment->text);
	append(alignment->text,
	       "; the disk declares nothing larger than its sector");
}

void alignment_judge(const struct blkbench_topology *topology,
		     int64_t disk_offset_bytes,
		     const struct alignment_stripe *stripe,
		     struct blkbench_alignment *alignment)
{
	static void (*const describe[])(const struct blkbench_topology *,
					const struct boundary *,
					struct blkbench_alignment *) = {
		[BLKBENCH_ALIGNMENT_UNKNOWN] = describe_unknown,
		[BLKBENCH_ALIGNED] = describe_aligned,
		[BLKBENCH_MISALIGNED] = describe_misaligned,
	};
	struct boundary boundaries[BOUNDARIES_MAX];

	*alignment = (struct blkbench_alignment){ 0 };
	if (topology->start_bytes == BLKBENCH_UNKNOWN ||
	    disk_offset_bytes == BLKBENCH_UNKNOWN_OFFSET) {
		append(alignment->text,
		       "where it lies on the disk below cannot be told");
		return;
	}
	alignment->findings_count = list_boundaries(topology, disk_offset_bytes,
						    stripe, boundaries);
	for (size_t i = 0; i < alignment->findings_count; i++)
		describe_finding(&boundaries[i], topology->start_bytes,
				 &alignment->findings[i]);
	alignment->verdict =
		find_verdict(topology, disk_offset_bytes, alignment);
	describe[alignment->verdict](topology, boundaries, alignment);
}
