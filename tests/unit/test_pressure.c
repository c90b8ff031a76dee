/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "pressure.h"

#include "test.h"

static void numbers_are_those_of_some(void **state)
{
	struct pressure pressure;

	(void)state;
	assert_true(pressure_parse("some avg10=89.05 avg60=84.95 avg300=56.06 "
				   "total=4311706194\n"
				   "full avg10=0.00 avg60=0.00 avg300=0.00 "
				   "total=7\n",
				   &pressure));
	assert_int_equal(pressure.total_ns, 4311706194000);
	assert_true(pressure.last_10s_percent > 89.049);
	assert_true(pressure.last_10s_percent < 89.051);
}

static void anything_else_is_not_known(void **state)
{
	static const char *const texts[] = {
		"",
		"some avg10=0.00 avg60=",
		"full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
	};
	struct pressure pressure;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(pressure_parse(texts[i], &pressure));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_those_of_some),
		cmocka_unit_test(anything_else_is_not_known),
	};

	return cmocka_run_group_tests_name("pressure", tests, NULL, NULL);
}
