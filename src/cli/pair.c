/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <stdio.h>

#include "pair.h"

const char *pair_label(const struct pair *pair, char text[PAIR_LABEL_MAX])
{
	const struct blkbench_plan *plan = pair->plan;

	if (plan->is_seek && plan->queue_depth > 1)
		snprintf(text, PAIR_LABEL_MAX, "%.40s, %" PRIu64 " in flight",
			 pair->test, plan->queue_depth);
	else
		snprintf(text, PAIR_LABEL_MAX, "%.40s", pair->test);
	return text;
}
