/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ALIGNMENT_H
#define ALIGNMENT_H

#include <blkbench.h>

/* A full stripe that the disks below do not declare themselves. */
struct alignment_stripe {
	uint64_t bytes;	       /* 0: none is given */
	uint64_t offset_bytes; /* where on a disk a stripe begins */
};

/*
 * Where the device, the first of the layers, lies against the boundaries of all
 * layers below it.
 *
 * Misaligned: off a declared boundary, or the kernel says so of what is not
 * known here. Aligned: on all of them; each disk declares one that is larger
 * than its logical sector, or the device begins with the disk; and no part of
 * the way is unknown. Else it cannot be told.
 *
 * The caller frees alignment->findings, which name the layers.
 */
void alignment_judge(const struct blkbench_layer *layers,
		     const struct alignment_stripe *stripe,
		     struct blkbench_alignment *alignment);

#endif
