/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <json.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "check.h"
#include "results.h"
#include "results_parts.h"
#include "words.h"

/* More than any run has; what a document says has to fit into memory. */
#define DEVICES_MAX 4096
#define STEPS_MAX 32
#define ENTRIES_MAX 16384
#define WARNINGS_MAX 256

#define FIELD(type_of, member) offsetof(struct type_of, member)
#define RESULT(member) FIELD(blkbench_result, member)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- a test ------------------------------------------------------------- */

/* clang-format off */
static const struct field plan_fields[] = {
	{ "direct", FIELD_BOOL, true, FIELD(blkbench_plan, is_direct) },
	{ "idle", FIELD_BOOL, false, FIELD(blkbench_plan, is_idle) },
	{ "block_bytes", FIELD_U64, true, FIELD(blkbench_plan, block_bytes) },
	{ "queue_depth", FIELD_U64, true, FIELD(blkbench_plan, queue_depth) },
	{ "offset_bytes", FIELD_U64, true, FIELD(blkbench_plan, offset_bytes) },
	{ "length_bytes", FIELD_U64, true, FIELD(blkbench_plan, length_bytes) },
	{ "runtime_ns", FIELD_U64, false, FIELD(blkbench_plan, runtime_ns) },
	{ "precision_percent", FIELD_DOUBLE, false,
	  FIELD(blkbench_plan, precision_percent) },
	{ "seed", FIELD_U64, false, FIELD(blkbench_plan, seed) },
};

static const struct field result_fields[] = {
	{ "engine", FIELD_WORD, false, RESULT(engine) },
	{ "warmup_ns", FIELD_U64, false, RESULT(warmup_ns) },
	{ "elapsed_ns", FIELD_U64, false, RESULT(elapsed_ns) },
	{ "requests", FIELD_U64, true, RESULT(requests) },
	{ "bytes", FIELD_U64, true, RESULT(bytes) },
	{ "passes", FIELD_U64, true, RESULT(passes) },
	{ "first_pass_ns", FIELD_U64, false, RESULT(first_pass_ns) },
	{ "errors", FIELD_U64, true, RESULT(errors) },
	{ "short_reads", FIELD_U64, false, RESULT(short_reads) },
	{ "retries", FIELD_U64, true, RESULT(retries) },
	{ "punted", FIELD_U64, false, RESULT(punted) },
	{ "rate_bytes_per_s", FIELD_RATE, false,
	  RESULT(rate_bytes_per_s) },
	{ "rate_ci95_percent", FIELD_DOUBLE, false,
	  RESULT(rate_ci95_percent) },
	{ "rate_spread_percent", FIELD_DOUBLE, false,
	  RESULT(rate_spread_percent) },
	{ "seeks_per_s", FIELD_RATE, false,
	  RESULT(seeks_per_s) },
	{ "access_ms", FIELD_RATE, false, RESULT(access_ms) },
	{ "access_ci95_percent", FIELD_DOUBLE, false,
	  RESULT(access_ci95_percent) },
	{ "cached_rate_bytes_per_s", FIELD_DOUBLE, false,
	  RESULT(cached_rate_bytes_per_s) },
	{ "hit_percent", FIELD_DOUBLE, false, RESULT(hit_percent) },
	{ "hit_access_ms", FIELD_DOUBLE, false, RESULT(hit_access_ms) },
	{ "miss_access_ms", FIELD_DOUBLE, false, RESULT(miss_access_ms) },
	{ "cpu_percent", FIELD_DOUBLE, false,
	  RESULT(cpu_percent) },
	{ "cpu_pressure_percent", FIELD_DOUBLE, false,
	  RESULT(cpu_pressure_percent) },
	{ "other_read_bytes", FIELD_U64, false, RESULT(other_read_bytes) },
	{ "other_written_bytes", FIELD_U64, false,
	  RESULT(other_written_bytes) },
	{ "zero_percent", FIELD_DOUBLE, false, RESULT(zero_percent) },
	{ "overhead_ns", FIELD_DOUBLE, false, RESULT(overhead_ns) },
	{ "partial", FIELD_BOOL, true, RESULT(is_partial) },
	{ "failing_since_ns", FIELD_U64, false,
	  RESULT(failing_since_ns) },
};

static const struct field latency_fields[] = {
	{ "min", FIELD_U64, false, FIELD(blkbench_latency, min_ns) },
	{ "mean", FIELD_U64, false, FIELD(blkbench_latency, mean_ns) },
	{ "p50", FIELD_U64, false, FIELD(blkbench_latency, p50_ns) },
	{ "p90", FIELD_U64, false, FIELD(blkbench_latency, p90_ns) },
	{ "p99", FIELD_U64, false, FIELD(blkbench_latency, p99_ns) },
	{ "p99_9", FIELD_U64, false, FIELD(blkbench_latency, p99_9_ns) },
	{ "max", FIELD_U64, false, FIELD(blkbench_latency, max_ns) },
};

static const struct field stalled_fields[] = {
	{ "requests", FIELD_U64, true, RESULT(stalled) },
	{ "age_ns", FIELD_U64, true, RESULT(stalled_ns) },
	{ "offset_bytes", FIELD_U64, false,
	  RESULT(stalled_offset_bytes) },
};
/* clang-format on */

/* clang-format off */
static const struct field tail_fields[] = {
	{ "requests", FIELD_U64, true, RESULT(tail_requests) },
	{ "bytes", FIELD_U64, true, RESULT(tail_bytes) },
	{ "elapsed_ns", FIELD_U64, true, RESULT(tail_ns) },
};

static const struct field slow_fields[] = {
	{ "offset_bytes", FIELD_U64, true,
	  FIELD(blkbench_slow_read, offset_bytes) },
	{ "latency_ns", FIELD_U64, true,
	  FIELD(blkbench_slow_read, latency_ns) },
};
/* clang-format on */

static const struct document_items slow_reads = {
	.key = "slowest",
	.max = BLKBENCH_SLOWEST_MAX,
	.size = sizeof(struct blkbench_slow_read),
	.fields = slow_fields,
	.fields_count = COUNT(slow_fields),
};

/* What is left where the document is silent. */
static const struct blkbench_result unknown_result = {
	.plan = {
		.runtime_ns = BLKBENCH_UNKNOWN,
		.precision_percent = NAN,
		.seed = BLKBENCH_UNKNOWN,
		.warmup_limit_ns = BLKBENCH_UNKNOWN,
		.max_errors = BLKBENCH_UNKNOWN,
		.places = BLKBENCH_UNKNOWN,
		.place_bytes = BLKBENCH_UNKNOWN,
		.place_ns = BLKBENCH_UNKNOWN,
	},
	.warmup_ns = BLKBENCH_UNKNOWN,
	.elapsed_ns = BLKBENCH_UNKNOWN,
	.head_requests = BLKBENCH_UNKNOWN,
	.head_latency_ns = BLKBENCH_UNKNOWN,
	.first_pass_ns = BLKBENCH_UNKNOWN,
	.short_reads = BLKBENCH_UNKNOWN,
	.punted = BLKBENCH_UNKNOWN,
	.failing_since_ns = BLKBENCH_UNKNOWN,
	.stalled_offset_bytes = BLKBENCH_UNKNOWN,
	.rate_bytes_per_s = NAN,
	.rate_ci95_percent = NAN,
	.rate_spread_percent = NAN,
	.seeks_per_s = NAN,
	.access_ms = NAN,
	.access_ci95_percent = NAN,
	.cached_rate_bytes_per_s = NAN,
	.hit_percent = NAN,
	.hit_access_ms = NAN,
	.miss_access_ms = NAN,
	.latency = {
		.min_ns = BLKBENCH_UNKNOWN,
		.mean_ns = BLKBENCH_UNKNOWN,
		.p50_ns = BLKBENCH_UNKNOWN,
		.p90_ns = BLKBENCH_UNKNOWN,
		.p99_ns = BLKBENCH_UNKNOWN,
		.p99_9_ns = BLKBENCH_UNKNOWN,
		.max_ns = BLKBENCH_UNKNOWN,
	},
	.cpu_percent = NAN,
	.other_read_bytes = BLKBENCH_UNKNOWN,
	.other_written_bytes = BLKBENCH_UNKNOWN,
	.zero_percent = NAN,
	.cpu_pressure_percent = NAN,
	.overhead_ns = NAN,
	.curve = {
		.min_rate_bytes_per_s = NAN,
		.mean_rate_bytes_per_s = NAN,
		.max_rate_bytes_per_s = NAN,
		.min_offset_bytes = BLKBENCH_UNKNOWN,
		.max_offset_bytes = BLKBENCH_UNKNOWN,
	},
};

/* A failed read, or a bad range. */
struct bad_place {
	uint64_t offset_bytes, length_bytes, error, reads;
	const char *reread;
};

/* clang-format off */
static const struct field bad_fields[] = {
	{ "offset_bytes", FIELD_U64, true, FIELD(bad_place, offset_bytes) },
	{ "length_bytes", FIELD_U64, true, FIELD(bad_place, length_bytes) },
	{ "errno", FIELD_U64, true, FIELD(bad_place, error) },
	{ "reads", FIELD_U64, true, FIELD(bad_place, reads) },
	{ "reread", FIELD_WORD, false, FIELD(bad_place, reread) },
};
/* clang-format on */

struct lost {
	const char *what, *layer;
};

/* clang-format off */
static const struct field lost_fields[] = {
	{ "what", FIELD_WORD, true, FIELD(lost, what) },
	{ "layer", FIELD_STRING, true, FIELD(lost, layer) },
};
/* clang-format on */

struct test_head {
	const char *test, *skipped, *pattern;
	uint64_t repeat;
};

/* clang-format off */
static const struct field head_fields[] = {
	{ "test", FIELD_WORD, true, FIELD(test_head, test) },
	{ "repeat", FIELD_U64, true, FIELD(test_head, repeat) },
	{ "skipped", FIELD_STRING, false, FIELD(test_head, skipped) },
	{ "pattern", FIELD_WORD, false, FIELD(test_head, pattern) },
};
/* clang-format on */

/* Up to max of what is wrong. */
static int read_bad_places(const struct place *above,
			   struct json_object *object, const char *key,
			   size_t max, struct bad_place *bad, size_t *count,
			   struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = key };
	struct json_object *list;
	int r;

	r = document_get_list(&place, object, max, &list, count, error);
	for (size_t i = 0; i < *count && r == 0; i++) {
		const struct place item = { .above = &place, .index = i };

		r = document_get_fields(&item,
					json_object_array_get_idx(list, i),
					bad_fields, COUNT(bad_fields), &bad[i],
					error);
		if (r == 0 && bad[i].error > INT_MAX)
			r = document_refuse(&item, error, "has no errno");
	}
	return r;
}

static int read_errors(const struct place *place, struct json_object *object,
		       struct blkbench_result *result,
		       struct blkbench_error *error)
{
	struct bad_place bad[BLKBENCH_BAD_RANGES_MAX];
	uint64_t left = result->errors;
	int r;

	r = read_bad_places(place, object, "error_list", BLKBENCH_ERRORS_LISTED,
			    bad, &result->errors_listed, error);
	for (size_t i = 0; i < result->errors_listed && r == 0; i++) {
		const int reread = words_find(&words_reread, bad[i].reread);

		if (bad[i].reads > left)
			return document_refuse(place, error,
					       "has more reads in error_list "
					       "than errors");
		left -= bad[i].reads;
		result->error_list[i] = (struct blkbench_read_error){
			.offset_bytes = bad[i].offset_bytes,
			.length_bytes = bad[i].length_bytes,
			.error = (int)bad[i].error,
			.reads = bad[i].reads,
			.reread = reread < 0 ? BLKBENCH_NOT_REREAD
					     : (enum blkbench_reread)reread,
		};
	}
	if (r == 0)
		r = read_bad_places(place, object, "bad_list",
				    BLKBENCH_BAD_RANGES_MAX, bad,
				    &result->bad_count, error);
	for (size_t i = 0; i < result->bad_count && r == 0; i++)
		result->bad_list[i] = (struct blkbench_bad_range){
			.offset_bytes = bad[i].offset_bytes,
			.length_bytes = bad[i].length_bytes,
			.error = (int)bad[i].error,
			.reads = bad[i].reads,
		};
	return r;
}

static int read_loss(const struct place *place, struct json_object *object,
		     struct blkbench_result *result,
		     struct blkbench_error *error)
{
	struct lost lost = { NULL, NULL };
	int r;

	r = document_get_part(place, object, "lost", lost_fields,
			      COUNT(lost_fields), &lost, error);
	if (r < 0 || !lost.what)
		return r;
	r = words_find(&words_loss, lost.what);
	if (r < 0)
		return document_refuse(place, error, "is lost in no known way");
	result->loss = (enum blkbench_loss)r;
	result->lost_layer = lost.layer;
	return 0;
}

static int read_slowest(const struct place *place, struct json_object *object,
			struct blkbench_result *result,
			struct blkbench_error *error)
{
	void *items;
	int r = document_get_items(place, object, &slow_reads, &items,
				   &result->slowest_count, error);

	if (r == 0)
		memcpy(result->slowest, items,
		       result->slowest_count * sizeof(*result->slowest));
	free(items);
	return r;
}

static int read_figures(const struct place *place, struct json_object *object,
			struct blkbench_result *result,
			struct blkbench_error *error)
{
	const struct {
		const char *key;
		const struct field *fields;
		size_t count;
		void *target;
	} parts[] = {
		{ "tail", tail_fields, COUNT(tail_fields), result },
		{ "latency_ns", latency_fields, COUNT(latency_fields),
		  &result->latency },
		{ "stalled", stalled_fields, COUNT(stalled_fields), result },
	};
	int r = document_get_fields(place, object, result_fields,
				    COUNT(result_fields), result, error);

	for (size_t i = 0; i < COUNT(parts) && r == 0; i++)
		r = document_get_part(place, object, parts[i].key,
				      parts[i].fields, parts[i].count,
				      parts[i].target, error);
	if (r == 0)
		r = read_slowest(place, object, result, error);
	if (r == 0 && result->plan.pattern == BLKBENCH_PATTERN_PLACES)
		r = results_read_zones(place, object, result, error);
	return r;
}

static int read_result(const struct place *place, struct json_object *object,
		       const struct test_head *head,
		       struct blkbench_result *result,
		       struct blkbench_error *error)
{
	const struct place pattern = { .above = place, .key = "pattern" };
	int r = words_find(&words_pattern, head->pattern);

	*result = unknown_result;
	if (r < 0)
		return document_refuse(&pattern, error,
				       "is not one of those that are known");
	result->plan.pattern = (enum blkbench_pattern)r;
	result->plan.test = head->test;
	r = document_get_fields(place, object, plan_fields, COUNT(plan_fields),
				&result->plan, error);
	if (r == 0)
		r = read_figures(place, object, result, error);
	if (r == 0)
		r = read_errors(place, object, result, error);
	if (r == 0)
		r = read_loss(place, object, result, error);
	result->plan.is_seek = result->plan.pattern == BLKBENCH_PATTERN_RANDOM;
	return r;
}

/* The step of that name, which may be new. */
static struct run_step *find_step(struct run_device *device, const char *name)
{
	struct blkbench_test *test;
	struct run_step *step;
	size_t i;

	for (i = 0; i < device->steps_count; i++)
		if (!strcmp(device->steps[i].test->name, name))
			return &device->steps[i];
	if (i == STEPS_MAX)
		return NULL;
	test = calloc(1, sizeof(*test));
	if (!test)
		return NULL;
	test->name = name;
	step = &device->steps[device->steps_count++];
	step->test = test;
	return step;
}

static int add_entry(const struct place *place, struct run_device *device,
		     const struct test_head *head, struct blkbench_error *error)
{
	struct run_entry *entry = &device->entries[device->entries_count];
	const struct run_entry *before = entry - 1;

	entry->step = find_step(device, head->test);
	if (!entry->step)
		return document_refuse(place, error,
				       "is one of too many tests");
	entry->repeat = head->repeat;
	/* Those of one repeat follow each other. */
	if (device->entries_count && before->step == entry->step &&
	    before->repeat == entry->repeat)
		entry->plan = before->plan + 1;
	if (entry->plan >= BLKBENCH_PLANS_MAX)
		return document_refuse(place, error,
				       "is one too many of a test and repeat");
	device->entries_count++;
	return 0;
}

static int read_entry(const struct place *place, struct json_object *object,
		      struct run_device *device, struct blkbench_error *error)
{
	struct run_entry *entry = &device->entries[device->entries_count];
	struct run_step *step;
	struct test_head head;
	int r;

	r = document_get_fields(place, object, head_fields, COUNT(head_fields),
				&head, error);
	if (r == 0)
		r = add_entry(place, device, &head, error);
	if (r < 0)
		return r;
	if (head.skipped)
		return document_copy_text(head.skipped, entry->reason,
					  sizeof(entry->reason));
	r = read_result(place, object, &head, &entry->result, error);
	if (r < 0)
		return r;
	entry->is_measured = true;
	device->has_stalled |= entry->result.stalled > 0;
	device->is_lost |= entry->result.loss > BLKBENCH_LOSS_SHRUNK;
	entry->result.plan.sector_bytes =
		device->info ? device->info->topology.logical_sector_bytes
			     : 512;
	step = find_step(device, head.test);
	if (entry->plan >= step->plans_count) {
		step->plans[entry->plan] = entry->result.plan;
		step->plans_count = entry->plan + 1;
	}
	return 0;
}

static int read_tests(const struct place *above, struct json_object *object,
		      struct run_device *device, struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = "tests" };
	struct json_object *list;
	size_t count, i;
	int r;

	r = document_get_list(&place, object, ENTRIES_MAX, &list, &count,
			      error);
	if (r < 0)
		return r;
	if (!list)
		return document_refuse(&place, error, "is not there");
	device->steps = calloc(STEPS_MAX, sizeof(*device->steps));
	device->entries = calloc(count + 1, sizeof(*device->entries));
	if (!device->steps || !device->entries)
		return -ENOMEM;
	for (i = 0; i < count && r == 0; i++) {
		const struct place item = { .above = &place, .index = i };

		r = read_entry(&item, json_object_array_get_idx(list, i),
			       device, error);
	}
	return r;
}

/* ---- a device ----------------------------------------------------------- */

/* clang-format off */
static const struct field device_fields[] = {
	{ "path", FIELD_STRING, true, FIELD(run_device, path) },
	{ "message", FIELD_TEXT, false, FIELD(run_device, message) },
	{ "seed", FIELD_U64, false, FIELD(run_device, seed) },
	{ "repeats_skipped", FIELD_U64, false,
	  FIELD(run_device, repeats_skipped) },
};

static const struct field info_fields[] = {
	{ "path", FIELD_STRING, true, FIELD(blkbench_info, path) },
	{ "resolved", FIELD_STRING, false, FIELD(blkbench_info, resolved) },
	{ "name", FIELD_STRING, false, FIELD(blkbench_info, name) },
	{ "size_bytes", FIELD_U64, true, FIELD(blkbench_info, size_bytes) },
	{ "parent", FIELD_STRING, false, FIELD(blkbench_info, parent) },
	{ "vendor", FIELD_STRING, false, FIELD(blkbench_info, vendor) },
	{ "model", FIELD_STRING, false, FIELD(blkbench_info, model) },
	{ "serial", FIELD_STRING, false, FIELD(blkbench_info, serial) },
	{ "firmware", FIELD_STRING, false, FIELD(blkbench_info, firmware) },
	{ "wwn", FIELD_STRING, false, FIELD(blkbench_info, wwn) },
	{ "transport", FIELD_STRING, false, FIELD(blkbench_info, transport) },
	{ "rotational", FIELD_ANSWER, false, FIELD(blkbench_info, rotational) },
	{ "read_only", FIELD_ANSWER, false, FIELD(blkbench_info, read_only) },
	{ "removable", FIELD_ANSWER, false, FIELD(blkbench_info, removable) },
};
/* clang-format on */

#define TOPOLOGY(member) FIELD(blkbench_topology, member)

/* clang-format off */
static const struct field topology_fields[] = {
	{ "logical_sector_bytes", FIELD_U64, true,
	  TOPOLOGY(logical_sector_bytes) },
	{ "physical_sector_bytes", FIELD_U64, false,
	  TOPOLOGY(physical_sector_bytes) },
	{ "io_min_bytes", FIELD_U64, false, TOPOLOGY(io_min_bytes) },
	{ "io_opt_bytes", FIELD_U64, false, TOPOLOGY(io_opt_bytes) },
	{ "io_opt_is_bogus", FIELD_BOOL, false, TOPOLOGY(io_opt_is_bogus) },
};

static const struct field content_fields[] = {
	{ "usage", FIELD_STRING, false, FIELD(blkbench_content, usage) },
	{ "type", FIELD_STRING, true, FIELD(blkbench_content, type) },
	{ "label", FIELD_STRING, false, FIELD(blkbench_content, label) },
};

static const struct field warning_fields[] = {
	{ "code", FIELD_WORD, true, FIELD(blkbench_warning, code) },
	{ "test", FIELD_WORD, false, FIELD(blkbench_warning, test) },
	{ "text", FIELD_TEXT, true, FIELD(blkbench_warning, text) },
};
/* clang-format on */

struct device_words {
	const char *kind, *devno, *status, *verdict, *text;
	uint64_t partition;
};

/* clang-format off */
static const struct field word_fields[] = {
	{ "kind", FIELD_WORD, false, FIELD(device_words, kind) },
	{ "devno", FIELD_STRING, false, FIELD(device_words, devno) },
	{ "status", FIELD_WORD, true, FIELD(device_words, status) },
	{ "partition", FIELD_U64, false, FIELD(device_words, partition) },
};

static const struct field alignment_fields[] = {
	{ "verdict", FIELD_WORD, true, FIELD(device_words, verdict) },
	{ "text", FIELD_STRING, true, FIELD(device_words, text) },
};
/* clang-format on */

static int read_warnings(const struct place *above, struct json_object *object,
			 struct blkbench_info *info,
			 struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = "warnings" };
	struct blkbench_warning *warnings;
	struct json_object *list;
	size_t count;
	int r;

	r = document_get_list(&place, object, WARNINGS_MAX, &list, &count,
			      error);
	if (r < 0)
		return r;
	warnings = calloc(count + 1, sizeof(*warnings));
	info->warnings = warnings;
	if (!warnings)
		return -ENOMEM;
	info->warnings_count = count;
	for (size_t i = 0; i < count && r == 0; i++) {
		const struct place item = { .above = &place, .index = i };

		r = document_get_fields(&item,
					json_object_array_get_idx(list, i),
					warning_fields, COUNT(warning_fields),
					&warnings[i], error);
	}
	return r;
}

/* What is one of a few words there, and a number here. */
static int read_words(const struct place *place, struct json_object *object,
		      struct blkbench_info *info, struct run_device *device,
		      struct blkbench_error *error)
{
	struct device_words words = { .verdict = "unknown", .text = "" };
	int kind = BLKBENCH_KIND_UNKNOWN, verdict, status, r;

	r = document_get_fields(place, object, word_fields, COUNT(word_fields),
				&words, error);
	if (r == 0)
		r = document_get_part(place, object, "alignment",
				      alignment_fields, COUNT(alignment_fields),
				      &words, error);
	if (r < 0)
		return r;
	if (words.kind)
		kind = words_find(&words_kind, words.kind);
	verdict = words_find(&words_alignment, words.verdict);
	status = words_find(&words_status, words.status);
	if (kind < 0 || verdict < 0 || status < 0)
		return document_refuse(
			place, error,
			"has a kind, verdict or status that is not "
			"known");
	info->kind = (enum blkbench_kind)kind;
	info->alignment.verdict = (enum blkbench_verdict)verdict;
	device->status = (enum run_status)status;
	if (words.partition < UINT32_MAX)
		info->partition = (unsigned int)words.partition;
	if (words.devno &&
	    sscanf(words.devno, "%u:%u", &info->major, &info->minor) != 2)
		return document_refuse(place, error,
				       "has a devno that is no pair");
	return document_copy_text(words.text, info->alignment.text,
				  sizeof(info->alignment.text));
}

static int read_info(const struct place *place, struct json_object *object,
		     struct blkbench_info *info, struct blkbench_error *error)
{
	const struct place size = { .above = place, .key = "topology" };
	int r;

	info->topology = (struct blkbench_topology){
		.logical_sector_bytes = 512,
		.physical_sector_bytes = BLKBENCH_UNKNOWN,
		.io_min_bytes = BLKBENCH_UNKNOWN,
		.io_opt_bytes = BLKBENCH_UNKNOWN,
		.dma_alignment_bytes = BLKBENCH_UNKNOWN,
		.max_request_bytes = BLKBENCH_UNKNOWN,
		.queue_requests = BLKBENCH_UNKNOWN,
		.alignment_offset_bytes = BLKBENCH_UNKNOWN_OFFSET,
		.start_bytes = BLKBENCH_UNKNOWN,
	};
	info->content.block_bytes = BLKBENCH_UNKNOWN;
	r = document_get_fields(place, object, info_fields, COUNT(info_fields),
				info, error);
	if (r == 0)
		r = document_get_part(place, object, "topology",
				      topology_fields, COUNT(topology_fields),
				      &info->topology, error);
	if (r == 0 && info->topology.logical_sector_bytes < 512)
		r = document_refuse(&size, error,
				    "has a logical sector below 512");
	if (r == 0)
		r = document_get_part(place, object, "content", content_fields,
				      COUNT(content_fields), &info->content,
				      error);
	if (r == 0)
		r = document_get_strings(place, object, "mounts", &info->mounts,
					 &info->mounts_count, error);
	if (r == 0)
		r = document_get_strings(place, object, "holders",
					 &info->holders, &info->holders_count,
					 error);
	return r == 0 ? read_warnings(place, object, info, error) : r;
}

/* One that could not be opened has no size, and nothing else to tell. */
static bool was_opened(struct json_object *object)
{
	struct json_object *size = NULL;

	json_object_object_get_ex(object, "size_bytes", &size);
	return size != NULL;
}

/* What the run made of its tests. */
static int read_judgement(const struct place *place, struct json_object *object,
			  struct run_device *device,
			  struct blkbench_error *error)
{
	const struct place at_check = { .above = place, .key = "check" };
	struct json_object *check = NULL;
	int r;

	r = results_read_spreads(place, object, device, error);
	if (r == 0)
		r = results_read_limits(place, object, device, error);
	json_object_object_get_ex(object, "check", &check);
	return r == 0 && check ? results_read_check(&at_check, check,
						    &device->check, error)
			       : r;
}

static int read_device(const struct place *place, struct json_object *object,
		       struct run_device *device, struct blkbench_error *error)
{
	struct blkbench_info *info;
	int r;

	r = document_get_fields(place, object, device_fields,
				COUNT(device_fields), device, error);
	if (r < 0)
		return r;
	info = calloc(1, sizeof(*info));
	if (!info)
		return -ENOMEM;
	device->info = info;
	r = read_words(place, object, info, device, error);
	if (r == 0 && was_opened(object)) {
		r = read_info(place, object, info, error);
	} else {
		device->info = NULL;
		free(info);
	}
	if (r == 0)
		r = read_tests(place, object, device, error);
	if (r == 0 && !device->info && device->entries_count)
		r = document_refuse(place, error,
				    "has tests, but no size_bytes");
	return r == 0 ? read_judgement(place, object, device, error) : r;
}

/* ---- the whole ---------------------------------------------------------- */

/* clang-format off */
static const struct field host_fields[] = {
	{ "hostname", FIELD_NAME, false, FIELD(host, hostname) },
	{ "kernel", FIELD_NAME, false, FIELD(host, kernel) },
	{ "machine", FIELD_NAME, false, FIELD(host, machine) },
	{ "cpus", FIELD_U64, false, FIELD(host, cpus) },
};

static const struct field results_fields[] = {
	{ "version", FIELD_STRING, true, FIELD(results, version) },
};
/* clang-format on */

/* Before anything else, as all else depends on it. */
static int check_schema(struct json_object *document,
			struct blkbench_error *error)
{
	const char *name;
	struct json_object *value = NULL;

	json_object_object_get_ex(document, "schema", &value);
	name = json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : NULL;
	if (name && !strcmp(name, "blkbench/1"))
		return 0;
	if (name && !strncmp(name, "blkbench/", strlen("blkbench/")))
		snprintf(error->text, sizeof(error->text),
			 "schema: is '%.40s'; this blkbench reads blkbench/1",
			 name);
	else
		snprintf(error->text, sizeof(error->text),
			 "not what blkbench --json prints: it has no schema "
			 "blkbench/1");
	return -EINVAL;
}

static int read_devices(struct json_object *document, struct results *results,
			struct blkbench_error *error)
{
	const struct place place = { .key = "devices" };
	struct json_object *list;
	size_t count;
	int r;

	r = document_get_list(&place, document, DEVICES_MAX, &list, &count,
			      error);
	if (r < 0)
		return r;
	if (!count)
		return document_refuse(&place, error, "has no device");
	results->devices = calloc(count, sizeof(*results->devices));
	if (!results->devices)
		return -ENOMEM;
	for (size_t i = 0; i < count && r == 0; i++) {
		const struct place item = { .above = &place, .index = i };

		/* One that fails has what is to be freed, too. */
		results->devices_count++;
		r = read_device(&item, json_object_array_get_idx(list, i),
				&results->devices[i], error);
	}
	return r;
}

static int read_results(struct json_object *document, struct results *results,
			struct blkbench_error *error)
{
	const struct place top = { .key = "" };
	int r;

	r = check_schema(document, error);
	if (r == 0)
		r = document_get_fields(&top, document, results_fields,
					COUNT(results_fields), results, error);
	if (r == 0)
		r = document_get_part(&top, document, "host", host_fields,
				      COUNT(host_fields), &results->host,
				      error);
	if (r == 0)
		r = read_devices(document, results, error);
	if (r == -ENOMEM)
		snprintf(error->text, sizeof(error->text), "out of memory");
	return r;
}

int results_read(const char *path, struct results *results,
		 struct blkbench_error *error)
{
	struct json_object *document = NULL;
	int r;

	*results = (struct results){ .path = path };
	r = document_read(path, &document, error);
	if (r < 0)
		return r;
	results->document = document;
	return read_results(document, results, error);
}

int results_parse(const char *text, size_t length, struct results *results,
		  struct blkbench_error *error)
{
	struct json_object *document = NULL;
	int r;

	*results = (struct results){ .path = "" };
	r = document_parse(text, length, &document, error);
	if (r < 0)
		return r;
	results->document = document;
	return read_results(document, results, error);
}

static void finish_device(struct run_device *device)
{
	const struct blkbench_info *info = device->info;

	for (size_t i = 0; i < device->steps_count; i++)
		free((void *)device->steps[i].test);
	for (size_t i = 0; i < device->entries_count; i++)
		blkbench_result_finish(&device->entries[i].result);
	free(device->limits);
	check_finish(&device->check);
	free(device->steps);
	free(device->entries);
	if (!info)
		return;
	free((void *)info->mounts);
	free((void *)info->holders);
	free((void *)info->warnings);
	free((void *)info);
}

void results_finish(struct results *results)
{
	for (size_t i = 0; i < results->devices_count; i++)
		finish_device(&results->devices[i]);
	free(results->devices);
	json_object_put(results->document);
	*results = (struct results){ .path = NULL };
}
