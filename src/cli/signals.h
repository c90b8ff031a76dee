/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/*
 * SIGINT, SIGTERM and SIGHUP end the run early but in order, a second one
 * without waiting for the reads in flight; a third kills. Those that were
 * ignored before stay so. SIGPIPE is left alone: a report that nobody reads is
 * no success.
 */
void signals_install(void);

/* From now on, the first one kills. */
void signals_reset(void);

/* The first signal that came, or 0. */
int signals_get_caught(void);

/* Whether a second one came. */
bool signals_are_urgent(void);

/*
 * SIGTSTP, the ^Z of a terminal, waits between hold and release, so that a
 * clock can be stopped before the program is. signals_stop() does what has
 * waited, and returns when the program is continued.
 */
void signals_hold_stop(void);
bool signals_is_stop_due(void);
void signals_stop(void);
void signals_release_stop(void);

/* Whether SIGCONT came since the last call. */
bool signals_take_continued(void);

#endif
