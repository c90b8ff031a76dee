/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef STATS_H
#define STATS_H

#include <blkbench.h>

/* Two-sided 95 % quantile of Student's t. */
#define STATS_DEGREES_MIN 4
double stats_t95(unsigned int degrees);

/*
 * What Student's t exceeds in size with a chance of alpha: the two-sided
 * quantile of 1 - alpha. Exact to 4 digits down to an alpha of 1e-11.
 */
double stats_t_quantile(double alpha, unsigned int degrees);

/*
 * Half width of the 95 % interval of the rate, or of the mean access time, in
 * percent of it, by batch means: neighbouring slices are merged into 15 to 29
 * batches, few enough to be long and enough to tell what they owe to each other
 * and whether some stand out. doc/method.md has the method and what it cannot
 * see. NAN for fewer than STATS_BATCHES_MIN slices or STATS_READS_MIN reads,
 * and where it would reach down to 0.
 */
#define STATS_BATCHES 15
#define STATS_BATCHES_MIN 6
#define STATS_READS_MIN 50

double stats_rate_ci95_percent(const struct blkbench_slice *slices,
			       size_t count);
double stats_access_ci95_percent(const struct blkbench_slice *slices,
				 size_t count, uint64_t depth);

void stats_sort(double *values, size_t count);

/* Sorts them; at least one. */
double stats_median(double *values, size_t count);

/* Of what is normal, so many times the median absolute deviation is the standard
 * deviation. */
#define STATS_SIGMA_PER_MAD 1.4826

/*
 * The height at x = 0 of a straight line through up to STATS_POINTS_MAX points, at
 * least two and no two of the same x, that almost half of them cannot bend: by
 * repeated medians (Siegel, "Robust regression using repeated medians",
 * Biometrika 69, 1982).
 */
#define STATS_POINTS_MAX 32

double stats_line_at_0(const double *x, const double *y, size_t count);

#endif
