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

/* What a figure is the ratio of, in a slice or a few of them. */
struct parts {
	double over, under;
};

static struct parts parts_of_rate(const struct blkbench_slice *slice)
{
	return (struct parts){ (double)slice->bytes,
			       (double)slice->elapsed_ns };
}

static struct parts parts_of_access(const struct blkbench_slice *slice)
{
	return (struct parts){ (double)slice->latency_ns,
			       (double)slice->requests };
}

struct course {
	const struct blkbench_slice *slices;
	size_t count;
	struct parts (*parts_of)(const struct blkbench_slice *slice);
};

static struct parts add_up(const struct course *course, size_t first,
			   size_t count)
{
	struct parts sum = { 0, 0 };

	for (size_t i = first; i < first + count; i++) {
		const struct parts parts = course->parts_of(&course->slices[i]);

		sum.over += parts.over;
		sum.under += parts.under;
	}
	return sum;
}

struct batches {
	size_t count;
	/* Of each, by how much its part of one sum exceeds that of the other,
	 * in parts of a batch's: they add up to 0. */
	double residuals[2 * STATS_BATCHES];
};

/* What is left over at the end joins the last one. */
static void batches_init(struct batches *batches, const struct course *course)
{
	const size_t merge = course->count < STATS_BATCHES
				     ? 1
				     : course->count / STATS_BATCHES;
	const struct parts all = add_up(course, 0, course->count);

	batches->count = course->count / merge;
	for (size_t i = 0; i < batches->count; i++) {
		const size_t first = i * merge;
		const bool is_last = i + 1 == batches->count;
		const struct parts batch = add_up(
			course, first, is_last ? course->count - first : merge);

		batches->residuals[i] =
			(batch.over / all.over - batch.under / all.under) *
			(double)batches->count;
	}
}

/*
 * What batches owe to the ones before makes their mean vary as that of fewer
 * would, (1 - r) / (1 + r) times as many where r is the correlation of
 * neighbours: Tafazzoli and Wilson, "Skart: a skewness- and autoregression-
 * adjusted batch-means procedure", IIE Transactions 43, 2011. It is found too
 * low by about 1 / count. How high a high one is, of a rate that drifts, so few
 * batches do not tell; and a low one, which makes the interval narrower, is
 * hardly believed.
 */
static double dependence(const struct batches *batches, double squares)
{
	const double low = -0.05, high = 0.8;
	double products = 0, r;

	for (size_t i = 1; i < batches->count; i++)
		products += batches->residuals[i - 1] * batches->residuals[i];
	r = products / squares + 1 / (double)batches->count;
	r = fmax(low, fmin(r, high));
	return (1 + r) / (1 - r);
}

/*
 * Where a few batches stand out to one side, as rare slow reads make them, t is
 * too narrow on the other: Willink, "A confidence interval and test for the mean
 * of an asymmetric distribution", Communications in Statistics 34, 2005. Both
 * sides get the wider one. A skewness below twice the standard error that it has
 * where there is none, sqrt(6 / count), is none.
 */
static double skewed_t(const struct batches *batches, double squares)
{
	const double n = (double)batches->count;
	const double t = stats_t95((unsigned int)batches->count - 1);
	double cubes = 0, skewness, a;

	for (size_t i = 0; i < batches->count; i++)
		cubes += pow(batches->residuals[i], 3);
	skewness = fabs(cubes / n / pow(squares / n, 1.5));
	if (skewness < 2 * sqrt(6 / n))
		return t;
	a = skewness / 6 / sqrt(n);
	return (1 - cbrt(1 - 6 * a * (t + a))) / (2 * a);
}

static double ci95_percent(const struct course *course)
{
	struct batches batches;
	uint64_t requests = 0;
	double n, squares = 0, percent;

	for (size_t i = 0; i < course->count; i++)
		requests += course->slices[i].requests;
	if (course->count < STATS_BATCHES_MIN || requests < STATS_READS_MIN)
		return NAN;

	batches_init(&batches, course);
	n = (double)batches.count;
	for (size_t i = 0; i < batches.count; i++)
		squares += batches.residuals[i] * batches.residuals[i];
	if (squares == 0)
		return 0;
	percent = skewed_t(&batches, squares) *
		  sqrt(squares / (n - 1) / n * dependence(&batches, squares)) *
		  100;
	return percent < 100 ? percent : NAN;
}

double stats_rate_ci95_percent(const struct blkbench_slice *slices,
			       size_t count)
{
	return ci95_percent(&(struct course){ slices, count, parts_of_rate });
}

double stats_access_ci95_percent(const struct blkbench_slice *slices,
				 size_t count, uint64_t depth)
{
	/* The first of several find no queue, and would stand out. */
	for (uint64_t reads = 0; depth > 1 && count > 0 && reads < depth;) {
		reads += slices->requests;
		slices++;
		count--;
	}
	return ci95_percent(&(struct course){ slices, count, parts_of_access });
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stats_sort(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_doubles);
}

double stats_median(double *values, size_t count)
{
	stats_sort(values, count);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The median of the slopes from one point to all others. */
static double slope_from(const double *x, const double *y, size_t count,
			 size_t point)
{
	double slopes[STATS_POINTS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (i != point)
			slopes[n++] = (y[i] - y[point]) / (x[i] - x[point]);
	return stats_median(slopes, n);
}

double stats_line_at_0(const double *x, const double *y, size_t count)
{
	double values[STATS_POINTS_MAX], slope;

	assert(count >= 2 && count <= STATS_POINTS_MAX);
	for (size_t i = 0; i < count; i++)
		values[i] = slope_from(x, y, count, i);
	slope = stats_median(values, count);
	for (size_t i = 0; i < count; i++)
		values[i] = y[i] - slope * x[i];
	return stats_median(values, count);
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
		spread->median = stats_median(sorted, n);
		spread->min = sorted[0];
		spread->max = sorted[n - 1];
		spread->percent = (spread->max - spread->min) / spread->median *
				  100;
	}
	free(sorted);
	return 0;
}
