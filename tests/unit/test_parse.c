/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "parse.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void numbers_are_read_to_the_last_bit(void **state)
{
	uint64_t u = 0;
	int64_t i = 0;

	(void)state;
	assert_int_equal(parse_u64("18446744073709551615\n", &u), 0);
	assert_true(u == UINT64_MAX);
	assert_int_equal(parse_u64(" 0 ", &u), 0);
	assert_int_equal(u, 0);
	assert_int_equal(parse_i64("-1\n", &i), 0);
	assert_true(i == -1);
	assert_int_equal(parse_i64("-9223372036854775807", &i), 0);
	assert_true(i == -INT64_MAX);
	assert_int_equal(parse_i64("9223372036854775807", &i), 0);
	assert_true(i == INT64_MAX);
}

static void what_is_no_number_leaves_the_value_alone(void **state)
{
	static const struct {
		const char *text;
		int u64, i64;
	} cases[] = {
		{ "", -EINVAL, -EINVAL },
		{ " \n", -EINVAL, -EINVAL },
		{ "banana", -EINVAL, -EINVAL },
		{ "0x10", -EINVAL, -EINVAL },
		{ "12 34", -EINVAL, -EINVAL },
		{ "1.5", -EINVAL, -EINVAL },
		{ "--1", -EINVAL, -EINVAL },
		{ "- 1", -EINVAL, -EINVAL },
		{ "+1", -EINVAL, -EINVAL },
		{ "18446744073709551616", -ERANGE, -ERANGE },
		{ "99999999999999999999999999", -ERANGE, -ERANGE },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(cases); k++) {
		uint64_t u = 42;
		int64_t i = 42;

		assert_int_equal(parse_u64(cases[k].text, &u), cases[k].u64);
		assert_int_equal(parse_i64(cases[k].text, &i), cases[k].i64);
		assert_int_equal(u, 42);
		assert_int_equal(i, 42);
	}
}

static void signed_numbers_end_at_63_bits(void **state)
{
	int64_t i;

	(void)state;
	assert_int_equal(parse_i64("9223372036854775808", &i), -ERANGE);
	assert_int_equal(parse_i64("-9223372036854775808", &i), -ERANGE);
}

static void hexadecimal_numbers_begin_with_0x(void **state)
{
	static const struct {
		const char *text;
		int error;
		uint64_t value;
	} cases[] = {
		{ "0x0\n", 0, 0 },
		{ "0x1a\n", 0, 26 },
		{ " 0xDEADbeef ", 0, 3735928559 },
		{ "0xffffffffffffffff", 0, UINT64_MAX },
		{ "0x10000000000000000", -ERANGE, 7 },
		{ "1a", -EINVAL, 7 },
		{ "0x", -EINVAL, 7 },
		{ "0xg", -EINVAL, 7 },
		{ "0x1 2", -EINVAL, 7 },
		{ "-0x1", -EINVAL, 7 },
		{ "", -EINVAL, 7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = 7;

		assert_int_equal(parse_hex(cases[i].text, &value),
				 cases[i].error);
		assert_int_equal(value, cases[i].value);
	}
}

static void device_numbers_are_two(void **state)
{
	unsigned int major = 0, minor = 0;

	(void)state;
	assert_int_equal(parse_devno("259:1048575\n", &major, &minor), 0);
	assert_int_equal(major, 259);
	assert_int_equal(minor, 1048575);
	assert_int_equal(parse_devno("259", &major, &minor), -EINVAL);
	assert_int_equal(parse_devno("8:1x", &major, &minor), -EINVAL);
	assert_int_equal(parse_devno("8:1:2", &major, &minor), -EINVAL);
	assert_int_equal(parse_devno("", &major, &minor), -EINVAL);
	assert_int_equal(parse_devno("8:000000000000000000000000000001", &major,
				     &minor),
			 -EINVAL);
}

static void check_clean(const char *from, const char *to)
{
	char text[128];

	snprintf(text, sizeof(text), "%s", from);
	parse_clean(text);
	assert_string_equal(text, to);
}

static void blanks_are_trimmed_at_both_ends_only(void **state)
{
	(void)state;
	check_clean("  WDC WD10  \n", "WDC WD10");
	check_clean("", "");
	check_clean(" \t\r\n", "");
	check_clean("a", "a");
}

static void text_that_could_steer_a_terminal_is_replaced(void **state)
{
	(void)state;
	check_clean("a\x1b[2Jb", "a?[2Jb");
	check_clean("a\nb", "a?b");
	check_clean("a\x7f", "a?");
	/* U+009B is a one-character escape sequence. */
	check_clean("a\xc2\x9b"
		    "2Jb",
		    "a?2Jb");
}

static void only_well_formed_utf_8_is_kept(void **state)
{
	(void)state;
	check_clean("Gr\xc3\xb6\xc3\x9f"
		    "e",
		    "Gr\xc3\xb6\xc3\x9f"
		    "e");
	check_clean("\xe2\x82\xac \xf0\x9f\x92\xbe",
		    "\xe2\x82\xac \xf0\x9f\x92\xbe");
	check_clean("\xff\xfe", "??");
	check_clean("\xc3", "?");
	check_clean("a\xe2\x82", "a??");
	check_clean("\xc0\x80", "??");		 /* overlong */
	check_clean("\xed\xa0\x80", "???");	 /* half of a surrogate pair */
	check_clean("\xf4\x90\x80\x80", "????"); /* beyond U+10FFFF */
}

static void check_unescape(const char *from, const char *to)
{
	char text[64];

	snprintf(text, sizeof(text), "%s", from);
	parse_unescape(text);
	assert_string_equal(text, to);
}

static void escapes_of_udev_are_undone(void **state)
{
	(void)state;
	check_unescape("WDC\\x20WD10\\x20", "WDC WD10 ");
	check_unescape("a\\x5cb\\x5Cc", "a\\b\\c");
	check_unescape("\\x2", "\\x2");
	check_unescape("\\xzz\\", "\\xzz\\");
	/* What comes out is not looked at again. */
	check_unescape("\\x5cx41", "\\x41");
}

static void lv_names_are_taken_apart_at_the_single_hyphen(void **state)
{
	static const struct {
		const char *name, *vg, *lv;
	} cases[] = {
		{ "vg-lv", "vg", "lv" },
		{ "vg--data-lv--home", "vg-data", "lv-home" },
		{ "a---b", "a-", "b" },
		{ "vg-lv-real", "vg", "lv-real" },
	};
	char vg[PARSE_DM_NAME_MAX], lv[PARSE_DM_NAME_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(parse_lv_name(cases[i].name, vg, lv), 0);
		assert_string_equal(vg, cases[i].vg);
		assert_string_equal(lv, cases[i].lv);
	}
}

static void names_without_two_parts_are_no_lvs(void **state)
{
	static const char *const names[] = {
		"", "vg", "vg-", "-lv", "a--b", "-"
	};
	char vg[PARSE_DM_NAME_MAX], lv[PARSE_DM_NAME_MAX];
	char endless[2 * PARSE_DM_NAME_MAX];

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(parse_lv_name(names[i], vg, lv), -EINVAL);
	memset(endless, 'x', sizeof(endless));
	endless[1] = '-';
	endless[sizeof(endless) - 1] = '\0';
	assert_int_equal(parse_lv_name(endless, vg, lv), -EINVAL);
}

static void serial_numbers_come_from_page_80(void **state)
{
	static const uint8_t page[] = "\0\x80\0\x08  SN42  more";
	char serial[32];

	(void)state;
	assert_int_equal(parse_vpd_serial(page, sizeof(page), serial,
					  sizeof(serial)),
			 0);
	assert_string_equal(serial, "SN42");
}

static void pages_that_lie_about_their_length_are_refused(void **state)
{
	static const uint8_t longer[] = "\0\x80\xff\xff"
					"abc";
	static const uint8_t other[] = "\0\x83\0\x03"
				       "abc";
	static const uint8_t blank[] = "\0\x80\0\x03"
				       "   ";
	char serial[32];

	(void)state;
	assert_int_equal(parse_vpd_serial(longer, 7, serial, 32), -EINVAL);
	assert_int_equal(parse_vpd_serial(other, 7, serial, 32), -EINVAL);
	assert_int_equal(parse_vpd_serial(blank, 7, serial, 32), -EINVAL);
	assert_int_equal(parse_vpd_serial(blank, 3, serial, 32), -EINVAL);
	assert_int_equal(parse_vpd_serial(other, 0, serial, 32), -EINVAL);
	/* Three characters and their end need four bytes. */
	assert_int_equal(parse_vpd_serial((const uint8_t *)"\0\x80\0\x03"
							   "abc",
					  7, serial, 3),
			 -EINVAL);
}

static void transports_are_told_by_the_place_in_sysfs(void **state)
{
	static const struct {
		const char *place, *transport;
	} cases[] = {
		{ "../../devices/pci0000:00/0000:00:1f.2/ata1/host0/"
		  "target0:0:0/0:0:0:0/block/sda",
		  "sata" },
		{ "../../devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/"
		  "host4/target4:0:0/4:0:0:0/block/sdb",
		  "usb" },
		{ "../../devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1",
		  "nvme" },
		{ "../../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1",
		  "nvme" },
		{ "../../devices/pci0000:00/0000:02:00.0/host1/port-1:0/"
		  "end_device-1:0/target1:0:0/1:0:0:0/block/sdc",
		  "sas" },
		{ "../../devices/pci0000:00/0000:04:00.0/host2/rport-2:0-1/"
		  "target2:0:1/2:0:1:0/block/sdd",
		  "fc" },
		{ "../../devices/platform/host3/session1/target3:0:0/3:0:0:0/"
		  "block/sde",
		  "iscsi" },
		{ "../../devices/pci0000:00/0000:00:02.0/virtio1/block/vda",
		  "virtio" },
		{ "../../devices/platform/soc/mmc_host/mmc0/mmc0:0001/block/"
		  "mmcblk0",
		  "mmc" },
		{ "../../devices/pci0000:00/0000:03:00.0/host0/target0:0:0/"
		  "0:0:0:0/block/sda",
		  "scsi" },
		{ "../../devices/vbd-51712/block/xvda", "xen" },
		{ "../../devices/virtual/block/loop0", NULL },
		{ "../../devices/virtual/block/usbdisk", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *transport = parse_transport(cases[i].place);

		if (cases[i].transport)
			assert_string_equal(transport, cases[i].transport);
		else
			assert_null(transport);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_read_to_the_last_bit),
		cmocka_unit_test(what_is_no_number_leaves_the_value_alone),
		cmocka_unit_test(signed_numbers_end_at_63_bits),
		cmocka_unit_test(hexadecimal_numbers_begin_with_0x),
		cmocka_unit_test(device_numbers_are_two),
		cmocka_unit_test(blanks_are_trimmed_at_both_ends_only),
		cmocka_unit_test(text_that_could_steer_a_terminal_is_replaced),
		cmocka_unit_test(only_well_formed_utf_8_is_kept),
		cmocka_unit_test(escapes_of_udev_are_undone),
		cmocka_unit_test(lv_names_are_taken_apart_at_the_single_hyphen),
		cmocka_unit_test(names_without_two_parts_are_no_lvs),
		cmocka_unit_test(serial_numbers_come_from_page_80),
		cmocka_unit_test(pages_that_lie_about_their_length_are_refused),
		cmocka_unit_test(transports_are_told_by_the_place_in_sysfs),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
