/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <blkbench.h>
#include <stdio.h>

#include "size.h"

struct report_format;

enum options_action {
	OPTIONS_RUN,
	OPTIONS_HELP,
	OPTIONS_VERSION,
};

#define OPTIONS_REPEAT_MAX 1000

/* The command line, checked as far as that needs no device. */
struct options {
	enum options_action action;
	uint64_t tests; /* bit i: blkbench_test_list()[i]; 0: -i alone */
	struct blkbench_params params; /* offset and length are not here but: */
	bool has_offset, has_length;
	struct size offset, length;
	uint64_t stripe_bytes;	      /* or UNKNOWN */
	uint64_t stripe_offset_bytes; /* or UNKNOWN */
	uint64_t repeat;	      /* 1 to OPTIONS_REPEAT_MAX */
	const char *baseline;	      /* file to compare with, or NULL */
	const char *input;	      /* file instead of devices, or NULL */
	double equal_percent;	      /* what counts as no difference */
	const struct report_format *format;
	const char *bad_blocks; /* the file to list them in, or NULL */
	bool is_parallel;	/* all devices at the same time */
	bool is_check;		/* -c was given */
	bool is_info;		/* -i was given */
	bool is_verbose;
	bool is_alignment_required;
	/* What is to be met besides, or NAN. */
	double min_rate_mb; /* MB/s */
	double min_seeks_per_s;
	double max_access_ms;

	const char *measuring; /* first option of a measurement, or NULL */

	size_t settings_count; /* the part of argv before the devices */
	char *const *settings;
	size_t devices_count;
	char *const *devices;
};

/*
 * Reads the command line; argv is put in order (options first) and must
 * outlive options. Prints nothing and opens nothing.
 *
 * Returns 0, or -EINVAL: error->text names the option, the value and what is
 * allowed.
 */
int options_parse(int argc, char **argv, struct options *options,
		  struct blkbench_error *error)
	__attribute__((warn_unused_result));

void options_print_help(FILE *out);

#endif
