/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bad_blocks.h"
#include "baseline.h"
#include "check.h"
#include "entry.h"
#include "limit.h"
#include "message.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "run.h"
#include "shared_disks.h"
#include "signals.h"
#include "text.h"
#include "versus.h"

struct run {
	const struct options *options;
	const struct results *then; /* to compare with, or NULL */
	struct report report;
	struct progress progress;
	size_t devices_count;
	struct run_device *devices;
	FILE *bad_blocks; /* where they are to be listed, or NULL */
	uint64_t bad_block_bytes;
};

/* ---- before any read: open and plan ----------------------------------- */

static void device_open(struct run *run, struct run_device *device)
{
	const struct options *options = run->options;
	uint64_t stripe_offset = options->stripe_offset_bytes;
	struct blkbench_error error;

	if (blkbench_device_open(device->path, &device->device, &error) < 0) {
		device->device = NULL;
		device_complain(device, RUN_UNTESTED, error.text,
				&run->progress);
		return;
	}
	device->info = blkbench_device_get_info(device->device);
	if (options->stripe_bytes != BLKBENCH_UNKNOWN)
		blkbench_device_set_stripe(
			device->device, options->stripe_bytes,
			stripe_offset == BLKBENCH_UNKNOWN ? 0 : stripe_offset);
	if (options->is_alignment_required &&
	    device->info->alignment.verdict == BLKBENCH_MISALIGNED)
		device_complain(device, RUN_UNMET, "is misaligned",
				&run->progress);
}

static void params_resolve(struct blkbench_params *params,
			   const struct options *options,
			   const struct run_device *device)
{
	uint64_t size = device->info->size_bytes;
	uint64_t sector = device->info->topology.logical_sector_bytes;

	*params = options->params;
	params->seed = device->seed;
	if (device->range.length_bytes) {
		params->offset_bytes = device->range.offset_bytes;
		params->length_bytes = device->range.length_bytes;
	}
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
		device_complain(device, RUN_UNTESTED, error.text,
				&run->progress);
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
	/* An entry may have a second result, and the device three warnings of
	 * its own. */
	device->warnings = calloc(2 * entries * BLKBENCH_RESULT_WARNINGS_MAX +
					  tests_count * BLKBENCH_PLANS_MAX + 3,
				  sizeof(*device->warnings));
	return device->entries && device->warnings ? 0 : -ENOMEM;
}

static bool is_comparing(const struct run *run)
{
	size_t i, opened = 0;

	for (i = 0; i < run->devices_count; i++)
		opened += run->devices[i].device != NULL;
	return opened > 1 && run->options->tests && !run->options->is_check &&
	       run->options->format->ops->pairs;
}

/* e2fsck takes the blocks of its file system alone. */
static uint64_t find_block_size(struct run_device *device)
{
	struct blkbench_error error;

	if (blkbench_device_probe_content(device->device, &error) < 0 ||
	    device->info->content.block_bytes == BLKBENCH_UNKNOWN)
		return BAD_BLOCKS_SIZE;
	return device->info->content.block_bytes;
}

/* Before any test, which may take all night. Returns 0, or the exit code. */
static int open_list(struct run *run)
{
	struct run_device *device = run->devices;
	struct blkbench_error error;
	char text[BLKBENCH_TEXT_MAX];

	if (!run->options->bad_blocks || !device->device)
		return 0;
	if (output_open_list(run->options->bad_blocks, &run->bad_blocks,
			     &error) < 0) {
		snprintf(text, sizeof(text), "option --bad-blocks: %.*s",
			 BLKBENCH_TEXT_MAX - 32, error.text);
		message_print(NULL, text);
		return RUN_EXIT_USAGE;
	}
	run->bad_block_bytes = find_block_size(device);
	return 0;
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
			device_complain(device, RUN_INTERRUPTED,
					ENTRY_INTERRUPTED, &run->progress);
		else
			device_open(run, device);
	}
	if (is_comparing(run))
		shared_disks_choose(run->options, run->devices,
				    run->devices_count);
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
	if (is_comparing(run))
		shared_disks_warn(run->options, run->devices,
				  run->devices_count);
	if (is_comparing(run) && run->options->is_parallel)
		joint_warn_of_sharing(run->devices, run->devices_count);
	return open_list(run);
}

/* ---- the tests --------------------------------------------------------- */

static void step_run(struct run *run, struct run_device *device,
		     const struct run_step *step, uint64_t repeat)
{
	struct run_entry *entry;
	size_t i, count = step->plans_count ? step->plans_count : 1;

	/* What the device cannot do is said once. */
	if (!step->plans_count && repeat > 1)
		return;
	for (i = 0; i < count; i++) {
		entry = entry_add(device, step, i, repeat);
		if (entry_is_due(entry, device, &run->progress))
			entry_measure(entry, device, &run->progress);
		report_entry(&run->report, device, entry);
	}
}

static void device_repeat(struct run *run, struct run_device *device)
{
	const uint64_t repeats = run->options->repeat;
	uint64_t repeat;
	size_t i;

	for (repeat = 1; repeat <= repeats; repeat++) {
		for (i = 0; i < device->steps_count; i++)
			step_run(run, device, &device->steps[i], repeat);
		if (!device_is_spent(device))
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
		run_device_add_warning(device, &step->repeats_warnings[plan]);
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

/* Where nothing was measured, there mostly is a worse reason. */
static void device_judge(struct run *run, struct run_device *device)
{
	char text[BLKBENCH_TEXT_MAX];
	size_t i;
	int r;

	r = limits_judge(run->options, device);
	if (r < 0)
		device_complain(device, RUN_UNTESTED, strerror(-r),
				&run->progress);
	for (i = 0; i < device->limits_count; i++) {
		const struct run_limit *limit = &device->limits[i];

		/* Of the alignment that was done before any test. */
		if (!limit->limit || limit->is_met == BLKBENCH_YES ||
		    (limit->is_met == BLKBENCH_NOT_KNOWN &&
		     device->status > RUN_UNMET))
			continue;
		device_complain(device, RUN_UNMET, limits_text(limit, text),
				&run->progress);
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

/* What all that was measured of it comes to. */
static void device_sum_up(struct run *run, struct run_device *device)
{
	device_compare_repeats(device);
	device_judge(run, device);
	device_probe(device);
}

static void device_run(struct run *run, struct run_device *device)
{
	if (device->device) {
		report_device_begin(&run->report, device);
		check_begin(&device->check, run->options, device,
			    &run->progress);
		device_repeat(run, device);
		check_end(&device->check, device, &run->progress);
		device_sum_up(run, device);
	}
	report_device_end(&run->report, device);
}

static void run_one_by_one(struct run *run)
{
	size_t i;

	for (i = 0; i < run->devices_count; i++)
		device_run(run, &run->devices[i]);
}

/* ---- devices that are compared ------------------------------------------ */

static void device_report(struct run *run, struct run_device *device)
{
	size_t i;

	if (device->device) {
		report_device_begin(&run->report, device);
		for (i = 0; i < device->entries_count; i++)
			report_entry(&run->report, device, &device->entries[i]);
		device_sum_up(run, device);
	}
	report_device_end(&run->report, device);
}

/* What is printed of a device is printed together; so at the end of all. */
static void run_in_turns(struct run *run)
{
	struct versus versus = {
		.options = run->options,
		.progress = &run->progress,
		.devices_count = run->devices_count,
		.devices = run->devices,
	};
	size_t i;
	int r;

	r = versus_run(&versus);
	if (r < 0) {
		message_print(NULL, strerror(-r));
		versus_finish(&versus);
		run_one_by_one(run);
		return;
	}
	for (i = 0; i < run->devices_count; i++)
		device_report(run, &run->devices[i]);
	if (run->options->is_parallel)
		report_joints(&run->report, &versus.joints);
	else
		report_pairs(&run->report, &versus.pairs);
	versus_finish(&versus);
}

/* ---- the list of bad blocks -------------------------------------------- */

static void tell_bad_blocks(const struct run *run, uint64_t count,
			    uint64_t not_located)
{
	char text[BLKBENCH_TEXT_MAX], rest[64] = "";

	if (!count && !not_located)
		return;
	if (not_located)
		snprintf(rest, sizeof(rest),
			 "; not located: %" PRIu64 " failed read%s",
			 not_located, text_plural(not_located));
	snprintf(text, sizeof(text),
		 "listed: %" PRIu64 " bad block%s of %" PRIu64 " bytes%s",
		 count, text_plural(count), run->bad_block_bytes, rest);
	message_print(run->devices->path, text);
}

/* Returns 0, or a negative errno: it is not all there. */
static int print_list(const struct run *run, FILE *out)
{
	const struct run_device *device = run->devices;
	struct bad_blocks bad = { 0 };
	uint64_t count;
	size_t i;
	int r = 0;

	for (i = 0; i < device->entries_count && r == 0; i++)
		if (device->entries[i].is_measured)
			r = bad_blocks_add_result(&bad,
						  &device->entries[i].result);
	errno = 0;
	count = bad_blocks_print(&bad, run->bad_block_bytes, out);
	if (r == 0)
		r = output_flush(out);
	if (r == 0)
		tell_bad_blocks(run, count, bad.not_located);
	bad_blocks_finish(&bad);
	return r;
}

/* Returns the exit code. */
static int close_list(struct run *run, int code)
{
	char text[BLKBENCH_TEXT_MAX];
	int r;

	if (!run->bad_blocks)
		return code;
	r = print_list(run, run->bad_blocks);
	if (fclose(run->bad_blocks) != 0 && r == 0)
		r = -errno;
	run->bad_blocks = NULL;
	if (r == 0)
		return code;
	snprintf(text, sizeof(text), "cannot list the bad blocks: %s",
		 strerror(-r));
	message_print(NULL, text);
	return code == RUN_EXIT_OK ? RUN_EXIT_FAILED : code;
}

/* ---- the whole --------------------------------------------------------- */

static void device_finish(struct run_device *device)
{
	size_t i;

	for (i = 0; i < device->entries_count; i++)
		if (device->entries[i].is_measured)
			blkbench_result_finish(&device->entries[i].result);
	free(device->limits);
	check_finish(&device->check);
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

static void run_compare(struct run *run, const struct results *then)
{
	struct host host;
	const struct baseline_now now = {
		.version = blkbench_version(),
		.host = &host,
		.devices_count = run->devices_count,
		.devices = run->devices,
	};
	struct baseline baseline;
	int r;

	host_get(&host);
	r = baseline_compare(then, &now, run->options->equal_percent,
			     &baseline);
	if (r == 0)
		report_baseline(&run->report, &baseline);
	else
		message_print(then->path, strerror(-r));
	baseline_finish(&baseline);
}

int run_carry_out(struct run *run, FILE *out)
{
	int code, r;

	r = run_prepare(run);
	if (r)
		return r;
	r = report_begin(&run->report, run->options, NULL, out);
	if (r < 0) {
		message_print(NULL, strerror(-r));
		return RUN_EXIT_UNTESTED;
	}
	if (is_comparing(run))
		run_in_turns(run);
	else
		run_one_by_one(run);
	if (run->then)
		run_compare(run, run->then);
	r = report_end(&run->report);
	code = close_list(run, exit_code(run));
	return r < 0 ? output_tell_lost(r, code) : code;
}

struct run *run_create(const struct options *options,
		       const struct results *then)
{
	struct run *run = calloc(1, sizeof(*run));
	uint64_t seed = options->params.seed;
	size_t i;

	if (!run)
		return NULL;
	run->options = options;
	run->then = then;
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
	/* Each of these reads several of the devices. */
	for (i = 0; i < run->devices_count; i++)
		blkbench_parallel_destroy(run->devices[i].stalled_parallel);
	for (i = 0; i < run->devices_count; i++)
		device_finish(&run->devices[i]);
	free(run->devices);
	if (run->bad_blocks)
		fclose(run->bad_blocks);
	free(run);
}

/* ---- warnings ---------------------------------------------------------- */

bool run_step_is_cached(const struct run_step *step, size_t plan)
{
	const char *code = step->repeats_warnings[plan].code;

	return code && !strcmp(code, "cache");
}

static bool is_alike(const struct blkbench_warning *a,
		     const struct blkbench_warning *b)
{
	return a->test == b->test && !strcmp(a->code, b->code);
}

void run_device_add_warning(struct run_device *device,
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

void run_device_add_warnings(struct run_device *device,
			     const struct blkbench_result *result)
{
	size_t i;

	for (i = 0; i < result->warnings_count; i++)
		run_device_add_warning(device, &result->warnings[i]);
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
