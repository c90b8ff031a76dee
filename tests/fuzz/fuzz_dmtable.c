/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dmtable.h"

/* What is understood can be divided by and added up. */
static void check(const struct dmtable_target *target)
{
	assert(target->kind && *target->kind);
	assert(target->chunk_bytes > 0);
	assert(target->data_members <= target->legs_count ||
	       target->data_members == 1);
	for (size_t i = 0; i < target->legs_count; i++)
		assert(target->legs[i].offset_bytes % 512 == 0 ||
		       target->legs[i].offset_bytes == BLKBENCH_UNKNOWN);
}

static void check_status(const char *type, const char *status)
{
	struct dmtable_state state;

	if (dmtable_parse_status(type, status, &state) == 0)
		assert(state.lost <= state.members);
}

/* "TYPE PARAMETERS", or "TYPE STATUS" */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	char *type = malloc(length + 1);
	struct dmtable_target target;
	char *params;

	if (!type)
		return 0;
	memcpy(type, data, length);
	type[length] = '\0';
	params = type + strcspn(type, " ");
	if (*params)
		*params++ = '\0';
	if (dmtable_parse(type, params, &target) == 0)
		check(&target);
	check_status(type, params);
	free(target.legs);
	free(type);
	return 0;
}
