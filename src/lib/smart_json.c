/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "config.h"
#include "smart.h"

#if HAVE_JSON

#include <json.h>
#include <stdio.h>
#include <string.h>

/* As smartctl(8) 7 prints it; deeper than it nests. */
#define DEPTH_MAX 16

/* Of its exit status: bits. */
#define STATUS_USAGE 1
#define STATUS_OPEN 2

#define FIELD(name) offsetof(struct blkbench_smart, name)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- values ------------------------------------------------------------ */

/* "a/b": what has key b in what has key a. NULL if it is not there. */
static struct json_object *find(struct json_object *object, const char *path)
{
	while (object && *path) {
		const size_t length = strcspn(path, "/");
		char key[64];

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		if (!json_object_is_type(object, json_type_object))
			return NULL;
		object = json_object_object_get(object, key);
		path += length;
		path += *path == '/';
	}
	return object;
}

static uint64_t find_u64(struct json_object *object, const char *path)
{
	struct json_object *value = find(object, path);

	if (!json_object_is_type(value, json_type_int) ||
	    json_object_get_int64(value) < 0)
		return BLKBENCH_UNKNOWN;
	return json_object_get_uint64(value);
}

static enum blkbench_answer find_answer(struct json_object *object,
					const char *path)
{
	struct json_object *value = find(object, path);

	if (!json_object_is_type(value, json_type_boolean))
		return BLKBENCH_NOT_KNOWN;
	return json_object_get_boolean(value) ? BLKBENCH_YES : BLKBENCH_NO;
}

/* "" if it is not there. */
static const char *find_text(struct json_object *object, const char *path)
{
	struct json_object *value = find(object, path);

	return json_object_is_type(value, json_type_string)
		       ? json_object_get_string(value)
		       : "";
}

static struct json_object *find_list(struct json_object *object,
				     const char *path, size_t *count)
{
	struct json_object *list = find(object, path);

	if (!json_object_is_type(list, json_type_array))
		list = NULL;
	*count = list ? json_object_array_length(list) : 0;
	return list;
}

/* ---- ATA attributes ----------------------------------------------------- */

/*
 * Vendors are free to give a number another meaning, which smartctl knows and
 * names: of some SSDs, 198 is what was read. So the name counts, too.
 */
static const struct attribute {
	uint64_t id;
	const char *words[3]; /* one of which its name has */
	size_t field;
	uint64_t mask;
} attributes[] = {
	{ 5,
	  { "Realloc", "Retired", "Reassign" },
	  FIELD(reallocated_sectors),
	  UINT64_MAX },
	{ 187, { "Uncorrect" }, FIELD(reported_uncorrectable), UINT64_MAX },
	/* Seagate packs two counts of slow commands above that of timeouts. */
	{ 188, { "Timeout" }, FIELD(command_timeouts), UINT16_MAX },
	{ 197, { "Pending" }, FIELD(pending_sectors), UINT64_MAX },
	{ 198,
	  { "Uncorrect", "UNC" },
	  FIELD(offline_uncorrectable),
	  UINT64_MAX },
	{ 199, { "CRC" }, FIELD(crc_errors), UINT64_MAX },
};

static bool is_named_so(const struct attribute *attribute, const char *name)
{
	for (size_t i = 0; i < COUNT(attribute->words); i++)
		if (attribute->words[i] && strstr(name, attribute->words[i]))
			return true;
	return false;
}

static uint64_t *field_of(struct blkbench_smart *smart, size_t field)
{
	return (uint64_t *)(void *)((char *)smart + field);
}

static void read_raw(struct json_object *row, uint64_t id,
		     struct blkbench_smart *smart)
{
	const char *name = find_text(row, "name");
	const uint64_t raw = find_u64(row, "raw/value");

	for (size_t i = 0; i < COUNT(attributes); i++)
		if (attributes[i].id == id && raw != BLKBENCH_UNKNOWN &&
		    is_named_so(&attributes[i], name))
			*field_of(smart, attributes[i].field) =
				raw & attributes[i].mask;
}

/* "now" and of those that foretell a failure; or else. */
static void read_failed(struct json_object *row, uint64_t id,
			struct blkbench_smart *smart)
{
	const char *when = find_text(row, "when_failed");
	const bool is_failing = strcmp(when, "now") == 0 &&
				find_answer(row, "flags/prefailure") ==
					BLKBENCH_YES;
	uint64_t *field = is_failing ? &smart->failing_attribute
				     : &smart->failed_attribute;

	if ((strcmp(when, "now") == 0 || strcmp(when, "past") == 0) && !*field)
		*field = id;
}

static void read_attributes(struct json_object *root,
			    struct blkbench_smart *smart)
{
	size_t count;
	struct json_object *table =
		find_list(root, "ata_smart_attributes/table", &count);

	if (table) {
		smart->failing_attribute = 0;
		smart->failed_attribute = 0;
	}
	for (size_t i = 0; i < count; i++) {
		struct json_object *row = json_object_array_get_idx(table, i);
		const uint64_t id = find_u64(row, "id");

		if (id == 0 || id > UINT8_MAX)
			continue;
		read_raw(row, id, smart);
		read_failed(row, id, smart);
	}
}

/* ---- the rest ------------------------------------------------------------ */

static void read_numbers(struct json_object *root, struct blkbench_smart *smart)
{
	/* clang-format off */
	static const struct {
		const char *path;
		size_t field;
	} numbers[] = {
		{ "power_on_time/hours", FIELD(power_on_hours) },
		{ "ata_smart_error_log/summary/count",
		  FIELD(error_log_entries) },
#define NVME "nvme_smart_health_information_log/"
		{ NVME "num_err_log_entries", FIELD(error_log_entries) },
		{ NVME "critical_warning", FIELD(critical_warning) },
		{ NVME "media_errors", FIELD(media_errors) },
		{ NVME "percentage_used", FIELD(percentage_used) },
		{ NVME "available_spare", FIELD(available_spare_percent) },
		{ NVME "available_spare_threshold",
		  FIELD(spare_threshold_percent) },
#undef NVME
		{ "scsi_grown_defect_list", FIELD(grown_defects) },
	};
	/* clang-format on */

	for (size_t i = 0; i < COUNT(numbers); i++) {
		const uint64_t value = find_u64(root, numbers[i].path);

		if (value != BLKBENCH_UNKNOWN)
			*field_of(smart, numbers[i].field) = value;
	}
}

static void read_uncorrected(struct json_object *root,
			     struct blkbench_smart *smart)
{
	static const char *const paths[] = {
		"scsi_error_counter_log/read/total_uncorrected_errors",
		"scsi_error_counter_log/write/total_uncorrected_errors",
		"scsi_error_counter_log/verify/total_uncorrected_errors",
	};

	for (size_t i = 0; i < COUNT(paths); i++) {
		const uint64_t value = find_u64(root, paths[i]);

		if (value == BLKBENCH_UNKNOWN)
			continue;
		if (smart->uncorrected_errors == BLKBENCH_UNKNOWN)
			smart->uncorrected_errors = 0;
		if (__builtin_add_overflow(smart->uncorrected_errors, value,
					   &smart->uncorrected_errors))
			smart->uncorrected_errors = BLKBENCH_UNKNOWN;
	}
}

/* In degrees, which may be below 0. */
static void read_temperature(struct json_object *root,
			     struct blkbench_smart *smart)
{
	struct json_object *value = find(root, "temperature/current");
	int64_t degrees;

	if (!json_object_is_type(value, json_type_int))
		return;
	degrees = json_object_get_int64(value);
	if (degrees > -100 && degrees < 200)
		smart->temperature = degrees * 1000;
}

/* ---- all of it ------------------------------------------------------------ */

static const char *find_message(struct json_object *root, const char *part)
{
	size_t count;
	struct json_object *list = find_list(root, "smartctl/messages", &count);

	for (size_t i = 0; i < count; i++) {
		struct json_object *row = json_object_array_get_idx(list, i);
		const char *text = find_text(row, "string");

		if (strstr(text, part))
			return text;
	}
	return NULL;
}

static void explain(struct json_object *root, enum blkbench_smart_answer answer,
		    struct blkbench_smart *smart)
{
	const char *message = find_message(root, "");

	smart_refuse(smart, answer, "%s", message ? message : "");
	if (!*smart->text)
		smart_refuse(smart, answer, "smartctl does not say why");
}

static bool does_tell(const struct blkbench_smart *smart)
{
	return smart->passed != BLKBENCH_NOT_KNOWN ||
	       smart->failing_attribute != BLKBENCH_UNKNOWN ||
	       smart->critical_warning != BLKBENCH_UNKNOWN ||
	       smart->grown_defects != BLKBENCH_UNKNOWN ||
	       smart->uncorrected_errors != BLKBENCH_UNKNOWN;
}

static void refuse_silence(struct json_object *root,
			   struct blkbench_smart *smart)
{
	if (find_answer(root, "smart_support/available") == BLKBENCH_NO)
		smart_refuse(smart, BLKBENCH_SMART_UNSUPPORTED,
			     "the disk has no SMART");
	else if (find_answer(root, "smart_support/enabled") == BLKBENCH_NO)
		smart_refuse(smart, BLKBENCH_SMART_UNSUPPORTED,
			     "SMART is switched off in the disk");
	else
		explain(root, BLKBENCH_SMART_UNSUPPORTED, smart);
}

static void read_root(struct json_object *root, struct blkbench_smart *smart)
{
	const uint64_t status = find_u64(root, "smartctl/exit_status");

	if (status == BLKBENCH_UNKNOWN) {
		smart_refuse(smart, BLKBENCH_SMART_GARBLED,
			     "smartctl has not printed what version 7 does");
		return;
	}
	/* "Device is in STANDBY mode, exit(3)" */
	if (status == SMART_STATUS_ASLEEP || find_message(root, "mode, exit("))
		smart_refuse(smart, BLKBENCH_SMART_ASLEEP,
			     "it has stopped, and was not woken");
	else if (status & STATUS_USAGE)
		explain(root, BLKBENCH_SMART_UNSUPPORTED, smart);
	else if (status & STATUS_OPEN)
		explain(root, BLKBENCH_SMART_REFUSED, smart);
	if (smart->answer != BLKBENCH_SMART_NOT_ASKED)
		return;
	smart->answer = BLKBENCH_SMART_TOLD;
	smart->passed = find_answer(root, "smart_status/passed");
	read_attributes(root, smart);
	read_numbers(root, smart);
	read_uncorrected(root, smart);
	read_temperature(root, smart);
	if (!does_tell(smart))
		refuse_silence(root, smart);
}

void smart_parse(const char *text, struct blkbench_smart *smart)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *root = NULL;

	smart_init(smart);
	if (tokener) {
		root = json_tokener_parse_ex(tokener, text, -1);
		json_tokener_free(tokener);
	}
	read_root(root, smart);
	json_object_put(root);
}

#else

void smart_parse(const char *text, struct blkbench_smart *smart)
{
	(void)text;
	smart_refuse(smart, BLKBENCH_SMART_MISSING, "built without json-c");
}

#endif
