/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "smart.h"

/* Whatever it says, it is told or said why not, and what is not possible is
 * not known. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	char *text = malloc(length + 1);
	struct blkbench_smart smart;

	if (!text)
		return 0;
	memcpy(text, data, length);
	text[length] = '\0';
	smart_parse(text, &smart);
	assert((smart.answer == BLKBENCH_SMART_TOLD) == !*smart.text);
	assert(smart.answer != BLKBENCH_SMART_NOT_ASKED);
	assert(smart.command_timeouts == BLKBENCH_UNKNOWN ||
	       smart.command_timeouts <= UINT16_MAX);
	assert(smart.failing_attribute == BLKBENCH_UNKNOWN ||
	       smart.failing_attribute <= UINT8_MAX);
	assert(smart.temperature == BLKBENCH_UNKNOWN_TEMPERATURE ||
	       (smart.temperature > -100000 && smart.temperature < 200000));
	free(text);
	return 0;
}
