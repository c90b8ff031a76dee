/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef VERSUS_H
#define VERSUS_H

#include "joint.h"
#include "options.h"
#include "pair.h"
#include "progress.h"
#include "run.h"

/*
 * Several devices that take turns in each test, each compared with the first of
 * those that can be measured; or, with --parallel, that are read at the same
 * time. What is wrong with one of them concerns no other.
 */
struct versus {
	const struct options *options;
	struct progress *progress;
	size_t devices_count;
	struct run_device *devices; /* opened, or not, and planned */
	struct pairs pairs;	    /* what came of it */
	struct joints joints;	    /* with --parallel, instead */
};

/*
 * Carries out all their tests, as often as asked for; their entries are there
 * then. Returns 0, or -ENOMEM: nothing was done. versus_finish() frees what it
 * holds in any case.
 */
int versus_run(struct versus *versus) __attribute__((warn_unused_result));

void versus_finish(struct versus *versus);

#endif
