/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "alignment.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boundary.h"
#include "place.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)

#define TEXT_MAX BLKBENCH_ALIGNMENT_TEXT_MAX

#define BOUNDARIES_MAX 6 /* of a layer */

/* Of one boundary, so many places that lie differently are told apart. */
#define REMAINDERS_MAX 16

/* Of made-up stacks, which could have any number. */
#define FINDINGS_MAX 4096

/* Boundaries that the verdict names; the findings have them all. */
#define CLAUSES_MAX 4

struct judge {
	struct place_visitor visitor;
	const struct blkbench_layer *layers;
	const struct alignment_stripe *stripe;
	size_t count, allocated;
	struct blkbench_finding *findings;
	char doubt[BLKBENCH_TEXT_MAX]; /* the first thing not known, or "" */
	const char *undeclared; /* a disk without any boundary, or NULL */
	bool has_disk;
	/* The first place on a disk that is known exactly, and their number. */
	size_t disk_places;
	size_t disk;
	uint64_t disk_bytes;
	/* The first place off a boundary, and all boundaries there. */
	size_t off_layer; /* or BLKBENCH_NO_LAYER */
	uint64_t off_bytes;
	size_t off_count;
	struct boundary off[BOUNDARIES_MAX];
};

/* ---- words ----------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void
append(char text[TEXT_MAX], const char *format, ...)
{
	const size_t length = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, TEXT_MAX - length, format, args);
	va_end(args);
}

/* What a boundary is the edge of, in a sentence. */
static const char *find_unit(const char *boundary)
{
	static const char *const units[][2] = {
		{ "physical sector", "a physical sector" },
		{ "minimum I/O", "a chunk" },
		{ "optimal I/O", "a stripe" },
		{ "chunk", "a chunk" },
		{ "full stripe", "a full stripe" },
		{ "given stripe", "a given stripe" },
		{ "4 KiB", "a 4 KiB boundary" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i][0], boundary) == 0)
			return units[i][1];
	return "a 1 MiB boundary";
}

static bool is_partition(const struct blkbench_layer *layer)
{
	return strcmp(layer->kind, "partition") == 0;
}

/* Of the device, or of what it is a partition of: goes without saying. */
static bool goes_without_name(const struct judge *judge, const char *layer)
{
	const struct blkbench_layer *first = judge->layers;

	if (layer == first->name)
		return true;
	return is_partition(first) && first->segments_count &&
	       first->segments[0].legs[0].layer != BLKBENCH_NO_LAYER &&
	       layer == judge->layers[first->segments[0].legs[0].layer].name;
}

static void append_layer(const struct judge *judge, const char *layer,
			 char text[TEXT_MAX])
{
	if (!goes_without_name(judge, layer))
		append(text, " of %s", layer);
}

/* ---- what is not known ----------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void doubt(struct judge *judge,
							const char *format, ...)
{
	va_list args;

	if (judge->doubt[0])
		return;
	va_start(args, format);
	vsnprintf(judge->doubt, sizeof(judge->doubt), format, args);
	va_end(args);
}

/* A path may be long, and anything may be in it. */
static const char *name_for_text(const struct blkbench_layer *layer)
{
	return strcmp(layer->kind, "file") == 0 ? "the file" : layer->name;
}

static void doubt_place(struct judge *judge, const struct place *place)
{
	const char *above = name_for_text(&judge->layers[place->above]);

	if (place->layer == BLKBENCH_NO_LAYER)
		doubt(judge, "a part of what %s lies on is not known", above);
	else
		doubt(judge, "where %s lies on %s is not known", above,
		      name_for_text(&judge->layers[place->layer]));
}

/* ---- boundaries ------------------------------------------------------ */

/* The lowest device that there is: a disk, or what a file makes one. */
static bool is_disk(const struct judge *judge,
		    const struct blkbench_layer *layer)
{
	const struct blkbench_leg *leg;

	if (layer->segments_count == 0)
		return true;
	leg = &layer->segments[0].legs[0];
	return strcmp(layer->kind, "loop") == 0 &&
	       (leg->layer == BLKBENCH_NO_LAYER ||
		strcmp(judge->layers[leg->layer].kind, "file") == 0);
}

/* What a layer declares in its limits. Those of linear layers and arrays are
 * handed up from below, where they count: but where below is not known. */
static size_t list_limits(const struct blkbench_topology *topology,
			  struct boundary boundaries[BOUNDARIES_MAX])
{
	/* Where the layers disagree, no byte is known to be aligned to any. */
	const bool is_known = topology->alignment_offset_bytes >= 0;
	const uint64_t offset =
		is_known ? (uint64_t)topology->alignment_offset_bytes : 0;
	const uint64_t io_opt = topology->io_opt_is_bogus
					? BLKBENCH_UNKNOWN
					: topology->io_opt_bytes;
	const struct boundary limits[] = {
		{ "physical sector", topology->physical_sector_bytes, offset,
		  is_known },
		{ "minimum I/O", topology->io_min_bytes, offset, is_known },
		{ "optimal I/O", io_opt, offset, is_known },
	};

	memcpy(boundaries, limits, sizeof(limits));
	return sizeof(limits) / sizeof(limits[0]);
}

static size_t list_disk(const struct judge *judge,
			const struct blkbench_topology *topology,
			struct boundary boundaries[BOUNDARIES_MAX])
{
	const size_t count = list_limits(topology, boundaries);
	const uint64_t offset = boundaries[0].offset_bytes;
	const struct boundary more[] = {
		/* One that is given does not depend on what is declared. */
		{ "given stripe", judge->stripe->bytes,
		  judge->stripe->offset_bytes, true },
		{ "4 KiB", 4 * KIB, offset, false },
		{ "1 MiB", MIB, offset, false },
	};

	memcpy(boundaries + count, more, sizeof(more));
	return count + sizeof(more) / sizeof(more[0]);
}

static size_t list_segment(const struct blkbench_segment *segment,
			   struct boundary boundaries[BOUNDARIES_MAX])
{
	const uint64_t start = segment->start_bytes;

	boundaries[0] =
		(struct boundary){ "chunk", segment->chunk_bytes, start, true };
	boundaries[1] = (struct boundary){ "full stripe",
					   segment->full_stripe_bytes, start,
					   true };
	return 2;
}

static bool is_usable(const struct boundary *boundaries, size_t count,
		      const struct boundary *boundary)
{
	if (boundary->bytes == 0 || boundary->bytes == BLKBENCH_UNKNOWN)
		return false;
	for (size_t i = 0; i < count; i++)
		if (boundaries[i].bytes == boundary->bytes &&
		    boundaries[i].is_declared >= boundary->is_declared &&
		    boundary_remainder(&boundaries[i],
				       boundary->offset_bytes) == 0)
			return false;
	return true;
}

/* ---- findings -------------------------------------------------------- */

/* Returns room for one, zeroed, or NULL. */
static struct blkbench_finding *add_finding(struct judge *judge)
{
	const size_t wanted = judge->count ? 2 * judge->count : 8;
	struct blkbench_finding *findings = judge->findings;

	if (judge->count == judge->allocated) {
		findings = reallocarray(findings, wanted, sizeof(*findings));
		if (!findings) {
			doubt(judge, "there is not enough memory");
			return NULL;
		}
		judge->findings = findings;
		judge->allocated = wanted;
	}
	findings[judge->count] = (struct blkbench_finding){ 0 };
	return &findings[judge->count++];
}

static void note_finding(struct judge *judge, const struct place *place,
			 const struct boundary *boundary)
{
	const char *layer = judge->layers[place->layer].name;
	const uint64_t position = place->begin_bytes;
	const uint64_t remainder = boundary_remainder(boundary, position);
	struct blkbench_finding *finding;
	size_t alike = 0;

	for (size_t i = 0; i < judge->count; i++) {
		finding = &judge->findings[i];
		if (finding->layer != layer ||
		    finding->boundary != boundary->name ||
		    finding->boundary_bytes != boundary->bytes)
			continue;
		alike++;
		if (finding->remainder_bytes == remainder) {
			finding->places++;
			return;
		}
	}
	if (alike == REMAINDERS_MAX || judge->count == FINDINGS_MAX)
		return;
	finding = add_finding(judge);
	if (!finding)
		return;
	finding->layer = layer;
	finding->boundary = boundary->name;
	finding->boundary_bytes = boundary->bytes;
	finding->remainder_bytes = remainder;
	finding->next_start_bytes = place->multiple_bytes
					    ? BLKBENCH_UNKNOWN
					    : boundary_next(boundary, position);
	finding->device_bytes = place->device_bytes;
	finding->places = 1;
	finding->is_declared = boundary->is_declared;
}

static void note_off(struct judge *judge, const struct place *place,
		     const struct boundary *boundaries, size_t count)
{
	judge->off_layer = place->layer;
	judge->off_bytes = place->begin_bytes;
	judge->off_count = place->multiple_bytes ? 0 : count;
	memcpy(judge->off, boundaries, count * sizeof(*boundaries));
}

static void note_disk(struct judge *judge, const struct place *place)
{
	judge->has_disk = true;
	if (place->multiple_bytes)
		return;
	if (judge->disk_places++ == 0) {
		judge->disk = place->layer;
		judge->disk_bytes = place->begin_bytes;
	}
}

/* Whether so small a part of it is known that it tells nothing. */
static bool is_beyond_multiple(const struct place *place,
			       const struct boundary *boundary)
{
	return place->multiple_bytes && place->multiple_bytes % boundary->bytes;
}

/* All that lies on a layer is on its sectors: they tell nothing. */
static bool is_beyond_sector(const struct blkbench_layer *layer, uint64_t bytes)
{
	return bytes > layer->topology.logical_sector_bytes;
}

/* Returns whether any of them tells whether the place is aligned. */
static bool judge_boundaries(struct judge *judge, const struct place *place,
			     struct boundary *boundaries, size_t count)
{
	const struct blkbench_layer *layer = &judge->layers[place->layer];

	bool is_judged = false;

	for (size_t i = 0; i < count; i++)
		boundary_shift(&boundaries[i], place->shift_bytes);
	for (size_t i = 0; i < count; i++) {
		const struct boundary *boundary = &boundaries[i];

		if (is_beyond_multiple(place, boundary)) {
			if (boundary->is_declared)
				doubt(judge,
				      "chunks of %" PRIu64
				      " B lie anywhere in %s of %s",
				      place->multiple_bytes,
				      find_unit(boundary->name), layer->name);
			continue;
		}
		note_finding(judge, place, boundary);
		if (!boundary->is_declared)
			continue;
		is_judged |= is_beyond_sector(layer, boundary->bytes);
		if (judge->off_layer == BLKBENCH_NO_LAYER &&
		    boundary_remainder(boundary, place->begin_bytes))
			note_off(judge, place, boundaries, count);
	}
	return is_judged;
}

/* As judge_boundaries(), of those listed that are boundaries; each once. */
static bool judge_listed(struct judge *judge, const struct place *place,
			 const struct boundary *listed, size_t listed_count)
{
	struct boundary boundaries[BOUNDARIES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < listed_count; i++)
		if (is_usable(boundaries, count, &listed[i]))
			boundaries[count++] = listed[i];
	return judge_boundaries(judge, place, boundaries, count);
}

/* What begins with the disk is as aligned as can be. */
static bool is_whole_disk(const struct place *place)
{
	return place->begin_bytes == 0 && place->shift_bytes == 0 &&
	       place->multiple_bytes == 0;
}

static void judge_disk(struct judge *judge, const struct place *place)
{
	const struct blkbench_layer *layer = &judge->layers[place->layer];
	const int64_t offset = layer->topology.alignment_offset_bytes;
	struct boundary listed[BOUNDARIES_MAX];
	size_t count;

	note_disk(judge, place);
	if (offset < 0) /* UNKNOWN_OFFSET, or -1 */
		doubt(judge, "where %s is aligned is not known", layer->name);
	if (offset == BLKBENCH_UNKNOWN_OFFSET)
		return;
	count = list_disk(judge, &layer->topology, listed);
	if (!judge_listed(judge, place, listed, count) && !judge->undeclared &&
	    (offset != 0 || !is_whole_disk(place)))
		judge->undeclared = layer->name;
}

/* What this layer and none below it declares. */
static void judge_segment(struct place_visitor *visitor,
			  const struct place *place,
			  const struct blkbench_segment *segment)
{
	struct judge *judge = (struct judge *)visitor;
	const struct blkbench_layer *layer = &judge->layers[place->layer];
	struct boundary listed[BOUNDARIES_MAX];
	size_t count;

	/* The device is on its own limits, and on the chunks it begins with. */
	if (is_disk(judge, layer) ||
	    (place->layer == 0 &&
	     (segment->start_bytes == 0 || !segment->data_members)))
		return;
	count = segment->data_members ? list_segment(segment, listed)
				      : list_limits(&layer->topology, listed);
	judge_listed(judge, place, listed, count);
}

static void judge_place(struct place_visitor *visitor,
			const struct place *place)
{
	struct judge *judge = (struct judge *)visitor;

	if (!place->is_known)
		doubt_place(judge, place);
	else if (is_disk(judge, &judge->layers[place->layer]))
		judge_disk(judge, place);
}

static struct judge make_judge(const struct blkbench_layer *layers,
			       const struct alignment_stripe *stripe)
{
	return (struct judge){
		.visitor = { .visit = judge_place,
			     .visit_segment = judge_segment },
		.layers = layers,
		.stripe = stripe,
		.off_layer = BLKBENCH_NO_LAYER,
	};
}

/* ---- the verdict ----------------------------------------------------- */

/*
 * What the kernel makes of the layers below counts where a part of the way is
 * not known here. Else it is no evidence: -1 is also what it makes of limits
 * that are no multiples of one another, such as those of USB bridges.
 */
static bool is_misaligned_to_kernel(const struct judge *judge)
{
	const int64_t offset = judge->layers[0].topology.alignment_offset_bytes;

	return judge->doubt[0] && (offset == -1 || offset > 0);
}

static enum blkbench_verdict find_verdict(const struct judge *judge)
{
	if (judge->off_layer != BLKBENCH_NO_LAYER ||
	    is_misaligned_to_kernel(judge))
		return BLKBENCH_MISALIGNED;
	if (judge->doubt[0] || judge->undeclared)
		return BLKBENCH_ALIGNMENT_UNKNOWN;
	return BLKBENCH_ALIGNED;
}

static void describe_finding(const struct judge *judge,
			     struct blkbench_finding *finding)
{
	char text[TEXT_MAX] = "";

	if (finding->device_bytes == BLKBENCH_UNKNOWN)
		append(text, "further on: ");
	else if (finding->device_bytes)
		append(text,
		       "from byte %" PRIu64 " on: ", finding->device_bytes);
	if (finding->remainder_bytes)
		append(text, "%" PRIu64 " B past ", finding->remainder_bytes);
	else
		append(text, "on ");
	append(text, "%s", find_unit(finding->boundary));
	append_layer(judge, finding->layer, text);
	append(text, " (%" PRIu64 " B)", finding->boundary_bytes);
	if (finding->places > 1)
		append(text, ", in %" PRIu64 " places", finding->places);
	if (finding->remainder_bytes &&
	    finding->next_start_bytes != BLKBENCH_UNKNOWN)
		append(text, "; next aligned start %" PRIu64,
		       finding->next_start_bytes);
	snprintf(finding->text, sizeof(finding->text), "%.*s",
		 BLKBENCH_TEXT_MAX - 1, text);
}

/* Returns the byte that was told, or 0. */
static uint64_t describe_start(const struct judge *judge, char text[TEXT_MAX])
{
	const struct blkbench_layer *first = judge->layers;
	const struct blkbench_topology *topology = &first->topology;

	if (is_partition(first) || is_disk(judge, first)) {
		if (topology->start_bytes == BLKBENCH_UNKNOWN)
			return 0;
		append(text,
		       "%sstarts at byte %" PRIu64 " (sector %" PRIu64 ")",
		       *text ? "; " : "", topology->start_bytes,
		       topology->start_bytes / topology->logical_sector_bytes);
		return topology->start_bytes;
	}
	if (judge->disk_places == 0)
		return 0;
	append(text, "%sbegins at byte %" PRIu64 " of %s", *text ? "; " : "",
	       judge->disk_bytes, judge->layers[judge->disk].name);
	if (judge->disk_places == 1)
		return judge->disk_bytes;
	append(text, ", the first of %zu places", judge->disk_places);
	return 0;
}

/* The kernel's alignment offset is 0 on disks that hide what they are made of;
 * the largest power of two in the start tells what it can be aligned to. */
static void describe_divisor(uint64_t start, char text[TEXT_MAX])
{
	if (start)
		append(text, "; divisible by %" PRIu64 " B", start & -start);
}

static void append_clause(const struct judge *judge,
			  const struct blkbench_finding *finding,
			  char text[TEXT_MAX])
{
	const char *unit = find_unit(finding->boundary);

	append(text, "%s", *text ? ", " : "");
	if (finding->remainder_bytes)
		append(text, "%" PRIu64 " B past %s", finding->remainder_bytes,
		       unit);
	else
		append(text, "on %s", unit);
	append_layer(judge, finding->layer, text);
	if (!finding->remainder_bytes)
		append(text, " (%" PRIu64 " B)", finding->boundary_bytes);
	if (finding->device_bytes && finding->device_bytes != BLKBENCH_UNKNOWN)
		append(text, " from byte %" PRIu64 " on",
		       finding->device_bytes);
}

/* The layers hold the names that the findings point to. */
static const struct blkbench_layer *
find_layer(const struct judge *judge, const struct blkbench_finding *finding)
{
	const struct blkbench_layer *layer = judge->layers;

	while (layer->name != finding->layer)
		layer++;
	return layer;
}

/* That all is on a sector goes without saying. */
static bool is_worth_a_clause(const struct judge *judge,
			      const struct blkbench_finding *finding,
			      enum blkbench_verdict verdict)
{
	if (!finding->is_declared)
		return false;
	if (verdict == BLKBENCH_MISALIGNED)
		return finding->remainder_bytes != 0;
	return is_beyond_sector(find_layer(judge, finding),
				finding->boundary_bytes);
}

static void describe_findings(const struct judge *judge,
			      enum blkbench_verdict verdict,
			      char text[TEXT_MAX])
{
	size_t clauses = 0;

	for (size_t i = 0; i < judge->count; i++)
		if (is_worth_a_clause(judge, &judge->findings[i], verdict) &&
		    clauses++ < CLAUSES_MAX)
			append_clause(judge, &judge->findings[i], text);
	if (clauses > CLAUSES_MAX)
		append(text, " and %zu more", clauses - CLAUSES_MAX);
}

/* Whether nothing were off if the device began at a byte of the layer. */
static bool is_good_start(const struct judge *judge, size_t layer,
			  uint64_t begin_bytes)
{
	struct judge other = make_judge(judge->layers, judge->stripe);
	const int err = place_follow_from(judge->layers, layer, begin_bytes,
					  &other.visitor);

	free(other.findings);
	return !err && other.off_layer == BLKBENCH_NO_LAYER;
}

/* A partition can be moved on what it is a partition of, and on nothing else:
 * moved as far as the place below it that is off would have to be. */
static void describe_next_of_partition(const struct judge *judge, uint64_t next,
				       char text[TEXT_MAX])
{
	const struct blkbench_leg *leg = &judge->layers->segments[0].legs[0];
	uint64_t start;

	if (!__builtin_add_overflow(leg->offset_bytes, next - judge->off_bytes,
				    &start) &&
	    is_good_start(judge, leg->layer, start))
		append(text, "; next aligned start %" PRIu64, start);
	else
		append(text, "; to move it does not help alone: what is below "
			     "it is off as well");
}

static void describe_next(const struct judge *judge, char text[TEXT_MAX])
{
	const char *layer;
	uint64_t next;

	if (judge->off_layer == BLKBENCH_NO_LAYER || judge->off_count == 0)
		return;
	next = boundary_next_of_all(judge->off, judge->off_count,
				    judge->off_bytes);
	layer = judge->layers[judge->off_layer].name;
	if (next == BLKBENCH_UNKNOWN) {
		append(text, "; no start suits all of them");
	} else if (is_partition(judge->layers)) {
		describe_next_of_partition(judge, next, text);
	} else {
		append(text, "; next aligned start %" PRIu64, next);
		append_layer(judge, layer, text);
	}
}

/* What the kernel has made of the layers below, in its alignment_offset. */
static void describe_kernel(const struct judge *judge,
			    enum blkbench_verdict verdict, char text[TEXT_MAX])
{
	const int64_t offset = judge->layers[0].topology.alignment_offset_bytes;

	if (offset == -1 && verdict == BLKBENCH_MISALIGNED)
		append(text, "the layers below disagree (the kernel reports "
			     "-1)");
	else if (offset == -1)
		append(text, "the kernel reports -1, as for layers whose "
			     "limits are no multiples of each other");
	else if (is_misaligned_to_kernel(judge))
		append(text,
		       "the kernel reports that it begins %" PRId64
		       " B before a boundary",
		       offset);
}

static void describe_doubt(const struct judge *judge, char text[TEXT_MAX])
{
	const char *separator = *text ? "; " : "";

	if (judge->doubt[0])
		append(text, "%s%s", separator, judge->doubt);
	else if (judge->undeclared)
		append(text,
		       "%s%s reports no chunk or stripe: if it is a RAID "
		       "LUN, give its full stripe by --stripe",
		       separator, judge->undeclared);
}

static void describe(const struct judge *judge, enum blkbench_verdict verdict,
		     char text[TEXT_MAX])
{
	uint64_t start;

	describe_kernel(judge, verdict, text);
	start = describe_start(judge, text);
	describe_findings(judge, verdict, text);
	describe_divisor(start, text);
	describe_next(judge, text);
	if (judge->off_layer == BLKBENCH_NO_LAYER)
		describe_doubt(judge, text);
}

void alignment_judge(const struct blkbench_layer *layers,
		     const struct alignment_stripe *stripe,
		     struct blkbench_alignment *alignment)
{
	struct judge judge = make_judge(layers, stripe);

	*alignment = (struct blkbench_alignment){ 0 };
	if (place_follow(layers, &judge.visitor) != 0)
		doubt(&judge, "it lies in too many places");
	if (!judge.has_disk)
		doubt(&judge, "no disk is known below it");
	for (size_t i = 0; i < judge.count; i++)
		describe_finding(&judge, &judge.findings[i]);
	alignment->verdict = find_verdict(&judge);
	alignment->findings_count = judge.count;
	alignment->findings = judge.findings;
	describe(&judge, alignment->verdict, alignment->text);
}
