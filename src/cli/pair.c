/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

const char *pair_label(const struct pair *pair, char text[PAIR_LABEL_MAX])
{
	const struct blkbench_plan *plan = pair->plan;

	if (!plan->is_direct)
		snprintf(text, PAIR_LABEL_MAX, "%.40s, buffered", pair->test);
	else if (plan->is_seek && plan->queue_depth > 1)
		snprintf(text, PAIR_LABEL_MAX, "%.40s, %" PRIu64 " in flight",
			 pair->test, plan->queue_depth);
	else
		snprintf(text, PAIR_LABEL_MAX, "%.40s", pair->test);
	return text;
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
