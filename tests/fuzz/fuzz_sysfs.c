/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

static char *copy(const uint8_t *data, size_t length)
{
	char *text = malloc(length + 1);

	if (!text)
		abort();
	memcpy(text, data, length);
	text[length] = '\0';
	return text;
}

static void check_numbers(const char *text)
{
	unsigned int major, minor;
	uint64_t u;
	int64_t i;

	if (parse_u64(text, &u) == 0 && u <= INT64_MAX) {
		assert(parse_i64(text, &i) == 0);
		assert((uint64_t)i == u);
	}
	(void)parse_hex(text, &u);
	(void)parse_devno(text, &major, &minor);
}

/* Nothing is left that could steer a terminal, and nothing more to clean. */
static void check_clean(const char *text)
{
	char *once = copy((const uint8_t *)text, strlen(text));
	char *twice;

	parse_unescape(once);
	parse_clean(once);
	assert(strlen(once) <= strlen(text));
	for (const char *at = once; *at; at++)
		assert((unsigned char)*at >= 0x20 && *at != 0x7f);
	twice = copy((const uint8_t *)once, strlen(once));
	parse_clean(twice);
	assert(strcmp(once, twice) == 0);
	free(twice);
	free(once);
}

static void check_names(const char *text)
{
	char vg[PARSE_DM_NAME_MAX], lv[PARSE_DM_NAME_MAX];

	if (parse_lv_name(text, vg, lv) == 0)
		assert(*vg && *lv && strlen(vg) + strlen(lv) < strlen(text));
	(void)parse_transport(text);
}

static void check_page(const uint8_t *data, size_t length)
{
	char serial[64];

	if (parse_vpd_serial(data, length, serial, sizeof(serial)) == 0)
		assert(*serial && strlen(serial) <= length - 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	char *text = copy(data, length);

	check_numbers(text);
	check_clean(text);
	check_names(text);
	check_page(data, length);
	free(text);
	return 0;
}
