/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef FALSE_DEVICE_H
#define FALSE_DEVICE_H

#include "flight.h"

/*
 * A device that exists in numbers only, with engines that read it and a clock
 * that moves when they wait: a measurement of it gives exact figures. It is
 * strict: a read that is not aligned, lies outside of the device or of the
 * engine's memory, or is not fetched before the engine is closed ends the test.
 */

#define FALSE_NEVER UINT64_MAX /* a latency: it does not come back */
#define FALSE_FULL INT32_MAX   /* a result: all that was asked for */

struct false_answer {
	uint64_t latency_ns;
	int32_t result; /* bytes, FALSE_FULL or a negative errno */
};

struct false_device {
	struct clock clock; /* first: engines find the device by it */
	uint64_t now_ns;
	uint64_t size_bytes;
	uint32_t sector_bytes;
	uint64_t worker_activity; /* as io_uring_worker_activity() */
	uint64_t ring_punts;	  /* added to it by each read of "io_uring" */
	enum blkbench_loss loss;  /* what the kernel has to say of it */
	uint64_t losses_found;	  /* how often it was asked */
	int ring_refused;	  /* negative errno of opening "io_uring" */

	/* How a read by an engine is answered; index counts all reads. */
	struct false_answer (*answer)(struct false_device *device,
				      enum blkbench_engine engine,
				      const struct io *io, uint64_t index);
	const void *script; /* for answer() */

	uint64_t reads; /* started */
	uint64_t reaped;
	uint64_t bytes_given;
	uint64_t max_in_flight;
	uint64_t highest_byte; /* end of the read that went furthest */
};

void false_device_init(struct false_device *device, uint64_t size_bytes,
		       uint32_t sector_bytes);

/* Every read takes 4 ms and gives all. */
struct false_answer false_answer_4ms(struct false_device *device,
				     enum blkbench_engine engine,
				     const struct io *io, uint64_t index);

/* One device at a time: the world's functions have no argument. */
struct world false_world(struct false_device *device);

#endif
