/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conditions.h"
#include "course.h"
#include "entry.h"
#include "figure.h"
#include "message.h"
#include "signals.h"
#include "versus.h"

struct member {
	struct run_device *device;
	struct run_entry *entry;
	struct blkbench_plan plan; /* as it would be carried out alone */
	struct blkbench_measure *measure;
	bool is_out;		      /* nothing more is to be had of it */
	const struct member *against; /* that it was compared with, or NULL */
	struct blkbench_comparison comparison;
};

/* The devices that one plan of a test is carried out on. */
struct group {
	struct course course;
	const struct versus *versus;
	size_t count;
	struct member *members;
	/* Those that take turns. */
	size_t lanes_count;
	struct member **lanes;
	struct blkbench_measure **measures;
	struct blkbench_turns *turns;
	size_t current; /* the lane that had the turn before the last advance */
};

/* ---- the turns as a course ---------------------------------------------- */

static struct group *group_of(struct course *course)
{
	return (struct group *)course;
}

static size_t current_lane(const struct group *group)
{
	struct blkbench_turns_progress progress;

	blkbench_turns_get_progress(group->turns, &progress);
	return progress.current;
}

static int group_advance(struct course *course, uint64_t budget_ns)
{
	struct group *group = group_of(course);

	group->current = current_lane(group);
	return blkbench_turns_advance(group->turns, budget_ns);
}

static void group_pause(struct course *course)
{
	blkbench_turns_pause(group_of(course)->turns);
}

static void group_stop(struct course *course)
{
	blkbench_turns_stop(group_of(course)->turns);
}

static void group_show(struct course *course)
{
	const struct group *group = group_of(course);
	const struct member *member = group->lanes[current_lane(group)];
	struct blkbench_turns_progress turns;
	struct blkbench_progress now;

	blkbench_turns_get_progress(group->turns, &turns);
	blkbench_measure_get_progress(member->measure, &now);
	now.fraction = turns.fraction;
	progress_show(course->progress, member->device->path, &member->plan,
		      &now);
}

/* Which of the turns of that advance it came in is not known. */
static void group_note_stop(struct course *course)
{
	struct group *group = group_of(course);

	group->lanes[group->current]->entry->was_stopped = true;
	group->lanes[current_lane(group)]->entry->was_stopped = true;
}

static const struct course_ops group_ops = {
	.advance = group_advance,
	.pause = group_pause,
	.stop = group_stop,
	.show = group_show,
	.note_stop = group_note_stop,
};

/* ---- one plan of a test ------------------------------------------------- */

/* Memory against memory says nothing of the devices. */
static bool is_comparable(const struct blkbench_plan *plan)
{
	return plan->is_direct || plan->pattern != BLKBENCH_PATTERN_REPEAT;
}

/* Adds an entry to each device that has the plan. Those that can be measured
 * are members. */
static void gather(struct group *group, size_t step_index, size_t plan,
		   uint64_t repeat)
{
	const struct versus *versus = group->versus;
	const struct run_step *step;
	struct run_device *device;
	struct run_entry *entry;

	for (size_t i = 0; i < versus->devices_count; i++) {
		device = &versus->devices[i];
		if (step_index >= device->steps_count ||
		    device->repeats_skipped)
			continue;
		step = &device->steps[step_index];
		/* What the device cannot do is said once. */
		if (step->plans_count ? plan >= step->plans_count
				      : plan > 0 || repeat > 1)
			continue;
		entry = entry_add(device, step, plan, repeat);
		if (!entry_is_due(entry, device, versus->progress))
			continue;
		group->members[group->count++] = (struct member){
			.device = device,
			.entry = entry,
			.plan = entry_plan(entry),
		};
	}
}

/* One that cannot be measured is no member any more. */
static void prepare(struct group *group)
{
	struct progress *progress = group->course.progress;
	struct blkbench_error error;
	size_t count = 0;

	for (size_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];
		struct blkbench_plan plan = member->plan;

		plan.runtime_ns =
			entry_limit_ns(group->versus->options, &member->plan);
		plan.precision_percent = NAN;
		if (blkbench_measure_create(member->device->device, &plan,
					    &member->measure, &error) < 0)
			entry_skip(member->entry, member->device, RUN_UNTESTED,
				   error.text, progress);
		else
			group->members[count++] = *member;
	}
	group->count = count;
}

/* Failed, stalled or interrupted. */
static bool is_out(const struct blkbench_measure *measure)
{
	struct blkbench_result result;
	bool is_out;

	if (blkbench_measure_get_result(measure, &result) < 0)
		return true;
	is_out = result.is_partial || result.stalled > 0;
	blkbench_result_finish(&result);
	return is_out;
}

/* Not one whose comparison stands. */
static bool is_wanted(const struct member *member)
{
	return !member->is_out &&
	       (!member->against || member->against->is_out ||
		member->comparison.verdict == BLKBENCH_UNDECIDED);
}

static void choose_lanes(struct group *group)
{
	group->lanes_count = 0;
	for (size_t i = 0; i < group->count; i++) {
		struct member *member = &group->members[i];

		if (!is_wanted(member))
			continue;
		group->measures[group->lanes_count] = member->measure;
		group->lanes[group->lanes_count++] = member;
	}
}

/* Returns whether one dropped out. */
static bool end_turns(struct group *group)
{
	struct member *member;
	bool has_lost = false;

	for (size_t i = 0; i < group->lanes_count; i++) {
		member = group->lanes[i];
		member->is_out = is_out(member->measure);
		has_lost |= member->is_out;
		/* Whose turn it was is not asked: all are left alone. */
		member->device->has_stalled |= group->course.is_left;
		if (i == 0)
			continue;
		member->against = group->lanes[0];
		blkbench_turns_get_comparison(group->turns, i,
					      &member->comparison);
	}
	blkbench_turns_destroy(group->turns);
	return has_lost;
}

/* Returns whether the others are to begin anew: one that drops out may have
 * taken all of their time. */
static bool take_turns(struct group *group)
{
	struct blkbench_turns_params params = {
		.equal_percent = group->versus->options->equal_percent,
		.seed = group->versus->devices[0].seed,
	};
	struct blkbench_error error;

	choose_lanes(group);
	for (size_t i = 0; i < group->lanes_count; i++)
		params.limit_ns += entry_limit_ns(group->versus->options,
						  &group->lanes[i]->plan);
	/* Without memory for it each is measured alone. */
	if (group->lanes_count < 2 ||
	    blkbench_turns_create(group->measures, group->lanes_count, &params,
				  &group->turns, &error) < 0)
		return false;
	course_run(&group->course);
	return end_turns(group) && !signals_get_caught();
}

static int add_pair(struct versus *versus, const struct member *member)
{
	const struct member *against = member->against;
	const struct run_entry *entry = member->entry;
	const struct figure *figure = figure_of_speed(&member->plan);
	struct pair pair;
	int r;

	if (!against || !entry->is_measured || !against->entry->is_measured)
		return 0;
	pair = (struct pair){
		.test = entry->step->test->name,
		.plan = &entry->step->plans[entry->plan],
		.repeat = entry->repeat,
		.a = against->device->path,
		.b = member->device->path,
		.a_figure = figure->get(&against->entry->result),
		.b_figure = figure->get(&entry->result),
		.is_partial = against->is_out || member->is_out,
		.comparison = member->comparison,
	};
	r = pairs_add(&versus->pairs, &pair);
	/* Of one that hangs no engine may be known yet. */
	if (r < 0 || pair.is_partial)
		return r;
	return conditions_warn_of_devices(&versus->pairs, against->device,
					  &against->entry->result,
					  member->device, &entry->result);
}

static void compare(struct versus *versus, struct group *group)
{
	struct member *member;

	prepare(group);
	while (take_turns(group))
		;
	/* No figure is worse for having been compared. */
	for (size_t i = 0; i < group->count; i++) {
		member = &group->members[i];
		if (!member->is_out && !signals_get_caught())
			entry_go_on(member->entry, member->device,
				    member->measure, group->course.progress);
	}
	for (size_t i = 0; i < group->count; i++) {
		member = &group->members[i];
		entry_finish(member->entry, member->device, member->measure,
			     group->course.progress);
	}
	for (size_t i = 0; i < group->count; i++)
		if (add_pair(versus, &group->members[i]) < 0)
			message_print(NULL, strerror(ENOMEM));
}

static void join(struct versus *versus, const struct group *group)
{
	struct joint_member *members = calloc(group->count, sizeof(*members));
	struct joint *joint = &versus->joints.list[versus->joints.count];

	for (size_t i = 0; i < group->count && members; i++)
		members[i] = (struct joint_member){
			.device = group->members[i].device,
			.entry = group->members[i].entry,
		};
	if (members && joint_measure(joint, versus->options, members,
				     group->count, versus->progress) == 0)
		versus->joints.count++;
	else
		joint_finish(joint);
	free(members);
}

static void group_run(struct versus *versus, struct group *group, size_t step,
		      size_t plan, uint64_t repeat)
{
	group->count = 0;
	gather(group, step, plan, repeat);
	if (group->count > 1 && is_comparable(&group->members[0].plan)) {
		if (versus->options->is_parallel)
			join(versus, group);
		else
			compare(versus, group);
		return;
	}
	for (size_t i = 0; i < group->count; i++)
		entry_measure(group->members[i].entry, group->members[i].device,
			      group->course.progress);
}

/* ---- all of them -------------------------------------------------------- */

static size_t count_steps(const struct versus *versus)
{
	size_t most = 0;

	for (size_t i = 0; i < versus->devices_count; i++)
		if (versus->devices[i].steps_count > most)
			most = versus->devices[i].steps_count;
	return most;
}

static void end_repeat(struct versus *versus, uint64_t repeat)
{
	struct run_device *device;

	for (size_t i = 0; i < versus->devices_count; i++) {
		device = &versus->devices[i];
		if (!device->repeats_skipped && device_is_spent(device))
			device->repeats_skipped = versus->options->repeat -
						  repeat;
	}
}

static void run_all(struct versus *versus, struct group *group)
{
	const size_t steps = count_steps(versus);
	const uint64_t repeats = versus->options->repeat;

	for (uint64_t repeat = 1; repeat <= repeats; repeat++) {
		for (size_t step = 0; step < steps; step++)
			for (size_t plan = 0; plan < BLKBENCH_PLANS_MAX; plan++)
				group_run(versus, group, step, plan, repeat);
		end_repeat(versus, repeat);
	}
}

int versus_run(struct versus *versus)
{
	const size_t n = versus->devices_count;
	const size_t joints = versus->options->repeat * count_steps(versus) *
			      BLKBENCH_PLANS_MAX;
	struct group group = {
		.course = { .ops = &group_ops, .progress = versus->progress },
		.versus = versus,
		.members = calloc(n, sizeof(*group.members)),
		.lanes = calloc(n, sizeof(*group.lanes)),
		.measures = calloc(n, sizeof(struct blkbench_measure *)),
	};
	int r = -ENOMEM;

	versus->pairs = (struct pairs){
		.equal_percent = versus->options->equal_percent,
		.repeats = versus->options->repeat,
	};
	versus->joints.repeats = versus->options->repeat;
	versus->joints.list = calloc(joints + 1, sizeof(*versus->joints.list));
	if (group.members && group.lanes && group.measures &&
	    versus->joints.list) {
		run_all(versus, &group);
		r = 0;
	}
	free(group.measures);
	free(group.lanes);
	free(group.members);
	return r;
}

void versus_finish(struct versus *versus)
{
	pairs_finish(&versus->pairs);
	for (size_t i = 0; i < versus->joints.count; i++)
		joint_finish(&versus->joints.list[i]);
	free(versus->joints.list);
	versus->joints = (struct joints){ 0 };
}
