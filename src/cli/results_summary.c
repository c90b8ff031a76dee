/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "limit.h"
#include "results_parts.h"

/* More than any run has, of the tests of a device. */
#define SPREADS_MAX 1024
#define LIMITS_MAX 1024

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct run_step *find_step(const struct run_device *device,
				  const char *test)
{
	for (size_t i = 0; test && i < device->steps_count; i++)
		if (!strcmp(device->steps[i].test->name, test))
			return &device->steps[i];
	return NULL;
}

/* ---- the repeats --------------------------------------------------------- */

#define SPREAD(member) offsetof(struct spread, member)

struct spread {
	const char *test;
	bool is_direct;
	uint64_t queue_depth, repeats;
	double main, median;
};

/* clang-format off */
static const struct field spread_fields[] = {
	{ "test", FIELD_WORD, true, SPREAD(test) },
	{ "direct", FIELD_BOOL, true, SPREAD(is_direct) },
	{ "queue_depth", FIELD_U64, true, SPREAD(queue_depth) },
	{ "repeats", FIELD_U64, true, SPREAD(repeats) },
	{ "main", FIELD_DOUBLE, false, SPREAD(main) },
	{ "median", FIELD_DOUBLE, false, SPREAD(median) },
};
/* clang-format on */

static const struct document_items items_of_spreads = {
	.key = "spreads",
	.max = SPREADS_MAX,
	.size = sizeof(struct spread),
	.fields = spread_fields,
	.fields_count = COUNT(spread_fields),
};

/* The figure to go by is another than the median for that reason alone. That a
 * cache answered within a test has the same code of warning. */
static bool is_cached(const struct spread *spread)
{
	return spread->repeats > 1 && spread->main != spread->median &&
	       !isnan(spread->main) && !isnan(spread->median);
}

static void mark_cached(struct run_step *step, const struct spread *spread)
{
	for (size_t i = 0; i < step->plans_count; i++)
		if (step->plans[i].is_direct == spread->is_direct &&
		    step->plans[i].queue_depth == spread->queue_depth)
			step->repeats_warnings[i].code = "cache";
}

int results_read_spreads(const struct place *place, struct json_object *object,
			 struct run_device *device,
			 struct blkbench_error *error)
{
	const struct spread *spreads;
	struct run_step *step;
	void *items;
	size_t count;
	int r;

	r = document_get_items(place, object, &items_of_spreads, &items, &count,
			       error);
	spreads = items;
	for (size_t i = 0; i < count; i++) {
		step = find_step(device, spreads[i].test);
		if (step && is_cached(&spreads[i]))
			mark_cached(step, &spreads[i]);
	}
	free(items);
	return r;
}

/* ---- the limits ---------------------------------------------------------- */

#define LIMIT(member) offsetof(struct limit_words, member)

struct limit_words {
	const char *limit, *test, *figure;
	uint64_t queue_depth;
	double asked, measured;
	enum blkbench_answer is_met;
};

/* clang-format off */
static const struct field limit_fields[] = {
	{ "limit", FIELD_WORD, true, LIMIT(limit) },
	{ "test", FIELD_WORD, false, LIMIT(test) },
	{ "queue_depth", FIELD_U64, false, LIMIT(queue_depth) },
	{ "figure", FIELD_WORD, false, LIMIT(figure) },
	{ "asked", FIELD_DOUBLE, false, LIMIT(asked) },
	{ "measured", FIELD_DOUBLE, false, LIMIT(measured) },
	{ "met", FIELD_ANSWER, false, LIMIT(is_met) },
};
/* clang-format on */

static const struct document_items items_of_limits = {
	.key = "limits",
	.max = LIMITS_MAX,
	.size = sizeof(struct limit_words),
	.fields = limit_fields,
	.fields_count = COUNT(limit_fields),
};

/* The first one where nothing was measured. */
static size_t find_plan(const struct run_step *step, uint64_t queue_depth)
{
	for (size_t i = 0; i < step->plans_count; i++)
		if (step->plans[i].queue_depth == queue_depth)
			return i;
	return 0;
}

/* What it was held against is the value of so many repeats. */
static int count_repeats(const struct run_device *device,
			 struct run_limit *limit)
{
	struct blkbench_estimate *runs;
	int r = figure_gather(device, limit->step, limit->plan, limit->figure,
			      &runs, &limit->repeats);

	free(runs);
	return r;
}

static int make_limit(const struct place *place,
		      const struct run_device *device,
		      const struct limit_words *words, struct run_limit *limit,
		      struct blkbench_error *error)
{
	*limit = (struct run_limit){
		.limit = limits_find(words->limit),
		.asked = NAN,
		.value = NAN,
		.is_met = words->is_met,
	};
	if (!limit->limit)
		return 0;
	limit->step = find_step(device, words->test);
	limit->figure = figure_find(words->figure);
	if (!limit->step || !limit->figure)
		return document_refuse(place, error,
				       "is for no test, or no figure, of "
				       "those that are there");
	limit->plan = find_plan(limit->step, words->queue_depth);
	limit->asked = words->asked;
	limit->value = words->measured;
	return count_repeats(device, limit);
}

/* Limits of a later version are left out, as are those of a test that a run which
 * was broken off never came to. */
static bool is_known(const struct run_device *device,
		     const struct limit_words *words)
{
	if (!strcmp(words->limit, LIMITS_ALIGNMENT))
		return true;
	return limits_find(words->limit) &&
	       (words->is_met != BLKBENCH_NOT_KNOWN ||
		find_step(device, words->test));
}

static int make_limits(const struct place *above,
		       const struct limit_words *words, size_t count,
		       struct run_device *device, struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = "limits" };
	int r = 0;

	device->limits = calloc(count + 1, sizeof(*device->limits));
	if (!device->limits)
		return -ENOMEM;
	for (size_t i = 0; i < count && r == 0; i++) {
		const struct place item = { .above = &place, .index = i };

		if (is_known(device, &words[i]))
			r = make_limit(&item, device, &words[i],
				       &device->limits[device->limits_count++],
				       error);
	}
	return r;
}

int results_read_limits(const struct place *place, struct json_object *object,
			struct run_device *device, struct blkbench_error *error)
{
	void *items;
	size_t count;
	int r;

	r = document_get_items(place, object, &items_of_limits, &items, &count,
			       error);
	if (r == 0)
		r = make_limits(place, items, count, device, error);
	free(items);
	return r;
}
