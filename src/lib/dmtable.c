/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "dmtable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"
#include "raid.h"

#define WORD_MAX 64
#define LEGS_MAX 4096

/* ---- words ----------------------------------------------------------- */

/* Skips one. Not copied: of dm-crypt, one is the key. */
static int skip_word(const char **at)
{
	*at += strspn(*at, " ");
	if (!**at)
		return -EINVAL;
	*at += strcspn(*at, " ");
	return 0;
}

static int take_word(const char **at, char word[WORD_MAX])
{
	const char *begin = *at + strspn(*at, " ");
	const size_t length = strcspn(begin, " ");

	if (length == 0 || length >= WORD_MAX)
		return -EINVAL;
	memcpy(word, begin, length);
	word[length] = '\0';
	*at = begin + length;
	return 0;
}

static int take_number(const char **at, uint64_t *value)
{
	char word[WORD_MAX];
	int err = take_word(at, word);

	return err ? err : parse_u64(word, value);
}

static int take_sectors(const char **at, uint64_t *bytes)
{
	int err = take_number(at, bytes);

	if (!err && __builtin_mul_overflow(*bytes, DMTABLE_SECTOR_BYTES, bytes))
		return -ERANGE;
	return err;
}

static int skip_words(const char **at, uint64_t count)
{
	int err = 0;

	while (!err && count--)
		err = skip_word(at);
	return err;
}

/* A number, and so many words after it. */
static int skip_counted(const char **at)
{
	uint64_t count;
	int err = take_number(at, &count);

	return err ? err : skip_words(at, count);
}

static int take_device(const char **at, struct dmtable_target *target)
{
	struct dmtable_leg leg = { 0 };
	struct dmtable_leg *legs;
	char word[WORD_MAX];
	int err = take_word(at, word);

	if (err)
		return err;
	leg.is_missing = strcmp(word, "-") == 0;
	if (!leg.is_missing && parse_devno(word, &leg.major, &leg.minor) != 0)
		return -EINVAL;
	if (target->legs_count == LEGS_MAX)
		return -E2BIG;
	legs = reallocarray(target->legs, target->legs_count + 1,
			    sizeof(*legs));
	if (!legs)
		return -ENOMEM;
	legs[target->legs_count++] = leg;
	target->legs = legs;
	return 0;
}

static int take_devices_at_offsets(const char **at, uint64_t count,
				   struct dmtable_target *target)
{
	int err = 0;

	while (!err && count--) {
		err = take_device(at, target);
		if (!err)
			err = take_sectors(at,
					   &target->legs[target->legs_count - 1]
						    .offset_bytes);
	}
	return err;
}

/* ---- the targets that lists describe --------------------------------- */

static int parse_striped(const char *at, struct dmtable_target *target)
{
	uint64_t members;
	int err = take_number(&at, &members);

	if (!err)
		err = take_sectors(&at, &target->chunk_bytes);
	if (!err)
		err = take_devices_at_offsets(&at, members, target);
	target->data_members = target->legs_count;
	return err;
}

/* "LOG N ARG... MIRRORS DEVICE OFFSET..." */
static int parse_mirror(const char *at, struct dmtable_target *target)
{
	uint64_t mirrors;
	int err = skip_word(&at);

	if (!err)
		err = skip_counted(&at);
	if (!err)
		err = take_number(&at, &mirrors);
	return err ? err : take_devices_at_offsets(&at, mirrors, target);
}

/* The parameters of a raid target: the chunk, and words of one or two. */
struct raid_parameters {
	uint64_t copies;
	char format[WORD_MAX]; /* of the copies */
	uint64_t data_offset_bytes;
	bool is_reshaping;
};

static int parse_raid_word(const char **at, const char *word,
			   struct raid_parameters *parameters)
{
	if (strcmp(word, "data_offset") == 0)
		return take_sectors(at, &parameters->data_offset_bytes);
	if (strcmp(word, "raid10_copies") == 0)
		return take_number(at, &parameters->copies);
	if (strcmp(word, "raid10_format") == 0)
		return take_word(at, parameters->format);
	parameters->is_reshaping |= strcmp(word, "delta_disks") == 0;
	return 0;
}

static int parse_raid_parameters(const char **at, struct dmtable_target *target,
				 struct raid_parameters *parameters)
{
	const char *end;
	uint64_t count;
	int err = take_number(at, &count);

	end = *at;
	if (!err)
		err = skip_words(&end, count);
	if (!err)
		err = take_sectors(at, &target->chunk_bytes);
	while (!err && *at < end) {
		char word[WORD_MAX];

		err = take_word(at, word);
		if (!err)
			err = parse_raid_word(at, word, parameters);
	}
	*at = end;
	return err;
}

static struct raid_copies find_copies(const struct raid_level *level,
				      const struct raid_parameters *parameters)
{
	const char *format = parameters->format;

	if (strcmp(level->name, "raid10") != 0)
		return raid_no_copies;
	if (strcmp(format, "near") == 0)
		return (struct raid_copies){ parameters->copies, 1, false };
	if (strcmp(format, "far") == 0)
		return (struct raid_copies){ 1, parameters->copies, false };
	if (strcmp(format, "offset") == 0)
		return (struct raid_copies){ 1, parameters->copies, true };
	return (struct raid_copies){ 0 };
}

/* "LEVEL N PARAMETER... MEMBERS METADATA DATA..." */
static int parse_raid(const char *at, struct dmtable_target *target)
{
	struct raid_parameters parameters = { .copies = 2 };
	const struct raid_level *level;
	struct raid_copies copies;
	uint64_t members;
	char name[WORD_MAX];
	int err = take_word(&at, name);

	level = err ? NULL : raid_find(name);
	if (!level)
		return -EINVAL;
	target->kind = level->name;
	/* Unless they are told, of a "raid10_far" the copies are not known. */
	if (strcmp(name, "raid10") == 0)
		strcpy(parameters.format, "near");
	err = parse_raid_parameters(&at, target, &parameters);
	if (!err)
		err = take_number(&at, &members);
	for (uint64_t i = 0; !err && i < members; i++) {
		err = skip_word(&at);
		if (!err)
			err = take_device(&at, target);
		if (!err)
			target->legs[i].offset_bytes =
				parameters.data_offset_bytes;
	}
	copies = find_copies(level, &parameters);
	target->data_members =
		raid_data_members(level, target->legs_count, &copies);
	if (parameters.is_reshaping)
		target->data_members = 0;
	return err;
}

/* "WORD N WORD... PATHS ARGS": what a group begins with, in a table as in a
 * status, and how many words each of its paths has behind it. */
static int take_group(const char **at, uint64_t *paths, uint64_t *arguments)
{
	int err = skip_word(at);

	if (!err)
		err = skip_counted(at);
	if (!err)
		err = take_number(at, paths);
	return err ? err : take_number(at, arguments);
}

/* "N FEATURE... N HANDLER... GROUPS FIRST GROUP...", and a group is
 * "SELECTOR N ARG... PATHS ARGS (DEVICE ARG...)..." */
static int parse_path_group(const char **at, struct dmtable_target *target)
{
	uint64_t paths, arguments;
	int err = take_group(at, &paths, &arguments);

	while (!err && paths--) {
		err = take_device(at, target);
		if (!err)
			err = skip_words(at, arguments);
	}
	return err;
}

static int parse_features(const char **at, struct dmtable_target *target)
{
	uint64_t count;
	int err = take_number(at, &count);

	while (!err && count--) {
		char word[WORD_MAX];

		err = take_word(at, word);
		target->does_queue |= !err &&
				      strcmp(word, "queue_if_no_path") == 0;
	}
	return err;
}

static int parse_multipath(const char *at, struct dmtable_target *target)
{
	uint64_t groups;
	int err = parse_features(&at, target);

	if (!err)
		err = skip_counted(&at);
	if (!err)
		err = take_number(&at, &groups);
	if (!err)
		err = skip_word(&at);
	while (!err && groups--)
		err = parse_path_group(&at, target);
	return err;
}

/* "PATH STATE FAILURES ARGUMENT...", and so on; "A" is a path that works. */
static int count_paths(const char **at, uint64_t paths, uint64_t arguments,
		       struct dmtable_state *state)
{
	int err = 0;

	while (!err && paths--) {
		char word[WORD_MAX];

		err = skip_word(at);
		if (!err)
			err = take_word(at, word);
		state->members += !err;
		state->lost += !err && strcmp(word, "A") != 0;
		if (!err)
			err = skip_word(at);
		if (!err)
			err = skip_words(at, arguments);
	}
	return err;
}

/* "STATE N SELECTOR... PATHS ARGS PATH..." */
static int parse_group_status(const char **at, struct dmtable_state *state)
{
	uint64_t paths, arguments;
	int err = take_group(at, &paths, &arguments);

	return err ? err : count_paths(at, paths, arguments, state);
}

/* As in the table: "N QUEUE... N HANDLER... GROUPS NEXT GROUP..." */
static int parse_multipath_status(const char *status,
				  struct dmtable_state *state)
{
	uint64_t groups;
	int err = skip_counted(&status);

	state->has_paths = true;
	if (!err)
		err = skip_counted(&status);
	if (!err)
		err = take_number(&status, &groups);
	if (!err)
		err = skip_word(&status);
	while (!err && groups--)
		err = parse_group_status(&status, state);
	return err;
}

/* "LEVEL MEMBERS HEALTH SYNC ACTION MISMATCHES ...", where HEALTH has a letter
 * for each member: "A" in sync, "a" not yet, "D" failed, "-" missing. Kernels
 * before 3.10 end after SYNC. */
static int parse_raid_status(const char *status, struct dmtable_state *state)
{
	const char *health;
	int err = skip_word(&status);

	if (!err)
		err = take_number(&status, &state->members);
	if (err)
		return err;
	health = status + strspn(status, " ");
	if (strcspn(health, " ") != state->members ||
	    strspn(health, "AaD-") != state->members)
		return -EINVAL;
	for (uint64_t i = 0; i < state->members; i++)
		state->lost += health[i] == 'D' || health[i] == '-';
	if (skip_words(&status, 3) == 0 &&
	    take_number(&status, &state->mismatch_sectors) != 0)
		return -EINVAL;
	return 0;
}

int dmtable_parse_status(const char *type, const char *status,
			 struct dmtable_state *state)
{
	static const struct {
		const char *type;
		int (*parse)(const char *status, struct dmtable_state *state);
	} table[] = {
		{ "multipath", parse_multipath_status },
		{ "raid", parse_raid_status },
	};

	*state = (struct dmtable_state){
		.mismatch_sectors = BLKBENCH_UNKNOWN,
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(type, table[i].type) == 0)
			return table[i].parse(status, state) ? -EINVAL : 0;
	return -ENODATA;
}

/* ---- all targets ----------------------------------------------------- */

/*
 * What each word of the simple ones is:
 *	d	a device	x	one where chunks lie at their multiples
 *	o	its offset	u	one where places are not known
 *	c	the chunk	.	anything else
 *	?	what follows may be missing
 */
struct target_type {
	const char *name;
	const char *words;
	int (*parse)(const char *at, struct dmtable_target *target);
};

static const struct target_type types[] = {
	{ "cache", ".xdc", NULL },
	{ "clone", ".dd", NULL },
	{ "crypt", "...do", NULL },
	{ "delay", "do", NULL },
	{ "dust", "do", NULL },
	{ "era", ".d", NULL },
	{ "error", "", NULL },
	{ "flakey", "do", NULL },
	{ "integrity", "u", NULL },
	{ "linear", "do", NULL },
	{ "log-writes", "d", NULL },
	{ "mirror", NULL, parse_mirror },
	{ "multipath", NULL, parse_multipath },
	{ "raid", NULL, parse_raid },
	{ "snapshot", "dx.c", NULL },
	{ "snapshot-merge", "dx.c", NULL },
	{ "snapshot-origin", "d", NULL },
	{ "striped", NULL, parse_striped },
	{ "thin", "x.?d", NULL },
	{ "thin-pool", ".dc", NULL },
	{ "verity", ".d", NULL },
	{ "writecache", ".du", NULL },
	{ "zero", "", NULL },
};

static int parse_word(const char **at, char what, struct dmtable_target *target)
{
	struct dmtable_leg *leg;
	int err;

	switch (what) {
	case '.':
		return skip_word(at);
	case 'c':
		return take_sectors(at, &target->chunk_bytes);
	case 'o':
		leg = &target->legs[target->legs_count - 1];
		return take_sectors(at, &leg->offset_bytes);
	}
	err = take_device(at, target);
	if (err || what == 'd')
		return err;
	leg = &target->legs[target->legs_count - 1];
	leg->offset_bytes = BLKBENCH_UNKNOWN;
	leg->is_placed_by_chunk = what == 'x';
	return 0;
}

static int parse_words(const char *at, const char *words,
		       struct dmtable_target *target)
{
	int err = 0;

	for (; !err && *words; words++) {
		if (*words != '?')
			err = parse_word(&at, *words, target);
		else if (at[strspn(at, " ")] == '\0')
			break;
	}
	return err;
}

static const struct target_type *find_type(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return NULL;
}

int dmtable_parse(const char *type, const char *params,
		  struct dmtable_target *target)
{
	const struct target_type *found = find_type(type);
	int err = 0;

	*target = (struct dmtable_target){
		.chunk_bytes = BLKBENCH_UNKNOWN,
		.data_members = 1,
	};
	if (!found)
		return -EINVAL;
	target->kind = found->name;
	if (found->parse)
		err = found->parse(params, target);
	else
		err = parse_words(params, found->words, target);
	if (target->chunk_bytes == 0)
		target->chunk_bytes = BLKBENCH_UNKNOWN;
	return err && err != -ENOMEM ? -EINVAL : err;
}
