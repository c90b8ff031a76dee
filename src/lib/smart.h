/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SMART_H
#define SMART_H

#include <blkbench.h>

/* What smartctl is told to exit with where a disk has stopped. */
#define SMART_STATUS_ASLEEP 3

/* Nothing is known, nobody was asked. */
void smart_init(struct blkbench_smart *smart);

/* Notes why nothing is told. */
void smart_refuse(struct blkbench_smart *smart,
		  enum blkbench_smart_answer answer, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Runs program, "smartctl" or a test's, on a device, "/dev/sda". Takes up to
 * limit_ns, and up to 1 s more to get rid of a program that hangs.
 */
void smart_ask(const char *program, const char *device, uint64_t limit_ns,
	       struct blkbench_smart *smart);

/* Reads what it has printed, which may be anything. */
void smart_parse(const char *text, struct blkbench_smart *smart);

#endif
