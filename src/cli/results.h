/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RESULTS_H
#define RESULTS_H

#include <blkbench.h>

#include "host.h"
#include "run.h"

/* What an earlier run found, from its JSON document. */
struct results {
	const char *path; /* of the file, as given */
	const char *version;
	struct host host;
	size_t devices_count;
	/* As after a run; what the document does not tell is UNKNOWN or NAN,
	 * as --max-errors is. But for what only -v or JSON would show: their
	 * stacks, findings, slices and histograms are not there, nor are the
	 * errnos of places. */
	struct run_device *devices;
	/* The whole of it (struct json_object), which owns the strings. */
	void *document;
};

/*
 * Reads a file that --json has printed. It is not trusted: whatever is in it,
 * all that is taken from it has the type and the range that a run would give.
 *
 * Returns 0, or -EINVAL: error->text says what in it is wrong, and where; or
 * another negative errno: it cannot be read. The caller owns what it holds;
 * results_finish() frees it, also after an error.
 */
int results_read(const char *path, struct results *results,
		 struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* The same of text in memory; of no path. */
int results_parse(const char *text, size_t length, struct results *results,
		  struct blkbench_error *error)
	__attribute__((warn_unused_result));

void results_finish(struct results *results);

#endif
