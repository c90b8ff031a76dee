/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef DEVMAPPER_H
#define DEVMAPPER_H

#include <stdint.h>

/* A target of a device-mapper table; the strings last as long as the call. */
struct devmapper_target {
	uint64_t start_sectors, length_sectors; /* of 512 bytes */
	const char *type, *params;
};

struct devmapper_visitor {
	void (*visit)(struct devmapper_visitor *visitor,
		      const struct devmapper_target *target);
};

/*
 * Asks the kernel for the table of a device. Returns 0, or a negative errno:
 *	-EACCES		only root may ask
 *	-ENOSYS		built without libdevmapper, or a kernel without it
 */
int devmapper_read_table(unsigned int major, unsigned int minor,
			 struct devmapper_visitor *visitor);

/* The same of what its targets have to say of their state. */
int devmapper_read_status(unsigned int major, unsigned int minor,
			  struct devmapper_visitor *visitor);

#endif
