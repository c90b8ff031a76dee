/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "zeros.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "mix.h"

#define HEAD_BYTES 16

#define LOOKS_A_HALVING 16
#define HALVINGS_MAX 10

void zeros_init(struct zeros *zeros)
{
	*zeros = (struct zeros){ .stride = 1 };
}

/* Each byte is like the one 16 before it, and the first 16 are 0. */
static bool is_zero(const unsigned char *page, size_t bytes)
{
	for (size_t i = 0; i < HEAD_BYTES && i < bytes; i++)
		if (page[i] != 0)
			return false;
	return bytes <= HEAD_BYTES ||
	       memcmp(page, page + HEAD_BYTES, bytes - HEAD_BYTES) == 0;
}

/* Half as often for each few looks beyond what is allowed, so that it comes back
 * to more when reads have become rarer. */
static uint64_t find_stride(const struct zeros *zeros, uint64_t elapsed_ns)
{
	const uint64_t allowed = ZEROS_BURST + elapsed_ns / ZEROS_INTERVAL_NS;
	uint64_t halvings;

	if (zeros->looks <= allowed)
		return 1;
	halvings = (zeros->looks - allowed) / LOOKS_A_HALVING;
	return 1ULL << (halvings < HALVINGS_MAX ? halvings : HALVINGS_MAX);
}

/* What comes up next is chosen by what has been, never by what it is. */
void zeros_look(struct zeros *zeros, uint64_t elapsed_ns, const void *data,
		uint32_t bytes)
{
	const unsigned char *begin = data;
	const uint32_t pages = bytes / ZEROS_PAGE_BYTES;
	const uint64_t chance = mix64((zeros->looks + 1) * MIX_STEP);
	size_t at = 0, length = bytes;

	if (pages > 0) {
		at = chance % pages * ZEROS_PAGE_BYTES;
		length = ZEROS_PAGE_BYTES;
	}
	zeros->looks++;
	zeros->reads += zeros->stride;
	if (is_zero(begin + at, length))
		zeros->zero_reads += zeros->stride;
	zeros->stride = find_stride(zeros, elapsed_ns);
	/* From 0 to what makes it the stride on average. */
	zeros->left = (chance >> 32) % (2 * zeros->stride - 1);
}

void zeros_end_pass(struct zeros *zeros)
{
	zeros->whole_reads = zeros->reads;
	zeros->whole_zero_reads = zeros->zero_reads;
}

double zeros_percent(const struct zeros *zeros)
{
	if (zeros->whole_reads > 0)
		return (double)zeros->whole_zero_reads /
		       (double)zeros->whole_reads * 100;
	if (zeros->reads == 0)
		return NAN;
	return (double)zeros->zero_reads / (double)zeros->reads * 100;
}
