/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ALIGNMENT_H
#define ALIGNMENT_H

#include <blkbench.h>

/* A full stripe that the device does not declare itself. */
struct alignment_stripe {
	uint64_t bytes;	       /* 0: none is given */
	uint64_t offset_bytes; /* where on the disk a stripe begins */
};

/*
 * Where the device's first byte lies against each boundary of the disk below.
 * disk_offset_bytes is where the first naturally aligned byte of that disk is:
 * topology_disk_offset().
 *
 * Misaligned: off a declared boundary, or the layers below disagree. Aligned:
 * on all of them, and one is larger than the logical sector or the device
 * begins with the disk. Else nothing is declared to judge by.
 */
void alignment_judge(const struct blkbench_topology *topology,
		     int64_t disk_offset_bytes,
		     const struct alignment_stripe *stripe,
		     struct blkbench_alignment *alignment);

#endif
