/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "loss.h"

#include <stdlib.h>
#include <string.h>

#include "sysfs.h"

#define STATE_MAX 32

/* ---- a layer that is a device ---------------------------------------- */

/* As scsi_sysfs.c and nvme/host/sysfs.c of the kernel name them. */
static enum blkbench_loss judge_state(const struct sysfs *sysfs)
{
	static const struct {
		const char *state;
		enum blkbench_loss loss;
	} table[] = {
		{ "offline", BLKBENCH_LOSS_OFFLINE },
		{ "transport-offline", BLKBENCH_LOSS_OFFLINE },
		{ "cancel", BLKBENCH_LOSS_REMOVED },
		{ "deleted", BLKBENCH_LOSS_REMOVED },
		{ "dead", BLKBENCH_LOSS_OFFLINE },
		{ "deleting", BLKBENCH_LOSS_REMOVED },
		{ "deleting (no IO)", BLKBENCH_LOSS_REMOVED },
	};
	char state[STATE_MAX];

	if (sysfs_read_text(sysfs->disk, "device/state", state,
			    sizeof(state)) != 0)
		return BLKBENCH_LOSS_NONE;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(state, table[i].state) == 0)
			return table[i].loss;
	return BLKBENCH_LOSS_NONE;
}

static enum blkbench_loss judge_size(const struct sysfs *sysfs,
				     uint64_t known_bytes, uint64_t size_bytes)
{
	uint64_t removable;

	if (size_bytes == BLKBENCH_UNKNOWN || size_bytes >= known_bytes)
		return BLKBENCH_LOSS_NONE;
	if (size_bytes > 0)
		return BLKBENCH_LOSS_SHRUNK;
	if (sysfs_read_u64(sysfs->disk, "removable", &removable) == 0 &&
	    removable)
		return BLKBENCH_LOSS_NO_MEDIUM;
	return BLKBENCH_LOSS_REMOVED;
}

struct target_counter {
	struct devmapper_visitor visitor;
	size_t errors, others;
};

static void count_target(struct devmapper_visitor *visitor,
			 const struct devmapper_target *target)
{
	struct target_counter *counter = (struct target_counter *)visitor;

	if (strcmp(target->type, "error") == 0)
		counter->errors++;
	else
		counter->others++;
}

static enum blkbench_loss judge_table(const struct stack_source *source,
				      const struct sysfs *sysfs,
				      const struct blkbench_layer *layer)
{
	struct target_counter counter = { .visitor = { count_target } };

	if (!sysfs_has(sysfs->self, "dm") ||
	    source->read_table(source, layer->major, layer->minor,
			       &counter.visitor) != 0)
		return BLKBENCH_LOSS_NONE;
	return counter.errors > 0 && counter.others == 0 ? BLKBENCH_LOSS_TABLE
							 : BLKBENCH_LOSS_NONE;
}

static enum blkbench_loss judge_sysfs(const struct stack_source *source,
				      const struct sysfs *sysfs,
				      const struct blkbench_layer *layer)
{
	uint64_t size_bytes;
	enum blkbench_loss loss;

	if (sysfs->self < 0)
		return BLKBENCH_LOSS_REMOVED;
	size_bytes = sysfs_read_size(sysfs->self, "size", SYSFS_SECTOR_BYTES);
	loss = judge_state(sysfs);
	if (!loss)
		loss = judge_size(sysfs, layer->size_bytes, size_bytes);
	if (!loss)
		loss = judge_table(source, sysfs, layer);
	return loss;
}

/* Of a device that sysfs did not have before nothing can be told. */
static enum blkbench_loss judge_device(const struct stack_source *source,
				       const struct blkbench_layer *layer)
{
	enum blkbench_loss loss;
	struct sysfs sysfs;

	if (layer->size_bytes == BLKBENCH_UNKNOWN)
		return BLKBENCH_LOSS_NONE;
	sysfs_open(&sysfs, source->sysfs, layer->major, layer->minor);
	loss = judge_sysfs(source, &sysfs, layer);
	sysfs_close(&sysfs);
	return loss;
}

/* ---- a layer that is a file ------------------------------------------ */

/* How much of a layer those above it reach for. */
static uint64_t find_reach(const struct blkbench_info *info, size_t below)
{
	uint64_t reach = 0;

	for (size_t i = 0; i < info->layers_count; i++) {
		const struct blkbench_layer *layer = &info->layers[i];

		for (size_t k = 0; k < layer->segments_count; k++) {
			const struct blkbench_segment *segment =
				&layer->segments[k];
			const struct blkbench_leg *leg = segment->legs;

			if (segment->legs_count != 1 || leg->layer != below ||
			    leg->offset_bytes == BLKBENCH_UNKNOWN)
				continue;
			if (leg->offset_bytes + segment->length_bytes > reach)
				reach = leg->offset_bytes +
					segment->length_bytes;
		}
	}
	return reach;
}

/* A file that is gone by its name is there for who has it open. */
static enum blkbench_loss judge_file(const struct stack_source *source,
				     const struct blkbench_info *info,
				     size_t index)
{
	struct blkdev_file file;

	if (source->find_file(source, info->layers[index].name, &file) != 0 ||
	    file.size_bytes == BLKBENCH_UNKNOWN)
		return BLKBENCH_LOSS_NONE;
	return file.size_bytes < find_reach(info, index) ? BLKBENCH_LOSS_SHRUNK
							 : BLKBENCH_LOSS_NONE;
}

/* ---- all of them ----------------------------------------------------- */

struct search {
	const struct stack_source *source;
	const struct blkbench_info *info;
	/* Of each layer: a volume may lie on it with many segments. */
	struct found {
		bool is_known;
		enum blkbench_loss loss;
		const char *layer;
	} * found;
};

static void search_layer(struct search *search, size_t index);

/* Lost is what has less left than it needs of its legs: one of a mirror, all
 * data members of an array, the one of a linear target. */
static void search_legs(struct search *search,
			const struct blkbench_segment *segment,
			struct found *answer)
{
	const size_t needed = segment->data_members ? segment->data_members : 1;
	const struct found *first = NULL;
	size_t left = segment->legs_count;

	for (size_t i = 0; i < segment->legs_count; i++) {
		const size_t index = segment->legs[i].layer;

		if (index == BLKBENCH_NO_LAYER) {
			left--;
			continue;
		}
		search_layer(search, index);
		if (!search->found[index].loss)
			continue;
		left--;
		if (!first)
			first = &search->found[index];
	}
	if (first && left < needed) {
		answer->loss = first->loss;
		answer->layer = first->layer;
	}
}

static void search_layer(struct search *search, size_t index)
{
	const struct blkbench_layer *layer = &search->info->layers[index];
	struct found *answer = &search->found[index];

	if (answer->is_known)
		return;
	answer->is_known = true;
	answer->layer = layer->name;
	answer->loss = strcmp(layer->kind, "file") == 0
			       ? judge_file(search->source, search->info, index)
			       : judge_device(search->source, layer);
	for (size_t i = 0; !answer->loss && i < layer->segments_count; i++)
		search_legs(search, &layer->segments[i], answer);
}

static enum blkbench_loss search_stack(const struct stack_source *source,
				       const struct blkbench_info *info,
				       const char **layer)
{
	struct search search = { .source = source, .info = info };
	enum blkbench_loss loss;

	search.found = calloc(info->layers_count, sizeof(*search.found));
	if (!search.found)
		return BLKBENCH_LOSS_NONE;
	search_layer(&search, 0);
	*layer = search.found[0].layer;
	loss = search.found[0].loss;
	free(search.found);
	return loss;
}

enum blkbench_loss loss_find(const struct stack_source *source,
			     const struct blkbench_info *info,
			     uint64_t size_bytes, const char **layer)
{
	enum blkbench_loss loss = BLKBENCH_LOSS_NONE;

	*layer = info->path;
	if (info->layers_count > 0)
		loss = search_stack(source, info, layer);
	if (loss)
		return loss;
	/* Where sysfs does not tell; a file of no size is there all the same. */
	if (size_bytes == 0 && info->kind != BLKBENCH_KIND_FILE)
		return BLKBENCH_LOSS_REMOVED;
	return size_bytes < info->size_bytes ? BLKBENCH_LOSS_SHRUNK
					     : BLKBENCH_LOSS_NONE;
}
