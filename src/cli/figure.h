/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef FIGURE_H
#define FIGURE_H

#include <blkbench.h>

#include "run.h"
#include "text.h"

/* The figure that a test is run for. */
struct figure {
	const char *key; /* as in struct blkbench_result and in JSON */
	const char *unit;
	/* In the unit of the key. */
	double (*get)(const struct blkbench_result *result);
	/* Half width of its 95 % interval, or NAN. */
	double (*get_ci95_percent)(const struct blkbench_result *result);
	double divisor; /* to come to the unit */
	const char *(*to_text)(double value, char text[TEXT_FIGURE_MAX]);
};

extern const struct figure figure_rate;
extern const struct figure figure_slowest; /* of the places of zones */
extern const struct figure figure_access, figure_seeks;

/* MB/s, of zones their mean; of seek tests: access time one at a time, seeks/s
 * beyond. Static. */
const struct figure *figure_of_plan(const struct blkbench_plan *plan);

/* The one of that key, or NULL. Static. */
const struct figure *figure_find(const char *key);

/* The one that is larger where the device is faster: MB/s, seeks/s. Static. */
const struct figure *figure_of_speed(const struct blkbench_plan *plan);

/*
 * What tells a figure of one plan of a step: each of its repeats that gave one
 * and ran to its end; the first of these alone where the later ones are said to
 * come from a cache. Returns 0, or -ENOMEM; the caller frees *runs.
 */
int figure_gather(const struct run_device *device, const struct run_step *step,
		  size_t plan, const struct figure *figure,
		  struct blkbench_estimate **runs, size_t *count)
	__attribute__((warn_unused_result));

/*
 * What all repeats of one plan of a step came to, in the figure of the plan;
 * *count is the number of those that gave one and ran to their end. Returns 0, or -ENOMEM.
 */
int figure_summarise(const struct run_device *device,
		     const struct run_step *step, size_t plan,
		     struct blkbench_spread *spread, size_t *count)
	__attribute__((warn_unused_result));

/* The same of another figure than that which the test is run for. */
int figure_summarise_as(const struct figure *figure,
			const struct run_device *device,
			const struct run_step *step, size_t plan,
			struct blkbench_spread *spread, size_t *count)
	__attribute__((warn_unused_result));

/*
 * The one to go by: the median, but the first that ran to its end where the
 * later ones are said to come from a cache. NAN if there is none.
 */
double figure_main(const struct figure *figure, const struct run_device *device,
		   const struct run_step *step, size_t plan,
		   const struct blkbench_spread *spread);

/* Whether they rise or fall. Returns 0, or -ENOMEM. */
int figure_find_trend(const struct run_device *device,
		      const struct run_step *step, size_t plan,
		      struct blkbench_trend *trend)
	__attribute__((warn_unused_result));

/* Of the rates of the slices, in bytes or (seek tests) requests per second.
 * Returns 0, or -ENOMEM. */
int figure_slices(const struct blkbench_result *result,
		  struct blkbench_spread *spread)
	__attribute__((warn_unused_result));

#endif
