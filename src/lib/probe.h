/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PROBE_H
#define PROBE_H

#include <blkbench.h>

#include "string_list.h"

/*
 * libblkid's opinion. Reads sysfs, asks the descriptor, which must not be
 * O_DIRECT; reads no data and starts no program. What it does not say, and it
 * says nothing where a value is 0, is UNKNOWN.
 */
void probe_topology(int fd, struct blkbench_topology *topology);

/*
 * What libblkid recognises in a file: a file system or a member of something,
 * or else a partition table, which is of usage "other". Nothing is set where
 * it recognises nothing, or two things at once. Strings go to owned.
 */
void probe_content(int fd, uint64_t sector_bytes, struct string_list *owned,
		   struct blkbench_content *content);

#endif
