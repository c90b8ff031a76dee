/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "stats.h"

/* Without intervals of their own, so many runs are judged by their spread. */
#define RUNS_MIN COMPARE_PAIRS_MIN

/* ---- several runs as one ----------------------------------------------- */

struct sums {
	size_t count;
	double values;
	double squares;	  /* of what an interval reaches from its value */
	bool has_unknown; /* an interval */
	uint64_t elapsed_ns;
};

static struct sums add_up(const struct blkbench_estimate *runs, size_t count)
{
	struct sums sums = { .count = 0 };

	for (size_t i = 0; i < count; i++) {
		const double half = runs[i].value * runs[i].ci95_percent / 100;

		if (isnan(runs[i].value))
			continue;
		sums.count++;
		sums.values += runs[i].value;
		sums.squares += half * half;
		sums.has_unknown |= isnan(half);
		sums.elapsed_ns += runs[i].elapsed_ns;
	}
	return sums;
}

/* Half width of the interval of the mean by how the runs differ. */
static double half_between(const struct blkbench_estimate *runs, size_t count,
			   const struct sums *sums)
{
	const double n = (double)sums->count, mean = sums->values / n;
	double squares = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(runs[i].value))
			squares += (runs[i].value - mean) *
				   (runs[i].value - mean);
	return stats_t_quantile(COMPARE_ALPHA, (unsigned int)sums->count - 1) *
	       sqrt(squares / (n - 1) / n);
}

/*
 * The intervals of the runs do not know what changed from run to run; two or
 * three runs that happen to agree do not know what varies within them.
 */
static double half_width(const struct blkbench_estimate *runs, size_t count,
			 const struct sums *sums)
{
	const double within = sqrt(sums->squares) / (double)sums->count;

	if (sums->has_unknown)
		return sums->count < RUNS_MIN ? NAN
					      : half_between(runs, count, sums);
	return sums->count < 2 ? within
			       : fmax(within, half_between(runs, count, sums));
}

void blkbench_estimate_merge(const struct blkbench_estimate *runs, size_t count,
			     struct blkbench_estimate *estimate)
{
	const struct sums sums = add_up(runs, count);

	*estimate = (struct blkbench_estimate){
		.value = NAN,
		.ci95_percent = NAN,
		.elapsed_ns = sums.elapsed_ns,
	};
	if (sums.count == 0)
		return;
	estimate->value = sums.values / (double)sums.count;
	estimate->ci95_percent = half_width(runs, count, &sums) /
				 estimate->value * 100;
}

/* ---- two that were measured apart -------------------------------------- */

/* How far an interval reaches down and up, as logarithms. */
struct reach {
	double below, above;
};

/* Down without end where the interval is as wide as the figure. */
static struct reach reach_of(const struct blkbench_estimate *estimate)
{
	const double relative = estimate->ci95_percent / 100;

	return (struct reach){
		.below = relative < 1 ? -log1p(-relative) : INFINITY,
		.above = log1p(relative),
	};
}

/*
 * By how much of its time more the second is to be measured, for what its
 * interval contributes to fit into what the first leaves of the room.
 */
static double times_more(double first, double second, double room)
{
	const double left = room * room - first * first;

	return left > 0 ? second * second / left - 1 : INFINITY;
}

/*
 * Unlike those that take turns, runs of one device at two times differ by more
 * than their intervals say: so there is a difference where the whole interval
 * is beyond what is equal, not where it leaves out 1.
 */
static enum blkbench_outcome judge(double low, double high, double equal)
{
	if (low >= -equal && high <= equal)
		return BLKBENCH_EQUAL;
	if (low > equal)
		return BLKBENCH_FASTER;
	if (high < -equal)
		return BLKBENCH_SLOWER;
	return BLKBENCH_UNDECIDED;
}

static double seconds_needed(double log_ratio, const struct reach *first,
			     const struct reach *second, double equal,
			     uint64_t elapsed_ns)
{
	const double below_more =
		times_more(first->above, second->below, log_ratio + equal);
	const double above_more =
		times_more(first->below, second->above, equal - log_ratio);
	double more;

	if (fabs(log_ratio) < equal)
		more = fmax(below_more, above_more);
	else if (log_ratio > 0)
		more = times_more(first->above, second->below,
				  log_ratio - equal);
	else
		more = times_more(first->below, second->above,
				  log_ratio + equal);
	return isinf(more) ? NAN : (double)elapsed_ns / 1e9 * more;
}

/*
 * The ratio's interval from the two figures' own: the method of variance
 * estimates recovery, on logarithms. Zou and Donner, "Construction of confidence
 * limits about effect measures", Statistics in Medicine 27, 2008. Each end is as
 * far out as the ends of both figures are that make it so, added as squares.
 */
void blkbench_estimate_compare(const struct blkbench_estimate *first,
			       const struct blkbench_estimate *second,
			       double equal_percent,
			       struct blkbench_comparison *comparison)
{
	const double equal = log1p(equal_percent / 100);
	const double log_ratio = log(second->value) - log(first->value);
	const struct reach a = reach_of(first), b = reach_of(second);
	const double low = log_ratio - hypot(b.below, a.above);
	const double high = log_ratio + hypot(b.above, a.below);

	*comparison = (struct blkbench_comparison){
		.ratio = second->value / first->value,
		.ratio_low = NAN,
		.ratio_high = NAN,
		.verdict = BLKBENCH_UNDECIDED,
		.seconds_needed = NAN,
	};
	if (!isfinite(low) || !isfinite(high))
		return;
	comparison->ratio_low = exp(low);
	comparison->ratio_high = exp(high);
	comparison->verdict = judge(low, high, equal);
	if (comparison->verdict == BLKBENCH_UNDECIDED)
		comparison->seconds_needed = seconds_needed(
			log_ratio, &a, &b, equal, second->elapsed_ns);
}

/* ---- the trend of several ---------------------------------------------- */

#define TREND_RUNS_MIN 3

/*
 * From so many runs on the order alone is evidence: fewer are all in order once
 * in 60 times or more often by mere chance. Then the intervals of the first and
 * the last are to be apart too, and the change is to be a large one.
 */
#define TREND_RUNS_ENOUGH 6
#define TREND_CHANGE_FEW 0.20
#define TREND_CHANGE 0.02

/* Of the normal distribution, two-sided 1 %. */
#define TREND_Z 2.576

/* Pairs of runs of which the later is the larger, less those of which it is the
 * smaller: Kendall's S. */
static double count_order(const struct blkbench_estimate *runs, size_t count)
{
	long order = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			order += (runs[j].value > runs[i].value) -
				 (runs[j].value < runs[i].value);
	return (double)order;
}

static bool are_apart(const struct blkbench_estimate *a,
		      const struct blkbench_estimate *b)
{
	const struct blkbench_estimate *low = a->value < b->value ? a : b;
	const struct blkbench_estimate *high = low == a ? b : a;

	return low->value * (1 + low->ci95_percent / 100) <
	       high->value * (1 - high->ci95_percent / 100);
}

/* Mann, "Nonparametric tests against trend", Econometrica 13, 1945; by the
 * normal distribution, with continuity correction. */
static bool is_in_order(const struct blkbench_estimate *runs, size_t count,
			double order)
{
	const double n = (double)count;
	const double deviation = sqrt(n * (n - 1) * (2 * n + 5) / 18);

	if (count >= TREND_RUNS_ENOUGH)
		return (fabs(order) - 1) / deviation > TREND_Z;
	return fabs(order) == n * (n - 1) / 2 &&
	       are_apart(&runs[0], &runs[count - 1]);
}

static enum blkbench_direction
find_direction(const struct blkbench_estimate *runs, size_t count,
	       double change)
{
	const bool is_few = count < TREND_RUNS_ENOUGH;
	const double order = count_order(runs, count);

	if (count < TREND_RUNS_MIN ||
	    (is_few && (isnan(runs[0].ci95_percent) ||
			isnan(runs[count - 1].ci95_percent))))
		return BLKBENCH_DIRECTION_UNKNOWN;
	if (!is_in_order(runs, count, order) ||
	    fabs(change) < log1p(is_few ? TREND_CHANGE_FEW : TREND_CHANGE) ||
	    (change > 0) != (order > 0))
		return BLKBENCH_STEADY;
	return order > 0 ? BLKBENCH_RISING : BLKBENCH_FALLING;
}

int blkbench_trend_find(const struct blkbench_estimate *runs, size_t count,
			struct blkbench_trend *trend)
{
	struct blkbench_estimate *known;
	struct blkbench_spread first, last;
	double *values;
	size_t n = 0, third;
	int r = -ENOMEM;

	*trend = (struct blkbench_trend){ .from = NAN, .to = NAN };
	known = calloc(count ? count : 1, sizeof(*known));
	values = calloc(count ? count : 1, sizeof(*values));
	if (!known || !values)
		goto out;
	for (size_t i = 0; i < count; i++) {
		if (isnan(runs[i].value))
			continue;
		values[n] = runs[i].value;
		known[n++] = runs[i];
	}
	third = n < 3 ? 0 : n / 3;
	r = blkbench_spread_summarise(values, third, &first);
	if (r == 0)
		r = blkbench_spread_summarise(values + n - third, third, &last);
	if (r < 0)
		goto out;
	trend->from = first.median;
	trend->to = last.median;
	trend->direction =
		find_direction(known, n, log(trend->to / trend->from));
out:
	free(values);
	free(known);
	return r;
}
