/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PLACE_H
#define PLACE_H

#include <blkbench.h>

/* Where a stretch of the device lies on a layer. */
struct place {
	size_t layer;	       /* index, or BLKBENCH_NO_LAYER */
	size_t above;	       /* whose leg led here; of the device itself: 0 */
	bool is_known;	       /* else nothing below is true */
	uint64_t device_bytes; /* where it begins on the device, or UNKNOWN */
	uint64_t begin_bytes, length_bytes; /* on the layer */
	/*
	 * What is aligned on the device shall be aligned on the layer. So not
	 * where the stretch begins counts, but where the device would if the
	 * stretch reached back to its beginning: so far before begin_bytes.
	 */
	int64_t shift_bytes;
	/* 0, or: it is known up to multiples of this only, and the stretch may
	 * be anywhere on the layer. */
	uint64_t multiple_bytes;
	bool is_spread; /* by a striped layer above: a part of its bytes only */
};

struct place_visitor {
	/* For each place, those above before those below. */
	void (*visit)(struct place_visitor *visitor, const struct place *place);
	/* For each segment that the place is in, before those below it; or
	 * NULL. Of the place, device_bytes is where the segment begins. */
	void (*visit_segment)(struct place_visitor *visitor,
			      const struct place *place,
			      const struct blkbench_segment *segment);
};

/*
 * Follows the device, the first of the layers, down to its disks.
 * Returns 0, or -E2BIG: there are more places than are followed.
 */
int place_follow(const struct blkbench_layer *layers,
		 struct place_visitor *visitor);

/* As if the device began at a byte of another layer, and ended within it. */
int place_follow_from(const struct blkbench_layer *layers, size_t layer,
		      uint64_t begin_bytes, struct place_visitor *visitor);

/*
 * Fills in begin_bytes and end_bytes of each layer; not where a part of the
 * device lies in the layer, or may, that cannot be told exactly.
 * Returns 0, or -ENOMEM.
 */
int place_note_extents(struct blkbench_layer *layers, size_t layers_count)
	__attribute__((warn_unused_result));

#endif
