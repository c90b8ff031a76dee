/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>

#include "check.h"
#include "report_text.h"
#include "text.h"

static void print_disk(FILE *out, const struct blkbench_layer_health *health)
{
	static const char *const verdicts[] = {
		[BLKBENCH_NO] = "SMART failed",
		[BLKBENCH_YES] = "SMART passed",
	};
	const struct blkbench_smart *smart = &health->smart;
	const int64_t temperature = blkbench_health_temperature(health);
	char number[TEXT_FIGURE_MAX];

	fprintf(out, REPORT_TEXT_LABEL, "health");
	text_print_clean(out, health->layer);
	fprintf(out, ": %s%s", health->state, *health->state ? ", " : "");
	if (temperature != BLKBENCH_UNKNOWN_TEMPERATURE)
		fprintf(out, "%s °C, ",
			text_double((double)temperature / 1000.0, 0, number));
	if (smart->power_on_hours != BLKBENCH_UNKNOWN)
		fprintf(out, "on for %" PRIu64 " hours, ",
			smart->power_on_hours);
	if (smart->answer == BLKBENCH_SMART_TOLD &&
	    smart->passed != BLKBENCH_NOT_KNOWN) {
		fputs(verdicts[smart->passed], out);
	} else {
		fputs("SMART not known: ", out);
		text_print_clean(out, *smart->text ? smart->text
						   : "it was not asked");
	}
	fputc('\n', out);
}

static void print_reason(FILE *out, const struct blkbench_reason *reason)
{
	char subject[BLKBENCH_TEXT_MAX];

	fprintf(out, REPORT_TEXT_LABEL "%s: ", "reason",
		reason->condition == BLKBENCH_GOOD
			? "remark"
			: blkbench_condition_name(reason->condition));
	text_print_clean(out, check_subject(reason, subject));
	text_print_clean(out, reason->text);
	fputc('\n', out);
}

void report_text_check(FILE *out, const struct run_check *check)
{
	size_t i;

	if (!check->is_done)
		return;
	fprintf(out, REPORT_TEXT_LABEL "%s\n", "verdict",
		blkbench_condition_name(check->diagnosis.condition));
	for (i = 0; i < check->diagnosis.reasons_count; i++)
		print_reason(out, &check->diagnosis.reasons[i]);
	for (i = 0; i < check->after.layers_count; i++)
		if (check->after.layers[i].is_disk)
			print_disk(out, &check->after.layers[i]);
}
