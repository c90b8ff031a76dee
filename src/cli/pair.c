/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

/* ---- what is compared --------------------------------------------------- */

static void *grow(void *list, size_t count, size_t size)
{
	/* At powers of two it is full. */
	if (count & (count - 1))
		return list;
	return reallocarray(list, count ? 2 * count : 1, size);
}

int pairs_add(struct pairs *pairs, const struct pair *pair)
{
	struct pair *list = grow(pairs->list, pairs->count, sizeof(*list));

	if (!list)
		return -ENOMEM;
	pairs->list = list;
	list[pairs->count++] = *pair;
	return 0;
}

void pairs_finish(struct pairs *pairs)
{
	free(pairs->warnings);
	free(pairs->list);
	*pairs = (struct pairs){ .list = NULL };
}

/* ---- conditions --------------------------------------------------------- */

static bool is_told(const struct pairs *pairs,
		    const struct blkbench_warning *warning)
{
	for (size_t i = 0; i < pairs->warnings_count; i++)
		if (pairs->warnings[i].test == warning->test &&
		    !strcmp(pairs->warnings[i].text, warning->text))
			return true;
	return false;
}

int pairs_warn_if_differs(struct pairs *pairs, const struct sides *sides,
			  const char *name, const char *a, const char *b)
{
	struct blkbench_warning warning = {
		.code = "differs",
		.test = sides->test,
	};
	struct blkbench_warning *list;

	if (!strcmp(a, b))
		return 0;
	snprintf(warning.text, sizeof(warning.text),
		 "%.60s%s%s: %.50s %.60s, %.50s %.60s",
		 sides->about ? sides->about : "", sides->about ? ": " : "",
		 name, a, sides->a, b, sides->b);
	if (is_told(pairs, &warning))
		return 0;
	list = grow(pairs->warnings, pairs->warnings_count, sizeof(*list));
	if (!list)
		return -ENOMEM;
	pairs->warnings = list;
	list[pairs->warnings_count++] = warning;
	return 0;
}

/* ---- names -------------------------------------------------------------- */

const char *pair_label_plan(const struct blkbench_plan *plan, uint64_t run,
			    char text[PAIR_LABEL_MAX])
{
	char part[PAIR_LABEL_MAX / 3] = "", number[PAIR_LABEL_MAX / 3] = "";

	if (!plan->is_direct)
		snprintf(part, sizeof(part), ", buffered");
	else if (plan->is_seek && plan->queue_depth > 1)
		snprintf(part, sizeof(part), ", %" PRIu64 " in flight",
			 plan->queue_depth);
	if (run > 0)
		snprintf(number, sizeof(number), ", run %" PRIu64, run);
	snprintf(text, PAIR_LABEL_MAX, "%.32s%s%s", plan->test, part, number);
	return text;
}

const char *pair_label(const struct pairs *pairs, const struct pair *pair,
		       char text[PAIR_LABEL_MAX])
{
	return pair_label_plan(pair->plan,
			       pairs->repeats > 1 ? pair->repeat : 0, text);
}

static bool is_same_test(const struct pair *a, const struct pair *b)
{
	return !strcmp(a->test, b->test) && a->repeat == b->repeat &&
	       a->plan->is_direct == b->plan->is_direct &&
	       a->plan->queue_depth == b->plan->queue_depth;
}

size_t pairs_in_test(const struct pairs *pairs, size_t first)
{
	size_t end = first;

	while (end < pairs->count &&
	       is_same_test(&pairs->list[first], &pairs->list[end]))
		end++;
	return end - first;
}

/* ---- the odd one out ---------------------------------------------------- */

/* Of a and then of each b; each b is there once. */
static int find_odd_in_test(const struct pairs *pairs, size_t first,
			    size_t count, double *figures, double *scores,
			    struct odd_one *odd, size_t *odd_count)
{
	const struct pair *pair = &pairs->list[first];

	figures[0] = pair->a_figure;
	for (size_t i = 0; i < count; i++)
		figures[i + 1] = pair[i].b_figure;
	if (blkbench_odd_scores(figures, count + 1, pairs->equal_percent,
				scores) < 0)
		return -ENOMEM;
	for (size_t i = 0; i <= count; i++) {
		/* Not so where it is not known. */
		if (!(fabs(scores[i]) > BLKBENCH_ODD_SCORE))
			continue;
		odd[(*odd_count)++] = (struct odd_one){
			.pair = pair,
			.path = i ? pair[i - 1].b : pair->a,
			.among = count + 1,
			.figure = figures[i],
			.score = scores[i],
		};
	}
	return 0;
}

int pairs_find_odd(const struct pairs *pairs, struct odd_one **list,
		   size_t *count)
{
	const size_t n = pairs->count;
	double *figures = calloc(n + 1, sizeof(*figures));
	double *scores = calloc(n + 1, sizeof(*scores));
	size_t in_test;
	int r = -ENOMEM;

	*count = 0;
	/* Two for each pair: in a test there is one more device than pairs. */
	*list = calloc(2 * n + 1, sizeof(**list));
	if (figures && scores && *list)
		r = 0;
	for (size_t first = 0; first < n && r == 0; first += in_test) {
		in_test = pairs_in_test(pairs, first);
		r = find_odd_in_test(pairs, first, in_test, figures, scores,
				     *list, count);
	}
	free(scores);
	free(figures);
	return r;
}
