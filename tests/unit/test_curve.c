/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve.h"
#include "text.h"

/* Each line without what comes before the axis. */
static char *draw(const double *values, size_t count, double max, bool is_utf8)
{
	const struct curve curve = {
		.count = count,
		.values = values,
		.max = max,
		.end_bytes = 4294967296,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	curve_print(out, &curve, is_utf8);
	fclose(out);
	return text;
}

static void bars_are_as_high_as_the_rates(void **state)
{
	/* 48, 24, 12, 1 eighths of a row, and one that was not measured. */
	static const double values[] = { 160, 80, 40, 0.1, NAN };
	char *text = draw(values, 5, 160, true);

	(void)state;
	assert_string_equal(
		text, "     160 MB/s │████████████\n"
		      "              │████████████\n"
		      "              │████████████\n"
		      "              │████████████████████████\n"
		      "              │████████████████████████▄▄▄▄▄▄▄▄▄▄▄▄\n"
		      "              │████████████████████████████████████"
		      "▁▁▁▁▁▁▁▁▁▁▁▁xxxxxxxxxxxx\n"
		      "            0 └────────────────────────────────────"
		      "────────────────────────\n"
		      "               0 B                                 "
		      "                 4.29 GB\n");
	free(text);
}

static void bars_are_ascii_where_the_locale_is(void **state)
{
	static const double values[] = { 100, 25, 10, NAN };
	char *text = draw(values, 4, 100, false);

	(void)state;
	assert_string_equal(text,
			    "     100 MB/s |###############\n"
			    "              |###############\n"
			    "              |###############\n"
			    "              |###############\n"
			    "              |###############:::::::::::::::\n"
			    "              |##############################"
			    ":::::::::::::::xxxxxxxxxxxxxxx\n"
			    "            0 +------------------------------"
			    "------------------------------\n"
			    "               0 B                           "
			    "                       4.29 GB\n");
	free(text);
}

static void lines_fit_a_terminal_for_any_number_of_places(void **state)
{
	double values[1024];

	(void)state;
	for (size_t i = 0; i < 1024; i++)
		values[i] = 12345.6;
	for (size_t count = 2; count <= 1024; count++) {
		char *text = draw(values, count, 12345.6, true);

		for (char *line = strtok(text, "\n"); line;
		     line = strtok(NULL, "\n"))
			assert_in_range(text_width(line), 1, 80);
		free(text);
	}
}

static void one_low_place_of_very_many_is_seen(void **state)
{
	double values[1000];
	char *text;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		values[i] = 100;
	values[501] = 50;
	text = draw(values, 1000, 100, false);
	/* In the 31st of 60 columns. */
	assert_memory_equal(text,
			    "     100 MB/s |"
			    "############################## #####",
			    51);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_as_high_as_the_rates),
		cmocka_unit_test(bars_are_ascii_where_the_locale_is),
		cmocka_unit_test(lines_fit_a_terminal_for_any_number_of_places),
		cmocka_unit_test(one_low_place_of_very_many_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
