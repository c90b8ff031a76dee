/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <stdio.h>

#include "conditions.h"
#include "text.h"

static void tell_engine(const struct blkbench_result *result,
			char text[BLKBENCH_TEXT_MAX])
{
	snprintf(text, BLKBENCH_TEXT_MAX, "%s",
		 result->engine ? result->engine : "not known");
}

static void tell_size(const struct blkbench_result *result,
		      char text[BLKBENCH_TEXT_MAX])
{
	text_size(result->plan.block_bytes, text);
}

static void tell_depth(const struct blkbench_result *result,
		       char text[BLKBENCH_TEXT_MAX])
{
	snprintf(text, BLKBENCH_TEXT_MAX, "%" PRIu64, result->plan.queue_depth);
}

static void tell_access(const struct blkbench_result *result,
			char text[BLKBENCH_TEXT_MAX])
{
	snprintf(text, BLKBENCH_TEXT_MAX, "%s",
		 result->plan.is_direct ? "direct" : "through the page cache");
}

static const struct condition {
	const char *name;
	void (*tell)(const struct blkbench_result *result,
		     char text[BLKBENCH_TEXT_MAX]);
} conditions[] = {
	{ "engine", tell_engine },
	{ "request size", tell_size },
	{ "requests in flight", tell_depth },
	{ "access", tell_access },
};

int conditions_warn(struct pairs *pairs, const struct sides *sides,
		    const struct blkbench_result *a,
		    const struct blkbench_result *b)
{
	char of_a[BLKBENCH_TEXT_MAX], of_b[BLKBENCH_TEXT_MAX];
	int r = 0;

	for (size_t i = 0;
	     i < sizeof(conditions) / sizeof(conditions[0]) && r == 0; i++) {
		conditions[i].tell(a, of_a);
		conditions[i].tell(b, of_b);
		r = pairs_warn_if_differs(pairs, sides, conditions[i].name,
					  of_a, of_b);
	}
	return r;
}

/* ---- of two devices ----------------------------------------------------- */

/* Of a whole device beside a part of one its seeks are longer ones. */
#define LENGTH_ALIKE 1.1

static const char *known_size(uint64_t bytes, char text[TEXT_FIGURE_MAX])
{
	return bytes == BLKBENCH_UNKNOWN ? "not known" : text_size(bytes, text);
}

static int warn_of_sectors(struct pairs *pairs, const struct sides *sides,
			   const struct blkbench_topology *a,
			   const struct blkbench_topology *b)
{
	const struct {
		const char *name;
		uint64_t a, b;
	} rows[] = {
		{ "logical sector", a->logical_sector_bytes,
		  b->logical_sector_bytes },
		{ "physical sector", a->physical_sector_bytes,
		  b->physical_sector_bytes },
	};
	struct sides all = *sides;
	char of_a[TEXT_FIGURE_MAX], of_b[TEXT_FIGURE_MAX];
	int r = 0;

	all.test = NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && r == 0; i++)
		r = pairs_warn_if_differs(pairs, &all, rows[i].name,
					  known_size(rows[i].a, of_a),
					  known_size(rows[i].b, of_b));
	return r;
}

static int warn_of_lengths(struct pairs *pairs, const struct sides *sides,
			   const struct blkbench_plan *a,
			   const struct blkbench_plan *b)
{
	const double ratio = (double)a->length_bytes / (double)b->length_bytes;
	char of_a[TEXT_FIGURE_MAX], of_b[TEXT_FIGURE_MAX];

	if (a->pattern != BLKBENCH_PATTERN_RANDOM ||
	    (ratio < LENGTH_ALIKE && ratio > 1 / LENGTH_ALIKE))
		return 0;
	return pairs_warn_if_differs(pairs, sides, "range",
				     text_capacity(a->length_bytes, of_a),
				     text_capacity(b->length_bytes, of_b));
}

int conditions_warn_of_devices(struct pairs *pairs, const struct run_device *a,
			       const struct blkbench_result *a_result,
			       const struct run_device *b,
			       const struct blkbench_result *b_result)
{
	char for_a[BLKBENCH_TEXT_MAX], for_b[BLKBENCH_TEXT_MAX];
	const struct sides sides = {
		.test = b_result->plan.test,
		.a = for_a,
		.b = for_b,
	};
	int r;

	snprintf(for_a, sizeof(for_a), "for %s", a->path);
	snprintf(for_b, sizeof(for_b), "for %s", b->path);
	r = warn_of_sectors(pairs, &sides, &a->info->topology,
			    &b->info->topology);
	if (r == 0)
		r = conditions_warn(pairs, &sides, a_result, b_result);
	return r < 0 ? r
		     : warn_of_lengths(pairs, &sides, &a_result->plan,
				       &b_result->plan);
}
