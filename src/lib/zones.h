/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ZONES_H
#define ZONES_H

#include "route.h"

/*
 * The route of the zones test: the streaming rate at places from the first block
 * of the range to the last. What is clearly below its neighbours is read again;
 * doc/method.md has the rules.
 */

/* For a plan with places. Returns NULL: no memory. */
struct route *zones_create(const struct blkbench_plan *plan);

/*
 * The order in which count places are read. Pairs of neighbours are visited in
 * the bit-reversed order, one of each pair; then the others on the way back. So
 * the mean time of a pair is that of all, and what drifts over time does not look
 * like a slope over the range.
 */
void zones_order(size_t *order, size_t count);

#define ZONES_NEIGHBOURS 8

/*
 * What the neighbours of each place make one expect of its rate, by a straight
 * line through the logarithms of the nearest ones; NAN where the place's rate is
 * NAN or there are too few of them. Places are evenly spaced.
 */
void zones_expect(const double *rates, size_t count, double *expected);

/* How far below what is expected a rate is clearly lower, as a logarithm; work
 * has room for count. */
double zones_limit(const double *rates, const double *expected, size_t count,
		   double *work);

#endif
