/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "raid.h"

#include <string.h>

/* A name may go on after "_": the layout, which changes none of this. */
static bool is_level(const char *name, const struct raid_level *level)
{
	const size_t length = strlen(level->name);

	return strncmp(name, level->name, length) == 0 &&
	       (name[length] == '\0' || name[length] == '_');
}

const struct raid_level *raid_find(const char *name)
{
	static const struct raid_level levels[] = {
		{ "linear", 0, false }, { "raid0", 0, true },
		{ "raid1", 0, false },	{ "raid4", 1, true },
		{ "raid5", 1, true },	{ "raid6", 2, true },
		{ "raid10", 0, true },
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (is_level(name, &levels[i]))
			return &levels[i];
	return NULL;
}

size_t raid_data_members(const struct raid_level *level, size_t members,
			 size_t near_copies)
{
	if (!level->is_striped)
		return 1;
	if (members <= level->parities)
		return 0;
	/* Where copies do not divide the members, the kernel too counts all. */
	if (near_copies > 1 && members % near_copies == 0)
		return members / near_copies;
	return members - level->parities;
}
