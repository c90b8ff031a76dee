/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef STRING_LIST_H
#define STRING_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* A growing list that owns its strings; they do not move when it grows. */
struct string_list {
	const char **items;
	size_t count;
	size_t allocated;
};

/*
 * Append a copy. Return it, or NULL without memory: in a description that is
 * "not known", which is true.
 */
const char *string_list_add(struct string_list *list, const char *text);
const char *string_list_add_format(struct string_list *list, const char *format,
				   ...) __attribute__((format(printf, 2, 3)));

/* Nothing is added if it is in the list already. */
void string_list_add_once(struct string_list *list, const char *text);

void string_list_finish(struct string_list *list);

#endif
