/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "course.h"

#include <math.h>

#include "test.h"

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-6 * (1 + fabs(b));
}

static void make_slices(struct blkbench_slice *slices, const uint64_t *rates,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		slices[i] = (struct blkbench_slice){
			.elapsed_ns = 100000000,
			.requests = 1,
			.bytes = rates[i] * 1000,
		};
}

/* Expected values by Python's statistics: stdev and linear_regression. */
static void spread_and_line_are_those_of_the_textbook(void **state)
{
	static const uint64_t rates[] = { 100, 104, 97,	 101, 99,
					  103, 98,  102, 100, 96 };
	struct blkbench_slice slices[10];
	struct course course;

	(void)state;
	make_slices(slices, rates, 10);
	assert_true(course_find(slices, 10, &course));
	assert_int_equal(course.parts, 10);
	assert_true(is_near(course.spread_percent, 2.5819889));
	assert_true(is_near(course.change_percent, -2.6666667));
	assert_true(is_near(course.change_error_percent, 2.8639169));
}

static void many_slices_are_twenty_parts(void **state)
{
	struct blkbench_slice slices[45];
	uint64_t rates[45];
	struct course course;

	(void)state;
	/* What changes from slice to slice alone evens out. */
	for (size_t i = 0; i < 40; i++)
		rates[i] = i % 2 ? 150 : 50;
	make_slices(slices, rates, 40);
	assert_true(course_find(slices, 40, &course));
	assert_int_equal(course.parts, 20);
	assert_true(is_near(course.spread_percent, 0));
	for (size_t i = 0; i < 45; i++)
		rates[i] = 100;
	make_slices(slices, rates, 45);
	assert_true(course_find(slices, 45, &course));
	assert_int_equal(course.parts, 20);
	assert_true(is_near(course.spread_percent, 0));
	assert_true(is_near(course.change_percent, 0));
}

/* Nine slices at one rate, and one that took ten times as long for as much. */
static void stall_weighs_as_long_as_it_took(void **state)
{
	static const uint64_t rates[] = { 100, 100, 100, 100, 100,
					  100, 100, 100, 100, 100 };
	struct blkbench_slice slices[10];
	struct course course;

	(void)state;
	make_slices(slices, rates, 10);
	slices[4].elapsed_ns = 1000000000;
	assert_true(course_find(slices, 10, &course));
	/* 1 MB in 1.9 s: -426.3 % of a part in one, 47.4 % in each other. */
	assert_true(is_near(course.spread_percent, 149.7920997));
}

static void too_little_tells_no_course(void **state)
{
	static const uint64_t rates[6] = { 100, 100, 100, 100, 100, 100 };
	static const uint64_t none[6];
	struct blkbench_slice slices[6];
	struct course course;

	(void)state;
	make_slices(slices, rates, 6);
	assert_false(course_find(slices, 5, &course));
	assert_true(course_find(slices, 6, &course));
	make_slices(slices, none, 6);
	assert_false(course_find(slices, 6, &course));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spread_and_line_are_those_of_the_textbook),
		cmocka_unit_test(many_slices_are_twenty_parts),
		cmocka_unit_test(stall_weighs_as_long_as_it_took),
		cmocka_unit_test(too_little_tells_no_course),
	};

	return cmocka_run_group_tests_name("course", tests, NULL, NULL);
}
