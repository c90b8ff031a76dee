/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"

/* Whatever is accepted stays within the device, on a sector. */
static void check_percent(const struct size *size)
{
	static const uint64_t devices[] = { 512, 8 << 20, UINT64_MAX / 512 };
	uint64_t bytes;
	size_t i;

	for (i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		bytes = size_resolve(size, devices[i] * 512, 512);
		assert(bytes <= devices[i] * 512);
		assert(bytes % 512 == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	char *text = malloc(length + 1);
	struct size size;

	if (!text)
		return 0;
	memcpy(text, data, length);
	text[length] = '\0';
	if (size_parse(text, &size) == 0 && size.is_percent)
		check_percent(&size);
	free(text);
	return 0;
}
