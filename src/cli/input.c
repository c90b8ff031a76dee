/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <string.h>

#include "baseline.h"
#include "input.h"
#include "message.h"
#include "output.h"
#include "report.h"

int input_load(const char *path, struct results *results)
{
	struct blkbench_error error;
	int r;

	r = results_read(path, results, &error);
	if (r == 0)
		return RUN_EXIT_OK;
	message_print(path, error.text);
	/* What is in it is as bad a value as any other of an option. */
	return r == -EINVAL ? RUN_EXIT_USAGE : RUN_EXIT_UNTESTED;
}

/* What -n was in the run of this device. */
static uint64_t count_repeats(const struct run_device *device)
{
	uint64_t last = 1;

	for (size_t i = 0; i < device->entries_count; i++)
		if (device->entries[i].repeat > last)
			last = device->entries[i].repeat;
	return last + device->repeats_skipped;
}

static void report_device(struct report *report, struct options *options,
			  const struct run_device *device)
{
	options->repeat = count_repeats(device);
	if (device->info)
		report_device_begin(report, device);
	for (size_t i = 0; i < device->entries_count; i++)
		report_entry(report, device, &device->entries[i]);
	report_device_end(report, device);
}

static int compare(struct report *report, const struct options *options,
		   const struct results *then, const struct results *now)
{
	const struct baseline_now ours = {
		.version = now->version,
		.host = &now->host,
		.devices_count = now->devices_count,
		.devices = now->devices,
	};
	struct baseline baseline;
	int r;

	r = baseline_compare(then, &ours, options->equal_percent, &baseline);
	if (r == 0)
		report_baseline(report, &baseline);
	baseline_finish(&baseline);
	return r;
}

int input_report_results(const struct options *options,
			 const struct results *then, const struct results *now,
			 FILE *out)
{
	struct options shown = *options;
	struct report report;
	int r, compared = 0;

	r = report_begin(&report, &shown, now, out);
	if (r < 0)
		return r;
	for (size_t i = 0; i < now->devices_count; i++)
		report_device(&report, &shown, &now->devices[i]);
	if (then)
		compared = compare(&report, options, then, now);
	r = report_end(&report);
	return compared < 0 ? compared : r;
}

int input_report(const struct options *options, const struct results *then,
		 FILE *out)
{
	struct results now;
	int code, r;

	code = input_load(options->input, &now);
	if (code == RUN_EXIT_OK) {
		r = input_report_results(options, then, &now, out);
		if (r < 0)
			code = output_tell_lost(r, code);
	}
	results_finish(&now);
	return code;
}
