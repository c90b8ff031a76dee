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
	size_t count;
	struct pair *list;
};

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

/* "seek, 32 in flight", "cached, buffered": which figure of a test it is. */
#define PAIR_LABEL_MAX 80
const char *pair_label(const struct pair *pair, char text[PAIR_LABEL_MAX]);

#endif
