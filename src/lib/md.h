/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MD_H
#define MD_H

#include "mapping.h"
#include "sysfs.h"

/*
 * How an md array is mapped to its members: level, chunk, layout and where on
 * each member its data begins, from sysfs.
 */
void md_map(struct mapping *mapping, const struct sysfs *sysfs,
	    uint64_t size_bytes);

#endif
