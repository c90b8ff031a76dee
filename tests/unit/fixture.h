/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <limits.h>

#include "stack.h"

/* The path of a file or directory below tests/sysfs. */
const char *fixture_path(char path[PATH_MAX], const char *name);

/*
 * What scripts/capture has written into a directory: sysfs; beside it, the
 * table of each device-mapper device in "tables/253:0", as dmsetup prints it;
 * and in "files" a line for each file that a loop device is made of: the number
 * of its file system's device (for a device node, "block" and its own), its
 * size and its path. root must outlive the source.
 */
struct stack_source fixture_source(const char *root);

#endif
