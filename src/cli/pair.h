/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PAIR_H
#define PAIR_H

#include <blkbench.h>

/* Two measurements of a test, or of all its repeats, that were compared: b with
 * a. */
struct pair {
	const char *test;
	const struct blkbench_plan *plan; /* of b */
	uint64_t repeat;		  /* from 1; 0: all of them */
	bool is_baseline;  /* a is of an earlier run, not of another device */
	const char *a, *b; /* the devices' paths, as given */
	double a_figure, b_figure; /* of figure_of_speed(plan), or NAN */
	bool is_partial;	   /* one of them did not run to its end */
	struct blkbench_comparison comparison;
};

/* All those of a run: test by test, those of a test next to each other. */
struct pairs {
	double equal_percent;
	uint64_t repeats; /* each of which has its own; or 0 */
	size_t count;
	struct pair *list;
	/* Conditions that a and b did not have alike: the code is "differs". */
	size_t warnings_count;
	struct blkbench_warning *warnings;
};

/* Those that are int return 0, or -ENOMEM. */
int pairs_add(struct pairs *pairs, const struct pair *pair)
	__attribute__((warn_unused_result));

void pairs_finish(struct pairs *pairs);

/* How the words of a warning call what is compared. */
struct sides {
	const char *test;  /* NULL: it is of all tests */
	const char *about; /* one of several devices, or NULL */
	const char *a, *b; /* "then" and "now" */
};

/* Warns where a condition is not alike; once, if all words are the same. */
int pairs_warn_if_differs(struct pairs *pairs, const struct sides *sides,
			  const char *name, const char *a, const char *b)
	__attribute__((warn_unused_result));

/* How many pairs, from this one on, are of the same test and repeat. */
size_t pairs_in_test(const struct pairs *pairs, size_t first);

/* A device that in one test is far from all others. */
struct odd_one {
	const struct pair *pair; /* the first one of the test */
	const char *path;
	size_t among;  /* so many devices */
	double figure; /* of figure_of_speed(pair->plan) */
	double score;  /* as of blkbench_odd_scores() */
};

/* Of each test in which there is one. Returns 0, or -ENOMEM; the caller frees
 * *list. */
int pairs_find_odd(const struct pairs *pairs, struct odd_one **list,
		   size_t *count) __attribute__((warn_unused_result));

/* "seek, 32 in flight", "cached, buffered", "timed, run 2": which figure of a
 * test it is. */
#define PAIR_LABEL_MAX 120
const char *pair_label(const struct pairs *pairs, const struct pair *pair,
		       char text[PAIR_LABEL_MAX]);

/* The same of any plan; run 0: there is but one. */
const char *pair_label_plan(const struct blkbench_plan *plan, uint64_t run,
			    char text[PAIR_LABEL_MAX]);

#endif
