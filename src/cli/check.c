/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <stdio.h>

#include "check.h"
#include "entry.h"
#include "signals.h"

/* What the check's minute has left for asking the disks. */
#define SMART_LIMIT_NS 10000000000ULL

/* Without memory for it the check goes without. */
void check_begin(struct run_check *check, const struct options *options,
		 const struct run_device *device)
{
	check->has_begun =
		options->is_check &&
		blkbench_health_read(device->device, NULL, &check->before) == 0;
}

static void judge(struct run_check *check, struct run_device *device,
		  struct progress *progress)
{
	const struct blkbench_diagnosis *diagnosis = &check->diagnosis;
	struct blkbench_warning *warning = &check->warning;
	char subject[BLKBENCH_TEXT_MAX], text[BLKBENCH_TEXT_MAX];

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
		snprintf(warning->text, sizeof(warning->text), "check: %.*s",
			 BLKBENCH_TEXT_MAX - 8, text);
		device_complain(device, RUN_FAILED, warning->text, progress);
	}
}

void check_end(struct run_check *check, struct run_device *device,
	       struct progress *progress)
{
	struct blkbench_symptoms symptoms;
	size_t i;

	if (!check->has_begun ||
	    blkbench_health_read(device->device, &check->before,
				 &check->after) != 0)
		return;
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
	check->is_done = blkbench_diagnose(&symptoms, &check->before,
					   &check->after,
					   &check->diagnosis) == 0;
	if (check->is_done)
		judge(check, device, progress);
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
