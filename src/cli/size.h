/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SIZE_H
#define SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "number.h"

/* What SIZE takes, for error messages and --help. */
#define SIZE_FORMS                                                          \
	"bytes, or with k M G T (1024) or kB MB GB TB (1000), or % of the " \
	"device"

/* A SIZE as given: bytes, or a share of a device that is not known yet. */
struct size {
	bool is_percent;
	uint64_t bytes;
	struct number percent; /* 0 to 100 */
};

/*
 * Reads a SIZE: a number, "1.5" included, and a unit: none or B, k M G T or
 * KiB MiB GiB TiB (powers of 1024), kB MB GB TB (powers of 1000), or %.
 * Fractions of a byte are cut off.
 *
 * Returns 0, -EINVAL (not a SIZE), or -ERANGE (2^64 bytes or more, more than
 * 100 %).
 */
int size_parse(const char *text, struct size *size)
	__attribute__((warn_unused_result));

/*
 * In bytes, for a device of that size; a percentage is cut down to a multiple
 * of the sector.
 */
uint64_t size_resolve(const struct size *size, uint64_t device_bytes,
		      uint64_t sector_bytes);

#endif
