/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <blkbench.h>

/* One line on stderr that is redrawn, if that is a terminal; else nothing. */
struct progress {
	bool is_wanted;
	bool is_shown;
};

void progress_init(struct progress *progress);
void progress_show(struct progress *progress, const char *device,
		   const struct blkbench_plan *plan,
		   const struct blkbench_progress *now);

/* To be called before anything else is printed. */
void progress_clear(struct progress *progress);

#endif
