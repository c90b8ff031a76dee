/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef HEALTH_H
#define HEALTH_H

#include <blkbench.h>

#include "stack.h"

/* As blkbench_health_read(), of layers. Returns 0, or -ENOMEM. */
int health_read(const struct stack_source *source,
		const struct blkbench_layer *layers, size_t layers_count,
		const struct blkbench_health *before,
		struct blkbench_health *health)
	__attribute__((warn_unused_result));

#endif
