/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DOUBT_H
#define DOUBT_H

#include <blkbench.h>

/* Adds the warnings that follow from the figures and counts of a result. */
void doubt_find(struct blkbench_result *result);

#endif
