/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "dmtable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/*
 * What was understood, as text: "KIND chunk CHUNK of DATA:" and of each leg
 * " MAJOR:MINOR+OFFSET", with "?" for what is not known, "*" for a place by
 * chunk and "-" for what is missing.
 */
static void print_leg(const struct dmtable_leg *leg, char *text)
{
	char offset[32] = "?";

	if (leg->is_missing) {
		strcat(text, " -");
		return;
	}
	if (leg->is_placed_by_chunk)
		strcpy(offset, "*");
	else if (leg->offset_bytes != BLKBENCH_UNKNOWN)
		snprintf(offset, sizeof(offset), "%llu",
			 (unsigned long long)leg->offset_bytes);
	sprintf(text + strlen(text), " %u:%u+%s", leg->major, leg->minor,
		offset);
}

static void check(const char *type, const char *params, const char *expected)
{
	struct dmtable_target target;
	char text[1024];

	assert_int_equal(dmtable_parse(type, params, &target), 0);
	snprintf(text, sizeof(text), "%s chunk %lld of %zu:", target.kind,
		 (long long)target.chunk_bytes, target.data_members);
	for (size_t i = 0; i < target.legs_count; i++)
		print_leg(&target.legs[i], text);
	assert_string_equal(text, expected);
	free(target.legs);
}

static void check_refused(const char *type, const char *params)
{
	struct dmtable_target target;

	assert_int_equal(dmtable_parse(type, params, &target), -EINVAL);
	free(target.legs);
}

static void offsets_are_in_sectors_of_512_bytes(void **state)
{
	(void)state;
	check("linear", "8:1 2048", "linear chunk -1 of 1: 8:1+1048576");
	check("delay", "8:1 8 500 8:1 8 0", "delay chunk -1 of 1: 8:1+4096");
	check("flakey", "8:1 0 10 5", "flakey chunk -1 of 1: 8:1+0");
}

static void stripes_have_a_chunk_and_members(void **state)
{
	(void)state;
	check("striped", "3 128 8:1 2048 8:17 63 8:33 0",
	      "striped chunk 65536 of 3: 8:1+1048576 8:17+32256 8:33+0");
}

static void key_of_a_crypt_target_is_skipped_however_long(void **state)
{
	char params[1024];

	(void)state;
	snprintf(params, sizeof(params),
		 "aes-xts-plain64 %0*d 0 8:2 32768 1 "
		 "allow_discards",
		 512, 0);
	check("crypt", params, "crypt chunk -1 of 1: 8:2+16777216");
	check("crypt",
	      "aes-xts-plain64 :64:logon:cryptsetup:uuid-d0 0 8:2 "
	      "32768",
	      "crypt chunk -1 of 1: 8:2+16777216");
}

static void metadata_devices_are_left_out(void **state)
{
	(void)state;
	check("raid",
	      "raid5_ls 3 128 region_size 1024 3 253:0 253:1 253:2 "
	      "253:3 253:4 253:5",
	      "raid5 chunk 65536 of 2: 253:1+0 253:3+0 253:5+0");
	check("raid", "raid1 3 0 region_size 4096 2 253:0 253:1 253:2 253:3",
	      "raid1 chunk -1 of 1: 253:1+0 253:3+0");
	check("thin-pool", "253:2 253:3 128 0 0",
	      "thin-pool chunk 65536 of 1: 253:3+0");
	check("cache", "253:0 253:1 253:2 128 1 writethrough smq 0",
	      "cache chunk 65536 of 1: 253:1+* 253:2+0");
}

static void raid_data_may_begin_further_on(void **state)
{
	(void)state;
	check("raid",
	      "raid6_zr 5 1024 region_size 2048 data_offset 2048 4 "
	      "- 8:0 - 8:16 - 8:32 - 8:48",
	      "raid6 chunk 524288 of 2: 8:0+1048576 8:16+1048576 8:32+1048576 "
	      "8:48+1048576");
}

static void raid_members_may_be_missing(void **state)
{
	(void)state;
	check("raid", "raid5_ls 1 128 3 - 8:0 - - - 8:32",
	      "raid5 chunk 65536 of 2: 8:0+0 - 8:32+0");
}

static void raid10_copies_are_counted_where_they_are_near(void **state)
{
	(void)state;
	check("raid", "raid10 3 128 raid10_copies 2 4 - 8:0 - 8:1 - 8:2 - 8:3",
	      "raid10 chunk 65536 of 2: 8:0+0 8:1+0 8:2+0 8:3+0");
	check("raid",
	      "raid10 5 128 raid10_copies 2 raid10_format far 4 - 8:0 "
	      "- 8:1 - 8:2 - 8:3",
	      "raid10 chunk 65536 of 4: 8:0+0 8:1+0 8:2+0 8:3+0");
	check("raid", "raid10 1 128 2 - 8:0 - 8:1",
	      "raid10 chunk 65536 of 1: 8:0+0 8:1+0");
}

static void raid10_without_such_rows_is_spread_over_not_known_many(void **state)
{
	(void)state;
	check("raid", "raid10 1 128 3 - 8:0 - 8:1 - 8:2",
	      "raid10 chunk 65536 of 0: 8:0+0 8:1+0 8:2+0");
	check("raid",
	      "raid10 3 128 raid10_format offset 4 - 8:0 - 8:1 - 8:2 - 8:3",
	      "raid10 chunk 65536 of 0: 8:0+0 8:1+0 8:2+0 8:3+0");
	check("raid", "raid10_far 1 128 4 - 8:0 - 8:1 - 8:2 - 8:3",
	      "raid10 chunk 65536 of 0: 8:0+0 8:1+0 8:2+0 8:3+0");
	check("raid",
	      "raid10_far 3 128 raid10_format far 4 - 8:0 - 8:1 - 8:2 - 8:3",
	      "raid10 chunk 65536 of 4: 8:0+0 8:1+0 8:2+0 8:3+0");
}

/* Two of its three members hold all, until the third has its share. */
static void
raid_that_changes_its_shape_is_spread_over_not_known_many(void **state)
{
	(void)state;
	check("raid",
	      "raid5_ls 5 128 delta_disks 1 data_offset 1024 3 - 8:0 - 8:1 "
	      "- 8:2",
	      "raid5 chunk 65536 of 0: 8:0+524288 8:1+524288 8:2+524288");
}

static void mirrors_are_listed_after_their_log(void **state)
{
	(void)state;
	check("mirror",
	      "disk 3 253:0 1024 block_on_error 2 253:1 0 253:2 8 1 "
	      "handle_errors",
	      "mirror chunk -1 of 1: 253:1+0 253:2+4096");
}

static void paths_are_found_in_all_groups(void **state)
{
	(void)state;
	check("multipath",
	      "1 queue_if_no_path 1 alua 2 1 service-time 0 2 2 "
	      "8:16 1 1 8:32 1 1 service-time 0 1 2 8:48 1 1",
	      "multipath chunk -1 of 1: 8:16+0 8:32+0 8:48+0");
	check("multipath", "0 0 1 1 round-robin 0 1 1 8:16 1000",
	      "multipath chunk -1 of 1: 8:16+0");
	check("multipath", "0 0 0 0", "multipath chunk -1 of 1:");
}

static void check_state(const char *type, const char *status, uint64_t members,
			uint64_t lost, uint64_t mismatch_sectors)
{
	struct dmtable_state state;

	assert_int_equal(dmtable_parse_status(type, status, &state), 0);
	assert_int_equal(state.has_paths, strcmp(type, "multipath") == 0);
	assert_int_equal(state.members, members);
	assert_int_equal(state.lost, lost);
	assert_int_equal(state.mismatch_sectors, mismatch_sectors);
}

static void check_no_state(const char *type, const char *status, int error)
{
	struct dmtable_state state;

	assert_int_equal(dmtable_parse_status(type, status, &state), error);
}

static void paths_that_fail_are_counted_in_all_groups(void **state)
{
	(void)state;
	check_state("multipath", "2 1 0 0 1 1 E 0 1 0 8:0 F 1 ", 1, 1,
		    BLKBENCH_UNKNOWN);
	check_state("multipath", "2 0 0 0 1 1 A 0 1 0 8:0 A 0 ", 1, 0,
		    BLKBENCH_UNKNOWN);
	check_state("multipath",
		    "2 0 0 0 2 1 A 0 2 2 8:16 A 0 0 1 8:32 F 3 0 1 "
		    "E 0 1 2 8:48 A 0 0 1 ",
		    3, 1, BLKBENCH_UNKNOWN);
	check_state("multipath", "2 0 0 1 alua 1 1 A 0 1 0 8:0 A 0 ", 1, 0,
		    BLKBENCH_UNKNOWN);
	check_state("multipath", "2 0 0 0 0 0 ", 0, 0, BLKBENCH_UNKNOWN);
	check_no_state("multipath", "", -EINVAL);
	check_no_state("multipath", "2 0 0 0 1 1 A 0 2 0 8:0 A 0 ", -EINVAL);
	check_no_state("multipath", "2 0 0 0 1 1 A 0 1 0 8:0 A", -EINVAL);
}

/* The lines of dm-raid.rst of the kernel, and such as LVM's arrays have. */
static void raid_members_that_failed_are_counted(void **state)
{
	(void)state;
	check_state("raid", "raid4 5 AAAAA 2/490221568 init 0", 5, 0, 0);
	check_state("raid", "raid5_ls 3 AaA 65536/131072 recover 0 0 -", 3, 0,
		    0);
	check_state("raid", "raid1 2 AD 204800/204800 idle 0 0 -", 2, 1, 0);
	check_state("raid", "raid6_zr 5 DA-AA 8/8 idle 0 0 -", 5, 2, 0);
	check_state("raid", "raid1 2 AA 204800/204800 check 128 0 -", 2, 0,
		    128);
	check_state("raid", "raid1 2 AA 204800/204800", 2, 0, BLKBENCH_UNKNOWN);
	check_no_state("raid", "raid1 3 AA 204800/204800 idle 0", -EINVAL);
	check_no_state("raid", "raid1 2 AX 204800/204800 idle 0", -EINVAL);
	check_no_state("raid", "raid1 2 AA 204800/204800 idle x", -EINVAL);
	check_no_state("raid", "raid1", -EINVAL);
	check_no_state("raid", "", -EINVAL);
	check_no_state("linear", "", -ENODATA);
}

static bool does_queue(const char *params)
{
	struct dmtable_target target;

	assert_int_equal(dmtable_parse("multipath", params, &target), 0);
	free(target.legs);
	return target.does_queue;
}

static void multipath_keeps_reads_if_it_was_told_to(void **state)
{
	(void)state;
	assert_true(does_queue("1 queue_if_no_path 0 1 1 rr 0 1 1 8:0 1"));
	assert_true(does_queue("3 queue_if_no_path pg_init_retries 50 0 1 1 "
			       "rr 0 1 1 8:0 1"));
	assert_false(does_queue("0 0 1 1 rr 0 1 1 8:0 1"));
	assert_false(does_queue("2 pg_init_retries 50 0 1 1 rr 0 1 1 8:0 1"));
}

static void snapshots_lie_on_origin_and_store(void **state)
{
	(void)state;
	check("snapshot", "253:3 253:4 P 32",
	      "snapshot chunk 16384 of 1: 253:3+0 253:4+*");
	check("snapshot-origin", "253:3",
	      "snapshot-origin chunk -1 of 1: 253:3+0");
	check("thin", "253:4 17", "thin chunk -1 of 1: 253:4+*");
	/* What is not in the pool is read from a device outside. */
	check("thin", "253:4 17 253:9", "thin chunk -1 of 1: 253:4+* 253:9+0");
}

static void some_lie_on_nothing(void **state)
{
	(void)state;
	check("zero", "", "zero chunk -1 of 1:");
	check("error", "", "error chunk -1 of 1:");
}

static void what_is_not_understood_is_refused(void **state)
{
	(void)state;
	check_refused("vdo", "V4 8:1 4096");
	check_refused("", "");
	check_refused("linear", "");
	check_refused("linear", "8:1");
	check_refused("thin", "253:4");
	check_refused("thin", "253:4 17 origin");
	check_refused("linear", "8:1 x");
	check_refused("linear", "/dev/sda 0");
	/* Beyond 64 bits in bytes. */
	check_refused("linear", "8:1 36028797018963968");
	check_refused("striped", "3 128 8:1 0 8:2 0");
	check_refused("striped", "18446744073709551615 128 8:1 0");
	check_refused("raid", "raid5_ls 99 128 3 - 8:0 - 8:1 - 8:2");
	check_refused("raid", "raid99 1 128 1 - 8:0");
	check_refused("multipath", "0 0 18446744073709551615 1");
	check_refused("multipath", "9 queue_if_no_path");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_are_in_sectors_of_512_bytes),
		cmocka_unit_test(stripes_have_a_chunk_and_members),
		cmocka_unit_test(key_of_a_crypt_target_is_skipped_however_long),
		cmocka_unit_test(metadata_devices_are_left_out),
		cmocka_unit_test(raid_data_may_begin_further_on),
		cmocka_unit_test(raid_members_may_be_missing),
		cmocka_unit_test(raid10_copies_are_counted_where_they_are_near),
		cmocka_unit_test(
			raid10_without_such_rows_is_spread_over_not_known_many),
		cmocka_unit_test(
			raid_that_changes_its_shape_is_spread_over_not_known_many),
		cmocka_unit_test(mirrors_are_listed_after_their_log),
		cmocka_unit_test(paths_are_found_in_all_groups),
		cmocka_unit_test(paths_that_fail_are_counted_in_all_groups),
		cmocka_unit_test(raid_members_that_failed_are_counted),
		cmocka_unit_test(multipath_keeps_reads_if_it_was_told_to),
		cmocka_unit_test(snapshots_lie_on_origin_and_store),
		cmocka_unit_test(some_lie_on_nothing),
		cmocka_unit_test(what_is_not_understood_is_refused),
	};

	return cmocka_run_group_tests_name("dmtable", tests, NULL, NULL);
}
