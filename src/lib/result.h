/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RESULT_H
#define RESULT_H

#include <blkbench.h>

#include "histogram.h"
#include "slices.h"

/*
 * Completes a result in which the counts are set: copies the histogram and the
 * slices and derives the figures.
 * Returns 0, or -ENOMEM.
 */
int result_summarise(struct blkbench_result *result,
		     const struct histogram *histogram,
		     const struct slices *slices);

/* Keeps it if it is among the slowest. */
void result_note_latency(struct blkbench_result *result, uint64_t offset_bytes,
			 uint64_t latency_ns);

void result_warn(struct blkbench_result *result, const char *code,
		 const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
