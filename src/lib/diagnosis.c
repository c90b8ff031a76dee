/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <blkbench.h>

#include "clock.h"

/*
 * Each rule stands in doc/method.md with its source; the numbers of its tables
 * and those here are the same.
 */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A read alone: ten seconds, and one. */
#define LATENCY_BAD_NS (10 * NS_PER_S)
#define LATENCY_WATCH_NS NS_PER_S
/* From here on others may be why a place is slow. */
#define OTHER_TRAFFIC_SHARE 0.1

/* Of zeros: the rest may be what a file system writes to an empty device. */
#define EMPTY_SHARE 0.9
/* Of a disk that spins and tells no limit of its own. */
#define TEMPERATURE_LIMIT 65000
/* Daemons that poll SMART make a few commands fail each time. */
#define FAILED_COMMANDS_WATCH 10

const char *blkbench_condition_name(enum blkbench_condition condition)
{
	static const char *const names[] = {
		[BLKBENCH_CONDITION_UNKNOWN] = "unknown",
		[BLKBENCH_GOOD] = "good",
		[BLKBENCH_WATCH] = "watch",
		[BLKBENCH_BAD] = "bad",
	};

	return names[condition];
}

/* ---- what was found out ------------------------------------------------- */

const struct blkbench_layer_health *
blkbench_health_find(const struct blkbench_health *health, const char *layer)
{
	for (size_t i = 0; health && i < health->layers_count; i++)
		if (strcmp(health->layers[i].layer, layer) == 0)
			return &health->layers[i];
	return NULL;
}

int64_t blkbench_health_temperature(const struct blkbench_layer_health *health)
{
	return health->temperature != BLKBENCH_UNKNOWN_TEMPERATURE
		       ? health->temperature
		       : health->smart.temperature;
}

/* ---- what was measured -------------------------------------------------- */

void blkbench_symptoms_init(struct blkbench_symptoms *symptoms)
{
	*symptoms = (struct blkbench_symptoms){
		.bad_offset_bytes = BLKBENCH_UNKNOWN,
		.stalled_offset_bytes = BLKBENCH_UNKNOWN,
		.ends_at_bytes = BLKBENCH_UNKNOWN,
		.worst_ns = BLKBENCH_UNKNOWN,
		.worst_offset_bytes = BLKBENCH_UNKNOWN,
		.slow_offset_bytes = BLKBENCH_UNKNOWN,
		.slow_length_bytes = BLKBENCH_UNKNOWN,
	};
}

static void add_errors(struct blkbench_symptoms *symptoms,
		       const struct blkbench_result *result)
{
	symptoms->errors += result->errors;
	for (size_t i = 0; i < result->errors_listed; i++)
		if (result->error_list[i].offset_bytes <
		    symptoms->bad_offset_bytes)
			symptoms->bad_offset_bytes =
				result->error_list[i].offset_bytes;
	/* Where a sector was found, that is it, and not where a read began. */
	for (size_t i = 0; i < result->bad_count; i++) {
		if (symptoms->bad_bytes == 0 ||
		    result->bad_list[i].offset_bytes <
			    symptoms->bad_offset_bytes)
			symptoms->bad_offset_bytes =
				result->bad_list[i].offset_bytes;
		symptoms->bad_bytes += result->bad_list[i].length_bytes;
	}
}

static void add_traffic(struct blkbench_symptoms *symptoms,
			const struct blkbench_result *result)
{
	if (result->other_read_bytes == BLKBENCH_UNKNOWN)
		return;
	symptoms->own_bytes += result->bytes;
	symptoms->other_bytes += result->other_read_bytes +
				 result->other_written_bytes;
}

/* What was not read has not shown that nothing is wrong. */
static void add_gaps(struct blkbench_symptoms *symptoms,
		     const struct blkbench_result *result)
{
	for (size_t i = 0; i < result->zones_count; i++)
		symptoms->places_missed +=
			isnan(result->zones[i].rate_bytes_per_s) &&
			result->zones[i].errors == 0;
	if (isnan(result->zero_percent))
		return;
	symptoms->sampled_bytes += (double)result->bytes;
	symptoms->zero_bytes += (double)result->bytes * result->zero_percent /
				100;
}

void blkbench_symptoms_add(struct blkbench_symptoms *symptoms,
			   const struct blkbench_result *result)
{
	symptoms->reads += result->requests;
	add_errors(symptoms, result);
	add_traffic(symptoms, result);
	add_gaps(symptoms, result);
	if (result->ends_at_bytes < symptoms->ends_at_bytes)
		symptoms->ends_at_bytes = result->ends_at_bytes;
	if (result->stalled && !symptoms->stalled)
		symptoms->stalled_offset_bytes = result->stalled_offset_bytes;
	symptoms->stalled += result->stalled;
	if (result->loss > symptoms->loss) {
		symptoms->loss = result->loss;
		symptoms->lost_layer = result->lost_layer;
	}
	/* With more than one in flight, a read waits for others. */
	if (result->plan.queue_depth == 1 && result->slowest_count &&
	    (symptoms->worst_ns == BLKBENCH_UNKNOWN ||
	     result->slowest[0].latency_ns > symptoms->worst_ns)) {
		symptoms->worst_ns = result->slowest[0].latency_ns;
		symptoms->worst_offset_bytes = result->slowest[0].offset_bytes;
	}
	if (result->slow_spots_count && !symptoms->slow_spots) {
		symptoms->slow_offset_bytes =
			result->slow_spots[0].offset_bytes;
		symptoms->slow_length_bytes =
			result->slow_spots[0].length_bytes;
	}
	symptoms->slow_spots += result->slow_spots_count;
}

/* ---- reasons -------------------------------------------------------------- */

struct judge {
	struct blkbench_diagnosis *diagnosis;
	int error;
	const struct blkbench_symptoms *symptoms;
	const struct blkbench_layer_health *before; /* of now, or NULL */
	const struct blkbench_layer_health *now;    /* NULL: the device */
};

/* Behind those that are as bad. */
static struct blkbench_reason *insert(struct judge *judge,
				      enum blkbench_condition condition)
{
	struct blkbench_diagnosis *diagnosis = judge->diagnosis;
	size_t at = diagnosis->reasons_count;
	struct blkbench_reason *reasons;

	reasons = reallocarray(diagnosis->reasons, at + 1, sizeof(*reasons));
	if (!reasons) {
		judge->error = -ENOMEM;
		return NULL;
	}
	diagnosis->reasons = reasons;
	diagnosis->reasons_count++;
	for (; at > 0 && reasons[at - 1].condition < condition; at--)
		reasons[at] = reasons[at - 1];
	return &reasons[at];
}

__attribute__((format(printf, 4, 5))) static void
add(struct judge *judge, enum blkbench_condition condition, const char *code,
    const char *format, ...)
{
	struct blkbench_reason *reason = insert(judge, condition);
	va_list args;

	if (!reason)
		return;
	reason->condition = condition;
	reason->code = code;
	reason->layer = judge->now ? judge->now->layer : NULL;
	va_start(args, format);
	vsnprintf(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	/* A remark alone makes nothing good. */
	if (condition > BLKBENCH_GOOD &&
	    condition > judge->diagnosis->condition)
		judge->diagnosis->condition = condition;
}

/* ---- rules for the device -------------------------------------------------- */

static void judge_loss(struct judge *judge)
{
	static const char *const losses[] = {
		[BLKBENCH_LOSS_SHRUNK] = "has become smaller",
		[BLKBENCH_LOSS_REMOVED] = "was removed",
		[BLKBENCH_LOSS_OFFLINE] = "was given up by its driver",
		[BLKBENCH_LOSS_NO_MEDIUM] = "has no medium any more",
		[BLKBENCH_LOSS_TABLE] = "was replaced by errors",
	};
	const struct blkbench_symptoms *symptoms = judge->symptoms;

	if (symptoms->loss)
		add(judge, BLKBENCH_BAD, "lost", "%s %s",
		    symptoms->lost_layer ? symptoms->lost_layer : "it",
		    losses[symptoms->loss]);
}

static void judge_stall(struct judge *judge)
{
	const struct blkbench_symptoms *symptoms = judge->symptoms;

	if (symptoms->stalled)
		add(judge, BLKBENCH_BAD, "stalled",
		    "reads that have not come back: %" PRIu64
		    ", the first at offset %" PRIu64,
		    symptoms->stalled, symptoms->stalled_offset_bytes);
}

static void judge_errors(struct judge *judge)
{
	const struct blkbench_symptoms *symptoms = judge->symptoms;

	if (symptoms->errors && symptoms->bad_bytes)
		add(judge, BLKBENCH_BAD, "errors",
		    "reads that failed: %" PRIu64 "; %" PRIu64
		    " bytes cannot be read, the first at offset %" PRIu64,
		    symptoms->errors, symptoms->bad_bytes,
		    symptoms->bad_offset_bytes);
	else if (symptoms->errors)
		add(judge, BLKBENCH_BAD, "errors",
		    "reads that failed: %" PRIu64
		    ", the first at offset %" PRIu64,
		    symptoms->errors, symptoms->bad_offset_bytes);
}

static void judge_end(struct judge *judge)
{
	if (judge->symptoms->ends_at_bytes != BLKBENCH_UNKNOWN)
		add(judge, BLKBENCH_BAD, "capacity",
		    "it may have less than it says: all reads from "
		    "offset %" PRIu64 " on failed",
		    judge->symptoms->ends_at_bytes);
}

/* Of what others may be the cause of. */
static enum blkbench_condition doubt(const struct blkbench_symptoms *symptoms)
{
	const double all = (double)symptoms->own_bytes +
			   (double)symptoms->other_bytes;

	return (double)symptoms->other_bytes > OTHER_TRAFFIC_SHARE * all
		       ? BLKBENCH_GOOD
		       : BLKBENCH_WATCH;
}

static void judge_latency(struct judge *judge)
{
	const struct blkbench_symptoms *symptoms = judge->symptoms;
	const double seconds = (double)symptoms->worst_ns / 1e9;
	enum blkbench_condition condition = doubt(symptoms);
	char place[64] = "";

	if (symptoms->worst_ns == BLKBENCH_UNKNOWN ||
	    symptoms->worst_ns < LATENCY_WATCH_NS)
		return;
	if (symptoms->worst_ns >= LATENCY_BAD_NS)
		condition = BLKBENCH_BAD;
	if (symptoms->worst_offset_bytes != BLKBENCH_UNKNOWN)
		snprintf(place, sizeof(place), ", at offset %" PRIu64,
			 symptoms->worst_offset_bytes);
	add(judge, condition, "latency", "a read took %.1f s%s%s", seconds,
	    place, condition == BLKBENCH_GOOD ? ", beside other traffic" : "");
}

static void judge_slow_spots(struct judge *judge)
{
	const struct blkbench_symptoms *symptoms = judge->symptoms;
	const enum blkbench_condition condition = doubt(symptoms);

	if (symptoms->slow_spots)
		add(judge, condition, "slow",
		    "places slower than their neighbours: %" PRIu64
		    ", the first at offset %" PRIu64 ", %" PRIu64 " bytes%s",
		    symptoms->slow_spots, symptoms->slow_offset_bytes,
		    symptoms->slow_length_bytes,
		    condition == BLKBENCH_GOOD ? "; beside other traffic" : "");
}

/* Hardly anything but what many devices answer without reading. */
static bool is_empty(const struct blkbench_symptoms *symptoms)
{
	return symptoms->sampled_bytes > 0 &&
	       symptoms->zero_bytes >= EMPTY_SHARE * symptoms->sampled_bytes;
}

static void judge_gaps(struct judge *judge)
{
	const struct blkbench_symptoms *symptoms = judge->symptoms;

	if (symptoms->places_missed)
		add(judge, BLKBENCH_GOOD, "places",
		    "the time limit left no time for %" PRIu64 " places",
		    symptoms->places_missed);
	if (is_empty(symptoms))
		add(judge, BLKBENCH_GOOD, "zeros",
		    "%.0f %% of what was read is zeros, which many devices "
		    "answer without reading",
		    symptoms->zero_bytes / symptoms->sampled_bytes * 100);
}

/* ---- rules for a layer ------------------------------------------------------ */

#define FIELD(name) offsetof(struct blkbench_layer_health, name)

/* Counts that should be 0, or low: the number of an attribute is one, too. */
static void judge_counts(struct judge *judge)
{
	/* clang-format off */
	static const struct {
		const char *code;
		enum blkbench_condition condition;
		size_t field;
		uint64_t from;
		const char *words;
	} rules[] = {
		{ "failing", BLKBENCH_BAD, FIELD(smart.failing_attribute), 1,
		  "a SMART attribute that foretells failure is at its "
		  "threshold, number" },
		{ "failed", BLKBENCH_WATCH, FIELD(smart.failed_attribute), 1,
		  "a SMART attribute is, or was, at its threshold, number" },
		{ "reallocated", BLKBENCH_WATCH,
		  FIELD(smart.reallocated_sectors), 1,
		  "reallocated sectors" },
		{ "uncorrectable", BLKBENCH_WATCH,
		  FIELD(smart.reported_uncorrectable), 1,
		  "errors that it has reported as uncorrectable" },
		{ "timeouts", BLKBENCH_WATCH, FIELD(smart.command_timeouts), 1,
		  "commands that it did not complete in time" },
		{ "pending", BLKBENCH_WATCH, FIELD(smart.pending_sectors), 1,
		  "sectors that it could not read and has not replaced" },
		{ "offline", BLKBENCH_WATCH, FIELD(smart.offline_uncorrectable),
		  1, "sectors that its own scan could not read" },
		{ "cable", BLKBENCH_GOOD, FIELD(smart.crc_errors), 1,
		  "transfers spoilt on the cable or in its plugs" },
		{ "media", BLKBENCH_WATCH, FIELD(smart.media_errors), 1,
		  "media and data integrity errors" },
		{ "worn", BLKBENCH_WATCH, FIELD(smart.percentage_used), 100,
		  "percent of its rated life used" },
		{ "defects", BLKBENCH_WATCH, FIELD(smart.grown_defects), 1,
		  "grown defects" },
		{ "uncorrected", BLKBENCH_WATCH,
		  FIELD(smart.uncorrected_errors), 1, "uncorrected errors" },
		{ "kernel", BLKBENCH_WATCH, FIELD(timeouts), 1,
		  "commands that the kernel gave up waiting for" },
		{ "corrected", BLKBENCH_WATCH, FIELD(corrected_errors), 1,
		  "read errors of members that the array has corrected" },
		{ "blocks", BLKBENCH_WATCH, FIELD(bad_sectors), 1,
		  "sectors in the array's lists of bad blocks" },
		{ "mismatch", BLKBENCH_WATCH, FIELD(mismatch_sectors), 1,
		  "sectors in which members differed at the last check" },
	};
	/* clang-format on */

	for (size_t i = 0; i < COUNT(rules); i++) {
		uint64_t value;

		memcpy(&value, (const char *)judge->now + rules[i].field,
		       sizeof(value));
		if (value != BLKBENCH_UNKNOWN && value >= rules[i].from)
			add(judge, rules[i].condition, rules[i].code,
			    "%s: %" PRIu64, rules[i].words, value);
	}
}

/* What an NVMe disk says is wrong, bit by bit; its own verdict is made of it, of
 * the temperature, too, which passes. */
static void judge_critical_warning(struct judge *judge)
{
	static const struct {
		enum blkbench_condition condition;
		const char *words;
	} bits[] = {
		{ BLKBENCH_BAD, "its spare blocks are used up" },
		{ BLKBENCH_WATCH, "it says that it is too hot, or too cold" },
		{ BLKBENCH_BAD, "it says that it has become unreliable" },
		{ BLKBENCH_BAD, "it has become read-only" },
		{ BLKBENCH_BAD, "the backup of its memory has failed" },
		{ BLKBENCH_BAD, "its persistent memory has become unreliable" },
	};
	const uint64_t warning = judge->now->smart.critical_warning;

	if (warning == BLKBENCH_UNKNOWN)
		return;
	for (size_t i = 0; i < COUNT(bits); i++)
		if (warning & 1ULL << i)
			add(judge, bits[i].condition, "critical", "%s",
			    bits[i].words);
}

static void judge_own_verdict(struct judge *judge)
{
	const struct blkbench_smart *smart = &judge->now->smart;

	if (smart->passed == BLKBENCH_NO &&
	    smart->critical_warning == BLKBENCH_UNKNOWN)
		add(judge, BLKBENCH_BAD, "smart",
		    "by its own SMART verdict it is failing");
}

/* As scsi_sysfs.c, nvme/host/sysfs.c and md.c of the kernel name them. */
static void judge_state(struct judge *judge)
{
	static const struct {
		const char *state;
		enum blkbench_condition condition;
	} states[] = {
		{ "offline", BLKBENCH_BAD },
		{ "transport-offline", BLKBENCH_BAD },
		{ "cancel", BLKBENCH_BAD },
		{ "deleted", BLKBENCH_BAD },
		{ "blocked", BLKBENCH_WATCH },
		{ "quiesce", BLKBENCH_WATCH },
		{ "dead", BLKBENCH_BAD },
		{ "deleting", BLKBENCH_BAD },
		{ "deleting (no IO)", BLKBENCH_BAD },
		{ "resetting", BLKBENCH_WATCH },
		{ "connecting", BLKBENCH_WATCH },
		{ "broken", BLKBENCH_BAD },
		{ "inactive", BLKBENCH_BAD },
		{ "clear", BLKBENCH_BAD },
	};

	for (size_t i = 0; i < COUNT(states); i++)
		if (strcmp(judge->now->state, states[i].state) == 0)
			add(judge, states[i].condition, "state",
			    "the kernel says that it is \"%s\"",
			    judge->now->state);
}

static void judge_failed_commands(struct judge *judge)
{
	const struct blkbench_layer_health *now = judge->now;
	uint64_t risen;

	if (!judge->before || now->failed_commands == BLKBENCH_UNKNOWN ||
	    judge->before->failed_commands == BLKBENCH_UNKNOWN ||
	    now->failed_commands <= judge->before->failed_commands)
		return;
	risen = now->failed_commands - judge->before->failed_commands;
	add(judge,
	    risen >= FAILED_COMMANDS_WATCH ? BLKBENCH_WATCH : BLKBENCH_GOOD,
	    "commands", "commands that failed during the check: %" PRIu64,
	    risen);
}

static void judge_members(struct judge *judge)
{
	const struct blkbench_layer_health *now = judge->now;

	if (now->lost_members == BLKBENCH_UNKNOWN || now->lost_members == 0)
		return;
	if (now->is_multipath)
		add(judge, BLKBENCH_WATCH, "paths",
		    "paths that do not work: %" PRIu64 " of %" PRIu64,
		    now->lost_members, now->members);
	else
		add(judge, BLKBENCH_BAD, "degraded",
		    "members that are missing or have failed: %" PRIu64
		    " of %" PRIu64,
		    now->lost_members, now->members);
}

static void judge_read_only(struct judge *judge)
{
	if (judge->now->read_only == BLKBENCH_YES)
		add(judge, BLKBENCH_GOOD, "readonly", "it is read-only");
}

static bool is_above(int64_t temperature, int64_t limit)
{
	return limit != BLKBENCH_UNKNOWN_TEMPERATURE && temperature >= limit;
}

static void judge_temperature(struct judge *judge)
{
	const struct blkbench_layer_health *now = judge->now;
	const int64_t temperature = blkbench_health_temperature(now);
	int64_t limit = now->temperature_max;

	if (temperature == BLKBENCH_UNKNOWN_TEMPERATURE)
		return;
	if (limit == BLKBENCH_UNKNOWN_TEMPERATURE &&
	    now->rotational == BLKBENCH_YES)
		limit = TEMPERATURE_LIMIT;
	if (is_above(temperature, now->temperature_critical))
		add(judge, BLKBENCH_BAD, "temperature",
		    "at %.0f degrees Celsius it has reached %.0f, which is "
		    "critical for it",
		    (double)temperature / 1000.0,
		    (double)now->temperature_critical / 1000.0);
	else if (is_above(temperature, limit))
		add(judge, BLKBENCH_WATCH, "temperature",
		    "at %.0f degrees Celsius it has reached %.0f, the most "
		    "it should have",
		    (double)temperature / 1000.0, (double)limit / 1000.0);
}

/* ---- all of them ------------------------------------------------------------- */

static void judge_device(struct judge *judge)
{
	static void (*const rules[])(struct judge *) = {
		judge_loss,    judge_stall,	 judge_errors, judge_end,
		judge_latency, judge_slow_spots, judge_gaps,
	};

	for (size_t i = 0; i < COUNT(rules); i++)
		rules[i](judge);
}

static void judge_layer(struct judge *judge)
{
	static void (*const rules[])(struct judge *) = {
		judge_own_verdict,     judge_critical_warning,
		judge_counts,	       judge_state,
		judge_members,	       judge_temperature,
		judge_failed_commands, judge_read_only,
	};

	for (size_t i = 0; i < COUNT(rules); i++)
		rules[i](judge);
}

int blkbench_diagnose(const struct blkbench_symptoms *symptoms,
		      const struct blkbench_health *before,
		      const struct blkbench_health *after,
		      struct blkbench_diagnosis *diagnosis)
{
	struct judge judge = { .diagnosis = diagnosis, .symptoms = symptoms };

	*diagnosis = (struct blkbench_diagnosis){ 0 };
	if (symptoms->reads && !symptoms->places_missed)
		diagnosis->condition = BLKBENCH_GOOD;
	judge_device(&judge);
	for (size_t i = 0; i < after->layers_count; i++) {
		judge.now = &after->layers[i];
		judge.before = blkbench_health_find(before, judge.now->layer);
		if (judge.now->smart.answer == BLKBENCH_SMART_TOLD &&
		    diagnosis->condition < BLKBENCH_GOOD)
			diagnosis->condition = BLKBENCH_GOOD;
		judge_layer(&judge);
	}
	if (judge.error)
		blkbench_diagnosis_finish(diagnosis);
	return judge.error;
}

void blkbench_diagnosis_finish(struct blkbench_diagnosis *diagnosis)
{
	free(diagnosis->reasons);
	*diagnosis = (struct blkbench_diagnosis){ 0 };
}
