/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef BOUNDARY_H
#define BOUNDARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Chunks and stripes are often no powers of two: always %, never a mask. */
struct boundary {
	const char *name; /* "physical sector"...; static */
	uint64_t bytes;
	uint64_t offset_bytes; /* where one begins */
	bool is_declared;
};

uint64_t greatest_common_divisor(uint64_t a, uint64_t b);

/* How far position is past a boundary; cannot overflow. */
uint64_t boundary_remainder(const struct boundary *boundary, uint64_t position);

/* The nearest one not before position, or UNKNOWN beyond 64 bits. */
uint64_t boundary_next(const struct boundary *boundary, uint64_t position);

/* Moves all by so much; their offsets stay below their size. */
void boundary_shift(struct boundary *boundary, int64_t bytes);

/* The nearest place not before position that suits all that are declared, or
 * UNKNOWN. */
uint64_t boundary_next_of_all(const struct boundary *boundaries, size_t count,
			      uint64_t position);

#endif
