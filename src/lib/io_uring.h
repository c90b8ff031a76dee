/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef IO_URING_H
#define IO_URING_H

#include "engine.h"

struct io_uring;

/*
 * Threads that the kernel made to carry out requests of the calling thread which
 * it could not start without blocking ("iou-wrk-*"), or BLKBENCH_UNKNOWN. In a
 * container those of other threads of the process cannot be told from them.
 */
uint64_t io_uring_count_workers(void);

/* A number that is another one after any of these threads has run. */
uint64_t io_uring_worker_activity(void);

/* The ring of an open engine_io_uring: for the test that it cannot write. */
struct io_uring *io_uring_engine_ring(struct engine *engine);

#endif
