/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "device.h"
#include "error.h"
#include "io_uring.h"
#include "measure.h"
#include "parallel.h"
#include "pressure.h"

static int enter(struct blkbench_device *device,
		 const struct blkbench_plan *plan, struct world *world,
		 struct blkbench_error *error)
{
	int r = device_set_direct(device, plan->is_direct);

	if (r < 0)
		return error_set(error, r, "cannot turn O_DIRECT %s: %s",
				 plan->is_direct ? "on" : "off", strerror(-r));
	*world = (struct world){
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
	return 0;
}

int blkbench_measure_create(struct blkbench_device *device,
			    const struct blkbench_plan *plan,
			    struct blkbench_measure **measure,
			    struct blkbench_error *error)
{
	struct world world;
	int r = enter(device, plan, &world, error);

	return r < 0 ? r : measure_create(&world, plan, measure, error);
}

/* What others of them read of a disk that they share is no stranger's. */
static bool count_no_traffic(const struct blkbench_device *device,
			     struct doubt_traffic *traffic)
{
	(void)device;
	(void)traffic;
	return false;
}

int blkbench_parallel_create(struct blkbench_device *const *devices,
			     const struct blkbench_plan *plans, size_t count,
			     const struct blkbench_parallel_params *params,
			     struct blkbench_parallel **parallel,
			     struct blkbench_error *error)
{
	struct world *worlds = calloc(count + 1, sizeof(*worlds));
	int r = 0;

	if (!worlds)
		return error_set(error, -ENOMEM, "no memory to measure with");
	for (size_t i = 0; i < count && r == 0; i++) {
		r = enter(devices[i], &plans[i], &worlds[i], error);
		worlds[i].count_traffic = count_no_traffic;
	}
	if (r == 0)
		r = parallel_create(worlds, plans, count, params, parallel,
				    error);
	free(worlds);
	return r;
}

const char *blkbench_version(void)
{
	return VERSION;
}
