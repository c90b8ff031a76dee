/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "storm.h"

#include <errno.h>
#include <math.h>

#define MILLION 1000000

/* Reads of a script, if all goes well; most have far fewer. */
#define READS_MAX 10000

/* In all its time, where it is only these that take any. */
#define BUSY_WAITS 3000
#define BUSY_DEPTH 16

/* Memory for buffers, so that a script costs little to begin. */
#define BUFFERS_MAX (8ULL << 20)
#define BLOCK_MAX (1ULL << 20)

/* ---- random numbers -------------------------------------------------- */

/* SplitMix64, as in pattern.c. */
uint64_t storm_draw(struct storm *storm)
{
	uint64_t x = storm->random += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

uint64_t storm_draw_below(struct storm *storm, uint64_t limit)
{
	return storm_draw(storm) % limit;
}

bool storm_draw_chance(struct storm *storm, uint32_t ppm)
{
	return storm_draw_below(storm, MILLION) < ppm;
}

/* From 0 to 1, without the ends. */
static double draw_share(struct storm *storm)
{
	return ((double)(storm_draw(storm) >> 12) + 0.5) / 0x1p52;
}

uint64_t storm_draw_scale(struct storm *storm, uint64_t low, uint64_t high)
{
	const double ratio = (double)(high + 1) / (double)low;
	const double value = (double)low * pow(ratio, draw_share(storm));

	if (value >= (double)high)
		return high;
	return value <= (double)low ? low : (uint64_t)value;
}

static uint32_t draw_ppm(struct storm *storm)
{
	return (uint32_t)storm_draw_scale(storm, 20, MILLION);
}

/* The index of a read, most often one that there is. */
static uint64_t draw_moment(struct storm *storm)
{
	return storm_draw_below(storm, storm->script.reads * 5 / 4 + 3);
}

#define DRAW_FROM(storm, list) \
	((list)[storm_draw_below((storm), sizeof(list) / sizeof((list)[0]))])

/* ---- latencies ------------------------------------------------------- */

static uint64_t constant_latency(struct storm *storm)
{
	return storm->script.usual_ns;
}

static uint64_t spread_latency(struct storm *storm)
{
	return storm_draw_below(storm, 2 * storm->script.usual_ns + 1);
}

/* Pareto's, without a mean: now and then one takes 100 or 10000 times more. */
static uint64_t heavy_latency(struct storm *storm)
{
	const double usual = (double)storm->script.usual_ns;
	const double value = usual / 2 / draw_share(storm);

	return value < 1e14 ? (uint64_t)value : (uint64_t)1e14;
}

/* From a cache, most of them. */
static uint64_t split_latency(struct storm *storm)
{
	const uint64_t usual = storm->script.usual_ns;

	return storm_draw_below(storm, 8) ? usual / 20 : 8 * usual;
}

static uint64_t no_latency(struct storm *storm)
{
	(void)storm;
	return 0;
}

/* ---- troubles -------------------------------------------------------- */

/* For reads that end at once: so that there are thousands, not billions. */
static void slow_down_calls(struct storm *storm)
{
	const uint64_t least = storm->plan.runtime_ns / BUSY_WAITS;

	if (storm->device.wait_ns < least)
		storm->device.wait_ns = least;
	if (storm->plan.queue_depth > BUSY_DEPTH)
		storm->plan.queue_depth = BUSY_DEPTH;
}

static void prepare_errors(struct storm *storm)
{
	static const int errors[] = { EIO,	 EIO,	    ENODATA,
				      ETIMEDOUT, EREMOTEIO, EBADE,
				      EINVAL,	 ENOMEM,    EOPNOTSUPP };

	storm->script.error_ppm = draw_ppm(storm);
	storm->script.error = DRAW_FROM(storm, errors);
}

static void strike_errors(struct storm *storm, enum blkbench_engine engine,
			  const struct io *io, uint64_t index,
			  struct false_answer *answer)
{
	(void)engine;
	(void)io;
	(void)index;
	if (storm_draw_chance(storm, storm->script.error_ppm))
		answer->result = -storm->script.error;
}

/* A stretch of the range that cannot be read, however often. */
static void prepare_bad(struct storm *storm)
{
	struct storm_script *script = &storm->script;
	const struct blkbench_plan *plan = &storm->plan;
	const uint64_t sectors = plan->length_bytes / plan->sector_bytes;

	script->bad_begin_bytes = plan->offset_bytes +
				  storm_draw_below(storm, sectors) *
					  plan->sector_bytes;
	script->bad_end_bytes = script->bad_begin_bytes +
				storm_draw_scale(storm, 1, sectors) *
					plan->sector_bytes;
}

/* What lies before it may be read, as through the page cache. */
static void strike_bad(struct storm *storm, enum blkbench_engine engine,
		       const struct io *io, uint64_t index,
		       struct false_answer *answer)
{
	const struct storm_script *script = &storm->script;
	const uint64_t begin = script->bad_begin_bytes;

	(void)engine;
	(void)index;
	if (io->offset_bytes >= script->bad_end_bytes ||
	    io->offset_bytes + io->bytes <= begin)
		return;
	if (io->offset_bytes < begin && !storm->plan.is_direct)
		answer->result = (int32_t)(begin - io->offset_bytes);
	else
		answer->result = -EIO;
}

/* All reads fail at once, and the kernel may say why, or not. */
static void prepare_gone(struct storm *storm)
{
	static const enum blkbench_loss losses[] = { BLKBENCH_LOSS_NONE,
						     BLKBENCH_LOSS_REMOVED,
						     BLKBENCH_LOSS_TABLE };
	static const int errors[] = { ENODEV, ENXIO, ENOMEDIUM, EIO, EIO };

	storm->script.gone_at = draw_moment(storm);
	storm->script.gone_error = DRAW_FROM(storm, errors);
	storm->script.loss = DRAW_FROM(storm, losses);
	slow_down_calls(storm);
}

static void strike_gone(struct storm *storm, enum blkbench_engine engine,
			const struct io *io, uint64_t index,
			struct false_answer *answer)
{
	(void)engine;
	(void)io;
	if (index < storm->script.gone_at)
		return;
	answer->latency_ns = 0;
	answer->result = -storm->script.gone_error;
	storm->device.loss = storm->script.loss;
}

static void prepare_shrunk(struct storm *storm)
{
	const struct blkbench_plan *plan = &storm->plan;
	const uint64_t end = plan->offset_bytes + plan->length_bytes;

	storm->script.shrunk_at = draw_moment(storm);
	storm->script.shrunk_bytes =
		storm_draw_below(storm, end / plan->sector_bytes) *
		plan->sector_bytes;
}

static void strike_shrunk(struct storm *storm, enum blkbench_engine engine,
			  const struct io *io, uint64_t index,
			  struct false_answer *answer)
{
	const uint64_t end = storm->script.shrunk_bytes;

	(void)engine;
	if (index < storm->script.shrunk_at ||
	    io->offset_bytes + io->bytes <= end)
		return;
	answer->result =
		io->offset_bytes < end ? (int32_t)(end - io->offset_bytes) : 0;
}

static void prepare_again(struct storm *storm)
{
	storm->script.again_ppm = draw_ppm(storm);
}

static void strike_again(struct storm *storm, enum blkbench_engine engine,
			 const struct io *io, uint64_t index,
			 struct false_answer *answer)
{
	(void)engine;
	(void)io;
	if (!storm_draw_chance(storm, storm->script.again_ppm))
		return;
	answer->latency_ns /= 8;
	answer->result = index % 3 ? -EAGAIN : -EINTR;
}

/* From some moment on, for a time or for ever, nothing but EAGAIN at once. */
static void prepare_busy(struct storm *storm)
{
	struct storm_script *script = &storm->script;
	const uint64_t runtime = storm->plan.runtime_ns;

	script->busy_begin_ns = storm->device.now_ns +
				storm_draw_below(storm, 2 * runtime);
	script->busy_end_ns = script->busy_begin_ns +
			      storm_draw_scale(storm, 1, 8 * runtime);
	slow_down_calls(storm);
}

static void strike_busy(struct storm *storm, enum blkbench_engine engine,
			const struct io *io, uint64_t index,
			struct false_answer *answer)
{
	const uint64_t now = storm->device.now_ns;

	(void)engine;
	(void)io;
	(void)index;
	if (now < storm->script.busy_begin_ns ||
	    now >= storm->script.busy_end_ns)
		return;
	answer->latency_ns = 0;
	answer->result = -EAGAIN;
}

/* As of a read in pieces of which one would have to wait. */
static void strike_nowait(struct storm *storm, enum blkbench_engine engine,
			  const struct io *io, uint64_t index,
			  struct false_answer *answer)
{
	(void)storm;
	(void)engine;
	(void)index;
	if (!io->may_wait)
		answer->result = -EAGAIN;
}

static void prepare_short(struct storm *storm)
{
	storm->script.short_ppm = draw_ppm(storm);
}

static void strike_short(struct storm *storm, enum blkbench_engine engine,
			 const struct io *io, uint64_t index,
			 struct false_answer *answer)
{
	const uint32_t sector = storm->device.sector_bytes;
	const uint32_t sectors = io->bytes / sector;

	(void)engine;
	(void)index;
	if (sectors > 1 && storm_draw_chance(storm, storm->script.short_ppm))
		answer->result =
			(int32_t)((1 + storm_draw_below(storm, sectors - 1)) *
				  sector);
}

static void prepare_odd(struct storm *storm)
{
	storm->script.odd_ppm = draw_ppm(storm);
}

static void strike_odd(struct storm *storm, enum blkbench_engine engine,
		       const struct io *io, uint64_t index,
		       struct false_answer *answer)
{
	(void)engine;
	(void)index;
	if (storm_draw_chance(storm, storm->script.odd_ppm))
		answer->result = (int32_t)storm_draw_below(storm, io->bytes);
}

static void prepare_lost(struct storm *storm)
{
	storm->script.never_ppm = (uint32_t)storm_draw_scale(storm, 1, 10000);
}

static void strike_lost(struct storm *storm, enum blkbench_engine engine,
			const struct io *io, uint64_t index,
			struct false_answer *answer)
{
	(void)engine;
	(void)io;
	(void)index;
	if (storm_draw_chance(storm, storm->script.never_ppm))
		answer->latency_ns = FALSE_NEVER;
}

static void prepare_hung(struct storm *storm)
{
	storm->script.hung_at = draw_moment(storm);
}

static void strike_hung(struct storm *storm, enum blkbench_engine engine,
			const struct io *io, uint64_t index,
			struct false_answer *answer)
{
	(void)engine;
	(void)io;
	if (index >= storm->script.hung_at)
		answer->latency_ns = FALSE_NEVER;
}

static void prepare_refused(struct storm *storm)
{
	storm->device.ring_refused = -EPERM;
}

/* The ring hands over its reads, and there may be a faster engine, or none. */
static void prepare_punts(struct storm *storm)
{
	static const enum blkbench_engine engines[] = {
		BLKBENCH_ENGINE_IO_URING, BLKBENCH_ENGINE_AIO,
		BLKBENCH_ENGINE_PREAD
	};

	storm->device.ring_punts = 1;
	storm->script.odd_engine = DRAW_FROM(storm, engines);
	storm->script.slowness = 1 + storm_draw_below(storm, 20);
}

static void strike_punts(struct storm *storm, enum blkbench_engine engine,
			 const struct io *io, uint64_t index,
			 struct false_answer *answer)
{
	(void)io;
	(void)index;
	if (engine == storm->script.odd_engine &&
	    answer->latency_ns != FALSE_NEVER)
		answer->latency_ns *= storm->script.slowness;
}

/* In the trial: one engine's reads do not come back, after its first one. */
static void strike_stuck(struct storm *storm, enum blkbench_engine engine,
			 const struct io *io, uint64_t index,
			 struct false_answer *answer)
{
	(void)io;
	if (engine == storm->script.odd_engine && index > 0)
		answer->latency_ns = FALSE_NEVER;
}

static void prepare_signals(struct storm *storm)
{
	storm->script.signal_ppm = draw_ppm(storm) / 2;
}

static void prepare_broken(struct storm *storm)
{
	static const int errors[] = { EBADF, EINVAL, ENXIO, EIO, ENOMEM };

	storm->script.broken_at = draw_moment(storm);
	storm->script.broken_error = DRAW_FROM(storm, errors);
}

/* Later rows have the last word. */
static const struct trouble {
	const char *name;
	unsigned int percent; /* of the scripts have it */
	void (*prepare)(struct storm *storm);
	void (*strike)(struct storm *storm, enum blkbench_engine engine,
		       const struct io *io, uint64_t index,
		       struct false_answer *answer);
} troubles[STORM_TROUBLES] = {
	{ "refused", 6, prepare_refused, NULL },
	{ "punts", 15, prepare_punts, strike_punts },
	{ "short", 12, prepare_short, strike_short },
	{ "odd", 3, prepare_odd, strike_odd },
	{ "bad", 8, prepare_bad, strike_bad },
	{ "errors", 12, prepare_errors, strike_errors },
	{ "nowait", 5, NULL, strike_nowait },
	{ "again", 12, prepare_again, strike_again },
	{ "busy", 6, prepare_busy, strike_busy },
	{ "shrunk", 6, prepare_shrunk, strike_shrunk },
	{ "gone", 6, prepare_gone, strike_gone },
	{ "lost", 6, prepare_lost, strike_lost },
	{ "hung", 8, prepare_hung, strike_hung },
	{ "stuck", 3, prepare_punts, strike_stuck },
	{ "signals", 12, prepare_signals, NULL },
	{ "broken", 5, prepare_broken, NULL },
};

const char *storm_trouble_name(unsigned int trouble)
{
	return troubles[trouble].name;
}

static struct false_answer answer_read(struct false_device *device,
				       enum blkbench_engine engine,
				       const struct io *io, uint64_t index)
{
	struct storm *storm = (struct storm *)device;
	struct storm_script *script = &storm->script;
	struct false_answer answer = { script->latency_ns(storm), FALSE_FULL };

	for (unsigned int i = 0; i < STORM_TROUBLES; i++)
		if (script->troubles & 1U << i && troubles[i].strike)
			troubles[i].strike(storm, engine, io, index, &answer);
	return answer;
}

static struct false_wait answer_wait(struct false_device *device,
				     unsigned int engine)
{
	struct storm *storm = (struct storm *)device;
	const struct storm_script *script = &storm->script;
	struct false_wait met = { FALSE_NEVER, 0 };

	if (device->was_signal && engine == storm->ledger.engine &&
	    !storm->is_pausing)
		storm_fail(storm, "a signal came, and it waits again");
	if (script->broken_error && storm->waits >= script->broken_at) {
		met.error = -script->broken_error;
		storm->is_broken |= engine == storm->ledger.engine;
	} else if (storm_draw_chance(storm, script->signal_ppm)) {
		met.signal_ns = storm_draw_below(storm, script->usual_ns + 1);
	}
	storm->waits++;
	return met;
}

/* ---- the script ------------------------------------------------------ */

static void make_device(struct storm *storm)
{
	const uint32_t sector = storm_draw_below(storm, 3) ? 512 : 4096;
	const uint64_t sectors = storm_draw_scale(storm, 1, 1ULL << 50);
	struct false_device *device = &storm->device;

	false_device_init(device, sectors * sector, sector);
	device->has_pread = storm_draw_below(storm, 4) > 0;
	device->is_disorderly = storm_draw_below(storm, 2);
	device->may_abandon = true;
	device->answer = answer_read;
	device->answer_wait = answer_wait;
	device->witness = &storm_ledger_witness;
}

static void make_range(struct storm *storm)
{
	const uint64_t sector = storm->device.sector_bytes;
	const uint64_t sectors = storm->device.size_bytes / sector;
	struct blkbench_plan *plan = &storm->plan;
	uint64_t begin = 0, length = sectors, block;

	if (storm_draw_below(storm, 2)) {
		begin = storm_draw_below(storm, sectors);
		length = storm_draw_scale(storm, 1, sectors - begin);
	}
	/* Few enough to be read more than once, now and then. */
	if (storm_draw_below(storm, 4) == 0 && length > 1000)
		length = storm_draw_scale(storm, 1, 1000);
	block = BUFFERS_MAX / plan->queue_depth;
	if (block > BLOCK_MAX)
		block = BLOCK_MAX;
	if (block < sector)
		block = sector;
	block = storm_draw_scale(storm, 1, block / sector);
	plan->offset_bytes = begin * sector;
	plan->length_bytes = length * sector;
	plan->block_bytes = (block < length ? block : length) * sector;
	plan->sector_bytes = sector;
}

static void make_latency(struct storm *storm)
{
	static uint64_t (*const latencies[])(struct storm *) = {
		constant_latency, spread_latency, heavy_latency, split_latency
	};
	const uint64_t depth = storm->plan.queue_depth;
	struct storm_script *script = &storm->script;

	script->latency_ns = DRAW_FROM(storm, latencies);
	/* The shortest runtime is long for a fast device. */
	script->usual_ns = storm_draw_scale(
		storm, 1 + 20 * depth * BLKBENCH_RUNTIME_MIN_NS / READS_MAX,
		2 * NS_PER_S);
	storm->device.wait_ns = storm_draw_scale(storm, 1, 2 * NS_PER_US);
	if (storm_draw_below(storm, 16) == 0) {
		/* Only the program takes time. */
		script->latency_ns = no_latency;
		script->usual_ns = storm->device.wait_ns =
			storm_draw_scale(storm, 4 * NS_PER_US, 100 * NS_PER_US);
	}
}

static uint64_t clamp(uint64_t value, uint64_t low, uint64_t high)
{
	if (value < low)
		return low;
	return value > high ? high : value;
}

static void make_plan(struct storm *storm)
{
	static const enum blkbench_pattern patterns[] = {
		BLKBENCH_PATTERN_SEQUENTIAL, BLKBENCH_PATTERN_RANDOM,
		BLKBENCH_PATTERN_REPEAT
	};
	static const uint64_t max_errors[] = { 1, 2, 16, 16, 1000, 1000000000 };
	struct blkbench_plan *plan = &storm->plan;

	plan->test = "storm";
	plan->pattern = DRAW_FROM(storm, patterns);
	plan->is_seek = storm_draw_below(storm, 2);
	plan->is_direct = storm_draw_below(storm, 2);
	plan->engine = BLKBENCH_ENGINE_AUTO;
	if (storm_draw_below(storm, 4) == 0)
		plan->engine = BLKBENCH_ENGINE_IO_URING +
			       storm_draw_below(
				       storm, storm->device.has_pread ? 3 : 2);
	plan->queue_depth = 1;
	if (storm_draw_below(storm, 3))
		plan->queue_depth =
			storm_draw_scale(storm, 1, BLKBENCH_QUEUE_DEPTH_MAX);
	plan->max_errors = DRAW_FROM(storm, max_errors);
	plan->seed = storm_draw(storm);
	plan->warmup_limit_ns = 30 * NS_PER_S;
	if (storm_draw_below(storm, 5) == 0)
		plan->warmup_limit_ns =
			storm_draw_scale(storm, NS_PER_MS, 30 * NS_PER_S);
	plan->precision_percent = NAN;
	if (storm_draw_below(storm, 3) == 0)
		plan->precision_percent = BLKBENCH_PRECISION_MAX *
					  draw_share(storm);
}

static void make_runtime(struct storm *storm)
{
	struct storm_script *script = &storm->script;
	struct blkbench_plan *plan = &storm->plan;

	script->reads = storm_draw_scale(storm, 1, READS_MAX);
	plan->runtime_ns =
		clamp(script->reads * script->usual_ns / plan->queue_depth,
		      BLKBENCH_RUNTIME_MIN_NS, BLKBENCH_RUNTIME_MAX_NS);
}

static void make_caller(struct storm *storm)
{
	struct storm_script *script = &storm->script;

	if (storm_draw_below(storm, 2))
		script->budget_ns = storm_draw_scale(
			storm, 1 + storm->plan.runtime_ns / 100,
			2 * storm->plan.runtime_ns);
	if (storm_draw_below(storm, 3) == 0) {
		script->pause_ppm = draw_ppm(storm) / 2;
		script->gap_ppm = draw_ppm(storm) / 2;
		script->look_ppm = draw_ppm(storm);
	}
	if (storm_draw_below(storm, 5) == 0)
		script->stop_ppm = draw_ppm(storm);
}

/*
 * Of a block that cannot be cut, a second look is like a read of the test: only
 * the time can tell them apart, so that it has to be exact.
 */
static void avoid_doubt(struct storm *storm)
{
	struct blkbench_plan *plan = &storm->plan;
	uint64_t unit = plan->sector_bytes;

	if (!plan->is_direct && unit < STORM_PAGE_BYTES)
		unit = STORM_PAGE_BYTES;
	if (plan->block_bytes > unit)
		return;
	plan->precision_percent = NAN;
	storm->device.has_pread = false;
	if (plan->engine == BLKBENCH_ENGINE_PREAD)
		plan->engine = BLKBENCH_ENGINE_AUTO;
}

void storm_script_make(struct storm *storm, uint64_t seed)
{
	storm->seed = seed;
	storm->random = seed * 0xd1342543de82ef95ULL;
	make_device(storm);
	make_plan(storm);
	make_range(storm);
	avoid_doubt(storm);
	make_latency(storm);
	make_runtime(storm);
	make_caller(storm);
	for (unsigned int i = 0; i < STORM_TROUBLES; i++) {
		if (storm_draw_below(storm, 100) >= troubles[i].percent)
			continue;
		storm->script.troubles |= 1U << i;
		if (troubles[i].prepare)
			troubles[i].prepare(storm);
	}
}
