/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "config.h"
#include "smart.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "parse.h"

#define PROGRAM "smartctl"
/* Where it is for root; not in the PATH of every shell. */
#define SYSTEM_PROGRAM "/usr/sbin/" PROGRAM

#define STRING(number) STRING_OF(number)
#define STRING_OF(number) #number

/* Many times what it prints of a disk with all its logs full. */
#define OUTPUT_MAX (1 << 20)

/* A disk that is asked takes a tenth of a second; one that fails, the kernel's
 * time limit for a command, several times over. */
#define DISK_LIMIT_NS (10 * NS_PER_S)
#define KILL_LIMIT_NS NS_PER_S
#define NAP_NS NS_PER_MS

void smart_init(struct blkbench_smart *smart)
{
	*smart = (struct blkbench_smart){
		.passed = BLKBENCH_NOT_KNOWN,
		.power_on_hours = BLKBENCH_UNKNOWN,
		.temperature = BLKBENCH_UNKNOWN_TEMPERATURE,
		.error_log_entries = BLKBENCH_UNKNOWN,
		.reallocated_sectors = BLKBENCH_UNKNOWN,
		.reported_uncorrectable = BLKBENCH_UNKNOWN,
		.command_timeouts = BLKBENCH_UNKNOWN,
		.pending_sectors = BLKBENCH_UNKNOWN,
		.offline_uncorrectable = BLKBENCH_UNKNOWN,
		.crc_errors = BLKBENCH_UNKNOWN,
		.failing_attribute = BLKBENCH_UNKNOWN,
		.failed_attribute = BLKBENCH_UNKNOWN,
		.critical_warning = BLKBENCH_UNKNOWN,
		.media_errors = BLKBENCH_UNKNOWN,
		.percentage_used = BLKBENCH_UNKNOWN,
		.available_spare_percent = BLKBENCH_UNKNOWN,
		.spare_threshold_percent = BLKBENCH_UNKNOWN,
		.grown_defects = BLKBENCH_UNKNOWN,
		.uncorrected_errors = BLKBENCH_UNKNOWN,
	};
}

void smart_refuse(struct blkbench_smart *smart,
		  enum blkbench_smart_answer answer, const char *format, ...)
{
	va_list args;

	smart_init(smart);
	smart->answer = answer;
	va_start(args, format);
	vsnprintf(smart->text, sizeof(smart->text), format, args);
	va_end(args);
	parse_clean(smart->text);
}

/* ---- the program ------------------------------------------------------ */

/* With nothing of ours but the pipe, and with no signal blocked. */
static int spawn(const char *program, const char *device, int out, pid_t *pid)
{
	const char *const argv[] = {
		PROGRAM,
		"--json",
		"--nocheck=standby," STRING(SMART_STATUS_ASLEEP),
		"--info",
		"--health",
		"--attributes",
		"--log=error",
		device,
		NULL,
	};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int err;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&actions);
	err = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO,
					       "/dev/null", O_RDONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_addopen(
			&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (!err)
		err = posix_spawn_file_actions_adddup2(&actions, out,
						       STDOUT_FILENO);
	if (!err)
		err = posix_spawnp(pid, program, &actions, &attributes,
				   (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return -err;
}

static bool is_over(pid_t pid)
{
	const pid_t ended = waitpid(pid, NULL, WNOHANG);

	/* Else somebody has taken it: the caller ignores SIGCHLD. */
	return ended == pid || (ended < 0 && errno != EINTR);
}

static bool wait_until(pid_t pid, uint64_t deadline_ns)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	while (!is_over(pid)) {
		if (clock_now_ns(&clock_monotonic) >= deadline_ns)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

/* One whose command hangs in the kernel cannot be killed either: it is left to
 * end by itself, and to whoever reaps what we leave behind. */
static void get_rid_of(pid_t pid, uint64_t deadline_ns)
{
	if (wait_until(pid, deadline_ns))
		return;
	kill(pid, SIGKILL);
	wait_until(pid, clock_now_ns(&clock_monotonic) + KILL_LIMIT_NS);
}

static int poll_until(int fd, uint64_t deadline_ns)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };
	const uint64_t now_ns = clock_now_ns(&clock_monotonic);
	int ready;

	if (now_ns >= deadline_ns)
		return -ETIMEDOUT;
	ready = poll(&pollfd, 1, (int)((deadline_ns - now_ns) / NS_PER_MS) + 1);
	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	return ready;
}

/* Returns 0, or -ETIMEDOUT, -E2BIG or another negative errno. */
static int read_output(int fd, char *text, uint64_t deadline_ns)
{
	size_t length = 0;
	ssize_t got;
	int ready;

	for (;;) {
		ready = poll_until(fd, deadline_ns);
		if (ready < 0)
			return ready;
		if (ready == 0)
			continue;
		got = read(fd, text + length, OUTPUT_MAX - length);
		if (got < 0)
			return -errno;
		length += (size_t)got;
		if (got == 0 || length == OUTPUT_MAX)
			break;
	}
	text[length] = '\0';
	return length == OUTPUT_MAX ? -E2BIG : 0;
}

/* Returns as read_output(), or as spawn(). */
static int run(const char *program, const char *device, char *text,
	       uint64_t deadline_ns)
{
	int fds[2], err;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -errno;
	err = spawn(program, device, fds[1], &pid);
	close(fds[1]);
	if (!err) {
		err = read_output(fds[0], text, deadline_ns);
		get_rid_of(pid, err ? 0 : deadline_ns);
	}
	close(fds[0]);
	return err;
}

static void judge_error(int err, struct blkbench_smart *smart)
{
	switch (err) {
	case -ENOENT:
		smart_refuse(smart, BLKBENCH_SMART_MISSING,
			     PROGRAM " is not installed (smartmontools)");
		break;
	case -ETIMEDOUT:
		smart_refuse(smart, BLKBENCH_SMART_TIMED_OUT,
			     PROGRAM " has not answered in time");
		break;
	case -E2BIG:
		smart_refuse(smart, BLKBENCH_SMART_GARBLED,
			     PROGRAM " has printed more than can be true");
		break;
	default:
		smart_refuse(smart, BLKBENCH_SMART_MISSING,
			     "cannot run " PROGRAM ": %s", strerror(-err));
	}
}

void smart_ask(const char *program, const char *device, uint64_t limit_ns,
	       struct blkbench_smart *smart)
{
	const uint64_t deadline_ns = clock_now_ns(&clock_monotonic) + limit_ns;
	char *text;
	int err;

	if (!HAVE_JSON) {
		smart_refuse(smart, BLKBENCH_SMART_MISSING,
			     "built without JSON (json-c), which " PROGRAM
			     " answers in");
		return;
	}
	text = malloc(OUTPUT_MAX + 1);
	err = text ? run(program, device, text, deadline_ns) : -ENOMEM;
	if (err)
		judge_error(err, smart);
	else
		smart_parse(text, smart);
	free(text);
}

/* ---- all disks --------------------------------------------------------- */

static void ask_disk(const char *name, uint64_t limit_ns,
		     struct blkbench_smart *smart)
{
	char device[PATH_MAX];

	snprintf(device, sizeof(device), "/dev/%s", name);
	smart_ask(PROGRAM, device, limit_ns, smart);
	if (smart->answer == BLKBENCH_SMART_MISSING &&
	    access(SYSTEM_PROGRAM, X_OK) == 0)
		smart_ask(SYSTEM_PROGRAM, device, limit_ns, smart);
}

void blkbench_health_ask_smart(struct blkbench_health *health,
			       uint64_t limit_ns)
{
	const uint64_t deadline_ns = clock_now_ns(&clock_monotonic) + limit_ns;

	for (size_t i = 0; i < health->layers_count; i++) {
		struct blkbench_layer_health *layer = &health->layers[i];
		const uint64_t now_ns = clock_now_ns(&clock_monotonic);

		if (!layer->is_disk)
			continue;
		if (layer->suspended == BLKBENCH_YES)
			smart_refuse(&layer->smart, BLKBENCH_SMART_NOT_ASKED,
				     "it is suspended");
		else if (now_ns >= deadline_ns)
			smart_refuse(&layer->smart, BLKBENCH_SMART_NOT_ASKED,
				     "no time was left");
		else
			ask_disk(layer->layer,
				 deadline_ns - now_ns < DISK_LIMIT_NS
					 ? deadline_ns - now_ns
					 : DISK_LIMIT_NS,
				 &layer->smart);
	}
}
