/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef MOUNTS_H
#define MOUNTS_H

#include <sys/types.h>

#include "string_list.h"

/* A device whose mounts are looked for. */
struct mounts_wanted {
	dev_t devno;
	const char *name; /* goes before " on /srv", or NULL */
};

/*
 * Adds where each of the devices is mounted, "[SWAP]" included, from the
 * tables that /proc/self/mountinfo and /proc/swaps are.
 * Returns 0, or a negative errno: not known.
 */
int mounts_list(const char *mountinfo, const char *swaps,
		const struct mounts_wanted *wanted, size_t wanted_count,
		struct string_list *mounts);

#endif
