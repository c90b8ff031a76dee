/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdbool.h>

#include "number.h"

static int number_add_digit(struct number *number, char digit)
{
	uint64_t digits;

	if (__builtin_mul_overflow(number->digits, 10, &digits) ||
	    __builtin_add_overflow(digits, (uint64_t)(digit - '0'), &digits))
		return -ERANGE;
	number->digits = digits;
	return 0;
}

int number_parse(const char *text, struct number *number, const char **end)
{
	bool has_digit = false;
	bool has_point = false;

	*number = (struct number){ 0 };
	for (;; text++) {
		if (*text == '.' && !has_point) {
			has_point = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			break;
		if (number_add_digit(number, *text) < 0)
			return -ERANGE;
		has_digit = true;
		number->decimals += has_point;
	}
	*end = text;
	return has_digit ? 0 : -EINVAL;
}

/* Exact: no more decimals than a double's powers of ten are, except for
 * numbers like 0.0...01 that are in no allowed range. */
double number_to_double(const struct number *number)
{
	double value = number->digits;
	double power = 1.0;
	unsigned int i;

	for (i = 0; i < number->decimals; i++)
		power *= 10.0;
	return value / power;
}

int number_scale(const struct number *number, uint64_t factor,
		 uint64_t *product)
{
	__extension__ unsigned __int128 value = number->digits;
	bool is_cut = false;
	unsigned int i;

	/* 64 bits times 64 bits always fit 128. */
	value *= factor;
	for (i = 0; i < number->decimals && value; i++) {
		is_cut |= value % 10 != 0;
		value /= 10;
	}
	if (value > UINT64_MAX)
		return -ERANGE;
	*product = value;
	return is_cut;
}
