/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <string.h>

#include "baseline.h"
#include "report_text.h"
#include "table.h"
#include "text.h"

/* ---- the table ------------------------------------------------------------ */

static const struct table_column columns[] = {
	{ .head = "test" },
	{ .head = "then", .is_right = true },
	{ .head = "now", .is_right = true },
	{ .head = "now/then", .is_right = true },
	{ .head = "95 % interval" },
	{ .head = "verdict" },
};

static int add_pair(struct table *table, const struct pairs *pairs,
		    const struct pair *pair)
{
	char label[PAIR_LABEL_MAX];
	struct pair_cells cells;

	report_text_fill_cells(pair, pairs->equal_percent, &cells);
	return table_add_row(
		table, (const char *const[]){ pair_label(pairs, pair, label),
					      cells.a_figure, cells.b_figure,
					      cells.ratio, cells.interval,
					      cells.verdict });
}

/* Those of one device; returns how many. */
static size_t count_pairs(const struct pairs *pairs, size_t first)
{
	size_t end = first;

	while (end < pairs->count && pairs->list[end].b == pairs->list[first].b)
		end++;
	return end - first;
}

static int print_table(FILE *out, const struct pairs *pairs, size_t first,
		       size_t count)
{
	struct table table = {
		.columns = columns,
		.columns_count = sizeof(columns) / sizeof(columns[0]),
	};
	int r = 0;

	for (size_t i = first; i < first + count && r == 0; i++)
		r = add_pair(&table, pairs, &pairs->list[i]);
	if (r == 0)
		r = table_print(&table, out);
	table_finish(&table);
	return r;
}

/* Above its table, where there are several devices. */
static void print_device(FILE *out, const struct pair *pair)
{
	text_print_clean(out, pair->b);
	if (strcmp(pair->b, pair->a)) {
		fputs(" (then ", out);
		text_print_clean(out, pair->a);
		fputc(')', out);
	}
	fputc('\n', out);
}

static int print_pairs(FILE *out, const struct baseline *baseline)
{
	const struct pairs *pairs = &baseline->pairs;
	size_t count;
	int r = 0;

	for (size_t i = 0; i < pairs->count && r == 0; i += count) {
		if (baseline->devices > 1)
			print_device(out, &pairs->list[i]);
		count = count_pairs(pairs, i);
		r = print_table(out, pairs, i, count);
	}
	return r;
}

/* ---- what else is to be known of it --------------------------------------- */

static void print_unmatched(FILE *out, const struct baseline *baseline)
{
	for (size_t i = 0; i < baseline->unmatched_count; i++) {
		const struct baseline_unmatched *one = &baseline->unmatched[i];

		fprintf(out, REPORT_TEXT_LABEL, "unmatched");
		text_print_clean(out, one->path);
		if (one->test)
			fprintf(out, ": %s", one->test);
		fprintf(out, " %s\n", one->text);
	}
}

void report_text_source(FILE *out, const struct results *results)
{
	const char *const more[] = { results->host.kernel,
				     results->host.machine };

	text_print_clean(out, results->path);
	fputs(": measured by blkbench ", out);
	text_print_clean(out, results->version);
	if (*results->host.hostname) {
		fputs(" on ", out);
		text_print_clean(out, results->host.hostname);
	}
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		if (!*more[i])
			continue;
		fputs(", ", out);
		text_print_clean(out, more[i]);
	}
	fputc('\n', out);
}

void report_text_baseline(struct report *report,
			  const struct baseline *baseline)
{
	FILE *out = report->out;
	int r;

	fputs("\ncompared with ", out);
	report_text_source(out, baseline->results);
	r = print_pairs(out, baseline);
	if (r < 0 && !report->error)
		report->error = r;
	print_unmatched(out, baseline);
	report_text_differences(out, &baseline->pairs);
}
