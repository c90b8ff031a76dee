/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <blkbench.h>

/*
 * JSON that others have written: from a file into structs, with each value
 * checked. Errors say where in the document it is that something is wrong.
 */
struct json_object;

/*
 * Returns 0, or -EINVAL: it is no JSON, too large or nested too deeply; or
 * another negative errno: the file cannot be read. The caller frees *document
 * by json_object_put().
 */
int document_read(const char *path, struct json_object **document,
		  struct blkbench_error *error)
	__attribute__((warn_unused_result));
int document_parse(const char *text, size_t length,
		   struct json_object **document, struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* Where in the document: "devices[0].tests[2].engine". */
struct place {
	const struct place *above; /* NULL: the document */
	const char *key;	   /* NULL: an item of a list */
	size_t index;
};

enum field_type {
	FIELD_STRING, /* const char * into the document */
	FIELD_WORD,   /* the same, of a-z, 0-9 and _ */
	FIELD_TEXT,   /* char[BLKBENCH_TEXT_MAX], safe to print */
	FIELD_NAME,   /* char[HOST_NAME_SIZE], as it is */
	FIELD_U64,
	FIELD_DOUBLE,
	FIELD_RATE,    /* a double above 0 */
	FIELD_CELSIUS, /* int64_t, in thousandths of a degree */
	FIELD_BOOL,
	FIELD_ANSWER,
};

/* A key of an object, and where in a struct its value goes. */
struct field {
	const char *key;
	enum field_type type;
	bool is_required; /* else it may be null, or not be there */
	size_t offset;
};

/*
 * Those that follow return 0, or -EINVAL with the place in error->text, or
 * -ENOMEM.
 */
int document_refuse(const struct place *place, struct blkbench_error *error,
		    const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* All fields of an object; null gives UNKNOWN, NAN, NULL, false or "". */
int document_get_fields(const struct place *place, struct json_object *object,
			const struct field *fields, size_t count, void *target,
			struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* The same of the object at a key; where that is null the target is left. */
int document_get_part(const struct place *above, struct json_object *object,
		      const char *key, const struct field *fields, size_t count,
		      void *target, struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* A list of at most max items; *list is NULL where it is null or not there. */
int document_get_list(const struct place *place, struct json_object *object,
		      size_t max, struct json_object **list, size_t *count,
		      struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* A list of objects that are all alike. */
struct document_items {
	const char *key;
	size_t max;  /* so many of them */
	size_t size; /* of the struct for each */
	const struct field *fields;
	size_t fields_count;
	/* What more is to be read of one, after its fields; or NULL. */
	int (*read_more)(const struct place *place, struct json_object *object,
			 void *item, struct blkbench_error *error);
};

/* All of them, none where it is null. The caller frees *items; after an error
 * there is nothing to free. */
int document_get_items(const struct place *above, struct json_object *object,
		       const struct document_items *kind, void **items,
		       size_t *count, struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* A list of strings of the document; the caller frees *strings alone. */
int document_get_strings(const struct place *above, struct json_object *object,
			 const char *key, const char *const **strings,
			 size_t *count, struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* A copy that is safe to print, cut to the size. */
int document_copy_text(const char *text, char *target, size_t size)
	__attribute__((warn_unused_result));

#endif
