/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef WARNINGS_H
#define WARNINGS_H

#include <blkbench.h>

#define WARNINGS_MAX 16

/* Of a device; each place that warns does so once, so that they fit. */
struct warnings {
	size_t count;
	struct blkbench_warning items[WARNINGS_MAX];
};

void warnings_add(struct warnings *warnings, const char *code,
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
