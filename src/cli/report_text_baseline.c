/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>
#include <string.h>

#include "baseline.h"
#include "figure.h"
#include "report_text.h"
#include "text.h"

/* ---- the table ------------------------------------------------------------ */

#define TEST_WIDTH 20
#define FIGURE_WIDTH 16

static const char *figure_text(const struct figure *figure, double value,
			       char text[2 * TEXT_FIGURE_MAX])
{
	char number[TEXT_FIGURE_MAX];

	figure->to_text(value / figure->divisor, number);
	snprintf(text, 2 * TEXT_FIGURE_MAX, "%s %s", number, figure->unit);
	return text;
}

static void print_interval(FILE *out,
			   const struct blkbench_comparison *comparison)
{
	char low[TEXT_FIGURE_MAX], high[TEXT_FIGURE_MAX];
	char text[3 * TEXT_FIGURE_MAX] = "n/a";

	if (isfinite(comparison->ratio_low))
		snprintf(text, sizeof(text), "%s to %s",
			 text_double(comparison->ratio_low, 3, low),
			 text_double(comparison->ratio_high, 3, high));
	fprintf(out, "  %-16s", text);
}

static void print_undecided(FILE *out,
			    const struct blkbench_comparison *comparison)
{
	char seconds[TEXT_FIGURE_MAX];

	fputs("undecided", out);
	if (isnan(comparison->ratio_low))
		fputs(": measured too short for an interval", out);
	else if (isnan(comparison->seconds_needed))
		fputs(": the baseline was measured too short", out);
	else
		fprintf(out, ": about %s s more would tell",
			text_double(ceil(comparison->seconds_needed), 0,
				    seconds));
}

static void print_verdict(FILE *out, const struct baseline *baseline,
			  const struct blkbench_comparison *comparison)
{
	fputs("  ", out);
	if (comparison->verdict == BLKBENCH_UNDECIDED)
		print_undecided(out, comparison);
	else if (comparison->verdict == BLKBENCH_EQUAL)
		fprintf(out, "equal within %g %%",
			baseline->pairs.equal_percent);
	else
		fputs(blkbench_outcome_name(comparison->verdict), out);
	fputc('\n', out);
}

static void print_pair(FILE *out, const struct baseline *baseline,
		       const struct pair *pair)
{
	const struct figure *figure = figure_of_speed(pair->plan);
	char then[2 * TEXT_FIGURE_MAX], now[2 * TEXT_FIGURE_MAX];
	char label[PAIR_LABEL_MAX], ratio[TEXT_FIGURE_MAX];

	fprintf(out, "  %-*s %*s %*s %9s", TEST_WIDTH, pair_label(pair, label),
		FIGURE_WIDTH, figure_text(figure, pair->a_figure, then),
		FIGURE_WIDTH, figure_text(figure, pair->b_figure, now),
		text_double(pair->comparison.ratio, 3, ratio));
	print_interval(out, &pair->comparison);
	print_verdict(out, baseline, &pair->comparison);
}

/* Before the first of its lines, where there are several devices. */
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

static void print_pairs(FILE *out, const struct baseline *baseline)
{
	const struct pairs *pairs = &baseline->pairs;
	const char *device = NULL;

	if (pairs->count)
		fprintf(out, "  %-*s %*s %*s %9s  %-16s  %s\n", TEST_WIDTH,
			"test", FIGURE_WIDTH, "then", FIGURE_WIDTH, "now",
			"now/then", "95 % interval", "verdict");
	for (size_t i = 0; i < pairs->count; i++) {
		if (baseline->devices > 1 && pairs->list[i].b != device)
			print_device(out, &pairs->list[i]);
		device = pairs->list[i].b;
		print_pair(out, baseline, &pairs->list[i]);
	}
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

	fputs("\ncompared with ", out);
	report_text_source(out, baseline->results);
	print_pairs(out, baseline);
	print_unmatched(out, baseline);
	report_text_differences(out, &baseline->pairs);
}
