/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RAID_H
#define RAID_H

#include <stdbool.h>
#include <stddef.h>

/* A RAID level, as md and device-mapper name it. */
struct raid_level {
	const char *name; /* static */
	size_t parities;  /* members of each stripe that hold no data */
	bool is_striped;
};

/* Of "raid5", "raid6_n_6"...; NULL: not known. */
const struct raid_level *raid_find(const char *name);

/*
 * Members that a full stripe is spread over: all but the parities, and of
 * near_copies that lie side by side one. 1 for levels that are not striped,
 * 0 where there are too few members.
 */
size_t raid_data_members(const struct raid_level *level, size_t members,
			 size_t near_copies);

#endif
