/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "options.h"
#include "report.h"
#include "text.h"
#include "run.h"

#if HAVE_JSON
#include <json.h>
#endif

/* A made-up partition, the tests of it, and what they came to. */

#define GIB (UINT64_C(1) << 30)
#define SIZE_BYTES (46 * GIB)

static struct blkbench_info make_info(void)
{
	static const char *const mounts[] = { "/srv" };
	struct blkbench_info info = {
		.path = "/dev/sdb1",
		.resolved = "/dev/sdb1",
		.major = 8,
		.minor = 17,
		.kind = BLKBENCH_KIND_PARTITION,
		.size_bytes = SIZE_BYTES,
		.parent = "sdb",
		.partition = 1,
		.vendor = "DGC",
		.model = "RAID 6",
		.rotational = BLKBENCH_YES,
		.read_only = BLKBENCH_NO,
		.removable = BLKBENCH_NOT_KNOWN,
		.direct_works = true,
		.topology = {
			.logical_sector_bytes = 512,
			.physical_sector_bytes = 4096,
			.io_min_bytes = 65536,
			.io_opt_bytes = BLKBENCH_UNKNOWN,
			.dma_alignment_bytes = 4,
			.max_request_bytes = 1310720,
			.queue_requests = 64,
			.alignment_offset_bytes = -1,
			.start_bytes = 32256,
		},
		.alignment = {
			.verdict = BLKBENCH_MISALIGNED,
			.text = "starts at byte 32256",
		},
		.content = { "filesystem", "ext3", "da\nta", NULL,
			     4096 },
		.mounts_count = 1,
		.mounts = mounts,
	};

	return info;
}

static struct blkbench_result make_result(const char *test)
{
	struct blkbench_result result = {
		.plan = {
			.test = test,
			.is_direct = true,
			.length_bytes = SIZE_BYTES,
			.block_bytes = 1048576,
			.sector_bytes = 512,
			.queue_depth = 8,
			.runtime_ns = 3000000000,
			.max_errors = 16,
			.precision_percent = NAN,
			.seed = 7,
		},
		.engine = "io_uring",
		.warmup_ns = 5000000,
		.failing_since_ns = BLKBENCH_UNKNOWN,
		.elapsed_ns = 3000000000,
		.requests = 669,
		.bytes = UINT64_C(669) << 20,
		.passes = 1,
		.rate_bytes_per_s = 233854566.4,
		.rate_ci95_percent = 0.56,
		.seeks_per_s = NAN,
		.access_ms = NAN,
		.access_ci95_percent = NAN,
		.latency = { 1000000, 34000000, 33000000, 40000000, 50000000,
			     60000000, 70000000 },
		.cpu_percent = 2.14,
		.overhead_ns = NAN,
	};

	return result;
}

static struct blkbench_result make_seek(uint64_t depth)
{
	struct blkbench_result result = make_result("seek");

	result.plan.pattern = BLKBENCH_PATTERN_RANDOM;
	result.plan.is_seek = true;
	result.plan.block_bytes = 4096;
	result.plan.queue_depth = depth;
	result.rate_ci95_percent = 1.1;
	result.seeks_per_s = depth == 1 ? 216.9 : 1210.2;
	result.access_ms = depth == 1 ? 4.61 : 26.44;
	result.access_ci95_percent = depth == 1 ? 1.2 : 1.3;
	result.latency.p50_ns = 4500000;
	result.latency.p99_ns = 9800000;
	result.latency.max_ns = 23100000;
	result.rate_bytes_per_s = result.seeks_per_s * 4096;
	result.cpu_percent = NAN;
	return result;
}

#define ENTRIES_MAX 8

/* One device under report, printed into memory. */
struct world {
	struct options options;
	struct report report;
	struct blkbench_info info;
	struct run_step steps[8]; /* one for each row of the test table */
	struct run_entry entries[ENTRIES_MAX];
	const struct blkbench_warning
		*warnings[ENTRIES_MAX * BLKBENCH_RESULT_WARNINGS_MAX];
	struct run_device device;
	FILE *out;
	char *text;
	size_t text_size;
};

static struct world *world_create(const char *format)
{
	struct world *world = calloc(1, sizeof(*world));
	const struct blkbench_test *tests;
	size_t count, i;

	assert_non_null(world);
	tests = blkbench_test_list(&count);
	assert_in_range(count, 4, 8);
	for (i = 0; i < count; i++)
		world->steps[i].test = &tests[i];
	world->info = make_info();
	world->options.format = report_find_format(format);
	world->options.repeat = 1;
	world->device = (struct run_device){
		.path = "/dev/sdb1",
		.info = &world->info,
		.seed = 7,
		.steps = world->steps,
		.steps_count = count,
		.entries = world->entries,
		.warnings = world->warnings,
	};
	world->out = open_memstream(&world->text, &world->text_size);
	assert_non_null(world->out);
	assert_int_equal(report_begin(&world->report, &world->options, NULL,
				      world->out),
			 0);
	return world;
}

static struct run_entry *world_add(struct world *world, size_t step,
				   const struct blkbench_result *result)
{
	struct run_entry *entry =
		&world->entries[world->device.entries_count++];

	assert_true(world->device.entries_count <= ENTRIES_MAX);
	entry->step = &world->steps[step];
	entry->repeat = 1;
	if (result) {
		entry->is_measured = true;
		entry->result = *result;
		run_device_add_warnings(&world->device, &entry->result);
	}
	return entry;
}

/* The report: of the device, its entries and its end. */
static const char *world_print(struct world *world)
{
	struct run_device *device = &world->device;
	size_t count = device->entries_count;

	if (device->info)
		report_device_begin(&world->report, device);
	for (size_t i = 0; i < count; i++) {
		device->entries_count = i + 1;
		report_entry(&world->report, device, &device->entries[i]);
	}
	report_device_end(&world->report, device);
	assert_int_equal(report_end(&world->report), 0);
	assert_int_equal(fclose(world->out), 0);
	return world->text;
}

static void world_destroy(struct world *world)
{
	free(world->text);
	free(world);
}

#define HEADER                                                                \
	"/dev/sdb1: partition 1 of /dev/sdb, 49.39 GB (46.00 GiB), "          \
	"DGC RAID 6, rotational, ext3 \"da\\x0ata\", mounted on /srv\n"       \
	"  sectors     512 B logical, 4096 B physical; I/O 65536 B minimum, " \
	"optimal not reported\n"                                              \
	"  alignment   MISALIGNED: starts at byte 32256\n"

static const struct blkbench_plan streaming = {
	.test = "sequential",
	.is_direct = true,
	.queue_depth = 8,
};

static struct pair make_pair(enum blkbench_outcome verdict)
{
	return (struct pair){
		.test = "sequential",
		.plan = &streaming,
		.repeat = 1,
		.a = "/dev/sda1",
		.b = "/dev/sdb1",
		.a_figure = 2e8,
		.b_figure = 1.9e8,
		.comparison = {
			.pairs = 20,
			.ratio = 0.95,
			.ratio_low = 0.9012,
			.ratio_high = 1.0049,
			.verdict = verdict,
			.seconds_needed = NAN,
		},
	};
}

/* The first device has a row without a ratio. */
static void assert_compared(struct pair *pair, const char *expected)
{
	struct world *world = world_create("text");
	const struct pairs pairs = {
		.equal_percent = 2,
		.count = 1,
		.list = pair,
	};
	const char *text;

	report_pairs(&world->report, &pairs);
	assert_int_equal(report_end(&world->report), 0);
	assert_int_equal(fclose(world->out), 0);
	text = strstr(world->text, "\n  sequential  /dev/sda1  200.00 MB/s\n"
				   "              /dev/sdb1  190.00 MB/s  ");
	assert_non_null(text);
	assert_string_equal(strstr(text, "190.00 MB/s  ") +
				    strlen("190.00 MB/s  "),
			    expected);
	world_destroy(world);
}

/* 25 % of the rates of two devices; the second failed. */
static void text_has_what_is_left_of_rates_together(void **state)
{
	struct world *world = world_create("text");
	struct joint_device devices[] = {
		{
			.path = "/dev/sda",
			.share = {
				.slices = 8,
				.alone = 2e8,
				.together = 5e7,
				.percent = 25,
				.percent_low = 24.04,
				.percent_high = 25.96,
				.verdict = BLKBENCH_LIMITED,
			},
		},
		{ .path = "/dev/sdb", .is_partial = true },
	};
	struct joint joint = {
		.test = "sequential",
		.plan = &streaming,
		.devices_count = 2,
		.devices = devices,
		.among = 1,
		.total = devices[0].share,
		.cpu_percent = 12.34,
	};
	const struct joints joints = { .count = 1, .list = &joint };

	(void)state;
	joint.total.percent_low = joint.total.percent_high = NAN;
	joint.total.verdict = BLKBENCH_LIMIT_UNDECIDED;
	report_joints(&world->report, &joints);
	assert_int_equal(report_end(&world->report), 0);
	assert_int_equal(fclose(world->out), 0);
	assert_string_equal(
		world->text,
		"\nall at the same time:\n"
		"  sequential         1 device: 50.00 of 200.00 MB/s alone: "
		"25.0 %, without an interval: undecided; a longer time might "
		"tell (-r); CPU 12.3 %\n"
		"    /dev/sda: 50.00 of 200.00 MB/s alone: 25.0 % (95 %: 24.0 "
		"to 26.0): limited\n"
		"    /dev/sdb: n/a: too little was measured at the same time; "
		"PARTIAL\n");
	world_destroy(world);
}

static void text_has_each_verdict_in_words(void **state)
{
	struct pair pair = make_pair(BLKBENCH_SLOWER);

	(void)state;
	assert_compared(&pair, "0.950  0.901 to 1.005  slower\n");
	pair.comparison.verdict = BLKBENCH_FASTER;
	assert_compared(&pair, "0.950  0.901 to 1.005  faster\n");
	pair.comparison.verdict = BLKBENCH_EQUAL;
	assert_compared(&pair, "0.950  0.901 to 1.005  equal within 2 %\n");
	pair.comparison.verdict = BLKBENCH_UNDECIDED;
	assert_compared(&pair, "0.950  0.901 to 1.005  undecided: too little "
			       "was measured to tell (-r)\n");
	pair.comparison.seconds_needed = 13.2;
	assert_compared(&pair, "0.950  0.901 to 1.005  undecided: some 14 s "
			       "more might tell (-r)\n");
	pair.is_partial = true;
	assert_compared(&pair, "0.950  0.901 to 1.005  undecided; PARTIAL\n");
}

/* It says of which run, and of another first one where that has dropped out. */
static void table_has_a_row_for_each_device(void **state)
{
	struct world *world = world_create("text");
	struct pair list[4];
	const struct pairs pairs = {
		.equal_percent = 2,
		.repeats = 2,
		.count = 4,
		.list = list,
	};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		list[i] = make_pair(BLKBENCH_SLOWER);
		list[i].repeat = 1 + i / 3;
	}
	list[0].is_partial = true;
	list[1].a = "/dev/sdb1";
	list[1].b = list[2].b = "/dev/sdc1";
	list[2].a = "/dev/sdb1";
	list[2].b = "/dev/l\xc3\xa4";
	report_pairs(&world->report, &pairs);
	assert_int_equal(report_end(&world->report), 0);
	assert_int_equal(fclose(world->out), 0);
	assert_string_equal(
		world->text,
		"\ncompared in turns, each with the first of its test:\n"
		"  test               device        measured  ratio  "
		"95 % interval   verdict\n"
		"  sequential, run 1  /dev/sda1  200.00 MB/s\n"
		"                     /dev/sdb1  190.00 MB/s  0.950  "
		"0.901 to 1.005  slower; PARTIAL\n"
		"                     /dev/sdb1  200.00 MB/s\n"
		"                     /dev/sdc1  190.00 MB/s  0.950  "
		"0.901 to 1.005  slower\n"
		"                     /dev/l\xc3\xa4    190.00 MB/s  0.950  "
		"0.901 to 1.005  slower\n"
		"  sequential, run 2  /dev/sda1  200.00 MB/s\n"
		"                     /dev/sdb1  190.00 MB/s  0.950  "
		"0.901 to 1.005  slower\n"
		"  sequential, run 1: /dev/sda1 is the odd one out, with "
		"200.00 MB/s: far above the most of 4\n");
	world_destroy(world);
}

static void odd_one_is_named_of_each_test(void **state)
{
	struct pair list[6];
	const struct pairs pairs = {
		.equal_percent = 2,
		.count = 6,
		.list = list,
	};
	struct odd_one *odd;
	size_t count;

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		list[i] = make_pair(BLKBENCH_UNDECIDED);
		list[i].repeat = 1 + i / 3;
		list[i].a_figure = list[i].b_figure = 2e8;
	}
	/* In the first test a b, in the second the a of all. */
	list[1].b = "/dev/sdd1";
	list[1].b_figure = 1e8;
	list[3].a_figure = list[4].a_figure = list[5].a_figure = 3e8;
	list[4].b_figure = NAN;
	assert_int_equal(pairs_in_test(&pairs, 0), 3);
	assert_int_equal(pairs_find_odd(&pairs, &odd, &count), 0);
	assert_int_equal(count, 2);
	assert_string_equal(odd[0].path, "/dev/sdd1");
	assert_true(odd[0].score < -3.5 && odd[0].figure == 1e8);
	assert_int_equal(odd[0].among, 4);
	assert_string_equal(odd[1].path, "/dev/sda1");
	assert_true(odd[1].score > 3.5 && odd[1].figure == 3e8);
	assert_ptr_equal(odd[1].pair, &list[3]);
	free(odd);
}

static void text_makes_up_no_ratio(void **state)
{
	struct pair pair = make_pair(BLKBENCH_UNDECIDED);

	(void)state;
	pair.comparison.ratio_low = pair.comparison.ratio_high = NAN;
	assert_compared(&pair, "0.950  n/a            undecided: too little "
			       "was measured to tell (-r)\n");
	pair.comparison.ratio = NAN;
	assert_compared(&pair, "  n/a  n/a            undecided: too little "
			       "was measured to tell (-r)\n");
}

static void text_says_what_the_device_is(void **state)
{
	struct world *world = world_create("text");

	(void)state;
	assert_string_equal(world_print(world), HEADER);
	world_destroy(world);
}

static void text_makes_up_no_kind_and_no_number(void **state)
{
	static const struct {
		enum blkbench_kind kind;
		const char *text;
	} cases[] = {
		{ BLKBENCH_KIND_UNKNOWN, "/dev/sdb1: block device, " },
		{ BLKBENCH_KIND_PARTITION,
		  "/dev/sdb1: partition of /dev/sdb, " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world *world = world_create("text");

		world->info.kind = cases[i].kind;
		world->info.partition = 0;
		assert_memory_equal(world_print(world), cases[i].text,
				    strlen(cases[i].text));
		world_destroy(world);
	}
}

static void text_shows_both_names_and_a_bogus_size(void **state)
{
	struct world *world = world_create("text");

	(void)state;
	world->info = (struct blkbench_info){
		.path = "/dev/vg/lv",
		.resolved = "/dev/dm-3",
		.major = 253,
		.minor = 3,
		.kind = BLKBENCH_KIND_LV,
		.name = "LV lv in vg",
		.size_bytes = 4096,
		.vendor = "QEMU", /* the model says so too */
		.model = "QEMU HARDDISK",
		.serial = "S1",
		.transport = "sata",
		.rotational = BLKBENCH_NOT_KNOWN,
		.read_only = BLKBENCH_YES,
		.removable = BLKBENCH_NOT_KNOWN,
		.topology = { 512, 512, 512, 33553920, true, 512, 4096, 32, 0,
			      0 },
		.alignment = { .text = "unknown" },
	};
	assert_string_equal(
		world_print(world),
		"/dev/vg/lv -> /dev/dm-3 (253:3): LV lv in vg, 4.10 kB "
		"(4.00 KiB), QEMU HARDDISK, read-only\n"
		"  identity    serial S1, sata\n"
		"  sectors     512 B logical, 512 B physical; I/O 512 B "
		"minimum, 33553920 B optimal (bogus, not used)\n"
		"  alignment   not known: unknown\n");
	world_destroy(world);
}

/* A striped LV on a partition and on something that is not known. */
static void add_stack(struct blkbench_info *info)
{
	static const struct blkbench_leg legs[] = {
		{ 1, 1048576, BLKBENCH_UNKNOWN },
		{ BLKBENCH_NO_LAYER, 0, BLKBENCH_UNKNOWN },
		{ 2, 32256, BLKBENCH_UNKNOWN },
	};
	static const struct blkbench_segment segments[] = {
		{ "striped", 0, 8388608, 65536, 131072, 2, 2, legs },
		{ "partition", 0, 33554432, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN,
		  1, 1, legs + 2 },
	};
	static const struct blkbench_layer layers[] = {
		{ .name = "dm-3",
		  .title = "LV lv in vg",
		  .kind = "striped",
		  .segments_count = 1,
		  .segments = segments },
		{ .name = "sdb1",
		  .kind = "partition",
		  .segments_count = 1,
		  .segments = segments + 1 },
		{ .name = "sd\nb",
		  .kind = "disk",
		  .size_bytes = 67108864,
		  .begin_bytes = 1080832,
		  .end_bytes = 5275136 },
	};

	info->layers = layers;
	info->layers_count = sizeof(layers) / sizeof(layers[0]);
}

static void text_has_the_stack_as_a_tree(void **state)
{
	struct world *world = world_create("text");

	(void)state;
	add_stack(&world->info);
	assert_string_equal(
		world_print(world), HEADER
		"  stack       dm-3 LV lv in vg: striped, chunk 65536 B x 2 = "
		"full stripe 131072 B\n"
		"                on sdb1: partition, from byte 1048576\n"
		"                  on sd\\x0ab: disk, from byte 32256; bytes "
		"1080832 to 5275136 of it, 1.6 to 7.9 %\n"
		"                not known\n");
	world_destroy(world);
}

static void text_has_one_line_for_each_figure(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("sequential");

	(void)state;
	world_add(world, 0, &result);
	result = make_seek(1);
	world_add(world, 3, &result);
	result = make_seek(32);
	world_add(world, 3, &result);
	assert_string_equal(
		world_print(world), HEADER
		"  sequential    233.85 MB/s ±0.6 %     1 MiB reads, 8 in "
		"flight: 701 MB in 3.00 s from 0; io_uring; CPU 2.1 %\n"
		"  seek            4.61 ms ±1.2 %       217 seeks/s one at a "
		"time; 50 % 4.50, 99 % 9.80, max 23.10 ms; 4 KiB over the "
		"whole device; io_uring\n"
		"  seek            1210 seeks/s ±1.1 %  32 in flight: 5.6 times "
		"one at a time; access 26.44 ms ±1.3 %; 50 % 4.50, 99 % 9.80, max "
		"23.10 ms; 4 KiB over the whole device; io_uring\n");
	world_destroy(world);
}

static void text_says_under_which_conditions(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("sequential");

	(void)state;
	result.engine = "pread";
	result.plan.is_direct = false;
	result.plan.offset_bytes = 4096;
	result.plan.length_bytes = GIB;
	result.plan.queue_depth = 1;
	result.passes = 3;
	result.retries = 2;
	result.is_partial = true;
	world_add(world, 0, &result);
	assert_string_equal(
		world_print(world), HEADER
		"  sequential    233.85 MB/s ±0.6 %     1 MiB reads, one at a "
		"time: 701 MB in 3.00 s over 1 GiB from 4 KiB, 3 passes; "
		"through the page cache; pread; CPU 2.1 %; 2 retries; "
		"PARTIAL\n");
	world_destroy(world);
}

/* A result in which nothing was read at all. */
static struct blkbench_result make_empty(const char *test)
{
	struct blkbench_result result = make_result(test);
	const struct blkbench_latency unknown = {
		BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN,
		BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN, BLKBENCH_UNKNOWN,
		BLKBENCH_UNKNOWN,
	};

	result.requests = 0;
	result.bytes = 0;
	result.warmup_ns = BLKBENCH_UNKNOWN;
	result.rate_bytes_per_s = NAN;
	result.rate_ci95_percent = NAN;
	result.seeks_per_s = NAN;
	result.access_ms = NAN;
	result.cpu_percent = NAN;
	result.latency = unknown;
	return result;
}

static void text_never_shows_what_was_not_measured(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_empty("sequential");

	(void)state;
	world_add(world, 0, &result);
	result = make_empty("seek");
	result.plan.pattern = BLKBENCH_PATTERN_RANDOM;
	result.plan.is_seek = true;
	result.plan.queue_depth = 1;
	result.plan.block_bytes = 4096;
	world_add(world, 3, &result);
	assert_string_equal(
		world_print(world), HEADER
		"  sequential       n/a                 1 MiB reads, 8 in "
		"flight: none was completed from 0; io_uring\n"
		"  seek             n/a                 one at a time; 50 % "
		"n/a, 99 % n/a, max n/a ms; 4 KiB over the whole device; "
		"io_uring\n");
	world_destroy(world);
}

static void text_never_shows_0_for_little(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("timed");

	(void)state;
	result.plan.block_bytes = 512;
	result.requests = 1;
	result.bytes = 512;
	result.rate_bytes_per_s = 512 / 3.0;
	result.rate_ci95_percent = NAN;
	world_add(world, 1, &result);
	assert_string_equal(
		world_print(world), HEADER
		"  timed        0.00017 MB/s            512 B reads, 8 in "
		"flight: 0.00051 MB in 3.00 s from 0; io_uring; CPU 2.1 %\n");
	world_destroy(world);
}

static void text_says_why_a_test_was_skipped(void **state)
{
	struct world *world = world_create("text");
	struct run_entry *entry = world_add(world, 2, NULL);

	(void)state;
	strcpy(entry->reason, "no O_DIRECT here");
	assert_string_equal(world_print(world), HEADER
			    "  cached      skipped (no O_DIRECT here)\n");
	world_destroy(world);
}

static void text_lists_errors_and_stalls(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_empty("sequential");

	(void)state;
	result.errors = 15;
	result.errors_listed = 4;
	result.error_list[0] =
		(struct blkbench_read_error){ 4194304, 1048576, EIO, 3,
					      BLKBENCH_REREAD_BAD };
	result.error_list[1] =
		(struct blkbench_read_error){ 8388608, 1048576, EIO, 1,
					      BLKBENCH_NOT_REREAD };
	result.error_list[2] =
		(struct blkbench_read_error){ 9437184, 1048576, ENODATA, 2,
					      BLKBENCH_REREAD_GOOD };
	result.error_list[3] =
		(struct blkbench_read_error){ 16777216, 1048576, 0, 1,
					      BLKBENCH_NOT_REREAD };
	result.bad_count = 2;
	result.bad_list[0] =
		(struct blkbench_bad_range){ 4194304, 4096, EIO, 3 };
	result.bad_list[1] =
		(struct blkbench_bad_range){ 4200448, 512, ENODATA, 3 };
	result.stalled = 8;
	result.stalled_ns = 2040000000;
	result.stalled_offset_bytes = 512;
	world_add(world, 0, &result);
	assert_string_equal(
		world_print(world), HEADER
		"  sequential       n/a                 1 MiB reads, 8 in "
		"flight: none was completed from 0; io_uring\n"
		"  error       sequential: 4096 B at offset 4194304 (sectors "
		"8192 to 8199 of 512 B): Input/output error, 3 times\n"
		"  error       sequential: 512 B at offset 4200448 (sector "
		"8204 of 512 B): critical medium error (No data available), "
		"3 times\n"
		"  error       sequential: 1048576 B at offset 8388608: "
		"Input/output error; which sectors is not known\n"
		"  error       sequential: 1048576 B at offset 9437184: "
		"critical medium error (No data available), 2 times; read at "
		"a second try\n"
		"  error       sequential: 1048576 B at offset 16777216: the "
		"device ends there\n"
		"  error       sequential: 8 more\n"
		"  stalled     sequential: 8 reads outstanding, the oldest "
		"for 2.0 s, at offset 512\n");
	world_destroy(world);
}

static void text_says_what_has_become_of_a_lost_device(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("sequential");

	(void)state;
	result.is_partial = true;
	result.errors = 20;
	result.errors_listed = 1;
	result.error_list[0] =
		(struct blkbench_read_error){ 512, 512, EIO, 20,
					      BLKBENCH_NOT_REREAD };
	result.loss = BLKBENCH_LOSS_REMOVED;
	result.lost_layer = "sd\nb";
	result.failing_since_ns = 1420000000;
	world_add(world, 0, &result);
	assert_non_null(strstr(
		world_print(world),
		"; PARTIAL\n"
		"  error       sequential: 512 B at offset 512: Input/output "
		"error, 20 times\n"
		"  lost        sequential: sd\\x0ab was removed; no read "
		"succeeded from 1.42 s on\n"));
	world_destroy(world);
}

/* A good place, a slow and a bad one, 1 GB apart. */
static struct blkbench_result make_zones(void)
{
	static struct blkbench_zone zones[] = {
		{ 0, 67108864, 160e6, 0, 0 },
		{ 1000000000, 67108864, 40e6, 0, 0 },
		{ 2000000000, 1048576, NAN, 2, EIO },
	};
	static struct blkbench_slow_spot spots[] = {
		{ 1000000000, 1000000000, 40e6, 155.5e6 },
	};
	struct blkbench_result result = make_result("zones");

	result.plan.pattern = BLKBENCH_PATTERN_PLACES;
	result.plan.places = 3;
	result.rate_ci95_percent = NAN;
	result.zones_count = 3;
	result.zones = zones;
	result.curve =
		(struct blkbench_curve){ 40e6, 100e6, 160e6, 1000000000, 0 };
	result.slow_spots_count = 1;
	result.slow_spots = spots;
	return result;
}

static void text_has_the_places_and_the_slow_spots(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_zones();
	const char *text;

	(void)state;
	world->info.size_bytes = 4000000000;
	world->options.is_verbose = true;
	world_add(world, 4, &result);
	text = world_print(world);
	assert_non_null(strstr(
		text, "\n  zones         100.00 MB/s            mean of 2 of 3 "
		      "places; 1 MiB reads, 8 in flight: "));
	assert_non_null(strstr(text, "\n              fastest 160.00 MB/s at "
				     "0 B, slowest 40.00 MB/s at 1.00 GB\n"));
	assert_non_null(strstr(
		text,
		"\n  slow        40.00 MB/s where its neighbours have 155.50: "
		"bytes 1000000000 to 2000000000 (25.0 to 50.0 % of the "
		"device)\n"
		"              0: 160.00 MB/s\n"
		"              1000000000: 40.00 MB/s\n"
		"              2000000000: n/a, Input/output error\n"));
	world_destroy(world);
}

static void text_says_when_no_read_succeeded_any_more(void **state)
{
	static const struct {
		enum blkbench_loss loss;
		uint64_t since_ns, requests;
		const char *text;
	} cases[] = {
		{ BLKBENCH_LOSS_NONE, BLKBENCH_UNKNOWN, 7, "" },
		{ BLKBENCH_LOSS_NONE, 500000000, 7,
		  "no read succeeded from 0.500 s on" },
		{ BLKBENCH_LOSS_NONE, 0, 0, "no read succeeded" },
		{ BLKBENCH_LOSS_TABLE, 0, 0,
		  "dm-0 has nothing but errors in its device-mapper table; "
		  "no read succeeded" },
		{ BLKBENCH_LOSS_OFFLINE, 2000000000, 7,
		  "dm-0 is offline; no read succeeded from 2.00 s on" },
		{ BLKBENCH_LOSS_NO_MEDIUM, 2000000000, 7,
		  "dm-0 has no medium any more; no read succeeded from 2.00 "
		  "s on" },
		{ BLKBENCH_LOSS_SHRUNK, BLKBENCH_UNKNOWN, 7,
		  "dm-0 is smaller than what was to be read of it" },
	};
	char text[BLKBENCH_TEXT_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blkbench_result result = {
			.requests = cases[i].requests,
			.failing_since_ns = cases[i].since_ns,
			.loss = cases[i].loss,
			.lost_layer = "dm-0",
		};

		assert_string_equal(text_loss(&result, text), cases[i].text);
	}
}

static void text_says_that_a_test_was_given_up(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_empty("sequential");

	(void)state;
	result.errors = 2;
	result.plan.max_errors = 1;
	result.is_partial = true;
	result.errors_listed = 1;
	result.error_list[0] =
		(struct blkbench_read_error){ 512, 512, EIO, 2,
					      BLKBENCH_NOT_REREAD };
	result.stalled = 1;
	result.stalled_ns = 4000000000;
	result.stalled_offset_bytes = 512;
	world_add(world, 0, &result);
	assert_string_equal(
		world_print(world), HEADER
		"  sequential       n/a                 1 MiB reads, 8 in "
		"flight: none was completed from 0; io_uring; PARTIAL\n"
		"  error       sequential: 512 B at offset 512: "
		"Input/output error, 2 times\n"
		"  error       sequential: given up after 2 errors "
		"(--max-errors)\n"
		"  stalled     sequential: 1 read outstanding, the oldest "
		"for 4.0 s, at offset 512\n");
	world_destroy(world);
}

static void text_counts_one_read_as_one(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_empty("sequential");

	(void)state;
	result.stalled = 1;
	result.stalled_ns = 4000000000;
	result.stalled_offset_bytes = 0;
	world_add(world, 0, &result);
	assert_non_null(strstr(world_print(world),
			       "sequential: 1 read outstanding, the oldest for "
			       "4.0 s, at offset 0\n"));
	world_destroy(world);
}

static void text_shows_each_warning_once_at_the_end(void **state)
{
	static const struct blkbench_warning warnings[] = {
		{ "bogus", NULL, "the device lies" },
	};
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("sequential");
	const char *text;

	(void)state;
	world->info.warnings = warnings;
	world->info.warnings_count = 1;
	result.warnings_count = 1;
	result.warnings[0] =
		(struct blkbench_warning){ "zeros", "sequential", "all zeros" };
	world_add(world, 0, &result);
	world_add(world, 0, &result);
	result.warnings[0].test = "timed";
	world_add(world, 1, &result);
	text = world_print(world);
	text = strstr(text, "  warning");
	assert_non_null(text);
	assert_string_equal(text, "  warning     the device lies\n"
				  "  warning     sequential and timed: all "
				  "zeros\n");
	world_destroy(world);
}

/* What a sequential test says of a range that was read so many times. */
static void add_small(struct world *world, uint64_t repeat, double times)
{
	struct blkbench_result result = make_result("sequential");
	struct blkbench_warning *warning = result.warnings;

	*warning = (struct blkbench_warning){ "small", result.plan.test, "" };
	snprintf(warning->text, sizeof(warning->text), "read %.1f times",
		 times);
	result.warnings_count = 1;
	world_add(world, 0, &result)->repeat = repeat;
}

static void repeats_that_differ_in_counts_warn_once_by_the_last(void **state)
{
	static const struct blkbench_warning warnings[] = {
		{ "bogus", NULL, "the minimum is 3 B" },
		{ "bogus", NULL, "the optimum is 5 B" },
	};
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("timed");
	const char *text;

	(void)state;
	world->info.warnings = warnings;
	world->info.warnings_count = 2;
	add_small(world, 1, 2.5);
	result.warnings_count = 2;
	result.warnings[0] =
		(struct blkbench_warning){ "small", "timed", "read 9 times" };
	result.warnings[1] =
		(struct blkbench_warning){ "engine", "timed", "it failed" };
	world_add(world, 1, &result);
	add_small(world, 2, 3.5);
	add_small(world, 3, 4.5);
	text = strstr(world_print(world), "  warning");
	assert_non_null(text);
	assert_string_equal(text, "  warning     the minimum is 3 B\n"
				  "  warning     the optimum is 5 B\n"
				  "  warning     sequential: read 4.5 times\n"
				  "  warning     timed: read 9 times\n"
				  "  warning     timed: it failed\n");
	world_destroy(world);
}

static void text_says_how_many_repeats_were_left_out(void **state)
{
	struct world *world = world_create("text");

	(void)state;
	world->options.repeat = 1000;
	world->device.repeats_skipped = 997;
	world->device.status = RUN_INTERRUPTED;
	world->device.has_stalled = true; /* the signal has the word */
	assert_string_equal(world_print(world),
			    HEADER "  skipped     997 of 1000 repeats "
				   "(interrupted)\n");
	world_destroy(world);

	world = world_create("text");
	world->options.repeat = 3;
	world->device.repeats_skipped = 2;
	world->device.status = RUN_FAILED;
	world->device.has_stalled = true;
	assert_string_equal(world_print(world),
			    HEADER "  skipped     2 of 3 repeats (the device "
				   "stalled)\n");
	world_destroy(world);
}

static void the_times_one_at_a_time_are_of_the_same_repeat(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result;
	uint64_t repeat;
	const char *text;

	(void)state;
	for (repeat = 1; repeat <= 2; repeat++) {
		result = make_seek(1);
		result.seeks_per_s = 100.0 * repeat;
		world_add(world, 3, &result)->repeat = repeat;
		result = make_seek(32);
		result.seeks_per_s = 1000.0;
		world_add(world, 3, &result)->repeat = repeat;
	}
	/* Of a repeat whose first part was not measured there are none. */
	world_add(world, 3, NULL)->repeat = 3;
	world_add(world, 3, &result)->repeat = 3;
	text = strstr(world_print(world), "32 in flight: 10.0 times");
	assert_non_null(text);
	text = strstr(text, "32 in flight: 5.0 times");
	assert_non_null(text);
	assert_non_null(strstr(text, "32 in flight; access"));
	world_destroy(world);
}

static void text_ends_repeats_with_the_median_and_spread(void **state)
{
	static const double rates[] = { 99e6, 234e6, 230e6 };
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("timed");
	const char *text;
	size_t i;

	(void)state;
	world->options.repeat = 3;
	world->steps[1].plans_count = 1;
	world->steps[1].plans[0] = result.plan;
	for (i = 0; i < 3; i++) {
		result.rate_bytes_per_s = rates[i];
		world_add(world, 1, &result)->repeat = i + 1;
	}
	text = strstr(world_print(world), "  median");
	assert_non_null(text);
	assert_string_equal(
		text, "  median        230.00 MB/s            timed in 3 runs: "
		      "99.00 to 234.00 MB/s, spread 58.7 %\n");
	world_destroy(world);
}

/* A timed test, or a seek one at a time, that came to these in turn. */
static struct world *make_repeats(const char *format, size_t step,
				  struct blkbench_result result,
				  const double *figures, size_t count)
{
	struct world *world = world_create(format);
	size_t i;

	world->options.repeat = count;
	world->steps[step].plans_count = 1;
	world->steps[step].plans[0] = result.plan;
	for (i = 0; i < count; i++) {
		if (result.plan.is_seek)
			result.access_ms = figures[i];
		else
			result.rate_bytes_per_s = figures[i];
		world_add(world, step, &result)->repeat = i + 1;
	}
	return world;
}

static void text_says_whether_repeats_rise_or_fall(void **state)
{
	static const double rates[] = { 99.32e6, 184e6, 233.85e6 };
	static const double times[] = { 6.8, 5.2, 4.61 };
	struct world *world;

	(void)state;
	world = make_repeats("text", 1, make_result("timed"), rates, 3);
	assert_non_null(strstr(world_print(world), "spread 73.1 %, rising\n"));
	world_destroy(world);

	world = make_repeats("text", 3, make_seek(1), times, 3);
	assert_non_null(strstr(world_print(world), "spread 42.1 %, falling\n"));
	world_destroy(world);
}

static void text_makes_up_no_trend_of_repeats(void **state)
{
	static const double rates[] = { 99e6, 234e6, 230e6 };
	struct world *world =
		make_repeats("text", 1, make_result("timed"), rates, 3);

	(void)state;
	assert_non_null(strstr(world_print(world), "spread 58.7 %\n"));
	world_destroy(world);

	world = make_repeats("text", 1, make_result("timed"), rates, 2);
	assert_non_null(strstr(world_print(world), "spread 81.1 %\n"));
	world_destroy(world);
}

static void medians_are_as_exact_as_the_figures_that_they_are_of(void **state)
{
	struct world *world = world_create("text");
	struct blkbench_result result = make_seek(1);
	const char *text;
	size_t i;

	(void)state;
	world->options.repeat = 2;
	world->steps[3].plans_count = 1;
	world->steps[3].plans[0] = result.plan;
	for (i = 0; i < 2; i++) {
		result.access_ms = i ? 0.00048 : 0.00042;
		world_add(world, 3, &result)->repeat = i + 1;
	}
	text = strstr(world_print(world), "  median");
	assert_non_null(text);
	assert_string_equal(
		text, "  median       0.00045 ms              seek in 2 runs: "
		      "0.00042 to 0.00048 ms, spread 13.3 %\n");
	world_destroy(world);
}

static void verbose_has_the_slices_and_the_time_between_reads(void **state)
{
	struct blkbench_slice slices[] = {
		{ 100000000, 25, 25000000, 0 },
		{ 200000000, 20, 20000000, 0 },
		{ 0, 0, 0, 0 }, /* has no rate */
		{ 100000000, 23, 23000000, 0 },
	};
	struct world *world = world_create("text");
	struct blkbench_result result = make_result("timed");
	const char *text;

	(void)state;
	world->options.is_verbose = true;
	result.overhead_ns = 312.4;
	result.slices = slices;
	result.slices_count = 4;
	world_add(world, 1, &result);
	text = world_print(world);
	assert_non_null(strstr(text, "\n              the program itself 0.31 "
				     "us between reads\n"));
	/* 250, 100 and 230 MB/s. */
	assert_non_null(strstr(text, "\n              4 slices: min 100.00, "
				     "median 230.00, max 250.00 MB/s\n"));
	world_destroy(world);

	world = world_create("text");
	world->options.is_verbose = true;
	result.overhead_ns = NAN;
	world_add(world, 1, &result);
	assert_null(strstr(world_print(world), "the program itself"));
	world_destroy(world);
}

static void assert_repeated(uint64_t tests, const char *expected)
{
	char verbose[] = "-v", format[] = "--format", name[] = "te'xt";
	char *const settings[] = { verbose, format, name };
	char first[] = "/dev/sda", second[] = "/dev/my disk";
	char *const devices[] = { first, second };
	struct world *world = world_create("text");
	const char *text;

	world->options.is_verbose = true;
	world->options.settings = settings;
	world->options.settings_count = 3;
	world->options.tests = tests;
	world->options.devices = devices;
	world->options.devices_count = 2;
	world->device.path = second;
	text = strstr(world_print(world), "  repeat");
	assert_non_null(text);
	assert_string_equal(text, expected);
	world_destroy(world);
}

static void verbose_gives_the_command_that_repeats_it(void **state)
{
	(void)state;
	assert_repeated(0, "  repeat      blkbench --seed 7 -v --format "
			   "'te'\\''xt' '/dev/my disk'\n");
	/* What is read of devices that are compared depends on the others. */
	assert_repeated(1, "  repeat      blkbench --seed 7 -v --format "
			   "'te'\\''xt' /dev/sda '/dev/my disk'\n");
}

/* ---- the formats of other tools ---------------------------------------- */

static void hdparm_lines_have_its_form(void **state)
{
	struct world *world = world_create("hdparm");
	struct blkbench_result result = make_result("timed");

	(void)state;
	result.bytes = UINT64_C(298) << 20;
	result.elapsed_ns = 3001000000;
	world_add(world, 1, &result);
	result.plan.is_direct = false;
	result.plan.offset_bytes = 20 * GIB;
	world_add(world, 1, &result);
	result.plan.test = "cached";
	result.plan.offset_bytes = 0;
	result.bytes = UINT64_C(15338) << 20;
	result.elapsed_ns = 1999000000;
	world_add(world, 2, &result);
	result.plan.is_direct = true;
	world_add(world, 2, &result);
	/* MB = 2^20: 298 / 3.001 and 15338 / 1.999. */
	assert_string_equal(
		world_print(world),
		"\n/dev/sdb1:\n"
		" Timing O_DIRECT disk reads: 298 MB in  3.00 seconds =  "
		"99.30 MB/sec\n"
		" Timing buffered disk reads (offset 20 GB): 298 MB in  3.00 "
		"seconds =  99.30 MB/sec\n"
		" Timing cached reads:   15338 MB in  2.00 seconds = 7672.84 "
		"MB/sec\n"
		" Timing O_DIRECT cached reads:   15338 MB in  2.00 seconds = "
		"7672.84 MB/sec\n");
	world_destroy(world);
}

static void hdparm_changes_to_kb_below_1_mb(void **state)
{
	struct world *world = world_create("hdparm");
	struct blkbench_result result = make_result("timed");

	(void)state;
	result.bytes = UINT64_C(2) << 20;
	result.elapsed_ns = 4000000000;
	world_add(world, 1, &result);
	assert_string_equal(world_print(world),
			    "\n/dev/sdb1:\n"
			    " Timing O_DIRECT disk reads:   2 MB in  4.00 "
			    "seconds = 512.00 kB/sec\n");
	world_destroy(world);
}

static void hdparm_has_no_rate_for_nothing_read(void **state)
{
	struct world *world = world_create("hdparm");
	struct blkbench_result result = make_empty("timed");

	(void)state;
	world_add(world, 1, &result);
	assert_string_equal(world_print(world),
			    "\n/dev/sdb1:\n"
			    " Timing O_DIRECT disk reads: n/a\n");
	world_destroy(world);
}

static void seeker_lines_have_its_form(void **state)
{
	struct world *world = world_create("seeker");
	struct blkbench_result result = make_seek(1);

	(void)state;
	world->device.steps = &world->steps[3];
	world->device.steps_count = 1;
	world->steps[3].plans_count = 1;
	world->steps[3].plans[0] = result.plan;
	result.elapsed_ns = 3010000000;
	world_add(world, 3, &result);
	assert_string_equal(
		world_print(world),
		"Seeker v2.0, 2007-01-15, "
		"http://www.linuxinsight.com/how_fast_is_your_disk.html\n"
		"Benchmarking /dev/sdb1 [47104MB], wait 3 seconds...\n"
		"Results: 216 seeks/second, 4.61 ms random access time\n");
	world_destroy(world);
}

static void other_tools_lines_leave_the_terminal_alone(void **state)
{
	static const char *const formats[] = { "hdparm", "seeker" };
	struct world *world;
	const char *text;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		world = world_create(formats[i]);
		world->steps[0].plans_count = 1;
		world->steps[0].plans[0] = make_seek(1).plan;
		world->device.path = "/dev/a\x1b[31m";
		text = world_print(world);
		assert_non_null(strstr(text, "/dev/a\\x1b[31m"));
		assert_null(strchr(text, '\x1b'));
		world_destroy(world);
	}
}

/* ---- JSON -------------------------------------------------------------- */

#if HAVE_JSON
static struct json_object *get(struct json_object *object, const char *key)
{
	struct json_object *value;

	assert_true(json_object_object_get_ex(object, key, &value));
	return value;
}

static struct json_object *parse_device(struct world *world,
					struct json_object **document)
{
	*document = json_tokener_parse(world_print(world));
	assert_non_null(*document);
	assert_string_equal(json_object_get_string(get(*document, "schema")),
			    "blkbench/1");
	return json_object_array_get_idx(get(*document, "devices"), 0);
}

static void json_keeps_64_bits_and_precision(void **state)
{
	struct world *world = world_create("json");
	struct blkbench_result result = make_result("sequential");
	struct json_object *document, *device, *test;

	(void)state;
	world->info.size_bytes = UINT64_C(8) * GIB * GIB - 512;
	result.bytes = (UINT64_C(1) << 53) + 1;
	result.rate_bytes_per_s = 12345678901.25;
	world_add(world, 0, &result);
	device = parse_device(world, &document);
	assert_true(json_object_get_uint64(get(device, "size_bytes")) ==
		    UINT64_C(9223372036854775296));
	test = json_object_array_get_idx(get(device, "tests"), 0);
	assert_true(json_object_get_uint64(get(test, "bytes")) ==
		    UINT64_C(9007199254740993));
	/* 12 figures. */
	assert_string_equal(
		json_object_to_json_string(get(test, "rate_bytes_per_s")),
		"12345678901.2");
	json_object_put(document);
	world_destroy(world);
}

static void json_has_what_was_located_and_lost(void **state)
{
	struct world *world = world_create("json");
	struct blkbench_result result = make_result("sequential");
	struct json_object *document, *device, *test, *first;

	(void)state;
	result.errors = 3;
	result.errors_listed = 1;
	result.error_list[0] =
		(struct blkbench_read_error){ 4194304, 1048576, EIO, 3,
					      BLKBENCH_REREAD_BAD };
	result.bad_count = 1;
	result.bad_list[0] =
		(struct blkbench_bad_range){ 4194304, 4096, EIO, 3 };
	result.loss = BLKBENCH_LOSS_SHRUNK;
	result.lost_layer = "/srv/disk";
	result.failing_since_ns = 1420000000;
	world_add(world, 0, &result);
	device = parse_device(world, &document);
	test = json_object_array_get_idx(get(device, "tests"), 0);

	first = json_object_array_get_idx(get(test, "error_list"), 0);
	assert_string_equal(
		json_object_to_json_string_ext(first, JSON_C_TO_STRING_PLAIN),
		"{\"offset_bytes\":4194304,\"length_bytes\":1048576,"
		"\"errno\":5,\"text\":\"Input\\/output error\","
		"\"reads\":3,\"reread\":\"bad\"}");
	first = json_object_array_get_idx(get(test, "bad_list"), 0);
	assert_string_equal(
		json_object_to_json_string_ext(first, JSON_C_TO_STRING_PLAIN),
		"{\"offset_bytes\":4194304,\"length_bytes\":4096,"
		"\"errno\":5,\"text\":\"Input\\/output error\","
		"\"reads\":3}");
	assert_string_equal(
		json_object_to_json_string_ext(get(test, "lost"),
					       JSON_C_TO_STRING_PLAIN),
		"{\"what\":\"shrunk\",\"layer\":\"\\/srv\\/disk\"}");
	assert_int_equal(json_object_get_uint64(get(test, "failing_since_ns")),
			 1420000000);
	json_object_put(document);
	world_destroy(world);
}

static void json_has_the_tail_that_is_in_no_rate(void **state)
{
	struct world *world = world_create("json");
	struct blkbench_result result = make_result("sequential");
	struct json_object *document, *device, *test;

	(void)state;
	result.tail_requests = 7;
	result.tail_bytes = 7340032;
	result.tail_ns = 90000000;
	world_add(world, 0, &result);
	device = parse_device(world, &document);
	test = json_object_array_get_idx(get(device, "tests"), 0);
	assert_string_equal(json_object_to_json_string_ext(
				    get(test, "tail"), JSON_C_TO_STRING_PLAIN),
			    "{\"requests\":7,\"bytes\":7340032,"
			    "\"elapsed_ns\":90000000}");
	json_object_put(document);
	world_destroy(world);
}

static void json_has_null_for_what_was_not_measured(void **state)
{
	static const char *const keys[] = {
		"rate_bytes_per_s",
		"rate_ci95_percent",
		"seeks_per_s",
		"access_ms",
		"cpu_percent",
		"warmup_ns",
		"stalled",
		"overhead_ns",
		"lost",
		"failing_since_ns",
		"tail",
		"access_ci95_percent",
		"access_ci95_percent",
	};
	struct world *world = world_create("json");
	struct blkbench_result result = make_empty("sequential");
	struct json_object *document, *device, *test;
	size_t i;

	(void)state;
	world_add(world, 0, &result);
	device = parse_device(world, &document);
	test = json_object_array_get_idx(get(device, "tests"), 0);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_null(get(test, keys[i]));
	assert_null(get(get(test, "latency_ns"), "p99"));
	assert_null(get(device, "serial"));
	json_object_put(document);
	world_destroy(world);
}

static void json_tells_nowhere_from_not_known(void **state)
{
	static const char *const nothing[] = { NULL };
	struct world *world = world_create("json");
	struct json_object *document, *device;

	(void)state;
	world->info.mounts = NULL;
	world->info.mounts_count = 0;
	world->info.holders = nothing;
	device = parse_device(world, &document);
	assert_null(get(device, "mounts"));
	assert_int_equal(json_object_array_length(get(device, "holders")), 0);
	json_object_put(document);
	world_destroy(world);
}

static void json_has_the_stack(void **state)
{
	struct world *world = world_create("json");
	struct json_object *document, *device, *stack, *layer, *legs;

	(void)state;
	add_stack(&world->info);
	device = parse_device(world, &document);
	stack = get(device, "stack");
	assert_int_equal(json_object_array_length(stack), 3);
	layer = json_object_array_get_idx(stack, 0);
	legs = get(json_object_array_get_idx(get(layer, "segments"), 0),
		   "legs");
	assert_string_equal(
		json_object_to_json_string_ext(legs, JSON_C_TO_STRING_PLAIN),
		"[{\"layer\":1,\"offset_bytes\":1048576,"
		"\"multiple_bytes\":null},{\"layer\":null,"
		"\"offset_bytes\":0,\"multiple_bytes\":null}]");
	layer = json_object_array_get_idx(stack, 2);
	assert_string_equal(
		json_object_to_json_string_ext(get(layer, "place"),
					       JSON_C_TO_STRING_PLAIN),
		"{\"begin_bytes\":1080832,\"end_bytes\":5275136,"
		"\"begin_percent\":1.61056518555,"
		"\"end_percent\":7.86056518555}");
	json_object_put(document);
	world_destroy(world);
}

static void json_has_the_time_between_reads(void **state)
{
	struct world *world = world_create("json");
	struct blkbench_result result = make_result("timed");
	struct json_object *document, *device, *test;

	(void)state;
	result.overhead_ns = 312.25;
	world_add(world, 1, &result);
	device = parse_device(world, &document);
	test = json_object_array_get_idx(get(device, "tests"), 0);
	assert_string_equal(
		json_object_to_json_string(get(test, "overhead_ns")), "312.25");
	json_object_put(document);
	world_destroy(world);
}

static void json_has_the_places_and_the_slow_spots(void **state)
{
	struct world *world = world_create("json");
	struct blkbench_result result = make_zones();
	struct json_object *document, *device, *test;

	(void)state;
	world_add(world, 4, &result);
	device = parse_device(world, &document);
	test = json_object_array_get_idx(get(device, "tests"), 0);
	assert_string_equal(
		json_object_to_json_string_ext(get(test, "zones"), 0),
		"[{\"offset_bytes\":0,\"length_bytes\":67108864,"
		"\"rate_bytes_per_s\":160000000,\"errors\":0,\"text\":null},"
		"{\"offset_bytes\":1000000000,\"length_bytes\":67108864,"
		"\"rate_bytes_per_s\":40000000,\"errors\":0,\"text\":null},"
		"{\"offset_bytes\":2000000000,\"length_bytes\":1048576,"
		"\"rate_bytes_per_s\":null,\"errors\":2,"
		"\"text\":\"Input\\/output error\"}]");
	assert_string_equal(
		json_object_to_json_string_ext(get(test, "slow_spots"), 0),
		"[{\"offset_bytes\":1000000000,\"length_bytes\":1000000000,"
		"\"rate_bytes_per_s\":40000000,"
		"\"expected_bytes_per_s\":155500000}]");
	assert_string_equal(json_object_to_json_string_ext(get(test, "curve"),
							   0),
			    "{\"min_rate_bytes_per_s\":40000000,"
			    "\"min_offset_bytes\":1000000000,"
			    "\"mean_rate_bytes_per_s\":100000000,"
			    "\"max_rate_bytes_per_s\":160000000,"
			    "\"max_offset_bytes\":0}");
	json_object_put(document);
	world_destroy(world);
}

static void assert_keys(struct json_object *object, struct json_object *other)
{
	struct json_object_iterator i = json_object_iter_begin(other);
	struct json_object_iterator end = json_object_iter_end(other);

	assert_int_equal(json_object_object_length(object),
			 json_object_object_length(other));
	for (; !json_object_iter_equal(&i, &end); json_object_iter_next(&i))
		get(object, json_object_iter_peek_name(&i));
}

static void json_has_all_keys_for_what_was_not_done(void **state)
{
	struct world *world = world_create("json"), *bad;
	struct blkbench_result result = make_result("timed");
	struct json_object *document, *device, *tests, *bad_document;

	(void)state;
	world_add(world, 1, &result);
	strcpy(world_add(world, 1, NULL)->reason, "interrupted");
	device = parse_device(world, &document);
	tests = get(device, "tests");
	assert_keys(json_object_array_get_idx(tests, 1),
		    json_object_array_get_idx(tests, 0));
	assert_null(get(json_object_array_get_idx(tests, 1), "errors"));

	bad = world_create("json");
	bad->device.info = NULL;
	assert_keys(parse_device(bad, &bad_document), device);
	json_object_put(bad_document);
	json_object_put(document);
	world_destroy(bad);
	world_destroy(world);
}

/* In place of json-c's own, which gives NULL where there is no memory. */
static bool has_memory = true;

const char *json_object_to_json_string_ext(struct json_object *object,
					   int flags)
{
	if (!has_memory)
		return NULL;
	return json_object_to_json_string_length(object, flags, NULL);
}

static int carry_out(const struct options *options, FILE *out)
{
	struct run *run = run_create(options, NULL);
	int code;

	assert_non_null(run);
	code = run_carry_out(run, out);
	assert_false(run_may_hang(run));
	run_destroy(run);
	return code;
}

static void json_without_memory_is_no_success(void **state)
{
	char program[] = "blkbench", args[] = "-ji", file[] = "/proc/self/exe";
	char *argv[] = { program, args, file, NULL };
	struct blkbench_error error;
	struct options options;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	assert_int_equal(options_parse(3, argv, &options, &error), 0);
	assert_int_equal(carry_out(&options, out), RUN_EXIT_OK);
	fflush(out);
	assert_true(size > 0);
	rewind(out);
	has_memory = false;
	assert_int_equal(carry_out(&options, out), RUN_EXIT_FAILED);
	has_memory = true;
	fflush(out);
	assert_int_equal(size, 0);
	fclose(out);
	free(text);
}

static void json_has_a_device_that_could_not_be_opened(void **state)
{
	struct world *world = world_create("json");
	struct json_object *document, *device;

	(void)state;
	world->device.info = NULL;
	world->device.steps_count = 0;
	world->device.path = "/dev/n\xff";
	world->device.status = RUN_UNTESTED;
	strcpy(world->device.message, "No such file or directory");
	device = parse_device(world, &document);
	assert_string_equal(json_object_get_string(get(device, "path")),
			    "/dev/n\\xff");
	assert_string_equal(json_object_get_string(get(device, "status")),
			    "untested");
	assert_string_equal(json_object_get_string(get(device, "message")),
			    "No such file or directory");
	assert_null(get(device, "size_bytes"));
	json_object_put(document);
	world_destroy(world);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_says_what_the_device_is),
		cmocka_unit_test(text_has_what_is_left_of_rates_together),
		cmocka_unit_test(text_has_each_verdict_in_words),
		cmocka_unit_test(table_has_a_row_for_each_device),
		cmocka_unit_test(text_makes_up_no_ratio),
		cmocka_unit_test(odd_one_is_named_of_each_test),
		cmocka_unit_test(text_makes_up_no_kind_and_no_number),
		cmocka_unit_test(text_shows_both_names_and_a_bogus_size),
		cmocka_unit_test(text_has_the_stack_as_a_tree),
		cmocka_unit_test(text_has_one_line_for_each_figure),
		cmocka_unit_test(text_says_under_which_conditions),
		cmocka_unit_test(text_never_shows_what_was_not_measured),
		cmocka_unit_test(text_never_shows_0_for_little),
		cmocka_unit_test(text_says_why_a_test_was_skipped),
		cmocka_unit_test(text_lists_errors_and_stalls),
		cmocka_unit_test(text_says_that_a_test_was_given_up),
		cmocka_unit_test(text_says_what_has_become_of_a_lost_device),
		cmocka_unit_test(text_has_the_places_and_the_slow_spots),
		cmocka_unit_test(text_says_when_no_read_succeeded_any_more),
		cmocka_unit_test(text_counts_one_read_as_one),
		cmocka_unit_test(text_shows_each_warning_once_at_the_end),
		cmocka_unit_test(
			repeats_that_differ_in_counts_warn_once_by_the_last),
		cmocka_unit_test(text_says_how_many_repeats_were_left_out),
		cmocka_unit_test(
			the_times_one_at_a_time_are_of_the_same_repeat),
		cmocka_unit_test(text_ends_repeats_with_the_median_and_spread),
		cmocka_unit_test(text_says_whether_repeats_rise_or_fall),
		cmocka_unit_test(text_makes_up_no_trend_of_repeats),
		cmocka_unit_test(
			medians_are_as_exact_as_the_figures_that_they_are_of),
		cmocka_unit_test(
			verbose_has_the_slices_and_the_time_between_reads),
		cmocka_unit_test(verbose_gives_the_command_that_repeats_it),
		cmocka_unit_test(hdparm_lines_have_its_form),
		cmocka_unit_test(hdparm_changes_to_kb_below_1_mb),
		cmocka_unit_test(hdparm_has_no_rate_for_nothing_read),
		cmocka_unit_test(seeker_lines_have_its_form),
		cmocka_unit_test(other_tools_lines_leave_the_terminal_alone),
#if HAVE_JSON
		cmocka_unit_test(json_has_what_was_located_and_lost),
		cmocka_unit_test(json_keeps_64_bits_and_precision),
		cmocka_unit_test(json_has_the_tail_that_is_in_no_rate),
		cmocka_unit_test(json_has_null_for_what_was_not_measured),
		cmocka_unit_test(json_tells_nowhere_from_not_known),
		cmocka_unit_test(json_has_the_stack),
		cmocka_unit_test(json_has_the_time_between_reads),
		cmocka_unit_test(json_has_the_places_and_the_slow_spots),
		cmocka_unit_test(json_has_all_keys_for_what_was_not_done),
		cmocka_unit_test(json_without_memory_is_no_success),
		cmocka_unit_test(json_has_a_device_that_could_not_be_opened),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
