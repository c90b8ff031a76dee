/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "course.h"
#include "entry.h"
#include "message.h"
#include "signals.h"
#include "text.h"

/* Of devices that share the time. */
#define TIMES_ALONE 2

/* ---- what is wrong ------------------------------------------------------ */

static void device_set_status(struct run_device *device, enum run_status status,
			      const char *message)
{
	if (status <= device->status)
		return;
	device->status = status;
	snprintf(device->message, sizeof(device->message), "%s", message);
}

void device_complain(struct run_device *device, enum run_status status,
		     const char *message, struct progress *progress)
{
	if (device->status == status && !strcmp(device->message, message))
		return;
	progress_clear(progress);
	message_print(device->path, message);
	device_set_status(device, status, message);
}

static void describe_stall(const struct blkbench_result *result,
			   char text[BLKBENCH_TEXT_MAX])
{
	char stall[BLKBENCH_TEXT_MAX];

	snprintf(text, BLKBENCH_TEXT_MAX, "%s: stalled: %.*s",
		 result->plan.test, BLKBENCH_TEXT_MAX / 2,
		 text_stall(result, stall));
}

static void describe_errors(const struct blkbench_result *result,
			    char text[BLKBENCH_TEXT_MAX])
{
	uint64_t offset = result->error_list[0].offset_bytes;
	int error = result->error_list[0].error;
	char loss[BLKBENCH_TEXT_MAX];

	if (result->bad_count) {
		offset = result->bad_list[0].offset_bytes;
		error = result->bad_list[0].error;
	}
	text_loss(result, loss);
	snprintf(text, BLKBENCH_TEXT_MAX,
		 "%s: %.*s%s%" PRIu64 " read error%s, the first at offset "
		 "%" PRIu64 ": %s",
		 result->plan.test, BLKBENCH_TEXT_MAX / 2, loss,
		 *loss ? ": " : "", result->errors, text_plural(result->errors),
		 offset, blkbench_read_error_text(error));
}

/* What is wrong with the device by this result, or "". */
static void describe_failure(const struct blkbench_result *result,
			     char text[BLKBENCH_TEXT_MAX])
{
	text[0] = '\0';
	if (result->stalled)
		describe_stall(result, text);
	else if (result->errors)
		describe_errors(result, text);
	else if (result->is_partial && !signals_get_caught())
		snprintf(text, BLKBENCH_TEXT_MAX, "%s: given up",
			 result->plan.test);
}

void entry_judge(struct run_device *device,
		 const struct blkbench_result *result,
		 struct progress *progress)
{
	char text[BLKBENCH_TEXT_MAX];

	describe_failure(result, text);
	if (text[0])
		device_complain(device, RUN_FAILED, text, progress);
	if (result->is_partial && signals_get_caught()) {
		snprintf(text, sizeof(text),
			 "%s: " ENTRY_INTERRUPTED ": the figures are partial",
			 result->plan.test);
		device_complain(device, RUN_INTERRUPTED, text, progress);
	}
	device->has_stalled |= result->stalled > 0;
	device->is_lost |= result->loss > BLKBENCH_LOSS_SHRUNK;
}

static void warn_of_stop(struct blkbench_result *result)
{
	struct blkbench_warning *warning;

	if (result->warnings_count == BLKBENCH_RESULT_WARNINGS_MAX)
		return;
	warning = &result->warnings[result->warnings_count++];
	warning->code = "stopped";
	warning->test = result->plan.test;
	snprintf(warning->text, sizeof(warning->text),
		 "the program was stopped and continued in the midst of it: "
		 "that time is in the figures");
}

bool device_is_spent(const struct run_device *device)
{
	return signals_get_caught() || device->has_stalled || device->is_lost;
}

/* ---- before and after it is measured ----------------------------------- */

struct run_entry *entry_add(struct run_device *device,
			    const struct run_step *step, size_t plan,
			    uint64_t repeat)
{
	struct run_entry *entry = &device->entries[device->entries_count++];

	entry->step = step;
	entry->plan = plan;
	entry->repeat = repeat;
	return entry;
}

struct blkbench_plan entry_plan(const struct run_entry *entry)
{
	struct blkbench_plan plan = entry->step->plans[entry->plan];

	/* Repeats with the same offsets would find them in a cache. */
	plan.seed += BLKBENCH_PLANS_MAX * (entry->repeat - 1);
	return plan;
}

void entry_skip(struct run_entry *entry, struct run_device *device,
		enum run_status status, const char *reason,
		struct progress *progress)
{
	snprintf(entry->reason, sizeof(entry->reason), "%s", reason);
	if (status == RUN_UNTESTED)
		device_complain(device, status, reason, progress);
	else
		device_set_status(device, status, reason);
}

uint64_t entry_limit_ns(const struct options *options,
			const struct blkbench_plan *plan)
{
	if (options->params.runtime_ns != BLKBENCH_UNKNOWN)
		return plan->runtime_ns;
	return TIMES_ALONE * plan->runtime_ns;
}

bool entry_is_due(struct run_entry *entry, struct run_device *device,
		  struct progress *progress)
{
	if (!entry->step->plans_count)
		entry_skip(entry, device, RUN_UNTESTED, entry->step->reason,
			   progress);
	else if (signals_get_caught())
		entry_skip(entry, device, RUN_INTERRUPTED, ENTRY_INTERRUPTED,
			   progress);
	else if (device->has_stalled)
		entry_skip(entry, device, RUN_FAILED,
			   "the device stalled before", progress);
	else if (device->is_lost)
		entry_skip(entry, device, RUN_FAILED,
			   "the device was lost before", progress);
	else
		return true;
	return false;
}

void entry_take(struct run_entry *entry, struct run_device *device,
		struct progress *progress)
{
	entry->is_measured = true;
	if (entry->was_stopped)
		warn_of_stop(&entry->result);
	run_device_add_warnings(device, &entry->result);
	entry_judge(device, &entry->result, progress);
}

void entry_finish(struct run_entry *entry, struct run_device *device,
		  struct blkbench_measure *measure, struct progress *progress)
{
	int r = blkbench_measure_get_result(measure, &entry->result);

	if (r < 0)
		entry_skip(entry, device, RUN_UNTESTED, strerror(-r), progress);
	else
		entry_take(entry, device, progress);
	/* A trial of the engines that was broken off has reads in flight too. */
	if (device->has_stalled || signals_get_caught())
		device->stalled_measure = measure;
	else
		blkbench_measure_destroy(measure);
}

/* ---- the measurement of one device ------------------------------------- */

struct single {
	struct course course;
	const struct run_device *device;
	struct run_entry *entry;
	const struct blkbench_plan *plan;
	struct blkbench_measure *measure;
};

static struct single *single_of(struct course *course)
{
	return (struct single *)course;
}

static int single_advance(struct course *course, uint64_t budget_ns)
{
	return blkbench_measure_advance(single_of(course)->measure, budget_ns);
}

static void single_pause(struct course *course)
{
	blkbench_measure_pause(single_of(course)->measure);
}

static void single_stop(struct course *course)
{
	blkbench_measure_stop(single_of(course)->measure);
}

static void single_show(struct course *course)
{
	const struct single *single = single_of(course);
	struct blkbench_progress now;

	blkbench_measure_get_progress(single->measure, &now);
	progress_show(course->progress, single->device->path, single->plan,
		      &now);
}

static void single_note_stop(struct course *course)
{
	single_of(course)->entry->was_stopped = true;
}

static const struct course_ops single_ops = {
	.advance = single_advance,
	.pause = single_pause,
	.stop = single_stop,
	.show = single_show,
	.note_stop = single_note_stop,
};

void entry_measure(struct run_entry *entry, struct run_device *device,
		   struct progress *progress)
{
	const struct blkbench_plan plan = entry_plan(entry);
	struct single single = {
		.course = { .ops = &single_ops, .progress = progress },
		.device = device,
		.entry = entry,
		.plan = &plan,
	};
	struct blkbench_error error;

	if (blkbench_measure_create(device->device, &plan, &single.measure,
				    &error) < 0) {
		entry_skip(entry, device, RUN_UNTESTED, error.text, progress);
		return;
	}
	course_run(&single.course);
	device->has_stalled |= single.course.is_left;
	entry_finish(entry, device, single.measure, progress);
}

/* ---- the rest of one that has had turns --------------------------------- */

struct rest {
	struct single single;
	bool is_concluded;
	uint64_t next_check_ns; /* of its time */
};

static bool is_narrow_enough(struct rest *rest, uint64_t elapsed_ns)
{
	const double precision = rest->single.plan->precision_percent;
	struct blkbench_result result;
	bool is_narrow;

	if (isnan(precision) || elapsed_ns < rest->next_check_ns)
		return false;
	/* Rarely, as in the measurement itself. */
	rest->next_check_ns = elapsed_ns + elapsed_ns / 4;
	if (blkbench_measure_get_result(rest->single.measure, &result) < 0)
		return false;
	is_narrow = result.rate_ci95_percent <= precision;
	blkbench_result_finish(&result);
	return is_narrow;
}

static int rest_advance(struct course *course, uint64_t budget_ns)
{
	struct rest *rest = (struct rest *)course;
	struct blkbench_measure *measure = rest->single.measure;
	const uint64_t runtime = rest->single.plan->runtime_ns;
	struct blkbench_progress now;

	blkbench_measure_get_progress(measure, &now);
	if (now.elapsed_ns >= runtime ||
	    is_narrow_enough(rest, now.elapsed_ns)) {
		blkbench_measure_conclude(measure);
		rest->is_concluded = true;
	}
	if (!rest->is_concluded && runtime - now.elapsed_ns < budget_ns)
		budget_ns = runtime - now.elapsed_ns;
	return blkbench_measure_advance(measure, budget_ns);
}

static const struct course_ops rest_ops = {
	.advance = rest_advance,
	.pause = single_pause,
	.stop = single_stop,
	.show = single_show,
	.note_stop = single_note_stop,
};

void entry_go_on(struct run_entry *entry, struct run_device *device,
		 struct blkbench_measure *measure, struct progress *progress)
{
	const struct blkbench_plan plan = entry_plan(entry);
	struct rest rest = {
		.single = {
			.course = { .ops = &rest_ops, .progress = progress },
			.device = device,
			.entry = entry,
			.plan = &plan,
			.measure = measure,
		},
	};

	course_run(&rest.single.course);
	device->has_stalled |= rest.single.course.is_left;
}
