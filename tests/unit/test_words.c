/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <errno.h>
#include <blkbench.h>

#include "run.h"
#include "words.h"

static void what_is_written_is_read_as_the_same_value(void **state)
{
	/* The first value that has a word, and the last. */
	static const struct {
		const struct words *words;
		int first, last;
	} cases[] = {
		{ &words_alignment, BLKBENCH_ALIGNMENT_UNKNOWN,
		  BLKBENCH_MISALIGNED },
		{ &words_kind, BLKBENCH_KIND_DISK, BLKBENCH_KIND_FILE },
		{ &words_loss, BLKBENCH_LOSS_SHRUNK, BLKBENCH_LOSS_TABLE },
		{ &words_pattern, BLKBENCH_PATTERN_SEQUENTIAL,
		  BLKBENCH_PATTERN_PLACES },
		{ &words_reread, BLKBENCH_REREAD_BAD, BLKBENCH_REREAD_GOOD },
		{ &words_smart, BLKBENCH_SMART_NOT_ASKED,
		  BLKBENCH_SMART_GARBLED },
		{ &words_status, RUN_OK, RUN_INTERRUPTED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct words *words = cases[i].words;

		for (int value = cases[i].first; value <= cases[i].last;
		     value++) {
			assert_non_null(words_get(words, value));
			assert_int_equal(words_find(words,
						    words_get(words, value)),
					 value);
		}
		for (int value = 0; value < cases[i].first; value++)
			assert_null(words_get(words, value));
		assert_null(words_get(words, cases[i].last + 1));
	}
}

static void what_is_no_word_has_no_value(void **state)
{
	(void)state;
	assert_int_equal(words_find(&words_loss, "none"), -EINVAL);
	assert_int_equal(words_find(&words_loss, ""), -EINVAL);
	assert_int_equal(words_find(&words_loss, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_as_the_same_value),
		cmocka_unit_test(what_is_no_word_has_no_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
