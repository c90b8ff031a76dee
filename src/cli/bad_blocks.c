/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "bad_blocks.h"

int bad_blocks_add(struct bad_blocks *bad, uint64_t offset_bytes,
		   uint64_t length_bytes)
{
	size_t wanted = bad->allocated ? 2 * bad->allocated : 16;
	struct bad_blocks_range *ranges;

	if (bad->count == bad->allocated) {
		ranges = reallocarray(bad->ranges, wanted, sizeof(*ranges));
		if (!ranges)
			return -ENOMEM;
		bad->ranges = ranges;
		bad->allocated = wanted;
	}
	bad->ranges[bad->count++] = (struct bad_blocks_range){
		.begin_bytes = offset_bytes,
		.end_bytes = offset_bytes + length_bytes,
	};
	return 0;
}

int bad_blocks_add_result(struct bad_blocks *bad,
			  const struct blkbench_result *result)
{
	uint64_t located = 0;
	size_t i;
	int r = 0;

	for (i = 0; i < result->bad_count && r == 0; i++)
		r = bad_blocks_add(bad, result->bad_list[i].offset_bytes,
				   result->bad_list[i].length_bytes);
	for (i = 0; i < result->errors_listed; i++)
		if (result->error_list[i].reread != BLKBENCH_NOT_REREAD)
			located += result->error_list[i].reads;
	bad->not_located += result->errors - located;
	return r;
}

static int compare_begins(const void *left, const void *right)
{
	const struct bad_blocks_range *a = left, *b = right;

	return (a->begin_bytes > b->begin_bytes) -
	       (a->begin_bytes < b->begin_bytes);
}

uint64_t bad_blocks_print(struct bad_blocks *bad, uint64_t block_bytes,
			  FILE *out)
{
	uint64_t block, end, next = 0, printed = 0;
	size_t i;

	if (bad->count)
		qsort(bad->ranges, bad->count, sizeof(*bad->ranges),
		      compare_begins);
	for (i = 0; i < bad->count; i++) {
		block = bad->ranges[i].begin_bytes / block_bytes;
		end = (bad->ranges[i].end_bytes - 1) / block_bytes + 1;
		for (block = block > next ? block : next; block < end;
		     block++, printed++)
			fprintf(out, "%" PRIu64 "\n", block);
		next = end > next ? end : next;
	}
	return printed;
}

void bad_blocks_finish(struct bad_blocks *bad)
{
	free(bad->ranges);
	*bad = (struct bad_blocks){ 0 };
}
