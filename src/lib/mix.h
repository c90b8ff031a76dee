/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MIX_H
#define MIX_H

#include <stdint.h>

/*
 * Random numbers from a seed and a count: the finaliser of SplitMix64. Steele,
 * Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014;
 * constants of Stafford's Mix13.
 */
static inline uint64_t mix64(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* Steps of the count: odd, and far from any pattern. */
#define MIX_STEP 0x9e3779b97f4a7c15ULL

#endif
