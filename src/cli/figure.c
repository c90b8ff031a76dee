/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "figure.h"

static double get_rate(const struct blkbench_result *result)
{
	return result->rate_bytes_per_s;
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
static const struct figure rate = {
	"rate_bytes_per_s", "MB/s", get_rate, get_rate_ci95, 1e6, text_mb
};
static const struct figure access_time = {
	"access_ms", "ms", get_access, get_access_ci95, 1.0, text_ms
};
static const struct figure seeks = {
	"seeks_per_s", "seeks/s", get_seeks, get_rate_ci95, 1.0, text_per_s
};
/* clang-format on */

const struct figure *figure_of_plan(const struct blkbench_plan *plan)
{
	if (!plan->is_seek)
		return &rate;
	return plan->queue_depth == 1 ? &access_time : &seeks;
}

const struct figure *figure_of_speed(const struct blkbench_plan *plan)
{
	return plan->is_seek ? &seeks : &rate;
}

int figure_summarise(const struct run_device *device,
		     const struct run_step *step, size_t plan,
		     struct blkbench_spread *spread, size_t *count)
{
	const struct figure *figure = figure_of_plan(&step->plans[plan]);
	const struct run_entry *entry;
	double *values;
	size_t i;
	int r;

	values = calloc(device->entries_count + 1, sizeof(*values));
	if (!values)
		return -ENOMEM;
	*count = 0;
	for (i = 0; i < device->entries_count; i++) {
		entry = &device->entries[i];
		if (entry->step != step || entry->plan != plan ||
		    !entry->is_measured || entry->result.is_partial ||
		    isnan(figure->get(&entry->result)))
			continue;
		values[(*count)++] = figure->get(&entry->result);
	}
	r = blkbench_spread_summarise(values, *count, spread);
	free(values);
	return r;
}

double figure_main(const struct run_device *device, const struct run_step *step,
		   size_t plan, const struct blkbench_spread *spread)
{
	const struct figure *figure = figure_of_plan(&step->plans[plan]);
	size_t i;

	if (!run_step_is_cached(step, plan))
		return spread->median;
	for (i = 0; i < device->entries_count; i++)
		if (device->entries[i].step == step &&
		    device->entries[i].plan == plan)
			return figure->get(&device->entries[i].result);
	return NAN;
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
