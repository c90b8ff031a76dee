/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef COURSE_H
#define COURSE_H

#include <blkbench.h>

/*
 * How a rate went on through a test, told from its parts: neighbouring slices
 * merged into up to 20, so that what is small and quick evens out.
 */
#define COURSE_PARTS_MIN 6
#define COURSE_PARTS_MAX 20

/* Of the rate of all parts together, in percent. */
struct course {
	size_t parts;
	double spread_percent;	     /* standard deviation of the parts */
	double change_percent;	     /* from begin to end, by a straight line */
	double change_error_percent; /* the standard error of that */
};

/* Returns false for fewer slices than parts are needed. */
bool course_find(const struct blkbench_slice *slices, size_t count,
		 struct course *course);

#endif
