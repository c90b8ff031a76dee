/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CURVE_H
#define CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Rates from one end of a range to the other, as bars in a terminal. */
struct curve {
	size_t count;	      /* two or more */
	const double *values; /* MB/s, > 0; NAN: none */
	double max;	      /* of them, > 0 */
	uint64_t begin_bytes, end_bytes;
};

/* In 80 columns. Of more places than there are columns each shows the lowest. */
void curve_print(FILE *out, const struct curve *curve, bool is_utf8);

/* Whether the locale of the environment is one of UTF-8. */
bool curve_is_utf8(void);

#endif
