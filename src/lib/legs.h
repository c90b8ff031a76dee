/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef LEGS_H
#define LEGS_H

#include "route.h"

/* Where a measurement is on its route. */
struct legs {
	struct route *route; /* or NULL; owned */
	bool is_open;	     /* leg was handed out, and is to be handed back */
	struct leg leg;
	struct leg_record mark; /* the measurement's counts where it began */
	uint64_t begin_run_ns;	/* likewise, the clock of the run */
	int error;		/* of its first failed read */
	uint64_t between_ns;	/* spent on the discarded reads of all legs */
};

/* How far a measurement is. */
struct legs_now {
	struct leg_record counts; /* from its beginning */
	uint64_t run_ns;	  /* its clock, which stands still in pauses */
	uint64_t started_bytes;	  /* of this leg; of all its reads */
	bool is_through;	  /* all of it was started */
};

/* Goes on to the next leg. Returns whether there is one. */
bool legs_next(struct legs *legs, const struct legs_now *now, uint64_t left_ns);

/* Whether to start no more reads of this leg. */
bool legs_is_over(const struct legs *legs, const struct legs_now *now);

/* When it ends at the latest, on the clock of the run; UINT64_MAX: never. */
uint64_t legs_end_ns(const struct legs *legs);

/* A read of it failed, of which now->counts are yet to know. */
void legs_note_error(struct legs *legs, const struct legs_now *now, int error);

/* Hands back what came of the leg, after its last read, if that was not done. */
void legs_take(struct legs *legs, const struct legs_now *now);

void legs_finish(struct legs *legs);

#endif
