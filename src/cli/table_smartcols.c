/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <libsmartcols.h>
#include <locale.h>

#include "table.h"

static int add_columns(struct libscols_table *out, const struct table *table)
{
	struct libscols_column *column;

	for (size_t k = 0; k < table->columns_count; k++) {
		column = scols_table_new_column(
			out, table->columns[k].head, 0,
			table->columns[k].is_right ? SCOLS_FL_RIGHT : 0);
		/* Escapes that are in the texts are not to be escaped. */
		if (!column || scols_column_set_safechars(column, "\\") < 0)
			return -ENOMEM;
	}
	return 0;
}

static int add_rows(struct libscols_table *out, const struct table *table)
{
	int r = 0;

	for (size_t i = 0; i < table->rows_count; i++) {
		struct libscols_line *line = scols_table_new_line(out, NULL);

		if (!line)
			return -ENOMEM;
		for (size_t k = 0; k < table->columns_count && r == 0; k++)
			r = scols_line_set_data(line, k,
						table->rows[i].cells[k]);
	}
	return r;
}

static char *lay_out(const struct table *table)
{
	struct libscols_table *out = scols_new_table();
	char *text = NULL;

	if (!out)
		return NULL;
	/* What is cut to fit into a terminal cannot be quoted. */
	scols_table_set_termforce(out, SCOLS_TERMFORCE_NEVER);
	if (scols_table_set_column_separator(out, "  ") < 0 ||
	    add_columns(out, table) < 0 || add_rows(out, table) < 0 ||
	    scols_print_table_to_string(out, &text) < 0)
		text = NULL;
	scols_unref_table(out);
	return text;
}

/* What a character is depends on the locale, which the program leaves at that of
 * C. */
char *table_lay_out(const struct table *table)
{
	const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	const locale_t before = uselocale(utf8);
	char *text = lay_out(table);

	uselocale(before);
	if (utf8)
		freelocale(utf8);
	return text;
}
