/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef STACK_H
#define STACK_H

#include <blkbench.h>

#include "blkdev.h"
#include "devmapper.h"
#include "string_list.h"

/* Where to look; tests hand in a tree of files. */
struct stack_source {
	const char *sysfs; /* "/sys" */
	/* Call back for each target. Return 0, or a negative errno. */
	int (*read_table)(const struct stack_source *source, unsigned int major,
			  unsigned int minor,
			  struct devmapper_visitor *visitor);
	int (*read_status)(const struct stack_source *source,
			   unsigned int major, unsigned int minor,
			   struct devmapper_visitor *visitor);
	/* Opens nothing. Returns 0, or a negative errno. */
	int (*find_file)(const struct stack_source *source, const char *path,
			 struct blkdev_file *file);
};

/*
 * A device and all that is below it. Layers come once however often they are
 * reached, and no leg leads back to one above it: what is missing, or would
 * close a circle, is BLKBENCH_NO_LAYER.
 */
struct stack {
	struct blkbench_layer *layers;
	size_t count, allocated;
	struct string_list names;
};

/* Read one; what cannot be found out is "not known". Return 0, or -ENOMEM. */
int stack_read(struct stack *stack, const struct stack_source *source,
	       unsigned int major, unsigned int minor)
	__attribute__((warn_unused_result));
int stack_read_file(struct stack *stack, const struct stack_source *source,
		    const char *path) __attribute__((warn_unused_result));

void stack_finish(struct stack *stack);

#endif
