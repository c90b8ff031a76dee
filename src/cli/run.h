/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RUN_H
#define RUN_H

#include <blkbench.h>
#include <stdio.h>

#include "options.h"

/*
 * A run: each test on each device, as often as asked for.
 *
 *	device   what became of one DEVICE of the command line
 *	step     one of its tests: the plans, or why there are none
 *	entry    one plan of a step, carried out in one of the repeats
 */

enum run_status {
	RUN_OK,		 /* all asked-for tests ran, nothing wrong */
	RUN_UNMET,	 /* a limit was not met, or --require-aligned */
	RUN_FAILED,	 /* read errors, stalled, vanished */
	RUN_UNTESTED,	 /* it, or one of its tests, cannot be tested */
	RUN_INTERRUPTED, /* by a signal */
};

/* The codes that the program ends with. */
enum run_exit {
	RUN_EXIT_OK = 0,
	RUN_EXIT_FAILED = 1,
	RUN_EXIT_USAGE = 2,
	RUN_EXIT_UNTESTED = 3,
	RUN_EXIT_UNMET = 4,
	RUN_EXIT_SIGNAL = 128, /* plus its number */
};

struct run_step {
	const struct blkbench_test *test;
	size_t plans_count; /* 0: reason says why */
	struct blkbench_plan plans[BLKBENCH_PLANS_MAX];
	char reason[BLKBENCH_TEXT_MAX];
	/* Of its repeats, one for each plan; no code: there is none. */
	struct blkbench_warning repeats_warnings[BLKBENCH_PLANS_MAX];
};

struct run_entry {
	const struct run_step *step;
	size_t plan;	  /* of the step; entries alike have it alike */
	uint64_t repeat;  /* from 1 */
	bool is_measured; /* else it was skipped, and reason says why */
	bool was_stopped; /* the program was, in the midst of it */
	char reason[BLKBENCH_TEXT_MAX];
	struct blkbench_result result; /* if it was measured */
};

struct limit;
struct figure;

/* What the options ask for, and what came of it. */
struct run_limit {
	const struct limit *limit; /* NULL: --require-aligned; then all of
				    * this but is_met is empty */
	const struct run_step *step;
	size_t plan; /* of the step */
	const struct figure *figure;
	double asked, value; /* in the unit of the figure's key; NAN: none */
	size_t repeats;	     /* that the value is the median of */
	enum blkbench_answer is_met;
};

/* -c: what the tests do not tell. */
struct run_check {
	bool has_begun, is_done;
	struct blkbench_health before, after;
	struct blkbench_diagnosis diagnosis;
	struct blkbench_warning warning; /* of a device to be watched */
};

struct run_device {
	const char *path;		  /* as given */
	struct blkbench_device *device;	  /* NULL: could not be opened */
	const struct blkbench_info *info; /* NULL: could not be opened */
	uint64_t seed; /* of the first repeat; it repeats the run */

	/* The part of it to be read, where that was chosen for the sake of the
	 * others; length 0: it was not. And what is doubtful of it all the
	 * same; code NULL: nothing. */
	struct blkbench_range range;
	struct blkbench_warning shared_disk_warning;
	/* What it has in common with another one of --parallel; or code NULL. */
	struct blkbench_warning sharing_warning;

	enum run_status status;
	char message[BLKBENCH_TEXT_MAX]; /* why it is not OK, or "" */
	bool has_stalled;
	bool is_lost;	 /* no read of it can succeed any more */
	bool was_probed; /* info->content came from reading it */

	size_t steps_count;
	struct run_step *steps;
	size_t entries_count;
	struct run_entry *entries;
	size_t limits_count;
	struct run_limit *limits; /* each that was asked for, in the end */
	uint64_t repeats_skipped; /* after a signal, a stall or a loss */
	struct run_check check;
	/* Of the results; the last of those alike in test and code, as repeats
	 * say the same with other counts. There is room for all of them. */
	size_t warnings_count;
	const struct blkbench_warning **warnings;
	/* Of a device that hangs, and so may its end: it is put off until all
	 * is reported. */
	struct blkbench_measure *stalled_measure;
	struct blkbench_parallel *stalled_parallel;
};

struct run;
struct results;

/* What the options ask for, to be compared with the results of then unless that
 * is NULL; both are to outlive it. Returns NULL: no memory. */
struct run *run_create(const struct options *options,
		       const struct results *then);

/* Does it, and reports it on out. Returns the exit code. */
int run_carry_out(struct run *run, FILE *out);

/* Whether run_destroy() may block, while reads of a hung device are
 * outstanding. */
bool run_may_hang(const struct run *run);

/* NULL is allowed. */
void run_destroy(struct run *run);

/* Whether its later repeats are said to come from a cache. */
bool run_step_is_cached(const struct run_step *step, size_t plan);

/* Takes a warning, which is to stay where it is. */
void run_device_add_warning(struct run_device *device,
			    const struct blkbench_warning *warning);

/* Takes the warnings of a result, which is to stay where it is. */
void run_device_add_warnings(struct run_device *device,
			     const struct blkbench_result *result);

/*
 * The warnings of the device, then those of its results: begin with *position
 * 0 and go on until NULL.
 */
const struct blkbench_warning *
run_device_next_warning(const struct run_device *device, size_t *position);

#endif
