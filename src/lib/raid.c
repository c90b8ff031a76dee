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

const struct raid_copies raid_no_copies = { .near = 1, .far = 1 };

size_t raid_data_members(const struct raid_level *level, size_t members,
			 const struct raid_copies *copies)
{
	if (!level->is_striped)
		return 1;
	if (members <= level->parities || copies->near == 0 || copies->far == 0)
		return 0;
	/* Copies that run on into the next row, or take rows of their own. */
	if (members % copies->near || (copies->far > 1 && copies->is_offset))
		return 0;
	return members / copies->near - level->parities;
}
