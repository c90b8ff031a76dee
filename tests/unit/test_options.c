/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "report.h"

#define ARGV_MAX 32

struct parsed {
	int argc;
	char *argv[ARGV_MAX];
	struct options options;
	struct blkbench_error error;
	int result;
};

/* Parses "blkbench" and the words of line. */
static void parse(struct parsed *parsed, const char *line)
{
	static char copy[512];
	char *word;

	snprintf(copy, sizeof(copy), "blkbench %s", line);
	memset(parsed, 0, sizeof(*parsed));
	for (word = strtok(copy, " "); word; word = strtok(NULL, " "))
		parsed->argv[parsed->argc++] = word;
	parsed->result = options_parse(parsed->argc, parsed->argv,
				       &parsed->options, &parsed->error);
}

static void assert_refused(const char *line, const char *text)
{
	struct parsed parsed;

	parse(&parsed, line);
	assert_int_equal(parsed.result, -EINVAL);
	assert_string_equal(parsed.error.text, text);
}

/* The letters of the tests asked for, in the order of the table. */
static void assert_tests(const char *line, const char *letters)
{
	const struct blkbench_test *tests;
	struct parsed parsed;
	char asked[8] = "";
	size_t count, i;

	parse(&parsed, line);
	assert_int_equal(parsed.result, 0);
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (parsed.options.tests & UINT64_C(1) << i)
			strncat(asked, &tests[i].letter, 1);
	assert_string_equal(asked, letters);
}

static void no_test_option_means_the_default_tests(void **state)
{
	(void)state;
	assert_tests("sda", "qts");
	assert_tests("-i sda", "");
	assert_tests("-i -q sda", "q");
	assert_tests("-sT sda", "Ts");
	assert_tests("-z sda", "z");
	assert_tests("--zones=3 -q sda", "qz");
	assert_tests("--sequential --timed --cached --seek sda", "qtTs");
	assert_tests("--format hdparm sda", "t");
	assert_tests("--format hdparm -T sda", "T");
	assert_tests("--format seeker sda", "s");
}

static void values_arrive_where_they_belong(void **state)
{
	struct parsed parsed;
	const struct options *options = &parsed.options;

	(void)state;
	parse(&parsed, "-r 1.5 -p 0.5 -b 64k -Q 16 -o 1M -l 25% -n 3 --seed 7 "
		       "--buffered --idle --engine aio --max-errors 40 -v a b");
	assert_int_equal(parsed.result, 0);
	assert_int_equal(options->params.runtime_ns, 1500000000);
	assert_true(options->params.precision_percent == 0.5);
	assert_int_equal(options->params.block_bytes, 65536);
	assert_int_equal(options->params.queue_depth, 16);
	assert_int_equal(options->offset.bytes, 1048576);
	assert_true(options->length.is_percent);
	assert_int_equal(options->repeat, 3);
	assert_int_equal(options->params.seed, 7);
	assert_int_equal(options->params.max_errors, 40);
	assert_true(options->params.is_buffered);
	assert_true(options->params.is_idle);
	assert_int_equal(options->params.engine, BLKBENCH_ENGINE_AIO);
	assert_true(options->is_verbose);
	assert_int_equal(options->devices_count, 2);
	assert_string_equal(options->devices[0], "a");
	assert_string_equal(options->devices[1], "b");
}

static void zones_take_their_number_in_three_ways_or_none(void **state)
{
	static const char *const ways[] = { "-z16", "-z=16", "--zones=16" };
	struct parsed parsed;
	char line[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		snprintf(line, sizeof(line), "%s sda", ways[i]);
		parse(&parsed, line);
		assert_int_equal(parsed.result, 0);
		assert_int_equal(parsed.options.params.places, 16);
		assert_string_equal(parsed.options.devices[0], "sda");
	}
	parse(&parsed, "-z 16 sda");
	assert_int_equal(parsed.options.params.places, BLKBENCH_UNKNOWN);
	assert_int_equal(parsed.options.devices_count, 2);
	assert_refused("-zs sda", "option -z, --zones: 's' is not a whole "
				  "number from 1 to 1024");
}

static void what_is_not_given_is_unknown(void **state)
{
	struct parsed parsed;
	const struct options *options = &parsed.options;

	(void)state;
	parse(&parsed, "sda");
	assert_int_equal(parsed.result, 0);
	assert_true(options->params.runtime_ns == BLKBENCH_UNKNOWN);
	assert_true(isnan(options->params.precision_percent));
	assert_true(options->params.queue_depth == BLKBENCH_UNKNOWN);
	assert_true(options->params.seed == BLKBENCH_UNKNOWN);
	assert_true(options->stripe_bytes == BLKBENCH_UNKNOWN);
	assert_false(options->has_offset);
	assert_false(options->has_length);
	assert_int_equal(options->repeat, 1);
	assert_string_equal(options->format->name, "text");
}

static void options_and_devices_may_be_mixed(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "sda -q sdb -- -q");
	assert_int_equal(parsed.result, 0);
	assert_int_equal(parsed.options.devices_count, 3);
	assert_string_equal(parsed.options.devices[2], "-q");
}

static void the_last_format_counts(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "--format hdparm --format text sda");
	assert_int_equal(parsed.result, 0);
	assert_string_equal(parsed.options.format->name, "text");
}

static void help_and_version_need_no_device(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "-h");
	assert_int_equal(parsed.result, 0);
	assert_int_equal(parsed.options.action, OPTIONS_HELP);
	parse(&parsed, "--version");
	assert_int_equal(parsed.result, 0);
	assert_int_equal(parsed.options.action, OPTIONS_VERSION);
}

static void bad_numbers_are_refused_with_what_is_allowed(void **state)
{
	static const char runtime[] = "is not a number of seconds from 0.001 "
				      "to 864000";
	static const char *const runtimes[] = {
		"0", "-1", "nan", "inf", "1e3", "1,5", "0.0009", "864001"
	};
	char line[64], text[BLKBENCH_TEXT_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		snprintf(line, sizeof(line), "-r %s sda", runtimes[i]);
		snprintf(text, sizeof(text), "option -r, --runtime: '%s' %s",
			 runtimes[i], runtime);
		assert_refused(line, text);
	}
	assert_refused("-Q 0 sda", "option -Q, --queue-depth: '0' is not a "
				   "whole number from 1 to 4096");
	assert_refused("-Q 100000 sda",
		       "option -Q, --queue-depth: '100000' is not a whole "
		       "number from 1 to 4096");
	assert_refused("-Q 1.5 sda", "option -Q, --queue-depth: '1.5' is not "
				     "a whole number from 1 to 4096");
	assert_refused("--max-errors 0 sda",
		       "option --max-errors: '0' is not a whole number from 1 "
		       "to 1000000000");
	assert_refused("-n 3. sda", "option -n, --repeat: '3.' is not a whole "
				    "number from 1 to 1000");
	assert_refused("-p 0 sda", "option -p, --precision: '0' is not a "
				   "percentage from 0.01 to 50");
	assert_refused("-p 51 sda", "option -p, --precision: '51' is not a "
				    "percentage from 0.01 to 50");
	assert_refused("-n 0 sda", "option -n, --repeat: '0' is not a whole "
				   "number from 1 to 1000");
	assert_refused("--seed 18446744073709551615 sda",
		       "option --seed: '18446744073709551615' is not a whole "
		       "number from 0 to 18446744073709551614");
}

static void bad_sizes_are_refused_with_what_is_allowed(void **state)
{
	static const char *const blocks[] = { "0", "513", "3G", "10%", "-4k" };
	char line[64], text[BLKBENCH_TEXT_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		snprintf(line, sizeof(line), "-b %s sda", blocks[i]);
		snprintf(text, sizeof(text),
			 "option -b, --block-size: '%s' is not a multiple of "
			 "512 bytes, up to 64M",
			 blocks[i]);
		assert_refused(line, text);
	}
	assert_refused(
		"-l 0 sda",
		"option -l, --length: '0' is not a SIZE above 0: " SIZE_FORMS);
	assert_refused(
		"-l 0% sda",
		"option -l, --length: '0%' is not a SIZE above 0: " SIZE_FORMS);
	assert_refused(
		"-o 101% sda",
		"option -o, --offset: '101%' is not a SIZE: " SIZE_FORMS);
	assert_refused("--stripe 0 sda",
		       "option --stripe: '0' is not a SIZE from 512 bytes to "
		       "1099511627776");
}

static void a_long_value_is_cut_before_what_is_allowed(void **state)
{
	char program[] = "blkbench", option[] = "-b", device[] = "sda";
	char *argv[] = { program, option, NULL, device, NULL };
	struct blkbench_error error;
	struct options options;
	const size_t length = 1 << 20;
	char *digits = malloc(length);

	(void)state;
	assert_non_null(digits);
	memset(digits, '1', length - 1);
	digits[length - 1] = '\0';
	argv[2] = digits;
	assert_int_equal(options_parse(4, argv, &options, &error), -EINVAL);
	assert_string_equal(
		error.text,
		"option -b, --block-size: "
		"'1111111111111111111111111111111111111111...' is not a "
		"multiple of 512 bytes, up to 64M");
	free(digits);
}

static void unknown_options_are_refused(void **state)
{
	(void)state;
	assert_refused("-x sda", "unknown option '-x'; allowed are those of "
				 "--help");
	assert_refused("--no-such sda", "unknown option '--no-such'; allowed "
					"are those of --help");
	assert_refused("--engine libaio sda", "option --engine: 'libaio' is "
					      "not auto, io_uring, aio or "
					      "pread");
	assert_refused("--format xml sda", "option --format: 'xml' is not "
					   "text, json, hdparm or seeker");
	assert_refused("-r", "option --runtime: needs a value (SECONDS)");
	assert_refused("--info=yes sda", "option --info: takes no value");
}

static void later_options_are_unknown_not_stubs(void **state)
{
	static const char *const later[] = {
		"--geometry",
		"--plot",
		"--max-rate",
		"-g",
	};
	struct parsed parsed;
	char line[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		snprintf(line, sizeof(line), "%s sda", later[i]);
		parse(&parsed, line);
		assert_int_equal(parsed.result, -EINVAL);
		assert_non_null(strstr(parsed.error.text, "unknown option"));
	}
}

static void results_of_a_file_are_instead_of_a_device(void **state)
{
	struct parsed parsed;

	(void)state;
	if (!report_find_format("json")->ops) {
		assert_refused("--input x",
			       "option --input: built without JSON (json-c)");
		assert_refused(
			"--baseline x sda",
			"option --baseline: built without JSON (json-c)");
		return;
	}
	parse(&parsed, "--input now --baseline then --equal 5 -j");
	assert_int_equal(parsed.result, 0);
	assert_string_equal(parsed.options.input, "now");
	assert_string_equal(parsed.options.baseline, "then");
	assert_true(parsed.options.equal_percent == 5);
	parse(&parsed, "--baseline then -q sda");
	assert_int_equal(parsed.result, 0);
	assert_true(parsed.options.equal_percent == BLKBENCH_EQUAL_PERCENT);
	assert_refused("--baseline then", "no DEVICE given; allowed are block "
					  "devices and files (see blkbench "
					  "--help)");
	assert_refused("--input now sda",
		       "option --input: is instead of a DEVICE; allowed is "
		       "none of them with it");
	assert_refused("-n 3 --input now",
		       "option --repeat: is for a measurement, and --input "
		       "makes none");
}

static void check_is_quick(void **state)
{
	static const char *const lines[] = { "-c sda", "-cquick sda",
					     "-c=quick sda", "--check sda",
					     "--check=quick sda" };
	struct parsed parsed;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_tests(lines[i], "c");
		parse(&parsed, lines[i]);
		assert_true(parsed.options.is_check);
	}
	parse(&parsed, "-z sda");
	assert_false(parsed.options.is_check);
	assert_refused("-c=slow sda",
		       "option -c, --check: 'slow' is not quick");
}

static void list_of_bad_blocks_is_of_one_device_that_is_read(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "--bad-blocks list sda");
	assert_int_equal(parsed.result, 0);
	assert_string_equal(parsed.options.bad_blocks, "list");
	parse(&parsed, "sda");
	assert_null(parsed.options.bad_blocks);
	assert_refused("--bad-blocks list sda sdb",
		       "option --bad-blocks: takes one DEVICE");
	assert_refused("-i --bad-blocks list sda",
		       "option --bad-blocks: needs a test; -i reads no data");
	assert_refused("--bad-blocks= sda",
		       "option --bad-blocks: '' is not the name of a file");
}

static void what_does_not_go_together_is_refused(void **state)
{
	(void)state;
	assert_refused("--parallel sda",
		       "option --parallel: needs two DEVICEs or more");
	assert_refused("--parallel -i sda sdb",
		       "option --parallel: -i reads no data; allowed are -q, "
		       "-t, -T and -s");
	assert_refused("--parallel --format seeker sda sdb",
		       "option --parallel: is for --format text and json");
	assert_refused("", "no DEVICE given; allowed are block devices and "
			   "files (see blkbench --help)");
	assert_refused("-Q 4 -t sda",
		       "option -Q, --queue-depth: '4' is for "
		       "-q, -s, -z and -c; -t and -T read one at "
		       "a time");
	assert_refused("--format hdparm -q sda",
		       "option -q: not shown by --format hdparm; allowed are "
		       "-t and -T");
	assert_refused("--format seeker -t sda",
		       "option -t: not shown by --format seeker; allowed are "
		       "-s");
	assert_refused("--format hdparm -i sda",
		       "option -i: not shown by --format hdparm; allowed are "
		       "-t and -T");
	assert_refused("--format seeker -Q 32 sda",
		       "option -Q, --queue-depth: '32' is not 1, the only "
		       "depth of --format seeker");
	assert_refused("--stripe-offset 512 sda",
		       "option --stripe-offset: needs --stripe");
}

static void seeker_reads_one_at_a_time(void **state)
{
	struct parsed parsed;

	(void)state;
	parse(&parsed, "--format seeker sda");
	assert_int_equal(parsed.result, 0);
	assert_int_equal(parsed.options.params.queue_depth, 1);
}

static void help_begins_with_what_it_is_and_that_it_never_writes(void **state)
{
	char *text = NULL, *line, *end;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	options_print_help(out);
	fclose(out);
	line = strchr(text, '\n') + 1;
	assert_non_null(strstr(line, "never writes.\n"));
	/* No line is wider than a terminal. */
	for (line = text; *line; line = end + 1) {
		end = strchr(line, '\n');
		assert_true(end - line <= 80);
	}
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_test_option_means_the_default_tests),
		cmocka_unit_test(values_arrive_where_they_belong),
		cmocka_unit_test(zones_take_their_number_in_three_ways_or_none),
		cmocka_unit_test(what_is_not_given_is_unknown),
		cmocka_unit_test(options_and_devices_may_be_mixed),
		cmocka_unit_test(the_last_format_counts),
		cmocka_unit_test(help_and_version_need_no_device),
		cmocka_unit_test(bad_numbers_are_refused_with_what_is_allowed),
		cmocka_unit_test(bad_sizes_are_refused_with_what_is_allowed),
		cmocka_unit_test(a_long_value_is_cut_before_what_is_allowed),
		cmocka_unit_test(unknown_options_are_refused),
		cmocka_unit_test(later_options_are_unknown_not_stubs),
		cmocka_unit_test(results_of_a_file_are_instead_of_a_device),
		cmocka_unit_test(check_is_quick),
		cmocka_unit_test(
			list_of_bad_blocks_is_of_one_device_that_is_read),
		cmocka_unit_test(what_does_not_go_together_is_refused),
		cmocka_unit_test(seeker_reads_one_at_a_time),
		cmocka_unit_test(
			help_begins_with_what_it_is_and_that_it_never_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
