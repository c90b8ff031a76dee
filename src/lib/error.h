/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ERROR_H
#define ERROR_H

#include <blkbench.h>

/* Writes error->text and returns code, so that callers can return it. */
int error_set(struct blkbench_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
