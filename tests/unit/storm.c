/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "storm.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

#define GRACE_NS (2 * NS_PER_S)

/* A caller that goes on in small steps is patient only for so long. */
#define CALLS_MAX 3000
#define PAUSES_MAX 30

/* A script takes milliseconds; one that goes on for so long does not end. */
#define SCRIPT_LIMIT_S 120

struct options {
	uint64_t seed; /* of the first script */
	uint64_t completions;
	uint64_t seconds;
	const struct lie *lie;
	bool is_talkative;
};

/* What all the scripts together came to. */
struct tally {
	uint64_t scripts, completions;
	uint64_t troubles[STORM_TROUBLES];
	uint64_t whole, stopped, stalled, broken, gone, failed, refused;
	uint64_t trials, paused;
};

static const struct lie {
	const char *name;
	enum false_lie lie;
} lies[] = {
	{ "byte", FALSE_LIE_BYTE }, { "error", FALSE_LIE_ERROR },
	{ "age", FALSE_LIE_AGE },   { "twice", FALSE_LIE_TWICE },
	{ "lost", FALSE_LIE_LOST }, { "late", FALSE_LIE_LATE },
	{ NULL, FALSE_LIE_NONE },
};

/* ---- failing --------------------------------------------------------- */

/*
 * A failed assertion and a script without an end have to name the seed too: it
 * is written down before each script, for the signal handler.
 */
static char last_words[128];

static void note_last_words(uint64_t seed, const struct lie *lie)
{
	snprintf(last_words, sizeof(last_words),
		 "storm: failed; again by: storm --seed %" PRIu64 "%s%s\n",
		 seed, lie ? " --break " : "", lie ? lie->name : "");
}

static void say_last_words(int signal)
{
	ssize_t n = write(STDERR_FILENO, last_words, strlen(last_words));

	(void)n;
	raise(signal); /* the handler is gone by now */
}

static void catch_signals(void)
{
	static const int signals[] = { SIGABRT, SIGALRM, SIGBUS,
				       SIGFPE,	SIGSEGV, SIGTERM };
	struct sigaction action = { .sa_handler = say_last_words,
				    .sa_flags = (int)SA_RESETHAND },
			 old;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &action, &old);
		/* A sanitizer's own tells more, and aborts in the end. */
		if (old.sa_handler != SIG_DFL)
			sigaction(signals[i], &old, NULL);
	}
}

/* The sanitizers' way of asking, where there are any. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "abort_on_error=1";
}

const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
	return "halt_on_error=1:abort_on_error=1:print_stacktrace=1";
}

void storm_fail(const struct storm *storm, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fflush(stdout);
	fprintf(stderr,
		"storm: seed %" PRIu64 ", after %" PRIu64
		" completions, at %" PRIu64 " ns: ",
		storm->seed, storm->device.reaped, storm->device.now_ns);
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n%s", last_words);
	va_end(args);
	_exit(EXIT_FAILURE);
}

/* ---- the caller ------------------------------------------------------ */

static void look(const struct storm *storm,
		 const struct blkbench_measure *measure)
{
	struct blkbench_progress progress;
	struct blkbench_result result;

	blkbench_measure_get_progress(measure, &progress);
	storm_check_progress(storm, &progress);
	if (blkbench_measure_get_result(measure, &result) < 0)
		storm_fail(storm, "no result");
	storm_check_result(storm, &result);
	blkbench_result_finish(&result);
}

static void note_time(struct storm *storm, uint64_t took_ns)
{
	storm->inside_ns += took_ns;
	if (took_ns > 0)
		storm->active_ns = storm->device.now_ns;
}

static void call_pause(struct storm *storm, struct blkbench_measure *measure)
{
	const uint64_t begin = storm->device.now_ns;
	const bool was_ending = storm->ledger.is_ending;
	uint64_t took;

	storm->ledger.is_ending = true;
	storm->pauses++;
	storm->is_pausing = true;
	blkbench_measure_pause(measure);
	storm->is_pausing = false;
	storm->device.was_signal = false;
	storm->ledger.is_ending = was_ending;
	storm_ledger_note_pause(storm);
	took = storm->device.now_ns - begin;
	note_time(storm, took);
	storm_check_time(storm, took, GRACE_NS);
	storm->device.now_ns += storm_draw_scale(storm, 1, 100 * NS_PER_S);
}

static void call_stop(struct storm *storm, struct blkbench_measure *measure)
{
	blkbench_measure_stop(measure);
	storm->ledger.is_ending = true;
	if (storm->stopped_ns == BLKBENCH_UNKNOWN)
		storm->stopped_ns = storm->inside_ns;
}

static uint64_t draw_budget(struct storm *storm)
{
	if (storm->calls > CALLS_MAX)
		return UINT64_MAX;
	if (storm->script.budget_ns)
		return storm->script.budget_ns;
	if (storm_draw_below(storm, 20) == 0)
		return 0;
	return storm_draw_scale(storm, 1 + storm->plan.runtime_ns / 1000,
				2 * storm->plan.runtime_ns);
}

/* Returns what advance does. */
static int call_advance(struct storm *storm, struct blkbench_measure *measure)
{
	const uint64_t begin = storm->device.now_ns;
	const uint64_t budget = draw_budget(storm);
	const int more = blkbench_measure_advance(measure, budget);
	const uint64_t took = storm->device.now_ns - begin;

	storm->device.was_signal = false;
	storm->calls++;
	note_time(storm, took);
	storm_check_time(storm, took, budget);
	return more;
}

/* Nobody looks for a while; often just when the time is up. */
static void stay_away(struct storm *storm)
{
	const struct storm_script *script = &storm->script;
	const bool is_late = script->gap_ppm > 0 &&
			     storm_ledger_spent_ns(storm) >=
				     storm->plan.runtime_ns;

	if (is_late && storm_draw_below(storm, 2))
		storm->device.now_ns +=
			storm_draw_scale(storm, NS_PER_MS, 100 * NS_PER_S);
	else if (storm_draw_chance(storm, script->gap_ppm))
		storm->device.now_ns +=
			storm_draw_scale(storm, 1, 10 * storm->plan.runtime_ns);
}

/* Does one thing or another, then goes on; returns whether to do so again. */
static bool act(struct storm *storm, struct blkbench_measure *measure)
{
	const struct storm_script *script = &storm->script;

	if (storm->pauses < PAUSES_MAX &&
	    storm_draw_chance(storm, script->pause_ppm))
		call_pause(storm, measure);
	if (storm_draw_chance(storm, script->stop_ppm))
		call_stop(storm, measure);
	stay_away(storm);
	if (storm_draw_chance(storm, script->look_ppm))
		look(storm, measure);
	return call_advance(storm, measure) == 1;
}

/* What is over stays as it is, whatever is done. */
static void act_after_the_end(struct storm *storm,
			      struct blkbench_measure *measure)
{
	const uint64_t end = storm->device.now_ns;

	look(storm, measure);
	blkbench_measure_pause(measure);
	blkbench_measure_stop(measure);
	if (blkbench_measure_advance(measure, NS_PER_S) != 0 ||
	    storm->device.now_ns != end)
		storm_fail(storm, "it is over, and goes on");
	look(storm, measure);
}

static void carry_out(struct storm *storm, struct blkbench_measure *measure)
{
	while (act(storm, measure))
		;
	storm->is_over = true;
	act_after_the_end(storm, measure);
	storm->device.now_ns = storm->active_ns; /* when it ended */
	storm->ledger.is_destroying = true;
	blkbench_measure_destroy(measure);
	if (storm->device.closed != storm->device.engines)
		storm_fail(storm, "%u of %u engines were closed",
			   storm->device.closed, storm->device.engines);
}

/* ---- the scripts ----------------------------------------------------- */

static void describe(const struct storm *storm)
{
	const struct blkbench_plan *plan = &storm->plan;

	printf("seed %" PRIu64 ": pattern %u, engine %s, range %" PRIu64
	       " + %" PRIu64 ", block %" PRIu64 ", sector %" PRIu64
	       ", depth %" PRIu64 ", %" PRIu64 " ns, precision %g, warm-up "
	       "%" PRIu64 " ns, %" PRIu64 " errors; latency about %" PRIu64
	       " ns, wait %" PRIu64 " ns;",
	       storm->seed, plan->pattern, blkbench_engine_name(plan->engine),
	       plan->offset_bytes, plan->length_bytes, plan->block_bytes,
	       plan->sector_bytes, plan->queue_depth, plan->runtime_ns,
	       plan->precision_percent, plan->warmup_limit_ns, plan->max_errors,
	       storm->script.usual_ns, storm->device.wait_ns);
	for (unsigned int i = 0; i < STORM_TROUBLES; i++)
		if (storm->script.troubles & 1U << i)
			printf(" %s", storm_trouble_name(i));
	printf("\n");
	fflush(stdout);
}

static void add_to_tally(struct tally *tally, const struct storm *storm)
{
	const struct storm_ledger *ledger = &storm->ledger;
	const bool is_stalled = ledger->outstanding[ledger->engine] > 0;
	const bool has_failed = ledger->errors >= storm->plan.max_errors;

	tally->scripts++;
	tally->completions += storm->device.reaped;
	for (unsigned int i = 0; i < STORM_TROUBLES; i++)
		tally->troubles[i] += storm->script.troubles >> i & 1;
	tally->refused += !storm->is_over;
	tally->stopped += storm->stopped_ns != BLKBENCH_UNKNOWN;
	tally->broken += storm->is_broken;
	tally->stalled += is_stalled && !storm->is_broken;
	tally->gone += ledger->is_gone;
	tally->failed += has_failed;
	tally->trials += ledger->trial_reads > 0;
	tally->paused += storm->pauses > 0;
	tally->whole += storm->is_over && !storm->is_broken && !is_stalled &&
			!has_failed && !ledger->is_gone &&
			storm->stopped_ns == BLKBENCH_UNKNOWN;
}

static void run_script(struct storm *storm, uint64_t seed,
		       const struct options *options, struct tally *tally)
{
	struct blkbench_measure *measure;
	struct blkbench_error error;
	struct world world;
	int r;

	memset(storm, 0, sizeof(*storm));
	storm->stopped_ns = BLKBENCH_UNKNOWN;
	storm_script_make(storm, seed);
	storm_ledger_init(&storm->ledger, &storm->plan);
	if (options->is_talkative)
		describe(storm);
	if (options->lie) {
		storm->device.lie = options->lie->lie;
		storm->device.lie_at = seed % storm->script.reads;
	}
	world = false_world(&storm->device);
	r = measure_create(&world, &storm->plan, &measure, &error);
	if (r == 0)
		carry_out(storm, measure);
	else if (r != storm->device.ring_refused ||
		 storm->plan.engine != BLKBENCH_ENGINE_IO_URING)
		storm_fail(storm, "cannot begin: %s", error.text);
	add_to_tally(tally, storm);
	storm_ledger_finish(&storm->ledger);
}

static void print_tally(const struct tally *tally, uint64_t first)
{
	printf("storm: %" PRIu64 " completions in %" PRIu64
	       " scripts, seeds %" PRIu64 " to %" PRIu64 "\n",
	       tally->completions, tally->scripts, first,
	       first + tally->scripts - 1);
	printf("met:");
	for (unsigned int i = 0; i < STORM_TROUBLES; i++)
		printf(" %s %" PRIu64, storm_trouble_name(i),
		       tally->troubles[i]);
	printf("\nended: whole %" PRIu64 " stopped %" PRIu64 " stalled %" PRIu64
	       " broken %" PRIu64 " vanished %" PRIu64 " failed %" PRIu64
	       " not-begun %" PRIu64 " (paused %" PRIu64 " tried %" PRIu64
	       ")\n",
	       tally->whole, tally->stopped, tally->stalled, tally->broken,
	       tally->gone, tally->failed, tally->refused, tally->paused,
	       tally->trials);
}

static bool is_enough(const struct options *options, const struct tally *tally,
		      time_t end)
{
	if (options->seconds)
		return time(NULL) >= end;
	return tally->completions >= options->completions;
}

static void run_scripts(const struct options *options)
{
	const time_t end = time(NULL) + (time_t)options->seconds;
	struct storm *storm = malloc(sizeof(*storm));
	struct tally tally = { 0 };
	uint64_t seed = options->seed;

	if (!storm)
		abort();
	do {
		note_last_words(seed, options->lie);
		alarm(SCRIPT_LIMIT_S);
		run_script(storm, seed++, options, &tally);
	} while (!is_enough(options, &tally, end));
	free(storm);
	print_tally(&tally, options->seed);
}

/* ---- the program ----------------------------------------------------- */

static void usage(void)
{
	fprintf(stderr,
		"Usage: storm [--seed N] [--count N] [--seconds N] "
		"[--break KIND] [--verbose]\n"
		"  --seed N      begin with this script; alone, do no other\n"
		"  --count N     go on until so many reads have completed\n"
		"  --seconds N   go on for so long\n"
		"  --break KIND  let the device lie once in each script:");
	for (size_t i = 0; lies[i].name; i++)
		fprintf(stderr, " %s", lies[i].name);
	fprintf(stderr, "\n  --verbose     describe each script\n");
	exit(2);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || end == text)
		usage();
	return value;
}

static const struct lie *find_lie(const char *name)
{
	for (size_t i = 0; lies[i].name; i++)
		if (strcmp(lies[i].name, name) == 0)
			return &lies[i];
	usage();
	return NULL;
}

static void parse(struct options *options, int argc, char **argv)
{
	static const struct option names[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "count", required_argument, NULL, 'c' },
		{ "seconds", required_argument, NULL, 't' },
		{ "break", required_argument, NULL, 'b' },
		{ "verbose", no_argument, NULL, 'v' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		if (c == 's')
			options->seed = number(optarg);
		else if (c == 'c')
			options->completions = number(optarg);
		else if (c == 't')
			options->seconds = number(optarg);
		else if (c == 'b')
			options->lie = find_lie(optarg);
		else if (c == 'v')
			options->is_talkative = true;
		else
			usage();
	}
	if (optind < argc || argc == 1)
		usage();
}

int main(int argc, char **argv)
{
	struct options options = { .seed = blkbench_seed_draw() };

	parse(&options, argc, argv);
	catch_signals();
	run_scripts(&options);
	return 0;
}
