/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS_MAX 6

struct table_column {
	const char *head;
	bool is_right; /* numbers */
};

/* A row's texts are copied, and safe to print. */
struct table_row {
	char *cells[TABLE_COLUMNS_MAX];
};

/* Rows of texts below each other. */
struct table {
	const struct table_column *columns;
	size_t columns_count;
	size_t rows_count;
	struct table_row *rows;
};

/* One text for each column; NULL is an empty one. Returns 0, or -ENOMEM. */
int table_add_row(struct table *table, const char *const *cells)
	__attribute__((warn_unused_result));

/* With its head, indented by two. Returns 0, or -ENOMEM. */
int table_print(const struct table *table, FILE *out)
	__attribute__((warn_unused_result));

void table_finish(struct table *table);

/* Lays it out, by libsmartcols or without it: a line for the head and for each
 * row. Returns NULL: no memory; the caller frees it. */
char *table_lay_out(const struct table *table);

#endif
