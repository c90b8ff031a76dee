/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long a device that is made of random numbers takes for a read. All means
 * are exact: two devices of one mean are equally fast, whatever their kinds.
 */
enum simulated_kind {
	SIMULATED_STEADY,      /* every read takes the same */
	SIMULATED_NORMAL,      /* spread of 30 % */
	SIMULATED_EXPONENTIAL, /* spread of 100 % */
	SIMULATED_BIMODAL,  /* a fifth comes from a cache, 100 times faster */
	SIMULATED_WAVERING, /* spread of 30 %, much the same for 0.1 s */
};

struct simulated {
	enum simulated_kind kind;
	double mean_s;
	uint64_t state; /* of the random numbers; the seed at first */
	double wave;	/* of a wavering one, now */
	double wave_s;	/* when that was */
};

void simulated_init(struct simulated *device, enum simulated_kind kind,
		    double mean_s, uint64_t seed);

/* The time of one read that begins at now_s. */
double simulated_read_s(struct simulated *device, double now_s);

/*
 * How many of count trials may fail where one in so many does: 3.3 standard
 * deviations above it, which one right program of 2000 exceeds. Seeds are
 * fixed: it either does or does not.
 */
unsigned int simulated_failures_max(unsigned int count, double chance);

#endif
