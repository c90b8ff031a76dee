/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef RAID_H
#define RAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A RAID level, as md and device-mapper name it. */
struct raid_level {
	const char *name; /* static */
	size_t parities;  /* members of each stripe that hold no data */
	bool is_striped;
};

/* Of "raid5", "raid6_n_6"...; NULL: not known. */
const struct raid_level *raid_find(const char *name);

/*
 * How raid10 lays its copies: near ones side by side in a row, far ones each in
 * a part of its own of all members or, with an offset, in the next row.
 */
struct raid_copies {
	uint64_t near, far; /* 1: none but the data itself; 0: not known */
	bool is_offset;
};

/* Of the other levels, which have none. */
extern const struct raid_copies raid_no_copies;

/*
 * Members that a full stripe is spread over: all but the parities, and of near
 * copies one. 1 for levels that are not striped. 0, not known: where there are
 * too few members, and where copies leave rows that are no such stripes.
 */
size_t raid_data_members(const struct raid_level *level, size_t members,
			 const struct raid_copies *copies);

#endif
