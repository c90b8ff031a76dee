/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DMTABLE_H
#define DMTABLE_H

#include <blkbench.h>

/* Of tables, whatever the device's. */
#define DMTABLE_SECTOR_BYTES 512ULL

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

/* What the status of a target says of its legs. */
struct dmtable_state {
	bool has_paths; /* a multipath target, of which members are paths */
	uint64_t members;
	uint64_t lost;		   /* of them: failed, or missing */
	uint64_t mismatch_sectors; /* an array's last check has found, or
				    * UNKNOWN */
};

/*
 * Reads the status of a raid or multipath target. Returns 0, or -EINVAL: not
 * understood; -ENODATA: it is of another type.
 */
int dmtable_parse_status(const char *type, const char *status,
			 struct dmtable_state *state)
	__attribute__((warn_unused_result));

#endif
