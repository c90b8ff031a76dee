/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "raid.h"

#include "test.h"

static size_t count(const char *name, size_t members, size_t near_copies)
{
	const struct raid_level *level = raid_find(name);

	assert_non_null(level);
	return raid_data_members(level, members, near_copies);
}

static void parity_holds_no_data(void **state)
{
	(void)state;
	assert_int_equal(count("raid0", 3, 1), 3);
	assert_int_equal(count("raid4", 4, 1), 3);
	assert_int_equal(count("raid5", 4, 1), 3);
	assert_int_equal(count("raid6", 5, 1), 3);
}

static void layouts_are_no_levels_of_their_own(void **state)
{
	(void)state;
	assert_int_equal(count("raid5_ls", 3, 1), 2);
	assert_int_equal(count("raid6_la_6", 6, 1), 4);
	assert_int_equal(count("raid0_meta", 2, 1), 2);
	assert_string_equal(raid_find("raid10")->name, "raid10");
	assert_null(raid_find("raid51"));
	assert_null(raid_find("container"));
	assert_null(raid_find(""));
}

static void copies_side_by_side_hold_the_same(void **state)
{
	(void)state;
	assert_int_equal(count("raid10", 4, 2), 2);
	assert_int_equal(count("raid10", 6, 3), 2);
	/* Not divisible: the kernel's io_opt is of all members. */
	assert_int_equal(count("raid10", 5, 2), 5);
	/* Far copies lie further down on the same members. */
	assert_int_equal(count("raid10", 4, 1), 4);
}

static void mirrors_are_not_striped(void **state)
{
	(void)state;
	assert_int_equal(count("raid1", 3, 1), 1);
	assert_int_equal(count("linear", 3, 1), 1);
}

static void too_few_members_are_not_known(void **state)
{
	(void)state;
	assert_int_equal(count("raid5", 1, 1), 0);
	assert_int_equal(count("raid6", 2, 1), 0);
	assert_int_equal(count("raid0", 0, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parity_holds_no_data),
		cmocka_unit_test(layouts_are_no_levels_of_their_own),
		cmocka_unit_test(copies_side_by_side_hold_the_same),
		cmocka_unit_test(mirrors_are_not_striped),
		cmocka_unit_test(too_few_members_are_not_known),
	};

	return cmocka_run_group_tests_name("raid", tests, NULL, NULL);
}
