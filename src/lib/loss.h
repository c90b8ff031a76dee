/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef LOSS_H
#define LOSS_H

#include <blkbench.h>

#include "stack.h"

/*
 * What has become of a device of which reads fail, or of one that it lies on,
 * by what the kernel says now and said when the device was opened. Reads
 * nothing of the device. size_bytes is what the descriptor has now, or UNKNOWN.
 * Writes the name of the layer that it is about, which is the device's.
 */
enum blkbench_loss loss_find(const struct stack_source *source,
			     const struct blkbench_info *info,
			     uint64_t size_bytes, const char **layer);

#endif
