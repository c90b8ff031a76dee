/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */

/*
 * refuse EPERM|ENOSYS|ENOMEM SYSCALL... -- PROGRAM [ARGUMENT]...
 *
 * Runs a program for which the kernel answers the system calls with the error,
 * as a container's seccomp profile, an old kernel or a limit would.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What a shell says when it cannot run a program. */
#define EXIT_CANNOT_RUN 126

static const struct {
	const char *name;
	int code;
} errors[] = {
	{ "EPERM", EPERM },
	{ "ENOSYS", ENOSYS },
	{ "ENOMEM", ENOMEM },
};

/* Returns a positive errno, or 0 for an unknown name. */
static int error_from_name(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (!strcmp(name, errors[i].name))
			return errors[i].code;
	}
	return 0;
}

/* Returns what follows "--", or NULL. */
static char **find_program(char **arguments)
{
	for (; *arguments; arguments++) {
		if (!strcmp(*arguments, "--"))
			return arguments[1] ? arguments + 1 : NULL;
	}
	return NULL;
}

/* The names end with "--". Returns 0, or -1 having said why not. */
static int install_filter(char *const *names, int code)
{
	const uint32_t action = SCMP_ACT_ERRNO((unsigned int)code);
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int rc;

	for (; strcmp(*names, "--") != 0; names++) {
		int number = seccomp_syscall_resolve_name(*names);

		if (seccomp_rule_add(filter, action, number, 0) < 0) {
			fprintf(stderr, "refuse: no system call %s\n", *names);
			return -1;
		}
	}
	rc = seccomp_load(filter);
	if (rc < 0) {
		fprintf(stderr, "refuse: loading the filter: %s\n",
			strerror(-rc));
		return -1;
	}
	seccomp_release(filter);
	return 0;
}

int main(int argc, char **argv)
{
	int code = argc > 1 ? error_from_name(argv[1]) : 0;
	char **program = code ? find_program(argv + 2) : NULL;

	if (!program) {
		fprintf(stderr, "usage: refuse EPERM|ENOSYS|ENOMEM SYSCALL... "
				"-- PROGRAM [ARGUMENT]...\n");
		return EXIT_CANNOT_RUN;
	}
	if (install_filter(argv + 2, code) < 0)
		return EXIT_CANNOT_RUN;
	execvp(*program, program);
	fprintf(stderr, "refuse: %s: %s\n", *program, strerror(errno));
	return EXIT_CANNOT_RUN;
}
