/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "storm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the loop may take: doc of blkbench.h, and design of the program. */
#define GRACE_NS (2 * NS_PER_S)
#define TRIAL_NS NS_PER_S
#define SECOND_LOOK_NS (2 * NS_PER_S)

uint64_t storm_slack_ns(const struct storm *storm)
{
	return storm->device.wait_ns * (16 + storm->plan.queue_depth / 16);
}

static void expect(const struct storm *storm, bool is_so, const char *what)
{
	if (!is_so)
		storm_fail(storm, "not so: %s", what);
}

#define EXPECT(storm, condition) expect((storm), (condition), #condition)

static void expect_same(const struct storm *storm, const char *what,
			uint64_t counted, uint64_t given)
{
	if (counted != given)
		storm_fail(storm, "%s: %" PRIu64 " counted, %" PRIu64 " given",
			   what, counted, given);
}

static void check_counts(const struct storm *storm,
			 const struct blkbench_result *result)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const struct blkbench_plan *plan = &storm->plan;
	uint64_t blocks = (plan->length_bytes - 1) / plan->block_bytes + 1;

	if (plan->pattern == BLKBENCH_PATTERN_REPEAT)
		blocks = 1;
	expect_same(storm, "requests", result->requests, ledger->requests);
	expect_same(storm, "bytes", result->bytes, ledger->bytes);
	expect_same(storm, "bytes in all",
		    result->bytes + ledger->uncounted_bytes,
		    storm->device.bytes_given);
	expect_same(storm, "retries", result->retries, ledger->retries);
	expect_same(storm, "short reads", result->short_reads,
		    ledger->short_reads);
	if (ledger->started > 0)
		expect_same(storm, "passes", result->passes,
			    (ledger->started - 1) / blocks + 1);
	/* Nobody else reads; what has not come back yet is not known of. */
	if (result->other_read_bytes != BLKBENCH_UNKNOWN)
		expect_same(storm, "bytes of others", result->other_read_bytes,
			    0);
	expect_same(storm, "warm-up", result->warmup_ns, ledger->warm_up_ns);
}

static void check_errors(const struct storm *storm,
			 const struct blkbench_result *result)
{
	const struct storm_ledger *ledger = &storm->ledger;

	expect_same(storm, "errors", result->errors, ledger->errors);
	expect_same(storm, "errors listed", result->errors_listed,
		    ledger->listed);
	for (size_t i = 0; i < ledger->listed; i++) {
		const struct blkbench_read_error *a = &result->error_list[i];
		const struct blkbench_read_error *b = &ledger->error_list[i];

		expect_same(storm, "offset of an error", a->offset_bytes,
			    b->offset_bytes);
		expect_same(storm, "length of an error", a->length_bytes,
			    b->length_bytes);
		expect_same(storm, "errno of an error", (uint64_t)a->error,
			    (uint64_t)b->error);
		expect_same(storm, "reads of an error", a->reads, b->reads);
	}
}

static int compare_times(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Never too low, and too high by a 64th at the most; from 36 min on, less. */
static void check_share(const struct storm *storm, uint64_t reported,
			const uint64_t *sorted, size_t count,
			unsigned int permille)
{
	const uint64_t exact = sorted[(count * permille + 999) / 1000 - 1];

	EXPECT(storm, reported >= exact);
	EXPECT(storm, reported <= sorted[count - 1]);
	if (exact < 1ULL << 40)
		EXPECT(storm, reported <= exact + exact / 64);
}

static void check_latencies(const struct storm *storm,
			    const struct blkbench_result *result)
{
	const struct blkbench_latency *latency = &result->latency;
	const size_t count = storm->ledger.latencies_count;
	const size_t size = count * sizeof(uint64_t);
	uint64_t *sorted, in_histogram = 0;

	if (count == 0) {
		EXPECT(storm, latency->min_ns == BLKBENCH_UNKNOWN);
		EXPECT(storm, latency->mean_ns == BLKBENCH_UNKNOWN);
		EXPECT(storm, latency->max_ns == BLKBENCH_UNKNOWN);
		return;
	}
	sorted = malloc(size);
	EXPECT(storm, sorted != NULL);
	memcpy(sorted, storm->ledger.latencies, size);
	qsort(sorted, count, sizeof(sorted[0]), compare_times);
	expect_same(storm, "shortest", latency->min_ns, sorted[0]);
	expect_same(storm, "longest", latency->max_ns, sorted[count - 1]);
	expect_same(storm, "mean", latency->mean_ns,
		    storm->ledger.latencies_sum_ns / count);
	check_share(storm, latency->p50_ns, sorted, count, 500);
	check_share(storm, latency->p90_ns, sorted, count, 900);
	check_share(storm, latency->p99_ns, sorted, count, 990);
	check_share(storm, latency->p99_9_ns, sorted, count, 999);
	free(sorted);
	for (size_t i = 0; i < BLKBENCH_HISTOGRAM_BUCKETS; i++)
		in_histogram += result->histogram[i];
	expect_same(storm, "in the histogram", in_histogram, count);
}

static bool is_close(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b);
}

/* The tail is what others than the slowest leave it: not with one at a time. */
static void check_tail(const struct storm *storm,
		       const struct blkbench_result *result)
{
	EXPECT(storm, (result->tail_requests > 0) == (result->tail_ns > 0));
	EXPECT(storm, (result->tail_requests > 0) == (result->tail_bytes > 0));
	EXPECT(storm,
	       result->tail_requests == 0 ||
		       result->tail_requests < storm->device.max_in_flight);
	EXPECT(storm, result->tail_ns < result->elapsed_ns);
	EXPECT(storm, result->tail_bytes < result->bytes);
}

static void check_access(const struct storm *storm,
			 const struct blkbench_result *result)
{
	uint64_t reads = storm->ledger.requests;
	uint64_t latency_ns = storm->ledger.latencies_sum_ns;

	EXPECT(storm, result->head_requests <= reads);
	EXPECT(storm, result->head_latency_ns <= latency_ns);
	if (storm->plan.queue_depth == 1)
		expect_same(storm, "begun together", result->head_requests, 0);
	if (result->head_requests < reads) {
		reads -= result->head_requests;
		latency_ns -= result->head_latency_ns;
	}
	EXPECT(storm, is_close(result->access_ms,
			       (double)latency_ns / (double)reads / 1e6));
	EXPECT(storm, isnan(result->access_ci95_percent) ||
			      result->access_ci95_percent >= 0);
}

static void check_figures(const struct storm *storm,
			  const struct blkbench_result *result)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const double seconds = (double)(result->elapsed_ns - result->tail_ns) /
			       1e9;
	double all;

	if (result->requests == 0 || result->elapsed_ns == 0) {
		EXPECT(storm, isnan(result->rate_bytes_per_s));
		EXPECT(storm, isnan(result->rate_ci95_percent));
		EXPECT(storm, isnan(result->seeks_per_s));
		EXPECT(storm, isnan(result->access_ms));
		return;
	}
	check_tail(storm, result);
	all = (double)(ledger->bytes - result->tail_bytes) / seconds;
	/* What a cache seems to have answered is left out of figures. */
	if (isnan(result->cached_rate_bytes_per_s))
		EXPECT(storm, is_close(result->rate_bytes_per_s, all));
	else
		EXPECT(storm, result->rate_bytes_per_s < all);
	EXPECT(storm, isnan(result->rate_ci95_percent) ||
			      result->rate_ci95_percent >= 0);
	EXPECT(storm, isnan(result->cpu_percent) || result->cpu_percent >= 0);
	EXPECT(storm, isnan(result->overhead_ns) || result->overhead_ns >= 0);
	EXPECT(storm, isnan(result->seeks_per_s) == !storm->plan.is_seek);
	if (!storm->plan.is_seek)
		return;
	if (result->access_ms == result->miss_access_ms) {
		EXPECT(storm, result->access_ms * 1e6 >
				      (double)result->latency.mean_ns);
		return;
	}
	EXPECT(storm,
	       is_close(result->seeks_per_s,
			(double)(ledger->requests - result->tail_requests) /
				seconds));
	check_access(storm, result);
}

/*
 * Where reads failed, some of the time before them is left out: one at a time
 * all of it. A stall takes the time until it was given up.
 */
static void check_elapsed(const struct storm *storm,
			  const struct blkbench_result *result)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const uint64_t elapsed = result->elapsed_ns;
	const uint64_t reads = storm->device.max_in_flight;

	if (elapsed == BLKBENCH_UNKNOWN) {
		expect_same(storm, "reads of a run not begun", ledger->started,
			    0);
		return;
	}
	EXPECT(storm, elapsed + ledger->failed_ns >= ledger->elapsed_ns);
	EXPECT(storm, elapsed <= storm_ledger_spent_ns(storm));
	if (result->stalled > 0)
		return;
	EXPECT(storm, elapsed <= ledger->elapsed_ns);
	if (ledger->failed_ns > 0)
		return;
	expect_same(storm, "elapsed", elapsed, ledger->elapsed_ns);
	/* So many at a time cannot have been read in less; but those that go
	 * on do so behind what was queued ahead. */
	if (ledger->retries + ledger->short_reads == 0)
		EXPECT(storm, ledger->latencies_sum_ns / reads <= elapsed);
}

static void check_slices(const struct storm *storm,
			 const struct blkbench_result *result)
{
	struct blkbench_slice sum = { 0 };

	for (size_t i = 0; i < result->slices_count; i++) {
		EXPECT(storm, result->slices[i].requests > 0);
		EXPECT(storm, result->slices[i].elapsed_ns > 0);
		sum.elapsed_ns += result->slices[i].elapsed_ns;
		sum.requests += result->slices[i].requests;
		sum.bytes += result->slices[i].bytes;
		sum.latency_ns += result->slices[i].latency_ns;
	}
	if (result->slices_count == 0)
		return;
	EXPECT(storm, sum.elapsed_ns <= result->elapsed_ns);
	EXPECT(storm, sum.requests <= result->requests);
	EXPECT(storm, sum.bytes <= result->bytes);
	EXPECT(storm, sum.latency_ns <= storm->ledger.latencies_sum_ns);
}

/* What has not come back is a stall, and only that. */
static void check_stall(const struct storm *storm,
			const struct blkbench_result *result)
{
	const uint64_t left = storm_ledger_count_outstanding(storm);
	const uint64_t about = NS_PER_MS + storm_slack_ns(storm);
	uint64_t age;

	if (!storm->is_over && result->stalled == 0)
		return;
	expect_same(storm, "stalled", result->stalled, left);
	if (left == 0)
		return;
	age = storm->active_ns - storm_ledger_oldest_ns(storm);
	EXPECT(storm, result->is_partial || storm->ledger.has_second_look);
	/* Within what the loop says of when it queued a read: "about". */
	if (result->stalled_ns > age + about ||
	    result->stalled_ns + about < age)
		storm_fail(storm, "stalled for %" PRIu64 " ns, not %" PRIu64,
			   result->stalled_ns, age);
	EXPECT(storm, storm_ledger_has_outstanding_at(
			      storm, result->stalled_offset_bytes));
}

static bool has_warning(const struct blkbench_result *result, const char *code)
{
	for (size_t i = 0; i < result->warnings_count; i++)
		if (strcmp(result->warnings[i].code, code) == 0)
			return true;
	return false;
}

/* Whether it was cut short, and whether it says so. */
static void check_whole(const struct storm *storm,
			const struct blkbench_result *result)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const struct blkbench_plan *plan = &storm->plan;

	EXPECT(storm, has_warning(result, "engine") == storm->is_broken);
	if (storm->is_broken)
		EXPECT(storm, result->is_partial || ledger->has_second_look);
	if (!storm->is_over)
		return;
	if (!result->is_partial) {
		EXPECT(storm, ledger->started > 0);
		/* No reads are started that would not come back in time. */
		EXPECT(storm, !isnan(plan->precision_percent) ||
				      storm_ledger_spent_ns(storm) +
						      ledger->longest_ns >=
					      plan->runtime_ns);
		return;
	}
	EXPECT(storm, storm->stopped_ns != BLKBENCH_UNKNOWN ||
			      result->stalled > 0 || storm->is_broken ||
			      ledger->is_gone || result->loss ||
			      ledger->errors >= plan->max_errors);
}

void storm_check_result(const struct storm *storm,
			const struct blkbench_result *result)
{
	check_counts(storm, result);
	check_errors(storm, result);
	check_latencies(storm, result);
	check_elapsed(storm, result);
	check_figures(storm, result);
	check_slices(storm, result);
	check_stall(storm, result);
	check_whole(storm, result);
}

void storm_check_progress(const struct storm *storm,
			  const struct blkbench_progress *progress)
{
	const struct storm_ledger *ledger = &storm->ledger;

	expect_same(storm, "requests so far", progress->requests,
		    ledger->requests);
	EXPECT(storm, progress->fraction >= 0 && progress->fraction <= 1);
	EXPECT(storm,
	       isnan(progress->rate_bytes_per_s) ==
		       (ledger->requests == 0 || ledger->elapsed_ns == 0));
}

/* The time of the last completion may lag a little behind the clock. */
static uint64_t trial_ns(const struct storm *storm)
{
	if (storm->ledger.trial_reads == 0)
		return 0;
	return TRIAL_NS + NS_PER_MS + 16 * storm_slack_ns(storm);
}

static uint64_t second_look_ns(const struct storm *storm)
{
	return storm->ledger.has_second_look ? SECOND_LOOK_NS + GRACE_NS : 0;
}

static uint64_t whole_limit_ns(const struct storm *storm)
{
	const struct blkbench_plan *plan = &storm->plan;
	const uint64_t pauses = storm->pauses;

	return plan->runtime_ns + GRACE_NS + trial_ns(storm) +
	       second_look_ns(storm) + pauses * GRACE_NS +
	       (pauses + 1) * plan->warmup_limit_ns +
	       (2 * pauses + 3) * storm_slack_ns(storm);
}

void storm_check_time(const struct storm *storm, uint64_t call_ns,
		      uint64_t limit_ns)
{
	const uint64_t slack = storm_slack_ns(storm);
	uint64_t left = whole_limit_ns(storm);

	if (limit_ns < left && call_ns > limit_ns + trial_ns(storm) + slack)
		storm_fail(storm,
			   "a call took %" PRIu64 " ns, asked for %" PRIu64,
			   call_ns, limit_ns);
	if (storm->inside_ns > left)
		storm_fail(storm,
			   "it has taken %" PRIu64 " ns, %" PRIu64
			   " at the most is right",
			   storm->inside_ns, left);
	left = storm->stopped_ns + GRACE_NS + slack;
	if (storm->stopped_ns != BLKBENCH_UNKNOWN && storm->inside_ns > left)
		storm_fail(storm,
			   "it has taken %" PRIu64 " ns, was to stop by "
			   "%" PRIu64,
			   storm->inside_ns, left);
}
