/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <math.h>

#include "figure.h"
#include "report_text.h"
#include "text.h"

/* The width of "12345.67 MB/s ±0.6 %" and a gap. */
#define FIGURE_WIDTH 25

void report_text_figure(FILE *out, const char *label, const char *figure)
{
	int width = text_width(figure);

	fprintf(out, REPORT_TEXT_LABEL "%s%*s", label, figure,
		width < FIGURE_WIDTH ? FIGURE_WIDTH - width : 2, "");
}

static void print_figure(FILE *out, const struct blkbench_result *result)
{
	const struct figure *figure = figure_of_plan(&result->plan);
	double value = figure->get(result) / figure->divisor;
	double percent = figure->get_ci95_percent(result);
	char number[TEXT_FIGURE_MAX], text[2 * TEXT_FIGURE_MAX];
	int length;

	length = snprintf(text, sizeof(text), "%8s",
			  figure->to_text(value, number));
	if (isfinite(value))
		length += snprintf(text + length, sizeof(text) - length, " %s",
				   figure->unit);
	if (isfinite(value) && isfinite(percent))
		snprintf(text + length, sizeof(text) - length, " ±%.1f %%",
			 percent);
	report_text_figure(out, result->plan.test, text);
}

/* ---- the conditions, in words ------------------------------------------ */

static void print_depth(FILE *out, const struct blkbench_plan *plan)
{
	if (plan->queue_depth == 1)
		fputs("one at a time", out);
	else
		fprintf(out, "%" PRIu64 " in flight", plan->queue_depth);
}

static bool is_whole(const struct blkbench_plan *plan,
		     const struct blkbench_info *info)
{
	return plan->offset_bytes == 0 &&
	       plan->length_bytes == info->size_bytes;
}

static void print_range(FILE *out, const struct blkbench_plan *plan,
			const struct blkbench_info *info)
{
	char offset[TEXT_FIGURE_MAX], length[TEXT_FIGURE_MAX];

	text_size(plan->offset_bytes, offset);
	text_size(plan->length_bytes, length);
	if (plan->pattern == BLKBENCH_PATTERN_REPEAT)
		fprintf(out, "the same again and again at %s", offset);
	else if (!is_whole(plan, info))
		fprintf(out, "over %s from %s", length, offset);
	else if (plan->pattern != BLKBENCH_PATTERN_SEQUENTIAL)
		fputs("over the whole device", out);
	else
		fputs("from 0", out);
}

/* What ends every line of a test. */
static void print_manner(FILE *out, const struct blkbench_result *result)
{
	char cpu[TEXT_FIGURE_MAX];

	if (result->passes > 1 &&
	    result->plan.pattern != BLKBENCH_PATTERN_REPEAT)
		fprintf(out, ", %" PRIu64 " passes", result->passes);
	if (!result->plan.is_direct)
		fputs("; through the page cache", out);
	if (result->plan.is_idle)
		fputs("; idle priority", out);
	if (result->engine)
		fprintf(out, "; %s", result->engine);
	if (isfinite(result->cpu_percent))
		fprintf(out, "; CPU %s %%",
			text_double(result->cpu_percent, 1, cpu));
	if (result->retries)
		fprintf(out, "; %" PRIu64 " retries", result->retries);
	if (result->is_partial)
		fputs("; PARTIAL", out);
	fputc('\n', out);
}

static void print_places(FILE *out, const struct blkbench_result *result)
{
	size_t known = 0, i;

	for (i = 0; i < result->zones_count; i++)
		known += isfinite(result->zones[i].rate_bytes_per_s);
	fputs("mean of ", out);
	if (known < result->zones_count)
		fprintf(out, "%zu of ", known);
	fprintf(out, "%zu place%s; ", result->zones_count,
		text_plural(result->zones_count));
}

static void print_rate_words(FILE *out, const struct blkbench_result *result,
			     const struct blkbench_info *info)
{
	char block[TEXT_FIGURE_MAX], read[TEXT_FIGURE_MAX];
	char seconds[TEXT_FIGURE_MAX];
	double mb = result->bytes / 1e6;

	if (result->plan.pattern == BLKBENCH_PATTERN_PLACES)
		print_places(out, result);
	fprintf(out, "%s reads, ", text_size(result->plan.block_bytes, block));
	print_depth(out, &result->plan);
	if (result->requests)
		fprintf(out, ": %s MB in %s s ",
			mb < 100 ? text_mb(mb, read) : text_double(mb, 0, read),
			text_seconds(result->elapsed_ns, seconds));
	else
		fputs(": none was completed ", out);
	print_range(out, &result->plan, info);
	print_manner(out, result);
}

static void print_latency(FILE *out, const struct blkbench_latency *latency)
{
	char p50[TEXT_FIGURE_MAX], p99[TEXT_FIGURE_MAX], max[TEXT_FIGURE_MAX];

	fprintf(out, "50 %% %s, 99 %% %s, max %s ms; ",
		text_ms_from_ns(latency->p50_ns, p50),
		text_ms_from_ns(latency->p99_ns, p99),
		text_ms_from_ns(latency->max_ns, max));
}

/* The result of the same step and repeat that reads one at a time, or NULL;
 * such entries follow each other. */
static const struct blkbench_result *
find_single(const struct run_device *device, const struct run_entry *entry)
{
	const struct run_entry *other = entry;

	while (other > device->entries) {
		other--;
		if (other->step != entry->step ||
		    other->repeat != entry->repeat)
			return NULL;
		if (other->is_measured && other->result.plan.queue_depth == 1)
			return &other->result;
	}
	return NULL;
}

static void print_times_single(FILE *out, const struct run_device *device,
			       const struct run_entry *entry)
{
	const struct blkbench_result *single = find_single(device, entry);
	char times[TEXT_FIGURE_MAX];

	if (!single || !(single->seeks_per_s > 0) ||
	    isnan(entry->result.seeks_per_s))
		return;
	fprintf(out, ": %s times one at a time",
		text_double(entry->result.seeks_per_s / single->seeks_per_s, 1,
			    times));
}

static void print_seek_words(FILE *out, const struct run_device *device,
			     const struct run_entry *entry)
{
	const struct blkbench_result *result = &entry->result;
	char text[TEXT_FIGURE_MAX];

	if (result->plan.queue_depth == 1) {
		if (isfinite(result->seeks_per_s))
			fprintf(out, "%s seeks/s ",
				text_per_s(result->seeks_per_s, text));
		print_depth(out, &result->plan);
	} else {
		print_depth(out, &result->plan);
		print_times_single(out, device, entry);
		fprintf(out, "; access %s ms",
			text_ms(result->access_ms, text));
		if (isfinite(result->access_ci95_percent))
			fprintf(out, " ±%.1f %%", result->access_ci95_percent);
	}
	fputs("; ", out);
	print_latency(out, &result->latency);
	fprintf(out, "%s ", text_size(result->plan.block_bytes, text));
	print_range(out, &result->plan, device->info);
	print_manner(out, result);
}

/* ---- what went wrong --------------------------------------------------- */

static void print_place(FILE *out, const char *test, uint64_t offset,
			uint64_t length)
{
	fprintf(out, REPORT_TEXT_LABEL "%s: %" PRIu64 " B at offset %" PRIu64,
		"error", test, length, offset);
}

static void print_times(FILE *out, uint64_t reads)
{
	if (reads > 1)
		fprintf(out, ", %" PRIu64 " times", reads);
}

static void print_bad_range(FILE *out, const struct blkbench_plan *plan,
			    const struct blkbench_bad_range *bad)
{
	const uint64_t sector = plan->sector_bytes;
	const uint64_t first = bad->offset_bytes / sector;
	const uint64_t last = first + bad->length_bytes / sector - 1;

	print_place(out, plan->test, bad->offset_bytes, bad->length_bytes);
	if (first == last)
		fprintf(out, " (sector %" PRIu64, first);
	else
		fprintf(out, " (sectors %" PRIu64 " to %" PRIu64, first, last);
	fprintf(out, " of %" PRIu64 " B): %s", sector,
		blkbench_read_error_text(bad->error));
	print_times(out, bad->reads);
	fputc('\n', out);
}

/* Those of which the bad sectors are known have been told by these. */
static void print_failed_read(FILE *out, const struct blkbench_plan *plan,
			      const struct blkbench_read_error *error)
{
	if (error->reread == BLKBENCH_REREAD_BAD)
		return;
	print_place(out, plan->test, error->offset_bytes, error->length_bytes);
	fprintf(out, ": %s", blkbench_read_error_text(error->error));
	print_times(out, error->reads);
	if (error->reread == BLKBENCH_REREAD_GOOD)
		fputs("; read at a second try", out);
	else if (error->error && error->length_bytes > plan->sector_bytes)
		fputs("; which sectors is not known", out);
	fputc('\n', out);
}

static void print_errors(FILE *out, const struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;
	uint64_t more = result->errors;
	size_t i;

	for (i = 0; i < result->bad_count; i++)
		print_bad_range(out, plan, &result->bad_list[i]);
	for (i = 0; i < result->errors_listed; i++) {
		print_failed_read(out, plan, &result->error_list[i]);
		more -= result->error_list[i].reads;
	}
	if (more)
		fprintf(out, REPORT_TEXT_LABEL "%s: %" PRIu64 " more\n",
			"error", plan->test, more);
	if (result->errors && result->is_partial && !result->loss &&
	    result->errors >= plan->max_errors)
		fprintf(out,
			REPORT_TEXT_LABEL "%s: given up after %" PRIu64
					  " error%s (--max-errors)\n",
			"error", plan->test, result->errors,
			text_plural(result->errors));
}

static void print_loss(FILE *out, const struct blkbench_result *result)
{
	char text[BLKBENCH_TEXT_MAX];

	if (!*text_loss(result, text))
		return;
	fprintf(out, REPORT_TEXT_LABEL "%s: ", result->loss ? "lost" : "error",
		result->plan.test);
	text_print_clean(out, text);
	fputc('\n', out);
}

static void print_stall(FILE *out, const struct blkbench_result *result)
{
	char text[BLKBENCH_TEXT_MAX];

	if (result->stalled)
		fprintf(out, REPORT_TEXT_LABEL "%s: %s\n", "stalled",
			result->plan.test, text_stall(result, text));
}

/* ---- -v ---------------------------------------------------------------- */

static void print_slices(FILE *out, const struct blkbench_result *result)
{
	const bool is_seek = result->plan.is_seek;
	const char *(*to_text)(double, char *) = is_seek ? text_per_s : text_mb;
	const double divisor = is_seek ? 1.0 : 1e6;
	char min[TEXT_FIGURE_MAX], median[TEXT_FIGURE_MAX];
	char max[TEXT_FIGURE_MAX];
	struct blkbench_spread spread;

	if (figure_slices(result, &spread) < 0)
		return;
	fprintf(out,
		REPORT_TEXT_LABEL "%zu slices: min %s, median %s, max %s %s\n",
		"", result->slices_count, to_text(spread.min / divisor, min),
		to_text(spread.median / divisor, median),
		to_text(spread.max / divisor, max),
		is_seek ? "seeks/s" : "MB/s");
}

static void print_more(FILE *out, const struct blkbench_result *result)
{
	const struct blkbench_plan *plan = &result->plan;
	char warmup[TEXT_FIGURE_MAX], p90[TEXT_FIGURE_MAX];
	char p99_9[TEXT_FIGURE_MAX], min[TEXT_FIGURE_MAX];
	char overhead[TEXT_FIGURE_MAX];

	fprintf(out,
		REPORT_TEXT_LABEL "%" PRIu64 " requests, %" PRIu64
				  " short reads, %" PRIu64 " retries; warm-up "
				  "read %s ms\n",
		"", result->requests, result->short_reads, result->retries,
		text_ms_from_ns(result->warmup_ns, warmup));
	fprintf(out,
		REPORT_TEXT_LABEL "bytes %" PRIu64 " to %" PRIu64
				  ", passes begun: %" PRIu64 "\n",
		"", plan->offset_bytes, plan->offset_bytes + plan->length_bytes,
		result->passes);
	if (plan->pattern == BLKBENCH_PATTERN_RANDOM)
		fprintf(out, REPORT_TEXT_LABEL "seed %" PRIu64 "\n", "",
			plan->seed);
	fprintf(out,
		REPORT_TEXT_LABEL "latency: min %s, 90 %% %s, 99.9 %% %s ms\n",
		"", text_ms_from_ns(result->latency.min_ns, min),
		text_ms_from_ns(result->latency.p90_ns, p90),
		text_ms_from_ns(result->latency.p99_9_ns, p99_9));
	if (isfinite(result->overhead_ns))
		fprintf(out,
			REPORT_TEXT_LABEL "the program itself %s us between "
					  "reads\n",
			"",
			text_double(result->overhead_ns / 1e3, 2, overhead));
	print_slices(out, result);
}

void report_text_entry(struct report *report, const struct run_device *device,
		       const struct run_entry *entry)
{
	const struct blkbench_result *result = &entry->result;
	FILE *out = report->out;

	if (!entry->is_measured) {
		fprintf(out, REPORT_TEXT_LABEL "skipped (",
			entry->step->test->name);
		text_print_clean(out, entry->reason);
		fputs(")\n", out);
		return;
	}
	print_figure(out, result);
	if (result->plan.is_seek)
		print_seek_words(out, device, entry);
	else
		print_rate_words(out, result, device->info);
	if (result->plan.pattern == BLKBENCH_PATTERN_PLACES)
		report_text_zones(report, device->info, result);
	print_errors(out, result);
	print_loss(out, result);
	print_stall(out, result);
	if (report->options->is_verbose)
		print_more(out, result);
}
