/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "report_text.h"
#include "text.h"

/* "0.709", "1.04", "12.3": as many figures as an interval is worth. */
static const char *text_ratio(double ratio, char text[TEXT_FIGURE_MAX])
{
	return text_double(ratio, ratio < 10 ? 3 : ratio < 100 ? 1 : 0, text);
}

static void print_ratio(FILE *out, const struct blkbench_comparison *comparison)
{
	char ratio[TEXT_FIGURE_MAX], low[TEXT_FIGURE_MAX];
	char high[TEXT_FIGURE_MAX];

	if (isnan(comparison->ratio))
		return;
	fprintf(out, "%s times as fast", text_ratio(comparison->ratio, ratio));
	if (isnan(comparison->ratio_low))
		fputs(", without an interval", out);
	else
		fprintf(out, " (95 %%: %s to %s)",
			text_ratio(comparison->ratio_low, low),
			text_ratio(comparison->ratio_high, high));
	fputs(": ", out);
}

static void print_verdict(FILE *out, const struct pair *pair,
			  double equal_percent)
{
	const struct blkbench_comparison *comparison = &pair->comparison;
	const double seconds = comparison->seconds_needed;
	char text[TEXT_FIGURE_MAX];

	fputs(blkbench_outcome_name(comparison->verdict), out);
	if (comparison->verdict == BLKBENCH_EQUAL)
		fprintf(out, " within %s %%",
			text_double(equal_percent, equal_percent < 1 ? 2 : 1,
				    text));
	if (pair->is_partial)
		fputs("; PARTIAL", out);
	else if (comparison->verdict == BLKBENCH_UNDECIDED && !isnan(seconds))
		fprintf(out, "; some %s s more might tell (-r)",
			text_double(ceil(seconds), 0, text));
	else if (comparison->verdict == BLKBENCH_UNDECIDED)
		fputs("; too little was measured to tell (-r)", out);
	fputc('\n', out);
}

static void print_pair(FILE *out, const struct pair *pair, double equal_percent)
{
	char label[PAIR_LABEL_MAX];

	fprintf(out, "  %-18s ", pair_label(pair, label));
	text_print_clean(out, pair->b);
	fputs(": ", out);
	print_ratio(out, &pair->comparison);
	print_verdict(out, pair, equal_percent);
}

/* ---- the odd one out ---------------------------------------------------- */

/* Of three it says no more than that. */
static void print_odd_one(FILE *out, const struct odd_one *odd)
{
	const struct figure *figure = figure_of_speed(odd->pair->plan);
	char label[PAIR_LABEL_MAX], number[TEXT_FIGURE_MAX];

	fprintf(out, "  %-18s ", pair_label(odd->pair, label));
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
			print_odd_one(out, &list[i]);
	free(list);
}

/* ---- conditions --------------------------------------------------------- */

static bool was_printed(const struct pairs *pairs, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(pairs->warnings[i].text,
			    pairs->warnings[index].text))
			return true;
	return false;
}

static bool is_test_of(const struct pairs *pairs, size_t index,
		       const char *text)
{
	const struct blkbench_warning *warning = &pairs->warnings[index];

	return warning->test && !strcmp(warning->text, text);
}

/* "sequential and seek: ", each once, for all that the same is said of. */
static void print_tests(FILE *out, const struct pairs *pairs, size_t first)
{
	const struct blkbench_warning *warnings = pairs->warnings;
	const char *before = NULL;

	for (size_t i = first; i < pairs->warnings_count; i++) {
		if (!is_test_of(pairs, i, warnings[first].text) ||
		    (before && !strcmp(before, warnings[i].test)))
			continue;
		fprintf(out, "%s%s", before ? " and " : "", warnings[i].test);
		before = warnings[i].test;
	}
	if (before)
		fputs(": ", out);
}

void report_text_differences(FILE *out, const struct pairs *pairs)
{
	for (size_t i = 0; i < pairs->warnings_count; i++) {
		if (was_printed(pairs, i))
			continue;
		fprintf(out, REPORT_TEXT_LABEL, "warning");
		print_tests(out, pairs, i);
		text_print_clean(out, pairs->warnings[i].text);
		fputc('\n', out);
	}
}

/* ---- all of it ---------------------------------------------------------- */

void report_text_pairs(struct report *report, const struct pairs *pairs)
{
	const char *a = NULL;

	for (size_t i = 0; i < pairs->count; i++) {
		const struct pair *pair = &pairs->list[i];

		/* Another first one, where that has dropped out. */
		if (pair->a != a) {
			fputs("\ncompared with ", report->out);
			text_print_clean(report->out, pair->a);
			fputs(":\n", report->out);
			a = pair->a;
		}
		print_pair(report->out, pair, pairs->equal_percent);
	}
	print_odd_ones(report->out, pairs);
	report_text_differences(report->out, pairs);
}
