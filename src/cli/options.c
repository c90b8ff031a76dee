/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "limit.h"
#include "number.h"
#include "options.h"
#include "report.h"

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* So that a value of any length leaves room for what is allowed. */
#define VALUE_SHOWN_MAX 40

/*
 * One option. Everything about it is here: getopt_long(), the check of its
 * value and --help live on this table.
 */
struct option_row {
	char letter; /* or 0 */
	const char *name;
	const char *argument; /* or NULL; "[=N]": may be left out */
	const char *help;     /* or NULL: a test, its summary */
	/* Returns 0, or -EINVAL with error->text. */
	int (*set)(struct options *options, const struct option_row *row,
		   const char *value, struct blkbench_error *error);
	size_t field;	   /* of struct options, for the plain numbers */
	uint64_t min, max; /* of them */
};

__attribute__((format(printf, 4, 5))) static int
refuse(struct blkbench_error *error, const struct option_row *row,
       const char *value, const char *allowed, ...)
{
	char words[BLKBENCH_TEXT_MAX / 2];
	char letter[] = "-?, ";
	va_list args;

	letter[1] = row->letter;
	va_start(args, allowed);
	vsnprintf(words, sizeof(words), allowed, args);
	va_end(args);
	snprintf(error->text, sizeof(error->text),
		 "option %s--%s: '%.*s%s' is not %s", row->letter ? letter : "",
		 row->name, VALUE_SHOWN_MAX, value,
		 strlen(value) > VALUE_SHOWN_MAX ? "..." : "", words);
	return -EINVAL;
}

static void *field_of(struct options *options, const struct option_row *row)
{
	return (char *)options + row->field;
}

static int set_flag(struct options *options, const struct option_row *row,
		    const char *value, struct blkbench_error *error)
{
	(void)value;
	(void)error;
	*(bool *)field_of(options, row) = true;
	return 0;
}

static int set_file(struct options *options, const struct option_row *row,
		    const char *value, struct blkbench_error *error)
{
	if (!*value)
		return refuse(error, row, value, "the name of a file");
	*(const char **)field_of(options, row) = value;
	return 0;
}

static int set_action(struct options *options, const struct option_row *row,
		      const char *value, struct blkbench_error *error)
{
	(void)value;
	(void)error;
	options->action = row->min;
	return 0;
}

static int set_test(struct options *options, const struct option_row *row,
		    const char *value, struct blkbench_error *error)
{
	const struct blkbench_test *tests;
	size_t count, i;

	(void)value;
	(void)error;
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (tests[i].letter == row->letter)
			options->tests |= 1ULL << i;
	return 0;
}

static int set_whole(struct options *options, const struct option_row *row,
		     const char *value, struct blkbench_error *error)
{
	struct number number;
	const char *end;

	if (number_parse(value, &number, &end) < 0 || *end ||
	    strchr(value, '.') || number.digits < row->min ||
	    number.digits > row->max)
		return refuse(error, row, value,
			      "a whole number from %" PRIu64 " to %" PRIu64,
			      row->min, row->max);
	*(uint64_t *)field_of(options, row) = number.digits;
	return 0;
}

static int set_runtime(struct options *options, const struct option_row *row,
		       const char *value, struct blkbench_error *error)
{
	struct number number;
	const char *end;
	uint64_t ns;

	if (number_parse(value, &number, &end) < 0 || *end ||
	    number_scale(&number, 1000000000, &ns) < 0 ||
	    ns < BLKBENCH_RUNTIME_MIN_NS || ns > BLKBENCH_RUNTIME_MAX_NS)
		return refuse(error, row, value,
			      "a number of seconds from 0.001 to 864000");
	options->params.runtime_ns = ns;
	return 0;
}

/* Returns 0, or -EINVAL. */
static int read_percent(const char *value, double min, double max,
			double *percent)
{
	struct number number;
	const char *end;

	if (number_parse(value, &number, &end) < 0 || *end ||
	    number_to_double(&number) < min || number_to_double(&number) > max)
		return -EINVAL;
	*percent = number_to_double(&number);
	return 0;
}

static int set_precision(struct options *options, const struct option_row *row,
			 const char *value, struct blkbench_error *error)
{
	if (read_percent(value, BLKBENCH_PRECISION_MIN, BLKBENCH_PRECISION_MAX,
			 &options->params.precision_percent) == 0)
		return 0;
	return refuse(error, row, value, "a percentage from %.2f to %.0f",
		      BLKBENCH_PRECISION_MIN, BLKBENCH_PRECISION_MAX);
}

static int set_equal(struct options *options, const struct option_row *row,
		     const char *value, struct blkbench_error *error)
{
	if (read_percent(value, BLKBENCH_EQUAL_MIN, BLKBENCH_EQUAL_MAX,
			 &options->equal_percent) == 0)
		return 0;
	return refuse(error, row, value, "a percentage from %.2f to %.0f",
		      BLKBENCH_EQUAL_MIN, BLKBENCH_EQUAL_MAX);
}

static int set_results(struct options *options, const struct option_row *row,
		       const char *value, struct blkbench_error *error)
{
	if (!*value)
		return refuse(error, row, value,
			      "the name of a file that --json has printed");
	if (!report_find_format("json")->ops) {
		snprintf(error->text, sizeof(error->text),
			 "option --%s: built without JSON (json-c)", row->name);
		return -EINVAL;
	}
	*(const char **)field_of(options, row) = value;
	return 0;
}

static int set_limit(struct options *options, const struct option_row *row,
		     const char *value, struct blkbench_error *error)
{
	struct number number;
	const char *end;

	if (number_parse(value, &number, &end) < 0 || *end ||
	    number.digits == 0)
		return refuse(error, row, value, "a number above 0, of %s",
			      row->argument);
	*(double *)field_of(options, row) = number_to_double(&number);
	return 0;
}

static int set_block_size(struct options *options, const struct option_row *row,
			  const char *value, struct blkbench_error *error)
{
	struct size size;

	if (size_parse(value, &size) < 0 || size.is_percent ||
	    size.bytes == 0 || size.bytes % 512 ||
	    size.bytes > BLKBENCH_BLOCK_MAX)
		return refuse(error, row, value,
			      "a multiple of 512 bytes, up to 64M");
	options->params.block_bytes = size.bytes;
	return 0;
}

static int set_bytes(struct options *options, const struct option_row *row,
		     const char *value, struct blkbench_error *error)
{
	struct size size;

	if (size_parse(value, &size) < 0 || size.is_percent ||
	    size.bytes < row->min || size.bytes > row->max)
		return refuse(error, row, value,
			      "a SIZE from %" PRIu64 " bytes to %" PRIu64,
			      row->min, row->max);
	*(uint64_t *)field_of(options, row) = size.bytes;
	return 0;
}

static int set_offset(struct options *options, const struct option_row *row,
		      const char *value, struct blkbench_error *error)
{
	if (size_parse(value, &options->offset) < 0)
		return refuse(error, row, value, "a SIZE: %s", SIZE_FORMS);
	options->has_offset = true;
	return 0;
}

static int set_length(struct options *options, const struct option_row *row,
		      const char *value, struct blkbench_error *error)
{
	struct size *length = &options->length;

	if (size_parse(value, length) < 0 ||
	    (length->is_percent ? length->percent.digits : length->bytes) == 0)
		return refuse(error, row, value, "a SIZE above 0: %s",
			      SIZE_FORMS);
	options->has_length = true;
	return 0;
}

static int set_engine(struct options *options, const struct option_row *row,
		      const char *value, struct blkbench_error *error)
{
	enum blkbench_engine engine;

	for (engine = BLKBENCH_ENGINE_AUTO; engine <= BLKBENCH_ENGINE_PREAD;
	     engine++) {
		if (strcmp(value, blkbench_engine_name(engine)))
			continue;
		options->params.engine = engine;
		return 0;
	}
	return refuse(error, row, value, "auto, io_uring, aio or pread");
}

static int set_format(struct options *options, const struct option_row *row,
		      const char *value, struct blkbench_error *error)
{
	const struct report_format *format = report_find_format(value);

	if (!format)
		return refuse(error, row, value,
			      "text, json, hdparm or seeker");
	if (!format->ops) {
		snprintf(error->text, sizeof(error->text),
			 "option --%s: built without JSON (json-c)", row->name);
		return -EINVAL;
	}
	options->format = format;
	return 0;
}

static int set_json(struct options *options, const struct option_row *row,
		    const char *value, struct blkbench_error *error)
{
	(void)value;
	return set_format(options, row, "json", error);
}

/* -z16 is taken as well as -z=16. */
static int set_zones(struct options *options, const struct option_row *row,
		     const char *value, struct blkbench_error *error)
{
	set_test(options, row, NULL, error);
	if (!value)
		return 0;
	return set_whole(options, row, *value == '=' ? value + 1 : value,
			 error);
}

static int set_check(struct options *options, const struct option_row *row,
		     const char *value, struct blkbench_error *error)
{
	set_test(options, row, NULL, error);
	options->is_check = true;
	if (!value)
		return 0;
	value += *value == '=';
	return strcmp(value, "quick") ? refuse(error, row, value, "quick") : 0;
}

#define FIELD(name) offsetof(struct options, name)

/* clang-format off */
static const struct option_row rows[] = {
	{ 'i', "info", NULL, "identity, size, alignment; alone: reads no data",
	  set_flag, FIELD(is_info), 0, 0 },
	{ 'q', "sequential", NULL, NULL, set_test, 0, 0, 0 },
	{ 't', "timed", NULL, NULL, set_test, 0, 0, 0 },
	{ 'T', "cached", NULL, NULL, set_test, 0, 0, 0 },
	{ 's', "seek", NULL, NULL, set_test, 0, 0, 0 },
	{ 'z', "zones", "[=N]", NULL,
	  set_zones, FIELD(params.places), 1, BLKBENCH_PLACES_MAX },
	{ 'c', "check", "[=quick]", NULL, set_check, 0, 0, 0 },
	{ 'r', "runtime", "SECONDS", "at most this long for each test",
	  set_runtime, 0, 0, 0 },
	{ 'p', "precision", "PERCENT",
	  "stop a test when its 95 % interval is so narrow",
	  set_precision, 0, 0, 0 },
	{ 'b', "block-size", "SIZE", "request size", set_block_size, 0, 0, 0 },
	{ 'Q', "queue-depth", "N", "requests in flight (-q, -s, -z, -c)",
	  set_whole, FIELD(params.queue_depth), 1, BLKBENCH_QUEUE_DEPTH_MAX },
	{ 'o', "offset", "SIZE", "start of the range that is read",
	  set_offset, 0, 0, 0 },
	{ 'l', "length", "SIZE", "its length", set_length, 0, 0, 0 },
	{ 'n', "repeat", "N",
	  "run the tests N times; the median and the spread",
	  set_whole, FIELD(repeat), 1, OPTIONS_REPEAT_MAX },
	{ 0, "parallel", NULL, "each device alone, and all at the same time",
	  set_flag, FIELD(is_parallel), 0, 0 },
	{ 0, "seed", "N", "the same random offsets again",
	  set_whole, FIELD(params.seed), 0, BLKBENCH_UNKNOWN - 1 },
	{ 0, "buffered", NULL, "read through the page cache",
	  set_flag, FIELD(params.is_buffered), 0, 0 },
	{ 0, "idle", NULL, "let all other traffic of the disk go first",
	  set_flag, FIELD(params.is_idle), 0, 0 },
	{ 0, "max-errors", "N", "give a test up after so many read errors",
	  set_whole, FIELD(params.max_errors), 1, BLKBENCH_ERRORS_MAX },
	{ 0, "engine", "NAME", "auto, io_uring, aio, pread",
	  set_engine, 0, 0, 0 },
	{ 0, "stripe", "SIZE", "full stripe width, where none is reported",
	  set_bytes, FIELD(stripe_bytes), 512, 1ULL << 40 },
	{ 0, "stripe-offset", "SIZE",
	  "where on the disk the first stripe begins",
	  set_bytes, FIELD(stripe_offset_bytes), 0, INT64_MAX },
	{ 0, "require-aligned", NULL, "exit code 4 if a device is misaligned",
	  set_flag, FIELD(is_alignment_required), 0, 0 },
	{ 0, "min-rate", "MB/S", "exit code 4 if -q, -t or a place of -z is slower",
	  set_limit, FIELD(min_rate_mb), 0, 0 },
	{ 0, "min-seeks", "N", "exit code 4 if -s has fewer seeks/s",
	  set_limit, FIELD(min_seeks_per_s), 0, 0 },
	{ 0, "max-access", "MS", "exit code 4 if the access time of -s is longer",
	  set_limit, FIELD(max_access_ms), 0, 0 },
	{ 0, "baseline", "FILE", "compare with an earlier --json",
	  set_results, FIELD(baseline), 0, 0 },
	{ 0, "input", "FILE", "report an earlier --json instead of a DEVICE",
	  set_results, FIELD(input), 0, 0 },
	{ 0, "equal", "PERCENT", "what counts as no difference; default 2",
	  set_equal, 0, 0, 0 },
	{ 'j', "json", NULL, "the same as --format json", set_json, 0, 0, 0 },
	{ 0, "format", "NAME", "text, json, hdparm (-t -T), seeker (-s)",
	  set_format, 0, 0, 0 },
	{ 0, "bad-blocks", "FILE", "list bad blocks in it as badblocks does",
	  set_file, FIELD(bad_blocks), 0, 0 },
	{ 'v', "verbose", NULL, "all conditions, and the command to repeat it",
	  set_flag, FIELD(is_verbose), 0, 0 },
	{ 'V', "version", NULL, "print the version",
	  set_action, 0, OPTIONS_VERSION, 0 },
	{ 'h', "help", NULL, "print this", set_action, 0, OPTIONS_HELP, 0 },
};
/* clang-format on */

/* getopt_long() is to return the index of the row, above any letter. */
#define ROW_VALUE 256

static bool is_argument_optional(const struct option_row *row)
{
	return row->argument && row->argument[0] == '[';
}

static int has_argument(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return is_argument_optional(row) ? optional_argument
					 : required_argument;
}

static void getopt_prepare(char letters[3 * ROW_COUNT + 2],
			   struct option longs[ROW_COUNT + 1])
{
	size_t i;

	/* A missing argument is to be told from an unknown option. */
	*letters++ = ':';
	for (i = 0; i < ROW_COUNT; i++) {
		longs[i] = (struct option){
			.name = rows[i].name,
			.has_arg = has_argument(&rows[i]),
			.val = ROW_VALUE + i,
		};
		if (!rows[i].letter)
			continue;
		*letters++ = rows[i].letter;
		if (rows[i].argument)
			*letters++ = ':';
		if (is_argument_optional(&rows[i]))
			*letters++ = ':';
	}
	*letters = '\0';
	longs[ROW_COUNT] = (struct option){ 0 };
}

static const struct option_row *row_find(int value)
{
	size_t i;

	if (value >= ROW_VALUE)
		return &rows[value - ROW_VALUE];
	for (i = 0; i < ROW_COUNT; i++)
		if (rows[i].letter == value)
			return &rows[i];
	return NULL;
}

/* What getopt_long() did not like: optopt has the letter or the row, if any. */
static int refuse_unknown(int reason, const char *word,
			  struct blkbench_error *error)
{
	const struct option_row *row = optopt ? row_find(optopt) : NULL;

	if (row && reason == ':')
		snprintf(error->text, sizeof(error->text),
			 "option --%s: needs a value (%s)", row->name,
			 row->argument);
	else if (row)
		snprintf(error->text, sizeof(error->text),
			 "option --%s: takes no value", row->name);
	else if (optopt)
		snprintf(error->text, sizeof(error->text),
			 "unknown option '-%c'; allowed are those of --help",
			 optopt);
	else
		snprintf(error->text, sizeof(error->text),
			 "unknown option '%.*s'; allowed are those of --help",
			 VALUE_SHOWN_MAX, word);
	return -EINVAL;
}

/* Those that have to do with a report; all others have with a measurement. */
static bool is_for_input(const struct option_row *row)
{
	static const char *const names[] = { "baseline", "equal", "format",
					     "help",	 "input", "json",
					     "version" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(row->name, names[i]))
			return true;
	return false;
}

static int read_argv(int argc, char **argv, struct options *options,
		     struct blkbench_error *error)
{
	char letters[3 * ROW_COUNT + 2];
	struct option longs[ROW_COUNT + 1];
	const struct option_row *row;
	int value, r;

	getopt_prepare(letters, longs);
	opterr = 0;
	optind = 0; /* glibc: begin anew */
	while (options->action == OPTIONS_RUN) {
		value = getopt_long(argc, argv, letters, longs, NULL);
		if (value == -1)
			break;
		if (value == '?' || value == ':')
			return refuse_unknown(value, argv[optind - 1], error);
		row = row_find(value);
		r = row->set(options, row, optarg, error);
		if (r < 0)
			return r;
		if (!options->measuring && !is_for_input(row))
			options->measuring = row->name;
	}
	options->settings = argv + 1;
	options->settings_count = optind - 1;
	options->devices = argv + optind;
	options->devices_count = argc - optind;
	return 0;
}

/* A format of another tool has only that tool's tests. */
static int check_format(struct options *options, struct blkbench_error *error)
{
	const struct report_format *format = options->format;
	const struct blkbench_test *tests;
	size_t count, i;

	if (!format->letters)
		return 0;
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++) {
		if (!options->tests && tests[i].letter == format->letters[0])
			options->tests = 1ULL << i;
		if (!(options->tests & 1ULL << i) ||
		    strchr(format->letters, tests[i].letter))
			continue;
		snprintf(error->text, sizeof(error->text),
			 "option -%c: not shown by --format %s; allowed are %s",
			 tests[i].letter, format->name, format->allowed);
		return -EINVAL;
	}
	if (format->queue_depth == BLKBENCH_UNKNOWN)
		return 0;
	if (options->params.queue_depth == BLKBENCH_UNKNOWN)
		options->params.queue_depth = format->queue_depth;
	if (options->params.queue_depth != format->queue_depth) {
		snprintf(error->text, sizeof(error->text),
			 "option -Q, --queue-depth: '%" PRIu64
			 "' is not %" PRIu64 ", the only depth of --format %s",
			 options->params.queue_depth, format->queue_depth,
			 format->name);
		return -EINVAL;
	}
	return 0;
}

static int check_queue_depth(const struct options *options,
			     struct blkbench_error *error)
{
	const struct blkbench_test *tests;
	size_t count, i;

	if (options->params.queue_depth == BLKBENCH_UNKNOWN)
		return 0;
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (options->tests & 1ULL << i && tests[i].has_queue_depth)
			return 0;
	snprintf(error->text, sizeof(error->text),
		 "option -Q, --queue-depth: '%" PRIu64
		 "' is for -q, -s, -z and -c; "
		 "-t and -T read one at a time",
		 options->params.queue_depth);
	return -EINVAL;
}

/* A list is of one device, and says nothing where nothing was read. */
static int check_bad_blocks(const struct options *options,
			    struct blkbench_error *error)
{
	if (!options->bad_blocks ||
	    (options->devices_count == 1 && options->tests))
		return 0;
	snprintf(error->text, sizeof(error->text),
		 options->devices_count > 1
			 ? "option --bad-blocks: takes one DEVICE"
			 : "option --bad-blocks: needs a test; -i reads no "
			   "data");
	return -EINVAL;
}

/* One of the tests, by their letters. */
static bool asks_for(const struct options *options, const char *letters)
{
	const struct blkbench_test *tests;
	size_t count, i;

	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (options->tests & 1ULL << i &&
		    strchr(letters, tests[i].letter))
			return true;
	return false;
}

static int check_parallel(const struct options *options,
			  struct blkbench_error *error)
{
	const char *why = NULL;

	if (!options->is_parallel)
		return 0;
	if (options->devices_count < 2)
		why = "needs two DEVICEs or more";
	else if (!options->tests)
		why = "-i reads no data; allowed are -q, -t, -T and -s";
	else if (asks_for(options, "cz"))
		why = "not for -c and -z; allowed are -q, -t, -T and -s";
	else if (!options->format->ops->joints)
		why = "is for --format text and json";
	if (!why)
		return 0;
	snprintf(error->text, sizeof(error->text), "option --parallel: %s",
		 why);
	return -EINVAL;
}

static void add_default_tests(struct options *options)
{
	const struct blkbench_test *tests;
	size_t count, i;

	if (options->tests || options->is_info)
		return;
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (tests[i].is_default)
			options->tests |= 1ULL << i;
}

static int check_files(const struct options *options,
		       struct blkbench_error *error)
{
	const char *name = options->input ? "input" : "baseline";
	int length = 0;

	if (!options->input && !options->baseline)
		return 0;
	if (options->format->letters)
		length = snprintf(error->text, sizeof(error->text),
				  "option --%s: not shown by --format %s; "
				  "allowed are text and json",
				  name, options->format->name);
	else if (options->input && options->devices_count)
		length = snprintf(error->text, sizeof(error->text),
				  "option --input: is instead of a DEVICE; "
				  "allowed is none of them with it");
	else if (options->input && options->measuring)
		length = snprintf(error->text, sizeof(error->text),
				  "option --%s: is for a measurement, and "
				  "--input makes none",
				  options->measuring);
	return length ? -EINVAL : 0;
}

/* What is to be told once it is known which tests there are. */
static int (*const checks[])(const struct options *,
			     struct blkbench_error *) = {
	check_bad_blocks,
	check_parallel,
	check_queue_depth,
	limits_check,
};

static int check(struct options *options, struct blkbench_error *error)
{
	int r;

	r = check_files(options, error);
	if (r < 0)
		return r;
	if (!options->devices_count && !options->input) {
		snprintf(error->text, sizeof(error->text),
			 "no DEVICE given; allowed are block devices and files "
			 "(see blkbench --help)");
		return -EINVAL;
	}
	if (options->is_info && options->format->letters) {
		snprintf(error->text, sizeof(error->text),
			 "option -i: not shown by --format %s; allowed are %s",
			 options->format->name, options->format->allowed);
		return -EINVAL;
	}
	if (options->stripe_offset_bytes != BLKBENCH_UNKNOWN &&
	    options->stripe_bytes == BLKBENCH_UNKNOWN) {
		snprintf(error->text, sizeof(error->text),
			 "option --stripe-offset: needs --stripe");
		return -EINVAL;
	}
	r = check_format(options, error);
	if (r < 0)
		return r;
	add_default_tests(options);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]) && r == 0;
	     i++)
		r = checks[i](options, error);
	return r;
}

int options_parse(int argc, char **argv, struct options *options,
		  struct blkbench_error *error)
{
	int r;

	*options = (struct options){
		.repeat = 1,
		.format = report_find_format("text"),
		.equal_percent = BLKBENCH_EQUAL_PERCENT,
		.stripe_bytes = BLKBENCH_UNKNOWN,
		.stripe_offset_bytes = BLKBENCH_UNKNOWN,
		.min_rate_mb = NAN,
		.min_seeks_per_s = NAN,
		.max_access_ms = NAN,
	};
	blkbench_params_init(&options->params);
	r = read_argv(argc, argv, options, error);
	if (r < 0 || options->action != OPTIONS_RUN)
		return r;
	return check(options, error);
}

static const char *row_help(const struct option_row *row)
{
	const struct blkbench_test *tests;
	size_t count, i;

	if (row->help)
		return row->help;
	tests = blkbench_test_list(&count);
	for (i = 0; i < count; i++)
		if (tests[i].letter == row->letter)
			return tests[i].summary;
	return "";
}

void options_print_help(FILE *out)
{
	char left[32];
	size_t i;

	fputs("Usage: blkbench [OPTION]... DEVICE...\n"
	      "Says what a disk is, how fast it streams and how fast it seeks; "
	      "never writes.\n\n"
	      "DEVICE is a disk, partition, logical volume, any other block "
	      "device or a file.\n"
	      "Test options combine; none means -i -q -t -s.\n\n",
	      out);
	for (i = 0; i < ROW_COUNT; i++) {
		snprintf(left, sizeof(left), "--%s%s%s", rows[i].name,
			 rows[i].argument && !is_argument_optional(&rows[i])
				 ? " "
				 : "",
			 rows[i].argument ? rows[i].argument : "");
		if (rows[i].letter)
			fprintf(out, "  -%c, %-20s ", rows[i].letter, left);
		else
			fprintf(out, "      %-20s ", left);
		fprintf(out, "%s\n", row_help(&rows[i]));
	}
	fputs("\nSIZE: " SIZE_FORMS ".\n"
	      "Exit: 0 fine; 1 read errors, stalled, vanished; 2 usage; "
	      "3 cannot test;\n"
	      "4 a limit not met; "
	      "interrupted: 130 by SIGINT, 143 by SIGTERM, 129 by SIGHUP.\n",
	      out);
}
