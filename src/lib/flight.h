/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef FLIGHT_H
#define FLIGHT_H

#include <blkbench.h>

#include "clock.h"
#include "doubt.h"
#include "engine.h"
#include "pressure.h"

/*
 * The reads in flight on one engine: their buffers, what is to be read again
 * (EAGAIN, EINTR) or further (short reads), and how many completions to wait
 * for at a time. Where reads go and what they tell is not known here.
 */

/* What the outside is made of; unit tests hand in their own. */
struct world {
	int fd;
	const struct blkbench_device *device; /* for its functions */
	const struct clock *clock;
	const struct engine_ops *const *engines; /* NULL-ended, best first */
	/* io_uring_count_workers(), io_uring_worker_activity() */
	uint64_t (*count_workers)(void);
	uint64_t (*worker_activity)(void);
	bool (*read_pressure)(struct pressure *pressure); /* of the CPUs */
	/* device_find_loss() */
	enum blkbench_loss (*find_loss)(const struct blkbench_device *device,
					const char **layer);
	/* device_count_traffic() */
	bool (*count_traffic)(const struct blkbench_device *device,
			      struct doubt_traffic *traffic);
	/* device_find_limits() */
	void (*find_limits)(const struct blkbench_device *device,
			    struct doubt_limits *limits);
};

/* A read from its start to its end, whatever it took. */
struct read {
	struct io io; /* the part of it that is under way */
	uint64_t offset_bytes;
	uint32_t bytes;		/* wanted */
	uint32_t done_bytes;	/* read so far */
	uint64_t queued_ns;	/* about when the engine was given it */
	uint64_t start_ns;	/* when the kernel was first given it */
	uint32_t retries;	/* EAGAIN, EINTR */
	uint32_t further_reads; /* after short ones */
	int error;		/* positive errno, 0 or READ_ENDED */
	struct read *next_free;
	bool is_outstanding;
};

#define READ_ENDED (-1) /* the device ended before its known end */

struct flight {
	const struct world *world;
	struct engine *engine;
	unsigned int depth, ahead;
	uint32_t sector_bytes;
	unsigned int outstanding;
	struct read *reads; /* depth + ahead of them */
	struct read *free;
	void *memory;
	size_t memory_bytes;

	uint64_t entered_ns; /* when the caller came back last */

	/* The pace so far, for what to wait for. */
	uint64_t begin_ns, now_ns, finished, latency_ns;
	bool was_interrupted; /* the last wait, by a signal */
};

/*
 * Opens the engine and the buffers for a plan. Returns 0, or a negative errno
 * with error->text; reason as in engine_open().
 */
int flight_open(struct flight *flight, const struct world *world,
		const struct blkbench_plan *plan, enum blkbench_engine engine,
		struct blkbench_error *reason, struct blkbench_error *error);

/* Forgets the pace so far: after a pause, a spin-up or a trial. */
void flight_restart(struct flight *flight);

/* May block while reads are outstanding. */
void flight_close(struct flight *flight);

/* Whether one more read may be started to keep the plan's depth. */
bool flight_has_room(const struct flight *flight);

void flight_start(struct flight *flight, uint64_t offset_bytes, uint32_t bytes);

/*
 * Waits for some of the outstanding reads to end, at most timeout_ns, and hands
 * out up to max. Each is to be given back with flight_release() before the
 * next flight_wait().
 * Returns their number; 0 after a timeout or a signal, or when a read goes on;
 * or a negative errno when the engine is broken.
 */
int flight_wait(struct flight *flight, struct read **ended, unsigned int max,
		uint64_t timeout_ns);

void flight_release(struct flight *flight, struct read *read);

/* The read that has been outstanding for longest, or NULL. */
const struct read *flight_oldest(const struct flight *flight);

#endif
