/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "layers.h"

#include <errno.h>
#include <stdlib.h>

struct walk {
	const struct blkbench_info *info;
	struct layers_visitor *visitor;
	bool *is_seen; /* of each layer */
};

/* As deep as the stack is, of which stack.c keeps the depth in bounds. */
static void visit(struct walk *walk, size_t index)
{
	const struct blkbench_layer *layer;

	if (index == BLKBENCH_NO_LAYER || walk->is_seen[index])
		return;
	walk->is_seen[index] = true;
	layer = &walk->info->layers[index];
	if (!walk->visitor->visit(walk->visitor, layer))
		return;
	for (size_t i = 0; i < layer->segments_count; i++)
		for (size_t k = 0; k < layer->segments[i].legs_count; k++)
			visit(walk, layer->segments[i].legs[k].layer);
}

int layers_walk(const struct blkbench_info *info,
		struct layers_visitor *visitor)
{
	struct walk walk = { .info = info, .visitor = visitor };

	if (info->layers_count == 0)
		return 0;
	walk.is_seen = calloc(info->layers_count, sizeof(*walk.is_seen));
	if (!walk.is_seen)
		return -ENOMEM;
	visit(&walk, 0);
	free(walk.is_seen);
	return 0;
}
