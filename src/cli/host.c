/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host.h"

void host_get(struct host *host)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct utsname name;

	*host = (struct host){
		.cpus = cpus > 0 ? (uint64_t)cpus : BLKBENCH_UNKNOWN,
	};
	if (uname(&name) < 0)
		return;
	snprintf(host->hostname, sizeof(host->hostname), "%s", name.nodename);
	snprintf(host->kernel, sizeof(host->kernel), "%s", name.release);
	snprintf(host->machine, sizeof(host->machine), "%s", name.machine);
}
