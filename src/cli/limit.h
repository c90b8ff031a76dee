/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef LIMIT_H
#define LIMIT_H

#include "run.h"

/*
 * What the options ask of a device (--min-rate and the like), and whether it
 * meets it: of each test that a limit is for, the median of its repeats.
 */

/* Refuses a limit for which no test runs. Returns 0, or -EINVAL with
 * error->text. */
int limits_check(const struct options *options, struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* Fills device->limits, after all of its tests. Returns 0, or -ENOMEM. */
int limits_judge(const struct options *options, struct run_device *device)
	__attribute__((warn_unused_result));

/* "sequential: 99.32 MB/s, below --min-rate 200"; of one that was not met, or for
 * which nothing was measured. */
const char *limits_text(const struct run_limit *limit,
			char text[BLKBENCH_TEXT_MAX]);

/* As JSON has it: "min_rate". Static. */
const char *limits_key(const struct run_limit *limit);

/* The key of --require-aligned, which has no row in the table. */
#define LIMITS_ALIGNMENT "require_aligned"

/* The one of that key, or NULL. Static. */
const struct limit *limits_find(const char *key);

#endif
