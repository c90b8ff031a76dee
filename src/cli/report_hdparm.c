/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <string.h>

#include "report.h"
#include "text.h"

/*
 * The lines of hdparm -t and -T, character for character, for the scripts that
 * read them: "MB" is 2^20 bytes here, and below 1 MB/s the unit is kB/sec.
 */

#define MIB 1048576.0
#define GIB (UINT64_C(1) << 30)

static void hdparm_device_begin(struct report *report,
				const struct run_device *device)
{
	fputc('\n', report->out);
	text_print_clean(report->out, device->path);
	fputs(":\n", report->out);
}

static void print_label(FILE *out, const struct blkbench_plan *plan)
{
	uint64_t offset = plan->offset_bytes;

	if (!strcmp(plan->test, "cached")) {
		fprintf(out, " Timing %scached reads:   ",
			plan->is_direct ? "O_DIRECT " : "");
		return;
	}
	fprintf(out, " Timing %s disk reads",
		plan->is_direct ? "O_DIRECT" : "buffered");
	if (offset % GIB)
		fprintf(out, " (offset %.3f GB)", (double)offset / GIB);
	else if (offset)
		fprintf(out, " (offset %" PRIu64 " GB)", offset / GIB);
	fputs(": ", out);
}

static void print_rate(FILE *out, const struct blkbench_result *result)
{
	double seconds = result->elapsed_ns / 1e9;
	double mb = result->bytes / MIB;
	double rate = mb / seconds;

	if (!result->bytes || !result->elapsed_ns)
		fputs("n/a\n", out);
	else
		fprintf(out,
			"%3" PRIu64 " MB in %5.2f seconds = %6.2f %s/sec\n",
			(uint64_t)mb, seconds, rate < 1.0 ? rate * 1024 : rate,
			rate < 1.0 ? "kB" : "MB");
}

/* A test that did not run has no line: stderr says why. */
static void hdparm_entry(struct report *report, const struct run_device *device,
			 const struct run_entry *entry)
{
	(void)device;
	if (!entry->is_measured)
		return;
	print_label(report->out, &entry->result.plan);
	print_rate(report->out, &entry->result);
}

const struct report_ops report_hdparm = {
	.device_begin = hdparm_device_begin,
	.entry = hdparm_entry,
};
