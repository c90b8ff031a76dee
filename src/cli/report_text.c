/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <string.h>

#include "figure.h"
#include "limit.h"
#include "report_text.h"
#include "text.h"
#include "words.h"

/* ---- the first line ---------------------------------------------------- */

static const char *const kinds[] = {
	[BLKBENCH_KIND_UNKNOWN] = "block device",
	[BLKBENCH_KIND_DISK] = "disk",
	[BLKBENCH_KIND_PARTITION] = "partition",
	[BLKBENCH_KIND_LV] = "logical volume",
	[BLKBENCH_KIND_DM] = "device-mapper device",
	[BLKBENCH_KIND_MD] = "md array",
	[BLKBENCH_KIND_LOOP] = "loop device",
	[BLKBENCH_KIND_ZRAM] = "zram device",
	[BLKBENCH_KIND_FILE] = "regular file",
};

static void print_kind(FILE *out, const struct blkbench_info *info)
{
	if (info->name) {
		text_print_clean(out, info->name);
	} else if (info->kind == BLKBENCH_KIND_PARTITION && info->parent) {
		fputs("partition ", out);
		if (info->partition)
			fprintf(out, "%u ", info->partition);
		fputs("of /dev/", out);
		text_print_clean(out, info->parent);
	} else {
		fputs(kinds[info->kind], out);
	}
}

static void print_model(FILE *out, const struct blkbench_info *info)
{
	const char *vendor = info->vendor;

	if (!vendor && !info->model)
		return;
	/* Many models begin with it. */
	if (vendor && info->model &&
	    !strncmp(info->model, vendor, strlen(vendor)))
		vendor = NULL;
	fputs(", ", out);
	text_print_clean(out, vendor);
	if (vendor && info->model)
		fputc(' ', out);
	text_print_clean(out, info->model);
}

static void print_flags(FILE *out, const struct blkbench_info *info)
{
	if (info->rotational == BLKBENCH_YES)
		fputs(", rotational", out);
	if (info->rotational == BLKBENCH_NO)
		fputs(", not rotational", out);
	if (info->removable == BLKBENCH_YES)
		fputs(", removable", out);
	if (info->read_only == BLKBENCH_YES)
		fputs(", read-only", out);
}

static void print_content(FILE *out, const struct blkbench_content *content)
{
	text_print_clean(out, content->type);
	if (!content->label || !*content->label)
		return;
	fputs(" \"", out);
	text_print_clean(out, content->label);
	fputc('"', out);
}

static void print_list(FILE *out, const char *before, size_t count,
		       const char *const *list)
{
	size_t i;

	for (i = 0; i < count; i++) {
		fputs(i ? " and " : before, out);
		text_print_clean(out, list[i]);
	}
}

static void print_name(FILE *out, const struct blkbench_info *info)
{
	text_print_clean(out, info->path);
	if (!info->resolved || !strcmp(info->path, info->resolved))
		return;
	fputs(" -> ", out);
	text_print_clean(out, info->resolved);
	if (info->major || info->minor)
		fprintf(out, " (%u:%u)", info->major, info->minor);
}

static void print_header(FILE *out, const struct blkbench_info *info)
{
	char size[TEXT_FIGURE_MAX];

	print_name(out, info);
	fputs(": ", out);
	print_kind(out, info);
	fprintf(out, ", %s", text_capacity(info->size_bytes, size));
	print_model(out, info);
	print_flags(out, info);
	if (info->content.type) {
		fputs(", ", out);
		print_content(out, &info->content);
	}
	print_list(out, ", mounted on ", info->mounts_count, info->mounts);
	print_list(out, ", held by ", info->holders_count, info->holders);
	fputc('\n', out);
}

/* ---- what it is made of ------------------------------------------------ */

static void print_identity(FILE *out, const struct blkbench_info *info)
{
	const struct {
		const char *name, *value;
	} known[] = {
		{ "serial ", info->serial },
		{ "firmware ", info->firmware },
		{ "wwn ", info->wwn },
		{ "", info->transport },
	};
	const char *before = NULL;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!known[i].value)
			continue;
		if (before)
			fputs(before, out);
		else
			fprintf(out, REPORT_TEXT_LABEL, "identity");
		fputs(known[i].name, out);
		text_print_clean(out, known[i].value);
		before = ", ";
	}
	if (before)
		fputc('\n', out);
}

static void print_bytes(FILE *out, const char *before, uint64_t bytes,
			const char *after)
{
	if (bytes == BLKBENCH_UNKNOWN)
		fprintf(out, "%s%s not reported", before, after);
	else
		fprintf(out, "%s%" PRIu64 " B %s", before, bytes, after);
}

static void print_sectors(FILE *out, const struct blkbench_topology *topology)
{
	fprintf(out, REPORT_TEXT_LABEL, "sectors");
	print_bytes(out, "", topology->logical_sector_bytes, "logical");
	print_bytes(out, ", ", topology->physical_sector_bytes, "physical");
	print_bytes(out, "; I/O ", topology->io_min_bytes, "minimum");
	print_bytes(out, ", ", topology->io_opt_bytes, "optimal");
	if (topology->io_opt_is_bogus)
		fputs(" (bogus, not used)", out);
	fputc('\n', out);
}

static const char *const verdicts[] = {
	[BLKBENCH_ALIGNMENT_UNKNOWN] = "not known",
	[BLKBENCH_ALIGNED] = "aligned",
	[BLKBENCH_MISALIGNED] = "MISALIGNED",
};

static void print_findings(FILE *out,
			   const struct blkbench_alignment *alignment)
{
	size_t i;

	for (i = 0; i < alignment->findings_count; i++)
		fprintf(out, REPORT_TEXT_LABEL "%s\n", "",
			alignment->findings[i].text);
}

static void print_limits(FILE *out, const struct blkbench_info *info)
{
	const struct blkbench_topology *topology = &info->topology;

	fprintf(out, REPORT_TEXT_LABEL, "device");
	if (info->kind != BLKBENCH_KIND_FILE)
		fprintf(out, "%u:%u; ", info->major, info->minor);
	print_bytes(out, "", topology->dma_alignment_bytes, "DMA alignment");
	print_bytes(out, ", ", topology->max_request_bytes, "largest request");
	if (topology->queue_requests != BLKBENCH_UNKNOWN)
		fprintf(out, ", %" PRIu64 " requests in the queue",
			topology->queue_requests);
	fputc('\n', out);
}

static int text_begin(struct report *report)
{
	if (!report->input)
		return 0;
	report_text_source(report->out, report->input);
	fputc('\n', report->out);
	return 0;
}

static void text_device_begin(struct report *report,
			      const struct run_device *device)
{
	const struct blkbench_info *info = device->info;
	FILE *out = report->out;

	if (report->devices_begun)
		fputc('\n', out);
	print_header(out, info);
	print_identity(out, info);
	print_sectors(out, &info->topology);
	fprintf(out, REPORT_TEXT_LABEL "%s: %s\n", "alignment",
		verdicts[info->alignment.verdict], info->alignment.text);
	if (report->options->is_verbose)
		print_findings(out, &info->alignment);
	report_text_stack(out, info);
	if (report->options->is_verbose)
		print_limits(out, info);
}

/* ---- after the tests --------------------------------------------------- */

static const char *reason_to_skip(const struct run_device *device)
{
	if (device->status == RUN_INTERRUPTED)
		return "interrupted";
	return device->has_stalled ? "the device stalled"
				   : "the device was lost";
}

static void print_skipped(FILE *out, const struct options *options,
			  const struct run_device *device)
{
	if (device->repeats_skipped)
		fprintf(out,
			REPORT_TEXT_LABEL "%" PRIu64 " of %" PRIu64
					  " repeats (%s)\n",
			"skipped", device->repeats_skipped, options->repeat,
			reason_to_skip(device));
}

static const char *const trends[] = {
	[BLKBENCH_DIRECTION_UNKNOWN] = "",
	[BLKBENCH_STEADY] = "",
	[BLKBENCH_RISING] = ", rising",
	[BLKBENCH_FALLING] = ", falling",
};

static void print_median(FILE *out, const struct run_device *device,
			 const struct run_step *step, size_t plan)
{
	const struct figure *figure = figure_of_plan(&step->plans[plan]);
	char number[TEXT_FIGURE_MAX], text[2 * TEXT_FIGURE_MAX];
	char min[TEXT_FIGURE_MAX], max[TEXT_FIGURE_MAX],
		percent[TEXT_FIGURE_MAX];
	struct blkbench_spread spread;
	struct blkbench_trend trend;
	size_t count;

	if (figure_summarise(device, step, plan, &spread, &count) < 0 ||
	    figure_find_trend(device, step, plan, &trend) < 0 || count < 2)
		return;
	figure->to_text(figure_main(figure, device, step, plan, &spread) /
				figure->divisor,
			number);
	snprintf(text, sizeof(text), "%8s %s", number, figure->unit);
	if (run_step_is_cached(step, plan))
		report_text_figure(out, "first", text);
	else
		report_text_figure(out, "median", text);
	fprintf(out, "%s%s in %zu runs: %s to %s %s, spread %s %%%s\n",
		step->test->name,
		step->plans[plan].is_direct ? "" : " buffered", count,
		figure->to_text(spread.min / figure->divisor, min),
		figure->to_text(spread.max / figure->divisor, max),
		figure->unit, text_double(spread.percent, 1, percent),
		trends[trend.direction]);
}

static void print_medians(FILE *out, const struct run_device *device)
{
	size_t i, plan;

	for (i = 0; i < device->steps_count; i++)
		for (plan = 0; plan < device->steps[i].plans_count; plan++)
			print_median(out, device, &device->steps[i], plan);
}

/* "sequential and seek: ", each once, for all tests that the same is said of. */
static void print_tests(FILE *out, const struct warning_list *list,
			size_t position, const struct blkbench_warning *first)
{
	const struct blkbench_warning *warning = first;
	const char *before = NULL;

	do {
		if (!warning->test || strcmp(warning->text, first->text) ||
		    (before && !strcmp(before, warning->test)))
			continue;
		fprintf(out, "%s%s", before ? " and " : "", warning->test);
		before = warning->test;
	} while ((warning = list->next(list->of, &position)));
	if (before)
		fputs(": ", out);
}

static bool was_printed(const struct warning_list *list,
			const struct blkbench_warning *warning)
{
	const struct blkbench_warning *before;
	size_t position = 0;

	while ((before = list->next(list->of, &position)) != warning)
		if (!strcmp(before->text, warning->text))
			return true;
	return false;
}

void report_text_warnings(FILE *out, const struct warning_list *list)
{
	const struct blkbench_warning *warning;
	size_t position = 0;

	while ((warning = list->next(list->of, &position))) {
		if (was_printed(list, warning))
			continue;
		fprintf(out, REPORT_TEXT_LABEL, "warning");
		print_tests(out, list, position, warning);
		text_print_clean(out, warning->text);
		fputc('\n', out);
	}
}

static const struct blkbench_warning *next_of_device(const void *device,
						     size_t *position)
{
	return run_device_next_warning(device, position);
}

static void print_warnings(FILE *out, const struct run_device *device)
{
	const struct warning_list list = { next_of_device, device };

	report_text_warnings(out, &list);
}

/* The command that reads the same blocks again: where devices are compared,
 * which they are depends on all of them. */
static void print_command(FILE *out, const struct options *options,
			  const struct run_device *device)
{
	size_t i;

	fprintf(out, REPORT_TEXT_LABEL "blkbench --seed %" PRIu64, "repeat",
		device->seed);
	for (i = 0; i < options->settings_count; i++) {
		fputc(' ', out);
		text_print_quoted(out, options->settings[i]);
	}
	for (i = 0; i < options->devices_count; i++) {
		if (!options->tests && options->devices[i] != device->path)
			continue;
		fputc(' ', out);
		text_print_quoted(out, options->devices[i]);
	}
	fputc('\n', out);
}

/* Of a run that was made earlier: stderr tells nothing of it. */
static void print_status(FILE *out, const struct run_device *device)
{
	if (device->status == RUN_OK)
		return;
	if (device->info) {
		fprintf(out, REPORT_TEXT_LABEL, "status");
	} else {
		text_print_clean(out, device->path);
		fputs(": ", out);
	}
	fprintf(out, "%s: ", words_get(&words_status, device->status));
	text_print_clean(out, device->message);
	fputc('\n', out);
}

static void print_unmet(FILE *out, const struct run_device *device)
{
	char text[BLKBENCH_TEXT_MAX];
	size_t i;

	for (i = 0; i < device->limits_count; i++)
		if (device->limits[i].is_met == BLKBENCH_NO)
			fprintf(out, REPORT_TEXT_LABEL "%s\n", "unmet",
				limits_text(&device->limits[i], text));
}

static void text_device_end(struct report *report,
			    const struct run_device *device)
{
	FILE *out = report->out;

	if (report->input)
		print_status(out, device);
	if (!device->info)
		return; /* stderr has told */
	print_skipped(out, report->options, device);
	if (report->options->repeat > 1)
		print_medians(out, device);
	if (device->was_probed) {
		fprintf(out, REPORT_TEXT_LABEL, "content");
		print_content(out, &device->info->content);
		fputc('\n', out);
	}
	print_unmet(out, device);
	report_text_check(out, &device->check);
	print_warnings(out, device);
	if (report->options->is_verbose)
		print_command(out, report->options, device);
}

const struct report_ops report_text = {
	.begin = text_begin,
	.device_begin = text_device_begin,
	.entry = report_text_entry,
	.device_end = text_device_end,
	.pairs = report_text_pairs,
	.baseline = report_text_baseline,
	.joints = report_text_joints,
};
