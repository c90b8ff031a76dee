/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "course.h"
#include "entry.h"
#include "joint.h"
#include "signals.h"

/* A joint while it is carried out. */
struct act {
	struct course course;
	const struct joint *joint;
	const struct joint_member *members;
	const struct blkbench_plan *plans; /* of the members */
	struct blkbench_parallel *parallel;
};

/* ---- as a course -------------------------------------------------------- */

static struct act *act_of(struct course *course)
{
	return (struct act *)course;
}

static int act_advance(struct course *course, uint64_t budget_ns)
{
	return blkbench_parallel_advance(act_of(course)->parallel, budget_ns);
}

static void act_pause(struct course *course)
{
	blkbench_parallel_pause(act_of(course)->parallel);
}

static void act_stop(struct course *course)
{
	blkbench_parallel_stop(act_of(course)->parallel);
}

static void act_show(struct course *course)
{
	const struct act *act = act_of(course);
	struct blkbench_parallel_progress parallel;
	struct blkbench_progress now = { 0 };
	char all[32];

	blkbench_parallel_get_progress(act->parallel, &parallel);
	now.fraction = parallel.fraction;
	now.rate_bytes_per_s = parallel.rate_bytes_per_s;
	now.seeks_per_s = parallel.seeks_per_s;
	snprintf(all, sizeof(all), "all %zu devices",
		 act->joint->devices_count);
	progress_show(course->progress,
		      parallel.current == BLKBENCH_ALL
			      ? all
			      : act->members[parallel.current].device->path,
		      &act->plans[0], &now);
}

/* It stops all of their threads. */
static void act_note_stop(struct course *course)
{
	const struct act *act = act_of(course);

	for (size_t i = 0; i < act->joint->devices_count; i++)
		act->members[i].entry->was_stopped = true;
}

static const struct course_ops act_ops = {
	.advance = act_advance,
	.pause = act_pause,
	.stop = act_stop,
	.show = act_show,
	.note_stop = act_note_stop,
};

/* ---- what came of it ---------------------------------------------------- */

static void take_alone(struct act *act, size_t index)
{
	const struct joint_member *member = &act->members[index];
	struct progress *progress = act->course.progress;
	struct blkbench_error error;
	int r;

	r = blkbench_parallel_get_alone(act->parallel, index,
					&member->entry->result, &error);
	if (r == 0)
		entry_take(member->entry, member->device, progress);
	else if (signals_get_caught())
		entry_skip(member->entry, member->device, RUN_INTERRUPTED,
			   ENTRY_INTERRUPTED, progress);
	else
		entry_skip(member->entry, member->device, RUN_UNTESTED,
			   error.text, progress);
}

/* What went wrong only then went wrong all the same. */
static void take_together(struct act *act, struct joint *joint, size_t index)
{
	const struct joint_member *member = &act->members[index];
	struct joint_device *device = &joint->devices[index];
	struct blkbench_error error;
	int r;

	r = blkbench_parallel_get_together(act->parallel, index,
					   &device->together, &error);
	device->is_measured = r == 0;
	if (r == 0)
		entry_judge(member->device, &device->together,
			    act->course.progress);
	else if (r != -ENODATA && r != -EBUSY)
		device_complain(member->device, RUN_UNTESTED, error.text,
				act->course.progress);
	if (r == 0 && isnan(joint->cpu_percent))
		joint->cpu_percent = device->together.cpu_percent;
	device->is_partial = r < 0 || device->together.is_partial ||
			     device->together.stalled > 0 ||
			     !member->entry->is_measured ||
			     member->entry->result.is_partial;
}

static void take(struct act *act, struct joint *joint)
{
	for (size_t i = 0; i < joint->devices_count; i++) {
		struct joint_device *device = &joint->devices[i];

		act->members[i].device->has_stalled |= act->course.is_left;
		take_alone(act, i);
		take_together(act, joint, i);
		/* Both need memory only for all together. */
		if (blkbench_parallel_get_share(act->parallel, i,
						&device->share) < 0)
			device->share.slices = 0;
		joint->among += device->share.slices > 0;
	}
	if (blkbench_parallel_get_share(act->parallel, BLKBENCH_ALL,
					&joint->total) < 0)
		joint->total.slices = 0;
	joint->is_partial = signals_get_caught() != 0;
}

/* Where a device hangs, so may the end of its thread. */
static void put_off_end(struct act *act)
{
	for (size_t i = 0; i < act->joint->devices_count; i++) {
		struct run_device *device = act->members[i].device;

		if (!device->has_stalled && !signals_get_caught())
			continue;
		device->stalled_parallel = act->parallel;
		return;
	}
	blkbench_parallel_destroy(act->parallel);
}

/* ---- one plan ----------------------------------------------------------- */

static int init(struct joint *joint, const struct options *options,
		const struct joint_member *members, size_t count)
{
	const struct run_entry *entry = members[0].entry;

	*joint = (struct joint){
		.test = entry->step->test->name,
		.plan = &entry->step->plans[entry->plan],
		.repeat = entry->repeat,
		.equal_percent = options->equal_percent,
		.cpu_percent = NAN,
		.devices_count = count,
		.devices = calloc(count, sizeof(*joint->devices)),
	};
	if (!joint->devices)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		joint->devices[i].path = members[i].device->path;
	return 0;
}

static int create(struct act *act, const struct options *options,
		  struct blkbench_plan *plans, struct blkbench_error *error)
{
	const size_t count = act->joint->devices_count;
	const struct blkbench_parallel_params params = {
		.limit_ns = entry_limit_ns(options, act->joint->plan),
		.equal_percent = options->equal_percent,
		.seed = act->members[0].device->seed,
	};
	struct blkbench_device **devices = calloc(count, sizeof(*devices));
	int r;

	if (!devices)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		devices[i] = act->members[i].device->device;
		plans[i] = entry_plan(act->members[i].entry);
	}
	r = blkbench_parallel_create(devices, plans, count, &params,
				     &act->parallel, error);
	free(devices);
	return r;
}

static void skip_all(const struct act *act, const char *reason)
{
	for (size_t i = 0; i < act->joint->devices_count; i++)
		entry_skip(act->members[i].entry, act->members[i].device,
			   RUN_UNTESTED, reason, act->course.progress);
}

int joint_measure(struct joint *joint, const struct options *options,
		  const struct joint_member *members, size_t count,
		  struct progress *progress)
{
	struct blkbench_plan *plans = calloc(count, sizeof(*plans));
	struct act act = {
		.course = { .ops = &act_ops, .progress = progress },
		.joint = joint,
		.members = members,
		.plans = plans,
	};
	struct blkbench_error error = { "no memory to measure with" };
	int r = plans ? init(joint, options, members, count) : -ENOMEM;

	if (r == 0)
		r = create(&act, options, plans, &error);
	if (r < 0) {
		skip_all(&act, error.text);
		goto free_plans;
	}
	course_run(&act.course);
	if (act.course.is_left)
		blkbench_parallel_leave(act.parallel);
	take(&act, joint);
	put_off_end(&act);

free_plans:
	free(plans);
	return r;
}

void joint_finish(struct joint *joint)
{
	for (size_t i = 0; i < joint->devices_count; i++)
		if (joint->devices[i].is_measured)
			blkbench_result_finish(&joint->devices[i].together);
	free(joint->devices);
}

/* ---- what they have in common ------------------------------------------- */

static void warn_of_sharing(struct run_device *device,
			    const struct run_device *other, const char *layer)
{
	struct blkbench_warning *warning = &device->sharing_warning;

	warning->code = "shared";
	snprintf(warning->text, sizeof(warning->text),
		 "it lies on %.80s, as does %.80s: at the same time they have "
		 "what that one gives",
		 layer, other->path);
	run_device_add_warning(device, warning);
}

void joint_warn_of_sharing(struct run_device *devices, size_t count)
{
	const char *layer;

	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < i && devices[i].info; k++) {
			if (!devices[k].info)
				continue;
			layer = blkbench_shared_layer(devices[k].info,
						      devices[i].info);
			if (!layer)
				continue;
			warn_of_sharing(&devices[i], &devices[k], layer);
			break;
		}
	}
}
