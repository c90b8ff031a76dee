/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"

static double get_rate(const struct blkbench_result *result)
{
	return result->rate_bytes_per_s;
}

static double get_mean(const struct blkbench_result *result)
{
	return result->curve.mean_rate_bytes_per_s;
}

static double get_slowest(const struct blkbench_result *result)
{
	return result->curve.min_rate_bytes_per_s;
}

static double get_access(const struct blkbench_result *result)
{
	return result->access_ms;
}

static double get_seeks(const struct blkbench_result *result)
{
	return result->seeks_per_s;
}

static double get_rate_ci95(const struct blkbench_result *result)
{
	return result->rate_ci95_percent;
}

static double get_access_ci95(const struct blkbench_result *result)
{
	return result->access_ci95_percent;
}

/* clang-format off */
const struct figure figure_rate = {
	"rate_bytes_per_s", "MB/s", get_rate, get_rate_ci95, 1e6, text_mb
};
static const struct figure mean_rate = {
	"mean_rate_bytes_per_s", "MB/s", get_mean, get_rate_ci95, 1e6,
	text_mb
};
const struct figure figure_slowest = {
	"min_rate_bytes_per_s", "MB/s", get_slowest, get_rate_ci95, 1e6,
	text_mb
};
const struct figure figure_access = {
	"access_ms", "ms", get_access, get_access_ci95, 1.0, text_ms
};
const struct figure figure_seeks = {
	"seeks_per_s", "seeks/s", get_seeks, get_rate_ci95, 1.0, text_per_s
};
/* clang-format on */

const struct figure *figure_of_plan(const struct blkbench_plan *plan)
{
	if (plan->pattern == BLKBENCH_PATTERN_PLACES)
		return &mean_rate;
	if (!plan->is_seek)
		return &figure_rate;
	return plan->queue_depth == 1 ? &figure_access : &figure_seeks;
}

const struct figure *figure_find(const char *key)
{
	static const struct figure *const figures[] = {
		&figure_rate,	&mean_rate,    &figure_slowest,
		&figure_access, &figure_seeks,
	};

	for (size_t i = 0; key && i < sizeof(figures) / sizeof(figures[0]); i++)
		if (!strcmp(figures[i]->key, key))
			return figures[i];
	return NULL;
}

const struct figure *figure_of_speed(const struct blkbench_plan *plan)
{
	return plan->is_seek ? &figure_seeks : &figure_rate;
}

/* The next one that ran to its end: begin with *position 0, on until NULL. */
static const struct blkbench_result *next_run(const struct run_device *device,
					      const struct run_step *step,
					      size_t plan, size_t *position)
{
	while (*position < device->entries_count) {
		const struct run_entry *entry = &device->entries[*position];

		(*position)++;
		if (entry->step == step && entry->plan == plan &&
		    entry->is_measured && !entry->result.is_partial)
			return &entry->result;
	}
	return NULL;
}

/* Of the first ones, up to max. */
static int gather(const struct run_device *device, const struct run_step *step,
		  size_t plan, const struct figure *figure, size_t max,
		  struct blkbench_estimate **runs, size_t *count)
{
	const struct blkbench_result *result;
	size_t position = 0;

	*count = 0;
	*runs = calloc(device->entries_count + 1, sizeof(**runs));
	if (!*runs)
		return -ENOMEM;
	while (max-- && (result = next_run(device, step, plan, &position))) {
		if (isnan(figure->get(result)))
			continue;
		(*runs)[(*count)++] = (struct blkbench_estimate){
			.value = figure->get(result),
			.ci95_percent = figure->get_ci95_percent(result),
			.elapsed_ns = result->elapsed_ns,
		};
	}
	return 0;
}

int figure_gather(const struct run_device *device, const struct run_step *step,
		  size_t plan, const struct figure *figure,
		  struct blkbench_estimate **runs, size_t *count)
{
	const size_t max = run_step_is_cached(step, plan) ? 1 : SIZE_MAX;

	return gather(device, step, plan, figure, max, runs, count);
}

int figure_summarise_as(const struct figure *figure,
			const struct run_device *device,
			const struct run_step *step, size_t plan,
			struct blkbench_spread *spread, size_t *count)
{
	struct blkbench_estimate *runs;
	double *values;
	size_t i;
	int r;

	r = gather(device, step, plan, figure, SIZE_MAX, &runs, count);
	if (r < 0)
		return r;
	values = calloc(*count + 1, sizeof(*values));
	for (i = 0; values && i < *count; i++)
		values[i] = runs[i].value;
	r = values ? blkbench_spread_summarise(values, *count, spread)
		   : -ENOMEM;
	free(values);
	free(runs);
	return r;
}

int figure_summarise(const struct run_device *device,
		     const struct run_step *step, size_t plan,
		     struct blkbench_spread *spread, size_t *count)
{
	return figure_summarise_as(figure_of_plan(&step->plans[plan]), device,
				   step, plan, spread, count);
}

int figure_find_trend(const struct run_device *device,
		      const struct run_step *step, size_t plan,
		      struct blkbench_trend *trend)
{
	struct blkbench_estimate *runs;
	size_t count;
	int r;

	r = gather(device, step, plan, figure_of_plan(&step->plans[plan]),
		   SIZE_MAX, &runs, &count);
	if (r == 0)
		r = blkbench_trend_find(runs, count, trend);
	free(runs);
	return r;
}

double figure_main(const struct figure *figure, const struct run_device *device,
		   const struct run_step *step, size_t plan,
		   const struct blkbench_spread *spread)
{
	const struct blkbench_result *first;
	size_t position = 0;

	if (!run_step_is_cached(step, plan))
		return spread->median;
	first = next_run(device, step, plan, &position);
	return first ? figure->get(first) : NAN;
}

int figure_slices(const struct blkbench_result *result,
		  struct blkbench_spread *spread)
{
	const struct blkbench_slice *slice;
	double *rates;
	size_t count = 0, i;
	int r;

	rates = calloc(result->slices_count + 1, sizeof(*rates));
	if (!rates)
		return -ENOMEM;
	for (i = 0; i < result->slices_count; i++) {
		slice = &result->slices[i];
		if (!slice->elapsed_ns)
			continue;
		rates[count++] = (result->plan.is_seek ? slice->requests
						       : slice->bytes) *
				 1e9 / slice->elapsed_ns;
	}
	r = blkbench_spread_summarise(rates, count, spread);
	free(rates);
	return r;
}
