/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "smart.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "test.h"
#include "tree.h"

#define TEXT_MAX 65536
#define UNKNOWN BLKBENCH_UNKNOWN

/* ---- what smartctl prints ---------------------------------------------- */

/* A document that the fuzzer has, too. */
static struct blkbench_smart parse(const char *name)
{
	const char *source = getenv("BLKBENCH_SOURCE");
	struct blkbench_smart smart;
	static char text[TEXT_MAX];
	char path[PATH_MAX];
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/smart/%s",
		 source ? source : ".", name);
	file = fopen(path, "r");
	assert_non_null(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	smart_parse(text, &smart);
	return smart;
}

static struct blkbench_smart parse_told(const char *name)
{
	struct blkbench_smart smart = parse(name);

	assert_int_equal(smart.answer, BLKBENCH_SMART_TOLD);
	assert_string_equal(smart.text, "");
	return smart;
}

static void healthy_ata_disk_has_nothing_to_complain_of(void **state)
{
	struct blkbench_smart smart = parse_told("ata-healthy");

	(void)state;
	assert_int_equal(smart.passed, BLKBENCH_YES);
	assert_int_equal(smart.power_on_hours, 36067);
	assert_int_equal(smart.temperature, 36000);
	assert_int_equal(smart.error_log_entries, 0);
	assert_int_equal(smart.reallocated_sectors, 0);
	assert_int_equal(smart.reported_uncorrectable, 0);
	assert_int_equal(smart.pending_sectors, 0);
	assert_int_equal(smart.offline_uncorrectable, 0);
	assert_int_equal(smart.crc_errors, 0);
	assert_int_equal(smart.failing_attribute, 0);
	assert_int_equal(smart.failed_attribute, 0);
	assert_int_equal(smart.critical_warning, UNKNOWN);
	assert_int_equal(smart.grown_defects, UNKNOWN);
}

static void timeouts_are_told_from_what_is_packed_above_them(void **state)
{
	(void)state;
	/* 4295032833 is 1, 1 and 1, of 16 bits each. */
	assert_int_equal(parse_told("ata-healthy").command_timeouts, 1);
	assert_int_equal(parse_told("ata-failing").command_timeouts, 7);
}

static void failing_ata_disk_tells_what_fails(void **state)
{
	struct blkbench_smart smart = parse_told("ata-failing");

	(void)state;
	assert_int_equal(smart.passed, BLKBENCH_NO);
	assert_int_equal(smart.reallocated_sectors, 1848);
	assert_int_equal(smart.reported_uncorrectable, 312);
	assert_int_equal(smart.pending_sectors, 216);
	assert_int_equal(smart.offline_uncorrectable, 208);
	assert_int_equal(smart.crc_errors, 3);
	assert_int_equal(smart.error_log_entries, 312);
	/* The first of two; and one that was hot once. */
	assert_int_equal(smart.failing_attribute, 1);
	assert_int_equal(smart.failed_attribute, 190);
}

static void number_with_another_meaning_is_not_taken(void **state)
{
	struct blkbench_smart smart = parse_told("ata-ssd-other-meanings");

	(void)state;
	assert_int_equal(smart.reallocated_sectors, 3);
	assert_int_equal(smart.pending_sectors, UNKNOWN);
	assert_int_equal(smart.offline_uncorrectable, UNKNOWN);
	assert_int_equal(smart.crc_errors, UNKNOWN);
}

static void nvme_disk_has_its_log(void **state)
{
	struct blkbench_smart smart = parse_told("nvme-worn");

	(void)state;
	assert_int_equal(smart.critical_warning, 5);
	assert_int_equal(smart.media_errors, 14);
	assert_int_equal(smart.percentage_used, 118);
	assert_int_equal(smart.available_spare_percent, 7);
	assert_int_equal(smart.spare_threshold_percent, 10);
	assert_int_equal(smart.error_log_entries, 93);
	assert_int_equal(smart.power_on_hours, 31877);
	assert_int_equal(smart.temperature, 41000);
	assert_int_equal(smart.failing_attribute, UNKNOWN);
	smart = parse_told("nvme-healthy");
	assert_int_equal(smart.critical_warning, 0);
	assert_int_equal(smart.percentage_used, 2);
}

static void scsi_disk_has_its_defects_and_errors(void **state)
{
	struct blkbench_smart smart = parse_told("scsi-defects");

	(void)state;
	assert_int_equal(smart.passed, BLKBENCH_YES);
	assert_int_equal(smart.grown_defects, 37);
	assert_int_equal(smart.uncorrected_errors, 2 + 1 + 4);
	assert_int_equal(smart.temperature, 31000);
	assert_int_equal(smart.power_on_hours, 40213);
	smart = parse_told("scsi-failing");
	assert_int_equal(smart.passed, BLKBENCH_NO);
	assert_int_equal(parse_told("scsi-healthy").uncorrected_errors, 0);
}

static void why_nothing_is_told_is_said(void **state)
{
	static const struct {
		const char *name;
		enum blkbench_smart_answer answer;
		const char *text;
	} cases[] = {
		{ "ata-standby", BLKBENCH_SMART_ASLEEP,
		  "it has stopped, and was not woken" },
		{ "ata-standby-2", BLKBENCH_SMART_ASLEEP,
		  "it has stopped, and was not woken" },
		{ "denied", BLKBENCH_SMART_REFUSED,
		  "Smartctl open device: /dev/sda failed: Permission denied" },
		{ "usb-unknown", BLKBENCH_SMART_UNSUPPORTED,
		  "/dev/sdb: Unknown USB bridge [0x0bda:0x8153 (0x3000)]" },
		{ "virtio", BLKBENCH_SMART_UNSUPPORTED,
		  "/dev/vda: Unable to detect device type" },
		{ "ata-unsupported", BLKBENCH_SMART_UNSUPPORTED,
		  "the disk has no SMART" },
		{ "ata-switched-off", BLKBENCH_SMART_UNSUPPORTED,
		  "SMART is switched off in the disk" },
		{ "silent", BLKBENCH_SMART_REFUSED,
		  "smartctl does not say why" },
		{ "wrong-types", BLKBENCH_SMART_TOLD, "" },
		{ "truncated", BLKBENCH_SMART_GARBLED,
		  "smartctl has not printed what version 7 does" },
		{ "not-json", BLKBENCH_SMART_GARBLED,
		  "smartctl has not printed what version 7 does" },
		{ "deep", BLKBENCH_SMART_GARBLED,
		  "smartctl has not printed what version 7 does" },
		{ "empty", BLKBENCH_SMART_GARBLED,
		  "smartctl has not printed what version 7 does" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct blkbench_smart smart = parse(cases[i].name);

		assert_int_equal(smart.answer, cases[i].answer);
		assert_string_equal(smart.text, cases[i].text);
		assert_int_equal(smart.passed, BLKBENCH_NOT_KNOWN);
		assert_int_equal(smart.power_on_hours, UNKNOWN);
		assert_true(smart.temperature == BLKBENCH_UNKNOWN_TEMPERATURE);
		assert_int_equal(smart.grown_defects, UNKNOWN);
	}
}

/* ---- how it is run ------------------------------------------------------ */

#define ANSWER(status, text)                                             \
	"echo '{\"smartctl\":{\"exit_status\":" status ",\"messages\":[" \
	"{\"string\":\"'\"" text "\"'\"}]}}'\n"

static struct tree tree;
static char program[PATH_MAX];

static int make_directory(void **state)
{
	(void)state;
	tree_create(&tree);
	snprintf(program, sizeof(program), "%s/smartctl", tree.root);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	tree_destroy(&tree);
	return 0;
}

/* Runs a script in its stead. */
static struct blkbench_smart ask(const char *script, uint64_t limit_ns)
{
	struct blkbench_smart smart;
	char text[1024];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s", script);
	tree_put(&tree, "smartctl", text);
	assert_int_equal(chmod(program, 0700), 0);
	smart_ask(program, "/dev/sdq", limit_ns, &smart);
	return smart;
}

static void program_is_told_not_to_wake_the_disk(void **state)
{
	struct blkbench_smart smart = ask(ANSWER("2", "$*"), 60 * NS_PER_S);

	(void)state;
	assert_int_equal(smart.answer, BLKBENCH_SMART_REFUSED);
	assert_string_equal(smart.text,
			    "--json --nocheck=standby,3 --info --health "
			    "--attributes --log=error /dev/sdq");
}

static void program_gets_none_of_our_files_and_signals(void **state)
{
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct blkbench_smart smart;
	sigset_t blocked, before;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_DUPFD_CLOEXEC, 37), 37);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	smart = ask("test -e /proc/self/fd/37 && file=ours\n"
		    "blocked=$(grep SigBlk /proc/self/status | cut -f 2)\n"
		    "read -r line && input=some\n" ANSWER(
			    "2", "${file-none} $blocked ${input-none}"),
		    60 * NS_PER_S);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(37);
	close(fd);
	assert_string_equal(smart.text, "none 0000000000000000 none");
}

static void program_that_hangs_is_given_up(void **state)
{
	const uint64_t begin_ns = clock_now_ns(&clock_monotonic);
	struct blkbench_smart smart = ask("exec sleep 1000", NS_PER_S / 5);

	(void)state;
	assert_int_equal(smart.answer, BLKBENCH_SMART_TIMED_OUT);
	assert_true(clock_now_ns(&clock_monotonic) - begin_ns < 60 * NS_PER_S);
}

static void program_that_goes_on_without_its_output_is_given_up(void **state)
{
	struct blkbench_smart smart =
		ask(ANSWER("3", "") "exec sleep 1000 >/dev/null", NS_PER_S / 5);

	(void)state;
	assert_int_equal(smart.answer, BLKBENCH_SMART_ASLEEP);
}

static void output_without_end_is_not_kept(void **state)
{
	struct blkbench_smart smart = ask("exec yes", 60 * NS_PER_S);

	(void)state;
	assert_int_equal(smart.answer, BLKBENCH_SMART_GARBLED);
}

static void program_that_is_not_there_is_missing(void **state)
{
	struct blkbench_smart smart;

	(void)state;
	smart_ask(program, "/dev/sdq", NS_PER_S, &smart);
	assert_int_equal(smart.answer, BLKBENCH_SMART_MISSING);
	assert_string_equal(smart.text,
			    "smartctl is not installed (smartmontools)");
}

/* ---- which disks are asked ------------------------------------------------ */

static void only_disks_that_are_awake_are_asked(void **state)
{
	struct blkbench_layer_health layers[] = {
		{ .layer = "md0" },
		{ .layer = "sda", .is_disk = true, .suspended = BLKBENCH_YES },
		{ .layer = "sdb", .is_disk = true },
	};
	struct blkbench_health health = { 3, layers };

	(void)state;
	blkbench_health_ask_smart(&health, 0);
	assert_int_equal(layers[0].smart.answer, BLKBENCH_SMART_NOT_ASKED);
	assert_string_equal(layers[0].smart.text, "");
	assert_string_equal(layers[1].smart.text, "it is suspended");
	assert_int_equal(layers[2].smart.answer, BLKBENCH_SMART_NOT_ASKED);
	assert_string_equal(layers[2].smart.text, "no time was left");
}

static void disk_is_asked_for_by_its_name(void **state)
{
	struct blkbench_layer_health layer = { .layer = "no/such-disk",
					       .is_disk = true };
	struct blkbench_health health = { 1, &layer };
	char *before = strdup(getenv("PATH")), path[PATH_MAX];

	(void)state;
	ask(ANSWER("2", "for $7"), NS_PER_S);
	snprintf(path, sizeof(path), "%s:%s", tree.root, before);
	setenv("PATH", path, 1);
	blkbench_health_ask_smart(&health, 60 * NS_PER_S);
	setenv("PATH", before, 1);
	free(before);
	assert_string_equal(layer.smart.text, "for /dev/no/such-disk");
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(healthy_ata_disk_has_nothing_to_complain_of),
		cmocka_unit_test(
			timeouts_are_told_from_what_is_packed_above_them),
		cmocka_unit_test(failing_ata_disk_tells_what_fails),
		cmocka_unit_test(number_with_another_meaning_is_not_taken),
		cmocka_unit_test(nvme_disk_has_its_log),
		cmocka_unit_test(scsi_disk_has_its_defects_and_errors),
		cmocka_unit_test(why_nothing_is_told_is_said),
		TEST(program_is_told_not_to_wake_the_disk),
		TEST(program_gets_none_of_our_files_and_signals),
		TEST(program_that_hangs_is_given_up),
		TEST(program_that_goes_on_without_its_output_is_given_up),
		TEST(output_without_end_is_not_kept),
		TEST(program_that_is_not_there_is_missing),
		cmocka_unit_test(only_disks_that_are_awake_are_asked),
		TEST(disk_is_asked_for_by_its_name),
	};

	return cmocka_run_group_tests_name("smart", tests, NULL, NULL);
}
