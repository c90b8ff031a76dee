/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DOUBT_H
#define DOUBT_H

#include <blkbench.h>

/* What has been read and written of some layer of the stack since it began. */
struct doubt_traffic {
	uint64_t read_bytes, written_bytes;
	const char *layer; /* NULL: of several; owned by the device */
};

/* Adds the warnings that follow from the figures and counts of a result. */
void doubt_find(struct blkbench_result *result);

#endif
