/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "fuzz.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "report.h"
#include "results.h"

/* Whatever is accepted can be compared, and printed without steering a
 * terminal. */
static void check_report(const struct results *results, const char *format)
{
	struct options options = {
		.format = report_find_format(format),
		.equal_percent = BLKBENCH_EQUAL_PERCENT,
	};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert(out);
	assert(input_report_results(&options, results, results, out) == 0);
	assert(fclose(out) == 0);
	assert(size > 0 && strlen(text) == size);
	for (const char *at = text; *at; at++)
		assert((unsigned char)*at >= 0x20 || *at == '\n');
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct blkbench_error error = { "" };
	struct results results;

	if (results_parse((const char *)data, length, &results, &error) == 0) {
		check_report(&results, "text");
		check_report(&results, "json");
	} else {
		assert(error.text[0]);
	}
	results_finish(&results);
	return 0;
}
