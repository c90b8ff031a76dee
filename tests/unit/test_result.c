/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "result.h"

#include <math.h>
#include <string.h>

#include "result_fixture.h"
#include "test.h"

static void summarise(struct result_fixture *f)
{
	assert_int_equal(
		result_summarise(&f->result, &f->histogram, &f->slices), 0);
	blkbench_result_finish(&f->result);
}

static void one_at_a_time_has_its_overhead(void **state)
{
	static struct result_fixture f;

	(void)state;
	result_fixture_init(&f, 1, 1000, 900000);
	summarise(&f);
	assert_true(fabs(f.result.overhead_ns - 100000.0) < 0.001);
}

static void more_warnings_than_there_is_room_for_are_left_out(void **state)
{
	static struct blkbench_result result;

	(void)state;
	memset(&result, 0, sizeof(result));
	for (int i = 0; i < BLKBENCH_RESULT_WARNINGS_MAX + 3; i++)
		result_warn(&result, "few", "the one numbered %d", i);
	assert_int_equal(result.warnings_count, BLKBENCH_RESULT_WARNINGS_MAX);
	assert_string_equal(result.warnings[0].text, "the one numbered 0");
}

static void slowest_reads_are_kept_with_their_places(void **state)
{
	struct blkbench_result result = { 0 };
	static const uint64_t latencies[] = { 5, 90, 30, 10, 20, 80, 40,
					      7, 70, 60, 50, 6,	 90 };
	static const uint64_t kept[] = { 90, 90, 80, 70, 60, 50, 40, 30 };

	(void)state;
	for (size_t i = 0; i < 2; i++)
		result_note_latency(&result, i, latencies[i]);
	assert_int_equal(result.slowest_count, 2);
	assert_int_equal(result.slowest[0].latency_ns, 90);
	assert_int_equal(result.slowest[1].latency_ns, 5);
	for (size_t i = 2; i < sizeof(latencies) / sizeof(latencies[0]); i++)
		result_note_latency(&result, i, latencies[i]);
	assert_int_equal(result.slowest_count, BLKBENCH_SLOWEST_MAX);
	for (size_t i = 0; i < BLKBENCH_SLOWEST_MAX; i++)
		assert_int_equal(result.slowest[i].latency_ns, kept[i]);
	/* Of two alike the first. */
	assert_int_equal(result.slowest[0].offset_bytes, 1);
	assert_int_equal(result.slowest[1].offset_bytes, 12);
	assert_int_equal(result.slowest[7].offset_bytes, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_at_a_time_has_its_overhead),
		cmocka_unit_test(
			more_warnings_than_there_is_room_for_are_left_out),
		cmocka_unit_test(slowest_reads_are_kept_with_their_places),
	};

	return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
