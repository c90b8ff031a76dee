/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "error.h"

#include <errno.h>
#include <string.h>

#include "test.h"

static void read_errors_have_the_words_of_the_kernels_log(void **state)
{
	(void)state;
	assert_string_equal(blkbench_read_error_text(EIO),
			    "Input/output error");
	assert_string_equal(blkbench_read_error_text(ENODATA),
			    "critical medium error (No data available)");
	assert_string_equal(blkbench_read_error_text(EILSEQ),
			    "protection error (a checksum does not match)");
}

static void no_read_error_is_a_success(void **state)
{
	(void)state;
	assert_string_equal(blkbench_read_error_text(0),
			    "the device ends there");
	for (int error = 0; error < 4096; error++)
		assert_null(strstr(blkbench_read_error_text(error), "Success"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_errors_have_the_words_of_the_kernels_log),
		cmocka_unit_test(no_read_error_is_a_success),
	};

	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
