/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>

#include "results_parts.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ZONE(member) offsetof(struct blkbench_zone, member)
#define CURVE(member) offsetof(struct blkbench_curve, member)
#define SPOT(member) offsetof(struct blkbench_slow_spot, member)

/* clang-format off */
static const struct field zone_fields[] = {
	{ "offset_bytes", FIELD_U64, true, ZONE(offset_bytes) },
	{ "length_bytes", FIELD_U64, true, ZONE(length_bytes) },
	{ "rate_bytes_per_s", FIELD_RATE, false, ZONE(rate_bytes_per_s) },
	{ "errors", FIELD_U64, true, ZONE(errors) },
};

static const struct field curve_fields[] = {
	{ "min_rate_bytes_per_s", FIELD_RATE, false,
	  CURVE(min_rate_bytes_per_s) },
	{ "min_offset_bytes", FIELD_U64, false, CURVE(min_offset_bytes) },
	{ "mean_rate_bytes_per_s", FIELD_RATE, false,
	  CURVE(mean_rate_bytes_per_s) },
	{ "max_rate_bytes_per_s", FIELD_RATE, false,
	  CURVE(max_rate_bytes_per_s) },
	{ "max_offset_bytes", FIELD_U64, false, CURVE(max_offset_bytes) },
};

static const struct field spot_fields[] = {
	{ "offset_bytes", FIELD_U64, true, SPOT(offset_bytes) },
	{ "length_bytes", FIELD_U64, true, SPOT(length_bytes) },
	{ "rate_bytes_per_s", FIELD_RATE, true, SPOT(rate_bytes_per_s) },
	{ "expected_bytes_per_s", FIELD_RATE, true,
	  SPOT(expected_bytes_per_s) },
};
/* clang-format on */

static const struct document_items zones = {
	.key = "zones",
	.max = BLKBENCH_PLACES_MAX,
	.size = sizeof(struct blkbench_zone),
	.fields = zone_fields,
	.fields_count = COUNT(zone_fields),
};

static const struct document_items spots = {
	.key = "slow_spots",
	.max = BLKBENCH_PLACES_MAX,
	.size = sizeof(struct blkbench_slow_spot),
	.fields = spot_fields,
	.fields_count = COUNT(spot_fields),
};

/* The rates are drawn from 0 to the maximum. */
static int check_curve(const struct place *test,
		       const struct blkbench_result *result,
		       struct blkbench_error *error)
{
	const struct place place = { .above = test, .key = "curve" };
	const struct blkbench_curve *curve = &result->curve;

	if (isnan(curve->mean_rate_bytes_per_s))
		return 0;
	if (isnan(curve->min_rate_bytes_per_s) ||
	    isnan(curve->max_rate_bytes_per_s) ||
	    curve->min_offset_bytes == BLKBENCH_UNKNOWN ||
	    curve->max_offset_bytes == BLKBENCH_UNKNOWN)
		return document_refuse(&place, error,
				       "has a mean, but no two ends");
	for (size_t i = 0; i < result->zones_count; i++)
		if (result->zones[i].rate_bytes_per_s >
		    curve->max_rate_bytes_per_s)
			return document_refuse(&place, error,
					       "has a maximum below zones[%zu]",
					       i);
	return 0;
}

int results_read_zones(const struct place *place, struct json_object *test,
		       struct blkbench_result *result,
		       struct blkbench_error *error)
{
	void *items;
	int r;

	r = document_get_items(place, test, &zones, &items,
			       &result->zones_count, error);
	result->zones = items;
	if (r == 0)
		r = document_get_part(place, test, "curve", curve_fields,
				      COUNT(curve_fields), &result->curve,
				      error);
	if (r == 0)
		r = check_curve(place, result, error);
	if (r < 0)
		return r;
	r = document_get_items(place, test, &spots, &items,
			       &result->slow_spots_count, error);
	result->slow_spots = items;
	return r;
}
