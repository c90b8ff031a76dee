/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MINMAX_H
#define MINMAX_H

#include <stdint.h>

static inline uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static inline uint64_t clamp_u64(uint64_t value, uint64_t low, uint64_t high)
{
	return value < low ? low : min_u64(value, high);
}

static inline unsigned int min_uint(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

#endif
