/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <stdio.h>
#include <stdlib.h>

#include "table.h"

/* Without libsmartcols. */

/* Of UTF-8, each as wide as the others. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

static size_t find_width(const struct table *table, size_t column)
{
	size_t width = count_characters(table->columns[column].head);

	for (size_t i = 0; i < table->rows_count; i++) {
		const size_t length =
			count_characters(table->rows[i].cells[column]);

		if (length > width)
			width = length;
	}
	return width;
}

static void print_cell(FILE *out, const struct table *table, size_t column,
		       const char *text, size_t width)
{
	const int space = (int)(width - count_characters(text));
	const bool is_right = table->columns[column].is_right;

	fprintf(out, "%s%*s%s%*s", column ? "  " : "", is_right ? space : 0, "",
		text, is_right ? 0 : space, "");
}

char *table_lay_out(const struct table *table)
{
	size_t widths[TABLE_COLUMNS_MAX];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t k = 0; k < table->columns_count; k++) {
		widths[k] = find_width(table, k);
		print_cell(out, table, k, table->columns[k].head, widths[k]);
	}
	fputc('\n', out);
	for (size_t i = 0; i < table->rows_count; i++) {
		for (size_t k = 0; k < table->columns_count; k++)
			print_cell(out, table, k, table->rows[i].cells[k],
				   widths[k]);
		fputc('\n', out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
