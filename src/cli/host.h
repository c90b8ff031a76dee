/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef HOST_H
#define HOST_H

#include <stdint.h>

#define HOST_NAME_SIZE 128

/* Where a run was made. */
struct host {
	/* Or "": not known. */
	char hostname[HOST_NAME_SIZE];
	char kernel[HOST_NAME_SIZE];
	char machine[HOST_NAME_SIZE];
	uint64_t cpus; /* or UNKNOWN */
};

/* This one. */
void host_get(struct host *host);

#endif
