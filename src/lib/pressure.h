/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PRESSURE_H
#define PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long any task of the machine has waited for a CPU: what this can explain
 * of slow reads is no fault of a device. As the kernel tells it, with "some" of
 * Documentation/accounting/psi.rst.
 */
struct pressure {
	uint64_t total_ns;	 /* up to some moment of the last 2 s */
	double last_10s_percent; /* of the time */
};

/* With less of the time lost, a machine has CPUs for all that runs. */
#define PRESSURE_BUSY_PERCENT 20.0

/* Returns false where the kernel does not tell. */
bool pressure_read_cpu(struct pressure *pressure);

/* From the text of /proc/pressure/cpu. */
bool pressure_parse(const char *text, struct pressure *pressure);

#endif
