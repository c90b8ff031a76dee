/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "run.h"
#include "signals.h"

/* Where one of the three was closed, the device would take its place, and be
 * what messages are written to. */
static void fill_standard_descriptors(void)
{
	int fd;

	/* Not /dev/null, which a bare chroot may lack; and what is written to
	 * this one fails, as it should. */
	do
		fd = open("/", O_PATH);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* Who reads the report need not wait for the end of a device that hangs. */
static int run_and_finish(const struct options *options,
			  const struct results *then)
{
	struct run *run = run_create(options, then);
	int code = RUN_EXIT_UNTESTED;

	if (run)
		code = run_carry_out(run, stdout);
	else
		message_print(NULL, strerror(ENOMEM));
	code = output_close(stdout, code);
	/* There is nothing left to lose by ending at once. */
	signals_reset();
	if (run && run_may_hang(run))
		fclose(stderr);
	run_destroy(run);
	return code;
}

static int run_options(const struct options *options)
{
	struct results then = { .path = NULL };
	const struct results *baseline = options->baseline ? &then : NULL;
	int code = RUN_EXIT_OK;

	/* Nothing is begun before the file has been found to be right. */
	if (baseline)
		code = input_load(options->baseline, &then);
	if (code == RUN_EXIT_OK && options->input) {
		code = input_report(options, baseline, stdout);
	} else if (code == RUN_EXIT_OK) {
		signals_install();
		code = run_and_finish(options, baseline);
	}
	results_finish(&then);
	return code;
}

int main(int argc, char **argv)
{
	struct options options;
	struct blkbench_error error;
	int r;

	fill_standard_descriptors();
	if (options_parse(argc, argv, &options, &error) < 0) {
		message_print(NULL, error.text);
		return RUN_EXIT_USAGE;
	}
	errno = 0;
	switch (options.action) {
	case OPTIONS_HELP:
		options_print_help(stdout);
		break;
	case OPTIONS_VERSION:
		printf("blkbench %s\n", blkbench_version());
		break;
	case OPTIONS_RUN:
		return run_options(&options);
	}
	r = output_flush(stdout);
	return r < 0 ? output_tell_lost(r, RUN_EXIT_OK) : RUN_EXIT_OK;
}
