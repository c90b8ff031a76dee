/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "entry.h"
#include "signals.h"

/* What the check's minute has left for asking the disks. */
#define SMART_LIMIT_NS 10000000000ULL

/* Without memory there is no verdict: the device was not checked. */
static void give_up(struct run_device *device, int error,
		    struct progress *progress)
{
	char text[BLKBENCH_TEXT_MAX];

	snprintf(text, sizeof(text), "check: %s", strerror(-error));
	device_complain(device, RUN_UNTESTED, text, progress);
}

void check_begin(struct run_check *check, const struct options *options,
		 struct run_device *device, struct progress *progress)
{
	int r;

	if (!options->is_check)
		return;
	r = blkbench_health_read(device->device, NULL, &check->before);
	if (r < 0)
		give_up(device, r, progress);
	check->has_begun = r == 0;
}

static void judge(struct run_check *check, struct run_device *device,
		  struct progress *progress)
{
	const struct blkbench_diagnosis *diagnosis = &check->diagnosis;
	struct blkbench_warning *warning = &check->warning;
	char subject[BLKBENCH_TEXT_MAX], text[BLKBENCH_TEXT_MAX];
	char complaint[BLKBENCH_TEXT_MAX];

	if (diagnosis->condition < BLKBENCH_WATCH)
		return;
	check_subject(&diagnosis->reasons[0], subject);
	snprintf(text, sizeof(text), "%s: %.*s%.*s",
		 blkbench_condition_name(diagnosis->condition),
		 BLKBENCH_TEXT_MAX / 4, subject, BLKBENCH_TEXT_MAX / 2,
		 diagnosis->reasons[0].text);
	if (diagnosis->condition == BLKBENCH_WATCH) {
		warning->code = "watch";
		warning->test = "check";
		snprintf(warning->text, sizeof(warning->text), "%s", text);
		run_device_add_warning(device, warning);
		return;
	}
	/* What a test has complained of is told already. */
	if (device->status != RUN_FAILED) {
		snprintf(complaint, sizeof(complaint), "check: %.*s",
			 BLKBENCH_TEXT_MAX - 8, text);
		device_complain(device, RUN_FAILED, complaint, progress);
	}
}

/* Returns 0, or -ENOMEM. */
static int diagnose(struct run_check *check, const struct run_device *device)
{
	struct blkbench_symptoms symptoms;
	size_t i;
	int r;

	r = blkbench_health_read(device->device, &check->before, &check->after);
	if (r < 0)
		return r;
	if (!signals_get_caught())
		blkbench_health_ask_smart(&check->after, SMART_LIMIT_NS);
	blkbench_symptoms_init(&symptoms);
	for (i = 0; i < device->entries_count; i++)
		if (device->entries[i].is_measured)
			blkbench_symptoms_add(&symptoms,
					      &device->entries[i].result);
	/* What was broken off has not shown that nothing is wrong. */
	if (signals_get_caught())
		symptoms.reads = 0;
	return blkbench_diagnose(&symptoms, &check->before, &check->after,
				 &check->diagnosis);
}

void check_end(struct run_check *check, struct run_device *device,
	       struct progress *progress)
{
	int r;

	if (!check->has_begun)
		return;
	r = diagnose(check, device);
	check->is_done = r == 0;
	if (check->is_done)
		judge(check, device, progress);
	else
		give_up(device, r, progress);
}

void check_finish(struct run_check *check)
{
	blkbench_diagnosis_finish(&check->diagnosis);
	blkbench_health_finish(&check->after);
	blkbench_health_finish(&check->before);
}

const char *check_subject(const struct blkbench_reason *reason,
			  char subject[BLKBENCH_TEXT_MAX])
{
	subject[0] = '\0';
	if (reason->layer)
		snprintf(subject, BLKBENCH_TEXT_MAX, "%.64s: ", reason->layer);
	return subject;
}
