/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <string.h>

#include "config.h"
#include "device.h"
#include "error.h"
#include "io_uring.h"
#include "measure.h"
#include "pressure.h"

int blkbench_measure_create(struct blkbench_device *device,
			    const struct blkbench_plan *plan,
			    struct blkbench_measure **measure,
			    struct blkbench_error *error)
{
	const struct world world = {
		.fd = device_get_fd(device),
		.device = device,
		.clock = &clock_monotonic,
		.engines = engine_table,
		.count_workers = io_uring_count_workers,
		.worker_activity = io_uring_worker_activity,
		.read_pressure = pressure_read_cpu,
		.find_loss = device_find_loss,
		.count_traffic = device_count_traffic,
		.find_limits = device_find_limits,
	};
	int r = device_set_direct(device, plan->is_direct);

	if (r < 0)
		return error_set(error, r, "cannot turn O_DIRECT %s: %s",
				 plan->is_direct ? "on" : "off", strerror(-r));
	return measure_create(&world, plan, measure, error);
}

const char *blkbench_version(void)
{
	return VERSION;
}
