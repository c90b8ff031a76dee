/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "figure.h"
#include "host.h"
#include "limit.h"
#include "report.h"
#include "results.h"
#include "text.h"
#include "words.h"

/*
 * One document, printed at the end: doc/output.md has its keys. What is not
 * known is null. json-c takes no notice of the locale as long as the program
 * never calls setlocale().
 */

/* ---- values ------------------------------------------------------------ */

static void put(struct json_object *object, const char *key,
		struct json_object *value)
{
	json_object_object_add(object, key, value);
}

/* NULL also where it is null. */
static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

static struct json_object *string_or_null(const char *text)
{
	char *clean = text_clean(text);
	struct json_object *value = NULL;

	if (clean)
		value = json_object_new_string(clean);
	free(clean);
	return value;
}

static void put_string(struct json_object *object, const char *key,
		       const char *text)
{
	put(object, key, string_or_null(text));
}

static void put_u64(struct json_object *object, const char *key, uint64_t value)
{
	put(object, key,
	    value == BLKBENCH_UNKNOWN ? NULL : json_object_new_uint64(value));
}

static void put_bool(struct json_object *object, const char *key, bool value)
{
	put(object, key, json_object_new_boolean(value));
}

/* 12 figures are more than any clock here is good for. */
static void put_double(struct json_object *object, const char *key,
		       double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.12g", value);
	put(object, key,
	    isfinite(value) ? json_object_new_double_s(value, text) : NULL);
}

static void put_answer(struct json_object *object, const char *key,
		       enum blkbench_answer answer)
{
	put(object, key,
	    answer == BLKBENCH_NOT_KNOWN
		    ? NULL
		    : json_object_new_boolean(answer == BLKBENCH_YES));
}

static void put_strings(struct json_object *object, const char *key,
			size_t count, const char *const *list)
{
	struct json_object *array = list ? json_object_new_array() : NULL;
	size_t i;

	for (i = 0; i < count; i++)
		json_object_array_add(array, string_or_null(list[i]));
	put(object, key, array);
}

/* The same keys as those of another object, which is freed. */
static void put_nulls(struct json_object *object, struct json_object *other)
{
	struct json_object_iterator i = json_object_iter_begin(other);
	struct json_object_iterator end = json_object_iter_end(other);

	for (; !json_object_iter_equal(&i, &end); json_object_iter_next(&i))
		put(object, json_object_iter_peek_name(&i), NULL);
	json_object_put(other);
}

/* ---- the device -------------------------------------------------------- */

static struct json_object *
json_topology(const struct blkbench_topology *topology)
{
	struct json_object *object = json_object_new_object();

	put_u64(object, "logical_sector_bytes", topology->logical_sector_bytes);
	put_u64(object, "physical_sector_bytes",
		topology->physical_sector_bytes);
	put_u64(object, "io_min_bytes", topology->io_min_bytes);
	put_u64(object, "io_opt_bytes", topology->io_opt_bytes);
	put_bool(object, "io_opt_is_bogus", topology->io_opt_is_bogus);
	put(object, "alignment_offset_bytes",
	    topology->alignment_offset_bytes == BLKBENCH_UNKNOWN_OFFSET
		    ? NULL
		    : json_object_new_int64(topology->alignment_offset_bytes));
	put_u64(object, "start_bytes", topology->start_bytes);
	put_u64(object, "dma_alignment_bytes", topology->dma_alignment_bytes);
	put_u64(object, "max_request_bytes", topology->max_request_bytes);
	put_u64(object, "queue_requests", topology->queue_requests);
	return object;
}

/* A file has no number. */
static void put_devno(struct json_object *object, unsigned int major,
		      unsigned int minor)
{
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", major, minor);
	put_string(object, "devno", major || minor ? text : NULL);
}

static struct json_object *json_finding(const struct blkbench_finding *finding)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "layer", finding->layer);
	put_string(object, "boundary", finding->boundary);
	put_u64(object, "boundary_bytes", finding->boundary_bytes);
	put_u64(object, "remainder_bytes", finding->remainder_bytes);
	put_u64(object, "next_start_bytes", finding->next_start_bytes);
	put_u64(object, "device_bytes", finding->device_bytes);
	put_u64(object, "places", finding->places);
	put_bool(object, "declared", finding->is_declared);
	put_string(object, "text", finding->text);
	return object;
}

static struct json_object *
json_alignment(const struct blkbench_alignment *alignment)
{
	struct json_object *object = json_object_new_object();
	struct json_object *findings = json_object_new_array();
	size_t i;

	put_string(object, "verdict",
		   words_get(&words_alignment, alignment->verdict));
	for (i = 0; i < alignment->findings_count; i++)
		json_object_array_add(findings,
				      json_finding(&alignment->findings[i]));
	put(object, "findings", findings);
	put_string(object, "text", alignment->text);
	return object;
}

static struct json_object *json_leg(const struct blkbench_leg *leg)
{
	struct json_object *object = json_object_new_object();

	put_u64(object, "layer",
		leg->layer == BLKBENCH_NO_LAYER ? BLKBENCH_UNKNOWN
						: leg->layer);
	put_u64(object, "offset_bytes", leg->offset_bytes);
	put_u64(object, "multiple_bytes", leg->multiple_bytes);
	return object;
}

static struct json_object *json_segment(const struct blkbench_segment *segment)
{
	struct json_object *object = json_object_new_object();
	struct json_object *legs = json_object_new_array();
	size_t i;

	put_string(object, "kind", segment->kind);
	put_u64(object, "start_bytes", segment->start_bytes);
	put_u64(object, "length_bytes", segment->length_bytes);
	put_u64(object, "chunk_bytes", segment->chunk_bytes);
	put_u64(object, "full_stripe_bytes", segment->full_stripe_bytes);
	put_u64(object, "data_members",
		segment->data_members ? segment->data_members
				      : BLKBENCH_UNKNOWN);
	for (i = 0; i < segment->legs_count; i++)
		json_object_array_add(legs, json_leg(&segment->legs[i]));
	put(object, "legs", legs);
	return object;
}

/* Where on the layer the device lies, in bytes and in percent of it. */
static struct json_object *json_place(const struct blkbench_layer *layer)
{
	struct json_object *object;
	double size = layer->size_bytes && layer->size_bytes != BLKBENCH_UNKNOWN
			      ? (double)layer->size_bytes
			      : NAN;

	if (layer->begin_bytes == BLKBENCH_UNKNOWN)
		return NULL;
	object = json_object_new_object();
	put_u64(object, "begin_bytes", layer->begin_bytes);
	put_u64(object, "end_bytes", layer->end_bytes);
	put_double(object, "begin_percent",
		   100.0 * (double)layer->begin_bytes / size);
	put_double(object, "end_percent",
		   100.0 * (double)layer->end_bytes / size);
	return object;
}

static struct json_object *json_layer(const struct blkbench_layer *layer)
{
	struct json_object *object = json_object_new_object();
	struct json_object *segments = json_object_new_array();
	size_t i;

	put_string(object, "name", layer->name);
	put_string(object, "title", layer->title);
	put_string(object, "kind", layer->kind);
	put_devno(object, layer->major, layer->minor);
	put_u64(object, "size_bytes", layer->size_bytes);
	put(object, "topology", json_topology(&layer->topology));
	put(object, "place", json_place(layer));
	for (i = 0; i < layer->segments_count; i++)
		json_object_array_add(segments,
				      json_segment(&layer->segments[i]));
	put(object, "segments", segments);
	return object;
}

static struct json_object *json_stack(const struct blkbench_info *info)
{
	struct json_object *array;
	size_t i;

	if (!info->layers)
		return NULL;
	array = json_object_new_array();
	for (i = 0; i < info->layers_count; i++)
		json_object_array_add(array, json_layer(&info->layers[i]));
	return array;
}

static struct json_object *json_content(const struct blkbench_content *content)
{
	struct json_object *object;

	if (!content->type)
		return NULL;
	object = json_object_new_object();
	put_string(object, "usage", content->usage);
	put_string(object, "type", content->type);
	put_string(object, "label", content->label);
	put_string(object, "uuid", content->uuid);
	return object;
}

static void put_identity(struct json_object *object,
			 const struct blkbench_info *info)
{
	put_string(object, "resolved", info->resolved);
	put_devno(object, info->major, info->minor);
	put_string(object, "kind", words_get(&words_kind, info->kind));
	put_string(object, "name", info->name);
	put_u64(object, "size_bytes", info->size_bytes);
	put_string(object, "parent", info->parent);
	put_u64(object, "partition",
		info->partition ? info->partition : BLKBENCH_UNKNOWN);
	put_string(object, "vendor", info->vendor);
	put_string(object, "model", info->model);
	put_string(object, "serial", info->serial);
	put_string(object, "firmware", info->firmware);
	put_string(object, "wwn", info->wwn);
	put_string(object, "transport", info->transport);
	put_answer(object, "rotational", info->rotational);
	put_answer(object, "read_only", info->read_only);
	put_answer(object, "removable", info->removable);
	put_bool(object, "direct_works", info->direct_works);
}

static void put_info(struct json_object *object,
		     const struct blkbench_info *info)
{
	put_identity(object, info);
	put(object, "topology", json_topology(&info->topology));
	put(object, "alignment", json_alignment(&info->alignment));
	put(object, "stack", json_stack(info));
	put(object, "content", json_content(&info->content));
	put_strings(object, "mounts", info->mounts_count, info->mounts);
	put_strings(object, "holders", info->holders_count, info->holders);
}

/* A device that could not be opened has the same keys. */
static void put_no_info(struct json_object *object)
{
	static const struct blkbench_info empty;
	struct json_object *keys = json_object_new_object();

	put_info(keys, &empty);
	put_nulls(object, keys);
}

/* ---- a test ------------------------------------------------------------ */

static struct json_object *json_latency(const struct blkbench_latency *latency)
{
	struct json_object *object = json_object_new_object();

	put_u64(object, "min", latency->min_ns);
	put_u64(object, "mean", latency->mean_ns);
	put_u64(object, "p50", latency->p50_ns);
	put_u64(object, "p90", latency->p90_ns);
	put_u64(object, "p99", latency->p99_ns);
	put_u64(object, "p99_9", latency->p99_9_ns);
	put_u64(object, "max", latency->max_ns);
	return object;
}

static struct json_object *json_slowest(const struct blkbench_result *result)
{
	struct json_object *array = json_object_new_array();
	struct json_object *read;
	size_t i;

	for (i = 0; i < result->slowest_count; i++) {
		read = json_object_new_object();
		put_u64(read, "offset_bytes", result->slowest[i].offset_bytes);
		put_u64(read, "latency_ns", result->slowest[i].latency_ns);
		json_object_array_add(array, read);
	}
	return array;
}

static struct json_object *json_slices(const struct blkbench_result *result)
{
	struct json_object *array = json_object_new_array();
	struct json_object *slice;
	size_t i;

	for (i = 0; i < result->slices_count; i++) {
		slice = json_object_new_object();
		put_u64(slice, "elapsed_ns", result->slices[i].elapsed_ns);
		put_u64(slice, "requests", result->slices[i].requests);
		put_u64(slice, "bytes", result->slices[i].bytes);
		put_u64(slice, "latency_sum_ns", result->slices[i].latency_ns);
		json_object_array_add(array, slice);
	}
	return array;
}

/* Only the buckets that hold something: where each begins, and its count. */
static struct json_object *json_histogram(const struct blkbench_result *result)
{
	struct json_object *array = json_object_new_array();
	struct json_object *bucket;
	size_t i;

	for (i = 0; result->histogram && i < BLKBENCH_HISTOGRAM_BUCKETS; i++) {
		if (!result->histogram[i])
			continue;
		bucket = json_object_new_array();
		json_object_array_add(
			bucket,
			json_object_new_uint64(blkbench_histogram_bound(i)));
		json_object_array_add(
			bucket, json_object_new_uint64(result->histogram[i]));
		json_object_array_add(array, bucket);
	}
	return array;
}

/* What a failed read and a bad range have alike. */
static struct json_object *json_bad_place(uint64_t offset, uint64_t length,
					  int error, uint64_t reads)
{
	struct json_object *object = json_object_new_object();

	put_u64(object, "offset_bytes", offset);
	put_u64(object, "length_bytes", length);
	put_u64(object, "errno", error);
	put_string(object, "text", blkbench_read_error_text(error));
	put_u64(object, "reads", reads);
	return object;
}

static struct json_object *
json_read_errors(const struct blkbench_result *result)
{
	struct json_object *array = json_object_new_array();
	const struct blkbench_read_error *error;
	struct json_object *object;
	size_t i;

	for (i = 0; i < result->errors_listed; i++) {
		error = &result->error_list[i];
		object = json_bad_place(error->offset_bytes,
					error->length_bytes, error->error,
					error->reads);
		put_string(object, "reread",
			   words_get(&words_reread, error->reread));
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_bad_list(const struct blkbench_result *result)
{
	struct json_object *array = json_object_new_array();
	const struct blkbench_bad_range *bad;
	struct json_object *object;
	size_t i;

	for (i = 0; i < result->bad_count; i++) {
		bad = &result->bad_list[i];
		object = json_bad_place(bad->offset_bytes, bad->length_bytes,
					bad->error, bad->reads);
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_stalled(const struct blkbench_result *result)
{
	struct json_object *object;

	if (!result->stalled)
		return NULL;
	object = json_object_new_object();
	put_u64(object, "requests", result->stalled);
	put_u64(object, "age_ns", result->stalled_ns);
	put_u64(object, "offset_bytes", result->stalled_offset_bytes);
	return object;
}

static struct json_object *json_tail(const struct blkbench_result *result)
{
	struct json_object *object;

	if (!result->tail_requests)
		return NULL;
	object = json_object_new_object();
	put_u64(object, "requests", result->tail_requests);
	put_u64(object, "bytes", result->tail_bytes);
	put_u64(object, "elapsed_ns", result->tail_ns);
	return object;
}

static struct json_object *json_lost(const struct blkbench_result *result)
{
	struct json_object *object;

	if (!result->loss)
		return NULL;
	object = json_object_new_object();
	put_string(object, "what", words_get(&words_loss, result->loss));
	put_string(object, "layer", result->lost_layer);
	return object;
}

static void put_plan(struct json_object *object,
		     const struct blkbench_plan *plan)
{
	put_string(object, "pattern", words_get(&words_pattern, plan->pattern));
	put_bool(object, "direct", plan->is_direct);
	put_bool(object, "idle", plan->is_idle);
	put_u64(object, "block_bytes", plan->block_bytes);
	put_u64(object, "queue_depth", plan->queue_depth);
	put_u64(object, "offset_bytes", plan->offset_bytes);
	put_u64(object, "length_bytes", plan->length_bytes);
	put_u64(object, "runtime_ns", plan->runtime_ns);
	put_double(object, "precision_percent", plan->precision_percent);
	put_u64(object, "seed",
		plan->pattern == BLKBENCH_PATTERN_RANDOM ? plan->seed
							 : BLKBENCH_UNKNOWN);
}

static bool has_zones(const struct blkbench_result *result)
{
	return result->plan.pattern == BLKBENCH_PATTERN_PLACES;
}

static struct json_object *json_zones(const struct blkbench_result *result)
{
	const struct blkbench_zone *zone;
	struct json_object *array, *object;
	size_t i;

	if (!has_zones(result))
		return NULL;
	array = json_object_new_array();
	for (i = 0; i < result->zones_count; i++) {
		zone = &result->zones[i];
		object = json_object_new_object();
		put_u64(object, "offset_bytes", zone->offset_bytes);
		put_u64(object, "length_bytes", zone->length_bytes);
		put_double(object, "rate_bytes_per_s", zone->rate_bytes_per_s);
		put_u64(object, "errors", zone->errors);
		put_string(object, "text",
			   zone->errors ? blkbench_read_error_text(zone->error)
					: NULL);
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *json_curve(const struct blkbench_result *result)
{
	const struct blkbench_curve *curve = &result->curve;
	struct json_object *object;

	if (!has_zones(result))
		return NULL;
	object = json_object_new_object();
	put_double(object, "min_rate_bytes_per_s", curve->min_rate_bytes_per_s);
	put_u64(object, "min_offset_bytes", curve->min_offset_bytes);
	put_double(object, "mean_rate_bytes_per_s",
		   curve->mean_rate_bytes_per_s);
	put_double(object, "max_rate_bytes_per_s", curve->max_rate_bytes_per_s);
	put_u64(object, "max_offset_bytes", curve->max_offset_bytes);
	return object;
}

static struct json_object *json_slow_spots(const struct blkbench_result *result)
{
	const struct blkbench_slow_spot *spot;
	struct json_object *array, *object;
	size_t i;

	if (!has_zones(result))
		return NULL;
	array = json_object_new_array();
	for (i = 0; i < result->slow_spots_count; i++) {
		spot = &result->slow_spots[i];
		object = json_object_new_object();
		put_u64(object, "offset_bytes", spot->offset_bytes);
		put_u64(object, "length_bytes", spot->length_bytes);
		put_double(object, "rate_bytes_per_s", spot->rate_bytes_per_s);
		put_double(object, "expected_bytes_per_s",
			   spot->expected_bytes_per_s);
		json_object_array_add(array, object);
	}
	return array;
}

static void put_result(struct json_object *object,
		       const struct blkbench_result *result)
{
	put_string(object, "engine", result->engine);
	put_plan(object, &result->plan);
	put_u64(object, "warmup_ns", result->warmup_ns);
	put_u64(object, "elapsed_ns", result->elapsed_ns);
	put_u64(object, "requests", result->requests);
	put_u64(object, "bytes", result->bytes);
	put(object, "tail", json_tail(result));
	put_u64(object, "passes", result->passes);
	put_u64(object, "first_pass_ns", result->first_pass_ns);
	put_u64(object, "errors", result->errors);
	put_u64(object, "short_reads", result->short_reads);
	put_u64(object, "retries", result->retries);
	put_u64(object, "punted", result->punted);
	put_double(object, "rate_bytes_per_s", result->rate_bytes_per_s);
	put_double(object, "rate_ci95_percent", result->rate_ci95_percent);
	put_double(object, "rate_spread_percent", result->rate_spread_percent);
	put_double(object, "seeks_per_s", result->seeks_per_s);
	put_double(object, "access_ms", result->access_ms);
	put_double(object, "access_ci95_percent", result->access_ci95_percent);
	put_double(object, "cached_rate_bytes_per_s",
		   result->cached_rate_bytes_per_s);
	put_double(object, "hit_percent", result->hit_percent);
	put_double(object, "hit_access_ms", result->hit_access_ms);
	put_double(object, "miss_access_ms", result->miss_access_ms);
	put(object, "latency_ns", json_latency(&result->latency));
	put(object, "slowest", json_slowest(result));
	put_double(object, "cpu_percent", result->cpu_percent);
	put_double(object, "cpu_pressure_percent",
		   result->cpu_pressure_percent);
	put_u64(object, "other_read_bytes", result->other_read_bytes);
	put_u64(object, "other_written_bytes", result->other_written_bytes);
	put_double(object, "zero_percent", result->zero_percent);
	put_double(object, "overhead_ns", result->overhead_ns);
	put_bool(object, "partial", result->is_partial);
	put(object, "stalled", json_stalled(result));
	put_u64(object, "failing_since_ns", result->failing_since_ns);
	put(object, "lost", json_lost(result));
	put(object, "error_list", json_read_errors(result));
	put(object, "bad_list", json_bad_list(result));
	put(object, "slices", json_slices(result));
	put(object, "histogram", json_histogram(result));
	put(object, "zones", json_zones(result));
	put(object, "curve", json_curve(result));
	put(object, "slow_spots", json_slow_spots(result));
}

/* A test that did not run has the same keys. */
static void put_no_result(struct json_object *object)
{
	static const struct blkbench_result empty;
	struct json_object *keys = json_object_new_object();

	put_result(keys, &empty);
	put_nulls(object, keys);
}

static struct json_object *json_entry(const struct run_entry *entry)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "test", entry->step->test->name);
	put_u64(object, "repeat", entry->repeat);
	put_string(object, "skipped",
		   entry->is_measured ? NULL : entry->reason);
	if (entry->is_measured)
		put_result(object, &entry->result);
	else
		put_no_result(object);
	return object;
}

/* ---- the repeats ------------------------------------------------------- */

static struct json_object *json_spread(const struct run_device *device,
				       const struct run_step *step, size_t plan)
{
	static const char *const directions[] = {
		[BLKBENCH_DIRECTION_UNKNOWN] = NULL,
		[BLKBENCH_STEADY] = "steady",
		[BLKBENCH_RISING] = "rising",
		[BLKBENCH_FALLING] = "falling",
	};
	struct json_object *object;
	struct blkbench_spread spread;
	struct blkbench_trend trend;
	size_t count;

	if (figure_summarise(device, step, plan, &spread, &count) < 0 ||
	    figure_find_trend(device, step, plan, &trend) < 0)
		return NULL;
	object = json_object_new_object();
	put_string(object, "test", step->test->name);
	put_bool(object, "direct", step->plans[plan].is_direct);
	put_u64(object, "queue_depth", step->plans[plan].queue_depth);
	put_string(object, "figure", figure_of_plan(&step->plans[plan])->key);
	put_u64(object, "repeats", count);
	put_double(object, "main",
		   figure_main(figure_of_plan(&step->plans[plan]), device, step,
			       plan, &spread));
	put_double(object, "median", spread.median);
	put_double(object, "min", spread.min);
	put_double(object, "max", spread.max);
	put_double(object, "spread_percent", spread.percent);
	put_string(object, "trend", directions[trend.direction]);
	put_double(object, "trend_from", trend.from);
	put_double(object, "trend_to", trend.to);
	return object;
}

static struct json_object *json_spreads(const struct run_device *device)
{
	struct json_object *array = json_object_new_array();
	size_t i, plan;

	for (i = 0; i < device->steps_count; i++)
		for (plan = 0; plan < device->steps[i].plans_count; plan++)
			json_object_array_add(
				array,
				json_spread(device, &device->steps[i], plan));
	return array;
}

/* ---- the check ---------------------------------------------------------- */

static void put_temperature(struct json_object *object, const char *key,
			    int64_t temperature)
{
	put_double(object, key,
		   temperature == BLKBENCH_UNKNOWN_TEMPERATURE
			   ? NAN
			   : (double)temperature / 1000.0);
}

static struct json_object *json_smart(const struct blkbench_smart *smart)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "answer", words_get(&words_smart, smart->answer));
	put_string(object, "text", *smart->text ? smart->text : NULL);
	put_answer(object, "passed", smart->passed);
	put_u64(object, "power_on_hours", smart->power_on_hours);
	put_temperature(object, "temperature_celsius", smart->temperature);
	put_u64(object, "error_log_entries", smart->error_log_entries);
	put_u64(object, "reallocated_sectors", smart->reallocated_sectors);
	put_u64(object, "reported_uncorrectable",
		smart->reported_uncorrectable);
	put_u64(object, "command_timeouts", smart->command_timeouts);
	put_u64(object, "pending_sectors", smart->pending_sectors);
	put_u64(object, "offline_uncorrectable", smart->offline_uncorrectable);
	put_u64(object, "crc_errors", smart->crc_errors);
	put_u64(object, "failing_attribute", smart->failing_attribute);
	put_u64(object, "failed_attribute", smart->failed_attribute);
	put_u64(object, "critical_warning", smart->critical_warning);
	put_u64(object, "media_errors", smart->media_errors);
	put_u64(object, "percentage_used", smart->percentage_used);
	put_u64(object, "available_spare_percent",
		smart->available_spare_percent);
	put_u64(object, "spare_threshold_percent",
		smart->spare_threshold_percent);
	put_u64(object, "grown_defects", smart->grown_defects);
	put_u64(object, "uncorrected_errors", smart->uncorrected_errors);
	return object;
}

static struct json_object *
json_layer_health(const struct blkbench_layer_health *health)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "layer", health->layer);
	put_bool(object, "disk", health->is_disk);
	put_string(object, "state", *health->state ? health->state : NULL);
	put_answer(object, "suspended", health->suspended);
	put_answer(object, "read_only", health->read_only);
	put_u64(object, "failed_commands", health->failed_commands);
	put_u64(object, "timeouts", health->timeouts);
	put_temperature(object, "temperature_celsius", health->temperature);
	put_temperature(object, "temperature_max_celsius",
			health->temperature_max);
	put_temperature(object, "temperature_critical_celsius",
			health->temperature_critical);
	put_bool(object, "multipath", health->is_multipath);
	put_u64(object, "members", health->members);
	put_u64(object, "lost_members", health->lost_members);
	put_u64(object, "corrected_errors", health->corrected_errors);
	put_u64(object, "bad_sectors", health->bad_sectors);
	put_u64(object, "mismatch_sectors", health->mismatch_sectors);
	put(object, "smart", json_smart(&health->smart));
	return object;
}

static struct json_object *json_reason(const struct blkbench_reason *reason)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "condition",
		   blkbench_condition_name(reason->condition));
	put_string(object, "code", reason->code);
	put_string(object, "layer", reason->layer);
	put_string(object, "text", reason->text);
	return object;
}

static struct json_object *json_check(const struct run_check *check)
{
	const struct blkbench_diagnosis *diagnosis = &check->diagnosis;
	struct json_object *object, *reasons, *layers;
	size_t i;

	if (!check->is_done)
		return NULL;
	object = json_object_new_object();
	reasons = json_object_new_array();
	layers = json_object_new_array();
	for (i = 0; i < diagnosis->reasons_count; i++)
		json_object_array_add(reasons,
				      json_reason(&diagnosis->reasons[i]));
	for (i = 0; i < check->after.layers_count; i++)
		json_object_array_add(
			layers, json_layer_health(&check->after.layers[i]));
	put_string(object, "verdict",
		   blkbench_condition_name(diagnosis->condition));
	put(object, "reasons", reasons);
	put(object, "health", layers);
	return object;
}

/* ---- the document ------------------------------------------------------ */

static struct json_object *json_host(void)
{
	struct json_object *object = json_object_new_object();
	struct host host;

	host_get(&host);
	put_string(object, "hostname", *host.hostname ? host.hostname : NULL);
	put_string(object, "kernel", *host.kernel ? host.kernel : NULL);
	put_string(object, "machine", *host.machine ? host.machine : NULL);
	put_u64(object, "cpus", host.cpus);
	return object;
}

static int json_begin(struct report *report)
{
	struct json_object *document;

	/* What was read is handed on, whatever it is that is in it. */
	if (report->input) {
		report->state = json_object_get(report->input->document);
		return 0;
	}
	document = json_object_new_object();
	if (!document)
		return -ENOMEM;
	put_string(document, "schema", "blkbench/1");
	put_string(document, "version", blkbench_version());
	put(document, "host", json_host());
	put(document, "devices", json_object_new_array());
	put(document, "comparison", NULL);
	put(document, "parallel", NULL);
	report->state = document;
	return 0;
}

static struct json_object *json_warning(const struct blkbench_warning *warning)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "code", warning->code);
	put_string(object, "text", warning->text);
	put_string(object, "test", warning->test);
	return object;
}

static struct json_object *json_warnings(const struct run_device *device)
{
	struct json_object *array = json_object_new_array();
	const struct blkbench_warning *warning;
	size_t position = 0;

	while ((warning = run_device_next_warning(device, &position)))
		json_object_array_add(array, json_warning(warning));
	return array;
}

static struct json_object *json_limit(const struct run_limit *limit)
{
	const struct run_step *step = limit->step;
	struct json_object *object = json_object_new_object();

	put_string(object, "limit", limits_key(limit));
	put_string(object, "test", step ? step->test->name : NULL);
	put_u64(object, "queue_depth",
		step ? step->plans[limit->plan].queue_depth : BLKBENCH_UNKNOWN);
	put_string(object, "figure", limit->figure ? limit->figure->key : NULL);
	put_double(object, "asked", limit->asked);
	put_double(object, "measured", limit->value);
	put_answer(object, "met", limit->is_met);
	return object;
}

static struct json_object *json_limits(const struct run_device *device)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < device->limits_count; i++)
		json_object_array_add(array, json_limit(&device->limits[i]));
	return array;
}

static struct json_object *json_entries(const struct run_device *device)
{
	struct json_object *array = json_object_new_array();
	size_t i;

	for (i = 0; i < device->entries_count; i++)
		json_object_array_add(array, json_entry(&device->entries[i]));
	return array;
}

static void json_device_end(struct report *report,
			    const struct run_device *device)
{
	struct json_object *object, *devices;

	if (report->input)
		return;
	object = json_object_new_object();
	put_string(object, "path", device->path);
	if (device->info)
		put_info(object, device->info);
	else
		put_no_info(object);
	put_u64(object, "seed", device->seed);
	put(object, "tests", json_entries(device));
	put_u64(object, "repeats_skipped", device->repeats_skipped);
	put(object, "spreads", json_spreads(device));
	put(object, "limits", json_limits(device));
	put(object, "check", json_check(&device->check));
	put(object, "warnings", json_warnings(device));
	put_string(object, "status", words_get(&words_status, device->status));
	put_string(object, "message",
		   device->message[0] ? device->message : NULL);

	json_object_object_get_ex(report->state, "devices", &devices);
	json_object_array_add(devices, object);
}

/* ---- the comparison ---------------------------------------------------- */

static struct json_object *json_pair(const struct pair *pair)
{
	const struct blkbench_comparison *comparison = &pair->comparison;
	const bool is_baseline = pair->is_baseline;
	struct json_object *object = json_object_new_object();

	put_string(object, "against", is_baseline ? "baseline" : "device");
	put_string(object, "test", pair->test);
	put_bool(object, "direct", pair->plan->is_direct);
	put_u64(object, "queue_depth", pair->plan->queue_depth);
	put_u64(object, "repeat",
		is_baseline ? BLKBENCH_UNKNOWN : pair->repeat);
	put_string(object, "a", pair->a);
	put_string(object, "b", pair->b);
	put_string(object, "figure", figure_of_speed(pair->plan)->key);
	put_double(object, "a_figure", pair->a_figure);
	put_double(object, "b_figure", pair->b_figure);
	put_u64(object, "slices",
		is_baseline ? BLKBENCH_UNKNOWN : comparison->pairs);
	put_double(object, "ratio", comparison->ratio);
	put_double(object, "ratio_low", comparison->ratio_low);
	put_double(object, "ratio_high", comparison->ratio_high);
	put_string(object, "verdict",
		   blkbench_outcome_name(comparison->verdict));
	put_double(object, "seconds_needed", comparison->seconds_needed);
	put_bool(object, "partial", pair->is_partial);
	return object;
}

static struct json_object *json_odd_one(const struct odd_one *odd)
{
	const struct blkbench_plan *plan = odd->pair->plan;
	struct json_object *object = json_object_new_object();

	put_string(object, "test", odd->pair->test);
	put_bool(object, "direct", plan->is_direct);
	put_u64(object, "queue_depth", plan->queue_depth);
	put_u64(object, "repeat", odd->pair->repeat);
	put_string(object, "path", odd->path);
	put_string(object, "figure", figure_of_speed(plan)->key);
	put_double(object, "value", odd->figure);
	put_double(object, "score", odd->score);
	put_u64(object, "among", odd->among);
	return object;
}

static struct json_object *json_odd_ones(const struct pairs *pairs)
{
	struct json_object *array = NULL;
	struct odd_one *list;
	size_t count;

	if (pairs_find_odd(pairs, &list, &count) == 0) {
		array = json_object_new_array();
		for (size_t i = 0; i < count; i++)
			json_object_array_add(array, json_odd_one(&list[i]));
	}
	free(list);
	return array;
}

static struct json_object *
json_unmatched(const struct baseline_unmatched *unmatched)
{
	struct json_object *object = json_object_new_object();

	put_string(object, "side", unmatched->is_then ? "a" : "b");
	put_string(object, "path", unmatched->path);
	put_string(object, "test", unmatched->test);
	put_string(object, "text", unmatched->text);
	return object;
}

static struct json_object *json_source(const struct results *results)
{
	struct json_object *object = json_object_new_object();
	const struct host *host = &results->host;

	put_string(object, "file", results->path);
	put_string(object, "version", results->version);
	put_string(object, "hostname", *host->hostname ? host->hostname : NULL);
	put_string(object, "kernel", *host->kernel ? host->kernel : NULL);
	return object;
}

static void put_pairs(struct json_object *comparison, const struct pairs *pairs)
{
	struct json_object *array = get(comparison, "pairs");
	struct json_object *warnings = get(comparison, "warnings");
	size_t i;

	for (i = 0; i < pairs->count; i++)
		json_object_array_add(array, json_pair(&pairs->list[i]));
	for (i = 0; i < pairs->warnings_count; i++)
		json_object_array_add(warnings,
				      json_warning(&pairs->warnings[i]));
}

/* One for both kinds; that of an input is replaced. */
static struct json_object *json_comparison(struct report *report,
					   const struct pairs *pairs)
{
	struct json_object *object = get(report->state, "comparison");

	if (object && !report->input)
		return object;
	object = json_object_new_object();
	put_double(object, "equal_percent", pairs->equal_percent);
	put(object, "pairs", json_object_new_array());
	put(object, "odd", json_object_new_array());
	put(object, "baseline", NULL);
	put(object, "unmatched", json_object_new_array());
	put(object, "warnings", json_object_new_array());
	put(report->state, "comparison", object);
	return object;
}

static void json_pairs(struct report *report, const struct pairs *pairs)
{
	struct json_object *object = json_comparison(report, pairs);

	put_pairs(object, pairs);
	put(object, "odd", json_odd_ones(pairs));
}

static void json_baseline(struct report *report,
			  const struct baseline *baseline)
{
	struct json_object *object = json_comparison(report, &baseline->pairs);
	struct json_object *unmatched = get(object, "unmatched");
	size_t i;

	put_pairs(object, &baseline->pairs);
	put(object, "baseline", json_source(baseline->results));
	for (i = 0; i < baseline->unmatched_count; i++)
		json_object_array_add(unmatched,
				      json_unmatched(&baseline->unmatched[i]));
}

static void put_share(struct json_object *object,
		      const struct blkbench_share *share, bool is_partial)
{
	put_double(object, "alone_figure", share->alone);
	put_double(object, "together_figure", share->together);
	put_u64(object, "slices", share->slices);
	put_double(object, "share_percent", share->percent);
	put_double(object, "share_low_percent", share->percent_low);
	put_double(object, "share_high_percent", share->percent_high);
	put_string(object, "verdict", blkbench_limit_name(share->verdict));
	put_bool(object, "partial", is_partial);
}

static struct json_object *json_joint(const struct joint *joint)
{
	struct json_object *object = json_object_new_object();
	struct json_object *devices = json_object_new_array();
	struct json_object *total = json_object_new_object();

	put_string(object, "test", joint->test);
	put_bool(object, "direct", joint->plan->is_direct);
	put_u64(object, "queue_depth", joint->plan->queue_depth);
	put_u64(object, "repeat", joint->repeat);
	put_string(object, "figure", figure_of_speed(joint->plan)->key);
	put_double(object, "equal_percent", joint->equal_percent);
	for (size_t i = 0; i < joint->devices_count; i++) {
		const struct joint_device *device = &joint->devices[i];
		struct json_object *row = json_object_new_object();

		put_string(row, "path", device->path);
		put_share(row, &device->share, device->is_partial);
		json_object_array_add(devices, row);
	}
	put(object, "devices", devices);
	put_u64(total, "devices", joint->among);
	put_share(total, &joint->total, joint->is_partial);
	put(object, "total", total);
	put_double(object, "cpu_percent", joint->cpu_percent);
	return object;
}

static void json_joints(struct report *report, const struct joints *joints)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < joints->count; i++)
		json_object_array_add(array, json_joint(&joints->list[i]));
	put(report->state, "parallel", array);
}

static int json_end(struct report *report)
{
	const char *text = json_object_to_json_string_ext(
		report->state, JSON_C_TO_STRING_PRETTY |
				       JSON_C_TO_STRING_SPACED |
				       JSON_C_TO_STRING_NOSLASHESCAPE);

	if (text)
		fprintf(report->out, "%s\n", text);
	json_object_put(report->state);
	return text ? 0 : -ENOMEM;
}

const struct report_ops report_json = {
	.begin = json_begin,
	.device_end = json_device_end,
	.pairs = json_pairs,
	.baseline = json_baseline,
	.joints = json_joints,
	.end = json_end,
};
