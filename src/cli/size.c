/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "size.h"

/* clang-format off */
static const struct {
	const char *name;
	uint64_t bytes;
} units[] = {
	{ "",    1 },
	{ "B",   1 },
	{ "k",   1ULL << 10 },
	{ "K",   1ULL << 10 },
	{ "KiB", 1ULL << 10 },
	{ "kB",  1000ULL },
	{ "M",   1ULL << 20 },
	{ "MiB", 1ULL << 20 },
	{ "MB",  1000000ULL },
	{ "G",   1ULL << 30 },
	{ "GiB", 1ULL << 30 },
	{ "GB",  1000000000ULL },
	{ "T",   1ULL << 40 },
	{ "TiB", 1ULL << 40 },
	{ "TB",  1000000000000ULL },
};
/* clang-format on */

static int percent_set(struct size *size, const struct number *number)
{
	if (number_to_double(number) > 100.0)
		return -ERANGE;
	size->is_percent = true;
	size->percent = *number;
	return 0;
}

int size_parse(const char *text, struct size *size)
{
	struct number number;
	size_t i;
	int r;

	*size = (struct size){ 0 };
	r = number_parse(text, &number, &text);
	if (r < 0)
		return r;
	if (!strcmp(text, "%"))
		return percent_set(size, &number);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(text, units[i].name))
			continue;
		r = number_scale(&number, units[i].bytes, &size->bytes);
		return r > 0 ? -EINVAL : r; /* there is no part of a byte */
	}
	return -EINVAL;
}

/* p % of n is p/100 of it: two decimals more. */
static uint64_t percent_resolve(struct number percent, uint64_t device_bytes)
{
	uint64_t bytes;

	percent.decimals += 2;
	/* At most 100 %, so it fits. */
	if (number_scale(&percent, device_bytes, &bytes) < 0)
		return device_bytes;
	return bytes;
}

uint64_t size_resolve(const struct size *size, uint64_t device_bytes,
		      uint64_t sector_bytes)
{
	uint64_t bytes;

	if (!size->is_percent)
		return size->bytes;
	bytes = percent_resolve(size->percent, device_bytes);
	return bytes - bytes % sector_bytes;
}
