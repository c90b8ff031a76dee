/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "compare.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "mix.h"
#include "slices.h"
#include "stats.h"

/* Neighbouring pairs are merged, so that what one owes to the one before weighs
 * little: from BATCHES to twice as many less one remain. */
#define BATCHES 12
#define BATCHES_MAX (2 * BATCHES)

#define REPLICATES 999

/* How much wider or narrower than Student's t the bootstrap may make a side:
 * with few pairs of uneven reads it may say anything. */
#define SIDE_MIN 0.75
#define SIDE_MAX 2.0

#define ODD_AMONG_MIN 3

const char *blkbench_outcome_name(enum blkbench_outcome outcome)
{
	static const char *const names[] = {
		[BLKBENCH_UNDECIDED] = "undecided",
		[BLKBENCH_EQUAL] = "equal",
		[BLKBENCH_FASTER] = "faster",
		[BLKBENCH_SLOWER] = "slower",
	};

	return names[outcome];
}

/* What two devices did side by side. */
struct pair {
	double first, second; /* bytes or reads */
	double first_s, second_s;
};

static void add_pair(struct pair *sum, const struct pair *pair)
{
	sum->first += pair->first;
	sum->second += pair->second;
	sum->first_s += pair->first_s;
	sum->second_s += pair->second_s;
}

static bool is_pair(const struct blkbench_slice *first,
		    const struct blkbench_slice *second, bool is_seek)
{
	return slice_work(first, is_seek) > 0 && first->elapsed_ns > 0 &&
	       slice_work(second, is_seek) > 0 && second->elapsed_ns > 0;
}

static size_t count_pairs(const struct blkbench_slice *first,
			  const struct blkbench_slice *second, size_t count,
			  bool is_seek)
{
	size_t pairs = 0;

	for (size_t i = 0; i < count; i++)
		pairs += is_pair(&first[i], &second[i], is_seek);
	return pairs;
}

/* Of count slices that have so many pairs. Returns the number of batches. */
static size_t batch_pairs(const struct blkbench_slice *first,
			  const struct blkbench_slice *second, size_t count,
			  size_t pairs, bool is_seek,
			  struct pair batches[BATCHES_MAX])
{
	const size_t merge = pairs < BATCHES ? 1 : pairs / BATCHES;
	const size_t n = pairs / merge;
	size_t done = 0;

	for (size_t i = 0; i < n; i++)
		batches[i] = (struct pair){ 0, 0, 0, 0 };
	for (size_t i = 0; i < count; i++) {
		const struct pair pair = {
			.first = slice_work(&first[i], is_seek),
			.second = slice_work(&second[i], is_seek),
			.first_s = (double)first[i].elapsed_ns / 1e9,
			.second_s = (double)second[i].elapsed_ns / 1e9,
		};

		/* As even as can be; none is left over. */
		if (is_pair(&first[i], &second[i], is_seek))
			add_pair(&batches[done++ * n / pairs], &pair);
	}
	return n;
}

/* The log of the ratio of the rates, and its standard error. */
struct estimate {
	double log_ratio;
	double error;
};

/*
 * Of all work over all time, so that it is the ratio of the two devices' own
 * figures, and slices may be of different lengths. The error is that of a ratio
 * of sums, linearised: Cochran, Sampling Techniques, 3rd ed., 6.3. What both
 * devices do alike in a pair cancels in its residual.
 */
static struct estimate estimate_ratio(const struct pair *batches,
				      const uint8_t *picks, size_t count)
{
	struct pair sum = { 0, 0, 0, 0 };
	double first_rate, second_rate, squares = 0;

	for (size_t i = 0; i < count; i++)
		add_pair(&sum, &batches[picks[i]]);
	first_rate = sum.first / sum.first_s;
	second_rate = sum.second / sum.second_s;
	for (size_t i = 0; i < count; i++) {
		const struct pair *pair = &batches[picks[i]];
		const double residual =
			(pair->second - second_rate * pair->second_s) /
				sum.second -
			(pair->first - first_rate * pair->first_s) / sum.first;

		squares += residual * residual;
	}
	return (struct estimate){
		.log_ratio = log(second_rate / first_rate),
		.error = sqrt(squares * (double)count / (double)(count - 1)),
	};
}

/* How far the interval reaches below and above, in standard errors. */
struct reach {
	double below, above;
};

static double within(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

/*
 * The studentised bootstrap: Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993, 12.5. It tells how lopsided the distribution is of which
 * Student's t takes both sides to be alike. Its 95 % points are known well from
 * some 1000 replicates; rarer ones are not, and are taken to be as much further
 * out as with Student's t, but no nearer.
 */
static struct reach bootstrap_reach(const struct pair *batches, size_t count,
				    const struct estimate *all,
				    const struct compare_settings *settings)
{
	const unsigned int degrees = (unsigned int)count - 1;
	const double t95 = stats_t_quantile(COMPARE_ALPHA, degrees);
	const double t = stats_t_quantile(settings->alpha, degrees);
	const double least = settings->alpha < COMPARE_ALPHA ? 1 : SIDE_MIN;
	const size_t tail = (size_t)((REPLICATES + 1) * COMPARE_ALPHA / 2);
	double scores[REPLICATES];
	uint8_t picks[BATCHES_MAX];
	uint64_t state = settings->seed;

	for (size_t i = 0; i < REPLICATES; i++) {
		struct estimate estimate;

		for (size_t j = 0; j < count; j++)
			picks[j] = (uint8_t)((mix64(state += MIX_STEP) >> 32) *
						     count >>
					     32);
		estimate = estimate_ratio(batches, picks, count);
		/* Of batches that are all alike: any number. */
		scores[i] = (estimate.log_ratio - all->log_ratio) /
			    fmax(estimate.error, DBL_MIN);
	}
	stats_sort(scores, REPLICATES);
	return (struct reach){
		.below = t * within(scores[REPLICATES - tail] / t95, least,
				    SIDE_MAX),
		.above = t * within(-scores[tail - 1] / t95, least, SIDE_MAX),
	};
}

/*
 * An error is of a rate, and may be of the one that is divided by: then it
 * counts for more, and for no end of it where it is as large as the rate.
 */
static double log_reach(double relative_error)
{
	return relative_error < 1 ? -log1p(-relative_error) : INFINITY;
}

static enum blkbench_outcome judge(double low, double high, double equal)
{
	if (low >= -equal && high <= equal)
		return BLKBENCH_EQUAL;
	if (low > 0)
		return BLKBENCH_FASTER;
	if (high < 0)
		return BLKBENCH_SLOWER;
	return BLKBENCH_UNDECIDED;
}

/*
 * The interval narrows with the square root of the time. Decided it is when it
 * no longer reaches to 0, or, from inside, no further than to what is equal.
 */
static double seconds_needed(double log_ratio, double low, double high,
			     double equal, uint64_t elapsed_ns)
{
	const double below = log_ratio - low, above = high - log_ratio;
	const double side = log_ratio > 0 ? below : above;
	const double to_differ = side / fabs(log_ratio);
	double to_equal = INFINITY, narrower;

	if (fabs(log_ratio) < equal)
		to_equal = fmax(above / (equal - log_ratio),
				below / (equal + log_ratio));
	narrower = fmin(to_differ, to_equal);
	return (double)elapsed_ns / 1e9 * (narrower * narrower - 1);
}

void compare_pairs(const struct blkbench_slice *first,
		   const struct blkbench_slice *second, size_t count,
		   const struct compare_settings *settings,
		   struct blkbench_comparison *comparison)
{
	/* As far down as up: who is named first makes no difference. */
	const double equal = log1p(settings->equal_percent / 100);
	const size_t pairs =
		count_pairs(first, second, count, settings->is_seek);
	struct pair batches[BATCHES_MAX];
	uint8_t each[BATCHES_MAX];
	struct estimate estimate;
	struct reach reach;
	double low, high;
	size_t n;

	*comparison = (struct blkbench_comparison){
		.pairs = pairs,
		.ratio = NAN,
		.ratio_low = NAN,
		.ratio_high = NAN,
		.verdict = BLKBENCH_UNDECIDED,
		.seconds_needed = NAN,
	};
	if (pairs == 0)
		return;
	n = batch_pairs(first, second, count, pairs, settings->is_seek,
			batches);
	for (size_t i = 0; i < n; i++)
		each[i] = (uint8_t)i;
	estimate = estimate_ratio(batches, each, n);
	comparison->ratio = exp(estimate.log_ratio);
	if (pairs < COMPARE_PAIRS_MIN)
		return;

	reach = bootstrap_reach(batches, n, &estimate, settings);
	low = estimate.log_ratio - log_reach(reach.below * estimate.error);
	high = estimate.log_ratio + log_reach(reach.above * estimate.error);
	if (isinf(low) || isinf(high))
		return;
	comparison->ratio_low = exp(low);
	comparison->ratio_high = exp(high);
	comparison->verdict = judge(low, high, equal);
	if (comparison->verdict == BLKBENCH_UNDECIDED)
		comparison->seconds_needed =
			seconds_needed(estimate.log_ratio, low, high, equal,
				       settings->elapsed_ns);
}

void blkbench_compare(const struct blkbench_slice *first,
		      const struct blkbench_slice *second, size_t count,
		      bool is_seek, double equal_percent, uint64_t seed,
		      struct blkbench_comparison *comparison)
{
	struct compare_settings settings = {
		.is_seek = is_seek,
		.alpha = COMPARE_ALPHA,
		.equal_percent = equal_percent,
		.seed = seed,
	};

	for (size_t i = 0; i < count; i++)
		settings.elapsed_ns += first[i].elapsed_ns +
				       second[i].elapsed_ns;
	compare_pairs(first, second, count, &settings, comparison);
}

/* ---- the odd one out -------------------------------------------------- */

/*
 * The modified z-score of Iglewicz and Hoaglin, How to Detect and Handle
 * Outliers, 1993, of the logarithms: half as fast is as odd as twice as fast.
 * Median and median deviation do not follow the odd one, as mean and standard
 * deviation would.
 */
int blkbench_odd_scores(const double *figures, size_t count,
			double equal_percent, double *scores)
{
	double *sorted = calloc(count ? count : 1, sizeof(*sorted));
	double median, spread;
	size_t n = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		scores[i] = figures[i] > 0 ? log(figures[i]) : NAN;
		if (!isnan(scores[i]))
			sorted[n++] = scores[i];
	}
	median = n < ODD_AMONG_MIN ? NAN : stats_median(sorted, n);
	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(sorted[i] - median);
	spread = n < ODD_AMONG_MIN
			 ? NAN
			 : STATS_SIGMA_PER_MAD * stats_median(sorted, n);
	spread = fmax(spread, log1p(equal_percent / 100) / 2);
	for (size_t i = 0; i < count; i++)
		scores[i] = (scores[i] - median) / spread;
	free(sorted);
	return 0;
}
