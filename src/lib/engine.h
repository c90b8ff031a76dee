/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ENGINE_H
#define ENGINE_H

#include <blkbench.h>

#include "clock.h"

/*
 * An engine hands reads to the kernel and takes them back. It knows offsets,
 * lengths and buffers; what they are good for, the measuring loop knows.
 *
 *	queue(io)	remember it; nothing need happen yet
 *	wait(...)	submit what is queued, then wait for completions
 *
 * All calls come from the thread that opened it.
 */

/* One read. The loop fills the first part, the engine the second. */
struct io {
	uint64_t offset_bytes;
	uint32_t bytes;
	void *buffer; /* inside the engine's memory */
	/* It came back with EAGAIN: to be read by a thread that may wait. */
	bool may_wait;

	int32_t result;	    /* bytes read, or a negative errno */
	uint64_t submit_ns; /* when the kernel was given it */
	uint64_t done_ns;   /* when it was seen to be complete */
};

struct engine_setup {
	int fd; /* the device; not owned */
	const struct clock *clock;
	void *memory; /* holds every buffer, page aligned; not owned */
	size_t memory_bytes;
	unsigned int depth; /* reads that are in flight at the same time */
	unsigned int ahead; /* that may be queued beyond depth */
	uint16_t ioprio;    /* of the reads, as ioprio_set(2) has it; 0: none */
};

struct engine;

struct engine_ops {
	enum blkbench_engine id;
	/* Returns 0, or a negative errno with error->text. */
	int (*open)(const struct engine_setup *setup, struct engine **engine,
		    struct blkbench_error *error);
	/* Never fails: at most depth reads are outstanding, or depth + ahead
	 * with an engine that has_queue_ahead. */
	void (*queue)(struct engine *engine, struct io *io);
	/*
	 * Waits until min reads (at least 1, at most those outstanding) are
	 * complete, the timeout has passed or a signal came; hands out up to
	 * max. A read that could not be submitted completes with its errno.
	 * Returns the number handed out, 0 included, or a negative errno when
	 * the engine itself is broken.
	 */
	int (*wait)(struct engine *engine, struct io **done, unsigned int max,
		    unsigned int min, uint64_t timeout_ns);
	/* May block while reads are outstanding. NULL is not allowed. */
	void (*close)(struct engine *engine);
};

/* Engines embed this as their first member. */
struct engine {
	const struct engine_ops *ops;
	/* Reads queued beyond depth are carried out without a word to the
	 * loop, so that fast ones need no switch of threads for each. */
	bool has_queue_ahead;
};

extern const struct engine_ops engine_io_uring;
extern const struct engine_ops engine_aio; /* only with libaio */
extern const struct engine_ops engine_pread;

/* The engines that are built in, best first; NULL ends it. */
extern const struct engine_ops *const engine_table[];

/*
 * Opens the asked-for engine of a table like the above, or with AUTO the first
 * that opens. Where AUTO took another than the first, reason says why (""
 * otherwise). Returns 0, or a negative errno with error->text.
 */
int engine_open(const struct engine_ops *const *table, enum blkbench_engine id,
		const struct engine_setup *setup, struct engine **engine,
		struct blkbench_error *reason, struct blkbench_error *error);

static inline void engine_close(struct engine *engine)
{
	if (engine)
		engine->ops->close(engine);
}

#endif
