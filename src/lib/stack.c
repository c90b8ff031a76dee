/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "stack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blkdev.h"
#include "dmtable.h"
#include "kind.h"
#include "mapping.h"
#include "md.h"
#include "parse.h"
#include "sysfs.h"
#include "topology.h"
#include "warnings.h"

/* Both are more than any machine has, and keep made-up trees from costing. */
#define DEPTH_MAX 100
#define LAYERS_MAX 4096

static const char not_known[] = "not known";

/* The layers from the device down to the one that is being read. */
struct path {
	size_t layer;
	size_t depth;
	const struct path *above;
};

struct walk {
	struct stack *stack;
	const struct stack_source *source;
	int error;
};

/* ---- how a layer is mapped ------------------------------------------- */

static void add_one_to_one(struct mapping *mapping, const char *kind,
			   uint64_t size_bytes, const struct mapping_leg *leg)
{
	const struct mapping_segment segment = {
		.kind = kind,
		.length_bytes = size_bytes,
		.chunk_bytes = BLKBENCH_UNKNOWN,
		.data_members = 1,
	};

	mapping_add_segment(mapping, &segment);
	if (!mapping->error)
		mapping_add_leg(mapping, leg);
}

static void map_partition(struct mapping *mapping, const struct sysfs *sysfs,
			  const struct blkbench_layer *layer)
{
	struct mapping_leg leg = {
		.offset_bytes = layer->topology.start_bytes,
	};

	leg.is_missing = sysfs_read_devno(sysfs->disk, "dev", &leg.major,
					  &leg.minor) != 0;
	add_one_to_one(mapping, layer->kind, layer->size_bytes, &leg);
}

/* Where on them it lies is not known; without any, not even where. */
static void add_slaves(struct mapping *mapping, const struct sysfs *sysfs)
{
	struct mapping_leg leg = { .offset_bytes = BLKBENCH_UNKNOWN };
	struct string_list names = { 0 };

	sysfs_list(sysfs->self, "slaves", &names);
	for (size_t i = 0; i < names.count && !mapping->error; i++) {
		char attribute[PATH_MAX];

		snprintf(attribute, sizeof(attribute), "slaves/%s/dev",
			 names.items[i]);
		leg.is_missing = sysfs_read_devno(sysfs->self, attribute,
						  &leg.major, &leg.minor) != 0;
		mapping_add_leg(mapping, &leg);
	}
	leg.is_missing = true;
	if (names.count == 0)
		mapping_add_leg(mapping, &leg);
	string_list_finish(&names);
}

static void map_unknown(struct mapping *mapping, const struct sysfs *sysfs,
			uint64_t start_bytes, uint64_t length_bytes)
{
	const struct mapping_segment segment = {
		.kind = not_known,
		.start_bytes = start_bytes,
		.length_bytes = length_bytes,
		.chunk_bytes = BLKBENCH_UNKNOWN,
	};

	mapping_add_segment(mapping, &segment);
	if (!mapping->error)
		add_slaves(mapping, sysfs);
}

/* A driver that stacks and tells no more than that, as bcache's. */
static void map_disk(struct mapping *mapping, const struct sysfs *sysfs,
		     uint64_t size_bytes)
{
	struct string_list slaves = { 0 };

	sysfs_list(sysfs->self, "slaves", &slaves);
	if (slaves.count)
		map_unknown(mapping, sysfs, 0, size_bytes);
	string_list_finish(&slaves);
}

struct table {
	struct devmapper_visitor visitor;
	struct mapping *mapping;
	const struct sysfs *sysfs;
	bool does_queue; /* reads, while there is no path */
};

static void add_target(const struct table *table, uint64_t start_bytes,
		       uint64_t length_bytes,
		       const struct dmtable_target *target)
{
	struct mapping *mapping = table->mapping;
	const struct mapping_segment segment = {
		.kind = target->kind,
		.start_bytes = start_bytes,
		.length_bytes = length_bytes,
		.chunk_bytes = target->chunk_bytes,
		.data_members = target->data_members,
	};

	mapping_add_segment(mapping, &segment);
	for (size_t i = 0; i < target->legs_count && !mapping->error; i++) {
		const struct dmtable_leg *from = &target->legs[i];
		const struct mapping_leg leg = {
			.is_missing = from->is_missing,
			.is_placed_by_chunk = from->is_placed_by_chunk,
			.major = from->major,
			.minor = from->minor,
			.offset_bytes = from->offset_bytes,
		};

		mapping_add_leg(mapping, &leg);
	}
	mapping_join(mapping);
}

static void read_target(struct devmapper_visitor *visitor,
			const struct devmapper_target *from)
{
	struct table *table = (struct table *)visitor;
	struct dmtable_target target;
	uint64_t start, length;
	int err;

	if (table->mapping->error ||
	    __builtin_mul_overflow(from->start_sectors, DMTABLE_SECTOR_BYTES,
				   &start) ||
	    __builtin_mul_overflow(from->length_sectors, DMTABLE_SECTOR_BYTES,
				   &length))
		return;
	err = dmtable_parse(from->type, from->params, &target);
	if (err == -ENOMEM)
		table->mapping->error = err;
	else if (err)
		map_unknown(table->mapping, table->sysfs, start, length);
	else
		add_target(table, start, length, &target);
	table->does_queue |= !err && target.does_queue;
	free(target.legs);
}

struct paths {
	struct devmapper_visitor visitor;
	bool is_known;
	struct dmtable_state state;
};

static void count_paths(struct devmapper_visitor *visitor,
			const struct devmapper_target *target)
{
	struct paths *paths = (struct paths *)visitor;

	paths->is_known = dmtable_parse_status(target->type, target->params,
					       &paths->state) == 0;
}

static bool has_no_path(const struct stack_source *source,
			const struct blkbench_layer *layer)
{
	struct paths paths = { .visitor = { .visit = count_paths } };

	return source->read_status(source, layer->major, layer->minor,
				   &paths.visitor) == 0 &&
	       paths.is_known && paths.state.lost == paths.state.members;
}

static bool is_suspended(const struct sysfs *sysfs)
{
	uint64_t value;

	return sysfs_read_u64(sysfs->self, "dm/suspended", &value) == 0 &&
	       value != 0;
}

static void map_dm(struct mapping *mapping, const struct stack_source *source,
		   const struct sysfs *sysfs, struct blkbench_layer *layer)
{
	struct table table = {
		.visitor = { .visit = read_target },
		.mapping = mapping,
		.sysfs = sysfs,
	};

	if (source->read_table(source, layer->major, layer->minor,
			       &table.visitor) != 0 ||
	    mapping->segments_count == 0)
		map_unknown(mapping, sysfs, 0, layer->size_bytes);
	if (table.does_queue && has_no_path(source, layer))
		layer->hang = "has no path that works: reads would hang until "
			      "one does";
	if (is_suspended(sysfs))
		layer->hang = "is suspended: reads would hang until it is "
			      "resumed";
}

static void map_loop(struct walk *walk, struct mapping *mapping,
		     const struct sysfs *sysfs,
		     const struct blkbench_layer *layer)
{
	struct mapping_leg leg = { 0 };
	struct blkdev_file file;
	char path[PATH_MAX];

	leg.is_missing = sysfs_read_path(sysfs->self, "loop/backing_file", path,
					 sizeof(path)) != 0;
	if (sysfs_read_u64(sysfs->self, "loop/offset", &leg.offset_bytes) != 0)
		leg.offset_bytes = BLKBENCH_UNKNOWN;
	if (!leg.is_missing &&
	    walk->source->find_file(walk->source, path, &file) == 0 &&
	    file.is_block) {
		leg.major = file.major;
		leg.minor = file.minor;
	} else if (!leg.is_missing) {
		leg.path = string_list_add(&walk->stack->names, path);
		leg.is_missing = !leg.path;
	}
	add_one_to_one(mapping, layer->kind, layer->size_bytes, &leg);
}

static void map_file(struct walk *walk, struct mapping *mapping,
		     struct blkbench_layer *layer)
{
	struct mapping_leg leg = { .offset_bytes = BLKBENCH_UNKNOWN };
	struct blkdev_file file = { .size_bytes = BLKBENCH_UNKNOWN };

	/* Those of major 0 are no devices: btrfs, overlay, tmpfs, NFS. */
	leg.is_missing = walk->source->find_file(walk->source, layer->name,
						 &file) != 0 ||
			 file.major == 0;
	leg.major = file.major;
	leg.minor = file.minor;
	layer->size_bytes = file.size_bytes;
	add_one_to_one(mapping, layer->kind, layer->size_bytes, &leg);
}

static void map_block(struct walk *walk, struct mapping *mapping,
		      const struct sysfs *sysfs, enum blkbench_kind kind,
		      struct blkbench_layer *layer)
{
	static const char *const kinds[] = {
		[BLKBENCH_KIND_DISK] = "disk",
		[BLKBENCH_KIND_PARTITION] = "partition",
		[BLKBENCH_KIND_LOOP] = "loop",
		[BLKBENCH_KIND_ZRAM] = "zram",
		[BLKBENCH_KIND_FILE] = NULL,
	};

	layer->kind = kinds[kind];
	if (sysfs->self < 0) {
		map_unknown(mapping, sysfs, 0, layer->size_bytes);
		return;
	}
	switch (kind) {
	case BLKBENCH_KIND_PARTITION:
		map_partition(mapping, sysfs, layer);
		break;
	case BLKBENCH_KIND_LV:
	case BLKBENCH_KIND_DM:
		map_dm(mapping, walk->source, sysfs, layer);
		break;
	case BLKBENCH_KIND_MD:
		md_map(mapping, sysfs, layer->size_bytes);
		break;
	case BLKBENCH_KIND_LOOP:
		map_loop(walk, mapping, sysfs, layer);
		break;
	case BLKBENCH_KIND_DISK:
		map_disk(mapping, sysfs, layer->size_bytes);
		break;
	case BLKBENCH_KIND_ZRAM:
	case BLKBENCH_KIND_FILE:
	case BLKBENCH_KIND_UNKNOWN:
		break;
	}
}

/* ---- layers ---------------------------------------------------------- */

static size_t find_device(const struct stack *stack, unsigned int major,
			  unsigned int minor)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->layers[i].major == major &&
		    stack->layers[i].minor == minor && (major || minor))
			return i;
	return BLKBENCH_NO_LAYER;
}

static size_t find_path(const struct stack *stack, const char *path)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->layers[i].kind &&
		    strcmp(stack->layers[i].kind, "file") == 0 &&
		    strcmp(stack->layers[i].name, path) == 0)
			return i;
	return BLKBENCH_NO_LAYER;
}

/* One that was read already; not if that would close a circle. */
static size_t use_again(size_t layer, const struct path *above)
{
	for (; above; above = above->above)
		if (above->layer == layer)
			return BLKBENCH_NO_LAYER;
	return layer;
}

/* Returns its index, or BLKBENCH_NO_LAYER. */
static size_t add_layer(struct walk *walk, const struct path *above)
{
	struct stack *stack = walk->stack;
	const size_t wanted = stack->count ? 2 * stack->count : 4;
	struct blkbench_layer *layers = stack->layers;

	if (walk->error || stack->count == LAYERS_MAX ||
	    (above && above->depth == DEPTH_MAX))
		return BLKBENCH_NO_LAYER;
	if (stack->count == stack->allocated) {
		layers = reallocarray(layers, wanted, sizeof(*layers));
		if (!layers) {
			walk->error = -ENOMEM;
			return BLKBENCH_NO_LAYER;
		}
		stack->layers = layers;
		stack->allocated = wanted;
	}
	layers[stack->count] = (struct blkbench_layer){
		.size_bytes = BLKBENCH_UNKNOWN,
		.begin_bytes = BLKBENCH_UNKNOWN,
		.end_bytes = BLKBENCH_UNKNOWN,
	};
	topology_init(&layers[stack->count].topology);
	return stack->count++;
}

static void name_layer(struct walk *walk, const struct sysfs *sysfs,
		       struct blkbench_layer *layer)
{
	struct string_list *names = &walk->stack->names;
	char name[NAME_MAX + 1];

	sysfs_get_name(sysfs, name);
	layer->name = *name ? string_list_add(names, name)
			    : string_list_add_format(names, "%u:%u",
						     layer->major,
						     layer->minor);
	if (!layer->name)
		walk->error = -ENOMEM;
}

/* Senseless values are not used here either; the device's own are warned of. */
static void read_limits(const struct sysfs *sysfs, struct blkbench_layer *layer)
{
	struct warnings unused = { 0 };
	struct blkdev_limits limits;

	blkdev_limits_init(&limits);
	topology_read(&layer->topology, &limits, sysfs, &unused);
	layer->size_bytes =
		sysfs_read_size(sysfs->self, "size", SYSFS_SECTOR_BYTES);
}

static size_t read_device(struct walk *walk, unsigned int major,
			  unsigned int minor, const struct path *above);
static size_t read_path(struct walk *walk, const char *path,
			const struct path *above);

static struct blkbench_leg read_leg(struct walk *walk,
				    const struct mapping_leg *from,
				    const struct path *path)
{
	struct blkbench_leg leg = {
		.layer = BLKBENCH_NO_LAYER,
		.offset_bytes = from->offset_bytes,
		.multiple_bytes = BLKBENCH_UNKNOWN,
	};

	if (from->is_missing)
		return leg;
	leg.layer = from->path
			    ? read_path(walk, from->path, path)
			    : read_device(walk, from->major, from->minor, path);
	return leg;
}

/* The chunk of a thin volume is that of its pool. */
static void place_by_chunk(const struct stack *stack,
			   struct blkbench_segment *segment,
			   struct blkbench_leg *leg)
{
	const struct blkbench_layer *below =
		leg->layer == BLKBENCH_NO_LAYER ? NULL
						: &stack->layers[leg->layer];

	if (segment->chunk_bytes == BLKBENCH_UNKNOWN && below &&
	    below->segments_count)
		segment->chunk_bytes = below->segments[0].chunk_bytes;
	leg->multiple_bytes = segment->chunk_bytes;
}

static uint64_t find_full_stripe(const struct mapping_segment *segment)
{
	uint64_t bytes;

	if (segment->data_members < 2 ||
	    segment->chunk_bytes == BLKBENCH_UNKNOWN ||
	    __builtin_mul_overflow(segment->chunk_bytes, segment->data_members,
				   &bytes))
		return BLKBENCH_UNKNOWN;
	return bytes;
}

static const char *find_common_kind(const struct mapping *mapping)
{
	for (size_t i = 1; i < mapping->segments_count; i++)
		if (mapping->segments[i].kind != mapping->segments[0].kind)
			return "mixed";
	return mapping->segments[0].kind;
}

/* Reads what is below, and turns the numbers of devices into layers. */
static void read_below(struct walk *walk, const struct mapping *mapping,
		       const struct path *path)
{
	struct blkbench_segment *segments =
		calloc(mapping->segments_count, sizeof(*segments));
	struct blkbench_leg *legs =
		calloc(mapping->legs_count + 1, sizeof(*legs));
	const struct mapping_leg *from = mapping->legs;
	struct blkbench_layer *layer;

	if (!segments || !legs) {
		free(segments);
		free(legs);
		walk->error = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < mapping->segments_count; i++) {
		const struct mapping_segment *segment = &mapping->segments[i];

		segments[i] = (struct blkbench_segment){
			.kind = segment->kind,
			.start_bytes = segment->start_bytes,
			.length_bytes = segment->length_bytes,
			.chunk_bytes = segment->chunk_bytes,
			.full_stripe_bytes = find_full_stripe(segment),
			.data_members = segment->data_members,
			.legs_count = segment->legs_count,
			.legs = legs,
		};
		for (size_t k = 0; k < segment->legs_count; k++, from++) {
			*legs = read_leg(walk, from, path);
			if (from->is_placed_by_chunk)
				place_by_chunk(walk->stack, &segments[i], legs);
			legs++;
		}
	}
	/* Not before: the layers move while they become more. */
	layer = &walk->stack->layers[path->layer];
	layer->segments_count = mapping->segments_count;
	layer->segments = segments;
}

static size_t end_layer(struct walk *walk, size_t index,
			struct mapping *mapping, const struct path *above)
{
	const struct path path = {
		.layer = index,
		.depth = above ? above->depth + 1 : 0,
		.above = above,
	};
	struct blkbench_layer *layer = &walk->stack->layers[index];

	if (mapping->error)
		walk->error = mapping->error;
	if (!layer->kind || (mapping->segments_count &&
			     strcmp(mapping->segments[0].kind, not_known) == 0))
		layer->kind = mapping->segments_count
				      ? find_common_kind(mapping)
				      : not_known;
	if (!walk->error && mapping->segments_count)
		read_below(walk, mapping, &path);
	mapping_finish(mapping);
	return index;
}

static size_t read_device(struct walk *walk, unsigned int major,
			  unsigned int minor, const struct path *above)
{
	size_t index = find_device(walk->stack, major, minor);
	struct mapping mapping = { 0 };
	struct blkbench_layer *layer;
	enum blkbench_kind kind;
	struct sysfs sysfs;

	if (index != BLKBENCH_NO_LAYER)
		return use_again(index, above);
	index = add_layer(walk, above);
	if (index == BLKBENCH_NO_LAYER)
		return index;
	layer = &walk->stack->layers[index];
	layer->major = major;
	layer->minor = minor;
	sysfs_open(&sysfs, walk->source->sysfs, major, minor);
	kind = kind_find(&sysfs, major);
	name_layer(walk, &sysfs, layer);
	layer->title = kind_name(kind, &sysfs, &walk->stack->names);
	read_limits(&sysfs, layer);
	map_block(walk, &mapping, &sysfs, kind, layer);
	sysfs_close(&sysfs);
	return end_layer(walk, index, &mapping, above);
}

static size_t read_path(struct walk *walk, const char *path,
			const struct path *above)
{
	size_t index = find_path(walk->stack, path);
	struct mapping mapping = { 0 };
	struct blkbench_layer *layer;

	if (index != BLKBENCH_NO_LAYER)
		return use_again(index, above);
	index = add_layer(walk, above);
	if (index == BLKBENCH_NO_LAYER)
		return index;
	layer = &walk->stack->layers[index];
	layer->kind = "file";
	layer->name = string_list_add(&walk->stack->names, path);
	if (!layer->name) {
		walk->error = -ENOMEM;
		return index;
	}
	map_file(walk, &mapping, layer);
	return end_layer(walk, index, &mapping, above);
}

int stack_read(struct stack *stack, const struct stack_source *source,
	       unsigned int major, unsigned int minor)
{
	struct walk walk = { .stack = stack, .source = source };

	*stack = (struct stack){ 0 };
	read_device(&walk, major, minor, NULL);
	if (walk.error)
		stack_finish(stack);
	return walk.error;
}

int stack_read_file(struct stack *stack, const struct stack_source *source,
		    const char *path)
{
	struct walk walk = { .stack = stack, .source = source };

	*stack = (struct stack){ 0 };
	read_path(&walk, path, NULL);
	if (walk.error)
		stack_finish(stack);
	return walk.error;
}

void stack_finish(struct stack *stack)
{
	for (size_t i = 0; i < stack->count; i++) {
		const struct blkbench_layer *layer = &stack->layers[i];

		/* All legs of a layer are one array, with the first's at its
		 * beginning. */
		if (layer->segments_count)
			free((void *)layer->segments[0].legs);
		free((void *)layer->segments);
	}
	free(stack->layers);
	string_list_finish(&stack->names);
	*stack = (struct stack){ 0 };
}
