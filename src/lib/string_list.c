/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "string_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct string_list *list)
{
	size_t allocated = list->allocated ? 2 * list->allocated : 16;
	const char **items;

	if (list->count < list->allocated)
		return true;
	items = reallocarray(list->items, allocated, sizeof(*items));
	if (!items)
		return false;
	list->items = items;
	list->allocated = allocated;
	return true;
}

const char *string_list_add(struct string_list *list, const char *text)
{
	return string_list_add_format(list, "%s", text);
}

const char *string_list_add_format(struct string_list *list, const char *format,
				   ...)
{
	char *copy = NULL;
	va_list args;
	int length;

	if (!make_room(list))
		return NULL;
	va_start(args, format);
	length = vasprintf(&copy, format, args);
	va_end(args);
	if (length < 0)
		return NULL;
	list->items[list->count++] = copy;
	return copy;
}

void string_list_add_once(struct string_list *list, const char *text)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i], text) == 0)
			return;
	string_list_add(list, text);
}

void string_list_finish(struct string_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free((char *)list->items[i]);
	free(list->items);
	*list = (struct string_list){ 0 };
}
