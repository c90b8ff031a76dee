/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "message.h"
#include "output.h"
#include "run.h"

int output_flush(FILE *out)
{
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}

int output_tell_lost(int error, int code)
{
	char text[BLKBENCH_TEXT_MAX];

	snprintf(text, sizeof(text), "cannot write to standard output: %s",
		 strerror(-error));
	message_print(NULL, text);
	return code == RUN_EXIT_OK ? RUN_EXIT_FAILED : code;
}

int output_close(FILE *out, int code)
{
	const bool was_told = ferror(out);

	if (fclose(out) == 0 || was_told)
		return code;
	return output_tell_lost(-errno, code);
}
