/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "text.h"

int table_add_row(struct table *table, const char *const *cells)
{
	struct table_row *rows =
		reallocarray(table->rows, table->rows_count + 1, sizeof(*rows));
	struct table_row *row;

	if (!rows)
		return -ENOMEM;
	table->rows = rows;
	row = &rows[table->rows_count++];
	*row = (struct table_row){ .cells = { NULL } };
	for (size_t i = 0; i < table->columns_count; i++) {
		row->cells[i] = text_clean(cells[i] ? cells[i] : "");
		if (!row->cells[i])
			return -ENOMEM;
	}
	return 0;
}

/* Without what fills up the last columns. */
static void print_line(FILE *out, const char *line, size_t length)
{
	while (length && line[length - 1] == ' ')
		length--;
	fprintf(out, "  %.*s\n", (int)length, line);
}

int table_print(const struct table *table, FILE *out)
{
	char *text = table_lay_out(table);
	size_t length;

	if (!text)
		return -ENOMEM;
	for (const char *line = text; *line; line += length) {
		length = strcspn(line, "\n");
		print_line(out, line, length);
		length += line[length] == '\n';
	}
	free(text);
	return 0;
}

void table_finish(struct table *table)
{
	for (size_t i = 0; i < table->rows_count; i++)
		for (size_t k = 0; k < table->columns_count; k++)
			free(table->rows[i].cells[k]);
	free(table->rows);
	table->rows = NULL;
	table->rows_count = 0;
}
