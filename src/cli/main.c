/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "options.h"
#include "run.h"
#include "signals.h"

/* Where one of the three was closed, the device would take its place, and be
 * what messages are written to. */
static void fill_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* A report that did not get out is no success; a code that says more stays. */
static int finish_stdout(int code)
{
	char text[BLKBENCH_TEXT_MAX] = "cannot write to standard output";
	int r = fflush(stdout);

	if (r == 0 && !ferror(stdout))
		return code;
	if (r != 0)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 ": %s", strerror(errno));
	message_print(NULL, text);
	return code == RUN_EXIT_OK ? RUN_EXIT_FAILED : code;
}

int main(int argc, char **argv)
{
	struct options options;
	struct blkbench_error error;
	int code = RUN_EXIT_OK;

	fill_standard_descriptors();
	if (options_parse(argc, argv, &options, &error) < 0) {
		message_print(NULL, error.text);
		return RUN_EXIT_USAGE;
	}
	switch (options.action) {
	case OPTIONS_HELP:
		options_print_help(stdout);
		break;
	case OPTIONS_VERSION:
		printf("blkbench %s\n", blkbench_version());
		break;
	case OPTIONS_RUN:
		signals_install();
		code = run(&options, stdout);
		break;
	}
	return finish_stdout(code);
}
