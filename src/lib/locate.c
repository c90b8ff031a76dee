/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "locate.h"

#include <assert.h>

/*
 * A failed read is known to fail: it is cut in halves at once, and each half
 * that fails again likewise, down to the smallest piece. All goes from the
 * start of the device to its end, so that neighbours are found in turn.
 */

static bool overlaps(const struct blkbench_read_error *error, uint64_t begin,
		     uint64_t end)
{
	return error->offset_bytes < end &&
	       begin < error->offset_bytes + error->length_bytes;
}

void locate_init(struct locate *locate, struct blkbench_result *result,
		 uint64_t unit_bytes)
{
	*locate = (struct locate){
		.result = result,
		.unit_bytes = unit_bytes,
	};
	for (size_t i = 0; i < result->errors_listed; i++) {
		const struct blkbench_read_error *list = result->error_list;
		size_t place = locate->order_count;

		/* Nothing to read where the device ends. */
		if (!list[i].error)
			continue;
		while (place > 0 &&
		       list[locate->order[place - 1]].offset_bytes >
			       list[i].offset_bytes) {
			locate->order[place] = locate->order[place - 1];
			place--;
		}
		locate->order[place] = i;
		locate->order_count++;
	}
}

static void push(struct locate *locate, uint64_t begin, uint64_t end)
{
	assert(locate->pieces_count < LOCATE_PIECES_MAX);
	locate->pieces[locate->pieces_count++] =
		(struct locate_piece){ begin, end };
}

static void push_halves(struct locate *locate, uint64_t begin, uint64_t end)
{
	const uint64_t unit = locate->unit_bytes;
	const uint64_t units = (end - begin - 1) / unit + 1;
	const uint64_t middle = begin + (units + 1) / 2 * unit;

	if (units > 1)
		push(locate, middle, end);
	push(locate, begin, units > 1 ? middle : end);
}

static void close_error(struct locate *locate)
{
	const struct blkbench_result *result = locate->result;
	struct blkbench_read_error *error;

	if (locate->next == 0)
		return;
	error = &locate->result->error_list[locate->order[locate->next - 1]];
	error->reread = BLKBENCH_REREAD_GOOD;
	for (size_t i = 0; i < result->bad_count; i++) {
		const struct blkbench_bad_range *bad = &result->bad_list[i];

		if (overlaps(error, bad->offset_bytes,
			     bad->offset_bytes + bad->length_bytes))
			error->reread = BLKBENCH_REREAD_BAD;
	}
}

/* What others before it have covered is not read again. */
static void open_error(struct locate *locate)
{
	const struct blkbench_read_error *error =
		&locate->result->error_list[locate->order[locate->next++]];
	const uint64_t end = error->offset_bytes + error->length_bytes;
	uint64_t begin = error->offset_bytes;

	if (begin < locate->done_end)
		begin = locate->done_end;
	if (begin >= end)
		return;
	push_halves(locate, begin, end);
	locate->done_end = end;
}

bool locate_next(struct locate *locate, uint64_t *offset_bytes, uint32_t *bytes)
{
	const struct locate_piece *piece;

	if (locate->is_full)
		return false;
	while (locate->pieces_count == 0) {
		close_error(locate);
		if (locate->next == locate->order_count)
			return false;
		open_error(locate);
	}
	piece = &locate->pieces[locate->pieces_count - 1];
	*offset_bytes = piece->begin;
	*bytes = (uint32_t)(piece->end - piece->begin);
	return true;
}

static struct blkbench_bad_range *range_for(struct locate *locate,
					    uint64_t begin, int error)
{
	struct blkbench_result *result = locate->result;
	struct blkbench_bad_range *bad;

	if (result->bad_count > 0) {
		bad = &result->bad_list[result->bad_count - 1];
		if (bad->offset_bytes + bad->length_bytes == begin &&
		    bad->error == error)
			return bad;
	}
	if (result->bad_count == BLKBENCH_BAD_RANGES_MAX)
		return NULL;
	bad = &result->bad_list[result->bad_count++];
	*bad = (struct blkbench_bad_range){
		.offset_bytes = begin,
		.error = error,
	};
	return bad;
}

static void note_bad(struct locate *locate, uint64_t begin, uint64_t end,
		     int error)
{
	const struct blkbench_result *result = locate->result;
	struct blkbench_bad_range *bad = range_for(locate, begin, error);

	if (!bad) {
		locate->is_full = true;
		return;
	}
	bad->length_bytes = end - bad->offset_bytes;
	bad->reads = 0;
	for (size_t i = 0; i < result->errors_listed; i++)
		if (overlaps(&result->error_list[i], bad->offset_bytes, end))
			bad->reads += result->error_list[i].reads;
}

void locate_take(struct locate *locate, int error)
{
	struct locate_piece piece;

	assert(locate->pieces_count > 0);
	piece = locate->pieces[--locate->pieces_count];
	if (!error)
		return;
	if (piece.end - piece.begin > locate->unit_bytes)
		push_halves(locate, piece.begin, piece.end);
	else
		note_bad(locate, piece.begin, piece.end, error);
}
