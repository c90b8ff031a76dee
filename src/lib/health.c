/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "health.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dmtable.h"
#include "parse.h"
#include "smart.h"
#include "string_list.h"
#include "sysfs.h"

/* What no thermometer shows, in thousandths of a degree: below absolute zero,
 * or hot enough to melt the solder. */
#define TEMPERATURE_MIN (-273150)
#define TEMPERATURE_MAX 200000

static void init(struct blkbench_layer_health *health)
{
	*health = (struct blkbench_layer_health){
		.rotational = BLKBENCH_NOT_KNOWN,
		.read_only = BLKBENCH_NOT_KNOWN,
		.suspended = BLKBENCH_NOT_KNOWN,
		.reads = BLKBENCH_UNKNOWN,
		.failed_commands = BLKBENCH_UNKNOWN,
		.timeouts = BLKBENCH_UNKNOWN,
		.temperature = BLKBENCH_UNKNOWN_TEMPERATURE,
		.temperature_max = BLKBENCH_UNKNOWN_TEMPERATURE,
		.temperature_critical = BLKBENCH_UNKNOWN_TEMPERATURE,
		.members = BLKBENCH_UNKNOWN,
		.lost_members = BLKBENCH_UNKNOWN,
		.corrected_errors = BLKBENCH_UNKNOWN,
		.bad_sectors = BLKBENCH_UNKNOWN,
		.mismatch_sectors = BLKBENCH_UNKNOWN,
	};
	smart_init(&health->smart);
}

/* ---- disks ------------------------------------------------------------ */

static enum blkbench_answer read_answer(int directory, const char *attribute)
{
	uint64_t value;

	if (sysfs_read_u64(directory, attribute, &value) != 0)
		return BLKBENCH_NOT_KNOWN;
	return value ? BLKBENCH_YES : BLKBENCH_NO;
}

/* The disk's own, and that of the controller whose namespace it is: a class
 * device such as that is "unsupported" by itself. */
static enum blkbench_answer read_suspended(int disk)
{
	static const char *const attributes[] = {
		"device/power/runtime_status",
		"device/device/power/runtime_status",
	};
	enum blkbench_answer answer = BLKBENCH_NOT_KNOWN;

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]);
	     i++) {
		char status[BLKBENCH_STATE_MAX];

		if (sysfs_read_text(disk, attributes[i], status,
				    sizeof(status)) != 0)
			continue;
		if (strncmp(status, "suspend", strlen("suspend")) == 0)
			return BLKBENCH_YES;
		if (strcmp(status, "active") == 0)
			answer = BLKBENCH_NO;
	}
	return answer;
}

/* The first field of a block device's counters. */
static uint64_t read_reads(int disk)
{
	char text[BLKBENCH_TEXT_MAX];
	uint64_t reads;

	if (sysfs_read_text(disk, "stat", text, sizeof(text)) != 0)
		return BLKBENCH_UNKNOWN;
	text[strcspn(text, " ")] = '\0';
	return parse_u64(text, &reads) == 0 ? reads : BLKBENCH_UNKNOWN;
}

static uint64_t read_counter(int disk, const char *attribute)
{
	uint64_t value;

	return sysfs_read_hex(disk, attribute, &value) == 0 ? value
							    : BLKBENCH_UNKNOWN;
}

static void read_disk(const struct sysfs *sysfs,
		      struct blkbench_layer_health *health)
{
	const int disk = sysfs->disk;

	health->is_disk = true;
	health->rotational = read_answer(disk, "queue/rotational");
	health->read_only = read_answer(disk, "ro");
	health->suspended = read_suspended(disk);
	if (sysfs_read_text(disk, "device/state", health->state,
			    sizeof(health->state)) != 0)
		health->state[0] = '\0';
	health->reads = read_reads(disk);
	health->failed_commands = read_counter(disk, "device/ioerr_cnt");
	health->timeouts = read_counter(disk, "device/iotmo_cnt");
}

/* ---- temperatures ----------------------------------------------------- */

static bool find_in(int disk, const char *directory, char path[PATH_MAX])
{
	struct string_list names = { 0 };
	bool is_found = false;

	sysfs_list(disk, directory, &names);
	for (size_t i = 0; i < names.count && !is_found; i++) {
		const char *name = names.items[i];

		is_found = strncmp(name, "hwmon", strlen("hwmon")) == 0 &&
			   isdigit((unsigned char)name[strlen("hwmon")]);
		snprintf(path, PATH_MAX, "%s/%s", directory, name);
	}
	string_list_finish(&names);
	return is_found;
}

/* Of a SCSI or ATA disk it is in a directory "hwmon", of an NVMe controller
 * beside the other attributes. */
static bool find_thermometer(int disk, char path[PATH_MAX])
{
	return find_in(disk, "device/hwmon", path) ||
	       find_in(disk, "device", path);
}

static int64_t read_temperature(int disk, const char *thermometer,
				const char *attribute)
{
	char path[PATH_MAX + NAME_MAX];
	int64_t value;

	snprintf(path, sizeof(path), "%s/%s", thermometer, attribute);
	if (sysfs_read_i64(disk, path, &value) != 0 ||
	    value < TEMPERATURE_MIN || value > TEMPERATURE_MAX)
		return BLKBENCH_UNKNOWN_TEMPERATURE;
	return value;
}

static void read_temperatures(int disk, struct blkbench_layer_health *health)
{
	char path[PATH_MAX];

	if (!find_thermometer(disk, path))
		return;
	health->temperature = read_temperature(disk, path, "temp1_input");
	health->temperature_max = read_temperature(disk, path, "temp1_max");
	health->temperature_critical =
		read_temperature(disk, path, "temp1_crit");
}

/*
 * Asking an ATA disk for its temperature is a command to it. It may make one
 * that has stopped by itself spin, which the kernel does not know, and starts
 * its timer anew; so not unless it has to be spinning anyhow.
 */
static bool may_be_asked(const struct blkbench_layer_health *before,
			 const struct blkbench_layer_health *now)
{
	if (!before || now->suspended == BLKBENCH_YES)
		return false;
	if (now->rotational == BLKBENCH_NO)
		return true;
	return before->reads != BLKBENCH_UNKNOWN &&
	       now->reads != BLKBENCH_UNKNOWN && now->reads > before->reads;
}

/* ---- arrays and paths -------------------------------------------------- */

static void add(uint64_t *sum, uint64_t value)
{
	if (value != BLKBENCH_UNKNOWN)
		*sum = *sum == BLKBENCH_UNKNOWN ? value : *sum + value;
}

/* A line "START LENGTH" for each range, of which sysfs shows a page full. */
static uint64_t read_bad_sectors(const struct sysfs *sysfs,
				 const char *attribute)
{
	char text[4096 + 1], *line, *rest = text;
	uint64_t sum = 0;
	int length = sysfs_read_bytes(sysfs->self, attribute, text,
				      sizeof(text) - 1);

	if (length < 0)
		return BLKBENCH_UNKNOWN;
	text[length] = '\0';
	while ((line = strsep(&rest, "\n"))) {
		uint64_t sectors;

		line += strcspn(line, " ");
		if (parse_u64(line, &sectors) == 0)
			add(&sum, sectors);
	}
	return sum;
}

static void read_md_member(const struct sysfs *sysfs, const char *name,
			   struct blkbench_layer_health *health)
{
	char attribute[NAME_MAX + sizeof("md//bad_blocks")];

	snprintf(attribute, sizeof(attribute), "md/%s/errors", name);
	add(&health->corrected_errors,
	    sysfs_read_size(sysfs->self, attribute, 1));
	snprintf(attribute, sizeof(attribute), "md/%s/bad_blocks", name);
	add(&health->bad_sectors, read_bad_sectors(sysfs, attribute));
}

static void read_md(const struct sysfs *sysfs,
		    struct blkbench_layer_health *health)
{
	struct string_list names = { 0 };

	if (sysfs_read_text(sysfs->self, "md/array_state", health->state,
			    sizeof(health->state)) != 0)
		health->state[0] = '\0';
	health->members = sysfs_read_size(sysfs->self, "md/raid_disks", 1);
	health->lost_members = sysfs_read_size(sysfs->self, "md/degraded", 1);
	health->mismatch_sectors =
		sysfs_read_size(sysfs->self, "md/mismatch_cnt", 1);
	sysfs_list(sysfs->self, "md", &names);
	for (size_t i = 0; i < names.count; i++)
		if (strncmp(names.items[i], "dev-", strlen("dev-")) == 0)
			read_md_member(sysfs, names.items[i], health);
	string_list_finish(&names);
}

struct status_reader {
	struct devmapper_visitor visitor;
	struct blkbench_layer_health *health;
};

static void read_target_status(struct devmapper_visitor *visitor,
			       const struct devmapper_target *target)
{
	struct blkbench_layer_health *health =
		((struct status_reader *)visitor)->health;
	struct dmtable_state state;

	if (dmtable_parse_status(target->type, target->params, &state) != 0)
		return;
	health->is_multipath |= state.has_paths;
	add(&health->members, state.members);
	add(&health->lost_members, state.lost);
	add(&health->mismatch_sectors, state.mismatch_sectors);
}

static void read_dm(const struct stack_source *source,
		    const struct blkbench_layer *layer,
		    struct blkbench_layer_health *health)
{
	struct status_reader reader = {
		.visitor = { .visit = read_target_status },
		.health = health,
	};

	source->read_status(source, layer->major, layer->minor,
			    &reader.visitor);
}

/* ---- all of them ------------------------------------------------------- */

/* Returns whether the layer has anything to tell. */
static bool read_layer(const struct stack_source *source,
		       const struct blkbench_layer *layer,
		       const struct blkbench_health *before,
		       struct blkbench_layer_health *health)
{
	struct sysfs sysfs;

	init(health);
	health->layer = layer->name;
	sysfs_open(&sysfs, source->sysfs, layer->major, layer->minor);
	if (strcmp(layer->kind, "disk") == 0)
		read_disk(&sysfs, health);
	if (sysfs_has(sysfs.self, "md"))
		read_md(&sysfs, health);
	if (sysfs_has(sysfs.self, "dm"))
		read_dm(source, layer, health);
	if (health->is_disk && before &&
	    may_be_asked(blkbench_health_find(before, layer->name), health))
		read_temperatures(sysfs.disk, health);
	sysfs_close(&sysfs);
	return health->is_disk || health->members != BLKBENCH_UNKNOWN ||
	       health->state[0];
}

int health_read(const struct stack_source *source,
		const struct blkbench_layer *layers, size_t layers_count,
		const struct blkbench_health *before,
		struct blkbench_health *health)
{
	*health = (struct blkbench_health){ 0 };
	health->layers = calloc(layers_count + 1, sizeof(*health->layers));
	if (!health->layers)
		return -ENOMEM;
	for (size_t i = 0; i < layers_count; i++)
		health->layers_count +=
			read_layer(source, &layers[i], before,
				   &health->layers[health->layers_count]);
	return 0;
}

void blkbench_health_finish(struct blkbench_health *health)
{
	free(health->layers);
	*health = (struct blkbench_health){ 0 };
}
