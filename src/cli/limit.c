/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "limit.h"

/* One of the limits that a figure is to keep. */
struct limit {
	const char *option, *key;
	const char *letters; /* of the tests that it is for */
	const char *needs;   /* the same in words */
	size_t field;	     /* of struct options, in the figure's unit */
	bool is_least;	     /* else the most that it may be */
	/* Returns NULL where it is not for that plan of the step. */
	const struct figure *(*figure)(const struct run_step *step,
				       size_t plan);
};

static const struct figure *rate_of(const struct run_step *step, size_t plan)
{
	/* All of a device is to be fast enough. */
	if (step->plans[plan].pattern == BLKBENCH_PATTERN_PLACES)
		return &figure_slowest;
	return &figure_rate;
}

/* What a device can do with all that it is given. */
static const struct figure *seeks_of(const struct run_step *step, size_t plan)
{
	return plan == step->plans_count - 1 ? &figure_seeks : NULL;
}

static const struct figure *access_of(const struct run_step *step, size_t plan)
{
	return step->plans[plan].queue_depth == 1 ? &figure_access : NULL;
}

#define FIELD(name) offsetof(struct options, name)

/* clang-format off */
static const struct limit limits[] = {
	{ "min-rate", "min_rate", "qtz", "-q, -t or -z",
	  FIELD(min_rate_mb), true, rate_of },
	{ "min-seeks", "min_seeks", "s", "-s",
	  FIELD(min_seeks_per_s), true, seeks_of },
	{ "max-access", "max_access", "s", "-s",
	  FIELD(max_access_ms), false, access_of },
};
/* clang-format on */

#define LIMITS_COUNT (sizeof(limits) / sizeof(limits[0]))

/* NAN where it is not asked for. */
static double asked_of(const struct limit *limit, const struct options *options)
{
	const void *field = (const char *)options + limit->field;

	return *(const double *)field;
}

static bool is_for(const struct limit *limit, const struct blkbench_test *test)
{
	return strchr(limit->letters, test->letter);
}

static bool has_test(const struct options *options, const struct limit *limit)
{
	const struct blkbench_test *tests;
	size_t count, i;

	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (options->tests & 1ULL << i && is_for(limit, &tests[i]))
			return true;
	return false;
}

int limits_check(const struct options *options, struct blkbench_error *error)
{
	size_t i;

	for (i = 0; i < LIMITS_COUNT; i++) {
		if (isnan(asked_of(&limits[i], options)) ||
		    has_test(options, &limits[i]))
			continue;
		snprintf(error->text, sizeof(error->text),
			 "option --%s: needs %s, which measures it",
			 limits[i].option, limits[i].needs);
		return -EINVAL;
	}
	return 0;
}

static enum blkbench_answer compare(const struct limit *limit, double value,
				    double asked)
{
	if (isnan(value))
		return BLKBENCH_NOT_KNOWN;
	if (limit->is_least)
		return value >= asked ? BLKBENCH_YES : BLKBENCH_NO;
	return value <= asked ? BLKBENCH_YES : BLKBENCH_NO;
}

/* A place that was not read, or not to its end, may be the slowest of all. */
static bool has_places_left(const struct run_device *device,
			    const struct run_step *step, size_t plan)
{
	const struct run_entry *entry;
	size_t i, k;

	for (i = 0; i < device->entries_count; i++) {
		entry = &device->entries[i];
		if (entry->step != step || entry->plan != plan ||
		    !entry->is_measured || entry->result.is_partial)
			continue;
		for (k = 0; k < entry->result.zones_count; k++)
			if (isnan(entry->result.zones[k].rate_bytes_per_s))
				return true;
	}
	return false;
}

static int judge_plan(const struct options *options, struct run_device *device,
		      const struct run_step *step, size_t plan,
		      const struct limit *limit)
{
	const double asked = asked_of(limit, options);
	const struct figure *figure = limit->figure(step, plan);
	struct blkbench_spread spread;
	struct run_limit *judged;
	size_t count;

	if (isnan(asked) || !is_for(limit, step->test) || !figure)
		return 0;
	if (figure_summarise_as(figure, device, step, plan, &spread, &count) <
	    0)
		return -ENOMEM;
	judged = &device->limits[device->limits_count++];
	*judged = (struct run_limit){
		.limit = limit,
		.step = step,
		.plan = plan,
		.figure = figure,
		.asked = asked * figure->divisor,
		.value = figure_main(figure, device, step, plan, &spread),
		.repeats = run_step_is_cached(step, plan) ? 1 : count,
	};
	judged->is_met = compare(limit, judged->value, judged->asked);
	if (judged->is_met == BLKBENCH_YES && figure == &figure_slowest &&
	    has_places_left(device, step, plan))
		judged->is_met = BLKBENCH_NOT_KNOWN;
	return 0;
}

/* One of which nothing can be told does not fail it. */
static void judge_alignment(struct run_device *device)
{
	static const enum blkbench_answer answers[] = {
		[BLKBENCH_ALIGNMENT_UNKNOWN] = BLKBENCH_NOT_KNOWN,
		[BLKBENCH_ALIGNED] = BLKBENCH_YES,
		[BLKBENCH_MISALIGNED] = BLKBENCH_NO,
	};

	device->limits[device->limits_count++] = (struct run_limit){
		.asked = NAN,
		.value = NAN,
		.is_met = answers[device->info->alignment.verdict],
	};
}

int limits_judge(const struct options *options, struct run_device *device)
{
	const size_t most =
		device->steps_count * BLKBENCH_PLANS_MAX * LIMITS_COUNT + 1;
	size_t i, plan, k;
	int r;

	device->limits = calloc(most, sizeof(*device->limits));
	if (!device->limits)
		return -ENOMEM;
	if (options->is_alignment_required)
		judge_alignment(device);
	for (i = 0; i < device->steps_count; i++)
		for (plan = 0; plan < device->steps[i].plans_count; plan++)
			for (k = 0; k < LIMITS_COUNT; k++) {
				r = judge_plan(options, device,
					       &device->steps[i], plan,
					       &limits[k]);
				if (r < 0)
					return r;
			}
	return 0;
}

const char *limits_key(const struct run_limit *limit)
{
	return limit->limit ? limit->limit->key : LIMITS_ALIGNMENT;
}

const struct limit *limits_find(const char *key)
{
	for (size_t i = 0; i < LIMITS_COUNT; i++)
		if (!strcmp(limits[i].key, key))
			return &limits[i];
	return NULL;
}

const char *limits_text(const struct run_limit *limit,
			char text[BLKBENCH_TEXT_MAX])
{
	const struct figure *figure = limit->figure;
	char number[TEXT_FIGURE_MAX], median[TEXT_FIGURE_MAX] = "";

	if (!limit->limit) {
		snprintf(text, BLKBENCH_TEXT_MAX,
			 "alignment: misaligned (--require-aligned)");
		return text;
	}
	if (limit->repeats > 1)
		snprintf(median, sizeof(median), " (%s of %zu)",
			 run_step_is_cached(limit->step, limit->plan)
				 ? "first"
				 : "median",
			 limit->repeats);
	if (limit->is_met == BLKBENCH_NOT_KNOWN)
		snprintf(text, BLKBENCH_TEXT_MAX, "%s: %s for --%s",
			 limit->step->test->name,
			 isnan(limit->value) ? "nothing was measured"
					     : "not all places were measured",
			 limit->limit->option);
	else
		snprintf(
			text, BLKBENCH_TEXT_MAX, "%s: %s %s%s%s, %s --%s %.12g",
			limit->step->test->name,
			figure->to_text(limit->value / figure->divisor, number),
			figure->unit,
			figure == &figure_slowest ? " at the slowest place"
						  : "",
			median, limit->limit->is_least ? "below" : "above",
			limit->limit->option, limit->asked / figure->divisor);
	return text;
}
