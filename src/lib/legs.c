/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "legs.h"

bool legs_next(struct legs *legs, const struct legs_now *now, uint64_t left_ns)
{
	legs->mark = now->counts;
	legs->begin_run_ns = now->run_ns;
	legs->error = 0;
	legs->is_open =
		legs->route->ops->next(legs->route, left_ns, &legs->leg);
	return legs->is_open;
}

uint64_t legs_end_ns(const struct legs *legs)
{
	if (legs->leg.limit_ns > UINT64_MAX - legs->begin_run_ns)
		return UINT64_MAX;
	return legs->begin_run_ns + legs->leg.limit_ns;
}

bool legs_is_over(const struct legs *legs, const struct legs_now *now)
{
	const struct leg *leg = &legs->leg;

	return now->is_through || now->counts.errors > legs->mark.errors ||
	       now->run_ns >= legs_end_ns(legs) ||
	       (now->started_bytes >= leg->enough_bytes &&
		now->run_ns - legs->begin_run_ns >= leg->enough_ns);
}

void legs_note_error(struct legs *legs, const struct legs_now *now, int error)
{
	if (now->counts.errors == legs->mark.errors)
		legs->error = error;
}

void legs_take(struct legs *legs, const struct legs_now *now)
{
	const struct leg_record *mark = &legs->mark;
	const struct leg_record record = {
		.elapsed_ns = now->counts.elapsed_ns - mark->elapsed_ns,
		.requests = now->counts.requests - mark->requests,
		.bytes = now->counts.bytes - mark->bytes,
		.sampled = now->counts.sampled - mark->sampled,
		.zeros = now->counts.zeros - mark->zeros,
		.errors = now->counts.errors - mark->errors,
		.error = legs->error,
		.has_stalled = now->counts.has_stalled,
	};

	if (!legs->is_open)
		return;
	legs->is_open = false;
	if (record.requests > 0 || record.errors > 0 || record.has_stalled)
		legs->route->ops->take(legs->route, &record);
}

void legs_finish(struct legs *legs)
{
	route_destroy(legs->route);
	legs->route = NULL;
}
