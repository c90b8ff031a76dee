/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "inventory.h"

#include <string.h>

#include "fixture.h"
#include "sysfs.h"
#include "test.h"

/* What the ioctl would tell; 1 GiB where the tree has no size. */
static uint64_t read_size(const char *root, unsigned int major,
			  unsigned int minor)
{
	uint64_t sectors = 2097152;
	struct sysfs sysfs;

	sysfs_open(&sysfs, root, major, minor);
	if (sysfs_read_u64(sysfs.self, "size", &sectors) == 0)
		assert_true(sectors > 0);
	sysfs_close(&sysfs);
	return sectors * 512;
}

/* A device of a fixture, as far as its sysfs tree tells. */
static const struct blkbench_info *read_device(struct inventory *inventory,
					       const char *name,
					       unsigned int major,
					       unsigned int minor)
{
	char root[PATH_MAX];
	const struct inventory_sources sources = {
		.sysfs = fixture_path(root, name),
		.stack = fixture_source(root),
		.mountinfo = "/no-such-table",
		.swaps = "/no-such-table",
	};
	struct blkdev_limits limits;

	blkdev_limits_init(&limits);
	limits.size_bytes = read_size(root, major, minor);
	assert_int_equal(inventory_init(inventory, "/dev/under-test"), 0);
	inventory_read(inventory, &sources, major, minor, &limits);
	inventory_tidy(inventory);
	inventory_judge(inventory);
	return &inventory->info;
}

static void sata_disk_is_identified(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "sata512e", 8, 0);

	(void)state;
	assert_int_equal(info->kind, BLKBENCH_KIND_DISK);
	assert_string_equal(info->path, "/dev/under-test");
	assert_string_equal(info->model, "WDC WD10EZEX-08W");
	assert_null(info->vendor); /* "ATA" is none */
	assert_string_equal(info->serial, "WD-WCC6Y3ABCDEF");
	assert_string_equal(info->firmware, "1A01");
	assert_string_equal(info->wwn, "naa.50014ee2b5e7a123");
	assert_string_equal(info->transport, "sata");
	assert_int_equal(info->rotational, BLKBENCH_YES);
	assert_int_equal(info->read_only, BLKBENCH_NO);
	assert_int_equal(info->removable, BLKBENCH_NO);
	assert_null(info->name);
	assert_null(info->parent);
	assert_int_equal(info->topology.logical_sector_bytes, 512);
	assert_int_equal(info->topology.physical_sector_bytes, 4096);
	assert_int_equal(info->topology.io_min_bytes, 4096);
	assert_true(info->topology.io_opt_bytes == BLKBENCH_UNKNOWN);
	assert_int_equal(info->topology.dma_alignment_bytes, 4);
	assert_int_equal(info->topology.max_request_bytes, 1310720);
	assert_int_equal(info->topology.queue_requests, 64);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNED);
	assert_int_equal(info->warnings_count, 0);
	inventory_finish(&inventory);
}

static void partition_has_the_identity_of_its_disk(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "sata512e", 8, 1);

	(void)state;
	assert_int_equal(info->kind, BLKBENCH_KIND_PARTITION);
	assert_string_equal(info->parent, "sda");
	assert_int_equal(info->partition, 1);
	assert_string_equal(info->model, "WDC WD10EZEX-08W");
	assert_string_equal(info->transport, "sata");
	assert_int_equal(info->topology.physical_sector_bytes, 4096);
	inventory_finish(&inventory);
}

static void partition_at_sector_63_is_off_the_physical_sector(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "sata512e", 8, 1);

	(void)state;
	assert_int_equal(info->topology.start_bytes, 32256);
	assert_int_equal(info->topology.alignment_offset_bytes, 512);
	assert_int_equal(info->alignment.verdict, BLKBENCH_MISALIGNED);
	assert_int_equal(info->alignment.findings[0].remainder_bytes, 3584);
	inventory_finish(&inventory);

	info = read_device(&inventory, "sata512e", 8, 2);
	assert_int_equal(info->topology.start_bytes, 1048576);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNED);
	inventory_finish(&inventory);
}

static void holders_of_a_disk_are_those_of_its_partitions(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "sata512e", 8, 0);

	(void)state;
	assert_int_equal(info->holders_count, 1);
	assert_string_equal(info->holders[0], "dm-0");
	inventory_finish(&inventory);

	info = read_device(&inventory, "sata512e", 8, 1);
	assert_int_equal(info->holders_count, 0);
	assert_non_null(info->holders); /* known to be none */
	inventory_finish(&inventory);
}

static void nvme_disk_is_identified(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "nvme4kn", 259, 0);

	(void)state;
	assert_string_equal(info->model, "SAMSUNG MZQL2960HCJR-00A07");
	assert_string_equal(info->serial, "S64FNE0R123456");
	assert_string_equal(info->firmware, "GDC5602Q");
	assert_string_equal(info->wwn, "eui.0025388b01234567");
	assert_string_equal(info->transport, "nvme");
	assert_int_equal(info->rotational, BLKBENCH_NO);
	inventory_finish(&inventory);
}

/* sysfs counts in 512 bytes where the disk has sectors of 4096. */
static void start_is_in_units_of_512_on_4096_byte_sectors(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "nvme4kn", 259, 1);

	(void)state;
	assert_int_equal(info->topology.logical_sector_bytes, 4096);
	assert_int_equal(info->topology.start_bytes, 1048576);
	assert_string_equal(info->parent, "nvme0n1");
	assert_non_null(strstr(info->alignment.text, "(sector 256)"));
	inventory_finish(&inventory);
}

static void usb_bridge_of_65535_sectors_is_not_believed(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "usb", 8, 17);

	(void)state;
	assert_true(info->topology.io_opt_is_bogus);
	assert_int_equal(info->topology.io_opt_bytes, 33553920);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	assert_int_equal(info->warnings_count, 1);
	assert_string_equal(info->warnings[0].code, "bogus");
	assert_string_equal(info->vendor, "Samsung");
	assert_string_equal(info->model, "Portable SSD T5");
	assert_string_equal(info->transport, "usb");
	inventory_finish(&inventory);
}

static void raid5_is_judged_by_its_full_stripe(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "raid5", 9, 127);

	(void)state;
	assert_int_equal(info->kind, BLKBENCH_KIND_MD);
	assert_string_equal(info->name, "raid5 of 4");
	assert_int_equal(info->topology.io_min_bytes, 65536);
	assert_int_equal(info->topology.io_opt_bytes, 196608);
	assert_false(info->topology.io_opt_is_bogus);
	inventory_finish(&inventory);

	/* At 1 MiB, and at 6 stripes. */
	info = read_device(&inventory, "raid5", 259, 2);
	assert_int_equal(info->alignment.verdict, BLKBENCH_MISALIGNED);
	assert_non_null(strstr(info->alignment.text, "65536 B past a stripe"));
	assert_non_null(
		strstr(info->alignment.text, "next aligned start 1179648"));
	inventory_finish(&inventory);

	/* On a stripe, but of the members there is no trace. */
	info = read_device(&inventory, "raid5", 259, 3);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	assert_non_null(strstr(info->alignment.text, "on a stripe (196608 B)"));
	assert_non_null(strstr(info->alignment.text,
			       "what md127 lies on is not known"));
	inventory_finish(&inventory);
}

static void lv_has_its_name_from_lvm(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "raid5", 253, 0);

	(void)state;
	assert_null(info->hang);
	assert_int_equal(info->kind, BLKBENCH_KIND_LV);
	assert_string_equal(info->name, "LV lv-home in vg-data");
	assert_int_equal(info->topology.io_opt_bytes, 196608);
	assert_null(info->transport);
	inventory_finish(&inventory);
}

static void disk_that_is_shifted_shifts_its_partitions(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "shifted", 8, 32);

	(void)state;
	assert_int_equal(info->topology.alignment_offset_bytes, 3584);
	assert_int_equal(info->alignment.verdict, BLKBENCH_MISALIGNED);
	assert_string_equal(info->transport, "sas");
	inventory_finish(&inventory);

	info = read_device(&inventory, "shifted", 8, 33);
	assert_int_equal(info->topology.alignment_offset_bytes, 0);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNED);
	inventory_finish(&inventory);

	info = read_device(&inventory, "shifted", 8, 34);
	assert_int_equal(info->topology.alignment_offset_bytes, 3584);
	assert_int_equal(info->alignment.verdict, BLKBENCH_MISALIGNED);
	assert_int_equal(info->alignment.findings[0].remainder_bytes, 512);
	inventory_finish(&inventory);
}

static void layers_that_disagree_are_told_in_words(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "disagree", 253, 1);

	(void)state;
	assert_string_equal(
		info->hang,
		"is suspended: reads would hang until it is resumed");
	assert_int_equal(info->kind, BLKBENCH_KIND_DM);
	assert_string_equal(info->name, "device-mapper mis");
	assert_int_equal(info->topology.alignment_offset_bytes, -1);
	assert_int_equal(info->alignment.verdict, BLKBENCH_MISALIGNED);
	assert_non_null(
		strstr(info->alignment.text, "the layers below disagree"));
	inventory_finish(&inventory);
}

static void check_hang(unsigned int minor, const char *expected)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "lvm", 254, minor);

	assert_string_equal(info->hang, expected);
	assert_int_equal(info->warnings_count, 1);
	assert_string_equal(info->warnings[0].code, "hang");
	assert_string_equal(info->warnings[0].text, expected);
	inventory_finish(&inventory);
}

static void device_that_is_suspended_would_hang(void **state)
{
	(void)state;
	check_hang(8, "is suspended: reads would hang until it is resumed");
}

static void layer_below_that_is_suspended_is_named(void **state)
{
	(void)state;
	check_hang(1, "dm-8 LV gap-real in tank, below it, is suspended: "
		      "reads would hang until it is resumed");
}

static void multipath_that_queues_without_a_path_would_hang(void **state)
{
	(void)state;
	check_hang(17, "has no path that works: reads would hang until one "
		       "does");
}

static void check_warning(unsigned int minor, const char *code,
			  const char *text)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "lvm", 8, minor);

	assert_int_equal(info->warnings_count, 1);
	assert_string_equal(info->warnings[0].code, code);
	assert_string_equal(info->warnings[0].text, text);
	assert_null(info->hang);
	inventory_finish(&inventory);
}

static void path_of_a_multipath_map_is_sent_to_the_map(void **state)
{
	(void)state;
	check_warning(48, "path",
		      "sdd is one path of the multipath map paths, and may be "
		      "one that does not read: /dev/mapper/paths uses those "
		      "that do");
}

static void zones_are_warned_of(void **state)
{
	(void)state;
	check_warning(64, "zoned",
		      "its zones are host-managed: what was not written to "
		      "them since their reset is not read from the medium, "
		      "and a read across the end of what a zone can hold may "
		      "fail");
}

static void numbers_for_drivers_are_no_names(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "virtio", 254, 0);

	(void)state;
	assert_null(info->vendor);
	assert_null(info->model);
	assert_string_equal(info->serial, "overlayblk");
	assert_string_equal(info->transport, "virtio");
	inventory_finish(&inventory);
}

static void what_is_missing_is_unknown(void **state)
{
	static const struct {
		const char *name;
		unsigned int minor;
		enum blkbench_kind kind;
	} cases[] = { { "missing", 48, BLKBENCH_KIND_DISK },
		      { "no-such-tree", 0, BLKBENCH_KIND_UNKNOWN } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct inventory inventory;
		const struct blkbench_info *info = read_device(
			&inventory, cases[i].name, 8, cases[i].minor);

		assert_int_equal(info->kind, cases[i].kind);
		assert_int_equal(info->size_bytes, 1 << 30);
		assert_null(info->model);
		assert_null(info->serial);
		assert_null(info->holders);
		assert_int_equal(info->rotational, BLKBENCH_NOT_KNOWN);
		assert_int_equal(info->read_only, BLKBENCH_NOT_KNOWN);
		assert_int_equal(info->removable, BLKBENCH_NOT_KNOWN);
		assert_int_equal(info->topology.logical_sector_bytes, 512);
		assert_true(info->topology.physical_sector_bytes ==
			    BLKBENCH_UNKNOWN);
		assert_true(info->topology.alignment_offset_bytes ==
			    BLKBENCH_UNKNOWN_OFFSET);
		assert_int_equal(info->alignment.verdict,
				 BLKBENCH_ALIGNMENT_UNKNOWN);
		assert_int_equal(info->warnings_count, 0);
		inventory_finish(&inventory);
	}
}

static void partition_whose_start_is_missing_is_not_judged(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "missing", 8, 49);

	(void)state;
	assert_int_equal(info->kind, BLKBENCH_KIND_PARTITION);
	assert_string_equal(info->parent, "sdd");
	assert_true(info->topology.start_bytes == BLKBENCH_UNKNOWN);
	assert_int_equal(info->alignment.verdict, BLKBENCH_ALIGNMENT_UNKNOWN);
	assert_int_equal(info->alignment.findings_count, 0);
	inventory_finish(&inventory);
}

static void garbage_is_unknown_or_named(void **state)
{
	struct inventory inventory;
	const struct blkbench_info *info =
		read_device(&inventory, "garbage", 8, 64);

	(void)state;
	assert_int_equal(info->topology.logical_sector_bytes, 512);
	assert_int_equal(info->warnings_count, 1);
	assert_non_null(strstr(info->warnings[0].text, "1000 B"));
	assert_true(info->topology.physical_sector_bytes == BLKBENCH_UNKNOWN);
	assert_true(info->topology.io_min_bytes == BLKBENCH_UNKNOWN);
	assert_true(info->topology.io_opt_bytes == BLKBENCH_UNKNOWN);
	assert_true(info->topology.queue_requests == BLKBENCH_UNKNOWN);
	assert_true(info->topology.max_request_bytes == BLKBENCH_UNKNOWN);
	assert_true(info->topology.dma_alignment_bytes == BLKBENCH_UNKNOWN);
	assert_int_equal(info->rotational, BLKBENCH_NOT_KNOWN);
	assert_string_equal(info->model, "a?[2Jb??c?d");
	assert_null(info->vendor);
	assert_null(info->serial);
	inventory_finish(&inventory);

	info = read_device(&inventory, "garbage", 8, 65);
	assert_int_equal(info->kind, BLKBENCH_KIND_PARTITION);
	assert_int_equal(info->partition, 0);
	assert_true(info->topology.start_bytes == BLKBENCH_UNKNOWN);
	inventory_finish(&inventory);
}

static void kernel_is_believed_before_sysfs(void **state)
{
	char root[PATH_MAX];
	const struct inventory_sources sources = {
		.sysfs = fixture_path(root, "sata512e"),
		.stack = fixture_source(root),
		.mountinfo = "/no-such-table",
		.swaps = "/no-such-table",
	};
	struct inventory inventory;
	struct blkdev_limits limits;

	(void)state;
	blkdev_limits_init(&limits);
	limits.size_bytes = 1000 * 512 + 100;
	limits.physical_sector_bytes = 8192;
	limits.io_min_bytes = 8192;
	limits.rotational = BLKBENCH_NO;
	limits.read_only = BLKBENCH_YES;
	assert_int_equal(inventory_init(&inventory, "x"), 0);
	inventory_read(&inventory, &sources, 8, 0, &limits);
	assert_int_equal(inventory.info.topology.physical_sector_bytes, 8192);
	assert_int_equal(inventory.info.rotational, BLKBENCH_NO);
	assert_int_equal(inventory.info.read_only, BLKBENCH_YES);
	assert_int_equal(inventory.info.size_bytes, 1000 * 512);
	assert_null(inventory.info.mounts); /* not known */
	inventory_finish(&inventory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sata_disk_is_identified),
		cmocka_unit_test(partition_has_the_identity_of_its_disk),
		cmocka_unit_test(
			partition_at_sector_63_is_off_the_physical_sector),
		cmocka_unit_test(holders_of_a_disk_are_those_of_its_partitions),
		cmocka_unit_test(nvme_disk_is_identified),
		cmocka_unit_test(start_is_in_units_of_512_on_4096_byte_sectors),
		cmocka_unit_test(usb_bridge_of_65535_sectors_is_not_believed),
		cmocka_unit_test(raid5_is_judged_by_its_full_stripe),
		cmocka_unit_test(lv_has_its_name_from_lvm),
		cmocka_unit_test(disk_that_is_shifted_shifts_its_partitions),
		cmocka_unit_test(layers_that_disagree_are_told_in_words),
		cmocka_unit_test(device_that_is_suspended_would_hang),
		cmocka_unit_test(layer_below_that_is_suspended_is_named),
		cmocka_unit_test(
			multipath_that_queues_without_a_path_would_hang),
		cmocka_unit_test(path_of_a_multipath_map_is_sent_to_the_map),
		cmocka_unit_test(zones_are_warned_of),
		cmocka_unit_test(numbers_for_drivers_are_no_names),
		cmocka_unit_test(what_is_missing_is_unknown),
		cmocka_unit_test(
			partition_whose_start_is_missing_is_not_judged),
		cmocka_unit_test(garbage_is_unknown_or_named),
		cmocka_unit_test(kernel_is_believed_before_sysfs),
	};

	return cmocka_run_group_tests_name("inventory", tests, NULL, NULL);
}
