/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "results_parts.h"
#include "words.h"

/* More than any device has. */
#define REASONS_MAX 4096
#define LAYERS_MAX 16384

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the health of a layer ----------------------------------------------- */

#define SMART(member) offsetof(struct layer, health.smart.member)
#define HEALTH(member) offsetof(struct layer, health.member)

struct layer {
	struct blkbench_layer_health health;
	const char *state, *answer;
};

/* clang-format off */
static const struct field smart_fields[] = {
	{ "answer", FIELD_WORD, true, offsetof(struct layer, answer) },
	{ "text", FIELD_TEXT, false, SMART(text) },
	{ "passed", FIELD_ANSWER, false, SMART(passed) },
	{ "power_on_hours", FIELD_U64, false, SMART(power_on_hours) },
	{ "temperature_celsius", FIELD_CELSIUS, false, SMART(temperature) },
	{ "error_log_entries", FIELD_U64, false, SMART(error_log_entries) },
	{ "reallocated_sectors", FIELD_U64, false, SMART(reallocated_sectors) },
	{ "reported_uncorrectable", FIELD_U64, false,
	  SMART(reported_uncorrectable) },
	{ "command_timeouts", FIELD_U64, false, SMART(command_timeouts) },
	{ "pending_sectors", FIELD_U64, false, SMART(pending_sectors) },
	{ "offline_uncorrectable", FIELD_U64, false,
	  SMART(offline_uncorrectable) },
	{ "crc_errors", FIELD_U64, false, SMART(crc_errors) },
	{ "failing_attribute", FIELD_U64, false, SMART(failing_attribute) },
	{ "failed_attribute", FIELD_U64, false, SMART(failed_attribute) },
	{ "critical_warning", FIELD_U64, false, SMART(critical_warning) },
	{ "media_errors", FIELD_U64, false, SMART(media_errors) },
	{ "percentage_used", FIELD_U64, false, SMART(percentage_used) },
	{ "available_spare_percent", FIELD_U64, false,
	  SMART(available_spare_percent) },
	{ "spare_threshold_percent", FIELD_U64, false,
	  SMART(spare_threshold_percent) },
	{ "grown_defects", FIELD_U64, false, SMART(grown_defects) },
	{ "uncorrected_errors", FIELD_U64, false, SMART(uncorrected_errors) },
};

static const struct field layer_fields[] = {
	{ "layer", FIELD_STRING, true, HEALTH(layer) },
	{ "disk", FIELD_BOOL, true, HEALTH(is_disk) },
	{ "state", FIELD_STRING, false, offsetof(struct layer, state) },
	{ "suspended", FIELD_ANSWER, false, HEALTH(suspended) },
	{ "read_only", FIELD_ANSWER, false, HEALTH(read_only) },
	{ "failed_commands", FIELD_U64, false, HEALTH(failed_commands) },
	{ "timeouts", FIELD_U64, false, HEALTH(timeouts) },
	{ "temperature_celsius", FIELD_CELSIUS, false, HEALTH(temperature) },
	{ "temperature_max_celsius", FIELD_CELSIUS, false,
	  HEALTH(temperature_max) },
	{ "temperature_critical_celsius", FIELD_CELSIUS, false,
	  HEALTH(temperature_critical) },
	{ "multipath", FIELD_BOOL, false, HEALTH(is_multipath) },
	{ "members", FIELD_U64, false, HEALTH(members) },
	{ "lost_members", FIELD_U64, false, HEALTH(lost_members) },
	{ "corrected_errors", FIELD_U64, false, HEALTH(corrected_errors) },
	{ "bad_sectors", FIELD_U64, false, HEALTH(bad_sectors) },
	{ "mismatch_sectors", FIELD_U64, false, HEALTH(mismatch_sectors) },
};
/* clang-format on */

static int read_layer(const struct place *place, struct json_object *object,
		      void *item, struct blkbench_error *error)
{
	const struct place smart = { .above = place, .key = "smart" };
	struct layer *layer = item;
	int r, answer;

	layer->health.rotational = BLKBENCH_NOT_KNOWN;
	layer->health.reads = BLKBENCH_UNKNOWN;
	r = document_get_part(place, object, "smart", smart_fields,
			      COUNT(smart_fields), layer, error);
	if (r < 0)
		return r;
	answer = words_find(&words_smart, layer->answer);
	if (answer < 0)
		return document_refuse(&smart, error,
				       "has no answer that is known");
	layer->health.smart.answer = (enum blkbench_smart_answer)answer;
	return layer->state
		       ? document_copy_text(layer->state, layer->health.state,
					    sizeof(layer->health.state))
		       : 0;
}

static const struct document_items layers = {
	.key = "health",
	.max = LAYERS_MAX,
	.size = sizeof(struct layer),
	.fields = layer_fields,
	.fields_count = COUNT(layer_fields),
	.read_more = read_layer,
};

static int read_health(const struct place *place, struct json_object *object,
		       struct blkbench_health *health,
		       struct blkbench_error *error)
{
	const struct layer *list;
	void *items;
	size_t count;
	int r;

	r = document_get_items(place, object, &layers, &items, &count, error);
	if (r < 0)
		return r;
	list = items;
	health->layers = calloc(count + 1, sizeof(*health->layers));
	if (health->layers)
		health->layers_count = count;
	for (size_t i = 0; i < health->layers_count; i++)
		health->layers[i] = list[i].health;
	free(items);
	return health->layers ? 0 : -ENOMEM;
}

/* ---- the verdict -------------------------------------------------------- */

#define REASON(member) offsetof(struct reason, reason.member)

struct reason {
	struct blkbench_reason reason;
	const char *condition;
};

/* clang-format off */
static const struct field reason_fields[] = {
	{ "condition", FIELD_WORD, true, offsetof(struct reason, condition) },
	{ "code", FIELD_WORD, true, REASON(code) },
	{ "layer", FIELD_STRING, false, REASON(layer) },
	{ "text", FIELD_TEXT, true, REASON(text) },
};

static const struct field check_fields[] = {
	{ "verdict", FIELD_WORD, true, 0 },
};
/* clang-format on */

static int find_condition(const struct place *place, const char *word,
			  enum blkbench_condition *condition,
			  struct blkbench_error *error)
{
	for (int i = BLKBENCH_CONDITION_UNKNOWN; i <= BLKBENCH_BAD; i++) {
		*condition = (enum blkbench_condition)i;
		if (!strcmp(blkbench_condition_name(*condition), word))
			return 0;
	}
	return document_refuse(place, error, "has a verdict that is not known");
}

static int read_reason(const struct place *place, struct json_object *object,
		       void *item, struct blkbench_error *error)
{
	struct reason *reason = item;

	(void)object;
	return find_condition(place, reason->condition,
			      &reason->reason.condition, error);
}

static const struct document_items reasons = {
	.key = "reasons",
	.max = REASONS_MAX,
	.size = sizeof(struct reason),
	.fields = reason_fields,
	.fields_count = COUNT(reason_fields),
	.read_more = read_reason,
};

static int read_reasons(const struct place *place, struct json_object *object,
			struct blkbench_diagnosis *diagnosis,
			struct blkbench_error *error)
{
	const struct reason *list;
	void *items;
	size_t count;
	int r;

	r = document_get_items(place, object, &reasons, &items, &count, error);
	if (r < 0)
		return r;
	list = items;
	diagnosis->reasons = calloc(count + 1, sizeof(*diagnosis->reasons));
	if (diagnosis->reasons)
		diagnosis->reasons_count = count;
	for (size_t i = 0; i < diagnosis->reasons_count; i++)
		diagnosis->reasons[i] = list[i].reason;
	free(items);
	return diagnosis->reasons ? 0 : -ENOMEM;
}

int results_read_check(const struct place *place, struct json_object *object,
		       struct run_check *check, struct blkbench_error *error)
{
	const char *verdict;
	int r;

	r = document_get_fields(place, object, check_fields,
				COUNT(check_fields), &verdict, error);
	if (r == 0)
		r = find_condition(place, verdict, &check->diagnosis.condition,
				   error);
	if (r == 0)
		r = read_reasons(place, object, &check->diagnosis, error);
	if (r == 0)
		r = read_health(place, object, &check->after, error);
	check->is_done = r == 0;
	return r;
}
