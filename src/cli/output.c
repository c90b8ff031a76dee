/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

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

/* ---- files ------------------------------------------------------------- */

/* Of a path of any length the end is what tells. */
#define PATH_SHOWN_MAX 100

static int refuse(struct blkbench_error *error, int code, const char *path,
		  const char *reason)
{
	const size_t length = strlen(path);
	const bool is_cut = length > PATH_SHOWN_MAX;

	snprintf(error->text, sizeof(error->text), "%s%s: %s",
		 is_cut ? "..." : "",
		 is_cut ? path + length - PATH_SHOWN_MAX : path, reason);
	return code;
}

/* By its beginning. */
static bool holds_numbers_only(FILE *file)
{
	char text[4096];
	size_t i, length = fread(text, 1, sizeof(text), file);

	for (i = 0; i < length; i++)
		if (!strchr("0123456789\n", text[i]) || !text[i])
			return false;
	return !ferror(file);
}

static int check_old(const char *path, struct blkbench_error *error)
{
	struct stat st;
	bool is_list;
	FILE *old;

	if (stat(path, &st) != 0)
		return errno == ENOENT
			       ? 0
			       : refuse(error, -errno, path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse(error, -EINVAL, path, "is no regular file");
	old = fopen(path, "re");
	if (!old)
		return refuse(error, -errno, path, strerror(errno));
	is_list = holds_numbers_only(old);
	fclose(old);
	return is_list ? 0
		       : refuse(error, -EEXIST, path,
				"is there, and is no list of numbers");
}

int output_open_list(const char *path, FILE **file,
		     struct blkbench_error *error)
{
	int r = check_old(path, error);

	if (r < 0)
		return r;
	*file = fopen(path, "we");
	return *file ? 0 : refuse(error, -errno, path, strerror(errno));
}
