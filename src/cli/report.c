/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <string.h>

#include "config.h"
#include "output.h"
#include "report.h"

/* clang-format off */
static const struct report_format formats[] = {
	{ "text",   NULL, NULL,        BLKBENCH_UNKNOWN, &report_text },
	{ "json",   NULL, NULL,        BLKBENCH_UNKNOWN,
#if HAVE_JSON
	  &report_json },
#else
	  NULL },
#endif
	{ "hdparm", "tT", "-t and -T", BLKBENCH_UNKNOWN, &report_hdparm },
	{ "seeker", "s",  "-s",        1,                &report_seeker },
};
/* clang-format on */

const struct report_format *report_find_format(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

int report_begin(struct report *report, const struct options *options,
		 const struct results *input, FILE *out)
{
	*report = (struct report){
		.ops = options->format->ops,
		.out = out,
		.options = options,
		.input = input,
	};
	return report->ops->begin ? report->ops->begin(report) : 0;
}

/* The first reason why something did not get out is kept for the end. */
static void flush(struct report *report)
{
	int r = output_flush(report->out);

	if (!report->error)
		report->error = r;
}

void report_device_begin(struct report *report, const struct run_device *device)
{
	errno = 0;
	if (report->ops->device_begin)
		report->ops->device_begin(report, device);
	report->devices_begun++;
	flush(report);
}

void report_entry(struct report *report, const struct run_device *device,
		  const struct run_entry *entry)
{
	errno = 0;
	if (report->ops->entry)
		report->ops->entry(report, device, entry);
	flush(report);
}

void report_device_end(struct report *report, const struct run_device *device)
{
	errno = 0;
	if (report->ops->device_end)
		report->ops->device_end(report, device);
	flush(report);
}

void report_pairs(struct report *report, const struct pairs *pairs)
{
	errno = 0;
	if (report->ops->pairs)
		report->ops->pairs(report, pairs);
	flush(report);
}

void report_baseline(struct report *report, const struct baseline *baseline)
{
	errno = 0;
	if (report->ops->baseline)
		report->ops->baseline(report, baseline);
	flush(report);
}

void report_joints(struct report *report, const struct joints *joints)
{
	errno = 0;
	if (report->ops->joints)
		report->ops->joints(report, joints);
	flush(report);
}

int report_end(struct report *report)
{
	int r;

	errno = 0;
	r = report->ops->end ? report->ops->end(report) : 0;
	flush(report);
	return r < 0 ? r : report->error;
}
