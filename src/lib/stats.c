/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "stats.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/*
 * The expansion of the quantile in powers of 1/degrees: Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 26.7.5. Within 0.1 % from 4 degrees on.
 */
double stats_t95(unsigned int degrees)
{
	const double x = 1.959963984540054; /* of the normal distribution */
	const double x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
	const double x9 = x7 * x * x;
	const double n = degrees;
	const double g1 = (x3 + x) / 4;
	const double g2 = (5 * x5 + 16 * x3 + 3 * x) / 96;
	const double g3 = (3 * x7 + 19 * x5 + 17 * x3 - 15 * x) / 384;
	const double g4 =
		(79 * x9 + 776 * x7 + 1482 * x5 - 1920 * x3 - 945 * x) / 92160;

	assert(degrees >= STATS_DEGREES_MIN);
	return x + g1 / n + g2 / (n * n) + g3 / (n * n * n) +
	       g4 / (n * n * n * n);
}

/*
 * The chance that t is larger in size than tan(theta) * sqrt(degrees), a finite
 * sum for a whole number of degrees: Abramowitz and Stegun, 26.7.3 and 26.7.4.
 */
static double t_chance(double theta, unsigned int degrees)
{
	const double cosine = cos(theta), square = cosine * cosine;
	const bool is_odd = degrees % 2;
	double term = is_odd ? cosine : 1, sum = 0;

	for (unsigned int i = is_odd ? 3 : 2; i <= degrees; i += 2) {
		sum += term;
		term *= square * (double)(i - 1) / (double)i;
	}
	sum *= sin(theta);
	return is_odd ? 1 - (theta + sum) * 2 / M_PI : 1 - sum;
}

double stats_t_quantile(double alpha, unsigned int degrees)
{
	double low = 0, high = M_PI / 2;

	assert(alpha > 0 && alpha < 1 && degrees > 0);
	/* Down to the last bit. */
	for (int i = 0; i < 60; i++) {
		const double middle = (low + high) / 2;

		if (t_chance(middle, degrees) > alpha)
			low = middle;
		else
			high = middle;
	}
	return tan(low) * sqrt((double)degrees);
}

struct batch {
	double seconds;
	double bytes;
};

/* Adds up the next few slices; what is left over at the end joins the last. */
static struct batch batch_from_slices(const struct blkbench_slice *slices,
				      size_t count)
{
	struct batch batch = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		batch.seconds += (double)slices[i].elapsed_ns / 1e9;
		batch.bytes += (double)slices[i].bytes;
	}
	return batch;
}

double stats_rate_ci95_percent(const struct blkbench_slice *slices,
			       size_t count)
{
	const size_t merge = count < STATS_BATCHES ? 1 : count / STATS_BATCHES;
	const size_t batches = count / merge;
	struct batch all = batch_from_slices(slices, count);
	double rate, length, squares = 0, half;

	if (count < STATS_BATCHES_MIN || all.bytes <= 0 || all.seconds <= 0)
		return NAN;

	/* Batches are not all of one length: the interval of a ratio. */
	rate = all.bytes / all.seconds;
	length = all.seconds / (double)batches;
	for (size_t i = 0; i < batches; i++) {
		size_t first = i * merge;
		size_t n = i + 1 < batches ? merge : count - first;
		struct batch batch = batch_from_slices(slices + first, n);
		double residual = (batch.bytes - rate * batch.seconds) / length;

		squares += residual * residual;
	}
	half = stats_t95((unsigned int)batches - 1) *
	       sqrt(squares / (double)(batches - 1) / (double)batches);
	return half / rate * 100;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int blkbench_spread_summarise(const double *values, size_t count,
			      struct blkbench_spread *spread)
{
	double *sorted;
	size_t n = 0;

	*spread = (struct blkbench_spread){ NAN, NAN, NAN, NAN };
	sorted = calloc(count ? count : 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			sorted[n++] = values[i];
	if (n > 0) {
		qsort(sorted, n, sizeof(*sorted), compare_doubles);
		spread->median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
		spread->min = sorted[0];
		spread->max = sorted[n - 1];
		spread->percent = (spread->max - spread->min) / spread->median *
				  100;
	}
	free(sorted);
	return 0;
}
