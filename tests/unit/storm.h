/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef STORM_H
#define STORM_H

#include "false_device.h"
#include "storm_ledger.h"

/*
 * The measuring loop against a false device that plays a random script: a plan,
 * a device that misbehaves in several ways at once, and a caller that pauses,
 * stops and looks on at random moments. All of it follows from the seed.
 *
 *	storm_script   makes the script from the seed, and answers reads by it
 *	storm_ledger   what the device really gave, by its own account
 *	storm_check    holds a result against the ledger
 *	storm          the caller, and the program
 */

/* What a warm-up reads at the most; through the page cache, what can fail. */
#define STORM_PAGE_BYTES 4096

/* What a script can meet with; several at once, and often none. */
#define STORM_TROUBLES 16

struct storm_script {
	uint32_t troubles; /* bits: rows of the table in storm_script.c */
	uint64_t reads;	   /* about so many, if all goes well */
	uint64_t (*latency_ns)(struct storm *storm);
	uint64_t usual_ns; /* of a read */

	uint32_t error_ppm;
	int error;
	uint64_t bad_begin_bytes, bad_end_bytes;
	uint64_t gone_at; /* these three: the index of a read */
	uint64_t shrunk_at;
	uint64_t hung_at;
	int gone_error;
	enum blkbench_loss loss;
	uint64_t shrunk_bytes;
	uint32_t again_ppm;
	uint64_t busy_begin_ns, busy_end_ns;
	uint32_t short_ppm;
	uint32_t odd_ppm;
	uint32_t never_ppm;
	enum blkbench_engine odd_engine; /* slow or stuck */
	uint64_t slowness;

	uint32_t signal_ppm;
	uint64_t broken_at; /* call of wait */
	int broken_error;

	/* Of the caller. */
	uint64_t budget_ns; /* or 0: another one for each call */
	uint32_t pause_ppm, stop_ppm, gap_ppm, look_ppm;
};

struct storm {
	struct false_device device; /* first: the hooks find the storm by it */
	uint64_t seed;
	uint64_t random; /* state of the generator */
	struct blkbench_plan plan;
	struct storm_script script;
	struct storm_ledger ledger;
	uint64_t waits; /* calls of wait */
	bool is_broken; /* one has failed, of the engine in use */

	/* Of the caller. */
	uint64_t calls, pauses;
	uint64_t inside_ns;  /* spent in calls of advance and pause */
	uint64_t stopped_ns; /* inside_ns at the first stop, or UNKNOWN */
	bool is_pausing, is_over;
	uint64_t active_ns; /* at the end of the last call that took time */
};

/* Says what is wrong and how to see it again, and ends the program. */
void storm_fail(const struct storm *storm, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

/* ---- storm_script.c -------------------------------------------------- */

uint64_t storm_draw(struct storm *storm);
uint64_t storm_draw_below(struct storm *storm, uint64_t limit);
bool storm_draw_chance(struct storm *storm, uint32_t ppm);
/* From low to high, both of them possible; as likely in each power of two. */
uint64_t storm_draw_scale(struct storm *storm, uint64_t low, uint64_t high);

void storm_script_make(struct storm *storm, uint64_t seed);

const char *storm_trouble_name(unsigned int trouble);

/* ---- storm_check.c --------------------------------------------------- */

/* The calls alone take some time, and so does fetching all that is there. */
uint64_t storm_slack_ns(const struct storm *storm);

void storm_check_result(const struct storm *storm,
			const struct blkbench_result *result);
void storm_check_progress(const struct storm *storm,
			  const struct blkbench_progress *progress);
/* After each call of advance or pause; limit_ns is the call's own. */
void storm_check_time(const struct storm *storm, uint64_t call_ns,
		      uint64_t limit_ns);

#endif
