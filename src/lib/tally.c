/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "tally.h"

#include <inttypes.h>

#include "result.h"

/* Times the usual interval of good reads: failed ones hold them up. */
#define FAR_LONGER 10

/* So many that none lies before the end by chance. */
#define END_ERRORS_MIN 8

void tally_init(struct tally *tally, const struct blkbench_plan *plan)
{
	*tally = (struct tally){
		.counts = {
			.plan = *plan,
			.warmup_ns = BLKBENCH_UNKNOWN,
			.failing_since_ns = BLKBENCH_UNKNOWN,
			.first_pass_ns = BLKBENCH_UNKNOWN,
			.ends_at_bytes = BLKBENCH_UNKNOWN,
		},
		.pass_end_bytes = plan->length_bytes,
		.failed_from_bytes = UINT64_MAX,
	};
	histogram_init(&tally->histogram);
	slices_init(&tally->slices);
	zeros_init(&tally->zeros);
}

/* ---- its clock --------------------------------------------------------- */

void tally_begin(struct tally *tally, uint64_t now_ns)
{
	tally->last_good_ns = now_ns;
	tally->left_out_ns = 0;
	tally->base_ns = now_ns - tally->run_ns;
}

void tally_share_passes(struct tally *tally)
{
	tally->pass_end_bytes = UINT64_MAX;
	tally->shares_passes = true;
}

bool tally_has_begun(const struct tally *tally)
{
	return tally->base_ns > 0;
}

void tally_stop(struct tally *tally, uint64_t now_ns, unsigned int outstanding)
{
	const uint64_t depth = tally->counts.plan.queue_depth;

	tally->stopped_ns = now_ns - tally->base_ns - tally->failed_ns;
	tally->stopped_requests = tally->counts.requests;
	tally->stopped_ahead = outstanding > depth ? outstanding - depth : 0;
}

void tally_end(struct tally *tally, uint64_t now_ns)
{
	const uint64_t counted_ns = tally->elapsed_ns + tally->failed_ns;

	/* Failed reads may have taken time since the last good one. */
	tally->run_ns = now_ns - tally->base_ns;
	if (tally->run_ns < counted_ns)
		tally->run_ns = counted_ns;
}

/* ---- bad reads --------------------------------------------------------- */

static struct blkbench_read_error *
find_alike(struct blkbench_result *counts,
	   const struct blkbench_read_error *error)
{
	for (size_t i = 0; i < counts->errors_listed; i++) {
		struct blkbench_read_error *other = &counts->error_list[i];

		if (other->offset_bytes == error->offset_bytes &&
		    other->length_bytes == error->length_bytes &&
		    other->error == error->error)
			return other;
	}
	return NULL;
}

void tally_add_error(struct tally *tally, const struct read *read)
{
	struct blkbench_result *counts = &tally->counts;
	const struct blkbench_read_error error = {
		.offset_bytes = read->offset_bytes + read->done_bytes,
		.length_bytes = read->bytes - read->done_bytes,
		.error = read->error == READ_ENDED ? 0 : read->error,
		.reads = 1,
	};
	struct blkbench_read_error *alike = find_alike(counts, &error);

	if (counts->errors++ == 0)
		tally->first_failure_ns = read->io.done_ns;
	if (read->offset_bytes < tally->failed_from_bytes)
		tally->failed_from_bytes = read->offset_bytes;
	if (alike)
		alike->reads++;
	else if (counts->errors_listed < BLKBENCH_ERRORS_LISTED)
		counts->error_list[counts->errors_listed++] = error;
}

/* ---- good reads, and what bad ones cost them --------------------------- */

/*
 * What failed reads have held up is no time of good ones. One at a time that is
 * all that they took. With more in flight others go on, unless for far longer
 * than usual no good one comes: a disk that tries a bad sector for seconds does
 * nothing else meanwhile, and a device that fails all reads for a while has no
 * good one to give.
 */
static void leave_out(struct tally *tally, const struct read *read)
{
	const struct blkbench_result *counts = &tally->counts;
	uint64_t idle_ns, usual_ns = 0;

	/* Completions of several threads may come slightly out of order. */
	if (read->io.done_ns <= tally->last_good_ns)
		return;
	idle_ns = read->io.done_ns - tally->last_good_ns;
	if (counts->plan.queue_depth > 1 && counts->requests > 0)
		usual_ns = tally->elapsed_ns / counts->requests;
	if (idle_ns < usual_ns * FAR_LONGER ||
	    idle_ns - usual_ns < tally->left_out_ns)
		return;
	tally->failed_ns += idle_ns - usual_ns - tally->left_out_ns;
	tally->left_out_ns = idle_ns - usual_ns;
}

static void note_good(struct tally *tally, uint64_t done_ns)
{
	tally->left_out_ns = 0;
	if (done_ns > tally->last_good_ns)
		tally->last_good_ns = done_ns;
}

/*
 * After the stop, as long as what was queued ahead takes the place of what
 * ends; and the first to end then, and those seen with it: the time is to end
 * with a completion.
 */
static bool is_steady(const struct tally *tally)
{
	return tally->steady.requests == 0 ||
	       tally->counts.requests <=
		       tally->stopped_requests + tally->stopped_ahead + 1 ||
	       tally->elapsed_ns == tally->steady.elapsed_ns;
}

/*
 * A device that answers in bursts gives the whole of one, and one that takes
 * reads in turn is as fast to the end; others go on with fewer and fewer
 * readers, and wait for the slowest.
 */
static bool was_no_slower(const struct tally *tally)
{
	return (double)tally->counts.requests * (double)tally->stopped_ns >=
	       (double)tally->stopped_requests * (double)tally->elapsed_ns;
}

static void count_at_end(struct tally *tally, const struct read *read,
			 uint64_t latency)
{
	const bool steady = is_steady(tally);

	if (steady)
		slices_add(&tally->slices, tally->elapsed_ns, read->bytes,
			   latency);
	if (steady || was_no_slower(tally))
		tally->steady = (struct tally_part){ tally->counts.requests,
						     tally->counts.bytes,
						     tally->elapsed_ns };
}

/* Begun together at the beginning, or after a pause: they found no queue. */
static bool is_head(const struct tally *tally, const struct read *read,
		    uint64_t first_ns)
{
	return tally->counts.plan.queue_depth > 1 &&
	       read->queued_ns == first_ns;
}

/* About: with several in flight, the next one has begun. */
static void end_pass(struct tally *tally)
{
	tally->pass_end_bytes += tally->counts.plan.length_bytes;
	zeros_end_pass(&tally->zeros);
	if (tally->counts.first_pass_ns == BLKBENCH_UNKNOWN &&
	    tally->counts.plan.pattern == BLKBENCH_PATTERN_SEQUENTIAL)
		tally->counts.first_pass_ns = tally->elapsed_ns;
}

void tally_add(struct tally *tally, const struct read *read, uint64_t first_ns,
	       bool is_at_end)
{
	struct blkbench_result *counts = &tally->counts;
	const uint64_t latency = read->io.done_ns - read->start_ns;
	uint64_t begin_ns;

	counts->retries += read->retries;
	counts->short_reads += read->further_reads;
	if (read->error) {
		leave_out(tally, read);
		return;
	}
	note_good(tally, read->io.done_ns);
	begin_ns = tally->base_ns + tally->failed_ns;
	if (read->io.done_ns > begin_ns + tally->elapsed_ns)
		tally->elapsed_ns = read->io.done_ns - begin_ns;
	counts->requests++;
	counts->bytes += read->bytes;
	tally->was_good_again |= counts->errors > 0 &&
				 read->start_ns > tally->first_failure_ns;
	if (read->offset_bytes + read->bytes > tally->good_end_bytes)
		tally->good_end_bytes = read->offset_bytes + read->bytes;
	histogram_add(&tally->histogram, latency);
	result_note_latency(counts, read->offset_bytes, latency);
	if (is_head(tally, read, first_ns)) {
		counts->head_requests++;
		counts->head_latency_ns += latency;
	}
	if (is_at_end)
		count_at_end(tally, read, latency);
	else
		slices_add(&tally->slices, tally->elapsed_ns, read->bytes,
			   latency);
	/* The same block again and again tells nothing of the device. */
	if (counts->plan.pattern != BLKBENCH_PATTERN_REPEAT)
		zeros_add(&tally->zeros, tally->elapsed_ns, read->io.buffer,
			  read->bytes);
	if (counts->bytes >= tally->pass_end_bytes)
		end_pass(tally);
}

/* ---- what came of it --------------------------------------------------- */

/*
 * A device may have less than it says, and fail what lies behind that. It is
 * not gone as a whole if others were good meanwhile.
 */
void tally_finish(struct tally *tally)
{
	struct blkbench_result *counts = &tally->counts;

	if (counts->errors < END_ERRORS_MIN || !tally->was_good_again ||
	    tally->failed_from_bytes < tally->good_end_bytes)
		return;
	counts->ends_at_bytes = tally->failed_from_bytes;
	result_warn(counts, "capacity",
		    "all %" PRIu64 " reads from offset %" PRIu64
		    " on failed, and none before it: the device may end there",
		    counts->errors, counts->ends_at_bytes);
}

void tally_get(const struct tally *tally, struct blkbench_result *result)
{
	const struct tally_part *steady = &tally->steady;

	*result = tally->counts;
	result->zero_percent = zeros_percent(&tally->zeros);
	result->elapsed_ns = BLKBENCH_UNKNOWN;
	if (!tally_has_begun(tally))
		return;
	result->elapsed_ns = tally->elapsed_ns;
	if (steady->requests == 0)
		return;
	result->tail_requests = result->requests - steady->requests;
	result->tail_bytes = result->bytes - steady->bytes;
	result->tail_ns = tally->elapsed_ns - steady->elapsed_ns;
}
