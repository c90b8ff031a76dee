/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <blkbench.h>
#include <stdio.h>

/*
 * Sees to it that what was printed gets out. Stdio tells no reason afterwards:
 * errno is to be 0 before the printing begins. Returns 0, or a negative errno.
 */
int output_flush(FILE *out);

/* Says that something did not get out, for that reason. Returns the exit code:
 * this is no success, but a code that says more than that stays. */
int output_tell_lost(int error, int code);

/* Closes it, so that its reader sees the end. What was lost before has been
 * told. Returns the exit code as output_tell_lost(). */
int output_close(FILE *out, int code);

/*
 * Opens a file for a list of numbers, and empties it. Only a regular file, and
 * none that holds anything else: a disk image that was named by mistake stays
 * what it is. Returns 0, or a negative errno, and error->text says why not.
 */
int output_open_list(const char *path, FILE **file,
		     struct blkbench_error *error)
	__attribute__((warn_unused_result));

#endif
