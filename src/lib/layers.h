/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef LAYERS_H
#define LAYERS_H

#include <blkbench.h>

/* Embedded in what is to be found out on the way. */
struct layers_visitor {
	/* Returns whether to go on to the layers below this one. */
	bool (*visit)(struct layers_visitor *visitor,
		      const struct blkbench_layer *layer);
};

/*
 * From the device down, each layer once: several may lie on one. Legs that are
 * missing are passed by. Returns 0, or -ENOMEM: none was visited.
 */
int layers_walk(const struct blkbench_info *info,
		struct layers_visitor *visitor)
	__attribute__((warn_unused_result));

#endif
