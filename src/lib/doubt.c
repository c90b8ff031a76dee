/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "doubt.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"
#include "clock.h"
#include "course.h"
#include "pressure.h"
#include "result.h"
#include "stats.h"

/* Less of the asked-for depth is worth a word. */
#define DEPTH_KEPT 0.7

/*
 * A disk moves its heads back on in about half a second and spins up in some;
 * less than the shortest may be the machine's fault. Others have slow reads, too.
 */
#define ASLEEP_NS (300 * NS_PER_MS)
#define ASLEEP_TIMES 10

/* Of what was read here; less is in the noise of a machine that runs. */
#define BUSY_SHARE 0.02

/* Data has some pages of zeros, too. */
#define ZEROS_PERCENT 10.0

#define UNSTEADY_PERCENT 20.0

/* Once in some thousand courses without a trend, and not for little. */
#define RISING_PERCENT 20.0
#define RISING_ERRORS 4.0

/* A cgroup's limit is kept within some percent; of the first moments more may
 * come. */
#define LIMIT_REACHED 0.9
#define LIMIT_EXCEEDED 1.25

/* They differ by nature, and between them there are few reads for a while. */
static bool goes_to_places(const struct blkbench_result *result)
{
	return result->plan.pattern == BLKBENCH_PATTERN_PLACES;
}

/* Not for the cached test, which means to read the same again. */
static void doubt_passes(struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;

	if (plan->pattern == BLKBENCH_PATTERN_REPEAT || result->passes < 2 ||
	    result->bytes <= plan->length_bytes ||
	    !isnan(result->cached_rate_bytes_per_s))
		return;
	result_warn(result, "small",
		    "the range of %.6g MB was read %.1f times over: a cache "
		    "may have answered",
		    (double)plan->length_bytes / 1e6,
		    (double)result->bytes / (double)plan->length_bytes);
}

/* Not for the cached test, which means it to be memory. */
static void doubt_page_cache(struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;

	if (plan->is_direct || plan->pattern == BLKBENCH_PATTERN_REPEAT ||
	    result->requests == 0)
		return;
	result_warn(result, "cache",
		    "read through the page cache, which is not emptied first: "
		    "memory may have answered");
}

/*
 * By Little's law: latencies add up to as many times the elapsed time as reads
 * were in flight. Threads may not keep up with a fast device.
 */
static void doubt_depth(struct blkbench_result *result)
{
	const uint64_t asked = result->plan.queue_depth;
	double depth;

	if (asked == 1 || result->requests < asked * 4 || result->errors > 0 ||
	    result->stalled > 0 || goes_to_places(result))
		return;
	depth = (double)result->latency.mean_ns * (double)result->requests /
		(double)result->elapsed_ns;
	if (depth < (double)asked * DEPTH_KEPT)
		result_warn(result, "depth",
			    "only %.1f of %" PRIu64 " reads were in flight on "
			    "average: %s is slower than the device",
			    depth, asked, result->engine);
}

static void doubt_first_read(struct blkbench_result *result)
{
	const uint64_t first = result->warmup_ns;
	const uint64_t usual = result->latency.p99_ns;

	if (result->requests == 0 || first == BLKBENCH_UNKNOWN ||
	    first < ASLEEP_NS || first / ASLEEP_TIMES < usual)
		return;
	result_warn(result, "asleep",
		    "the first read, which is in no figure, took %.3g s, of "
		    "the others 99 %% not over %.3g ms: the device had to "
		    "wake up first (spin-up, power saving)",
		    (double)first / 1e9, (double)usual / 1e6);
}

static void doubt_zeros(struct blkbench_result *result)
{
	if (!(result->zero_percent >= ZEROS_PERCENT))
		return;
	result_warn(result, "zeros",
		    "%.0f %% of what was read is zeros: trimmed, sparse or "
		    "never written, which many devices answer without reading; "
		    "measure where there is data (-o, -l)",
		    result->zero_percent);
}

static void doubt_traffic(struct blkbench_result *result)
{
	const double own = (double)result->bytes;
	double others;

	if (result->requests == 0 ||
	    result->other_read_bytes == BLKBENCH_UNKNOWN)
		return;
	others = (double)result->other_read_bytes +
		 (double)result->other_written_bytes;
	if (others < own * BUSY_SHARE)
		return;
	result_warn(result, "busy",
		    "others read %.6g MB and wrote %.6g MB of %s meanwhile, "
		    "%.3g %% of what was read here: let it be idle, or the "
		    "figure is that of a busy device",
		    (double)result->other_read_bytes / 1e6,
		    (double)result->other_written_bytes / 1e6,
		    result->other_layer ? result->other_layer
					: "the disks it lies on",
		    others / own * 100);
}

static void doubt_later_passes(struct blkbench_result *result)
{
	if (isnan(result->cached_rate_bytes_per_s))
		return;
	result_warn(result, "cache",
		    "a cache answered: the first pass over the range of %.6g "
		    "MB went at %.6g MB/s, which is the figure, later ones at "
		    "%.6g MB/s; read a larger range (-l)",
		    (double)result->plan.length_bytes / 1e6,
		    result->rate_bytes_per_s / 1e6,
		    result->cached_rate_bytes_per_s / 1e6);
}

static void doubt_hits(struct blkbench_result *result)
{
	if (isnan(result->hit_percent))
		return;
	if (result->access_ms == result->miss_access_ms)
		result_warn(result, "cache",
			    "a cache answered %.1f %% of the reads, in %.3g ms "
			    "on average; the others, which the figure is of, "
			    "took %.3g ms; seek over a larger range (-l)",
			    result->hit_percent, result->hit_access_ms,
			    result->miss_access_ms);
	else
		result_warn(result, "cache",
			    "%.1f %% of the reads took %.3g ms on average, the "
			    "others %.3g ms: a cache may have answered the "
			    "former, or something held up the latter; the "
			    "figure is of all of them",
			    result->hit_percent, result->hit_access_ms,
			    result->miss_access_ms);
}

static void warn_of_no_interval(struct blkbench_result *result, double seconds)
{
	if (result->slices_count < STATS_BATCHES_MIN ||
	    result->requests < STATS_READS_MIN)
		result_warn(result, "few",
			    "%.3g s (%" PRIu64 " reads) is too short to tell "
			    "how exact the figure is: give it longer (-r)",
			    seconds, result->requests);
	else
		result_warn(result, "few",
			    "in %.3g s the rate varied so much that how exact "
			    "the figure is cannot be told: measure where it is "
			    "more even (-o, -l), or longer (-r)",
			    seconds);
}

/* What was cut short says so already; of a first pass, that a cache answered. */
static void doubt_count(struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;
	const double seconds = (double)result->elapsed_ns / 1e9;
	const double half = result->rate_ci95_percent;
	double times;

	if (result->requests == 0 || result->is_partial ||
	    !isnan(result->cached_rate_bytes_per_s) || goes_to_places(result))
		return;
	if (isnan(half)) {
		warn_of_no_interval(result, seconds);
		return;
	}
	/* Of devices that take turns, all ended when each was narrow enough. */
	if (!plan->is_precision_asked || isnan(plan->precision_percent) ||
	    half <= plan->precision_percent)
		return;
	times = half / plan->precision_percent;
	result_warn(result, "few",
		    "the interval is ±%.2g %% and not ±%.2g %% as asked for: "
		    "that would take about %.0f s (-r)",
		    half, plan->precision_percent, seconds * times * times);
}

static const char *explain_change(double percent)
{
	return percent > 0 ? "a cache that warms up, or other load that ended"
			   : "a cache that ran out, heat, or other load that "
			     "began";
}

static bool is_trend(const struct course *course)
{
	return fabs(course->change_percent) > RISING_PERCENT &&
	       fabs(course->change_percent) >
		       RISING_ERRORS * course->change_error_percent;
}

/* What varies may be its doing. NAN, where that is not known, is not busy. */
static bool is_machine_busy(const struct blkbench_result *result)
{
	return result->cpu_pressure_percent >= PRESSURE_BUSY_PERCENT;
}

static void warn_of_spread(struct blkbench_result *result, double percent)
{
	const double pressure = result->cpu_pressure_percent;

	if (!is_machine_busy(result))
		result_warn(result, "unsteady",
			    "the rate varied by %.0f %% (standard deviation of "
			    "parts of the test): other load, or a device that "
			    "pauses; run it again (-n) or longer (-r)",
			    percent);
	else
		result_warn(result, "unsteady",
			    "the rate varied by %.0f %% (standard deviation of "
			    "parts of the test), and %.0f %% of the time there "
			    "were too few CPUs for all that ran: the machine "
			    "was busy, and the device may be faster",
			    percent, pressure);
}

/* A trend is a spread as well, and tells more; a cache, more than that. On a busy
 * machine it is that of the other load. */
static void doubt_course(struct blkbench_result *result)
{
	const bool is_starved = is_machine_busy(result);
	struct course course;

	if (!isnan(result->cached_rate_bytes_per_s) || goes_to_places(result) ||
	    !course_find(result->slices, result->slices_count, &course))
		return;
	if (is_trend(&course) && !is_starved)
		result_warn(result, "rising",
			    "the rate %s by %.0f %% of its mean from begin to "
			    "end of the test: %s; run it again (-n) or longer "
			    "(-r)",
			    course.change_percent > 0 ? "rose" : "fell",
			    fabs(course.change_percent),
			    explain_change(course.change_percent));
	else if (course.spread_percent > UNSTEADY_PERCENT)
		warn_of_spread(result, course.spread_percent);
}

/* ---- what holds reads back ------------------------------------------- */

void doubt_limits_init(struct doubt_limits *limits)
{
	const struct doubt_limit none = {
		.value = BLKBENCH_UNKNOWN,
		.request_bytes = BLKBENCH_UNKNOWN,
	};

	*limits = (struct doubt_limits){ none, none, none, none };
}

/*
 * Whether a limit was reached, by counting the least or the most that it may
 * count. Several layers that have one may share the load; of a limit that is
 * much exceeded all the same, something else has answered.
 */
static bool is_reached(const struct doubt_limit *limit, double least,
		       double most)
{
	const double value = (double)limit->value;

	return limit->value != BLKBENCH_UNKNOWN &&
	       most >= value * LIMIT_REACHED &&
	       least <= value * LIMIT_EXCEEDED * (double)limit->layers;
}

static void doubt_bytes_limit(struct blkbench_result *result,
			      const struct doubt_limits *limits)
{
	const struct doubt_limit *limit = &limits->bytes_per_s;
	const double rate = (double)result->bytes * 1e9 /
			    (double)result->elapsed_ns;

	if (is_reached(limit, rate, rate))
		result_warn(result, "throttled",
			    "%.6g MB/s were read, and a cgroup limits reads of "
			    "%s to %.6g: the figure is the limit's; run it "
			    "outside of the cgroup (%s)",
			    rate / 1e6, limit->layer,
			    (double)limit->value / 1e6, limit->file);
}

/* The kernel may count reads as they were asked for, or as they were split. */
static void doubt_reads_limit(struct blkbench_result *result,
			      const struct doubt_limits *limits)
{
	const struct doubt_limit *limit = &limits->reads_per_s;
	const double rate = (double)result->requests * 1e9 /
			    (double)result->elapsed_ns;
	double pieces = 1;

	if (limit->request_bytes != BLKBENCH_UNKNOWN &&
	    limit->request_bytes > 0)
		pieces = ceil((double)result->plan.block_bytes /
			      (double)limit->request_bytes);
	if (is_reached(limit, rate, rate * pieces))
		result_warn(result, "throttled",
			    "%.6g reads/s were done, and a cgroup limits those "
			    "of %s to %" PRIu64 ": the figure is the limit's; "
			    "run it outside of the cgroup (%s)",
			    rate, limit->layer, limit->value, limit->file);
}

static void doubt_queue(struct blkbench_result *result,
			const struct doubt_limits *limits)
{
	const struct doubt_limit *limit = &limits->in_flight;
	const uint64_t asked = result->plan.queue_depth;

	if (limit->value == BLKBENCH_UNKNOWN || !result->plan.is_direct ||
	    (double)limit->value >= (double)asked * DEPTH_KEPT)
		return;
	if (limit->layers == 1)
		result_warn(result, "throttled",
			    "%" PRIu64 " reads were in flight, of which %s "
			    "takes %" PRIu64 " at a time (%s): the others "
			    "waited for it in the kernel",
			    asked, limit->layer, limit->value, limit->file);
	else
		result_warn(result, "throttled",
			    "%" PRIu64 " reads were in flight, of which the "
			    "%zu disks take %" PRIu64 " at a time (%s): the "
			    "others waited for them in the kernel",
			    asked, limit->layers, limit->value, limit->file);
}

static void doubt_read_ahead(struct blkbench_result *result,
			     const struct doubt_limits *limits)
{
	if (limits->read_ahead.value != 0 || result->plan.is_direct ||
	    result->plan.pattern != BLKBENCH_PATTERN_SEQUENTIAL)
		return;
	result_warn(result, "throttled",
		    "read-ahead of %s is off (0 in queue/read_ahead_kb): the "
		    "page cache read it page by page",
		    limits->read_ahead.layer);
}

static void doubt_throttles(struct blkbench_result *result,
			    const struct doubt_limits *limits)
{
	if (result->requests == 0 || result->elapsed_ns == 0)
		return;
	doubt_bytes_limit(result, limits);
	doubt_reads_limit(result, limits);
	doubt_queue(result, limits);
	doubt_read_ahead(result, limits);
}

void doubt_find(struct blkbench_result *result,
		const struct doubt_limits *limits)
{
	/* clang-format off */
	static void (*const doubts[])(struct blkbench_result *) = {
		doubt_passes,
		doubt_page_cache,
		doubt_depth,
		doubt_first_read,
		doubt_zeros,
		doubt_later_passes,
		doubt_hits,
		doubt_traffic,
		doubt_course,
		doubt_count,
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++)
		doubts[i](result);
	doubt_throttles(result, limits);
}

/* ---- several runs ---------------------------------------------------- */

static double get_speed(const struct blkbench_result *run)
{
	return run->plan.is_seek ? run->seeks_per_s
				 : run->rate_bytes_per_s / 1e6;
}

/* On a machine with too few CPUs it would be that of the other load. */
static bool find_trend(const struct blkbench_result *const *runs, size_t count,
		       struct blkbench_trend *trend)
{
	struct blkbench_estimate *estimates;
	bool is_starved = false;
	int r;

	estimates = calloc(count, sizeof(*estimates));
	if (!estimates)
		return false;
	for (size_t i = 0; i < count; i++) {
		is_starved |= is_machine_busy(runs[i]);
		estimates[i] = (struct blkbench_estimate){
			.value = get_speed(runs[i]),
			.ci95_percent = runs[i]->rate_ci95_percent,
		};
	}
	r = blkbench_trend_find(estimates, count, trend);
	free(estimates);
	return r == 0 && !is_starved &&
	       (trend->direction == BLKBENCH_RISING ||
		trend->direction == BLKBENCH_FALLING);
}

bool blkbench_repeats_doubt(const struct blkbench_result *const *runs,
			    size_t count, struct blkbench_warning *warning)
{
	struct blkbench_trend trend;
	const char *unit;

	if (count < 2)
		return false;
	unit = runs[0]->plan.is_seek ? "seeks/s" : "MB/s";
	*warning = (struct blkbench_warning){ .test = runs[0]->plan.test };
	if (cache_find_repeats(runs, count)) {
		warning->code = "cache";
		snprintf(warning->text, sizeof(warning->text),
			 "from %.6g %s in the first to %.6g in the last of %zu "
			 "runs over the same range: a cache answered, and the "
			 "first is the figure; read a larger range (-l)",
			 get_speed(runs[0]), unit, get_speed(runs[count - 1]),
			 count);
		return true;
	}
	if (!find_trend(runs, count, &trend))
		return false;
	warning->code = "rising";
	snprintf(warning->text, sizeof(warning->text),
		 "%s from %.6g to %.6g %s over %zu runs: %s; run it more often "
		 "(-n)",
		 trend.direction == BLKBENCH_RISING ? "rose" : "fell",
		 trend.from, trend.to, unit, count,
		 explain_change(trend.to - trend.from));
	return true;
}
