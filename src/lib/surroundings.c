/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "surroundings.h"

#include <math.h>
#include <sys/resource.h>

/* The kernel counts CPU time in ticks where it is short. */
#define CPU_MIN_NS (10 * NS_PER_MS)

/* NAN where a profile forbids to ask. */
static double cpu_seconds(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return NAN;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void surroundings_init(struct surroundings *surroundings,
		       const struct world *world,
		       const struct blkbench_plan *plan)
{
	*surroundings = (struct surroundings){
		.world = world,
		.is_traffic_known = plan->is_direct,
		.is_pressure_known = true,
	};
	doubt_limits_init(&surroundings->limits);
}

void surroundings_begin(struct surroundings *surroundings, bool is_quiet)
{
	const struct world *world = surroundings->world;

	surroundings->is_counting = true;
	surroundings->own_bytes = 0;
	surroundings->is_traffic_known &=
		is_quiet && world->count_traffic(world->device,
						 &surroundings->traffic_mark);
	surroundings->is_pressure_known &=
		world->read_pressure(&surroundings->pressure_mark);
	surroundings->cpu_mark = cpu_seconds();
	surroundings->activity_mark = world->worker_activity();
}

/* Of reads that have not come back, no one knows how much is counted; and where
 * it is less than was read here, the kernel does not count it all. */
static void end_traffic(struct surroundings *surroundings, bool is_quiet)
{
	const struct world *world = surroundings->world;
	const struct doubt_traffic *mark = &surroundings->traffic_mark;
	struct doubt_traffic *other = &surroundings->other_traffic;
	struct doubt_traffic now;

	surroundings->is_traffic_known &=
		is_quiet && world->count_traffic(world->device, &now) &&
		now.written_bytes >= mark->written_bytes &&
		now.read_bytes >= mark->read_bytes + surroundings->own_bytes;
	if (!surroundings->is_traffic_known)
		return;
	other->read_bytes += now.read_bytes - mark->read_bytes -
			     surroundings->own_bytes;
	other->written_bytes += now.written_bytes - mark->written_bytes;
	other->layer = now.layer;
}

static void end_pressure(struct surroundings *surroundings)
{
	const uint64_t before_ns = surroundings->pressure_mark.total_ns;

	surroundings->is_pressure_known &= surroundings->world->read_pressure(
		&surroundings->pressure_mark);
	if (surroundings->is_pressure_known)
		surroundings->cpu_wait_ns +=
			surroundings->pressure_mark.total_ns - before_ns;
}

void surroundings_end(struct surroundings *surroundings, bool is_quiet)
{
	const struct world *world = surroundings->world;

	surroundings->is_counting = false;
	end_traffic(surroundings, is_quiet);
	end_pressure(surroundings);
	surroundings->cpu_seconds += cpu_seconds() - surroundings->cpu_mark;
	if (world->worker_activity() > surroundings->activity_mark)
		surroundings->workers = world->count_workers();
}

void surroundings_finish(struct surroundings *surroundings)
{
	const struct world *world = surroundings->world;

	world->find_limits(world->device, &surroundings->limits);
}

/*
 * What the kernel counts goes on in steps of 2 s, and what it tells of the last
 * 10 s knows little of a short test: the worse of both.
 */
static double pressure_percent(const struct surroundings *surroundings,
			       uint64_t run_ns)
{
	const double wait_ns = (double)surroundings->cpu_wait_ns;

	return fmin(100, fmax(surroundings->pressure_mark.last_10s_percent,
			      wait_ns / (double)run_ns * 100));
}

/* A part that is not over does not count yet. */
static bool is_complete(const struct surroundings *surroundings,
			uint64_t run_ns)
{
	return run_ns > 0 && !surroundings->is_counting;
}

static void tell_cpu(const struct surroundings *surroundings,
		     struct blkbench_result *result)
{
	double cpu = surroundings->cpu_seconds;

	result->cpu_percent = NAN;
	if (result->elapsed_ns == BLKBENCH_UNKNOWN ||
	    result->elapsed_ns < CPU_MIN_NS)
		return;
	if (surroundings->is_counting)
		cpu += cpu_seconds() - surroundings->cpu_mark;
	result->cpu_percent = cpu / ((double)result->elapsed_ns / 1e9) * 100;
}

void surroundings_tell(const struct surroundings *surroundings, uint64_t run_ns,
		       struct blkbench_result *result)
{
	const struct doubt_traffic *other = &surroundings->other_traffic;

	tell_cpu(surroundings, result);
	result->punted = surroundings->workers;
	result->cpu_pressure_percent = NAN;
	result->other_read_bytes = BLKBENCH_UNKNOWN;
	result->other_written_bytes = BLKBENCH_UNKNOWN;
	if (!is_complete(surroundings, run_ns))
		return;
	if (surroundings->is_pressure_known)
		result->cpu_pressure_percent =
			pressure_percent(surroundings, run_ns);
	if (!surroundings->is_traffic_known)
		return;
	result->other_read_bytes = other->read_bytes;
	result->other_written_bytes = other->written_bytes;
	result->other_layer = other->layer;
}
