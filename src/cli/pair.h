/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PAIR_H
#define PAIR_H

#include <blkbench.h>

/* Two measurements of a test that were compared: b with a. */
struct pair {
	const char *test;
	const struct blkbench_plan *plan; /* of b */
	uint64_t repeat;		  /* from 1 */
	const char *a, *b;		  /* the devices' paths, as given */
	double a_figure, b_figure;	  /* of figure_of_speed(plan), or NAN */
	bool is_partial; /* one of them did not run to its end */
	struct blkbench_comparison comparison;
};

/* All those of a run: test by test, those of a test next to each other. */
struct pairs {
	double equal_percent;
	size_t count;
	struct pair *list;
};

/* "seek, 32 in flight", "cached, buffered": which figure of a test it is. */
#define PAIR_LABEL_MAX 80
const char *pair_label(const struct pair *pair, char text[PAIR_LABEL_MAX]);

#endif
