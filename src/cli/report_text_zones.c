/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "curve.h"
#include "report_text.h"
#include "text.h"

static void print_extremes(FILE *out, const struct blkbench_curve *curve)
{
	char max[TEXT_FIGURE_MAX], max_place[TEXT_FIGURE_MAX];
	char min[TEXT_FIGURE_MAX], min_place[TEXT_FIGURE_MAX];

	fprintf(out,
		REPORT_TEXT_LABEL "fastest %s MB/s at %s, slowest %s MB/s at "
				  "%s\n",
		"", text_mb(curve->max_rate_bytes_per_s / 1e6, max),
		text_place(curve->max_offset_bytes, max_place),
		text_mb(curve->min_rate_bytes_per_s / 1e6, min),
		text_place(curve->min_offset_bytes, min_place));
}

static void print_curve(FILE *out, const struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;
	struct curve curve = {
		.count = result->zones_count,
		.max = result->curve.max_rate_bytes_per_s / 1e6,
		.begin_bytes = plan->offset_bytes,
		.end_bytes = plan->offset_bytes + plan->length_bytes,
	};
	double *values = calloc(result->zones_count, sizeof(*values));
	size_t i;

	if (!values)
		return;
	for (i = 0; i < result->zones_count; i++)
		values[i] = result->zones[i].rate_bytes_per_s / 1e6;
	curve.values = values;
	curve_print(out, &curve, curve_is_utf8());
	free(values);
}

static void print_slow_spot(FILE *out, const struct blkbench_info *info,
			    const struct blkbench_slow_spot *spot)
{
	const double size = (double)info->size_bytes;
	const uint64_t end = spot->offset_bytes + spot->length_bytes;
	char rate[TEXT_FIGURE_MAX], expected[TEXT_FIGURE_MAX];

	fprintf(out,
		REPORT_TEXT_LABEL "%s MB/s where its neighbours have %s: bytes "
				  "%" PRIu64 " to %" PRIu64
				  " (%.1f to %.1f %% of the device)\n",
		"slow", text_mb(spot->rate_bytes_per_s / 1e6, rate),
		text_mb(spot->expected_bytes_per_s / 1e6, expected),
		spot->offset_bytes, end,
		100 * (double)spot->offset_bytes / size,
		100 * (double)end / size);
}

static void print_place(FILE *out, const struct blkbench_zone *zone)
{
	char rate[TEXT_FIGURE_MAX];

	fprintf(out, REPORT_TEXT_LABEL "%" PRIu64 ": %s%s", "",
		zone->offset_bytes, text_mb(zone->rate_bytes_per_s / 1e6, rate),
		isfinite(zone->rate_bytes_per_s) ? " MB/s" : "");
	if (zone->errors)
		fprintf(out, ", %s", blkbench_read_error_text(zone->error));
	fputc('\n', out);
}

void report_text_zones(struct report *report, const struct blkbench_info *info,
		       const struct blkbench_result *result)
{
	FILE *out = report->out;
	size_t i;

	if (isfinite(result->curve.mean_rate_bytes_per_s)) {
		print_extremes(out, &result->curve);
		if (result->zones_count > 1)
			print_curve(out, result);
	}
	for (i = 0; i < result->slow_spots_count; i++)
		print_slow_spot(out, info, &result->slow_spots[i]);
	for (i = 0; report->options->is_verbose && i < result->zones_count; i++)
		print_place(out, &result->zones[i]);
}
