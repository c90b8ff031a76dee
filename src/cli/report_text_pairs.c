/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "report_text.h"
#include "table.h"
#include "text.h"

/* ---- the cells of a table ----------------------------------------------- */

/* "0.709", "1.040", "12.3": as many digits as an interval is worth. */
static const char *text_ratio(double ratio, char text[TEXT_FIGURE_MAX])
{
	return text_double(ratio, ratio < 10 ? 3 : ratio < 100 ? 1 : 0, text);
}

static void fill_figure(const struct pair *pair, double value,
			char cell[PAIR_CELL_MAX])
{
	const struct figure *figure = figure_of_speed(pair->plan);
	char number[TEXT_FIGURE_MAX];

	snprintf(cell, PAIR_CELL_MAX, "%s %s",
		 figure->to_text(value / figure->divisor, number),
		 figure->unit);
}

static void fill_interval(const struct blkbench_comparison *comparison,
			  char cell[PAIR_CELL_MAX])
{
	char low[TEXT_FIGURE_MAX], high[TEXT_FIGURE_MAX];

	if (isnan(comparison->ratio_low))
		snprintf(cell, PAIR_CELL_MAX, "n/a");
	else
		snprintf(cell, PAIR_CELL_MAX, "%s to %s",
			 text_ratio(comparison->ratio_low, low),
			 text_ratio(comparison->ratio_high, high));
}

/* What more is to be done for a verdict. */
static void fill_undecided(const struct pair *pair, char cell[PAIR_CELL_MAX])
{
	const struct blkbench_comparison *comparison = &pair->comparison;
	/* What tells how exact the figure of some places is are repeats. */
	const char *option = pair->is_baseline &&
					     pair->plan->pattern ==
						     BLKBENCH_PATTERN_PLACES
				     ? "-n"
				     : "-r";
	char seconds[TEXT_FIGURE_MAX];

	if (!isnan(comparison->seconds_needed))
		snprintf(cell, PAIR_CELL_MAX,
			 "undecided: some %s s more might tell (%s)",
			 text_double(ceil(comparison->seconds_needed), 0,
				     seconds),
			 option);
	else if (pair->is_baseline && !isnan(comparison->ratio_low))
		snprintf(cell, PAIR_CELL_MAX,
			 "undecided: the baseline was measured too short");
	else
		snprintf(cell, PAIR_CELL_MAX,
			 "undecided: too little was measured to tell (%s)",
			 option);
}

static void fill_verdict(const struct pair *pair, double equal_percent,
			 char cell[PAIR_CELL_MAX])
{
	const enum blkbench_outcome verdict = pair->comparison.verdict;
	const char *name = blkbench_outcome_name(verdict);

	if (pair->is_partial)
		snprintf(cell, PAIR_CELL_MAX, "%s; PARTIAL", name);
	else if (verdict == BLKBENCH_UNDECIDED)
		fill_undecided(pair, cell);
	else if (verdict == BLKBENCH_EQUAL)
		snprintf(cell, PAIR_CELL_MAX, "%s within %g %%", name,
			 equal_percent);
	else
		snprintf(cell, PAIR_CELL_MAX, "%s", name);
}

void report_text_fill_cells(const struct pair *pair, double equal_percent,
			    struct pair_cells *cells)
{
	fill_figure(pair, pair->a_figure, cells->a_figure);
	fill_figure(pair, pair->b_figure, cells->b_figure);
	text_ratio(pair->comparison.ratio, cells->ratio);
	fill_interval(&pair->comparison, cells->interval);
	fill_verdict(pair, equal_percent, cells->verdict);
}

/* ---- the table: a row for each device ----------------------------------- */

static const struct table_column columns[] = {
	{ .head = "test" },
	{ .head = "device" },
	{ .head = "measured", .is_right = true },
	{ .head = "ratio", .is_right = true },
	{ .head = "95 % interval" },
	{ .head = "verdict" },
};

/* Of the first one of a test, or of one after it. */
static int add_first(struct table *table, const struct pair *pair,
		     const struct pair_cells *cells, const char *label)
{
	const char *const row[] = { label, pair->a, cells->a_figure,
				    NULL,  NULL,    NULL };

	return table_add_row(table, row);
}

static int add_pair(struct table *table, const struct pair *pair,
		    const struct pair_cells *cells)
{
	const char *const row[] = {
		NULL,	      pair->b,	       cells->b_figure,
		cells->ratio, cells->interval, cells->verdict
	};

	return table_add_row(table, row);
}

/* Those of one test, from index on. */
static int add_test(struct table *table, const struct pairs *pairs,
		    size_t index, size_t count)
{
	const char *a = NULL;
	char label[PAIR_LABEL_MAX];
	struct pair_cells cells;
	int r = 0;

	pair_label(pairs, &pairs->list[index], label);
	for (size_t i = index; i < index + count && r == 0; i++) {
		const struct pair *pair = &pairs->list[i];

		report_text_fill_cells(pair, pairs->equal_percent, &cells);
		/* Another one, where the first has dropped out. */
		if (pair->a != a)
			r = add_first(table, pair, &cells, a ? NULL : label);
		a = pair->a;
		if (r == 0)
			r = add_pair(table, pair, &cells);
	}
	return r;
}

static int print_table(FILE *out, const struct pairs *pairs)
{
	struct table table = {
		.columns = columns,
		.columns_count = sizeof(columns) / sizeof(columns[0]),
	};
	size_t count;
	int r = 0;

	for (size_t i = 0; i < pairs->count && r == 0; i += count) {
		count = pairs_in_test(pairs, i);
		r = add_test(&table, pairs, i, count);
	}
	if (r == 0)
		r = table_print(&table, out);
	table_finish(&table);
	return r;
}

/* ---- the odd one out ---------------------------------------------------- */

/* Of three it says no more than that. */
static void print_odd_one(FILE *out, const struct pairs *pairs,
			  const struct odd_one *odd)
{
	const struct figure *figure = figure_of_speed(odd->pair->plan);
	char label[PAIR_LABEL_MAX], number[TEXT_FIGURE_MAX];

	fprintf(out, "  %s: ", pair_label(pairs, odd->pair, label));
	text_print_clean(out, odd->path);
	fprintf(out, " is the odd one out, with %s %s: ",
		figure->to_text(odd->figure / figure->divisor, number),
		figure->unit);
	if (odd->among == 3)
		fputs("the two others are much more alike\n", out);
	else
		fprintf(out, "far %s the most of %zu\n",
			odd->score < 0 ? "below" : "above", odd->among);
}

static void print_odd_ones(FILE *out, const struct pairs *pairs)
{
	struct odd_one *list;
	size_t count;

	if (pairs_find_odd(pairs, &list, &count) == 0)
		for (size_t i = 0; i < count; i++)
			print_odd_one(out, pairs, &list[i]);
	free(list);
}

/* ---- conditions --------------------------------------------------------- */

static const struct blkbench_warning *next_of_pairs(const void *of,
						    size_t *position)
{
	const struct pairs *pairs = of;

	if (*position == pairs->warnings_count)
		return NULL;
	return &pairs->warnings[(*position)++];
}

void report_text_differences(FILE *out, const struct pairs *pairs)
{
	const struct warning_list list = { next_of_pairs, pairs };

	report_text_warnings(out, &list);
}

/* ---- all of it ---------------------------------------------------------- */

void report_text_pairs(struct report *report, const struct pairs *pairs)
{
	int r;

	if (!pairs->count)
		return;
	fputs("\ncompared in turns, each with the first of its test:\n",
	      report->out);
	r = print_table(report->out, pairs);
	if (r < 0 && !report->error)
		report->error = r;
	print_odd_ones(report->out, pairs);
	report_text_differences(report->out, pairs);
}
