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

#define FALSE_NEVER UINT64_MAX /* a time: it does not come */
#define FALSE_FULL INT32_MAX   /* a result: all that was asked for */

struct false_answer {
	uint64_t latency_ns;
	int32_t result; /* bytes, FALSE_FULL or a negative errno */
};

/* What a call of wait meets with besides completions. */
struct false_wait {
	uint64_t signal_ns; /* it returns after so long, or FALSE_NEVER */
	int error;	    /* negative errno: the engine is broken; or 0 */
};

/* What really became of a read, or of a part of it. */
struct false_end {
	int32_t result;
	uint64_t submit_ns, done_ns;
};

struct false_device;

/* Is told what the engines do; they are numbered as they are opened. */
struct false_witness {
	void (*queued)(struct false_device *device, unsigned int engine,
		       const struct io *io);
	void (*ended)(struct false_device *device, unsigned int engine,
		      const struct io *io, const struct false_end *end);
	/* With so many reads that have ended and were not fetched. */
	void (*closed)(struct false_device *device, unsigned int engine,
		       unsigned int unfetched);
};

/* How it deceives the loop, once: for tests of tests. */
enum false_lie {
	FALSE_LIE_NONE,
	FALSE_LIE_BYTE,	 /* says all, gave one byte less */
	FALSE_LIE_ERROR, /* says EIO, gave all */
	FALSE_LIE_AGE,	 /* says that it took 1 s longer */
	FALSE_LIE_TWICE, /* hands a read out once more */
	FALSE_LIE_LOST,	 /* does not hand it out */
	FALSE_LIE_LATE,	 /* waits for 1000 s, whatever the timeout */
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
	enum blkbench_loss told;  /* what it said then, the last time */
	struct pressure pressure; /* of the CPUs */
	/* What others have read, so far, and whether the kernel counts. */
	uint64_t other_bytes;
	bool counts_nothing;
	struct doubt_limits limits; /* of its reads */
	int ring_refused;	    /* negative errno of opening "io_uring" */
	bool has_pread;		    /* "pread" too, which has a queue ahead */
	bool is_disorderly;	    /* the first two to end change places */
	uint64_t wait_ns;	    /* what each call of wait takes at least */
	bool may_abandon;	    /* engines are closed with reads to come */
	/* So long the program is stopped in its next wait, which ends with it,
	 * as a wait does with SIGCONT. */
	uint64_t stop_ns;

	/* How a read by an engine is answered; index counts all reads. */
	struct false_answer (*answer)(struct false_device *device,
				      enum blkbench_engine engine,
				      const struct io *io, uint64_t index);
	struct false_wait (*answer_wait)(struct false_device *device,
					 unsigned int engine);
	const void *script; /* for answer() */

	const struct false_witness *witness; /* or NULL */
	enum false_lie lie;
	uint64_t lie_at; /* when so many have been reaped */

	bool was_signal; /* the last wait ended by one, with nothing */

	unsigned int engines; /* opened */
	unsigned int closed;  /* of them */
	uint64_t reads;	      /* started */
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
