/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "boundary.h"

#include <blkbench.h>

uint64_t boundary_remainder(const struct boundary *boundary, uint64_t position)
{
	const uint64_t here = position % boundary->bytes;
	const uint64_t there = boundary->offset_bytes % boundary->bytes;

	return here >= there ? here - there : boundary->bytes - (there - here);
}

uint64_t boundary_next(const struct boundary *boundary, uint64_t position)
{
	const uint64_t remainder = boundary_remainder(boundary, position);
	uint64_t next;

	if (remainder == 0)
		return position;
	if (__builtin_add_overflow(position, boundary->bytes - remainder,
				   &next))
		return BLKBENCH_UNKNOWN;
	return next;
}

void boundary_shift(struct boundary *boundary, int64_t bytes)
{
	const uint64_t size = boundary->bytes;
	const uint64_t distance =
		(bytes < 0 ? -(uint64_t)bytes : (uint64_t)bytes) % size;
	const uint64_t offset = boundary->offset_bytes % size;

	if (bytes < 0)
		boundary->offset_bytes = offset >= distance
						 ? offset - distance
						 : size - (distance - offset);
	else
		boundary->offset_bytes = offset < size - distance
						 ? offset + distance
						 : offset - (size - distance);
}

uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
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
	uint64_t at = boundary_next(&large, *next);

	for (uint64_t i = 0; i < steps && i < UINT16_MAX; i++) {
		if (at == BLKBENCH_UNKNOWN)
			return false;
		if (boundary_remainder(&small, at) == 0) {
			*next = at;
			joint->offset_bytes = at;
			/* Within 64 bits there is no other. */
			if (__builtin_mul_overflow(large.bytes, steps,
						   &joint->bytes))
				joint->bytes = UINT64_MAX;
			return true;
		}
		if (__builtin_add_overflow(at, large.bytes, &at))
			return false;
	}
	return false;
}

uint64_t boundary_next_of_all(const struct boundary *boundaries, size_t count,
			      uint64_t position)
{
	struct boundary joint = { .bytes = 1 };

	for (size_t i = 0; i < count; i++)
		if (boundaries[i].is_declared &&
		    !join(&position, &joint, &boundaries[i]))
			return BLKBENCH_UNKNOWN;
	return position;
}
