/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef JOINT_H
#define JOINT_H

#include "options.h"
#include "progress.h"
#include "run.h"

/* One of several devices that are read at the same time. */
struct joint_device {
	const char *path; /* as given */
	bool is_partial;  /* it did not run to its end */
	struct blkbench_share share;
	bool is_measured;		 /* with the others */
	struct blkbench_result together; /* if it was */
};

/* One plan of a test, measured on each device alone and on all of them. */
struct joint {
	const char *test;
	const struct blkbench_plan *plan;
	uint64_t repeat; /* from 1 */
	double equal_percent;
	bool is_partial; /* a signal has ended it */
	size_t devices_count;
	struct joint_device *devices;
	size_t among; /* so many of them are in the total */
	struct blkbench_share total;
	double cpu_percent; /* of the program, with all of them; or NAN */
};

/* All those of a run, in the order in which they ran. */
struct joints {
	uint64_t repeats; /* of each test */
	size_t count;
	struct joint *list;
};

/* A device of a joint, and its entry, which is due. */
struct joint_member {
	struct run_device *device;
	struct run_entry *entry;
};

/*
 * Carries out the plan of the entries, of two or more devices. What each did
 * alone is in its entry then. Returns 0, or a negative errno: it was skipped.
 * joint_finish() frees what it holds in any case.
 */
int joint_measure(struct joint *joint, const struct options *options,
		  const struct joint_member *members, size_t count,
		  struct progress *progress)
	__attribute__((warn_unused_result));

void joint_finish(struct joint *joint);

/* Of devices that lie on the same one, adds that to their warnings. */
void joint_warn_of_sharing(struct run_device *devices, size_t count);

#endif
