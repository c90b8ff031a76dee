/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef CONTENT_H
#define CONTENT_H

#include <blkbench.h>

#include "clock.h"
#include "engine.h"

/*
 * The two ends of a device, where everything that says what it contains lies.
 * They are read by an engine and copied to a sparse file in memory, so that
 * whoever looks at the file can neither fail nor hang on the device.
 */
#define CONTENT_HEAD_BYTES (2ULL << 20)
#define CONTENT_TAIL_BYTES (1ULL << 20)
/* Of one read: small, so that a bad sector takes little with it. */
#define CONTENT_BLOCK_BYTES (64ULL << 10)
#define CONTENT_TIME_NS NS_PER_S

struct content_source {
	int fd;
	uint64_t size_bytes;
	const struct clock *clock;
	const struct engine_ops *const *engines; /* like engine_table */
};

struct content;

/*
 * Reads the ends for as long as CONTENT_TIME_NS. Returns 0, or a negative errno
 * with error->text: no engine. On success the caller owns *content.
 */
int content_read(const struct content_source *source, struct content **content,
		 struct blkbench_error *error);

/* NULL is allowed. May block while reads of a hung device are outstanding. */
void content_close(struct content *content);

struct content_state {
	unsigned int reads;
	unsigned int outstanding; /* when time was up */
	int engine_error;	  /* positive errno, or 0 */
	unsigned int failed;
	uint64_t failed_offset_bytes; /* the first one of them, */
	int failed_error;	      /* and its positive errno */
};

void content_get_state(const struct content *content,
		       struct content_state *state);

/*
 * A file in memory, as large as the device, with what was read where it was
 * read and holes elsewhere. Returns a descriptor that the caller closes, or a
 * negative errno.
 */
int content_to_file(const struct content *content);

#endif
