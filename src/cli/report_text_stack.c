/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report_text.h"
#include "text.h"

/* Of a layer; there may be thousands, and -j has them all. */
#define LEGS_SHOWN_MAX 8

struct tree {
	FILE *out;
	const struct blkbench_layer *layers;
	bool *is_shown; /* of each layer: what is below it */
};

/* "dm-3 LV lv in vg: striped"; a title that has the kind says it for both. */
static void print_layer_name(FILE *out, const struct blkbench_layer *layer)
{
	text_print_clean(out, layer->name);
	if (layer->title) {
		fputc(' ', out);
		text_print_clean(out, layer->title);
	}
	if (!layer->title ||
	    strncmp(layer->title, layer->kind, strlen(layer->kind)))
		fprintf(out, ": %s", layer->kind);
}

static void print_chunk(FILE *out, const struct blkbench_segment *segment)
{
	if (segment->chunk_bytes == BLKBENCH_UNKNOWN)
		return;
	fprintf(out, ", chunk %" PRIu64 " B", segment->chunk_bytes);
	if (segment->full_stripe_bytes == BLKBENCH_UNKNOWN)
		return;
	fprintf(out, " x %zu = full stripe %" PRIu64 " B",
		segment->data_members, segment->full_stripe_bytes);
}

/* Which part of a layer in several it is, and how that is mapped. */
static void print_part(FILE *out, const struct blkbench_layer *layer,
		       const struct blkbench_segment *segment)
{
	fprintf(out, ", has bytes %" PRIu64 " to %" PRIu64 " of ",
		segment->start_bytes,
		segment->start_bytes + segment->length_bytes);
	text_print_clean(out, layer->name);
	if (!strcmp(layer->kind, "mixed"))
		fprintf(out, " (%s)", segment->kind);
	print_chunk(out, segment);
}

static void print_leg(FILE *out, const struct blkbench_layer *above,
		      const struct blkbench_segment *segment,
		      const struct blkbench_leg *leg)
{
	if (above->segments_count > 1)
		print_part(out, above, segment);
	if (leg->offset_bytes != BLKBENCH_UNKNOWN)
		fprintf(out, ", from byte %" PRIu64, leg->offset_bytes);
	else if (leg->multiple_bytes != BLKBENCH_UNKNOWN)
		fprintf(out, ", in pieces of %" PRIu64 " B, where is not known",
			leg->multiple_bytes);
	else
		fputs(", where is not known", out);
}

/* The outer tracks of a disk are twice as fast as the inner ones. */
static void print_extent(FILE *out, const struct blkbench_layer *layer)
{
	char begin[TEXT_FIGURE_MAX], end[TEXT_FIGURE_MAX];
	const double size = (double)layer->size_bytes;

	if (layer->segments_count || layer->begin_bytes == BLKBENCH_UNKNOWN ||
	    layer->size_bytes == BLKBENCH_UNKNOWN || layer->size_bytes == 0)
		return;
	fprintf(out, "; bytes %" PRIu64 " to %" PRIu64 " of it, %s to %s %%",
		layer->begin_bytes, layer->end_bytes,
		text_double(100.0 * (double)layer->begin_bytes / size, 1,
			    begin),
		text_double(100.0 * (double)layer->end_bytes / size, 1, end));
}

static void print_legs(struct tree *tree, size_t index, int depth);

static void print_line(struct tree *tree, const struct blkbench_layer *above,
		       const struct blkbench_segment *segment,
		       const struct blkbench_leg *leg, int depth)
{
	const struct blkbench_layer *layer;

	fprintf(tree->out, REPORT_TEXT_LABEL "%*s", "", 2 * depth, "");
	if (leg->layer == BLKBENCH_NO_LAYER) {
		fputs("not known\n", tree->out);
		return;
	}
	layer = &tree->layers[leg->layer];
	fputs("on ", tree->out);
	print_layer_name(tree->out, layer);
	if (layer->segments_count == 1)
		print_chunk(tree->out, layer->segments);
	print_leg(tree->out, above, segment, leg);
	if (!tree->is_shown[leg->layer])
		print_extent(tree->out, layer);
	fputc('\n', tree->out);
	print_legs(tree, leg->layer, depth + 1);
}

/* Each layer's own once, however often it is reached. */
static void print_legs(struct tree *tree, size_t index, int depth)
{
	const struct blkbench_layer *layer = &tree->layers[index];
	size_t shown = 0, i, k;

	if (tree->is_shown[index])
		return;
	tree->is_shown[index] = true;
	for (i = 0; i < layer->segments_count; i++) {
		const struct blkbench_segment *segment = &layer->segments[i];

		for (k = 0; k < segment->legs_count; k++)
			if (shown++ < LEGS_SHOWN_MAX)
				print_line(tree, layer, segment,
					   &segment->legs[k], depth);
	}
	if (shown > LEGS_SHOWN_MAX)
		fprintf(tree->out, REPORT_TEXT_LABEL "%*s%zu more\n", "",
			2 * depth, "", shown - LEGS_SHOWN_MAX);
}

void report_text_stack(FILE *out, const struct blkbench_info *info)
{
	struct tree tree = { .out = out, .layers = info->layers };

	if (info->layers_count == 0 || info->layers[0].segments_count == 0)
		return;
	tree.is_shown = calloc(info->layers_count, sizeof(*tree.is_shown));
	if (!tree.is_shown)
		return;
	fprintf(out, REPORT_TEXT_LABEL, "stack");
	print_layer_name(out, info->layers);
	if (info->layers[0].segments_count == 1)
		print_chunk(out, info->layers[0].segments);
	fputc('\n', out);
	print_legs(&tree, 0, 1);
	free(tree.is_shown);
}
