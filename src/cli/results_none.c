/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdio.h>

#include "results.h"

/* Without json-c; the options that would come here say so before. */

int results_read(const char *path, struct results *results,
		 struct blkbench_error *error)
{
	*results = (struct results){ .path = path };
	snprintf(error->text, sizeof(error->text),
		 "built without JSON (json-c)");
	return -EOPNOTSUPP;
}

void results_finish(struct results *results)
{
	*results = (struct results){ .path = NULL };
}
