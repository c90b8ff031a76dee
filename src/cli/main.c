/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <stdio.h>

int main(void)
{
	puts(blkbench_version());
	return 0;
}
