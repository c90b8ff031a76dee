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

/* Something that may hold reads back, and the file that says so. */
#define DOUBT_FILE_MAX 112

struct doubt_limit {
	uint64_t value;		/* the lowest; UNKNOWN: none, or not known */
	size_t layers;		/* of the stack that have one */
	const char *layer;	/* that has the lowest; owned by the device */
	uint64_t request_bytes; /* the largest it takes at once, or UNKNOWN */
	char file[DOUBT_FILE_MAX];
};

struct doubt_limits {
	struct doubt_limit bytes_per_s, reads_per_s; /* of the cgroups */
	struct doubt_limit in_flight;		     /* of all disks together */
	struct doubt_limit read_ahead; /* bytes, of the page cache */
};

/* Nothing holds anything back. */
void doubt_limits_init(struct doubt_limits *limits);

/* Adds the warnings that follow from the figures and counts of a result, and
 * from what may have held it back. */
void doubt_find(struct blkbench_result *result,
		const struct doubt_limits *limits);

#endif
