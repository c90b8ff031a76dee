/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "joint.h"
#include "options.h"
#include "pair.h"
#include "run.h"

/*
 * A way to print what a run found. Reports see devices and results only; they
 * measure nothing and decide nothing.
 */
struct report;
struct baseline;
struct results;

/* In the order in which they are called; any may be NULL. */
struct report_ops {
	int (*begin)(struct report *report);
	void (*device_begin)(struct report *report,
			     const struct run_device *device);
	/* An entry of device->entries is there: it was measured or skipped. */
	void (*entry)(struct report *report, const struct run_device *device,
		      const struct run_entry *entry);
	/* Also for devices that could not be opened, without device_begin. */
	void (*device_end)(struct report *report,
			   const struct run_device *device);
	/* After all devices, where they were compared. */
	void (*pairs)(struct report *report, const struct pairs *pairs);
	/* Instead, where they were read at the same time. */
	void (*joints)(struct report *report, const struct joints *joints);
	/* With --baseline, after these. */
	void (*baseline)(struct report *report,
			 const struct baseline *baseline);
	int (*end)(struct report *report);
};

struct report_format {
	const char *name;
	/* The tests it can show, its default first; NULL: all. */
	const char *letters;
	const char *allowed;  /* the same in words */
	uint64_t queue_depth; /* the only one that it can show, or UNKNOWN */
	const struct report_ops *ops; /* NULL: not built in */
};

struct report {
	const struct report_ops *ops;
	FILE *out;
	const struct options *options;
	const struct results *input; /* NULL: it is being measured */
	size_t devices_begun;
	int error;   /* negative errno of what did not get out, or 0 */
	void *state; /* of the format, between begin and end */
};

/* NULL: there is none of that name. */
const struct report_format *report_find_format(const char *name);

/* begin and end return 0, or -ENOMEM; end also another negative errno when
 * something did not get out. */
int report_begin(struct report *report, const struct options *options,
		 const struct results *input, FILE *out)
	__attribute__((warn_unused_result));
void report_device_begin(struct report *report,
			 const struct run_device *device);
void report_entry(struct report *report, const struct run_device *device,
		  const struct run_entry *entry);
void report_device_end(struct report *report, const struct run_device *device);
void report_pairs(struct report *report, const struct pairs *pairs);
void report_baseline(struct report *report, const struct baseline *baseline);
void report_joints(struct report *report, const struct joints *joints);
int report_end(struct report *report) __attribute__((warn_unused_result));

extern const struct report_ops report_text;
extern const struct report_ops report_json; /* only with json-c */
extern const struct report_ops report_hdparm;
extern const struct report_ops report_seeker;

#endif
