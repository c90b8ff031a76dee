/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "locate.h"

#include <errno.h>

#include "test.h"

#define SECTOR 512ULL
#define KIB 1024ULL
#define MIB (1024 * KIB)

/* A disk on which some sectors are bad: from and to, in sectors. */
struct bad {
	uint64_t begin, end;
	int error;
};

static struct blkbench_result failed(const struct blkbench_read_error *errors,
				     size_t count)
{
	struct blkbench_result result = { .errors_listed = count };

	for (size_t i = 0; i < count; i++) {
		result.error_list[i] = errors[i];
		result.error_list[i].reads = 1;
	}
	return result;
}

static int read_disk(const struct bad *bad, size_t count, uint64_t offset,
		     uint32_t bytes)
{
	for (size_t i = 0; i < count; i++)
		if (offset < bad[i].end * SECTOR &&
		    bad[i].begin * SECTOR < offset + bytes)
			return bad[i].error;
	return 0;
}

/* Does at most so many reads; returns how many it took. */
static unsigned int locate(struct blkbench_result *result, uint64_t unit,
			   const struct bad *bad, size_t count,
			   unsigned int most)
{
	struct locate locate;
	uint64_t offset, last = 0;
	uint32_t bytes;
	unsigned int reads = 0;

	locate_init(&locate, result, unit);
	while (reads < most && locate_next(&locate, &offset, &bytes)) {
		assert_true(bytes > 0 && offset % SECTOR == 0);
		assert_true(offset >= last);
		last = offset;
		reads++;
		locate_take(&locate, read_disk(bad, count, offset, bytes));
	}
	return reads;
}

static void assert_range(const struct blkbench_bad_range *range,
			 uint64_t sector, uint64_t sectors, int error,
			 uint64_t reads)
{
	assert_int_equal(range->offset_bytes, sector * SECTOR);
	assert_int_equal(range->length_bytes, sectors * SECTOR);
	assert_int_equal(range->error, error);
	assert_int_equal(range->reads, reads);
}

static void hole_of_8_sectors_is_found_exactly(void **state)
{
	const struct bad bad[] = { { 8195, 8203, EIO } };
	const struct blkbench_read_error errors[] = {
		{ .offset_bytes = 4 * MIB, .length_bytes = MIB, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 1);
	unsigned int reads;

	(void)state;
	reads = locate(&result, SECTOR, bad, 1, UINT32_MAX);
	assert_int_equal(result.bad_count, 1);
	assert_range(&result.bad_list[0], 8195, 8, EIO, 1);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_REREAD_BAD);
	/* Two for each halving of 2048 sectors, along both edges of the hole,
	 * and those in it. */
	assert_true(reads <= 2 * 2 * 11 + 8);
}

static void neighbours_in_different_reads_are_one_range(void **state)
{
	const struct bad bad[] = { { 4090, 4100, EIO } };
	const struct blkbench_read_error errors[] = {
		{ .offset_bytes = 2 * MIB, .length_bytes = MIB, .error = EIO },
		{ .offset_bytes = MIB, .length_bytes = MIB, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 2);

	(void)state;
	result.error_list[0].reads = 3;
	locate(&result, SECTOR, bad, 1, UINT32_MAX);
	assert_int_equal(result.bad_count, 1);
	assert_range(&result.bad_list[0], 4090, 10, EIO, 4);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_REREAD_BAD);
	assert_int_equal(result.error_list[1].reread, BLKBENCH_REREAD_BAD);
}

static void different_errors_are_different_ranges(void **state)
{
	const struct bad bad[] = { { 5, 6, EIO }, { 6, 8, ENODATA } };
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = 4 * KIB, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 1);

	(void)state;
	locate(&result, SECTOR, bad, 2, UINT32_MAX);
	assert_int_equal(result.bad_count, 2);
	assert_range(&result.bad_list[0], 5, 1, EIO, 1);
	assert_range(&result.bad_list[1], 6, 2, ENODATA, 1);
}

static void reads_that_overlap_are_read_again_once(void **state)
{
	const struct bad bad[] = { { 3, 4, EIO } };
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = 4 * KIB, .error = EIO },
		{ .length_bytes = 2 * KIB, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 2);

	(void)state;
	/* Halves, quarters and eighths of one, nothing of the other. */
	assert_int_equal(locate(&result, SECTOR, bad, 1, UINT32_MAX), 6);
	assert_int_equal(result.bad_count, 1);
	assert_range(&result.bad_list[0], 3, 1, EIO, 2);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_REREAD_BAD);
	assert_int_equal(result.error_list[1].reread, BLKBENCH_REREAD_BAD);
}

static void read_that_is_good_at_a_second_try_is_no_bad_sector(void **state)
{
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = MIB, .error = EIO },
		{ .offset_bytes = MIB, .length_bytes = SECTOR, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 2);

	(void)state;
	assert_int_equal(locate(&result, SECTOR, NULL, 0, UINT32_MAX), 3);
	assert_int_equal(result.bad_count, 0);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_REREAD_GOOD);
	assert_int_equal(result.error_list[1].reread, BLKBENCH_REREAD_GOOD);
}

static void what_is_broken_off_is_not_called_located(void **state)
{
	const struct bad bad[] = { { 0, 1, EIO }, { 1500, 1501, EIO } };
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = MIB, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 1);

	(void)state;
	locate(&result, SECTOR, bad, 2, 15);
	assert_int_equal(result.bad_count, 1);
	assert_range(&result.bad_list[0], 0, 1, EIO, 1);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
}

static void end_of_the_device_is_not_read_again(void **state)
{
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = MIB, .error = 0 },
	};
	struct blkbench_result result = failed(errors, 1);

	(void)state;
	assert_int_equal(locate(&result, SECTOR, NULL, 0, UINT32_MAX), 0);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
}

static void more_ranges_than_are_listed_end_it(void **state)
{
	struct bad bad[BLKBENCH_BAD_RANGES_MAX + 1];
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = MIB, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 1);

	(void)state;
	for (size_t i = 0; i <= BLKBENCH_BAD_RANGES_MAX; i++)
		bad[i] = (struct bad){ 2 * i, 2 * i + 1, EIO };
	locate(&result, SECTOR, bad, BLKBENCH_BAD_RANGES_MAX + 1, UINT32_MAX);
	assert_int_equal(result.bad_count, BLKBENCH_BAD_RANGES_MAX);
	assert_range(&result.bad_list[BLKBENCH_BAD_RANGES_MAX - 1],
		     2 * (BLKBENCH_BAD_RANGES_MAX - 1), 1, EIO, 1);
	assert_int_equal(result.error_list[0].reread, BLKBENCH_NOT_REREAD);
}

static void odd_length_and_larger_unit_are_covered_to_the_end(void **state)
{
	const struct bad bad[] = { { 13, 14, EIO } };
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = 14 * SECTOR, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 1);

	(void)state;
	locate(&result, 4 * KIB, bad, 1, UINT32_MAX);
	assert_int_equal(result.bad_count, 1);
	assert_range(&result.bad_list[0], 8, 6, EIO, 1);
}

static void largest_read_all_bad_is_one_range(void **state)
{
	const struct bad bad[] = { { 0, 131072, EIO } };
	const struct blkbench_read_error errors[] = {
		{ .length_bytes = BLKBENCH_BLOCK_MAX, .error = EIO },
	};
	struct blkbench_result result = failed(errors, 1);

	(void)state;
	assert_int_equal(locate(&result, SECTOR, bad, 1, UINT32_MAX),
			 2 * 131072 - 2);
	assert_int_equal(result.bad_count, 1);
	assert_range(&result.bad_list[0], 0, 131072, EIO, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hole_of_8_sectors_is_found_exactly),
		cmocka_unit_test(neighbours_in_different_reads_are_one_range),
		cmocka_unit_test(different_errors_are_different_ranges),
		cmocka_unit_test(reads_that_overlap_are_read_again_once),
		cmocka_unit_test(
			read_that_is_good_at_a_second_try_is_no_bad_sector),
		cmocka_unit_test(what_is_broken_off_is_not_called_located),
		cmocka_unit_test(end_of_the_device_is_not_read_again),
		cmocka_unit_test(more_ranges_than_are_listed_end_it),
		cmocka_unit_test(
			odd_length_and_larger_unit_are_covered_to_the_end),
		cmocka_unit_test(largest_read_all_bad_is_one_range),
	};

	return cmocka_run_group_tests_name("locate", tests, NULL, NULL);
}
