/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <math.h>

#include "figure.h"
#include "pair.h"
#include "report_text.h"
#include "text.h"

/* "25.1 % (95 %: 24.9 to 25.3): limited": of what is before it. */
static void print_share(FILE *out, const struct blkbench_share *share,
			bool is_partial)
{
	char percent[TEXT_FIGURE_MAX], low[TEXT_FIGURE_MAX];
	char high[TEXT_FIGURE_MAX];

	fprintf(out, "%s %%", text_double(share->percent, 1, percent));
	if (isnan(share->percent_low))
		fputs(", without an interval", out);
	else
		fprintf(out, " (95 %%: %s to %s)",
			text_double(share->percent_low, 1, low),
			text_double(share->percent_high, 1, high));
	fprintf(out, ": %s", blkbench_limit_name(share->verdict));
	if (is_partial)
		fputs("; PARTIAL", out);
	else if (share->verdict == BLKBENCH_LIMIT_UNDECIDED)
		fputs("; a longer time might tell (-r)", out);
}

static void print_figures(FILE *out, const struct joint *joint,
			  const struct blkbench_share *share, bool is_partial)
{
	const struct figure *figure = figure_of_speed(joint->plan);
	char together[TEXT_FIGURE_MAX], alone[TEXT_FIGURE_MAX];

	if (share->slices == 0) {
		fprintf(out, "n/a: too little was measured at the same time%s",
			is_partial ? "; PARTIAL" : "");
		return;
	}
	fprintf(out, "%s of %s %s alone: ",
		figure->to_text(share->together / figure->divisor, together),
		figure->to_text(share->alone / figure->divisor, alone),
		figure->unit);
	print_share(out, share, is_partial);
}

static void print_joint(FILE *out, const struct joints *joints,
			const struct joint *joint)
{
	const uint64_t run = joints->repeats > 1 ? joint->repeat : 0;
	char label[PAIR_LABEL_MAX], cpu[TEXT_FIGURE_MAX];

	fprintf(out, "  %-18s %zu device%s: ",
		pair_label_plan(joint->plan, run, label), joint->among,
		text_plural(joint->among));
	print_figures(out, joint, &joint->total, joint->is_partial);
	if (!isnan(joint->cpu_percent))
		fprintf(out, "; CPU %s %%",
			text_double(joint->cpu_percent, 1, cpu));
	fputc('\n', out);
	for (size_t i = 0; i < joint->devices_count; i++) {
		const struct joint_device *device = &joint->devices[i];

		fputs("    ", out);
		text_print_clean(out, device->path);
		fputs(": ", out);
		print_figures(out, joint, &device->share, device->is_partial);
		fputc('\n', out);
	}
}

void report_text_joints(struct report *report, const struct joints *joints)
{
	if (joints->count > 0)
		fputs("\nall at the same time:\n", report->out);
	for (size_t i = 0; i < joints->count; i++)
		print_joint(report->out, joints, &joints->list[i]);
}
