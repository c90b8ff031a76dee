/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ENTRY_H
#define ENTRY_H

#include "progress.h"
#include "run.h"

/*
 * One plan of a test on one device: added to those of the device, then measured
 * or skipped. What is wrong with the device goes to its status and to stderr,
 * for which the progress line makes room.
 */

#define ENTRY_INTERRUPTED "interrupted"

/* Says on stderr what is wrong, once for all tests that it is the answer to, and
 * sets the status, of which the last in the order of the enum wins. */
void device_complain(struct run_device *device, enum run_status status,
		     const char *message, struct progress *progress);

/* After a signal, a stall or a loss nothing is to be had from more repeats. */
bool device_is_spent(const struct run_device *device);

struct run_entry *entry_add(struct run_device *device,
			    const struct run_step *step, size_t plan,
			    uint64_t repeat);

/* The plan, with the random offsets of the repeat. */
struct blkbench_plan entry_plan(const struct run_entry *entry);

/*
 * How long a plan may take where its device does not have all of the time:
 * switching takes some, and a verdict more than a figure. So where no time is
 * asked for it is twice that of a test that is carried out alone.
 */
uint64_t entry_limit_ns(const struct options *options,
			const struct blkbench_plan *plan);

/* Whether it is to be measured; else it is skipped, and has the reason. */
bool entry_is_due(struct run_entry *entry, struct run_device *device,
		  struct progress *progress);

void entry_skip(struct run_entry *entry, struct run_device *device,
		enum run_status status, const char *reason,
		struct progress *progress);

/* Carries out its plan. */
void entry_measure(struct run_entry *entry, struct run_device *device,
		   struct progress *progress);

/* Lets a measurement that has had turns, and is none of its own plan, go on to
 * what the plan of the entry asks for, if it has not come so far. */
void entry_go_on(struct run_entry *entry, struct run_device *device,
		 struct blkbench_measure *measure, struct progress *progress);

/* What is wrong with the device by this result. */
void entry_judge(struct run_device *device,
		 const struct blkbench_result *result,
		 struct progress *progress);

/* Takes entry->result for what came of it. */
void entry_take(struct run_entry *entry, struct run_device *device,
		struct progress *progress);

/* Takes over a measurement that has ended, and what came of it. */
void entry_finish(struct run_entry *entry, struct run_device *device,
		  struct blkbench_measure *measure, struct progress *progress);

#endif
