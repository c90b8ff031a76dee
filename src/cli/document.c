/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <json.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "host.h"
#include "text.h"

/* A default run of 100 repeats is 7 MiB. In memory it may be 35 times as much. */
#define FILE_MAX (32U << 20)
#define DEPTH_MAX 32

#define STRINGS_MAX 16384

/* ---- from text to a document ------------------------------------------- */

/* Fed piece by piece. */
struct parser {
	struct json_tokener *tokener;
	struct json_object *document; /* when it is complete */
	uint64_t bytes, line, column;
};

static void count_lines(struct parser *parser, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		parser->column++;
		if (text[i] != '\n')
			continue;
		parser->line++;
		parser->column = 0;
	}
}

static int refuse_text(const struct parser *parser, const char *what,
		       struct blkbench_error *error)
{
	snprintf(error->text, sizeof(error->text),
		 "line %" PRIu64 ", column %" PRIu64 ": not JSON: %s",
		 parser->line, parser->column + 1, what);
	return -EINVAL;
}

/* Nothing but white space may follow the document. */
static int feed_rest(struct parser *parser, const char *text, size_t length,
		     struct blkbench_error *error)
{
	size_t space = 0;

	while (space < length && text[space] && strchr(" \t\r\n", text[space]))
		space++;
	count_lines(parser, text, space);
	return space == length
		       ? 0
		       : refuse_text(parser, "something follows its end",
				     error);
}

static int feed(struct parser *parser, const char *text, size_t length,
		struct blkbench_error *error)
{
	enum json_tokener_error reason;
	size_t end;

	parser->bytes += length;
	if (parser->bytes > FILE_MAX) {
		snprintf(error->text, sizeof(error->text),
			 "larger than %u MiB, which no --json of blkbench is",
			 FILE_MAX >> 20);
		return -EINVAL;
	}
	if (parser->document)
		return feed_rest(parser, text, length, error);
	parser->document =
		json_tokener_parse_ex(parser->tokener, text, (int)length);
	reason = json_tokener_get_error(parser->tokener);
	end = json_tokener_get_parse_end(parser->tokener);
	count_lines(parser, text, end);
	if (reason == json_tokener_continue)
		return 0;
	if (reason != json_tokener_success)
		return refuse_text(parser, json_tokener_error_desc(reason),
				   error);
	if (parser->document)
		return feed_rest(parser, text + end, length - end, error);
	return refuse_text(parser, "it is nothing but null", error);
}

static int parser_init(struct parser *parser, struct blkbench_error *error)
{
	*parser = (struct parser){ .line = 1 };
	parser->tokener = json_tokener_new_ex(DEPTH_MAX);
	if (!parser->tokener) {
		snprintf(error->text, sizeof(error->text), "out of memory");
		return -ENOMEM;
	}
	json_tokener_set_flags(parser->tokener,
			       JSON_TOKENER_STRICT |
				       JSON_TOKENER_VALIDATE_UTF8);
	return 0;
}

/* Hands over the document, if all is well. */
static int parser_finish(struct parser *parser, int r,
			 struct json_object **document,
			 struct blkbench_error *error)
{
	if (r == 0 && !parser->document)
		r = refuse_text(parser,
				parser->bytes ? "it ends in the midst"
					      : "it is empty",
				error);
	json_tokener_free(parser->tokener);
	if (r < 0)
		json_object_put(parser->document);
	else
		*document = parser->document;
	return r;
}

static int refuse_file(int reason, struct blkbench_error *error)
{
	snprintf(error->text, sizeof(error->text), "cannot read it: %s",
		 strerror(reason));
	return -reason;
}

static int feed_file(struct parser *parser, FILE *file,
		     struct blkbench_error *error)
{
	char buffer[16384];
	size_t length;
	int r;

	while ((length = fread(buffer, 1, sizeof(buffer), file)) > 0) {
		r = feed(parser, buffer, length, error);
		if (r < 0)
			return r;
	}
	return ferror(file) ? refuse_file(errno ? errno : EIO, error) : 0;
}

int document_read(const char *path, struct json_object **document,
		  struct blkbench_error *error)
{
	struct parser parser;
	FILE *file;
	int r;

	file = fopen(path, "re");
	if (!file)
		return refuse_file(errno, error);
	r = parser_init(&parser, error);
	if (r == 0)
		r = parser_finish(&parser, feed_file(&parser, file, error),
				  document, error);
	fclose(file);
	return r;
}

int document_parse(const char *text, size_t length,
		   struct json_object **document, struct blkbench_error *error)
{
	struct parser parser;
	int r;

	r = parser_init(&parser, error);
	return r < 0 ? r
		     : parser_finish(&parser,
				     feed(&parser, text, length, error),
				     document, error);
}

/* ---- values ------------------------------------------------------------- */

static size_t place_print(const struct place *place, char *text, size_t size)
{
	size_t length = 0;

	if (place->above)
		length = place_print(place->above, text, size);
	if (length >= size)
		return length;
	if (!place->key)
		snprintf(text + length, size - length, "[%zu]", place->index);
	else
		snprintf(text + length, size - length, "%s%s",
			 length ? "." : "", place->key);
	return strlen(text);
}

int document_refuse(const struct place *place, struct blkbench_error *error,
		    const char *format, ...)
{
	char where[BLKBENCH_TEXT_MAX / 2] = "";
	char what[BLKBENCH_TEXT_MAX / 2];
	va_list args;

	place_print(place, where, sizeof(where));
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	snprintf(error->text, sizeof(error->text), "%s: %s", where, what);
	return -EINVAL;
}

static bool is_word(const char *text)
{
	return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
					   "0123456789_")];
}

static int take_u64(struct json_object *value, uint64_t *number)
{
	if (!json_object_is_type(value, json_type_int) ||
	    (json_object_get_int64(value) < 0 &&
	     json_object_get_uint64(value) == 0))
		return -EINVAL;
	*number = json_object_get_uint64(value);
	/* What does not fit is made the largest. */
	return *number == BLKBENCH_UNKNOWN ? -EINVAL : 0;
}

static int take_double(struct json_object *value, double *number)
{
	if (!json_object_is_type(value, json_type_double) &&
	    !json_object_is_type(value, json_type_int))
		return -EINVAL;
	*number = json_object_get_double(value);
	return isfinite(*number) && *number >= 0 ? 0 : -EINVAL;
}

int document_copy_text(const char *text, char *target, size_t size)
{
	char *clean = text_clean(text);

	if (!clean)
		return -ENOMEM;
	snprintf(target, size, "%s", clean);
	free(clean);
	return 0;
}

/* Not below the absolute zero, nor beyond what any sensor has. */
static int take_celsius(struct json_object *value, int64_t *thousandths)
{
	const double celsius = json_object_get_double(value);

	if (!json_object_is_type(value, json_type_double) &&
	    !json_object_is_type(value, json_type_int))
		return -EINVAL;
	if (!(celsius >= -273.15 && celsius <= 10000))
		return -EINVAL;
	*thousandths = llround(celsius * 1000);
	return 0;
}

static int take_bool(struct json_object *value, bool *flag)
{
	*flag = json_object_get_boolean(value);
	return json_object_is_type(value, json_type_boolean) ? 0 : -EINVAL;
}

static int take_string(struct json_object *value, enum field_type type,
		       void *target)
{
	const char *text = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string) ||
	    (type == FIELD_WORD && !is_word(text)))
		return -EINVAL;
	if (type == FIELD_TEXT)
		return document_copy_text(text, target, BLKBENCH_TEXT_MAX);
	if (type == FIELD_NAME)
		snprintf(target, HOST_NAME_SIZE, "%s", text);
	else
		*(const char **)target = text;
	return 0;
}

static int take(struct json_object *value, enum field_type type, void *target)
{
	bool flag = false;
	int r;

	switch (type) {
	case FIELD_U64:
		return take_u64(value, target);
	case FIELD_DOUBLE:
		return take_double(value, target);
	case FIELD_RATE:
		r = take_double(value, target);
		return r < 0 || *(double *)target > 0 ? r : -EINVAL;
	case FIELD_CELSIUS:
		return take_celsius(value, target);
	case FIELD_BOOL:
		return take_bool(value, target);
	case FIELD_ANSWER:
		r = take_bool(value, &flag);
		*(enum blkbench_answer *)target = flag ? BLKBENCH_YES
						       : BLKBENCH_NO;
		return r;
	default:
		return take_string(value, type, target);
	}
}

static void take_null(enum field_type type, void *target)
{
	switch (type) {
	case FIELD_U64:
		*(uint64_t *)target = BLKBENCH_UNKNOWN;
		break;
	case FIELD_DOUBLE:
	case FIELD_RATE:
		*(double *)target = NAN;
		break;
	case FIELD_CELSIUS:
		*(int64_t *)target = BLKBENCH_UNKNOWN_TEMPERATURE;
		break;
	case FIELD_BOOL:
		*(bool *)target = false;
		break;
	case FIELD_ANSWER:
		*(enum blkbench_answer *)target = BLKBENCH_NOT_KNOWN;
		break;
	case FIELD_TEXT:
	case FIELD_NAME:
		*(char *)target = '\0';
		break;
	default:
		*(const char **)target = NULL;
	}
}

static const char *const allowed[] = {
	[FIELD_STRING] = "a string",
	[FIELD_WORD] = "a word of a-z, 0-9 and _",
	[FIELD_TEXT] = "a string",
	[FIELD_NAME] = "a string",
	[FIELD_U64] = "a whole number from 0 to 2^64 - 2",
	[FIELD_DOUBLE] = "a number, 0 or more",
	[FIELD_RATE] = "a number above 0",
	[FIELD_CELSIUS] = "a temperature from -273.15 to 10000",
	[FIELD_BOOL] = "true or false",
	[FIELD_ANSWER] = "true or false",
};

static int read_field(const struct place *above, struct json_object *object,
		      const struct field *field, void *target,
		      struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = field->key };
	void *member = (char *)target + field->offset;
	struct json_object *value = NULL;
	bool is_there;
	int r;

	is_there = json_object_object_get_ex(object, field->key, &value);
	if (!value && !field->is_required) {
		take_null(field->type, member);
		return 0;
	}
	if (!is_there)
		return document_refuse(&place, error, "is not there");
	r = take(value, field->type, member);
	if (r == -ENOMEM) {
		snprintf(error->text, sizeof(error->text), "out of memory");
		return r;
	}
	return r < 0 ? document_refuse(&place, error, "is not %s%s",
				       allowed[field->type],
				       field->is_required ? "" : ", or null")
		     : 0;
}

int document_get_fields(const struct place *place, struct json_object *object,
			const struct field *fields, size_t count, void *target,
			struct blkbench_error *error)
{
	int r = 0;

	if (!json_object_is_type(object, json_type_object))
		return document_refuse(place, error, "is not an object");
	for (size_t i = 0; i < count && r == 0; i++)
		r = read_field(place, object, &fields[i], target, error);
	return r;
}

int document_get_list(const struct place *place, struct json_object *object,
		      size_t max, struct json_object **list, size_t *count,
		      struct blkbench_error *error)
{
	*count = 0;
	json_object_object_get_ex(object, place->key, list);
	if (!*list)
		return 0;
	if (!json_object_is_type(*list, json_type_array))
		return document_refuse(place, error, "is not a list");
	*count = json_object_array_length(*list);
	if (*count > max)
		return document_refuse(place, error,
				       "has %zu items; allowed are %zu", *count,
				       max);
	return 0;
}

int document_get_part(const struct place *above, struct json_object *object,
		      const char *key, const struct field *fields, size_t count,
		      void *target, struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = key };
	struct json_object *part = NULL;

	json_object_object_get_ex(object, key, &part);
	return part ? document_get_fields(&place, part, fields, count, target,
					  error)
		    : 0;
}

static int read_item(const struct place *place, struct json_object *object,
		     const struct document_items *kind, void *item,
		     struct blkbench_error *error)
{
	int r = document_get_fields(place, object, kind->fields,
				    kind->fields_count, item, error);

	return r == 0 && kind->read_more
		       ? kind->read_more(place, object, item, error)
		       : r;
}

int document_get_items(const struct place *above, struct json_object *object,
		       const struct document_items *kind, void **items,
		       size_t *count, struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = kind->key };
	struct json_object *list;
	int r;

	*items = NULL;
	r = document_get_list(&place, object, kind->max, &list, count, error);
	if (r == 0) {
		*items = calloc(*count + 1, kind->size);
		r = *items ? 0 : -ENOMEM;
	}
	for (size_t i = 0; r == 0 && i < *count; i++) {
		const struct place item = { .above = &place, .index = i };

		r = read_item(&item, json_object_array_get_idx(list, i), kind,
			      (char *)*items + i * kind->size, error);
	}
	if (r == 0)
		return 0;
	free(*items);
	*items = NULL;
	*count = 0;
	return r;
}

int document_get_strings(const struct place *above, struct json_object *object,
			 const char *key, const char *const **strings,
			 size_t *count, struct blkbench_error *error)
{
	const struct place place = { .above = above, .key = key };
	struct json_object *list;
	const char **array;
	int r;

	r = document_get_list(&place, object, STRINGS_MAX, &list, count, error);
	if (r < 0 || !list)
		return r;
	array = calloc(*count + 1, sizeof(*array));
	*strings = array;
	if (!array)
		return -ENOMEM;
	for (size_t i = 0; i < *count && r == 0; i++) {
		const struct place item = { .above = &place, .index = i };

		if (take_string(json_object_array_get_idx(list, i),
				FIELD_STRING, &array[i]) < 0)
			r = document_refuse(&item, error, "is not a string");
	}
	return r;
}
