/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "alignment.h"

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "stack.h"
#include "test.h"
#include "topology.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

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

#define FINDINGS_MAX 32

/* A judgement that needs no freeing. */
struct judgement {
	struct blkbench_alignment alignment;
	struct blkbench_finding findings[FINDINGS_MAX];
};

static struct blkbench_alignment *
judge_layers(struct judgement *judgement, const struct blkbench_layer *layers,
	     const struct alignment_stripe *stripe)
{
	struct blkbench_alignment *alignment = &judgement->alignment;

	alignment_judge(layers, stripe, alignment);
	assert_in_range(alignment->findings_count, 0, FINDINGS_MAX);
	if (alignment->findings_count)
		memcpy(judgement->findings, alignment->findings,
		       alignment->findings_count *
			       sizeof(*alignment->findings));
	free((void *)alignment->findings);
	alignment->findings = judgement->findings;
	return alignment;
}

/* A disk, or a partition of one, with an alignment offset of the disk. */
static struct blkbench_alignment
judge_given(const struct blkbench_topology *topology, int64_t disk_offset,
	    const struct alignment_stripe *stripe)
{
	static struct judgement judgement;
	const struct blkbench_leg leg = {
		.layer = 1,
		.offset_bytes = topology->start_bytes,
		.multiple_bytes = BLKBENCH_UNKNOWN,
	};
	const struct blkbench_segment segment = {
		.kind = "partition",
		.length_bytes = 1 << 30,
		.chunk_bytes = BLKBENCH_UNKNOWN,
		.full_stripe_bytes = BLKBENCH_UNKNOWN,
		.data_members = 1,
		.legs_count = 1,
		.legs = &leg,
	};
	struct blkbench_layer layers[] = {
		{ .name = "sdb1",
		  .kind = "partition",
		  .topology = *topology,
		  .size_bytes = 1 << 30,
		  .segments_count = 1,
		  .segments = &segment },
		{ .name = "sdb",
		  .kind = "disk",
		  .topology = *topology,
		  .size_bytes = BLKBENCH_UNKNOWN },
	};

	layers[1].topology.start_bytes = 0;
	layers[1].topology.alignment_offset_bytes = disk_offset;
	return *judge_layers(&judgement,
			     topology->start_bytes ? layers : layers + 1,
			     stripe);
}

static struct blkbench_alignment judge(const struct blkbench_topology *topology,
				       int64_t disk_offset)
{
	return judge_given(topology, disk_offset, &no_stripe);
}

static const struct blkbench_finding *
find(const struct blkbench_alignment *alignment, const char *boundary)
{
	for (size_t i = 0; i < alignment->findings_count; i++)
		if (strcmp(alignment->findings[i].boundary, boundary) == 0)
			return &alignment->findings[i];
	return NULL;
}

static void check(const struct blkbench_alignment *alignment,
		  const char *boundary, uint64_t bytes, uint64_t remainder,
		  uint64_t next)
{
	const struct blkbench_finding *finding = find(alignment, boundary);

	assert_non_null(finding);
	assert_true(finding->boundary_bytes == bytes);
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
			    "-1); starts at byte 0 (sector 0); where sdb "
			    "is aligned is not known");
	assert_false(find(&alignment, "physical sector")->is_declared);
}

static void given_stripe_is_judged_by_its_own_offset(void **state)
{
	const struct blkbench_topology topology =
		make(1048576, 512, 512, BLKBENCH_UNKNOWN);
	struct alignment_stripe stripe = { .bytes = 196608 };
	struct blkbench_alignment alignment;

	(void)state;
	alignment = judge_given(&topology, 0, &stripe);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	check(&alignment, "given stripe", 196608, 65536, 1179648);

	stripe.offset_bytes = 65536;
	alignment = judge_given(&topology, 0, &stripe);
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNED);
	check(&alignment, "given stripe", 196608, 0, 1048576);

	/* An offset beyond the start counts backwards as well. */
	stripe.offset_bytes = 65536 + 10 * 196608;
	alignment = judge_given(&topology, 0, &stripe);
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
	alignment = judge_given(&topology, 0, &stripe);
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
	alignment = judge_given(&topology, 0, &stripe);
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

/* ---- through the stack ----------------------------------------------- */

static struct blkbench_alignment judge_fixture(const char *name,
					       unsigned int major,
					       unsigned int minor,
					       uint64_t stripe_bytes)
{
	static struct judgement judgement;
	static struct stack stack; /* its names are in the findings */
	const struct alignment_stripe stripe = { .bytes = stripe_bytes };
	char root[PATH_MAX];
	const struct stack_source source =
		fixture_source(fixture_path(root, name));

	stack_finish(&stack);
	assert_int_equal(stack_read(&stack, &source, major, minor), 0);
	judge_layers(&judgement, stack.layers, &stripe);
	return judgement.alignment;
}

static void check_verdict(const struct blkbench_alignment *alignment,
			  enum blkbench_verdict verdict, const char *words)
{
	assert_int_equal(alignment->verdict, verdict);
	if (!strstr(alignment->text, words))
		assert_string_equal(alignment->text, words);
}

/* A PV on a partition at sector 63, its data at 1049088: at 1081344. */
static void volume_is_judged_by_its_place_on_the_disk(void **state)
{
	struct blkbench_alignment alignment = judge_fixture("lvm", 254, 8, 0);

	(void)state;
	check_verdict(&alignment, BLKBENCH_ALIGNED,
		      "begins at byte 9469952 of sdb, on a physical sector of "
		      "sdb (4096 B)");
	alignment = judge_fixture("lvm", 254, 8, 524288);
	check_verdict(&alignment, BLKBENCH_MISALIGNED,
		      "32768 B past a given stripe of sdb");
	check(&alignment, "given stripe", 524288, 32768, 9961472);
}

static void each_segment_of_a_volume_is_judged(void **state)
{
	const struct blkbench_alignment alignment =
		judge_fixture("lvm", 254, 0, 524288);
	const struct blkbench_finding *finding =
		find(&alignment, "given stripe");

	(void)state;
	check_verdict(&alignment, BLKBENCH_MISALIGNED,
		      "begins at byte 1081344 of sdb, the first of 3 places");
	/* The first and the third lie alike; the second is on sdc. */
	assert_string_equal(finding->layer, "sdb");
	assert_int_equal(finding->remainder_bytes, 32768);
	assert_int_equal(finding->places, 2);
	assert_int_equal(finding->device_bytes, 0);
	do
		finding++;
	while (strcmp(finding->boundary, "given stripe") != 0);
	assert_string_equal(finding->layer, "sdc");
	assert_int_equal(finding->remainder_bytes, 0);
	assert_int_equal(finding->device_bytes, 8388608);
}

/* 34635776 is on 32 KiB and not on 64; the chunks of the pool are of 64 KiB. */
static void thin_volume_is_judged_as_far_as_its_chunks_go(void **state)
{
	struct blkbench_alignment alignment = judge_fixture("lvm", 254, 7, 0);

	(void)state;
	check_verdict(&alignment, BLKBENCH_ALIGNED,
		      "on a physical sector of sdb (4096 B)");
	alignment = judge_fixture("lvm", 254, 7, 65536);
	check_verdict(&alignment, BLKBENCH_MISALIGNED,
		      "32768 B past a given stripe of sdb");
	alignment = judge_fixture("lvm", 254, 7, 524288);
	check_verdict(&alignment, BLKBENCH_ALIGNMENT_UNKNOWN,
		      "chunks of 65536 B lie anywhere in a given stripe of "
		      "sdb");
}

static void full_stripe_is_of_the_data_members(void **state)
{
	struct blkbench_alignment alignment = judge_fixture("md", 259, 6, 0);

	(void)state;
	check_verdict(&alignment, BLKBENCH_MISALIGNED,
		      "starts at byte 1048576 (sector 2048), "
		      "65536 B past a full stripe; divisible by 1048576 B; "
		      "next aligned start 1179648");
	check(&alignment, "chunk", 65536, 0, 1048576);
	check(&alignment, "full stripe", 196608, 65536, 1179648);

	/* On both, but its disks declare nothing. */
	alignment = judge_fixture("md", 259, 0, 0);
	check_verdict(&alignment, BLKBENCH_ALIGNMENT_UNKNOWN,
		      "on a chunk (65536 B), on a full stripe (131072 B)");
}

/* dm-crypt on a volume whose second segment alone is striped: it begins 4 KiB
 * into a stripe there. */
static void each_segment_below_counts(void **state)
{
	static const struct blkbench_leg legs[] = {
		{ 1, 0, BLKBENCH_UNKNOWN },
		{ 2, 0, BLKBENCH_UNKNOWN },
		{ 2, 1 << 20, BLKBENCH_UNKNOWN },
		{ 2, 2 << 20, BLKBENCH_UNKNOWN },
	};
	static const struct blkbench_segment segments[] = {
		{ "crypt", 0, 1 << 20, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN, 1, 1,
		  legs },
		{ "linear", 0, 126976, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN, 1, 1,
		  legs + 1 },
		{ "striped", 126976, 1 << 20, 65536, 131072, 2, 2, legs + 2 },
	};
	struct blkbench_layer layers[] = {
		{ .name = "dm-1",
		  .kind = "crypt",
		  .size_bytes = 1 << 20,
		  .segments_count = 1,
		  .segments = segments },
		{ .name = "dm-0",
		  .kind = "mixed",
		  .size_bytes = 1175552,
		  .segments_count = 2,
		  .segments = segments + 1 },
		{ .name = "sda", .kind = "disk", .size_bytes = 64 << 20 },
	};
	struct judgement judgement;
	const struct blkbench_alignment *alignment;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		layers[i].topology = make(0, 512, 512, BLKBENCH_UNKNOWN);
	alignment = judge_layers(&judgement, layers, &no_stripe);
	check_verdict(alignment, BLKBENCH_MISALIGNED,
		      "4096 B past a chunk of dm-0");
	check(alignment, "chunk", 65536, 4096, 61440);
}

/* What is mapped whole from one layer to the next, at its beginning. */
static struct blkbench_segment whole(const char *kind, uint64_t chunk,
				     const struct blkbench_leg *leg)
{
	return (struct blkbench_segment){ kind, 0, MIB, chunk, BLKBENCH_UNKNOWN,
					  1,	1, leg };
}

static struct blkbench_layer layer_of(const char *name, const char *kind,
				      uint64_t sector_bytes,
				      const struct blkbench_segment *segments)
{
	struct blkbench_layer layer = {
		.name = name,
		.kind = kind,
		.size_bytes = MIB,
		.segments_count = segments ? 1 : 0,
		.segments = segments,
		.topology =
			make(0, sector_bytes, sector_bytes, BLKBENCH_UNKNOWN),
	};

	layer.topology.logical_sector_bytes = sector_bytes;
	return layer;
}

/* A thin volume whose pool of 64 KiB chunks lies on stripes of as large ones:
 * on a chunk wherever it is, but anywhere in a full stripe. */
static void pool_is_on_chunks_of_stripes_but_not_on_their_rows(void **state)
{
	static const struct blkbench_leg legs[] = {
		{ 1, BLKBENCH_UNKNOWN, 64 * KIB },
		{ 2, 0, BLKBENCH_UNKNOWN },
		{ 3, 0, BLKBENCH_UNKNOWN },
		{ 3, MIB / 2, BLKBENCH_UNKNOWN },
	};
	const struct blkbench_segment segments[] = {
		whole("thin", 64 * KIB, &legs[0]),
		whole("thin-pool", 64 * KIB, &legs[1]),
		{ "striped", 0, MIB, 64 * KIB, 128 * KIB, 2, 2, &legs[2] },
	};
	const struct blkbench_layer layers[] = {
		layer_of("dm-2", "thin", 512, &segments[0]),
		layer_of("dm-1", "thin-pool", 512, &segments[1]),
		layer_of("dm-0", "striped", 512, &segments[2]),
		layer_of("sda", "disk", 512, NULL),
	};
	struct judgement judgement;
	const struct blkbench_alignment *alignment =
		judge_layers(&judgement, layers, &no_stripe);

	(void)state;
	check_verdict(alignment, BLKBENCH_ALIGNMENT_UNKNOWN,
		      "chunks of 65536 B lie anywhere in a full stripe of "
		      "dm-0");
	for (size_t i = 0; i < alignment->findings_count; i++)
		assert_int_equal(alignment->findings[i].remainder_bytes, 0);
	check(alignment, "chunk", 64 * KIB, 0, BLKBENCH_UNKNOWN);
}

/* That a part of a volume is on stripes tells nothing of the disk that another
 * part of it is on. */
static void segment_is_not_judged_by_another(void **state)
{
	static const struct blkbench_leg legs[] = {
		{ 1, 0, BLKBENCH_UNKNOWN },
		{ 2, 0, BLKBENCH_UNKNOWN },
		{ 2, MIB / 4, BLKBENCH_UNKNOWN },
		{ 3, 4096, BLKBENCH_UNKNOWN },
	};
	const struct blkbench_segment segments[] = {
		whole("crypt", BLKBENCH_UNKNOWN, &legs[0]),
		{ "striped", 0, MIB / 2, 64 * KIB, 128 * KIB, 2, 2, &legs[1] },
		{ "linear", MIB / 2, MIB / 2, BLKBENCH_UNKNOWN,
		  BLKBENCH_UNKNOWN, 1, 1, &legs[3] },
	};
	struct blkbench_layer layers[] = {
		layer_of("dm-1", "crypt", 512, &segments[0]),
		layer_of("dm-0", "mixed", 512, &segments[1]),
		layer_of("sda", "disk", 512, NULL),
		layer_of("sdb", "disk", 512, NULL),
	};
	struct judgement judgement;

	(void)state;
	layers[1].segments_count = 2;
	layers[2].topology = make(0, 4096, 4096, BLKBENCH_UNKNOWN);
	check_verdict(judge_layers(&judgement, layers, &no_stripe),
		      BLKBENCH_ALIGNMENT_UNKNOWN,
		      "sdb reports no chunk or stripe");
}

static void check_sectors(uint64_t above, uint64_t below, uint64_t physical,
			  enum blkbench_verdict verdict, const char *words)
{
	static const struct blkbench_leg leg = { 1, 4096, BLKBENCH_UNKNOWN };
	struct blkbench_segment segment =
		whole("crypt", BLKBENCH_UNKNOWN, &leg);
	struct blkbench_layer layers[] = {
		layer_of("dm-0", "crypt", above, &segment),
		layer_of("sda", "disk", below, NULL),
	};
	struct judgement judgement;

	segment.length_bytes = layers[0].size_bytes = MIB - 4096;
	layers[1].topology.physical_sector_bytes = physical;
	layers[1].topology.io_min_bytes = physical;
	check_verdict(judge_layers(&judgement, layers, &no_stripe), verdict,
		      words);
}

/* dm-crypt with sectors of 4096 on a 512e disk, and what has sectors of 512 on
 * a disk of 4096, which tells nothing. */
static void boundary_is_compared_with_the_sector_of_its_own_layer(void **state)
{
	(void)state;
	check_sectors(4096, 512, 4096, BLKBENCH_ALIGNED,
		      "on a physical sector of sda (4096 B)");
	check_sectors(512, 4096, 4096, BLKBENCH_ALIGNMENT_UNKNOWN,
		      "sda reports no chunk or stripe");
}

/* raid5 of 4 on partitions at sector 63 of disks with sectors of 512 and 4096
 * bytes, or on whole ones; and a partition of it. */
static const struct blkbench_alignment *
judge_partition_of_raid5(struct judgement *judgement, uint64_t start,
			 uint64_t members_at)
{
	static struct blkbench_leg legs[5];
	static struct blkbench_segment segments[2];
	struct blkbench_layer layers[] = {
		layer_of("md0p1", "partition", 512, &segments[0]),
		layer_of("md0", "raid5", 512, &segments[1]),
		layer_of("sda", "disk", 512, NULL),
	};

	legs[0] = (struct blkbench_leg){ 1, start, BLKBENCH_UNKNOWN };
	for (size_t i = 1; i < 5; i++)
		legs[i] = (struct blkbench_leg){ 2, members_at,
						 BLKBENCH_UNKNOWN };
	segments[0] = whole("partition", BLKBENCH_UNKNOWN, legs);
	segments[1] = (struct blkbench_segment){ "raid5",  0,	      3 * MIB,
						 64 * KIB, 192 * KIB, 3,
						 4,	   legs + 1 };
	layers[0].topology.start_bytes = start;
	layers[1].size_bytes = 3 * MIB;
	layers[2].size_bytes = 64 * MIB;
	layers[2].topology.physical_sector_bytes = 4096;
	return judge_layers(judgement, layers, &no_stripe);
}

static void next_start_of_a_partition_suits_all_below_it(void **state)
{
	struct judgement judgement;
	const struct blkbench_alignment *alignment =
		judge_partition_of_raid5(&judgement, 32256, MIB);

	(void)state;
	/* 32256 is 3584 past a multiple of 4096, and 192 KiB comes after. */
	check_verdict(alignment, BLKBENCH_MISALIGNED,
		      "3584 B past a physical sector of sda; divisible by "
		      "512 B; next aligned start 196608");
	assert_int_equal(
		judge_partition_of_raid5(&judgement, 196608, MIB)->verdict,
		BLKBENCH_ALIGNED);
}

static void next_start_is_not_named_where_moving_does_not_help(void **state)
{
	struct judgement judgement;

	(void)state;
	check_verdict(judge_partition_of_raid5(&judgement, 65536, 32256),
		      BLKBENCH_MISALIGNED,
		      "to move it does not help alone: what is below it is off "
		      "as well");
}

/* A snapshot's store of chunks as small as 4 KiB, right on an array. */
static void store_of_a_snapshot_is_judged_by_the_array_it_is_on(void **state)
{
	static const struct blkbench_leg legs[] = {
		{ 2, 0, BLKBENCH_UNKNOWN },
		{ 1, BLKBENCH_UNKNOWN, 4 * KIB },
		{ 2, MIB, BLKBENCH_UNKNOWN },
		{ 2, 2 * MIB, BLKBENCH_UNKNOWN },
	};
	const struct blkbench_segment segments[] = {
		{ "snapshot", 0, MIB, 4 * KIB, BLKBENCH_UNKNOWN, 1, 2, legs },
		{ "raid0", 0, MIB, 64 * KIB, 128 * KIB, 2, 2, legs + 2 },
	};
	struct blkbench_layer layers[] = {
		layer_of("dm-0", "snapshot", 512, &segments[0]),
		layer_of("md0", "raid0", 512, &segments[1]),
		layer_of("sda", "disk", 512, NULL),
	};
	struct judgement judgement;

	(void)state;
	layers[2].topology.physical_sector_bytes = 4096;
	layers[2].size_bytes = 64 * MIB;
	check_verdict(judge_layers(&judgement, layers, &no_stripe),
		      BLKBENCH_ALIGNMENT_UNKNOWN,
		      "chunks of 4096 B lie anywhere in a chunk of md0");
}

/* lvextend has gone on with stripes of 3 from 4 MiB on, which is 64 KiB into
 * the third of 192 KiB. */
static void later_segments_of_the_device_itself_count(void **state)
{
	static const struct blkbench_leg legs[] = {
		{ 1, MIB, BLKBENCH_UNKNOWN },
		{ 1, 16 * MIB, BLKBENCH_UNKNOWN },
		{ 1, 24 * MIB, BLKBENCH_UNKNOWN },
		{ 1, 32 * MIB, BLKBENCH_UNKNOWN },
	};
	const struct blkbench_segment segments[] = {
		{ "linear", 0, 4 * MIB, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN, 1,
		  1, legs },
		{ "striped", 4 * MIB, 6 * MIB, 64 * KIB, 192 * KIB, 3, 3,
		  legs + 1 },
	};
	struct blkbench_layer layers[] = {
		layer_of("dm-0", "mixed", 512, segments),
		layer_of("sda", "disk", 512, NULL),
	};
	struct judgement judgement;
	const struct blkbench_alignment *alignment;

	(void)state;
	layers[0].segments_count = 2;
	layers[0].size_bytes = 10 * MIB;
	layers[1].size_bytes = 64 * MIB;
	layers[1].topology.physical_sector_bytes = 4096;
	alignment = judge_layers(&judgement, layers, &no_stripe);
	check_verdict(alignment, BLKBENCH_MISALIGNED,
		      "131072 B past a full stripe from byte 4194304 on");
	assert_int_equal(find(alignment, "full stripe")->device_bytes, 4 * MIB);
}

static const struct blkbench_alignment *
judge_below_kernel(struct judgement *judgement, int64_t kernel_offset,
		   size_t data_members)
{
	static const struct blkbench_leg leg = { 1, MIB, BLKBENCH_UNKNOWN };
	struct blkbench_segment segment =
		whole("linear", BLKBENCH_UNKNOWN, &leg);
	struct blkbench_layer layers[] = {
		layer_of("dm-0", "linear", 512, &segment),
		layer_of("sda", "disk", 512, NULL),
	};

	segment.data_members = data_members;
	layers[0].topology.alignment_offset_bytes = kernel_offset;
	layers[1].size_bytes = 64 * MIB;
	layers[1].topology.physical_sector_bytes = 4096;
	return judge_layers(judgement, layers, &no_stripe);
}

/* 33553920, the 65535 sectors of a USB bridge, is no multiple of 4096: for
 * layers that have both, the kernel says -1, whatever their places. */
static void kernel_is_believed_where_the_way_is_not_known(void **state)
{
	struct judgement judgement;

	(void)state;
	check_verdict(judge_below_kernel(&judgement, -1, 1), BLKBENCH_ALIGNED,
		      "the kernel reports -1, as for layers whose limits are "
		      "no multiples of each other");
	check_verdict(judge_below_kernel(&judgement, -1, 0),
		      BLKBENCH_MISALIGNED, "the layers below disagree");
	check_verdict(judge_below_kernel(&judgement, 512, 0),
		      BLKBENCH_MISALIGNED,
		      "the kernel reports that it begins 512 B before a "
		      "boundary");
	assert_int_equal(judge_below_kernel(&judgement, 0, 0)->verdict,
			 BLKBENCH_ALIGNMENT_UNKNOWN);
}

/* Names of any length, and as many clauses as are shown. */
static void reason_is_not_cut_off_behind_many_boundaries(void **state)
{
	static const char name[] = "nvme10n1-with-a-name-of-40-characters-ab";
	static const struct blkbench_leg legs[] = {
		{ 1, 0, BLKBENCH_UNKNOWN }, { 2, 0, BLKBENCH_UNKNOWN },
		{ 3, 0, BLKBENCH_UNKNOWN }, { 4, 0, BLKBENCH_UNKNOWN },
		{ 5, 0, BLKBENCH_UNKNOWN }, { 6, MIB / 4, BLKBENCH_UNKNOWN },
	};
	const struct blkbench_segment segment = { "striped", 0, MIB, 64 * KIB,
						  384 * KIB, 6, 6,   legs };
	struct blkbench_layer layers[7] = {
		layer_of("dm-0", "striped", 512, &segment),
	};
	struct judgement judgement;

	(void)state;
	for (size_t i = 1; i < 7; i++) {
		layers[i] = layer_of(name, "disk", 512, NULL);
		if (i < 6)
			layers[i].topology.physical_sector_bytes = 4096;
	}
	layers[6].name = "nvme5n1";
	check_verdict(judge_layers(&judgement, layers, &no_stripe),
		      BLKBENCH_ALIGNMENT_UNKNOWN,
		      "give its full stripe by "
		      "--stripe");
}

/* That its own first byte is on its own chunk tells nothing of the disks. */
static void array_on_disks_that_declare_nothing_is_not_known(void **state)
{
	struct blkbench_alignment alignment = judge_fixture("md", 9, 124, 0);

	(void)state;
	check_verdict(&alignment, BLKBENCH_ALIGNMENT_UNKNOWN,
		      "sdi reports no chunk or stripe: if it is a RAID LUN, "
		      "give its full stripe by --stripe");
	assert_null(find(&alignment, "chunk"));
	alignment = judge_fixture("md", 9, 124, 1048576);
	check_verdict(&alignment, BLKBENCH_ALIGNED,
		      "on a given stripe of sdi (1048576 B)");
}

static void loop_on_a_file_is_never_called_aligned(void **state)
{
	struct blkbench_alignment alignment = judge_fixture("lvm", 7, 0, 0);

	(void)state;
	check_verdict(&alignment, BLKBENCH_ALIGNMENT_UNKNOWN,
		      "what the file lies on is not known");
	alignment = judge_fixture("lvm", 7, 1, 0);
	check_verdict(&alignment, BLKBENCH_MISALIGNED,
		      "512 B past a physical sector of sdc");
	check(&alignment, "physical sector", 4096, 512, 67112960);
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
		cmocka_unit_test(volume_is_judged_by_its_place_on_the_disk),
		cmocka_unit_test(each_segment_of_a_volume_is_judged),
		cmocka_unit_test(thin_volume_is_judged_as_far_as_its_chunks_go),
		cmocka_unit_test(full_stripe_is_of_the_data_members),
		cmocka_unit_test(each_segment_below_counts),
		cmocka_unit_test(
			pool_is_on_chunks_of_stripes_but_not_on_their_rows),
		cmocka_unit_test(segment_is_not_judged_by_another),
		cmocka_unit_test(
			boundary_is_compared_with_the_sector_of_its_own_layer),
		cmocka_unit_test(next_start_of_a_partition_suits_all_below_it),
		cmocka_unit_test(
			next_start_is_not_named_where_moving_does_not_help),
		cmocka_unit_test(
			store_of_a_snapshot_is_judged_by_the_array_it_is_on),
		cmocka_unit_test(later_segments_of_the_device_itself_count),
		cmocka_unit_test(kernel_is_believed_where_the_way_is_not_known),
		cmocka_unit_test(reason_is_not_cut_off_behind_many_boundaries),
		cmocka_unit_test(
			array_on_disks_that_declare_nothing_is_not_known),
		cmocka_unit_test(loop_on_a_file_is_never_called_aligned),
	};

	return cmocka_run_group_tests_name("alignment", tests, NULL, NULL);
}
