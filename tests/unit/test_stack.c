/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "stack.h"

#include <ftw.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "alignment.h"
#include "fixture.h"
#include "place.h"
#include "test.h"

#define MIB UINT64_C(1048576)

static const struct alignment_stripe no_stripe;

/* ---- what was read, as text ------------------------------------------ */

__attribute__((format(printf, 3, 4))) static void
append(char *text, size_t size, const char *format, ...)
{
	const size_t length = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, size - length, format, args);
	va_end(args);
}

static const char *print_offset(const struct blkbench_leg *leg, char text[32])
{
	if (leg->offset_bytes != BLKBENCH_UNKNOWN)
		snprintf(text, 32, "%" PRIu64, leg->offset_bytes);
	else if (leg->multiple_bytes != BLKBENCH_UNKNOWN)
		snprintf(text, 32, "n*%" PRIu64, leg->multiple_bytes);
	else
		snprintf(text, 32, "?");
	return text;
}

/* " 0..8388608 striped 2x65536 > sda1+1048576 sdb1+1048576" */
static void print_segment(const struct stack *stack,
			  const struct blkbench_segment *segment, char *text,
			  size_t size)
{
	append(text, size, " %" PRIu64 "..%" PRIu64 " %s", segment->start_bytes,
	       segment->start_bytes + segment->length_bytes, segment->kind);
	if (segment->chunk_bytes != BLKBENCH_UNKNOWN)
		append(text, size, " %zux%" PRIu64, segment->data_members,
		       segment->chunk_bytes);
	append(text, size, " >");
	for (size_t i = 0; i < segment->legs_count; i++) {
		const struct blkbench_leg *leg = &segment->legs[i];
		char offset[32];

		append(text, size, " %s+%s",
		       leg->layer == BLKBENCH_NO_LAYER
			       ? "?"
			       : stack->layers[leg->layer].name,
		       print_offset(leg, offset));
	}
}

/* Each layer a line: "dm-0 linear: SEGMENT;SEGMENT". */
static void print(const struct stack *stack, char *text, size_t size)
{
	*text = '\0';
	for (size_t i = 0; i < stack->count; i++) {
		const struct blkbench_layer *layer = &stack->layers[i];

		append(text, size, "%s %s", layer->name, layer->kind);
		for (size_t k = 0; k < layer->segments_count; k++) {
			append(text, size, "%s", k ? ";" : ":");
			print_segment(stack, &layer->segments[k], text, size);
		}
		append(text, size, "\n");
	}
}

static void check_stack(const struct stack_source *source, unsigned int major,
			unsigned int minor, const char *expected)
{
	struct stack stack;
	char text[8192];

	assert_int_equal(stack_read(&stack, source, major, minor), 0);
	print(&stack, text, sizeof(text));
	assert_string_equal(text, expected);
	stack_finish(&stack);
}

/* ---- machines that were captured -------------------------------------- */

static void check_fixture(const char *name, unsigned int major,
			  unsigned int minor, const char *expected)
{
	char root[PATH_MAX];
	const struct stack_source source =
		fixture_source(fixture_path(root, name));

	check_stack(&source, major, minor, expected);
}

/* LVM has moved its data by a sector: the partition is 512 B off. */
#define LVM_DISKS                                               \
	"sdb1 partition: 0..100631040 partition > sdb+32256\n"  \
	"sdb disk\n"                                            \
	"sdc1 partition: 0..66060288 partition > sdc+1048576\n" \
	"sdc disk\n"

static void linear_volume_is_read_segment_by_segment(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 0,
		      "dm-0 linear: 0..8388608 linear > sdb1+1049088;"
		      " 8388608..12582912 linear > sdc1+9437184;"
		      " 12582912..20971520 linear > sdb1+22020608\n" LVM_DISKS);
}

static void striped_volume_lies_on_both_of_its_partitions(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 2,
		      "dm-2 striped: 0..16777216 striped 2x65536 >"
		      " sdb1+13632000 sdc1+1048576\n" LVM_DISKS);
}

static void thin_volume_has_the_chunk_of_its_pool(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 7,
		      "dm-7 thin: 0..33554432 thin 1x65536 > dm-5+n*65536\n"
		      "dm-5 thin-pool: 0..12582912 thin-pool 1x65536 > dm-4+0\n"
		      "dm-4 linear: 0..12582912 linear > sdb1+34603520\n"
		      "sdb1 partition: 0..100631040 partition > sdb+32256\n"
		      "sdb disk\n");
}

static void snapshot_lies_on_its_origin_and_its_store(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 10,
		      "dm-10 snapshot: 0..4194304 snapshot 1x16384 >"
		      " dm-8+0 dm-9+n*16384\n"
		      "dm-8 linear: 0..4194304 linear > sdb1+9437696\n"
		      "sdb1 partition: 0..100631040 partition > sdb+32256\n"
		      "sdb disk\n"
		      "dm-9 linear: 0..4194304 linear > sdb1+47186432\n");
}

static void mirrored_volume_lies_on_each_copy(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 15,
		      "dm-15 raid1: 0..4194304 raid1 > dm-12+0 dm-14+0\n"
		      "dm-12 linear: 0..4194304 linear > sdb1+55575040\n"
		      "sdb1 partition: 0..100631040 partition > sdb+32256\n"
		      "sdb disk\n"
		      "dm-14 linear: 0..4194304 linear > sdc1+22020096\n"
		      "sdc1 partition: 0..66060288 partition > sdc+1048576\n"
		      "sdc disk\n");
}

static void crypt_begins_behind_its_header(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 16,
		      "dm-16 crypt: 0..31457280 crypt > sdc2+2097152\n"
		      "sdc2 partition: 0..33554432 partition > sdc+67108864\n"
		      "sdc disk\n");
}

static void multipath_lies_on_each_path(void **state)
{
	(void)state;
	check_fixture("lvm", 254, 17,
		      "dm-17 multipath: 0..100663296 multipath > sdd+0 sde+0\n"
		      "sdd disk\nsde disk\n");
}

static void loop_lies_on_a_file_or_on_a_device(void **state)
{
	(void)state;
	check_fixture("lvm", 7, 0,
		      "loop0 loop: 0..7340032 loop > /run/x/file+1048576\n"
		      "/run/x/file file: 0..8388608 file > ?+?\n");
	check_fixture("lvm", 7, 1,
		      "loop1 loop: 0..33553920 loop > sdc2+512\n"
		      "sdc2 partition: 0..33554432 partition > sdc+67108864\n"
		      "sdc disk\n");
}

static void raid0_of_3_has_a_stripe_of_3_chunks(void **state)
{
	(void)state;
	check_fixture(
		"md", 259, 2,
		"md126p1 partition: 0..3145728 partition > md126+1048576\n"
		"md126 raid0: 0..69206016 raid0 3x524288 >"
		" sdd+2097152 sde+2097152 sdf+2097152\n"
		"sdd disk\nsde disk\nsdf disk\n");
}

static void raid1_is_not_striped(void **state)
{
	(void)state;
	check_fixture("md", 9, 125,
		      "md125 raid1: 0..24117248 raid1 >"
		      " sdg+1048576 sdh+1048576\n"
		      "sdg disk\nsdh disk\n");
}

static void raid5_of_4_has_3_data_members(void **state)
{
	(void)state;
	check_fixture("md", 9, 124,
		      "md124 raid5: 0..72351744 raid5 3x65536 > sdi+1048576"
		      " sdj+1048576 sdk+1048576 sdl+1048576\n"
		      "sdi disk\nsdj disk\nsdk disk\nsdl disk\n");
}

static void raid6_of_5_has_3_data_members(void **state)
{
	(void)state;
	check_fixture("md", 9, 123,
		      "md123 raid6: 0..72351744 raid6 3x65536 > sdm+1048576"
		      " sdn+1048576 sdo+1048576 sdp+1048576 sdq+1048576\n"
		      "sdm disk\nsdn disk\nsdo disk\nsdp disk\nsdq disk\n");
}

/* ---- made-up machines ------------------------------------------------ */

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Each test has a tree of its own; *state is its root. */
static int make_tree(void **state)
{
	char *root = strdup("/tmp/blkbench-stack.XXXXXX");

	if (!root || !mkdtemp(root))
		return -1;
	*state = root;
	return 0;
}

static int remove_tree(void **state)
{
	const int err = nftw(*state, remove_entry, 16, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return err;
}

static void make_parents(char *path)
{
	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0755);
		*at = '/';
	}
}

__attribute__((format(printf, 3, 4))) static void
write_file(const char *root, const char *name, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	make_parents(path);
	file = fopen(path, "w");
	assert_non_null(file);
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	assert_int_equal(fclose(file), 0);
}

static void write_attribute(const char *root, const char *device,
			    const char *attribute, const char *value)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "block/%s/%s", device, attribute);
	write_file(root, name, "%s\n", value);
}

/* A device of 1 GiB with sectors of 512 and 4096 bytes; "sda/sda1" too. */
static void make_device(const char *root, const char *device,
			unsigned int major, unsigned int minor)
{
	static const char *const attributes[][2] = {
		{ "size", "2097152" },
		{ "alignment_offset", "0" },
		{ "queue/logical_block_size", "512" },
		{ "queue/physical_block_size", "4096" },
		{ "queue/minimum_io_size", "4096" },
		{ "queue/optimal_io_size", "0" },
	};
	char path[PATH_MAX], target[PATH_MAX], number[32];

	snprintf(number, sizeof(number), "%u:%u", major, minor);
	write_attribute(root, device, "dev", number);
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		write_attribute(root, device, attributes[i][0],
				attributes[i][1]);
	snprintf(path, sizeof(path), "%s/dev/block/%u:%u", root, major, minor);
	snprintf(target, sizeof(target), "../../block/%s", device);
	make_parents(path);
	assert_int_equal(symlink(target, path), 0);
}

__attribute__((format(printf, 3, 4))) static void
make_dm(const char *root, unsigned int minor, const char *format, ...)
{
	char device[32], name[64], sectors[64], *table;
	unsigned long long start, length;
	const char *last;
	va_list args;

	va_start(args, format);
	assert_true(vasprintf(&table, format, args) >= 0);
	va_end(args);
	snprintf(device, sizeof(device), "dm-%u", minor);
	make_device(root, device, 253, minor);
	write_attribute(root, device, "dm/name", device);
	/* It ends where its last segment does. */
	last = memrchr(table, '\n', strlen(table) - 1);
	assert_int_equal(
		sscanf(last ? last : table, "%llu %llu", &start, &length), 2);
	snprintf(sectors, sizeof(sectors), "%llu", start + length);
	write_attribute(root, device, "size", sectors);
	snprintf(name, sizeof(name), "tables/253:%u", minor);
	write_file(root, name, "%s", table);
	free(table);
}

/* In seconds of the CPU: whoever else needs it makes no test fail. */
static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void neighbouring_segments_are_one(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "sda", 8, 0);
	make_dm(*state, 0,
		"0 8192 linear 8:0 2048\n8192 8192 linear 8:0 10240\n"
		"16384 8192 linear 8:0 2048\n");
	check_stack(&source, 253, 0,
		    "dm-0 linear: 0..8388608 linear > sda+1048576;"
		    " 8388608..12582912 linear > sda+1048576\n"
		    "sda disk\n");
}

static void neighbouring_stripes_are_one(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "sda", 8, 0);
	make_device(*state, "sdb", 8, 16);
	make_dm(*state, 0,
		"0 8192 striped 2 128 8:0 2048 8:16 4096\n"
		"8192 8192 striped 2 128 8:0 6144 8:16 8192\n");
	check_stack(&source, 253, 0,
		    "dm-0 striped: 0..8388608 striped 2x65536 >"
		    " sda+1048576 sdb+2097152\nsda disk\nsdb disk\n");
}

static void targets_may_differ(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "sda", 8, 0);
	make_dm(*state, 0,
		"0 2048 linear 8:0 0\n2048 2048 error \n"
		"4096 2048 made-up 8:0\n");
	check_stack(&source, 253, 0,
		    "dm-0 mixed: 0..1048576 linear > sda+0;"
		    " 1048576..2097152 error >;"
		    " 2097152..3145728 not known > ?+?\nsda disk\n");
}

/* Without a right to read the table, sysfs still has the devices. */
static void devices_below_are_known_without_the_table(void **state)
{
	const struct stack_source source = fixture_source(*state);
	char path[PATH_MAX];

	make_device(*state, "sda", 8, 0);
	make_dm(*state, 0, "0 2048 linear 8:0 2048\n");
	snprintf(path, sizeof(path), "%s/tables/253:0", (char *)*state);
	assert_int_equal(remove(path), 0);
	write_attribute(*state, "dm-0/slaves", "sda/dev", "8:0");
	check_stack(&source, 253, 0,
		    "dm-0 not known: 0..1048576 not known > sda+?\n"
		    "sda disk\n");
}

static void driver_that_is_not_known_is_no_disk(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "sda", 8, 0);
	make_device(*state, "bcache0", 251, 0);
	write_attribute(*state, "bcache0/slaves", "sda/dev", "8:0");
	check_stack(&source, 251, 0,
		    "bcache0 not known: 0..1073741824 not known > sda+?\n"
		    "sda disk\n");
}

static void circle_is_cut_open(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_dm(*state, 0, "0 2048 linear 253:1 0\n");
	make_dm(*state, 1, "0 2048 linear 253:2 0\n");
	make_dm(*state, 2, "0 2048 linear 253:0 0\n");
	check_stack(&source, 253, 0,
		    "dm-0 linear: 0..1048576 linear > dm-1+0\n"
		    "dm-1 linear: 0..1048576 linear > dm-2+0\n"
		    "dm-2 linear: 0..1048576 linear > ?+0\n");
	check_stack(&source, 253, 2,
		    "dm-2 linear: 0..1048576 linear > dm-0+0\n"
		    "dm-0 linear: 0..1048576 linear > dm-1+0\n"
		    "dm-1 linear: 0..1048576 linear > ?+0\n");
}

static void device_that_vanishes_is_not_known(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_dm(*state, 0, "0 2048 linear 8:0 2048\n");
	check_stack(&source, 253, 0,
		    "dm-0 linear: 0..1048576 linear > 8:0+1048576\n"
		    "8:0 not known: 0..18446744073709551615 not known > ?+?\n");
}

static void partition_without_a_start_lies_somewhere(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "sda", 8, 0);
	make_device(*state, "sda/sda1", 8, 1);
	write_attribute(*state, "sda/sda1", "partition", "1");
	check_stack(&source, 8, 1,
		    "sda1 partition: 0..1073741824 partition > sda+?\n"
		    "sda disk\n");
	write_attribute(*state, "sda/sda1", "start", "63");
	check_stack(&source, 8, 1,
		    "sda1 partition: 0..1073741824 partition > sda+32256\n"
		    "sda disk\n");
}

/* "a " is another file than "a". */
static void path_of_a_loop_device_keeps_its_blanks(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "loop0", 7, 0);
	write_attribute(*state, "loop0", "loop/backing_file", "/run/a ");
	write_attribute(*state, "loop0", "loop/offset", "0");
	check_stack(&source, 7, 0,
		    "loop0 loop: 0..1073741824 loop > /run/a +0\n"
		    "/run/a  file: 0..18446744073709551615 file > ?+?\n");
}

static void array_that_changes_its_shape_has_none(void **state)
{
	const struct stack_source source = fixture_source(*state);

	make_device(*state, "sda", 8, 0);
	make_device(*state, "md0", 9, 0);
	write_attribute(*state, "md0", "md/level", "raid5");
	write_attribute(*state, "md0", "md/raid_disks", "3");
	write_attribute(*state, "md0", "md/chunk_size", "65536");
	write_attribute(*state, "md0", "md/rd1/block/dev", "8:0");
	write_attribute(*state, "md0", "md/rd1/offset", "2048");
	write_attribute(*state, "md0", "md/rd1/size", "1048576");
	check_stack(&source, 9, 0,
		    "md0 raid5: 0..1073741824 raid5 2x65536 >"
		    " ?+? sda+1048576 ?+?\nsda disk\n");
	write_attribute(*state, "md0", "md/reshape_position", "8192");
	check_stack(&source, 9, 0,
		    "md0 not known: 0..1073741824 not known >"
		    " ?+? sda+1048576 ?+?\nsda disk\n");
}

/* Of members sda, sdb... with their data at 1 MiB; their sizes are in KiB. */
static void make_array(const char *root, const char *level,
		       const char *const sizes[], unsigned int members)
{
	char value[32], attribute[64];

	make_device(root, "md0", 9, 0);
	write_attribute(root, "md0", "md/level", level);
	snprintf(value, sizeof(value), "%u", members);
	write_attribute(root, "md0", "md/raid_disks", value);
	write_attribute(root, "md0", "md/chunk_size", "65536");
	for (unsigned int i = 0; i < members; i++) {
		snprintf(value, sizeof(value), "sd%c", (char)('a' + i));
		make_device(root, value, 8, 16 * i);
		snprintf(attribute, sizeof(attribute), "md/rd%u/size", i);
		write_attribute(root, "md0", attribute, sizes[i]);
		snprintf(attribute, sizeof(attribute), "md/rd%u/offset", i);
		write_attribute(root, "md0", attribute, "2048");
		snprintf(attribute, sizeof(attribute), "md/rd%u/block/dev", i);
		snprintf(value, sizeof(value), "8:%u", 16 * i);
		write_attribute(root, "md0", attribute, value);
	}
}

/* Where the smaller of two members ends, the larger goes on alone. */
static void raid0_of_unequal_members_has_zones(void **state)
{
	static const char *const sizes[] = { "1024", "4096", "4096" };
	const struct stack_source source = fixture_source(*state);

	make_array(*state, "raid0", sizes, 3);
	write_attribute(*state, "md0", "md/layout", "2");
	check_stack(&source, 9, 0,
		    "md0 raid0: 0..3145728 raid0 3x65536 >"
		    " sda+1048576 sdb+1048576 sdc+1048576;"
		    " 3145728..9437184 raid0 2x65536 >"
		    " sdb+2097152 sdc+2097152\n"
		    "sda disk\nsdb disk\nsdc disk\n");
	/* The original layout begins the second zone with another member. */
	write_attribute(*state, "md0", "md/layout", "1");
	check_stack(&source, 9, 0,
		    "md0 raid0: 0..3145728 raid0 3x65536 >"
		    " sda+1048576 sdb+1048576 sdc+1048576;"
		    " 3145728..9437184 raid0 0x65536 >"
		    " sdb+2097152 sdc+2097152\n"
		    "sda disk\nsdb disk\nsdc disk\n");
}

static void members_of_no_known_size_have_no_order(void **state)
{
	static const char *const sizes[] = { "1024", "0" };
	const struct stack_source source = fixture_source(*state);

	make_array(*state, "raid0", sizes, 2);
	check_stack(&source, 9, 0,
		    "md0 raid0: 0..1073741824 raid0 0x65536 >"
		    " sda+1048576 sdb+1048576\nsda disk\nsdb disk\n");
	write_attribute(*state, "md0", "md/level", "linear");
	check_stack(&source, 9, 0,
		    "md0 linear: 0..1073741824 linear >"
		    " sda+1048576 sdb+1048576\nsda disk\nsdb disk\n");
}

/* md(4): a byte of near copies, one of far ones, and a bit for the offset. */
static void copies_of_raid10_are_as_its_layout_says(void **state)
{
	static const struct {
		const char *layout;
		unsigned int members, data_members;
	} cases[] = {
		{ "258", 4, 2 }, { "259", 3, 1 },   { "513", 4, 4 },
		{ "258", 3, 0 }, { "66049", 4, 0 }, { "0", 4, 0 },
	};
	static const char *const sizes[] = { "1024", "1024", "1024", "1024" };
	const struct stack_source source = fixture_source(*state);
	char members[32];
	struct stack stack;

	make_array(*state, "raid10", sizes, 4);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(members, sizeof(members), "%u", cases[i].members);
		write_attribute(*state, "md0", "md/raid_disks", members);
		write_attribute(*state, "md0", "md/layout", cases[i].layout);
		assert_int_equal(stack_read(&stack, &source, 9, 0), 0);
		assert_int_equal(stack.layers[0].segments[0].data_members,
				 cases[i].data_members);
		stack_finish(&stack);
	}
}

static void raid10_whose_layout_cannot_be_read_has_no_order(void **state)
{
	static const char *const sizes[] = { "1024", "1024" };
	const struct stack_source source = fixture_source(*state);

	make_array(*state, "raid10", sizes, 2);
	check_stack(&source, 9, 0,
		    "md0 raid10: 0..1073741824 raid10 0x65536 >"
		    " sda+1048576 sdb+1048576\nsda disk\nsdb disk\n");
}

/* ---- large ones ------------------------------------------------------ */

static void judge(struct stack *stack, struct blkbench_alignment *alignment)
{
	stack->layers[0].topology.logical_sector_bytes = 512;
	alignment_judge(stack->layers, &no_stripe, alignment);
	free((void *)alignment->findings);
}

/* 40 layers, each 512 B into the one below. */
static void stack_of_40_layers_takes_less_than_a_second(void **state)
{
	const struct stack_source source = fixture_source(*state);
	struct blkbench_alignment alignment;
	const double begin = now();
	struct stack stack;

	make_device(*state, "sda", 8, 0);
	make_dm(*state, 0, "0 1000000 linear 8:0 1\n");
	for (unsigned int i = 1; i < 40; i++)
		make_dm(*state, i, "0 %u linear 253:%u 1\n", 1000000 - i,
			i - 1);
	assert_int_equal(stack_read(&stack, &source, 253, 39), 0);
	assert_int_equal(stack.count, 41);
	assert_int_equal(place_note_extents(stack.layers, stack.count), 0);
	assert_int_equal(stack.layers[40].begin_bytes, 40 * 512);
	judge(&stack, &alignment);
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNED);
	assert_non_null(strstr(alignment.text, "begins at byte 20480 of sda"));
	stack_finish(&stack);
	assert_true(now() - begin < 1);
}

/* From 1 MiB on, each other segment is 512 B further than it should be. */
static char *make_table_of_5000_segments(void)
{
	char *table = malloc(5000 * 64);
	size_t length = 0;

	assert_non_null(table);
	for (unsigned int i = 0; i < 5000; i++)
		length += (size_t)sprintf(table + length,
					  "%u 8 linear 8:%u %u\n", 8 * i,
					  i % 2 * 16, 2048 + 8 * i + i % 2);
	return table;
}

static void volume_of_5000_segments_takes_less_than_a_second(void **state)
{
	const struct stack_source source = fixture_source(*state);
	struct blkbench_alignment alignment;
	char *table = make_table_of_5000_segments();
	double begin;
	struct stack stack;

	make_device(*state, "sda", 8, 0);
	make_device(*state, "sdb", 8, 16);
	make_dm(*state, 0, "%s", table);
	free(table);
	begin = now();
	assert_int_equal(stack_read(&stack, &source, 253, 0), 0);
	assert_int_equal(stack.layers[0].segments_count, 5000);
	judge(&stack, &alignment);
	assert_int_equal(alignment.verdict, BLKBENCH_MISALIGNED);
	assert_non_null(strstr(alignment.text, "512 B past a physical sector "
					       "of sdb from byte 4096 on"));
	stack_finish(&stack);
	assert_true(now() - begin < 1);
}

/* Mirrors of mirrors, 2^30 ways down: not all are gone, and none are called
 * aligned. */
static void mirrors_of_mirrors_take_less_than_a_second(void **state)
{
	const struct stack_source source = fixture_source(*state);
	struct blkbench_alignment alignment;
	const double begin = now();
	struct stack stack;

	make_device(*state, "sda", 8, 0);
	make_dm(*state, 0, "0 2048 linear 8:0 0\n");
	for (unsigned int i = 1; i <= 30; i++)
		make_dm(*state, i,
			"0 2048 mirror core 1 1024 2 253:%u 0 253:%u 0\n",
			i - 1, i - 1);
	assert_int_equal(stack_read(&stack, &source, 253, 30), 0);
	assert_int_equal(stack.count, 32);
	judge(&stack, &alignment);
	assert_int_equal(alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	stack_finish(&stack);
	assert_true(now() - begin < 1);
}

#define IN_TREE(test) \
	cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linear_volume_is_read_segment_by_segment),
		cmocka_unit_test(striped_volume_lies_on_both_of_its_partitions),
		cmocka_unit_test(thin_volume_has_the_chunk_of_its_pool),
		cmocka_unit_test(snapshot_lies_on_its_origin_and_its_store),
		cmocka_unit_test(mirrored_volume_lies_on_each_copy),
		cmocka_unit_test(crypt_begins_behind_its_header),
		cmocka_unit_test(multipath_lies_on_each_path),
		cmocka_unit_test(loop_lies_on_a_file_or_on_a_device),
		cmocka_unit_test(raid0_of_3_has_a_stripe_of_3_chunks),
		cmocka_unit_test(raid1_is_not_striped),
		cmocka_unit_test(raid5_of_4_has_3_data_members),
		cmocka_unit_test(raid6_of_5_has_3_data_members),
		IN_TREE(neighbouring_segments_are_one),
		IN_TREE(neighbouring_stripes_are_one),
		IN_TREE(targets_may_differ),
		IN_TREE(devices_below_are_known_without_the_table),
		IN_TREE(driver_that_is_not_known_is_no_disk),
		IN_TREE(circle_is_cut_open),
		IN_TREE(device_that_vanishes_is_not_known),
		IN_TREE(partition_without_a_start_lies_somewhere),
		IN_TREE(path_of_a_loop_device_keeps_its_blanks),
		IN_TREE(array_that_changes_its_shape_has_none),
		IN_TREE(raid0_of_unequal_members_has_zones),
		IN_TREE(members_of_no_known_size_have_no_order),
		IN_TREE(copies_of_raid10_are_as_its_layout_says),
		IN_TREE(raid10_whose_layout_cannot_be_read_has_no_order),
		IN_TREE(stack_of_40_layers_takes_less_than_a_second),
		IN_TREE(volume_of_5000_segments_takes_less_than_a_second),
		IN_TREE(mirrors_of_mirrors_take_less_than_a_second),
	};

	return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
