/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "raid.h"

#include "test.h"

static size_t count_copies(const char *name, size_t members,
			   struct raid_copies copies)
{
	const struct raid_level *level = raid_find(name);

	assert_non_null(level);
	return raid_data_members(level, members, &copies);
}

static size_t count(const char *name, size_t members)
{
	return count_copies(name, members, raid_no_copies);
}

static void parity_holds_no_data(void **state)
{
	(void)state;
	assert_int_equal(count("raid0", 3), 3);
	assert_int_equal(count("raid4", 4), 3);
	assert_int_equal(count("raid5", 4), 3);
	assert_int_equal(count("raid6", 5), 3);
}

static void layouts_are_no_levels_of_their_own(void **state)
{
	(void)state;
	assert_int_equal(count("raid5_ls", 3), 2);
	assert_int_equal(count("raid6_la_6", 6), 4);
	assert_int_equal(count("raid0_meta", 2), 2);
	assert_string_equal(raid_find("raid10")->name, "raid10");
	assert_null(raid_find("raid51"));
	assert_null(raid_find("container"));
	assert_null(raid_find(""));
}

static size_t count_near(size_t members, uint64_t near)
{
	return count_copies("raid10", members,
			    (struct raid_copies){ .near = near, .far = 1 });
}

static size_t count_far(size_t members, uint64_t far, bool is_offset)
{
	return count_copies("raid10", members,
			    (struct raid_copies){ 1, far, is_offset });
}

static void copies_side_by_side_hold_the_same(void **state)
{
	(void)state;
	assert_int_equal(count_near(4, 2), 2);
	assert_int_equal(count_near(6, 3), 2);
	assert_int_equal(count_near(3, 3), 1);
}

/* md(4): of two copies on five members, the third chunk and its copy are on the
 * last member of one row and the first of the next. */
static void copies_that_run_into_the_next_row_make_no_stripes(void **state)
{
	(void)state;
	assert_int_equal(count_near(5, 2), 0);
	assert_int_equal(count_near(3, 2), 0);
}

static void far_copies_lie_further_down_on_the_same_members(void **state)
{
	(void)state;
	assert_int_equal(count_far(4, 2, false), 4);
	assert_int_equal(count_far(3, 2, false), 3);
	/* With an offset every second row is one of copies. */
	assert_int_equal(count_far(4, 2, true), 0);
}

static void copies_that_are_not_known_leave_all_unknown(void **state)
{
	(void)state;
	assert_int_equal(count_near(4, 0), 0);
	assert_int_equal(count_far(4, 0, false), 0);
}

static void mirrors_are_not_striped(void **state)
{
	(void)state;
	assert_int_equal(count("raid1", 3), 1);
	assert_int_equal(count("linear", 3), 1);
}

static void too_few_members_are_not_known(void **state)
{
	(void)state;
	assert_int_equal(count("raid5", 1), 0);
	assert_int_equal(count("raid6", 2), 0);
	assert_int_equal(count("raid0", 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parity_holds_no_data),
		cmocka_unit_test(layouts_are_no_levels_of_their_own),
		cmocka_unit_test(copies_side_by_side_hold_the_same),
		cmocka_unit_test(
			copies_that_run_into_the_next_row_make_no_stripes),
		cmocka_unit_test(
			far_copies_lie_further_down_on_the_same_members),
		cmocka_unit_test(copies_that_are_not_known_leave_all_unknown),
		cmocka_unit_test(mirrors_are_not_striped),
		cmocka_unit_test(too_few_members_are_not_known),
	};

	return cmocka_run_group_tests_name("raid", tests, NULL, NULL);
}
