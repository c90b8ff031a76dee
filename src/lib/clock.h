/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define NS_PER_S 1000000000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_US 1000ULL

/* Where the time comes from; tests hand in one that they turn themselves. */
struct clock {
	uint64_t (*now_ns)(const struct clock *clock);
};

static inline uint64_t clock_now_ns(const struct clock *clock)
{
	return clock->now_ns(clock);
}

/* CLOCK_MONOTONIC: it neither jumps nor runs backwards. */
extern const struct clock clock_monotonic;

#endif
