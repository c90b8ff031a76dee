/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef ROUTE_H
#define ROUTE_H

#include <blkbench.h>

/*
 * A route takes a plan to several places: in legs, which are read one after the
 * other, each after a discarded read, and have figures of their own. Where the
 * next one goes may depend on what those before it gave. The measuring loop asks
 * for the legs and hands back what came of them; what they are good for, the
 * route knows.
 */

/* Of the plan's pattern, over a range of its own. */
struct leg {
	uint64_t offset_bytes;
	uint64_t length_bytes; /* at least the plan's block */
	/* It ends when it has had both of these, after limit_ns whatever it
	 * had, after one pass, or with the first read that fails. */
	uint64_t enough_bytes, enough_ns;
	uint64_t limit_ns;
};

/* What came of a leg. */
struct leg_record {
	uint64_t elapsed_ns;
	uint64_t requests, bytes; /* of good reads */
	uint64_t sampled, zeros;  /* reads: of a sample, and those of zeros */
	uint64_t errors;
	int error;	  /* of the first of them, as a read error has it */
	bool has_stalled; /* reads did not come back: there is no next leg */
};

struct route;

struct route_ops {
	/* Returns whether there is one more leg, where left_ns remain for it and
	 * all that would follow. */
	bool (*next)(struct route *route, uint64_t left_ns, struct leg *leg);
	/* Of the leg that was handed out last. One that is cut short by the end
	 * of the test comes back as well; one that was not begun does not. */
	void (*take)(struct route *route, const struct leg_record *record);
	double (*fraction)(const struct route *route); /* done, 0 to 1 */
	/* Adds to a result what the legs came to. Returns 0, or -ENOMEM. */
	int (*summarise)(const struct route *route,
			 struct blkbench_result *result);
	void (*destroy)(struct route *route);
};

/* Routes embed this as their first member. */
struct route {
	const struct route_ops *ops;
};

static inline void route_destroy(struct route *route)
{
	if (route)
		route->ops->destroy(route);
}

#endif
