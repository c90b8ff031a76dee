/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DMTABLE_H
#define DMTABLE_H

#include <blkbench.h>

/* A target of a device-mapper table: how one stretch of a device is mapped. */
struct dmtable_target {
	const char *kind;     /* static */
	uint64_t chunk_bytes; /* or UNKNOWN */
	size_t data_members;  /* 0: not known */
	bool does_queue;      /* multipath: keeps reads while no path works */
	size_t legs_count;
	struct dmtable_leg *legs;
};

struct dmtable_leg {
	bool is_missing; /* "-", of a degraded array */
	unsigned int major, minor;
	uint64_t offset_bytes;	 /* or UNKNOWN */
	bool is_placed_by_chunk; /* at a multiple of the chunk size */
};

/*
 * Reads what the kernel says of a target; metadata devices are left out.
 *
 * Returns 0, or -EINVAL: neither the target nor its devices are known; -ENOMEM.
 * The caller frees target->legs, in any case.
 */
int dmtable_parse(const char *type, const char *params,
		  struct dmtable_target *target)
	__attribute__((warn_unused_result));

/*
 * Counts the paths that work in the status of a multipath target. Returns 0, or
 * -EINVAL.
 */
int dmtable_parse_paths(const char *status, uint64_t *working)
	__attribute__((warn_unused_result));

#endif
