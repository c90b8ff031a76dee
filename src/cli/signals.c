/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <signal.h>
#include <stddef.h>

#include "signals.h"

/* The only variables of the program outside functions: a handler can reach no
 * others. */
static volatile sig_atomic_t first;
static volatile sig_atomic_t count;
static volatile sig_atomic_t was_continued;

static const int ending[] = { SIGINT, SIGTERM, SIGHUP };

static void signal_note(int number)
{
	if (count++ == 0)
		first = number;
	else
		signals_reset();
}

void signals_reset(void)
{
	struct sigaction now;
	size_t i;

	/* What was ignored from the start stays ignored. */
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (sigaction(ending[i], NULL, &now) == 0 &&
		    now.sa_handler == signal_note)
			signal(ending[i], SIG_DFL);
}

static void signal_note_continued(int number)
{
	(void)number;
	was_continued = 1;
}

void signals_install(void)
{
	/* Waits for reads end all the same; but the report is not to lose what
	 * a slow reader of it makes write(2) wait with. */
	struct sigaction old, action = {
		.sa_handler = signal_note,
		.sa_flags = SA_RESTART,
	};
	size_t i;

	/* One at a time, or a count would be lost. */
	sigemptyset(&action.sa_mask);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		sigaddset(&action.sa_mask, ending[i]);
	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		/* Under nohup, or in the background of a script. */
		if (sigaction(ending[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_IGN)
			continue;
		sigaction(ending[i], &action, NULL);
	}
	action.sa_handler = signal_note_continued;
	sigaction(SIGCONT, &action, NULL);
}

int signals_get_caught(void)
{
	return first;
}

bool signals_are_urgent(void)
{
	return count > 1;
}

static void mask_stop(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(how, &set, NULL);
}

void signals_hold_stop(void)
{
	mask_stop(SIG_BLOCK);
}

bool signals_is_stop_due(void)
{
	sigset_t set;

	return sigpending(&set) == 0 && sigismember(&set, SIGTSTP) == 1;
}

void signals_stop(void)
{
	mask_stop(SIG_UNBLOCK);
	mask_stop(SIG_BLOCK);
}

void signals_release_stop(void)
{
	mask_stop(SIG_UNBLOCK);
}

bool signals_take_continued(void)
{
	const bool was = was_continued;

	was_continued = 0;
	return was;
}
