/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
static int run_and_finish(const struct options *options)
{
	struct run *run = run_create(options);
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
		signals_install();
		return run_and_finish(&options);
	}
	r = output_flush(stdout);
	return r < 0 ? output_tell_lost(r, RUN_EXIT_OK) : RUN_EXIT_OK;
}
