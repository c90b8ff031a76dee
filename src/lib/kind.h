/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef KIND_H
#define KIND_H

#include <blkbench.h>

#include "string_list.h"
#include "sysfs.h"

/* What kind of block device it is; a disk where nothing tells. */
enum blkbench_kind kind_find(const struct sysfs *sysfs, unsigned int major);

/* What it is called beside its path, "LV lv in vg"; or NULL. Belongs to owner. */
const char *kind_name(enum blkbench_kind kind, const struct sysfs *sysfs,
		      struct string_list *owner);

#endif
