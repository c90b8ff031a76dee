/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <stdio.h>
#include <string.h>

#include "test.h"

#define NS_PER_S 1000000000ULL
#define UNKNOWN BLKBENCH_UNKNOWN
#define NO_TEMPERATURE BLKBENCH_UNKNOWN_TEMPERATURE

/* A layer that has told nothing. */
static const struct blkbench_layer_health silent = {
	.layer = "sda",
	.is_disk = true,
	.rotational = BLKBENCH_NOT_KNOWN,
	.read_only = BLKBENCH_NOT_KNOWN,
	.suspended = BLKBENCH_NOT_KNOWN,
	.reads = UNKNOWN,
	.failed_commands = UNKNOWN,
	.timeouts = UNKNOWN,
	.temperature = NO_TEMPERATURE,
	.temperature_max = NO_TEMPERATURE,
	.temperature_critical = NO_TEMPERATURE,
	.members = UNKNOWN,
	.lost_members = UNKNOWN,
	.corrected_errors = UNKNOWN,
	.bad_sectors = UNKNOWN,
	.mismatch_sectors = UNKNOWN,
	.smart = {
		.passed = BLKBENCH_NOT_KNOWN,
		.power_on_hours = UNKNOWN,
		.temperature = NO_TEMPERATURE,
		.error_log_entries = UNKNOWN,
		.reallocated_sectors = UNKNOWN,
		.reported_uncorrectable = UNKNOWN,
		.command_timeouts = UNKNOWN,
		.pending_sectors = UNKNOWN,
		.offline_uncorrectable = UNKNOWN,
		.crc_errors = UNKNOWN,
		.failing_attribute = UNKNOWN,
		.failed_attribute = UNKNOWN,
		.critical_warning = UNKNOWN,
		.media_errors = UNKNOWN,
		.percentage_used = UNKNOWN,
		.available_spare_percent = UNKNOWN,
		.spare_threshold_percent = UNKNOWN,
		.grown_defects = UNKNOWN,
		.uncorrected_errors = UNKNOWN,
	},
};

static struct blkbench_symptoms measured_well(void)
{
	struct blkbench_symptoms symptoms;

	blkbench_symptoms_init(&symptoms);
	symptoms.reads = 1000;
	symptoms.worst_ns = NS_PER_S / 20;
	return symptoms;
}

static struct blkbench_diagnosis
diagnose(const struct blkbench_symptoms *symptoms,
	 const struct blkbench_layer_health *before,
	 const struct blkbench_layer_health *after)
{
	struct blkbench_layer_health first = before ? *before : silent;
	struct blkbench_layer_health second = after ? *after : silent;
	const struct blkbench_health earlier = { before ? 1 : 0, &first };
	const struct blkbench_health later = { after ? 1 : 0, &second };
	struct blkbench_diagnosis diagnosis;

	assert_int_equal(blkbench_diagnose(symptoms, before ? &earlier : NULL,
					   &later, &diagnosis),
			 0);
	return diagnosis;
}

static void check(const struct blkbench_symptoms *symptoms,
		  const struct blkbench_layer_health *before,
		  const struct blkbench_layer_health *after,
		  enum blkbench_condition condition, const char *code,
		  const char *text)
{
	struct blkbench_diagnosis diagnosis = diagnose(symptoms, before, after);

	assert_int_equal(diagnosis.reasons_count, 1);
	/* Of a remark, the device may not be known to be good. */
	assert_int_equal(diagnosis.reasons[0].condition,
			 condition < BLKBENCH_GOOD ? BLKBENCH_GOOD : condition);
	assert_string_equal(diagnosis.reasons[0].code, code);
	assert_string_equal(diagnosis.reasons[0].text, text);
	assert_int_equal(diagnosis.condition, condition);
	blkbench_diagnosis_finish(&diagnosis);
}

static void check_device(const struct blkbench_symptoms *symptoms,
			 enum blkbench_condition condition, const char *code,
			 const char *text)
{
	check(symptoms, NULL, NULL, condition, code, text);
}

static void check_layer(const struct blkbench_layer_health *layer,
			enum blkbench_condition condition, const char *code,
			const char *text)
{
	const struct blkbench_symptoms symptoms = measured_well();

	check(&symptoms, NULL, layer, condition, code, text);
}

static void check_nothing(const struct blkbench_symptoms *symptoms,
			  const struct blkbench_layer_health *before,
			  const struct blkbench_layer_health *after,
			  enum blkbench_condition condition)
{
	struct blkbench_diagnosis diagnosis = diagnose(symptoms, before, after);

	assert_int_equal(diagnosis.reasons_count, 0);
	assert_int_equal(diagnosis.condition, condition);
	blkbench_diagnosis_finish(&diagnosis);
}

/* ---- nothing wrong --------------------------------------------------------- */

static void device_that_was_read_without_fault_is_good(void **state)
{
	const struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	check_nothing(&symptoms, &silent, &silent, BLKBENCH_GOOD);
	check_nothing(&symptoms, NULL, NULL, BLKBENCH_GOOD);
}

static void what_nobody_knows_anything_of_is_not_good(void **state)
{
	struct blkbench_layer_health told = silent;
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	check_nothing(&symptoms, &silent, &silent, BLKBENCH_CONDITION_UNKNOWN);
	told.smart.answer = BLKBENCH_SMART_TOLD;
	told.smart.passed = BLKBENCH_YES;
	check_nothing(&symptoms, &silent, &told, BLKBENCH_GOOD);
}

static void remark_alone_makes_nothing_good(void **state)
{
	struct blkbench_layer_health layer = silent;
	struct blkbench_diagnosis diagnosis;
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	layer.read_only = BLKBENCH_YES;
	diagnosis = diagnose(&symptoms, NULL, &layer);
	assert_int_equal(diagnosis.reasons_count, 1);
	assert_int_equal(diagnosis.condition, BLKBENCH_CONDITION_UNKNOWN);
	blkbench_diagnosis_finish(&diagnosis);
}

/* ---- the device -------------------------------------------------------------- */

static void loss_is_bad(void **state)
{
	static const struct {
		enum blkbench_loss loss;
		const char *text;
	} cases[] = {
		{ BLKBENCH_LOSS_SHRUNK, "sdb has become smaller" },
		{ BLKBENCH_LOSS_REMOVED, "sdb was removed" },
		{ BLKBENCH_LOSS_OFFLINE, "sdb was given up by its driver" },
		{ BLKBENCH_LOSS_NO_MEDIUM, "sdb has no medium any more" },
		{ BLKBENCH_LOSS_TABLE, "sdb was replaced by errors" },
	};
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.lost_layer = "sdb";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		symptoms.loss = cases[i].loss;
		check_device(&symptoms, BLKBENCH_BAD, "lost", cases[i].text);
	}
}

static void read_that_never_came_back_is_bad(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.stalled = 3;
	symptoms.stalled_offset_bytes = 8192;
	check_device(&symptoms, BLKBENCH_BAD, "stalled",
		     "reads that have not come back: 3, the first at offset "
		     "8192");
}

static void one_read_error_is_bad(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.errors = 1;
	symptoms.bad_offset_bytes = 1048576;
	check_device(&symptoms, BLKBENCH_BAD, "errors",
		     "reads that failed: 1, the first at offset 1048576");
	symptoms.bad_bytes = 512;
	check_device(&symptoms, BLKBENCH_BAD, "errors",
		     "reads that failed: 1; 512 bytes cannot be read, the "
		     "first at offset 1048576");
}

static void device_that_ends_early_is_bad(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.ends_at_bytes = 4096;
	check_device(&symptoms, BLKBENCH_BAD, "capacity",
		     "it may have less than it says: all reads from "
		     "offset 4096 on failed");
}

static void latency_counts_from_one_second_and_from_ten(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.worst_ns = NS_PER_S - 1;
	check_nothing(&symptoms, NULL, NULL, BLKBENCH_GOOD);
	symptoms.worst_ns = NS_PER_S;
	check_device(&symptoms, BLKBENCH_WATCH, "latency", "a read took 1.0 s");
	symptoms.worst_offset_bytes = 512;
	symptoms.worst_ns = 9 * NS_PER_S;
	check_device(&symptoms, BLKBENCH_WATCH, "latency",
		     "a read took 9.0 s, at offset 512");
	symptoms.worst_ns = 10 * NS_PER_S;
	check_device(&symptoms, BLKBENCH_BAD, "latency",
		     "a read took 10.0 s, at offset 512");
	symptoms.worst_ns = UNKNOWN;
	check_nothing(&symptoms, NULL, NULL, BLKBENCH_GOOD);
}

static void slow_spot_is_to_be_watched(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.slow_spots = 2;
	symptoms.slow_offset_bytes = 1000;
	symptoms.slow_length_bytes = 200;
	check_device(&symptoms, BLKBENCH_WATCH, "slow",
		     "places slower than their neighbours: 2, the first at "
		     "offset 1000, 200 bytes");
}

static void what_was_hardly_read_is_told(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.places_missed = 3;
	check_device(&symptoms, BLKBENCH_CONDITION_UNKNOWN, "places",
		     "the time limit left no time for 3 places");
	symptoms.places_missed = 0;
	symptoms.sampled_bytes = 1000;
	symptoms.zero_bytes = 899;
	check_nothing(&symptoms, NULL, NULL, BLKBENCH_GOOD);
	symptoms.zero_bytes = 910;
	check_device(&symptoms, BLKBENCH_GOOD, "zeros",
		     "91 % of what was read is zeros, which many devices "
		     "answer without reading");
}

static void other_traffic_excuses_slowness_but_not_ten_seconds(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	symptoms.worst_ns = 2 * NS_PER_S;
	symptoms.own_bytes = 900;
	symptoms.other_bytes = 100;
	check_device(&symptoms, BLKBENCH_WATCH, "latency", "a read took 2.0 s");
	symptoms.other_bytes = 101;
	check_device(&symptoms, BLKBENCH_GOOD, "latency",
		     "a read took 2.0 s, beside other traffic");
	symptoms.worst_ns = 10 * NS_PER_S;
	check_device(&symptoms, BLKBENCH_BAD, "latency", "a read took 10.0 s");
	symptoms.worst_ns = UNKNOWN;
	symptoms.slow_spots = 1;
	symptoms.slow_offset_bytes = 0;
	symptoms.slow_length_bytes = 512;
	check_device(&symptoms, BLKBENCH_GOOD, "slow",
		     "places slower than their neighbours: 1, the first at "
		     "offset 0, 512 bytes; beside other traffic");
}

/* ---- the layers ------------------------------------------------------------- */

static void counts_are_judged_from_their_limit_on(void **state)
{
#define FIELD(name) offsetof(struct blkbench_layer_health, name)
	static const struct {
		size_t field;
		uint64_t below, from;
		enum blkbench_condition condition;
		const char *code, *text;
	} cases[] = {
		{ FIELD(smart.failing_attribute), 0, 5, BLKBENCH_BAD, "failing",
		  "a SMART attribute that foretells failure is at its "
		  "threshold, number: 5" },
		{ FIELD(smart.failed_attribute), 0, 190, BLKBENCH_WATCH,
		  "failed",
		  "a SMART attribute is, or was, at its threshold, number: "
		  "190" },
		{ FIELD(smart.reallocated_sectors), 0, 1, BLKBENCH_WATCH,
		  "reallocated", "reallocated sectors: 1" },
		{ FIELD(smart.reported_uncorrectable), 0, 1, BLKBENCH_WATCH,
		  "uncorrectable",
		  "errors that it has reported as uncorrectable: 1" },
		{ FIELD(smart.command_timeouts), 0, 1, BLKBENCH_WATCH,
		  "timeouts", "commands that it did not complete in time: 1" },
		{ FIELD(smart.pending_sectors), 0, 1, BLKBENCH_WATCH, "pending",
		  "sectors that it could not read and has not replaced: 1" },
		{ FIELD(smart.offline_uncorrectable), 0, 1, BLKBENCH_WATCH,
		  "offline", "sectors that its own scan could not read: 1" },
		{ FIELD(smart.crc_errors), 0, 1, BLKBENCH_GOOD, "cable",
		  "transfers spoilt on the cable or in its plugs: 1" },
		{ FIELD(smart.media_errors), 0, 1, BLKBENCH_WATCH, "media",
		  "media and data integrity errors: 1" },
		{ FIELD(smart.percentage_used), 99, 100, BLKBENCH_WATCH, "worn",
		  "percent of its rated life used: 100" },
		{ FIELD(smart.grown_defects), 0, 1, BLKBENCH_WATCH, "defects",
		  "grown defects: 1" },
		{ FIELD(smart.uncorrected_errors), 0, 1, BLKBENCH_WATCH,
		  "uncorrected", "uncorrected errors: 1" },
		{ FIELD(timeouts), 0, 1, BLKBENCH_WATCH, "kernel",
		  "commands that the kernel gave up waiting for: 1" },
		{ FIELD(corrected_errors), 0, 1, BLKBENCH_WATCH, "corrected",
		  "read errors of members that the array has corrected: 1" },
		{ FIELD(bad_sectors), 0, 1, BLKBENCH_WATCH, "blocks",
		  "sectors in the array's lists of bad blocks: 1" },
		{ FIELD(mismatch_sectors), 0, 1, BLKBENCH_WATCH, "mismatch",
		  "sectors in which members differed at the last check: 1" },
	};
	const struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blkbench_layer_health layer = silent;
		char *field = (char *)&layer + cases[i].field;

		memcpy(field, &cases[i].below, sizeof(uint64_t));
		check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
		memcpy(field, &cases[i].from, sizeof(uint64_t));
		check_layer(&layer, cases[i].condition, cases[i].code,
			    cases[i].text);
	}
}

static void own_verdict_of_a_disk_counts(void **state)
{
	const struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health layer = silent;

	(void)state;
	layer.smart.passed = BLKBENCH_YES;
	check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
	layer.smart.passed = BLKBENCH_NO;
	check_layer(&layer, BLKBENCH_BAD, "smart",
		    "by its own SMART verdict it is failing");
}

static void nvme_disk_says_bit_by_bit_what_is_wrong(void **state)
{
	static const struct {
		uint64_t warning;
		enum blkbench_condition condition;
		const char *text;
	} cases[] = {
		{ 1, BLKBENCH_BAD, "its spare blocks are used up" },
		{ 2, BLKBENCH_WATCH,
		  "it says that it is too hot, or too cold" },
		{ 4, BLKBENCH_BAD, "it says that it has become unreliable" },
		{ 8, BLKBENCH_BAD, "it has become read-only" },
		{ 16, BLKBENCH_BAD, "the backup of its memory has failed" },
		{ 32, BLKBENCH_BAD,
		  "its persistent memory has become unreliable" },
	};
	const struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health layer = silent;
	struct blkbench_diagnosis diagnosis;

	(void)state;
	/* smartctl makes the verdict of them, of heat, too. */
	layer.smart.passed = BLKBENCH_NO;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		layer.smart.critical_warning = cases[i].warning;
		check_layer(&layer, cases[i].condition, "critical",
			    cases[i].text);
	}
	layer.smart.critical_warning = 0;
	check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
	layer.smart.critical_warning = 2 + 4;
	diagnosis = diagnose(&symptoms, NULL, &layer);
	assert_int_equal(diagnosis.reasons_count, 2);
	assert_string_equal(diagnosis.reasons[0].text,
			    "it says that it has become unreliable");
	blkbench_diagnosis_finish(&diagnosis);
}

static void state_in_the_kernel_counts(void **state)
{
	static const struct {
		const char *word;
		enum blkbench_condition condition; /* GOOD: no reason */
	} cases[] = {
		{ "running", BLKBENCH_GOOD },
		{ "live", BLKBENCH_GOOD },
		{ "clean", BLKBENCH_GOOD },
		{ "active", BLKBENCH_GOOD },
		{ "read-auto", BLKBENCH_GOOD },
		{ "write-pending", BLKBENCH_GOOD },
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
	const struct blkbench_symptoms symptoms = measured_well();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blkbench_layer_health layer = silent;
		char text[BLKBENCH_TEXT_MAX];

		strcpy(layer.state, cases[i].word);
		snprintf(text, sizeof(text),
			 "the kernel says that it is \"%s\"", cases[i].word);
		if (cases[i].condition == BLKBENCH_GOOD)
			check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
		else
			check_layer(&layer, cases[i].condition, "state", text);
	}
}

static void failed_commands_count_by_how_they_rose(void **state)
{
	const struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health before = silent, after = silent;

	(void)state;
	before.failed_commands = 31;
	after.failed_commands = 31;
	check_nothing(&symptoms, &before, &after, BLKBENCH_GOOD);
	after.failed_commands = 40;
	check(&symptoms, &before, &after, BLKBENCH_GOOD, "commands",
	      "commands that failed during the check: 9");
	after.failed_commands = 41;
	check(&symptoms, &before, &after, BLKBENCH_WATCH, "commands",
	      "commands that failed during the check: 10");
	check_nothing(&symptoms, NULL, &after, BLKBENCH_GOOD);
	check_nothing(&symptoms, &silent, &after, BLKBENCH_GOOD);
	/* Another disk by the same name, which counts anew. */
	after.failed_commands = 2;
	check_nothing(&symptoms, &before, &after, BLKBENCH_GOOD);
}

static void lost_member_is_bad_and_lost_path_to_be_watched(void **state)
{
	const struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health layer = silent;

	(void)state;
	layer.members = 3;
	layer.lost_members = 0;
	check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
	layer.lost_members = 1;
	check_layer(&layer, BLKBENCH_BAD, "degraded",
		    "members that are missing or have failed: 1 of 3");
	layer.is_multipath = true;
	check_layer(&layer, BLKBENCH_WATCH, "paths",
		    "paths that do not work: 1 of 3");
}

static void temperature_is_judged_by_the_limits_of_the_disk(void **state)
{
	const struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health layer = silent;

	(void)state;
	layer.temperature_max = 60000;
	layer.temperature_critical = 70000;
	layer.temperature = 59999;
	check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
	layer.temperature = 60000;
	check_layer(&layer, BLKBENCH_WATCH, "temperature",
		    "at 60 degrees Celsius it has reached 60, the most it "
		    "should have");
	layer.temperature = 70000;
	check_layer(&layer, BLKBENCH_BAD, "temperature",
		    "at 70 degrees Celsius it has reached 70, which is "
		    "critical for it");
}

static void disk_that_spins_has_a_limit_even_if_it_tells_none(void **state)
{
	const struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health layer = silent;

	(void)state;
	layer.smart.temperature = 65000;
	check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
	layer.rotational = BLKBENCH_YES;
	check_layer(&layer, BLKBENCH_WATCH, "temperature",
		    "at 65 degrees Celsius it has reached 65, the most it "
		    "should have");
	layer.smart.temperature = 64000;
	check_nothing(&symptoms, NULL, &layer, BLKBENCH_GOOD);
}

static void read_only_is_a_remark(void **state)
{
	struct blkbench_layer_health layer = silent;

	(void)state;
	layer.read_only = BLKBENCH_YES;
	check_layer(&layer, BLKBENCH_GOOD, "readonly", "it is read-only");
}

/* ---- together ------------------------------------------------------------------ */

static void worst_comes_first_and_is_the_verdict(void **state)
{
	struct blkbench_symptoms symptoms = measured_well();
	struct blkbench_layer_health layers[] = { silent, silent };
	const struct blkbench_health health = { 2, layers };
	struct blkbench_diagnosis diagnosis;
	static const char *const codes[] = { "degraded", "latency", "pending",
					     "readonly" };

	(void)state;
	symptoms.worst_ns = NS_PER_S;
	layers[0].layer = "md0";
	layers[0].lost_members = 1;
	layers[0].members = 2;
	layers[0].read_only = BLKBENCH_YES;
	layers[1].layer = "sdb";
	layers[1].smart.pending_sectors = 8;
	assert_int_equal(
		blkbench_diagnose(&symptoms, NULL, &health, &diagnosis), 0);
	assert_int_equal(diagnosis.condition, BLKBENCH_BAD);
	assert_int_equal(diagnosis.reasons_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(diagnosis.reasons[i].code, codes[i]);
	assert_string_equal(diagnosis.reasons[0].layer, "md0");
	assert_null(diagnosis.reasons[1].layer);
	assert_string_equal(diagnosis.reasons[2].layer, "sdb");
	blkbench_diagnosis_finish(&diagnosis);
	assert_int_equal(diagnosis.reasons_count, 0);
}

static void conditions_have_names(void **state)
{
	(void)state;
	assert_string_equal(blkbench_condition_name(BLKBENCH_GOOD), "good");
	assert_string_equal(blkbench_condition_name(BLKBENCH_WATCH), "watch");
	assert_string_equal(blkbench_condition_name(BLKBENCH_BAD), "bad");
	assert_string_equal(blkbench_condition_name(BLKBENCH_CONDITION_UNKNOWN),
			    "unknown");
}

/* ---- symptoms of results --------------------------------------------------------- */

static void symptoms_of_several_tests_are_added_up(void **state)
{
	struct blkbench_result result = {
		.plan = { .queue_depth = 8 },
		.requests = 100,
		.bytes = 1000,
		.ends_at_bytes = UNKNOWN,
		.other_read_bytes = 30,
		.other_written_bytes = 10,
		.slowest_count = 1,
		.slowest = { { 0, 5 * NS_PER_S } },
	};
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	/* Deep, and so no matter of the disk alone. */
	blkbench_symptoms_add(&symptoms, &result);
	assert_int_equal(symptoms.reads, 100);
	assert_int_equal(symptoms.worst_ns, UNKNOWN);
	result.plan.queue_depth = 1;
	result.slowest[0] = (struct blkbench_slow_read){ 4096, 70 };
	blkbench_symptoms_add(&symptoms, &result);
	result.slowest[0] = (struct blkbench_slow_read){ 8192, 50 };
	blkbench_symptoms_add(&symptoms, &result);
	result.slowest_count = 0;
	result.requests = 0;
	result.other_read_bytes = UNKNOWN;
	blkbench_symptoms_add(&symptoms, &result);
	assert_int_equal(symptoms.reads, 300);
	assert_int_equal(symptoms.own_bytes, 3000);
	assert_int_equal(symptoms.other_bytes, 120);
	assert_int_equal(symptoms.worst_ns, 70);
	assert_int_equal(symptoms.worst_offset_bytes, 4096);
	assert_int_equal(symptoms.errors, 0);
	assert_int_equal(symptoms.bad_offset_bytes, UNKNOWN);
}

static void sectors_that_were_found_say_where_it_is_bad(void **state)
{
	struct blkbench_result first = {
		.ends_at_bytes = UNKNOWN,
		.errors = 2,
		.errors_listed = 2,
		.error_list = { { .offset_bytes = 8192 },
				{ .offset_bytes = 4096 } },
	};
	const struct blkbench_result second = {
		.ends_at_bytes = UNKNOWN,
		.errors = 1,
		.errors_listed = 1,
		.error_list = { { .offset_bytes = 1048576 } },
		.bad_count = 2,
		.bad_list = { { .offset_bytes = 1049088, .length_bytes = 512 },
			      { .offset_bytes = 1050624,
				.length_bytes = 1024 } },
	};
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	blkbench_symptoms_add(&symptoms, &first);
	assert_int_equal(symptoms.bad_offset_bytes, 4096);
	blkbench_symptoms_add(&symptoms, &second);
	assert_int_equal(symptoms.errors, 3);
	assert_int_equal(symptoms.ends_at_bytes, UNKNOWN);
	assert_int_equal(symptoms.bad_bytes, 1536);
	assert_int_equal(symptoms.bad_offset_bytes, 1049088);
}

static void slow_spots_are_counted_and_the_first_is_kept(void **state)
{
	struct blkbench_slow_spot spots[] = { { 1000, 200, 1.0, 2.0 },
					      { 5000, 300, 1.0, 2.0 } };
	const struct blkbench_result result = { .slow_spots_count = 2,
						.slow_spots = spots };
	const struct blkbench_result other = { .slow_spots_count = 1,
					       .slow_spots = &spots[1] };
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	blkbench_symptoms_add(&symptoms, &result);
	blkbench_symptoms_add(&symptoms, &other);
	assert_int_equal(symptoms.slow_spots, 3);
	assert_int_equal(symptoms.slow_offset_bytes, 1000);
	assert_int_equal(symptoms.slow_length_bytes, 200);
}

static void end_of_a_device_that_lies_is_where_reads_begin_to_fail(void **state)
{
	const struct blkbench_result result = {
		.errors = 2,
		.errors_listed = 2,
		.error_list = { { .offset_bytes = 8192 },
				{ .offset_bytes = 4096 } },
		.ends_at_bytes = 4096,
	};
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	blkbench_symptoms_add(&symptoms, &result);
	assert_int_equal(symptoms.ends_at_bytes, 4096);
}

static void first_stall_and_worst_loss_stay(void **state)
{
	struct blkbench_result result = {
		.stalled = 2,
		.stalled_offset_bytes = 4096,
		.loss = BLKBENCH_LOSS_OFFLINE,
		.lost_layer = "sda",
	};
	struct blkbench_symptoms symptoms;

	(void)state;
	blkbench_symptoms_init(&symptoms);
	blkbench_symptoms_add(&symptoms, &result);
	result.stalled_offset_bytes = 512;
	result.loss = BLKBENCH_LOSS_SHRUNK;
	result.lost_layer = "sdb";
	blkbench_symptoms_add(&symptoms, &result);
	assert_int_equal(symptoms.stalled, 4);
	assert_int_equal(symptoms.stalled_offset_bytes, 4096);
	assert_int_equal(symptoms.loss, BLKBENCH_LOSS_OFFLINE);
	assert_string_equal(symptoms.lost_layer, "sda");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_that_was_read_without_fault_is_good),
		cmocka_unit_test(what_nobody_knows_anything_of_is_not_good),
		cmocka_unit_test(remark_alone_makes_nothing_good),
		cmocka_unit_test(loss_is_bad),
		cmocka_unit_test(read_that_never_came_back_is_bad),
		cmocka_unit_test(one_read_error_is_bad),
		cmocka_unit_test(device_that_ends_early_is_bad),
		cmocka_unit_test(latency_counts_from_one_second_and_from_ten),
		cmocka_unit_test(slow_spot_is_to_be_watched),
		cmocka_unit_test(what_was_hardly_read_is_told),
		cmocka_unit_test(
			other_traffic_excuses_slowness_but_not_ten_seconds),
		cmocka_unit_test(counts_are_judged_from_their_limit_on),
		cmocka_unit_test(own_verdict_of_a_disk_counts),
		cmocka_unit_test(nvme_disk_says_bit_by_bit_what_is_wrong),
		cmocka_unit_test(state_in_the_kernel_counts),
		cmocka_unit_test(failed_commands_count_by_how_they_rose),
		cmocka_unit_test(
			lost_member_is_bad_and_lost_path_to_be_watched),
		cmocka_unit_test(
			temperature_is_judged_by_the_limits_of_the_disk),
		cmocka_unit_test(
			disk_that_spins_has_a_limit_even_if_it_tells_none),
		cmocka_unit_test(read_only_is_a_remark),
		cmocka_unit_test(worst_comes_first_and_is_the_verdict),
		cmocka_unit_test(conditions_have_names),
		cmocka_unit_test(symptoms_of_several_tests_are_added_up),
		cmocka_unit_test(sectors_that_were_found_say_where_it_is_bad),
		cmocka_unit_test(slow_spots_are_counted_and_the_first_is_kept),
		cmocka_unit_test(
			end_of_a_device_that_lies_is_where_reads_begin_to_fail),
		cmocka_unit_test(first_stall_and_worst_loss_stay),
	};

	return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
