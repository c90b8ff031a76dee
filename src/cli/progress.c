/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "progress.h"
#include "text.h"

#define ERASE_LINE "\r\033[K"

/* One that can erase a line. */
static bool is_terminal(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
}

void progress_init(struct progress *progress)
{
	*progress = (struct progress){ .is_wanted = is_terminal() };
}

/* What runs in the background leaves the terminal to the shell. */
static bool is_in_foreground(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

/* Columns of the terminal that a line may fill without a line break. */
static int columns(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 2)
		return 79;
	return size.ws_col - 1;
}

void progress_show(struct progress *progress, const char *device,
		   const struct blkbench_plan *plan,
		   const struct blkbench_progress *now)
{
	char figure[TEXT_FIGURE_MAX];
	char *name;
	char line[160];
	int length;

	if (!progress->is_wanted || !is_in_foreground())
		return;
	if (plan->is_seek)
		text_per_s(now->seeks_per_s, figure);
	else
		text_mb(now->rate_bytes_per_s / 1e6, figure);
	length = snprintf(line, sizeof(line),
			  "%3.0f %%  %s  %s %s: ", now->fraction * 100.0,
			  plan->test, figure,
			  plan->is_seek ? "seeks/s" : "MB/s");

	/* The name comes last, so that it is what a narrow terminal cuts. */
	name = text_clean(device);
	fprintf(stderr, ERASE_LINE "%.*s%.*s", columns(), line,
		length < columns() ? columns() - length : 0, name ? name : "");
	fflush(stderr);
	free(name);
	progress->is_shown = true;
}

void progress_clear(struct progress *progress)
{
	if (!progress->is_shown)
		return;
	fputs(ERASE_LINE, stderr);
	fflush(stderr);
	progress->is_shown = false;
}
