/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <math.h>

#include "report.h"
#include "text.h"

/* The lines of Seeker v2.0, character for character; its "MB" is 2^20. */

#define NS_PER_S UINT64_C(1000000000)

static int seeker_begin(struct report *report)
{
	fputs("Seeker v2.0, 2007-01-15, "
	      "http://www.linuxinsight.com/how_fast_is_your_disk.html\n",
	      report->out);
	return 0;
}

static void print_wait(FILE *out, const struct run_device *device)
{
	const struct run_step *step = &device->steps[0];

	if (!step->plans_count)
		return;
	fputs("Benchmarking ", out);
	text_print_clean(out, device->path);
	fprintf(out, " [%" PRIu64 "MB], wait %" PRIu64 " seconds",
		device->info->size_bytes >> 20,
		(step->plans[0].runtime_ns + NS_PER_S - 1) / NS_PER_S);
}

static void seeker_device_begin(struct report *report,
				const struct run_device *device)
{
	print_wait(report->out, device);
}

/* One dot for each second; the last is Seeker's even for less than one. */
static void seeker_entry(struct report *report, const struct run_device *device,
			 const struct run_entry *entry)
{
	const struct blkbench_result *result = &entry->result;
	uint64_t second;

	if (entry->repeat > 1)
		print_wait(report->out, device);
	if (!entry->is_measured || !isfinite(result->access_ms)) {
		fputc('\n', report->out);
		return;
	}
	for (second = 2; second <= result->elapsed_ns / NS_PER_S; second++)
		fputc('.', report->out);
	fprintf(report->out,
		".\nResults: %.0f seeks/second, %.2f ms random access time\n",
		floor(result->seeks_per_s), result->access_ms);
}

const struct report_ops report_seeker = {
	.begin = seeker_begin,
	.device_begin = seeker_device_begin,
	.entry = seeker_entry,
};
