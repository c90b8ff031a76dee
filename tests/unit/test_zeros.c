/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "zeros.h"

#include <math.h>
#include <string.h>

#include "test.h"

#define PAGE ZEROS_PAGE_BYTES
#define SECOND 1000000000ULL

static void nothing_read_is_not_known(void **state)
{
	struct zeros zeros;

	(void)state;
	zeros_init(&zeros);
	assert_true(isnan(zeros_percent(&zeros)));
}

static void one_byte_anywhere_is_no_zero(void **state)
{
	static unsigned char page[PAGE];
	static const size_t places[] = { 0, 1, 15, 16, 17, 2048, PAGE - 1 };
	struct zeros zeros;

	(void)state;
	zeros_init(&zeros);
	zeros_add(&zeros, 0, page, PAGE);
	assert_true(zeros_percent(&zeros) == 100);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		memset(page, 0, PAGE);
		page[places[i]] = 1;
		zeros_init(&zeros);
		zeros_add(&zeros, 0, page, PAGE);
		assert_true(zeros_percent(&zeros) == 0);
	}
}

static void sector_is_looked_at_to_its_end(void **state)
{
	static unsigned char sector[512];
	struct zeros zeros;

	(void)state;
	zeros_init(&zeros);
	zeros_add(&zeros, 0, sector, 512);
	sector[511] = 1;
	zeros_add(&zeros, 0, sector, 512);
	assert_true(zeros_percent(&zeros) == 50);
}

/* Reads of a megabyte, of which the first 30 % are written. */
static void part_of_large_reads_is_found(void **state)
{
	static unsigned char data[250 * PAGE];
	struct zeros zeros;

	(void)state;
	for (size_t page = 0; page < 75; page++)
		data[page * PAGE + 100] = 1;
	zeros_init(&zeros);
	for (uint64_t i = 0; i < 5000; i++)
		zeros_add(&zeros, i * 250000, data, sizeof(data));
	assert_true(fabs(zeros_percent(&zeros) - 70) < 2);
}

/* A million reads a second, every second one of zeros. */
static void fast_reads_are_sampled_by_chance(void **state)
{
	static unsigned char pages[2][PAGE];
	struct zeros zeros;

	(void)state;
	pages[1][0] = 1;
	zeros_init(&zeros);
	for (uint64_t i = 0; i < 3000000; i++)
		zeros_add(&zeros, i * 1000, pages[i % 2], PAGE);
	assert_true(fabs(zeros_percent(&zeros) - 50) < 3);
	/* 10000 a second at the most, and enough for that exactness. */
	assert_true(zeros.looks <= 30000 + ZEROS_BURST + 16 * 10);
	assert_true(zeros.looks > 30000);
}

/* As many zeros at 1 us as others at 100 us: reads count, not the time. */
static void sample_stands_for_all_reads(void **state)
{
	static unsigned char pages[2][PAGE];
	uint64_t time_ns = 0;
	struct zeros zeros;

	(void)state;
	pages[1][0] = 1;
	zeros_init(&zeros);
	for (uint64_t i = 0; i < 100000; i++)
		zeros_add(&zeros, time_ns += 1000, pages[0], PAGE);
	for (uint64_t i = 0; i < 100000; i++)
		zeros_add(&zeros, time_ns += 100000, pages[1], PAGE);
	assert_true(fabs(zeros_percent(&zeros) - 50) < 3);
}

/* 50000 at once, as after a wait for a CPU; then 5000 a second for 3 s. */
static void reads_are_looked_at_again_after_a_burst(void **state)
{
	static unsigned char pages[2][PAGE];
	uint64_t time_ns = 0, looks;
	struct zeros zeros;

	(void)state;
	pages[1][0] = 1;
	zeros_init(&zeros);
	for (uint64_t i = 0; i < 50000; i++)
		zeros_add(&zeros, time_ns += 100, pages[i % 2], PAGE);
	looks = zeros.looks;
	assert_true(looks < ZEROS_BURST + 250);
	for (uint64_t i = 0; i < 15000; i++)
		zeros_add(&zeros, time_ns += 200000, pages[i % 2], PAGE);
	assert_true(zeros.looks - looks > 12000);
}

/* A pass and a half over a range of which the first half is written. */
static void half_a_pass_more_changes_nothing(void **state)
{
	static unsigned char pages[2][PAGE];
	struct zeros zeros;

	(void)state;
	pages[0][0] = 1;
	zeros_init(&zeros);
	for (uint64_t i = 0; i < 64; i++)
		zeros_add(&zeros, i * 1000000, pages[i / 32], PAGE);
	assert_true(zeros_percent(&zeros) == 50);
	zeros_end_pass(&zeros);
	for (uint64_t i = 64; i < 96; i++)
		zeros_add(&zeros, i * 1000000, pages[0], PAGE);
	assert_true(zeros_percent(&zeros) == 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_read_is_not_known),
		cmocka_unit_test(one_byte_anywhere_is_no_zero),
		cmocka_unit_test(sector_is_looked_at_to_its_end),
		cmocka_unit_test(part_of_large_reads_is_found),
		cmocka_unit_test(fast_reads_are_sampled_by_chance),
		cmocka_unit_test(reads_are_looked_at_again_after_a_burst),
		cmocka_unit_test(half_a_pass_more_changes_nothing),
		cmocka_unit_test(sample_stands_for_all_reads),
	};

	return cmocka_run_group_tests_name("zeros", tests, NULL, NULL);
}
