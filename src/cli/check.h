/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CHECK_H
#define CHECK_H

#include "options.h"
#include "progress.h"
#include "run.h"

/* Before the tests of a device; nothing happens where no check is asked for. */
void check_begin(struct run_check *check, const struct options *options,
		 struct run_device *device, struct progress *progress);

/* After them: asks what the tests do not tell, and judges. */
void check_end(struct run_check *check, struct run_device *device,
	       struct progress *progress);

void check_finish(struct run_check *check);

/* The layer that a reason is about, to be followed by it: "sda: ", or "". */
const char *check_subject(const struct blkbench_reason *reason,
			  char subject[BLKBENCH_TEXT_MAX]);

#endif
