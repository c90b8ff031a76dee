/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef INVENTORY_H
#define INVENTORY_H

#include <blkbench.h>

#include "alignment.h"
#include "blkdev.h"
#include "stack.h"
#include "string_list.h"
#include "warnings.h"

/* Everything that is known of a device, and the memory that holds it. */
struct inventory {
	struct blkbench_info info;
	struct stack stack;
	struct alignment_stripe stripe;
	struct string_list owned, mounts, holders;
	struct warnings warnings;
};

/* Where to look; tests hand in a tree of files. */
struct inventory_sources {
	const char *sysfs; /* "/sys" */
	struct stack_source stack;
	const char *mountinfo; /* "/proc/self/mountinfo" */
	const char *swaps;     /* "/proc/swaps" */
};

/* Returns 0, or -ENOMEM. */
int inventory_init(struct inventory *inventory, const char *path);
void inventory_finish(struct inventory *inventory);

/* A block device, from sysfs and what its descriptor answered. */
void inventory_read(struct inventory *inventory,
		    const struct inventory_sources *sources, unsigned int major,
		    unsigned int minor, const struct blkdev_limits *limits);

/* A regular file. */
void inventory_read_file(struct inventory *inventory,
			 const struct inventory_sources *sources,
			 const struct blkdev_limits *limits);

/* Drops what is no name; after all have been asked for the identity. */
void inventory_tidy(struct inventory *inventory);

/* Once all is read, and after each change: the verdict and the lists. */
void inventory_judge(struct inventory *inventory);

#endif
