/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef INPUT_H
#define INPUT_H

#include <stdio.h>

#include "options.h"
#include "results.h"

/* Reads a file of results, and says why it cannot be. Returns 0, or the exit
 * code; results_finish() is to be called in any case. */
int input_load(const char *path, struct results *results)
	__attribute__((warn_unused_result));

/*
 * Reports the results of the file that --input names instead of measuring, and
 * compares them with those of then, unless that is NULL. Returns the exit code:
 * that of the reading, not of the run that was made then.
 */
int input_report(const struct options *options, const struct results *then,
		 FILE *out);

/* The same of results that were read. Returns 0, or a negative errno. */
int input_report_results(const struct options *options,
			 const struct results *then, const struct results *now,
			 FILE *out) __attribute__((warn_unused_result));

#endif
