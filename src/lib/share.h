/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SHARE_H
#define SHARE_H

#include <blkbench.h>

#include "compare.h"

/* What a device did alone, and what at the same time as the others: the i-th
 * slices are a pair. */
struct share_lane {
	const struct blkbench_slice *alone, *together;
};

/* Of one device. Of the settings, alpha and elapsed_ns are of no account. */
void share_of_one(const struct share_lane *lane, size_t count,
		  const struct compare_settings *settings,
		  struct blkbench_share *share);

/*
 * Of all of them: the sums of their rates. The slices of one index together are
 * of the same time, those alone are not, but side by side. Pairs in which one of
 * them did nothing are left out. Returns 0, or -ENOMEM.
 */
int share_of_all(const struct share_lane *lanes, size_t lanes_count,
		 size_t count, const struct compare_settings *settings,
		 struct blkbench_share *share)
	__attribute__((warn_unused_result));

#endif
