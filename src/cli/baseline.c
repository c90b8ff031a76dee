/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "conditions.h"
#include "figure.h"
#include "text.h"

/* ---- which device is which ---------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool has_same_serial(const struct run_device *a,
			    const struct run_device *b)
{
	return a->info && b->info && is_same(a->info->serial, b->info->serial);
}

static bool has_same_path(const struct run_device *a,
			  const struct run_device *b)
{
	return is_same(a->path, b->path) ||
	       (a->info && b->info &&
		is_same(a->info->resolved, b->info->resolved));
}

static bool is_same_disk_and_path(const struct run_device *a,
				  const struct run_device *b)
{
	return has_same_serial(a, b) && has_same_path(a, b);
}

/* It may have got another name. */
static bool is_same_part_of_disk(const struct run_device *a,
				 const struct run_device *b)
{
	return has_same_serial(a, b) && a->info->kind == b->info->kind &&
	       a->info->partition == b->info->partition;
}

/* Another disk may have got the name. */
static bool is_same_path_alone(const struct run_device *a,
			       const struct run_device *b)
{
	const bool is_other = a->info && b->info && a->info->serial &&
			      b->info->serial && !has_same_serial(a, b);

	return has_same_path(a, b) && !is_other;
}

/* The surest first. */
static bool (*const matches[])(const struct run_device *a,
			       const struct run_device *b) = {
	is_same_disk_and_path,
	is_same_part_of_disk,
	is_same_path_alone,
};

#define MATCHES (sizeof(matches) / sizeof(matches[0]))

/* then_of[i] is the index of the i-th device of now among those of then. */
#define UNMATCHED SIZE_MAX

static void match_by(size_t match, const struct results *then,
		     const struct baseline_now *now, size_t *then_of,
		     bool *is_taken)
{
	for (size_t i = 0; i < now->devices_count; i++) {
		for (size_t k = 0;
		     k < then->devices_count && then_of[i] == UNMATCHED; k++) {
			if (is_taken[k] || !matches[match](&then->devices[k],
							   &now->devices[i]))
				continue;
			then_of[i] = k;
			is_taken[k] = true;
		}
	}
}

static void match_devices(const struct results *then,
			  const struct baseline_now *now, size_t *then_of,
			  bool *is_taken)
{
	for (size_t i = 0; i < now->devices_count; i++)
		then_of[i] = UNMATCHED;
	if (then->devices_count == 1 && now->devices_count == 1) {
		then_of[0] = 0;
		is_taken[0] = true;
		return;
	}
	for (size_t i = 0; i < MATCHES; i++)
		match_by(i, then, now, then_of, is_taken);
}

/* ---- what is told -------------------------------------------------------- */

static int add_unmatched(struct baseline *baseline,
			 const struct baseline_unmatched *unmatched)
{
	struct baseline_unmatched *list =
		reallocarray(baseline->unmatched, baseline->unmatched_count + 1,
			     sizeof(*list));

	if (!list)
		return -ENOMEM;
	baseline->unmatched = list;
	list[baseline->unmatched_count++] = *unmatched;
	return 0;
}

/* Of a device, or (NULL) of all. */
static struct sides sides_of(const struct baseline *baseline,
			     const struct run_device *device, const char *test)
{
	return (struct sides){
		.test = test,
		.about = device && baseline->devices > 1 ? device->path : NULL,
		.a = "then",
		.b = "now",
	};
}

/* ---- conditions ---------------------------------------------------------- */

static const char *known(const char *text)
{
	return text && *text ? text : "not known";
}

static int warn_of_host(struct baseline *baseline,
			const struct baseline_now *now)
{
	const struct sides sides = sides_of(baseline, NULL, NULL);
	const struct results *then = baseline->results;
	const struct {
		const char *name, *then, *now;
	} rows[] = {
		{ "host", then->host.hostname, now->host->hostname },
		{ "kernel", then->host.kernel, now->host->kernel },
		{ "machine", then->host.machine, now->host->machine },
		{ "blkbench", then->version, now->version },
	};
	int r = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && r == 0; i++)
		r = pairs_warn_if_differs(&baseline->pairs, &sides,
					  rows[i].name, known(rows[i].then),
					  known(rows[i].now));
	return r;
}

static int warn_of_device(struct baseline *baseline,
			  const struct run_device *then,
			  const struct run_device *now)
{
	static const struct blkbench_info none;
	const struct sides sides = sides_of(baseline, now, NULL);
	const struct blkbench_info *a = then->info ? then->info : &none;
	const struct blkbench_info *b = now->info ? now->info : &none;
	char before[TEXT_FIGURE_MAX], after[TEXT_FIGURE_MAX];
	const struct {
		const char *name, *then, *now;
	} rows[] = {
		{ "device", then->path, now->path },
		{ "model", a->model, b->model },
		{ "serial number", a->serial, b->serial },
		{ "size", text_size(a->size_bytes, before),
		  text_size(b->size_bytes, after) },
	};
	int r = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && r == 0; i++)
		r = pairs_warn_if_differs(&baseline->pairs, &sides,
					  rows[i].name, known(rows[i].then),
					  known(rows[i].now));
	return r;
}

/* ---- one device ---------------------------------------------------------- */

/* One plan of a test of a device, then and now. */
struct measured {
	const struct run_device *device;
	const struct run_step *step;
	size_t plan;
	const struct blkbench_result *result; /* the first one */
};

/* The first that ran to its end, or NULL. */
static const struct blkbench_result *
find_result(const struct measured *measured)
{
	for (size_t i = 0; i < measured->device->entries_count; i++) {
		const struct run_entry *entry = &measured->device->entries[i];

		if (entry->step == measured->step &&
		    entry->plan == measured->plan && entry->is_measured &&
		    !entry->result.is_partial)
			return &entry->result;
	}
	return NULL;
}

static const struct run_step *find_step(const struct run_device *device,
					const char *test)
{
	for (size_t i = 0; i < device->steps_count; i++)
		if (!strcmp(device->steps[i].test->name, test))
			return &device->steps[i];
	return NULL;
}

static const char *tell_range(const struct blkbench_result *result,
			      char text[BLKBENCH_TEXT_MAX])
{
	char length[TEXT_FIGURE_MAX], offset[TEXT_FIGURE_MAX];

	snprintf(text, BLKBENCH_TEXT_MAX, "%s from %s",
		 text_size(result->plan.length_bytes, length),
		 text_size(result->plan.offset_bytes, offset));
	return text;
}

static int estimate(const struct measured *measured,
		    const struct figure *figure,
		    struct blkbench_estimate *estimate)
{
	struct blkbench_estimate *runs;
	size_t count;
	int r;

	r = figure_gather(measured->device, measured->step, measured->plan,
			  figure, &runs, &count);
	if (r == 0)
		blkbench_estimate_merge(runs, count, estimate);
	free(runs);
	return r;
}

static int warn_of_conditions(struct baseline *baseline,
			      const struct measured *then,
			      const struct measured *now)
{
	const struct sides sides =
		sides_of(baseline, now->device, now->step->test->name);
	char before[BLKBENCH_TEXT_MAX], after[BLKBENCH_TEXT_MAX];
	int r;

	r = conditions_warn(&baseline->pairs, &sides, then->result,
			    now->result);
	return r < 0 ? r
		     : pairs_warn_if_differs(&baseline->pairs, &sides, "range",
					     tell_range(then->result, before),
					     tell_range(now->result, after));
}

static int compare_results(struct baseline *baseline,
			   const struct measured *then,
			   const struct measured *now)
{
	const struct figure *figure = figure_of_speed(&now->result->plan);
	struct blkbench_estimate a, b;
	struct pair pair = {
		.test = now->step->test->name,
		.plan = &now->step->plans[now->plan],
		.is_baseline = true,
		.a = then->device->path,
		.b = now->device->path,
	};
	int r;

	r = estimate(then, figure, &a);
	if (r == 0)
		r = estimate(now, figure, &b);
	if (r < 0)
		return r;
	pair.a_figure = a.value;
	pair.b_figure = b.value;
	blkbench_estimate_compare(&a, &b, baseline->pairs.equal_percent,
				  &pair.comparison);
	r = pairs_add(&baseline->pairs, &pair);
	return r < 0 ? r : warn_of_conditions(baseline, then, now);
}

/* Tells why not, where it cannot be compared. */
static int compare_plan(struct baseline *baseline, struct measured *then,
			struct measured *now)
{
	const char *test = now->step->test->name;
	struct baseline_unmatched unmatched = {
		.path = now->device->path,
		.test = test,
	};

	then->step = find_step(then->device, test);
	if (!then->step || then->plan >= then->step->plans_count) {
		unmatched.text = "is not in the baseline";
		return add_unmatched(baseline, &unmatched);
	}
	then->result = find_result(then);
	now->result = find_result(now);
	if (then->result && now->result)
		return compare_results(baseline, then, now);
	unmatched.text = then->result ? "did not run to its end now"
				      : "did not run to its end then";
	return add_unmatched(baseline, &unmatched);
}

/* What was measured then and is no test of now. */
static int tell_missing(struct baseline *baseline,
			const struct run_device *then,
			const struct run_device *now)
{
	int r = 0;

	for (size_t i = 0; i < then->steps_count && r == 0; i++) {
		const struct run_step *step = &then->steps[i];
		const struct run_step *other = find_step(now, step->test->name);
		const struct baseline_unmatched unmatched = {
			.is_then = true,
			.path = then->path,
			.test = step->test->name,
			.text = "is in the baseline alone",
		};

		if (step->plans_count > (other ? other->plans_count : 0))
			r = add_unmatched(baseline, &unmatched);
	}
	return r;
}

static int compare_device(struct baseline *baseline,
			  const struct run_device *then,
			  const struct run_device *now)
{
	int r = warn_of_device(baseline, then, now);

	for (size_t i = 0; i < now->steps_count; i++) {
		const struct run_step *step = &now->steps[i];

		for (size_t plan = 0; plan < step->plans_count && r == 0;
		     plan++) {
			struct measured a = { .device = then, .plan = plan };
			struct measured b = {
				.device = now,
				.step = step,
				.plan = plan,
			};

			r = compare_plan(baseline, &a, &b);
		}
	}
	return r < 0 ? r : tell_missing(baseline, then, now);
}

/* ---- the whole ------------------------------------------------------------ */

static int tell_unmatched(struct baseline *baseline,
			  const struct baseline_now *now, const size_t *then_of,
			  const bool *is_taken)
{
	const struct results *then = baseline->results;
	int r = 0;

	for (size_t i = 0; i < now->devices_count && r == 0; i++) {
		const struct baseline_unmatched unmatched = {
			.path = now->devices[i].path,
			.text = "is not in the baseline",
		};

		if (then_of[i] == UNMATCHED)
			r = add_unmatched(baseline, &unmatched);
	}
	for (size_t i = 0; i < then->devices_count && r == 0; i++) {
		const struct baseline_unmatched unmatched = {
			.is_then = true,
			.path = then->devices[i].path,
			.text = "is in the baseline alone",
		};

		if (!is_taken[i])
			r = add_unmatched(baseline, &unmatched);
	}
	return r;
}

static int compare_all(struct baseline *baseline,
		       const struct baseline_now *now, const size_t *then_of,
		       const bool *is_taken)
{
	const struct results *then = baseline->results;
	int r;

	for (size_t i = 0; i < then->devices_count; i++)
		baseline->devices += is_taken[i];
	r = warn_of_host(baseline, now);
	for (size_t i = 0; i < now->devices_count && r == 0; i++)
		if (then_of[i] != UNMATCHED)
			r = compare_device(baseline, &then->devices[then_of[i]],
					   &now->devices[i]);
	return r < 0 ? r : tell_unmatched(baseline, now, then_of, is_taken);
}

int baseline_compare(const struct results *then, const struct baseline_now *now,
		     double equal_percent, struct baseline *baseline)
{
	size_t *then_of = calloc(now->devices_count, sizeof(*then_of));
	bool *is_taken = calloc(then->devices_count, sizeof(*is_taken));
	int r = -ENOMEM;

	*baseline = (struct baseline){
		.results = then,
		.pairs.equal_percent = equal_percent,
	};
	if (then_of && is_taken) {
		match_devices(then, now, then_of, is_taken);
		r = compare_all(baseline, now, then_of, is_taken);
	}
	free(is_taken);
	free(then_of);
	return r;
}

void baseline_finish(struct baseline *baseline)
{
	free(baseline->unmatched);
	pairs_finish(&baseline->pairs);
	*baseline = (struct baseline){ .results = NULL };
}
