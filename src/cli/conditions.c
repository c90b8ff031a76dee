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
