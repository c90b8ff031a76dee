/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

/* A decimal number as it was written: digits / 10^decimals. */
struct number {
	uint64_t digits;
	unsigned int decimals;
};

/*
 * Reads the digits at the beginning of text, with at most one decimal point
 * among them, in every locale alike; *end is what follows. No sign, no
 * exponent, no "inf" or "nan".
 *
 * Returns 0, -EINVAL if there is no digit, or -ERANGE if there are more of
 * them than 64 bits hold.
 */
int number_parse(const char *text, struct number *number, const char **end)
	__attribute__((warn_unused_result));

double number_to_double(const struct number *number);

/*
 * number * factor, cut to a whole number. Returns 0 if nothing was cut, 1 if
 * something was, or -ERANGE if the product does not fit 64 bits.
 */
int number_scale(const struct number *number, uint64_t factor,
		 uint64_t *product) __attribute__((warn_unused_result));

#endif
