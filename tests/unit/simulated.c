/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "simulated.h"

#include <math.h>

#include "mix.h"

#define SPREAD 0.3
#define HIT_CHANCE 0.2
#define HIT_SPEEDUP 100
#define WAVE_S 0.1

/* Above 0, to 1. */
static double uniform(struct simulated *device)
{
	device->state += MIX_STEP;
	return (double)((mix64(device->state) >> 11) + 1) * 0x1p-53;
}

/* Box and Muller, 1958. */
static double normal(struct simulated *device)
{
	const double radius = sqrt(-2 * log(uniform(device)));

	return radius * cos(2 * M_PI * uniform(device));
}

void simulated_init(struct simulated *device, enum simulated_kind kind,
		    double mean_s, uint64_t seed)
{
	*device = (struct simulated){
		.kind = kind,
		.mean_s = mean_s,
		.state = mix64(seed + 1),
	};
	device->wave = normal(device);
}

/* A process of Ornstein and Uhlenbeck: it forgets with the time, also while
 * nobody reads. */
static double waver(struct simulated *device, double now_s)
{
	const double kept = exp((device->wave_s - now_s) / WAVE_S);

	device->wave_s = now_s;
	device->wave = kept * device->wave +
		       sqrt(1 - kept * kept) * normal(device);
	/* So that the rate is 1 in the mean over the time. */
	return exp(SPREAD * device->wave + SPREAD * SPREAD / 2);
}

static double factor(struct simulated *device, double now_s)
{
	const double miss = 1 /
			    (1 - HIT_CHANCE + HIT_CHANCE / (double)HIT_SPEEDUP);

	switch (device->kind) {
	case SIMULATED_STEADY:
		return 1;
	case SIMULATED_NORMAL:
		return fmax(1 + SPREAD * normal(device), 0.01);
	case SIMULATED_EXPONENTIAL:
		return -log(uniform(device));
	case SIMULATED_BIMODAL:
		return uniform(device) <= HIT_CHANCE ? miss / HIT_SPEEDUP
						     : miss;
	case SIMULATED_WAVERING:
		return waver(device, now_s);
	}
	return 1;
}

double simulated_read_s(struct simulated *device, double now_s)
{
	return device->mean_s * factor(device, now_s);
}

unsigned int simulated_failures_max(unsigned int count, double chance)
{
	return (unsigned int)(count * chance +
			      3.3 * sqrt(count * chance * (1 - chance)));
}
