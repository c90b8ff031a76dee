/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include "config.h"

const char *blkbench_version(void)
{
	return VERSION;
}
