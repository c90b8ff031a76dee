/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RESULTS_PARTS_H
#define RESULTS_PARTS_H

#include "document.h"
#include "run.h"

/*
 * Parts of a document of results, for results_json.c. They return 0, or -EINVAL
 * with the place in error->text, or -ENOMEM; what they have allocated until then
 * is where it belongs.
 */

/* Of a zones test or a check: its places, their curve, and what is slow. */
int results_read_zones(const struct place *place, struct json_object *test,
		       struct blkbench_result *result,
		       struct blkbench_error *error)
	__attribute__((warn_unused_result));

int results_read_check(const struct place *place, struct json_object *object,
		       struct run_check *check, struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* After its tests: of which of them the repeats came from a cache. */
int results_read_spreads(const struct place *place, struct json_object *object,
			 struct run_device *device,
			 struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* After these: which limits it was to keep, and whether it did. */
int results_read_limits(const struct place *place, struct json_object *object,
			struct run_device *device, struct blkbench_error *error)
	__attribute__((warn_unused_result));

#endif
