/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <blkbench.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>

#include "clock.h"
#include "error.h"

#define KIB 1024ULL
#define MIB (1024 * KIB)

#define SEQUENTIAL_BLOCK MIB
#define SEQUENTIAL_DEPTH 8
#define SEQUENTIAL_NS (3 * NS_PER_S)
#define TIMED_BLOCK (2 * MIB) /* as hdparm: TIMING_BUF_MB */
#define TIMED_NS (3 * NS_PER_S)
#define CACHED_NS (4 * NS_PER_S) /* half of it each way */
#define SEEK_BLOCK (4 * KIB)
#define SEEK_DEPTH 32
#define SEEK_NS (8 * NS_PER_S)
#define SEEK_PRECISION 2.0
#define ZONES_PLACES 50
#define ZONES_BYTES (64 * MIB)
#define ZONES_BYTES_MIN (8 * MIB) /* of a small device */
#define ZONES_NS (300 * NS_PER_MS)
/* For each place: slower devices than 64 MiB in that time read less of it. */
#define ZONES_LIMIT_NS (800 * NS_PER_MS)

/* Of a minute: what is left is for disks that hang, and for asking them. */
#define CHECK_ZONES_NS (25 * NS_PER_S)
#define CHECK_SEEK_NS (15 * NS_PER_S)

/* A disk may have to spin up first; that takes up to some 20 s. */
#define WARMUP_LIMIT_NS (30 * NS_PER_S)
#define WARMUP_GRACE_NS (2 * NS_PER_S)

#define MAX_ERRORS 16

/* What a test makes its plans from: params, checked, and the device. */
struct blkbench_request {
	const struct blkbench_params *params;
	const struct blkbench_info *info;
	struct blkbench_plan common; /* what all plans have from these */
};

void blkbench_params_init(struct blkbench_params *params)
{
	*params = (struct blkbench_params){
		.runtime_ns = BLKBENCH_UNKNOWN,
		.precision_percent = NAN,
		.block_bytes = BLKBENCH_UNKNOWN,
		.queue_depth = BLKBENCH_UNKNOWN,
		.offset_bytes = BLKBENCH_UNKNOWN,
		.length_bytes = BLKBENCH_UNKNOWN,
		.seed = BLKBENCH_UNKNOWN,
		.max_errors = BLKBENCH_UNKNOWN,
		.places = BLKBENCH_UNKNOWN,
		.is_buffered = false,
		.is_idle = false,
		.engine = BLKBENCH_ENGINE_AUTO,
	};
}

uint64_t blkbench_seed_draw(void)
{
	uint32_t seed;

	/* Only a kernel that has just booted has nothing to give. */
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
		seed = (uint32_t)clock_now_ns(&clock_monotonic);
	return seed;
}

static uint64_t or_default(uint64_t asked, uint64_t value)
{
	return asked == BLKBENCH_UNKNOWN ? value : asked;
}

/* Not larger than the range: a smaller device is read in passes. */
static uint64_t fitting_block(const struct blkbench_request *request,
			      uint64_t value)
{
	uint64_t block = or_default(request->params->block_bytes, value);

	return block < request->common.length_bytes
		       ? block
		       : request->common.length_bytes;
}

/* Whole stripes, so that every read keeps all members equally busy. */
static uint64_t sequential_block(const struct blkbench_topology *topology)
{
	const uint64_t stripe = topology->io_opt_bytes;

	if (stripe == BLKBENCH_UNKNOWN || topology->io_opt_is_bogus ||
	    stripe > 4 * SEQUENTIAL_BLOCK ||
	    stripe % topology->logical_sector_bytes != 0)
		return SEQUENTIAL_BLOCK;
	if (stripe > SEQUENTIAL_BLOCK)
		return stripe;
	return SEQUENTIAL_BLOCK / stripe * stripe;
}

static int make_sequential(const struct blkbench_request *request,
			   struct blkbench_plan *plans)
{
	const struct blkbench_params *params = request->params;

	plans[0].pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	plans[0].block_bytes = fitting_block(
		request, sequential_block(&request->info->topology));
	plans[0].queue_depth =
		or_default(params->queue_depth, SEQUENTIAL_DEPTH);
	plans[0].runtime_ns = or_default(params->runtime_ns, SEQUENTIAL_NS);
	return 1;
}

static int make_timed(const struct blkbench_request *request,
		      struct blkbench_plan *plans)
{
	plans[0].pattern = BLKBENCH_PATTERN_SEQUENTIAL;
	plans[0].block_bytes = fitting_block(request, TIMED_BLOCK);
	plans[0].queue_depth = 1;
	plans[0].runtime_ns = or_default(request->params->runtime_ns, TIMED_NS);
	return 1;
}

static int make_cached(const struct blkbench_request *request,
		       struct blkbench_plan *plans)
{
	plans[0].pattern = BLKBENCH_PATTERN_REPEAT;
	plans[0].block_bytes = fitting_block(request, TIMED_BLOCK);
	plans[0].queue_depth = 1;
	plans[0].runtime_ns =
		or_default(request->params->runtime_ns, CACHED_NS) / 2;
	plans[0].is_direct = false;
	plans[1] = plans[0];
	plans[1].is_direct = true;
	return request->info->direct_works ? 2 : 1;
}

static int make_seek(const struct blkbench_request *request,
		     struct blkbench_plan *plans)
{
	const struct blkbench_params *params = request->params;
	const uint64_t depth = or_default(params->queue_depth, SEEK_DEPTH);
	const uint64_t runtime = or_default(params->runtime_ns, SEEK_NS);
	const uint64_t sector = request->common.sector_bytes;

	plans[0].pattern = BLKBENCH_PATTERN_RANDOM;
	plans[0].is_seek = true;
	plans[0].block_bytes = fitting_block(
		request, sector > SEEK_BLOCK ? sector : SEEK_BLOCK);
	plans[0].queue_depth = 1;
	plans[0].runtime_ns = runtime;
	if (isnan(params->precision_percent) &&
	    params->runtime_ns == BLKBENCH_UNKNOWN)
		plans[0].precision_percent = SEEK_PRECISION;
	if (depth == 1)
		return 1;

	/* Few seeks come out of one at a time: it has most of the time. */
	plans[1] = plans[0];
	plans[1].queue_depth = depth;
	/* Other places: those of the first plan may be in a cache by now. */
	plans[1].seed++;
	plans[0].runtime_ns = runtime / 8 * 5;
	plans[1].runtime_ns = runtime - plans[0].runtime_ns;
	return 2;
}

/* Not so many that there is next to nothing to read at each. */
static uint64_t fitting_places(const struct blkbench_request *request,
			       uint64_t block)
{
	const uint64_t places =
		or_default(request->params->places, ZONES_PLACES);
	const uint64_t least = block > ZONES_BYTES_MIN ? block
						       : ZONES_BYTES_MIN;
	const uint64_t room = request->common.length_bytes / least;

	if (room == 0)
		return 1;
	return places < room ? places : room;
}

/* Whole blocks, and none of them in two places. */
static uint64_t place_bytes(const struct blkbench_plan *plan)
{
	const uint64_t room = plan->length_bytes / plan->places;
	const uint64_t most = ZONES_BYTES > plan->block_bytes
				      ? ZONES_BYTES
				      : plan->block_bytes;
	const uint64_t bytes = room < most ? room : most;

	return bytes / plan->block_bytes * plan->block_bytes;
}

static int make_zones(const struct blkbench_request *request,
		      struct blkbench_plan *plans)
{
	const struct blkbench_params *params = request->params;
	const bool has_runtime = params->runtime_ns != BLKBENCH_UNKNOWN;

	make_sequential(request, plans);
	plans[0].pattern = BLKBENCH_PATTERN_PLACES;
	plans[0].places = fitting_places(request, plans[0].block_bytes);
	plans[0].place_bytes = place_bytes(&plans[0]);
	plans[0].place_ns = has_runtime ? BLKBENCH_UNKNOWN : ZONES_NS;
	plans[0].runtime_ns = or_default(params->runtime_ns,
					 plans[0].places * ZONES_LIMIT_NS);
	plans[0].precision_percent = NAN;
	/* A bad place does not end the curve. */
	plans[0].max_errors =
		or_default(params->max_errors, BLKBENCH_ERRORS_MAX);
	return 1;
}

/* The whole range in places, both ends among them, and all over it; one at a
 * time, so that a slow read is slow by itself. */
static int make_check(const struct blkbench_request *request,
		      struct blkbench_plan *plans)
{
	const uint64_t runtime = request->params->runtime_ns;
	struct blkbench_plan seeks[BLKBENCH_PLANS_MAX];

	seeks[0] = seeks[1] = plans[0];
	make_zones(request, plans);
	make_seek(request, seeks);
	plans[1] = seeks[0];
	plans[1].precision_percent = NAN;
	if (runtime != BLKBENCH_UNKNOWN) {
		plans[0].runtime_ns = runtime / 8 * 5;
		plans[1].runtime_ns = runtime - plans[0].runtime_ns;
		return 2;
	}
	if (plans[0].runtime_ns > CHECK_ZONES_NS)
		plans[0].runtime_ns = CHECK_ZONES_NS;
	plans[1].runtime_ns = CHECK_SEEK_NS;
	return 2;
}

/* clang-format off */
static const struct blkbench_test tests[] = {
	{ "sequential", "streaming rate, several requests in flight",
	  'q', true, true, make_sequential },
	{ "timed", "hdparm -t: one 2 MiB read at a time from the start",
	  't', true, false, make_timed },
	{ "cached", "hdparm -T: the same 2 MiB again and again",
	  'T', false, false, make_cached },
	{ "seek", "Seeker: random reads, one at a time, then many",
	  's', true, true, make_seek },
	{ "zones", "streaming rate at N places (50) from start to end",
	  'z', false, true, make_zones },
	{ "check", "is the disk healthy? within a minute",
	  'c', false, true, make_check },
};
/* clang-format on */

const struct blkbench_test *blkbench_test_list(size_t *count)
{
	*count = sizeof(tests) / sizeof(tests[0]);
	return tests;
}

static int check_runtime(const struct blkbench_params *params,
			 struct blkbench_error *error)
{
	const double percent = params->precision_percent;
	const uint64_t ns = params->runtime_ns;

	if (ns != BLKBENCH_UNKNOWN &&
	    (ns < BLKBENCH_RUNTIME_MIN_NS || ns > BLKBENCH_RUNTIME_MAX_NS))
		return error_set(error, -EINVAL,
				 "runtime %g s: not from 0.001 to 864000 s",
				 (double)ns / 1e9);
	if (!isnan(percent) && !(percent >= BLKBENCH_PRECISION_MIN &&
				 percent <= BLKBENCH_PRECISION_MAX))
		return error_set(error, -EINVAL,
				 "precision %g %%: not from %g to %g %%",
				 percent, BLKBENCH_PRECISION_MIN,
				 BLKBENCH_PRECISION_MAX);
	return 0;
}

static int check_max_errors(const struct blkbench_params *params,
			    struct blkbench_error *error)
{
	const uint64_t most = params->max_errors;

	if (most == BLKBENCH_UNKNOWN ||
	    (most > 0 && most <= BLKBENCH_ERRORS_MAX))
		return 0;
	return error_set(error, -EINVAL,
			 "max errors %" PRIu64 ": not from 1 to %llu", most,
			 BLKBENCH_ERRORS_MAX);
}

static int check_requests(const struct blkbench_params *params, uint64_t sector,
			  struct blkbench_error *error)
{
	const uint64_t block = params->block_bytes;
	const uint64_t depth = params->queue_depth;

	if (params->engine > BLKBENCH_ENGINE_PREAD)
		return error_set(error, -EINVAL, "engine %u: not one of the 4",
				 params->engine);
	if (block != BLKBENCH_UNKNOWN && block < sector)
		return error_set(error, -EINVAL,
				 "block size %" PRIu64 ": smaller than the "
				 "logical sector (%" PRIu64 " bytes)",
				 block, sector);
	if (block != BLKBENCH_UNKNOWN &&
	    (block % sector != 0 || block > BLKBENCH_BLOCK_MAX))
		return error_set(error, -EINVAL,
				 "block size %" PRIu64 ": not a multiple of "
				 "the logical sector (%" PRIu64 " bytes) up "
				 "to 64 MiB",
				 block, sector);
	if (depth != BLKBENCH_UNKNOWN &&
	    (depth == 0 || depth > BLKBENCH_QUEUE_DEPTH_MAX))
		return error_set(error, -EINVAL,
				 "queue depth %" PRIu64 ": not from 1 to %llu",
				 depth, BLKBENCH_QUEUE_DEPTH_MAX);
	return check_max_errors(params, error);
}

static int check_places(const struct blkbench_params *params,
			struct blkbench_error *error)
{
	const uint64_t places = params->places;

	if (places == BLKBENCH_UNKNOWN ||
	    (places > 0 && places <= BLKBENCH_PLACES_MAX))
		return 0;
	return error_set(error, -EINVAL,
			 "zones %" PRIu64 ": not from 1 to %llu", places,
			 BLKBENCH_PLACES_MAX);
}

static int check_range(const struct blkbench_params *params,
		       const struct blkbench_info *info,
		       struct blkbench_plan *common,
		       struct blkbench_error *error)
{
	const uint64_t sector = info->topology.logical_sector_bytes;
	const uint64_t offset = or_default(params->offset_bytes, 0);
	uint64_t length;

	if (offset >= info->size_bytes)
		return error_set(error, -EINVAL,
				 "offset %" PRIu64 ": not before the end, "
				 "which is at %" PRIu64,
				 offset, info->size_bytes);
	if (offset % sector != 0)
		return error_set(error, -EINVAL,
				 "offset %" PRIu64 ": not a multiple of the "
				 "logical sector (%" PRIu64 " bytes)",
				 offset, sector);
	length = or_default(params->length_bytes, info->size_bytes - offset);
	if (length == 0 || length > info->size_bytes - offset)
		return error_set(error, -EINVAL,
				 "length %" PRIu64 ": not from %" PRIu64
				 " to the %" PRIu64 " bytes from the offset "
				 "to the end",
				 length, sector, info->size_bytes - offset);
	if (length % sector != 0)
		return error_set(error, -EINVAL,
				 "length %" PRIu64 ": not a multiple of the "
				 "logical sector (%" PRIu64 " bytes)",
				 length, sector);
	if (params->block_bytes != BLKBENCH_UNKNOWN &&
	    params->block_bytes > length)
		return error_set(error, -EINVAL,
				 "block size %" PRIu64
				 ": larger than the range "
				 "of %" PRIu64 " bytes",
				 params->block_bytes, length);
	common->offset_bytes = offset;
	common->length_bytes = length;
	return 0;
}

/* Reads that hang cannot be taken back, and their process may not end. */
static int check_state(const struct blkbench_info *info,
		       struct blkbench_error *error)
{
	if (!info->hang)
		return 0;
	return error_set(error, -EBUSY, "%s", info->hang);
}

static int check_direct(const struct blkbench_params *params,
			const struct blkbench_info *info,
			struct blkbench_error *error)
{
	if (params->is_buffered || info->direct_works)
		return 0;
	return error_set(error, -EOPNOTSUPP,
			 "the file system it is on has no O_DIRECT; "
			 "--buffered reads through the page cache");
}

static int check_memory(const struct blkbench_plan *plan,
			struct blkbench_error *error)
{
	if (plan->block_bytes <= BLKBENCH_BUFFERS_MAX / plan->queue_depth)
		return 0;
	return error_set(error, -EINVAL,
			 "block size %" PRIu64 " times queue depth %" PRIu64
			 ": more than 1 GiB of buffers",
			 plan->block_bytes, plan->queue_depth);
}

static uint64_t warmup_limit(const struct blkbench_params *params)
{
	if (params->runtime_ns == BLKBENCH_UNKNOWN)
		return WARMUP_LIMIT_NS;
	return params->runtime_ns + WARMUP_GRACE_NS;
}

int blkbench_plan_make(const struct blkbench_test *test,
		       const struct blkbench_info *info,
		       const struct blkbench_params *params,
		       struct blkbench_plan plans[BLKBENCH_PLANS_MAX],
		       struct blkbench_error *error)
{
	const uint64_t sector = info->topology.logical_sector_bytes;
	struct blkbench_request request = { .params = params, .info = info };
	int r, count;

	if ((r = check_runtime(params, error)) < 0 ||
	    (r = check_requests(params, sector, error)) < 0 ||
	    (r = check_places(params, error)) < 0 ||
	    (r = check_range(params, info, &request.common, error)) < 0 ||
	    (r = check_state(info, error)) < 0 ||
	    (r = check_direct(params, info, error)) < 0)
		return r;

	request.common.test = test->name;
	request.common.is_direct = !params->is_buffered;
	request.common.is_idle = params->is_idle;
	request.common.engine = params->engine;
	request.common.sector_bytes = sector;
	request.common.precision_percent = params->precision_percent;
	request.common.is_precision_asked = !isnan(params->precision_percent);
	request.common.seed = params->seed == BLKBENCH_UNKNOWN
				      ? blkbench_seed_draw()
				      : params->seed;
	request.common.warmup_limit_ns = warmup_limit(params);
	request.common.max_errors = or_default(params->max_errors, MAX_ERRORS);
	request.common.may_shrink = params->block_bytes == BLKBENCH_UNKNOWN;

	plans[0] = request.common;
	count = test->make(&request, plans);
	for (int i = 0; i < count; i++)
		if ((r = check_memory(&plans[i], error)) < 0)
			return r;
	return count;
}
