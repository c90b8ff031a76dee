/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "text.h"

static void sizes_are_exact(void **state)
{
	char text[TEXT_FIGURE_MAX];

	(void)state;
	assert_string_equal(text_size(0, text), "0 B");
	assert_string_equal(text_size(512, text), "512 B");
	assert_string_equal(text_size(1048576, text), "1 MiB");
	assert_string_equal(text_size(983040, text), "960 KiB");
	assert_string_equal(text_size(1048577, text), "1048577 B");
	assert_string_equal(text_size(UINT64_C(1) << 60, text), "1048576 TiB");
}

static void capacities_have_both_units(void **state)
{
	char text[TEXT_FIGURE_MAX];

	(void)state;
	assert_string_equal(text_capacity(512, text), "512 B");
	assert_string_equal(text_capacity(1536, text), "1.54 kB (1.50 KiB)");
	assert_string_equal(text_capacity(1048576, text), "1.05 MB (1.00 MiB)");
	assert_string_equal(text_capacity(50010783744, text),
			    "50.01 GB (46.58 GiB)");
	assert_string_equal(text_capacity(18000207937536, text),
			    "18000.21 GB (16764.00 GiB)");
}

static void what_was_not_measured_is_not_a_number(void **state)
{
	char text[TEXT_FIGURE_MAX];

	(void)state;
	assert_string_equal(text_ms(NAN, text), "n/a");
	assert_string_equal(text_ms(INFINITY, text), "n/a");
	assert_string_equal(text_per_s(NAN, text), "n/a");
	assert_string_equal(text_double(NAN, 2, text), "n/a");
	assert_string_equal(text_ms_from_ns(UINT64_MAX, text), "n/a");
}

static void figures_have_fixed_decimals(void **state)
{
	char text[TEXT_FIGURE_MAX];

	(void)state;
	assert_string_equal(text_double(0.107, 2, text), "0.11");
	assert_string_equal(text_double(14000, 2, text), "14000.00");
	assert_string_equal(text_mb(233.854, text), "233.85");
	assert_string_equal(text_mb(0.1, text), "0.10");
	assert_string_equal(text_mb(0.002048, text), "0.00205");
	assert_string_equal(text_ms(13.512, text), "13.51");
	assert_string_equal(text_ms(0.0871, text), "0.087");
	assert_string_equal(text_ms(0.00058, text), "0.00058");
	assert_string_equal(text_ms_from_ns(4610000, text), "4.61");
	assert_string_equal(text_seconds(3001000000, text), "3.00");
	assert_string_equal(text_seconds(4321000, text), "0.004");
	assert_string_equal(text_per_s(0.5, text), "0.50");
	assert_string_equal(text_per_s(9.996, text), "10.0");
	assert_string_equal(text_per_s(74.04, text), "74.0");
	assert_string_equal(text_per_s(1210.4, text), "1210");
}

static void assert_clean(const char *text, const char *expected)
{
	char *clean = text_clean(text);

	assert_non_null(clean);
	assert_string_equal(clean, expected);
	free(clean);
}

static void names_become_safe_text(void **state)
{
	(void)state;
	assert_null(text_clean(NULL));
	assert_clean("", "");
	assert_clean("/dev/sdb1", "/dev/sdb1");
	assert_clean("d\xc3\xa4ta \xe2\x82\xac \xf0\x9f\x92\xbe",
		     "d\xc3\xa4ta \xe2\x82\xac \xf0\x9f\x92\xbe");
	assert_clean("a\nb\x1b[31m\x7f", "a\\x0ab\\x1b[31m\\x7f");
	assert_clean("\xff\xfe", "\\xff\\xfe");
	/* Cut off, overlong, surrogate, beyond Unicode, C1 control. */
	assert_clean("\xe2\x82", "\\xe2\\x82");
	assert_clean("\xc0\xaf", "\\xc0\\xaf");
	assert_clean("\xed\xa0\x80", "\\xed\\xa0\\x80");
	assert_clean("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	assert_clean("\xc2\x9b", "\\xc2\\x9b");
}

static void assert_quoted(const char *word, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	text_print_quoted(out, word);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void words_are_quoted_as_the_shell_needs_it(void **state)
{
	(void)state;
	assert_quoted("/dev/sdb1", "/dev/sdb1");
	assert_quoted("", "''");
	assert_quoted("my disk", "'my disk'");
	assert_quoted("~", "'~'");
	assert_quoted("it's", "'it'\\''s'");
	assert_quoted("d\xc3\xa4ta", "'d\xc3\xa4ta'");
	assert_quoted("a\nb\x1b[31m\x7f", "$'a\\012b\\033[31m\\177'");
	assert_quoted("\xc3\xa4\xff'\\1", "$'\xc3\xa4\\377\\'\\\\1'");
}

static void width_counts_characters(void **state)
{
	(void)state;
	assert_int_equal(text_width("\xc2\xb1"
				    "0.6 %"),
			 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_exact),
		cmocka_unit_test(capacities_have_both_units),
		cmocka_unit_test(what_was_not_measured_is_not_a_number),
		cmocka_unit_test(figures_have_fixed_decimals),
		cmocka_unit_test(names_become_safe_text),
		cmocka_unit_test(words_are_quoted_as_the_shell_needs_it),
		cmocka_unit_test(width_counts_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
