/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef UDEVDB_H
#define UDEVDB_H

#include <blkbench.h>

#include "string_list.h"

/*
 * What udev's database has of a block device: identity and content, found when
 * the device appeared. Fields that it does not have stay as they are. Strings
 * go to owned.
 */
void udevdb_read(unsigned int major, unsigned int minor,
		 struct string_list *owned, struct blkbench_info *info);

#endif
