/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TALLY_H
#define TALLY_H

#include "flight.h"
#include "histogram.h"
#include "slices.h"
#include "zeros.h"

/*
 * The reads of a measurement that are counted, and the clock that they are
 * counted by. It stands still in pauses, and leaves out what failed reads have
 * held up. Time is that of completions.
 */
struct tally {
	struct blkbench_result counts; /* what is counted here of a result */
	struct histogram histogram;
	struct slices slices;
	struct zeros zeros;

	uint64_t base_ns;     /* elapsed time is time less this; 0: not begun */
	uint64_t run_ns;      /* of all up to the last pause */
	uint64_t failed_ns;   /* not in elapsed_ns: held up by failed reads */
	uint64_t left_out_ns; /* of that, since the last good read */
	uint64_t last_good_ns;
	uint64_t elapsed_ns; /* at the last completion */
	/* When nothing more was started. */
	uint64_t stopped_ns, stopped_requests, stopped_ahead;
	/* Without the tail that came after that; 0 reads: nothing came. */
	struct tally_part {
		uint64_t requests, bytes, elapsed_ns;
	} steady;

	/* The range as often as it was read, and once. */
	uint64_t pass_end_bytes;
	bool shares_passes;	    /* another one reads the rest of each */
	uint64_t good_end_bytes;    /* of the good read that went furthest */
	uint64_t failed_from_bytes; /* the failed read that went least far */
	uint64_t first_failure_ns;  /* when the first one failed */
	bool was_good_again;	    /* a read that was started after that */
};

void tally_init(struct tally *tally, const struct blkbench_plan *plan);

/* The clock begins, or goes on from where it stood. */
void tally_begin(struct tally *tally, uint64_t now_ns);

/* Another one reads the rest of each pass: none is known to be the first. */
void tally_share_passes(struct tally *tally);

bool tally_has_begun(const struct tally *tally);

/* No more is started; so many reads are out. */
void tally_stop(struct tally *tally, uint64_t now_ns, unsigned int outstanding);

void tally_end(struct tally *tally, uint64_t now_ns);

/*
 * A read has ended, good or bad. The first ones since the clock went on were
 * given to the engine together, at first_ns; at the end no more is started, for
 * good.
 */
void tally_add(struct tally *tally, const struct read *read, uint64_t first_ns,
	       bool is_at_end);

/* A read has failed, counted or not. */
void tally_add_error(struct tally *tally, const struct read *read);

/* After the last read: warns of what all of them tell. */
void tally_finish(struct tally *tally);

/* The counts so far, without what is derived from them. */
void tally_get(const struct tally *tally, struct blkbench_result *result);

#endif
