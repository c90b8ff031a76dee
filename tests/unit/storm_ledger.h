/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef STORM_LEDGER_H
#define STORM_LEDGER_H

#include "false_device.h"
#include "pattern.h"

struct storm;

/*
 * Follows each read from its start to its end by what the false device gave,
 * and knows what the loop has to make of it: that a short read is to be gone
 * on with where it ended, a busy one to be tried again; which reads belong to
 * the warm-up, which to the trial, which are to be counted, and which come
 * after all that, to find bad sectors.
 */

#define LEDGER_ENGINES_MAX 16
#define LEDGER_BUCKETS 8192

/* A device that is only busy is asked so often. */
#define LEDGER_RETRIES_MAX 1000

/* Reads that take so much longer are not started in the last of the time. */
#define LEDGER_LATE_NS NS_PER_S

/* Completions are held back for so long, to take more of them together. */
#define LEDGER_HOLD_NS (100 * NS_PER_US)

struct ledger_read {
	const struct io *io;
	unsigned int engine;
	enum ledger_kind { COUNTED, WARM_UP, TRIAL, SECOND_LOOK } kind;
	bool is_due; /* to be queued again, for its rest */
	uint64_t offset_bytes;
	uint32_t bytes, done_bytes;
	uint32_t retries, further_reads;
	uint64_t queued_ns;
	uint64_t start_ns;
	struct ledger_read *next;
};

struct storm_ledger {
	struct ledger_read *buckets[LEDGER_BUCKETS]; /* by their io */
	uint64_t outstanding[LEDGER_ENGINES_MAX];
	unsigned int engine; /* in use; the others are of the trial */
	uint64_t trial_reads;
	bool is_destroying;
	bool is_ending; /* the caller stops or pauses: no new reads */

	struct pattern pattern; /* where the loop has to be in it */
	struct ledger_place {
		uint64_t offset_bytes;
		uint32_t bytes;
	} next; /* to be counted */

	uint64_t started, requests, bytes, retries, short_reads;
	uint64_t *latencies;
	size_t latencies_count, latencies_size;
	uint64_t latencies_sum_ns;
	uint64_t longest_ns; /* latency, of failed reads as well */
	/* The same of this run, since the last pause. */
	uint64_t run_reads, run_latencies_ns;

	uint64_t errors; /* of the warm-up as well */
	size_t listed;	 /* of them, those alike once */
	struct blkbench_read_error error_list[BLKBENCH_ERRORS_LISTED];
	bool is_gone, is_gone_for_good; /* by a second look */
	bool has_second_look, has_been_due;
	/* Given, but in no figure: by other reads, by those that failed, and
	 * by those that did not end. */
	uint64_t uncounted_bytes;

	/* Time: from the first read after a warm-up to the last one before the
	 * next pause. */
	bool is_warm_up_next;
	bool is_running, has_begun;
	uint64_t warm_up_ns; /* the first that did not fail, or UNKNOWN */
	uint64_t warm_up_end_ns;
	uint64_t warm_up_begin_ns;
	uint64_t begin_ns;
	uint64_t gone_by_ns; /* in the runs before this one */
	uint64_t spent_ns;   /* the same, with the waiting at their ends */
	uint64_t last_done_ns;
	uint64_t failed_ns;  /* before failed reads nothing came for so long */
	uint64_t elapsed_ns; /* at the last good read, with that */
};

extern const struct false_witness storm_ledger_witness;

void storm_ledger_init(struct storm_ledger *ledger,
		       const struct blkbench_plan *plan);
void storm_ledger_finish(struct storm_ledger *ledger);

/* The caller has paused. */
void storm_ledger_note_pause(struct storm *storm);

/* In all runs up to now. */
uint64_t storm_ledger_spent_ns(const struct storm *storm);

/* Of the reads that have not come back, those left from the trial included: how
 * many they are, when the first was queued, and whether one is there. */
uint64_t storm_ledger_count_outstanding(const struct storm *storm);
uint64_t storm_ledger_oldest_ns(const struct storm *storm);
bool storm_ledger_has_outstanding_at(const struct storm *storm,
				     uint64_t offset_bytes);

#endif
