/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include "report.h"
#include "text.h"

/* Where the figures and the words begin, below "  label       ". */
#define REPORT_TEXT_LABEL "  %-11s "

/* The lines of one test; the private half of report_text.c. */
void report_text_entry(struct report *report, const struct run_device *device,
		       const struct run_entry *entry);

/* A figure in its column, and room for the words after it. */
void report_text_figure(FILE *out, const char *label, const char *figure);

/* Warnings, wherever they are: the next one from *position 0 on, or NULL. */
struct warning_list {
	const struct blkbench_warning *(*next)(const void *of,
					       size_t *position);
	const void *of;
};

/* A line for each text, with all tests that it is said of. */
void report_text_warnings(FILE *out, const struct warning_list *list);

/* What the two sides of pairs did not have alike: warnings. */
void report_text_differences(FILE *out, const struct pairs *pairs);

/* A pair, in the words of a table. */
#define PAIR_CELL_MAX (3 * TEXT_FIGURE_MAX)
struct pair_cells {
	char a_figure[PAIR_CELL_MAX], b_figure[PAIR_CELL_MAX];
	char ratio[TEXT_FIGURE_MAX];
	char interval[PAIR_CELL_MAX];
	char verdict[PAIR_CELL_MAX];
};

void report_text_fill_cells(const struct pair *pair, double equal_percent,
			    struct pair_cells *cells);

/* How devices compare. */
void report_text_pairs(struct report *report, const struct pairs *pairs);

/* Where results of a file were measured, and by what version: one line. */
void report_text_source(FILE *out, const struct results *results);

void report_text_baseline(struct report *report,
			  const struct baseline *baseline);

/* Of a zones test: its curve, and what is slow. */
void report_text_zones(struct report *report, const struct blkbench_info *info,
		       const struct blkbench_result *result);

/* The verdict, its reasons, and what each disk says; nothing without -c. */
void report_text_check(FILE *out, const struct run_check *check);

/* What is left of their rates when they are read at the same time. */
void report_text_joints(struct report *report, const struct joints *joints);

/* What the device is made of; nothing for a disk. */
void report_text_stack(FILE *out, const struct blkbench_info *info);

#endif
