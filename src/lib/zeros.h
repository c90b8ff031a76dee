/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ZEROS_H
#define ZEROS_H

#include <stdint.h>

/*
 * How much of what is read is zeros, from a sample: one page of some of the
 * reads. The sample is small enough to cost little, and drawn by chance, as
 * zeros can come at regular distances.
 */
#define ZEROS_PAGE_BYTES 4096

/* Reading a page of zeros takes up to half a microsecond: not often. */
#define ZEROS_INTERVAL_NS 100000ULL
#define ZEROS_BURST 1000

struct zeros {
	uint64_t left;	 /* reads before the next one that is looked at */
	uint64_t stride; /* one of so many is, now */
	uint64_t looks;
	uint64_t reads; /* that the looks stand for */
	uint64_t zero_reads;
	uint64_t whole_reads; /* the same, up to the end of the last pass */
	uint64_t whole_zero_reads;
};

void zeros_init(struct zeros *zeros);

void zeros_look(struct zeros *zeros, uint64_t elapsed_ns, const void *data,
		uint32_t bytes);

/* A read of some bytes, complete elapsed_ns after the measurement began. */
static inline void zeros_add(struct zeros *zeros, uint64_t elapsed_ns,
			     const void *data, uint32_t bytes)
{
	if (zeros->left > 0)
		zeros->left--;
	else
		zeros_look(zeros, elapsed_ns, data, bytes);
}

/* The whole range has been read, as often as any part of it. */
void zeros_end_pass(struct zeros *zeros);

/* Of whole passes, if there were any; or NAN, when nothing was read. */
double zeros_percent(const struct zeros *zeros);

#endif
