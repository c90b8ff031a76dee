/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "clock.h"

#include <time.h>

static uint64_t monotonic_now_ns(const struct clock *clock)
{
	struct timespec ts;

	(void)clock;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

const struct clock clock_monotonic = { .now_ns = monotonic_now_ns };
