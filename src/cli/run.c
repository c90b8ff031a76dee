/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "message.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "run.h"
#include "signals.h"
#include "text.h"

/* How long a signal or the progress line waits at the most. */
#define ADVANCE_NS 100000000ULL

/* An advance that took so long and was followed by SIGCONT: the program was
 * stopped in it. SIGCONT alone says nothing, timeout(1) sends it to be sure. */
#define STOPPED_NS (5 * ADVANCE_NS)

#define INTERRUPTED "interrupted"

struct run {
	const struct options *options;
	struct report report;
	struct progress progress;
	size_t devices_count;
	struct run_device *devices;
};

/* Of all statuses the last in this order wins. */
static void device_set_status(struct run_device *device, enum run_status status,
			      const char *message)
{
	if (status <= device->status)
		return;
	device->status = status;
	snprintf(device->message, sizeof(device->message), "%s", message);
}

/* The same on stderr, once for all tests that it is the answer to. */
static void device_complain(struct run *run, struct run_device *device,
			    enum run_status status, const char *message)
{
	if (device->status == status && !strcmp(device->message, message))
		return;
	progress_clear(&run->progress);
	message_print(device->path, message);
	device_set_status(device, status, message);
}

static bool is_alike(const struct blkbench_warning *a,
		     const struct blkbench_warning *b)
{
	return a->test == b->test && !strcmp(a->code, b->code);
}

static void add_warning(struct run_device *device,
			const struct blkbench_warning *warning)
{
	size_t i;

	for (i = 0; i < device->warnings_count; i++)
		if (is_alike(device->warnings[i], warning))
			break;
	device->warnings[i] = warning;
	if (i == device->warnings_count)
		device->warnings_count++;
}

/* ---- before any read: open and plan ----------------------------------- */

static void device_open(struct run *run, struct run_device *device)
{
	const struct options *options = run->options;
	uint64_t stripe_offset = options->stripe_offset_bytes;
	struct blkbench_error error;

	if (blkbench_device_open(device->path, &device->device, &error) < 0) {
		device->device = NULL;
		device_complain(run, device, RUN_UNTESTED, error.text);
		return;
	}
	device->info = blkbench_device_get_info(device->device);
	if (options->stripe_bytes != BLKBENCH_UNKNOWN)
		blkbench_device_set_stripe(
			device->device, options->stripe_bytes,
			stripe_offset == BLKBENCH_UNKNOWN ? 0 : stripe_offset);
	if (options->is_alignment_required &&
	    device->info->alignment.verdict == BLKBENCH_MISALIGNED)
		device_complain(run, device, RUN_UNMET, "is misaligned");
}

static void params_resolve(struct blkbench_params *params,
			   const struct options *options,
			   const struct run_device *device)
{
	uint64_t size = device->info->size_bytes;
	uint64_t sector = device->info->topology.logical_sector_bytes;

	*params = options->params;
	params->seed = device->seed;
	if (options->has_offset)
		params->offset_bytes =
			size_resolve(&options->offset, size, sector);
	if (options->has_length)
		params->length_bytes =
			size_resolve(&options->length, size, sector);
}

/* Returns 0, or -EINVAL: the options do not fit the device. */
static int step_plan(struct run *run, struct run_device *device,
		     struct run_step *step,
		     const struct blkbench_params *params)
{
	struct blkbench_error error;
	int r;

	r = blkbench_plan_make(step->test, device->info, params, step->plans,
			       &error);
	if (r == -EINVAL) {
		message_print(device->path, error.text);
		return r;
	}
	if (r < 0) {
		snprintf(step->reason, sizeof(step->reason), "%s", error.text);
		device_complain(run, device, RUN_UNTESTED, error.text);
		return 0;
	}
	step->plans_count = r;
	return 0;
}

/* Returns 0, or -EINVAL (told on stderr), or -ENOMEM. */
static int device_plan(struct run *run, struct run_device *device)
{
	const struct options *options = run->options;
	const struct blkbench_test *tests;
	struct blkbench_params params;
	size_t tests_count, entries = 0, i;
	struct run_step *step;
	int r;

	tests = blkbench_test_list(&tests_count);
	device->steps = calloc(tests_count, sizeof(*device->steps));
	if (!device->steps)
		return -ENOMEM;
	params_resolve(&params, options, device);
	for (i = 0; i < tests_count; i++) {
		if (!(options->tests & 1ULL << i))
			continue;
		step = &device->steps[device->steps_count++];
		step->test = &tests[i];
		r = step_plan(run, device, step, &params);
		if (r < 0)
			return r;
		entries += step->plans_count ? step->plans_count : 1;
	}
	entries *= options->repeat;
	device->entries = calloc(entries + 1, sizeof(*device->entries));
	device->warnings = calloc(entries * BLKBENCH_RESULT_WARNINGS_MAX +
					  tests_count * BLKBENCH_PLANS_MAX + 1,
				  sizeof(*device->warnings));
	return device->entries && device->warnings ? 0 : -ENOMEM;
}

/* Returns 0 or the exit code. */
static int run_prepare(struct run *run)
{
	struct run_device *device;
	size_t i;
	int r;

	for (i = 0; i < run->devices_count; i++) {
		device = &run->devices[i];
		if (signals_get_caught())
			device_complain(run, device, RUN_INTERRUPTED,
					INTERRUPTED);
		else
			device_open(run, device);
	}
	for (i = 0; i < run->devices_count; i++) {
		device = &run->devices[i];
		r = device->device ? device_plan(run, device) : 0;
		if (r == -EINVAL)
			return RUN_EXIT_USAGE;
		if (r < 0) {
			message_print(device->path, strerror(-r));
			return RUN_EXIT_UNTESTED;
		}
	}
	return 0;
}

/* ---- the measurements -------------------------------------------------- */

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

static void entry_judge(struct run *run, struct run_device *device,
			const struct run_entry *entry)
{
	char text[BLKBENCH_TEXT_MAX];

	describe_failure(&entry->result, text);
	if (text[0])
		device_complain(run, device, RUN_FAILED, text);
	if (entry->result.is_partial && signals_get_caught()) {
		snprintf(text, sizeof(text),
			 "%s: " INTERRUPTED ": the figures are partial",
			 entry->step->test->name);
		device_complain(run, device, RUN_INTERRUPTED, text);
	}
	device->has_stalled |= entry->result.stalled > 0;
	device->is_lost |= entry->result.loss > BLKBENCH_LOSS_SHRUNK;
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Returns whether there is more to do. */
static bool advance(struct blkbench_measure *measure, bool *was_stopped)
{
	uint64_t begin = now_ns();
	bool has_more;

	signals_take_continued();
	has_more = blkbench_measure_advance(measure, ADVANCE_NS) > 0;
	if (signals_take_continued() && now_ns() - begin > STOPPED_NS)
		*was_stopped = true;
	return has_more;
}

/* Not before the reads in flight have ended, and the clock stands still. */
static void stop_if_asked(struct run *run, struct blkbench_measure *measure)
{
	if (!signals_is_stop_due())
		return;
	blkbench_measure_pause(measure);
	progress_clear(&run->progress);
	signals_stop();
}

/* Returns whether the program was stopped by what cannot be held off. */
static bool carry_out(struct run *run, struct run_device *device,
		      const struct blkbench_plan *plan,
		      struct blkbench_measure *measure)
{
	bool was_stopped = false;
	bool is_ending = false;

	signals_hold_stop();
	while (advance(measure, &was_stopped)) {
		if (signals_are_urgent()) {
			/* Its reads in flight are left to the end. */
			device->has_stalled = true;
			break;
		}
		if (signals_get_caught() && !is_ending) {
			blkbench_measure_stop(measure);
			is_ending = true;
		}
		progress_show(&run->progress, device->path, plan, measure);
		stop_if_asked(run, measure);
	}
	progress_clear(&run->progress);
	signals_release_stop();
	return was_stopped;
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

static void entry_skip(struct run *run, struct run_device *device,
		       struct run_entry *entry, enum run_status status,
		       const char *reason)
{
	snprintf(entry->reason, sizeof(entry->reason), "%s", reason);
	if (status == RUN_UNTESTED)
		device_complain(run, device, status, reason);
	else
		device_set_status(device, status, reason);
	report_entry(&run->report, device, entry);
}

static void entry_measure(struct run *run, struct run_device *device,
			  struct run_entry *entry)
{
	struct blkbench_plan plan = entry->step->plans[entry->plan];
	struct blkbench_measure *measure;
	struct blkbench_error error;
	bool was_stopped;
	int r;

	/* Repeats with the same offsets would find them in a cache. */
	plan.seed += BLKBENCH_PLANS_MAX * (entry->repeat - 1);
	r = blkbench_measure_create(device->device, &plan, &measure, &error);
	if (r < 0) {
		entry_skip(run, device, entry, RUN_UNTESTED, error.text);
		return;
	}
	was_stopped = carry_out(run, device, &plan, measure);
	r = blkbench_measure_get_result(measure, &entry->result);
	if (r < 0) {
		entry_skip(run, device, entry, RUN_UNTESTED, strerror(-r));
	} else {
		entry->is_measured = true;
		if (was_stopped)
			warn_of_stop(&entry->result);
		run_device_add_warnings(device, &entry->result);
		entry_judge(run, device, entry);
		report_entry(&run->report, device, entry);
	}
	/* A trial of the engines that was broken off has reads in flight too. */
	if (device->has_stalled || signals_get_caught())
		device->stalled_measure = measure;
	else
		blkbench_measure_destroy(measure);
}

static void step_run(struct run *run, struct run_device *device,
		     const struct run_step *step, uint64_t repeat)
{
	struct run_entry *entry;
	size_t i, count = step->plans_count ? step->plans_count : 1;

	/* What the device cannot do is said once. */
	if (!step->plans_count && repeat > 1)
		return;
	for (i = 0; i < count; i++) {
		entry = &device->entries[device->entries_count++];
		entry->step = step;
		entry->plan = i;
		entry->repeat = repeat;
		if (!step->plans_count)
			entry_skip(run, device, entry, RUN_UNTESTED,
				   step->reason);
		else if (signals_get_caught())
			entry_skip(run, device, entry, RUN_INTERRUPTED,
				   INTERRUPTED);
		else if (device->has_stalled)
			entry_skip(run, device, entry, RUN_FAILED,
				   "the device stalled before");
		else if (device->is_lost)
			entry_skip(run, device, entry, RUN_FAILED,
				   "the device was lost before");
		else
			entry_measure(run, device, entry);
	}
}

/* A type that only reading can tell; to fail at it is no fault of a test. */
static void device_probe(struct run_device *device)
{
	struct blkbench_error error;

	if (!device->entries_count || device->has_stalled || device->is_lost ||
	    signals_get_caught() || device->info->content.type)
		return;
	if (blkbench_device_probe_content(device->device, &error) == 0)
		device->was_probed = device->info->content.type != NULL;
}

/* After a signal, a stall or a loss nothing is to be had from more repeats. */
static void device_repeat(struct run *run, struct run_device *device)
{
	const uint64_t repeats = run->options->repeat;
	uint64_t repeat;
	size_t i;

	for (repeat = 1; repeat <= repeats; repeat++) {
		for (i = 0; i < device->steps_count; i++)
			step_run(run, device, &device->steps[i], repeat);
		if (!signals_get_caught() && !device->has_stalled &&
		    !device->is_lost)
			continue;
		device->repeats_skipped = repeats - repeat;
		return;
	}
}

/* What the repeats of a plan tell together. */
static void step_compare(struct run_device *device, struct run_step *step,
			 size_t plan, const struct blkbench_result **results)
{
	const struct run_entry *entry;
	size_t count = 0, i;

	for (i = 0; i < device->entries_count; i++) {
		entry = &device->entries[i];
		if (entry->step == step && entry->plan == plan &&
		    entry->is_measured && !entry->result.is_partial)
			results[count++] = &entry->result;
	}
	if (blkbench_repeats_doubt(results, count,
				   &step->repeats_warnings[plan]))
		add_warning(device, &step->repeats_warnings[plan]);
	else
		step->repeats_warnings[plan].code = NULL;
}

static void device_compare_repeats(struct run_device *device)
{
	const struct blkbench_result **results;
	size_t i, plan;

	results = calloc(device->entries_count + 1, sizeof(*results));
	if (!results)
		return;
	for (i = 0; i < device->steps_count; i++)
		for (plan = 0; plan < device->steps[i].plans_count; plan++)
			step_compare(device, &device->steps[i], plan, results);
	free(results);
}

static void device_run(struct run *run, struct run_device *device)
{
	if (device->device) {
		report_device_begin(&run->report, device);
		device_repeat(run, device);
		device_compare_repeats(device);
		device_probe(device);
	}
	report_device_end(&run->report, device);
}

/* ---- the whole --------------------------------------------------------- */

static void device_finish(struct run_device *device)
{
	size_t i;

	for (i = 0; i < device->entries_count; i++)
		if (device->entries[i].is_measured)
			blkbench_result_finish(&device->entries[i].result);
	free(device->warnings);
	free(device->entries);
	free(device->steps);
	blkbench_measure_destroy(device->stalled_measure);
	blkbench_device_close(device->device);
}

static int exit_code(const struct run *run)
{
	static const int codes[] = {
		[RUN_OK] = RUN_EXIT_OK,
		[RUN_UNMET] = RUN_EXIT_UNMET,
		[RUN_FAILED] = RUN_EXIT_FAILED,
		[RUN_UNTESTED] = RUN_EXIT_UNTESTED,
		[RUN_INTERRUPTED] = RUN_EXIT_OK, /* the signal has the word */
	};
	enum run_status worst = RUN_OK;
	size_t i;

	if (signals_get_caught())
		return RUN_EXIT_SIGNAL + signals_get_caught();
	for (i = 0; i < run->devices_count; i++)
		if (run->devices[i].status > worst)
			worst = run->devices[i].status;
	return codes[worst];
}

int run_carry_out(struct run *run, FILE *out)
{
	size_t i;
	int code, r;

	r = run_prepare(run);
	if (r)
		return r;
	r = report_begin(&run->report, run->options, out);
	if (r < 0) {
		message_print(NULL, strerror(-r));
		return RUN_EXIT_UNTESTED;
	}
	for (i = 0; i < run->devices_count; i++)
		device_run(run, &run->devices[i]);
	r = report_end(&run->report);
	code = exit_code(run);
	return r < 0 ? output_tell_lost(r, code) : code;
}

struct run *run_create(const struct options *options)
{
	struct run *run = calloc(1, sizeof(*run));
	uint64_t seed = options->params.seed;
	size_t i;

	if (!run)
		return NULL;
	run->options = options;
	run->devices_count = options->devices_count;
	run->devices = calloc(run->devices_count, sizeof(*run->devices));
	if (!run->devices) {
		free(run);
		return NULL;
	}
	if (seed == BLKBENCH_UNKNOWN)
		seed = blkbench_seed_draw();
	for (i = 0; i < run->devices_count; i++) {
		run->devices[i].path = options->devices[i];
		run->devices[i].seed = seed;
	}
	progress_init(&run->progress);
	return run;
}

bool run_may_hang(const struct run *run)
{
	size_t i;

	for (i = 0; i < run->devices_count; i++)
		if (run->devices[i].has_stalled)
			return true;
	return false;
}

void run_destroy(struct run *run)
{
	size_t i;

	if (!run)
		return;
	for (i = 0; i < run->devices_count; i++)
		device_finish(&run->devices[i]);
	free(run->devices);
	free(run);
}

/* ---- warnings ---------------------------------------------------------- */

bool run_step_is_cached(const struct run_step *step, size_t plan)
{
	const char *code = step->repeats_warnings[plan].code;

	return code && !strcmp(code, "cache");
}

void run_device_add_warnings(struct run_device *device,
			     const struct blkbench_result *result)
{
	size_t i;

	for (i = 0; i < result->warnings_count; i++)
		add_warning(device, &result->warnings[i]);
}

const struct blkbench_warning *
run_device_next_warning(const struct run_device *device, size_t *position)
{
	size_t i = *position;

	if (!device->info)
		return NULL;
	(*position)++;
	if (i < device->info->warnings_count)
		return &device->info->warnings[i];
	i -= device->info->warnings_count;
	return i < device->warnings_count ? device->warnings[i] : NULL;
}
