/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "alignment.h"

#include <string.h>

#include "test.h"
#include "topology.h"

static const struct alignment_stripe no_stripe;

static struct blkbench_topology make(uint64_t start, uint64_t physical,
				     uint64_t io_min, uint64_t io_opt)
{
	struct blkbench_topology topology;

	topology_init(&topology);
	topology.start_bytes = start;
	topology.physical_sector_bytes = physical;
	topology.io_min_bytes = io_min;
	topology.io_opt_bytes = io_opt;
	topology.alignment_offset_bytes = 0;
	return topology;
}

static struct blkbench_alignment judge(const struct blkbench_topology *topology,
				       int64_t disk_offset)
{
	struct blkbench_alignment alignment;

	alignment_judge(topology, disk_offset, &no_stripe, &alignment);
	return alignment;
}

static const struct blkbench_finding *
find(const struct blkbench_alignment *alignment, const char *layer)
{
	for (size_t i = 0; i < alignment->findings_count; i++)
		if (strcmp(alignment->findings[i].layer, layer) == 0)
			return &alignment->findings[i];
	return NULL;
}

static void check(const struct blkbench_alignment *alignment, const char *layer,
		  uint64_t boundary, uint64_t remainder, uint64_t next)
{
	const struct blkbench_finding *finding = find(alignment, layer);

	assert_non_null(finding);
	assert_true(finding->boundary_bytes == boundary);
	assert_true(finding->remainder_bytes == remainder);
	assert_true(finding->next_start_bytes == next);
}

static void partition_at_sector_63_is_misaligned(void **state)
{
	const struct blkbench_topology topology =
		make(32256, 4096, 65536, 1048576);
	const struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	check(&alignment, "physical sector", 4096, 3584, 32768);
	check(&alignment, "minimum I/O", 65536, 32256, 65536);
	check(&alignment, "optimal I/O", 1048576, 32256, 1048576);
	assert_string_equal(alignment.text,
			    "starts at byte 32256 (sector 63), "
			    "3584 B past a physical sector, "
			    "32256 B past a chunk, 32256 B past a stripe; "
			    "divisible by 512 B; next aligned start 1048576");
	assert_string_equal(find(&alignment, "physical sector")->text,
			    "3584 B past a physical sector (4096 B); "
			    "next aligned start 32768");
}

static void partition_at_1_mib_is_aligned(void **state)
{
	const struct blkbench_topology topology =
		make(1048576, 4096, 4096, BLKBENCH_UNKNOWN);
	const struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNED);
	check(&alignment, "physical sector", 4096, 0, 1048576);
	assert_string_equal(alignment.text,
			    "starts at byte 1048576 (sector 2048), "
			    "on a physical sector (4096 B); "
			    "divisible by 1048576 B");
}

static void sectors_are_counted_in_logical_sectors(void **state)
{
	struct blkbench_topology topology =
		make(1048576, 4096, 4096, BLKBENCH_UNKNOWN);
	struct blkbench_alignment alignment;

	(void)state;
	topology.logical_sector_bytes = 4096;
	alignment = judge(&topology, 0);
	assert_non_null(strstr(alignment.text, "byte 1048576 (sector 256)"));
}

/* Three data disks: a mask would find 1 MiB to be aligned. */
static void stripes_need_not_be_powers_of_two(void **state)
{
	const struct blkbench_topology topology =
		make(1048576, 4096, 65536, 196608);
	const struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	check(&alignment, "minimum I/O", 65536, 0, 1048576);
	check(&alignment, "optimal I/O", 196608, 65536, 1179648);
	assert_non_null(strstr(alignment.text, "next aligned start 1179648"));
}

/* 3 x 4 KiB and 5 x 4 KiB meet every 60 KiB. */
static void next_start_suits_all_boundaries_at_once(void **state)
{
	const struct blkbench_topology topology =
		make(4096, 4096, 12288, 20480);
	const struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	check(&alignment, "minimum I/O", 12288, 4096, 12288);
	check(&alignment, "optimal I/O", 20480, 4096, 20480);
	assert_non_null(strstr(alignment.text, "next aligned start 61440"));
}

static void optimal_size_of_none_enters_no_division(void **state)
{
	const struct blkbench_topology topology =
		make(1048576, 512, 512, BLKBENCH_UNKNOWN);
	const struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	assert_null(find(&alignment, "optimal I/O"));
}

static void bogus_optimal_size_is_not_judged_by(void **state)
{
	struct blkbench_topology topology = make(1048576, 512, 512, 33553920);
	struct blkbench_alignment alignment;

	(void)state;
	topology.io_opt_is_bogus = true;
	alignment = judge(&topology, 0);
	assert_null(find(&alignment, "optimal I/O"));
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
}

/* A LUN that says nothing of what it is made of. */
static void start_on_an_undeclared_boundary_is_information(void **state)
{
	const struct blkbench_topology topology =
		make(32256, 512, 512, BLKBENCH_UNKNOWN);
	const struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	check(&alignment, "4 KiB", 4096, 3584, 32768);
	check(&alignment, "1 MiB", 1048576, 32256, 1048576);
	assert_false(find(&alignment, "4 KiB")->is_declared);
	assert_false(find(&alignment, "1 MiB")->is_declared);
	assert_non_null(strstr(alignment.text, "divisible by 512 B"));
}

/* The sixty-fourth sector is the first of a physical one. */
static void offset_of_the_disk_shifts_its_boundaries(void **state)
{
	struct blkbench_topology topology =
		make(32256, 4096, 4096, BLKBENCH_UNKNOWN);
	struct blkbench_alignment alignment = judge(&topology, 3584);

	(void)state;
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNED);
	check(&alignment, "physical sector", 4096, 0, 32256);

	topology.start_bytes = 1048576;
	topology.alignment_offset_bytes = 3584;
	alignment = judge(&topology, 3584);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	check(&alignment, "physical sector", 4096, 512, 1052160);
}

static void whole_disk_with_an_offset_is_misaligned(void **state)
{
	struct blkbench_topology topology =
		make(0, 4096, 4096, BLKBENCH_UNKNOWN);
	struct blkbench_alignment alignment;

	(void)state;
	topology.alignment_offset_bytes = 3584;
	alignment = judge(&topology, 3584);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	check(&alignment, "physical sector", 4096, 512, 3584);
}

static void whole_disk_without_an_offset_is_aligned(void **state)
{
	const struct blkbench_topology topology =
		make(0, 512, 512, BLKBENCH_UNKNOWN);

	(void)state;
	assert_int_equal(judge(&topology, 0).verdict, BLKBENCH_ALIGNED);
}

static void layers_that_disagree_are_misaligned_in_words(void **state)
{
	struct blkbench_topology topology =
		make(0, 4096, 4096, BLKBENCH_UNKNOWN);
	struct blkbench_alignment alignment;

	(void)state;
	topology.alignment_offset_bytes = -1;
	alignment = judge(&topology, -1);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	assert_string_equal(alignment.text,
			    "the layers below disagree (the kernel reports "
			    "-1); starts at byte 0 (sector 0)");
	assert_false(find(&alignment, "physical sector")->is_declared);
}

static void given_stripe_is_judged_by_its_own_offset(void **state)
{
	const struct blkbench_topology topology =
		make(1048576, 512, 512, BLKBENCH_UNKNOWN);
	struct alignment_stripe stripe = { .bytes = 196608 };
	struct blkbench_alignment alignment;

	(void)state;
	alignment_judge(&topology, 0, &stripe, &alignment);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	check(&alignment, "given stripe", 196608, 65536, 1179648);

	stripe.offset_bytes = 65536;
	alignment_judge(&topology, 0, &stripe, &alignment);
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNED);
	check(&alignment, "given stripe", 196608, 0, 1048576);

	/* An offset beyond the start counts backwards as well. */
	stripe.offset_bytes = 65536 + 10 * 196608;
	alignment_judge(&topology, 0, &stripe, &alignment);
	check(&alignment, "given stripe", 196608, 0, 1048576);
}

/* No start is at once on a 4096 and on an odd multiple of 512. */
static void no_next_start_is_named_where_there_is_none(void **state)
{
	const struct blkbench_topology topology =
		make(32256, 4096, 4096, BLKBENCH_UNKNOWN);
	const struct alignment_stripe stripe = {
		.bytes = 65536,
		.offset_bytes = 512,
	};
	struct blkbench_alignment alignment;

	(void)state;
	alignment_judge(&topology, 0, &stripe, &alignment);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	assert_null(strstr(alignment.text, "next aligned start"));
}

static void arithmetic_holds_at_the_end_of_64_bits(void **state)
{
	struct blkbench_topology topology =
		make(UINT64_MAX - 511, 4096, 4096, BLKBENCH_UNKNOWN);
	const struct alignment_stripe stripe = {
		.bytes = UINT64_MAX - 1,
		.offset_bytes = UINT64_MAX - 2,
	};
	struct blkbench_alignment alignment;

	(void)state;
	topology.start_bytes -= 512;
	alignment_judge(&topology, 0, &stripe, &alignment);
	check(&alignment, "physical sector", 4096, 3072, BLKBENCH_UNKNOWN);
	check(&alignment, "given stripe", UINT64_MAX - 1, UINT64_MAX - 1 - 1021,
	      UINT64_MAX - 2);
}

static void unknown_place_has_no_findings(void **state)
{
	struct blkbench_topology topology =
		make(BLKBENCH_UNKNOWN, 4096, 4096, BLKBENCH_UNKNOWN);
	struct blkbench_alignment alignment = judge(&topology, 0);

	(void)state;
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	assert_int_equal(alignment.findings_count, 0);
	assert_true(alignment.text[0] != '\0');

	topology.start_bytes = 0;
	alignment = judge(&topology, BLKBENCH_UNKNOWN_OFFSET);
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	assert_int_equal(alignment.findings_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partition_at_sector_63_is_misaligned),
		cmocka_unit_test(partition_at_1_mib_is_aligned),
		cmocka_unit_test(sectors_are_counted_in_logical_sectors),
		cmocka_unit_test(stripes_need_not_be_powers_of_two),
		cmocka_unit_test(next_start_suits_all_boundaries_at_once),
		cmocka_unit_test(optimal_size_of_none_enters_no_division),
		cmocka_unit_test(bogus_optimal_size_is_not_judged_by),
		cmocka_unit_test(
			start_on_an_undeclared_boundary_is_information),
		cmocka_unit_test(offset_of_the_disk_shifts_its_boundaries),
		cmocka_unit_test(whole_disk_with_an_offset_is_misaligned),
		cmocka_unit_test(whole_disk_without_an_offset_is_aligned),
		cmocka_unit_test(layers_that_disagree_are_misaligned_in_words),
		cmocka_unit_test(given_stripe_is_judged_by_its_own_offset),
		cmocka_unit_test(no_next_start_is_named_where_there_is_none),
		cmocka_unit_test(arithmetic_holds_at_the_end_of_64_bits),
		cmocka_unit_test(unknown_place_has_no_findings),
	};

	return cmocka_run_group_tests_name("alignment", tests, NULL, NULL);
}
