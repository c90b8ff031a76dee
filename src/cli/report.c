/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <string.h>

#include "config.h"
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
		 FILE *out)
{
	*report = (struct report){
		.ops = options->format->ops,
		.out = out,
		.options = options,
	};
	return report->ops->begin ? report->ops->begin(report) : 0;
}

void report_device_begin(struct report *report, const struct run_device *device)
{
	if (report->ops->device_begin)
		report->ops->device_begin(report, device);
	report->devices_begun++;
	fflush(report->out);
}

void report_entry(struct report *report, const struct run_device *device,
		  const struct run_entry *entry)
{
	if (report->ops->entry)
		report->ops->entry(report, device, entry);
	fflush(report->out);
}

void report_device_end(struct report *report, const struct run_device *device)
{
	if (report->ops->device_end)
		report->ops->device_end(report, device);
	fflush(report->out);
}

int report_end(struct report *report)
{
	int r = report->ops->end ? report->ops->end(report) : 0;

	fflush(report->out);
	return r;
}
