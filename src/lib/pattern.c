/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "pattern.h"

#include <assert.h>

#include "mix.h"

/*
 * A random order in which every block comes once, without a table of them: a
 * Feistel network permutes the numbers of left_bits + right_bits bits, whatever
 * its rounds compute; where it gives the number of a block that is not there,
 * that is permuted on until one is ("cycle walking": Black and Rogaway,
 * "Ciphers with Arbitrary Finite Domains", CT-RSA 2002). More than half of the
 * numbers are blocks.
 */
static uint64_t permute(const struct pattern *pattern, uint64_t index)
{
	const uint64_t left_mask = (1ULL << pattern->left_bits) - 1;
	const uint64_t right_mask = (1ULL << pattern->right_bits) - 1;
	const uint64_t *keys = pattern->keys;

	do {
		uint64_t left = index >> pattern->right_bits;
		uint64_t right = index & right_mask;

		for (size_t i = 0; i < PATTERN_ROUNDS; i += 2) {
			left ^= mix64(right ^ keys[i]) & left_mask;
			right ^= mix64(left ^ keys[i + 1]) & right_mask;
		}
		index = left << pattern->right_bits | right;
	} while (index >= pattern->blocks);
	return index;
}

static void begin_pass(struct pattern *pattern)
{
	for (size_t i = 0; i < PATTERN_ROUNDS; i++)
		pattern->keys[i] = mix64(pattern->seed +
					 mix64(pattern->passes) +
					 MIX_STEP * (i + 1));
	pattern->passes++;
	pattern->next = 0;
}

void pattern_init(struct pattern *pattern, const struct blkbench_plan *plan)
{
	unsigned int bits = 0;

	assert(plan->block_bytes > 0 && plan->length_bytes > 0);
	assert(plan->block_bytes <= plan->length_bytes);

	*pattern = (struct pattern){
		.kind = plan->pattern,
		.offset_bytes = plan->offset_bytes,
		.length_bytes = plan->length_bytes,
		.block_bytes = plan->block_bytes,
		.blocks = (plan->length_bytes - 1) / plan->block_bytes + 1,
		.seed = plan->seed,
	};
	if (pattern->kind == BLKBENCH_PATTERN_REPEAT)
		pattern->blocks = 1;
	while (pattern->blocks > 1ULL << bits)
		bits++;
	pattern->left_bits = bits / 2;
	pattern->right_bits = bits - bits / 2;
	begin_pass(pattern);
}

static void locate(const struct pattern *pattern, uint64_t index,
		   uint64_t *offset_bytes, uint32_t *bytes)
{
	uint64_t begin, left;

	if (pattern->kind == BLKBENCH_PATTERN_RANDOM)
		index = permute(pattern, index);
	begin = index * pattern->block_bytes;
	left = pattern->length_bytes - begin;
	if (left < pattern->block_bytes &&
	    pattern->kind == BLKBENCH_PATTERN_RANDOM) {
		left = pattern->block_bytes;
		begin = pattern->length_bytes - left;
	}
	*offset_bytes = pattern->offset_bytes + begin;
	*bytes = (uint32_t)(left < pattern->block_bytes ? left
							: pattern->block_bytes);
}

void pattern_next(struct pattern *pattern, uint64_t *offset_bytes,
		  uint32_t *bytes)
{
	if (pattern->next == pattern->blocks)
		begin_pass(pattern);
	locate(pattern, pattern->next++, offset_bytes, bytes);
}

void pattern_where(const struct pattern *pattern, uint64_t *offset_bytes,
		   uint32_t *bytes)
{
	locate(pattern, pattern->next % pattern->blocks, offset_bytes, bytes);
}

void pattern_peek_back(const struct pattern *pattern, uint64_t i,
		       uint64_t *offset_bytes, uint32_t *bytes)
{
	locate(pattern, pattern->blocks - 1 - i % pattern->blocks, offset_bytes,
	       bytes);
}
