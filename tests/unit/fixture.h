/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The path of a file or directory below tests/sysfs. */
static inline const char *fixture_path(char path[PATH_MAX], const char *name)
{
	const char *source = getenv("BLKBENCH_SOURCE");

	snprintf(path, PATH_MAX, "%s/tests/sysfs/%s", source ? source : ".",
		 name);
	return path;
}

#endif
