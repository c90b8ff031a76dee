/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TRIAL_H
#define TRIAL_H

#include "flight.h"
#include "pattern.h"

#define TRIAL_ENGINES_MAX 4

/*
 * A short race of the engines over a plan's reads. Meant for devices whose
 * reads io_uring hands to worker threads, which can cost far more than the
 * read itself.
 */
struct trial {
	size_t count;
	uint64_t limit_ns;    /* when it has to be over */
	bool is_cut_short;    /* by that: it tells nothing */
	bool was_interrupted; /* perhaps by a signal, which someone waits for */
	bool is_broken_off;   /* by a signal: it tells nothing */
	bool is_punting; /* the workers had something to do in it as well */
	struct trial_lane {
		enum blkbench_engine engine;
		uint64_t reads, elapsed_ns; /* good ones; of its turns */
		bool has_bad_reads;	    /* which ended its turns */
		bool has_failed;	    /* it got stuck, or is not there */
		bool is_broken;		    /* no more comes of its reads */
		/* Left open when its reads did not come back in time. */
		struct flight flight;
	} lanes[TRIAL_ENGINES_MAX];
};

/*
 * Each engine has two turns of up to 25 ms, in the order A B C C B A, so that none
 * finds the device warmer than another. All of it takes 1 s at the most.
 */
void trial_run(struct trial *trial, const struct world *world,
	       const struct blkbench_plan *plan, const struct pattern *pattern);

/*
 * The engine to use: the incumbent, unless another is clearly faster and none was
 * asked for by name. Writes into text what was found, or "" if nothing that
 * matters.
 */
enum blkbench_engine trial_choose(const struct trial *trial,
				  enum blkbench_engine incumbent,
				  enum blkbench_engine asked_for,
				  char text[BLKBENCH_TEXT_MAX]);

/* Whether reads that did not come back in the race may still do so. */
bool trial_is_out(const struct trial *trial);

/* Waits for some of them, at most timeout_ns. Returns whether any came. */
bool trial_wait(struct trial *trial, uint64_t timeout_ns);

/* Takes back what has come since the race, without waiting: in each flight, what
 * is outstanding then is stuck. */
void trial_settle(struct trial *trial);

/* May block while reads of a stuck engine are outstanding. */
void trial_finish(struct trial *trial);

#endif
