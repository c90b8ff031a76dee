/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef BLKBENCH_H
#define BLKBENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * libblkbench measures how fast a block device streams and how fast it
 * seeks, and never writes to it.
 *
 *	device   an open device and what is known of it
 *	params   what the user asked for
 *	plan     which reads to do, how, and until when
 *	measure  a plan being carried out, slice by slice
 *	result   what was measured
 *	turns    measurements that take turns, so that they can be compared
 *	parallel  devices that are measured alone, and all at the same time
 *
 * A test ("seek") makes one or two plans from a device and the params; each
 * plan is measured by itself and gives one result.
 *
 * The library prints nothing, never exits, and installs no signal handler.
 * Fallible functions return 0 (or a positive value that they name) or a
 * negative errno, and then error->text says in one line what failed and, for a
 * bad setting, its value and what is allowed. A NULL error is not allowed.
 *
 * Objects are not locked: one thread at a time for each of them; different ones
 * may be used by different threads at the same time. A measurement, with the
 * turns that it takes, belongs to the thread that has created it, as its ring
 * does: no other one advances, pauses or destroys it. Signals are for the thread
 * that calls: the library's own ones block them.
 *
 * Sizes and offsets are bytes, times are nanoseconds, in 64 bits.
 */

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* "Not known", "not reported" or "not measured"; the same for a double is NAN,
 * for a string NULL. In params: "the test's own default". */
#define BLKBENCH_UNKNOWN UINT64_MAX
#define BLKBENCH_UNKNOWN_OFFSET INT64_MIN

#define BLKBENCH_TEXT_MAX 256

struct blkbench_error {
	char text[BLKBENCH_TEXT_MAX];
};

/* Something that makes a figure doubtful. */
struct blkbench_warning {
	const char *code; /* one word, doc/output.md lists them; static */
	const char *test; /* it belongs to; NULL: the device; static */
	char text[BLKBENCH_TEXT_MAX]; /* evidence and advice, one sentence */
};

/* ---- device ---------------------------------------------------------- */

enum blkbench_kind {
	BLKBENCH_KIND_UNKNOWN, /* a block device; sysfs would tell which */
	BLKBENCH_KIND_DISK,
	BLKBENCH_KIND_PARTITION,
	BLKBENCH_KIND_LV, /* device-mapper, made by LVM */
	BLKBENCH_KIND_DM, /* any other device-mapper device */
	BLKBENCH_KIND_MD,
	BLKBENCH_KIND_LOOP,
	BLKBENCH_KIND_ZRAM,
	BLKBENCH_KIND_FILE, /* a regular file */
};

enum blkbench_answer {
	BLKBENCH_NOT_KNOWN = -1,
	BLKBENCH_NO = 0,
	BLKBENCH_YES = 1,
};

struct blkbench_topology {
	uint64_t logical_sector_bytes; /* of offsets and lengths */
	uint64_t physical_sector_bytes;
	uint64_t io_min_bytes;	      /* chunk of an array, or UNKNOWN */
	uint64_t io_opt_bytes;	      /* full stripe, or UNKNOWN; see below */
	bool io_opt_is_bogus;	      /* reported, but senseless: not used */
	uint64_t dma_alignment_bytes; /* of memory addresses */
	uint64_t max_request_bytes;   /* the kernel splits larger ones */
	uint64_t queue_requests;      /* of the block queue, or UNKNOWN */
	/* Bytes from the device's first byte to the next naturally aligned
	 * one below; -1: the layers disagree; or UNKNOWN_OFFSET. */
	int64_t alignment_offset_bytes;
	/* Of the first byte on the disk below (partitions), else 0; UNKNOWN
	 * where sysfs is not there to tell one from the other. */
	uint64_t start_bytes;
};

enum blkbench_verdict {
	BLKBENCH_ALIGNMENT_UNKNOWN, /* nothing is declared to judge by */
	BLKBENCH_ALIGNED,
	BLKBENCH_MISALIGNED,
};

/* One boundary of one layer, and how far past it the device begins there. Where
 * several stretches of the device lie alike, one finding stands for them. */
struct blkbench_finding {
	const char *layer;    /* its name: "sda" */
	const char *boundary; /* "physical sector", "chunk"...; static */
	uint64_t boundary_bytes;
	uint64_t remainder_bytes;  /* 0: on the boundary */
	uint64_t next_start_bytes; /* nearest aligned byte of the layer, not
				    * before; or UNKNOWN */
	uint64_t device_bytes;	   /* where the first of the stretches begins */
	uint64_t places;	   /* how many they are */
	bool is_declared; /* counts for the verdict; else information */
	char text[BLKBENCH_TEXT_MAX];
};

#define BLKBENCH_ALIGNMENT_TEXT_MAX 1024

struct blkbench_alignment {
	enum blkbench_verdict verdict;
	size_t findings_count;
	const struct blkbench_finding *findings;
	char text[BLKBENCH_ALIGNMENT_TEXT_MAX]; /* the verdict in words */
};

/* Where a segment lies on a layer below: its data, one of its copies, or one of
 * the members it is spread over. */
struct blkbench_leg {
	size_t layer;	       /* index in the stack, or BLKBENCH_NO_LAYER */
	uint64_t offset_bytes; /* of the first byte there, or UNKNOWN */
	/* Where that is not known: each chunk lies at some multiple of this
	 * below; or UNKNOWN. */
	uint64_t multiple_bytes;
};

#define BLKBENCH_NO_LAYER SIZE_MAX /* missing, or not known */

/* A stretch of a layer that is mapped in one way. */
struct blkbench_segment {
	const char *kind;		    /* "linear", "raid5"...; static */
	uint64_t start_bytes, length_bytes; /* in its layer */
	uint64_t chunk_bytes;		    /* or UNKNOWN */
	uint64_t full_stripe_bytes; /* of the data members, or UNKNOWN */
	size_t data_members;	    /* that data is spread over; 0: not known */
	size_t legs_count;
	const struct blkbench_leg *legs;
};

/* A device, or a file, that the device is made of. */
struct blkbench_layer {
	const char *name;  /* the kernel's, "dm-3"; of a file its path */
	const char *title; /* "LV lv in vg", "raid5 of 4"..., or NULL */
	const char *kind;  /* "disk", "partition", "file"; else that of its
			    * segments, "mixed" or "not known"; static */
	const char *hang;  /* why its reads would hang, or NULL; static */
	unsigned int major, minor; /* 0:0 for a file */
	uint64_t size_bytes;	   /* or UNKNOWN */
	struct blkbench_topology topology;
	/* The part of it in which the device lies, or UNKNOWN. */
	uint64_t begin_bytes, end_bytes;
	size_t segments_count; /* 0: nothing below */
	const struct blkbench_segment *segments;
};

/* What is on the device, as udev, the mount table or a probe has it. */
struct blkbench_content {
	const char *usage; /* "filesystem", "raid", "crypto", "other" */
	const char *type;  /* "ext4", "LVM2_member", "dos" (a table)... */
	const char *label;
	const char *uuid;
	uint64_t block_bytes; /* of ext2, ext3 and ext4, or UNKNOWN */
};

/* All strings and arrays belong to the device and live as long as it. */
struct blkbench_info {
	const char *path;     /* as given */
	const char *resolved; /* links followed; may equal path */
	const char *name;     /* "LV lv in vg", "loop on /a/file", "raid5 of
				 * 4", "device-mapper name", or NULL */
	unsigned int major, minor; /* 0:0 for a regular file */
	enum blkbench_kind kind;
	uint64_t size_bytes; /* multiple of the logical sector, > 0 */

	const char *parent;	/* the whole disk of a partition, "sdb" */
	unsigned int partition; /* its number, or 0 */
	const char *vendor, *model, *serial, *firmware, *wwn;
	const char *transport; /* "sata", "nvme", "usb", "virtio"... */
	enum blkbench_answer rotational, read_only, removable;
	bool direct_works; /* false: a file system without O_DIRECT */
	const char *hang;  /* why reads would hang, here or below, or NULL */

	struct blkbench_topology topology;
	struct blkbench_alignment alignment;
	/* The device itself, and all that is below it; each layer once. */
	size_t layers_count;
	const struct blkbench_layer *layers;
	struct blkbench_content content;
	/* No list (NULL) is "not known"; one of 0 is "nowhere", "nobody". */
	size_t mounts_count;
	const char *const *mounts; /* "/srv", "sdb1 on /srv", "[SWAP]" */
	size_t holders_count;
	const char *const *holders; /* kernel names: "dm-3", "md0" */

	size_t warnings_count;
	const struct blkbench_warning *warnings;
};

struct blkbench_device;

/*
 * Opens a block device or regular file, O_RDONLY|O_DIRECT|O_CLOEXEC, and finds
 * out what it is without reading from it.
 *
 * Returns 0, or a negative errno:
 *	-ENOTBLK	neither a block device nor a regular file
 *	-ENODATA	size 0: an unbound loop, or no medium
 *	any of open(2)
 * On success the caller owns *device; blkbench_device_close() frees it.
 */
int blkbench_device_open(const char *path, struct blkbench_device **device,
			 struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* NULL is allowed. May block while reads of a hung device are outstanding. */
void blkbench_device_close(struct blkbench_device *device);

const struct blkbench_info *
blkbench_device_get_info(const struct blkbench_device *device);

/*
 * Judges the alignment again with a full stripe that the disks below do not
 * declare: stripe_bytes > 0, beginning stripe_offset_bytes into each disk.
 */
void blkbench_device_set_stripe(struct blkbench_device *device,
				uint64_t stripe_bytes,
				uint64_t stripe_offset_bytes);

/*
 * Finds out what the device contains by reading its two ends, where nothing
 * that needs no reading has told, or not how large the blocks are; info->content
 * then has it. Takes 1 s at the most; reads that are still outstanding then are
 * left to the device.
 *
 * Returns 0 (also if nothing was recognised), or a negative errno; -EBUSY:
 * reads would hang.
 */
int blkbench_device_probe_content(struct blkbench_device *device,
				  struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* ---- health ---------------------------------------------------------- */

#define BLKBENCH_UNKNOWN_TEMPERATURE INT64_MIN

#define BLKBENCH_STATE_MAX 32

/* What came of asking a disk through smartctl(8). */
enum blkbench_smart_answer {
	BLKBENCH_SMART_NOT_ASKED, /* no disk, suspended, or no time */
	BLKBENCH_SMART_TOLD,
	BLKBENCH_SMART_ASLEEP,	    /* it has stopped, and was left so */
	BLKBENCH_SMART_UNSUPPORTED, /* by the disk, or by what it is behind */
	BLKBENCH_SMART_REFUSED,	    /* smartctl could not open it */
	BLKBENCH_SMART_MISSING,	    /* smartctl, or json-c to read it with */
	BLKBENCH_SMART_TIMED_OUT,
	BLKBENCH_SMART_GARBLED,
};

/* What a disk itself tells of its health. Counts are over its life, UNKNOWN
 * where they are not told. */
struct blkbench_smart {
	enum blkbench_smart_answer answer;
	char text[BLKBENCH_TEXT_MAX]; /* why nothing is told, else "" */

	enum blkbench_answer passed; /* its own verdict */
	uint64_t power_on_hours;
	int64_t temperature;	    /* as in struct blkbench_layer_health */
	uint64_t error_log_entries; /* that it has logged, over its life */

	/* ATA: the raw values of attributes 5, 187, 188, 197, 198 and 199. */
	uint64_t reallocated_sectors;
	uint64_t reported_uncorrectable;
	uint64_t command_timeouts;
	uint64_t pending_sectors;
	uint64_t offline_uncorrectable;
	uint64_t crc_errors;
	/* ATA: the number of the first attribute that is at its threshold, of
	 * those that foretell a failure, and of the others or in the past; 0:
	 * none. */
	uint64_t failing_attribute, failed_attribute;

	/* NVMe: its SMART / health information log. */
	uint64_t critical_warning; /* bits */
	uint64_t media_errors;
	uint64_t percentage_used; /* of its rated life; may be above 100 */
	uint64_t available_spare_percent, spare_threshold_percent;

	/* SCSI */
	uint64_t grown_defects;
	uint64_t uncorrected_errors; /* of reads, writes and verifies */
};

/*
 * What the kernel knows of the health of a layer: a disk, an array, or a
 * device with several paths. Counts are since it was found or assembled, and
 * UNKNOWN where its driver has none.
 */
struct blkbench_layer_health {
	const char *layer; /* its name, "sda"; owned by the device */
	bool is_disk;
	enum blkbench_answer rotational, read_only;
	/* Put to sleep by the kernel's own power management. A disk whose own
	 * timer has stopped it is not known to be asleep. */
	enum blkbench_answer suspended;
	/* As the driver words it: SCSI "running", NVMe "live", md "clean"; or
	 * "". */
	char state[BLKBENCH_STATE_MAX];
	uint64_t reads; /* that were completed, whoever asked for them */

	/* Of SCSI and ATA disks: commands of any kind. To fail is no fault of
	 * the disk where it was asked for what it does not have. */
	uint64_t failed_commands, timeouts;

	/* In thousandths of a degree Celsius, or UNKNOWN_TEMPERATURE. */
	int64_t temperature, temperature_max, temperature_critical;

	/* Of arrays; or, if it is multipath, of its paths. */
	bool is_multipath;
	uint64_t members;
	uint64_t lost_members; /* failed, or missing */
	uint64_t
		corrected_errors; /* of reads of members, by the others' data */
	uint64_t bad_sectors;	  /* of members, known to the array */
	uint64_t mismatch_sectors; /* that its last check has found */

	struct blkbench_smart smart; /* BLKBENCH_SMART_NOT_ASKED at first */
};

struct blkbench_health {
	size_t layers_count;
	struct blkbench_layer_health *layers; /* as in info->layers, those that
						 have anything to tell; owned */
};

/*
 * Finds out what the kernel knows of the health of a device's layers, without
 * reading from any.
 *
 * Where before is NULL, no disk notices. Else it is what was found before the
 * device was read from, and temperatures are asked for, too: of disks that do
 * not spin, and of those that have completed reads since and so are awake.
 *
 * Returns 0, or -ENOMEM. The caller owns what is in *health, and
 * blkbench_health_finish() frees it; it lasts no longer than the device.
 */
int blkbench_health_read(const struct blkbench_device *device,
			 const struct blkbench_health *before,
			 struct blkbench_health *health)
	__attribute__((warn_unused_result));

/*
 * Asks the disks among the layers for SMART, one after another and for limit_ns
 * in all. That is done by smartctl(8), a program of its own, which sends them
 * commands that only ask, and none to one that has stopped. What cannot be
 * found out is said in smart.text.
 */
void blkbench_health_ask_smart(struct blkbench_health *health,
			       uint64_t limit_ns);

void blkbench_health_finish(struct blkbench_health *health);

/* That of the layer of a name, or NULL: there is none. health may be NULL. */
const struct blkbench_layer_health *
blkbench_health_find(const struct blkbench_health *health, const char *layer);

/* In thousandths of a degree Celsius, as the kernel knows it, or else the disk
 * itself; or BLKBENCH_UNKNOWN_TEMPERATURE. */
int64_t blkbench_health_temperature(const struct blkbench_layer_health *health);

/* ---- params ---------------------------------------------------------- */

enum blkbench_engine {
	BLKBENCH_ENGINE_AUTO,
	BLKBENCH_ENGINE_IO_URING,
	BLKBENCH_ENGINE_AIO,
	BLKBENCH_ENGINE_PREAD,
};

#define BLKBENCH_RUNTIME_MIN_NS 1000000ULL /* 1 ms to 10 days */
#define BLKBENCH_RUNTIME_MAX_NS (10ULL * 24 * 3600 * 1000000000)
#define BLKBENCH_PRECISION_MIN 0.01
#define BLKBENCH_PRECISION_MAX 50.0
#define BLKBENCH_BLOCK_MAX (64ULL << 20)
#define BLKBENCH_QUEUE_DEPTH_MAX 4096ULL
#define BLKBENCH_BUFFERS_MAX (1ULL << 30) /* block size times queue depth */
#define BLKBENCH_ERRORS_MAX 1000000000ULL
#define BLKBENCH_PLACES_MAX 1024ULL

/* What the user asked for; UNKNOWN (NAN) is "the test's own default". */
struct blkbench_params {
	uint64_t runtime_ns;	  /* for each test, 1 ms to 10 days */
	double precision_percent; /* stop at this half width, 0.01 to 50 */
	uint64_t block_bytes;  /* multiple of the logical sector, to 64 MiB */
	uint64_t queue_depth;  /* 1 to 4096; not for timed and cached */
	uint64_t offset_bytes; /* of the range; default 0 */
	uint64_t length_bytes; /* of the range; default to the end */
	uint64_t seed;	       /* of the random offsets; default: drawn */
	uint64_t max_errors;   /* give a test up then, 1 to 10^9; default 16,
				* of zones any number */
	uint64_t places;       /* of zones, 1 to 1024; default 50 */
	bool is_buffered;      /* through the page cache; default no */
	bool is_idle;	       /* let all other traffic go first; default no */
	enum blkbench_engine engine; /* default AUTO */
};

void blkbench_params_init(struct blkbench_params *params);

/* A seed that nobody has chosen; below 2^32, short enough to be typed. */
uint64_t blkbench_seed_draw(void);

/* "auto", "io_uring", "aio", "pread". Static. */
const char *blkbench_engine_name(enum blkbench_engine engine);

/* ---- tests and plans ------------------------------------------------- */

enum blkbench_pattern {
	BLKBENCH_PATTERN_SEQUENTIAL, /* on from offset; again at the end */
	BLKBENCH_PATTERN_RANDOM,     /* every block once, then again */
	BLKBENCH_PATTERN_REPEAT,     /* the first block again and again */
	BLKBENCH_PATTERN_PLACES,     /* sequential at each of some places */
};

struct blkbench_plan {
	const char *test; /* name of the test; static */
	enum blkbench_pattern pattern;
	bool is_seek;	/* seeks/s and access time are its figures */
	bool is_direct; /* past the page cache */
	bool is_idle;	/* reads of the idle I/O priority */
	enum blkbench_engine engine; /* AUTO: to be chosen by trial */
	uint64_t offset_bytes;	     /* the range: multiples of sector_bytes */
	uint64_t length_bytes;
	uint64_t block_bytes;  /* at most length_bytes */
	bool may_shrink;       /* block_bytes, where a slow device needs it */
	uint64_t sector_bytes; /* logical sector */
	uint64_t queue_depth;
	uint64_t runtime_ns;
	double precision_percent; /* or NAN: run to the end */
	bool is_precision_asked;  /* and not the test's own default */
	uint64_t seed;
	uint64_t warmup_limit_ns; /* of the discarded first read */
	uint64_t max_errors;	  /* give up after so many read errors */
	uint64_t places;	  /* from the first block to the last; or 0 */
	uint64_t place_bytes;	  /* at each so many, at least, */
	uint64_t place_ns;	  /* and for so long; UNKNOWN: for its share of
			    * the runtime */
};

struct blkbench_request; /* the library's own */

/* A row of the test table. */
struct blkbench_test {
	const char *name;    /* "sequential", "timed", "cached", "seek"... */
	const char *summary; /* for --help */
	char letter;	     /* its option: 'q', 't', 'T', 's', 'z', 'c' */
	bool is_default;
	bool has_queue_depth; /* params.queue_depth applies */
	int (*make)(const struct blkbench_request *request,
		    struct blkbench_plan *plans); /* for the library */
};

/* The table, in the order in which tests are run. Static. */
const struct blkbench_test *blkbench_test_list(size_t *count);

#define BLKBENCH_PLANS_MAX 2

/*
 * Checks the params against the device and makes a test's plans; does no I/O.
 *
 * Returns the number of plans (1 or 2), or -EINVAL: error->text names the
 * option, the value and what is allowed; -EOPNOTSUPP: direct reads are asked
 * for where they do not work; -EBUSY: reads would hang.
 */
int blkbench_plan_make(const struct blkbench_test *test,
		       const struct blkbench_info *info,
		       const struct blkbench_params *params,
		       struct blkbench_plan plans[BLKBENCH_PLANS_MAX],
		       struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* ---- results --------------------------------------------------------- */

/* A stretch of about 100 ms (longer in long runs) of a measurement. */
struct blkbench_slice {
	uint64_t elapsed_ns; /* its length, from completion to completion */
	uint64_t requests;   /* completed in it */
	uint64_t bytes;	     /* read by them */
	uint64_t latency_ns; /* sum of their latencies */
};

/* Counts of latencies; bucket i begins at blkbench_histogram_bound(i). */
#define BLKBENCH_HISTOGRAM_BUCKETS 2304

uint64_t blkbench_histogram_bound(size_t bucket);

struct blkbench_latency {
	uint64_t min_ns, mean_ns, p50_ns, p90_ns, p99_ns, p99_9_ns, max_ns;
};

/* What came of reading a failed read again after the test, in pieces. */
enum blkbench_reread {
	BLKBENCH_NOT_REREAD,  /* no time, an end in between, nothing to read */
	BLKBENCH_REREAD_BAD,  /* bad_list has what of it cannot be read */
	BLKBENCH_REREAD_GOOD, /* all of it was read at this second try */
};

/* Reads that failed alike at the same place. */
struct blkbench_read_error {
	uint64_t offset_bytes;
	uint64_t length_bytes;
	int error;	/* positive errno; 0: the device ended there */
	uint64_t reads; /* how many; in several passes, say */
	enum blkbench_reread reread;
};

/* Sectors next to each other that cannot be read, one by one, either. */
struct blkbench_bad_range {
	uint64_t offset_bytes;
	uint64_t length_bytes;
	int error;	/* positive errno */
	uint64_t reads; /* of error_list that failed for it */
};

/* "Input/output error", "critical medium error (No data available)"; for 0 "the
 * device ends there". Lasts until the next call. */
const char *blkbench_read_error_text(int error);

#define BLKBENCH_ERRORS_LISTED 8
#define BLKBENCH_BAD_RANGES_MAX 16

/* What has become of a device that fails its reads, or of one below it. */
enum blkbench_loss {
	BLKBENCH_LOSS_NONE,   /* nothing that the kernel would tell */
	BLKBENCH_LOSS_SHRUNK, /* what is left can still be read */
	BLKBENCH_LOSS_REMOVED,
	BLKBENCH_LOSS_OFFLINE, /* its driver has given it up */
	BLKBENCH_LOSS_NO_MEDIUM,
	BLKBENCH_LOSS_TABLE, /* of device-mapper: nothing but errors */
};

/* One of the places of a zones test. */
struct blkbench_zone {
	uint64_t offset_bytes;
	uint64_t length_bytes;	 /* really read from there on; 0: none */
	double rate_bytes_per_s; /* or NAN: not come to, or failed */
	uint64_t errors;	 /* reads that failed; it ended with them */
	int error;		 /* of the first; 0: the device ended there */
};

/* Where the first place of some begins, and so on; NAN and UNKNOWN where there
 * is no rate. */
struct blkbench_curve {
	double min_rate_bytes_per_s, mean_rate_bytes_per_s;
	double max_rate_bytes_per_s; /* the mean is that of the places */
	uint64_t min_offset_bytes, max_offset_bytes;
};

/* Places next to each other that were clearly slower than their neighbours, twice;
 * from the first of them to where the next other one begins. */
struct blkbench_slow_spot {
	uint64_t offset_bytes;
	uint64_t length_bytes;
	double rate_bytes_per_s;     /* of the slowest of them */
	double expected_bytes_per_s; /* there, by the neighbours */
};

/* A read that took long. */
struct blkbench_slow_read {
	uint64_t offset_bytes;
	uint64_t latency_ns;
};

#define BLKBENCH_SLOWEST_MAX 8
#define BLKBENCH_RESULT_WARNINGS_MAX 16

struct blkbench_result {
	struct blkbench_plan plan; /* as carried out */
	const char *engine;	   /* that did it; static */
	bool is_partial;	   /* interrupted, stalled or given up */
	uint64_t warmup_ns;	   /* the discarded first read, or UNKNOWN */
	uint64_t elapsed_ns;	   /* without pauses; UNKNOWN: not begun */
	uint64_t requests;	   /* completed without error */
	uint64_t bytes;		   /* really read by them */
	/* Of these, what ended the slower when nothing more was started, fewer
	 * and fewer being in flight: in no rate. */
	uint64_t tail_requests, tail_bytes, tail_ns;
	/* Of several in flight those that were begun together and found no
	 * queue: not in access_ms. */
	uint64_t head_requests, head_latency_ns;
	uint64_t passes;	/* begun over the range */
	uint64_t first_pass_ns; /* of a sequential test, or UNKNOWN */
	uint64_t short_reads;	/* completed by a further read */
	uint64_t retries;	/* EAGAIN or EINTR, tried again */
	uint64_t punted;	/* io_uring worker threads seen */

	uint64_t errors; /* reads that failed; in no figure here */
	size_t errors_listed;
	struct blkbench_read_error error_list[BLKBENCH_ERRORS_LISTED];
	size_t bad_count;
	struct blkbench_bad_range bad_list[BLKBENCH_BAD_RANGES_MAX];
	/* None of many reads has succeeded any more from this time of the test
	 * on, up to its end; or UNKNOWN. */
	uint64_t failing_since_ns;
	/* From here on all reads failed, and none before it; or UNKNOWN. */
	uint64_t ends_at_bytes;
	enum blkbench_loss loss;
	const char *lost_layer; /* the name of what it is about, or NULL;
				 * owned by the device */
	uint64_t stalled;	/* reads outstanding when it was given up */
	uint64_t stalled_ns;	/* age of the oldest of them */
	uint64_t stalled_offset_bytes;

	/* Of the medium, where a cache was found to have answered: of the
	 * first pass, of the misses. */
	double rate_bytes_per_s;    /* bytes / time, no tail; or NAN */
	double rate_ci95_percent;   /* half width of its 95 % interval */
	double rate_spread_percent; /* standard deviation of its 20 parts */
	double seeks_per_s;	    /* requests / time, no tail; seek tests */
	double access_ms;	    /* mean latency; seek tests */
	double access_ci95_percent; /* half width of its 95 % interval */
	double cached_rate_bytes_per_s; /* of later passes, or NAN */
	double hit_percent;   /* of the seeks, that a cache may have answered */
	double hit_access_ms; /* their mean latency, or NAN */
	double miss_access_ms; /* of the others: access_ms where that is sure */
	struct blkbench_latency latency; /* UNKNOWN where no read was done */
	size_t slowest_count;
	struct blkbench_slow_read slowest[BLKBENCH_SLOWEST_MAX]; /* falling */
	/* Of one CPU: of this process, with all that it measures meanwhile; or
	 * NAN. */
	double cpu_percent;
	/* What else was read and written meanwhile of the disks that the device
	 * lies on; UNKNOWN through the page cache, which reads on its own. */
	uint64_t other_read_bytes, other_written_bytes;
	const char *other_layer; /* of which; NULL: of several, or not known;
				  * owned by the device */
	double zero_percent; /* of what was read is zeros, or NAN; a sample */
	/* How much of the time some task of the machine waited for a CPU, which
	 * may have been one that served these reads; or NAN. */
	double cpu_pressure_percent;
	double overhead_ns; /* one at a time: mean time between reads */

	size_t slices_count;
	struct blkbench_slice *slices; /* owned by the result */
	uint64_t *histogram;	       /* BLKBENCH_HISTOGRAM_BUCKETS; owned */
	size_t zones_count;	       /* 0 but for zones tests */
	struct blkbench_zone *zones;   /* in the order of the device; owned */
	struct blkbench_curve curve;   /* of them */
	size_t slow_spots_count;
	struct blkbench_slow_spot *slow_spots; /* owned */
	size_t warnings_count;
	struct blkbench_warning warnings[BLKBENCH_RESULT_WARNINGS_MAX];
};

/* Frees what the result owns. */
void blkbench_result_finish(struct blkbench_result *result);

/* Several runs of one figure. */
struct blkbench_spread {
	double median, min, max;
	double percent; /* (max - min) / median * 100 */
};

/*
 * Leaves out NANs; all fields are NAN if nothing remains.
 * Returns 0, or -ENOMEM.
 */
int blkbench_spread_summarise(const double *values, size_t count,
			      struct blkbench_spread *spread)
	__attribute__((warn_unused_result));

/* ---- diagnosis -------------------------------------------------------- */

/* What reading a device has shown; blkbench_symptoms_init() sets them to "not
 * measured". */
struct blkbench_symptoms {
	uint64_t reads;	    /* that were good; 0: nothing was measured */
	uint64_t errors;    /* reads that failed */
	uint64_t bad_bytes; /* of sectors that cannot be read, as located */
	uint64_t bad_offset_bytes; /* the first that failed, or UNKNOWN */
	uint64_t stalled;	   /* reads that never came back */
	uint64_t stalled_offset_bytes;
	enum blkbench_loss loss;
	const char *lost_layer; /* or NULL */
	/* From here on all reads failed, and none before it; or UNKNOWN. */
	uint64_t ends_at_bytes;
	uint64_t
		worst_ns; /* the slowest good read, one at a time, or UNKNOWN */
	uint64_t worst_offset_bytes; /* where, or UNKNOWN */
	uint64_t slow_spots; /* clearly slower than their neighbours, twice */
	uint64_t slow_offset_bytes, slow_length_bytes; /* of the first */
	uint64_t places_missed;			       /* for want of time */
	/* Of a sample, what was read, and what of it was zeros. */
	double sampled_bytes, zero_bytes;
	/* Of tests that know what others did: what was read here, and what they
	 * read and wrote. */
	uint64_t own_bytes, other_bytes;
};

void blkbench_symptoms_init(struct blkbench_symptoms *symptoms);

/* Adds what a test has shown: its errors, bad sectors, stall and loss, its slow
 * spots, its slowest read if it read one at a time, and what others did. */
void blkbench_symptoms_add(struct blkbench_symptoms *symptoms,
			   const struct blkbench_result *result);

enum blkbench_condition {
	BLKBENCH_CONDITION_UNKNOWN, /* nothing was measured, nothing told */
	BLKBENCH_GOOD,
	BLKBENCH_WATCH, /* it works; have an eye on it, and a copy */
	BLKBENCH_BAD,
};

/* "unknown", "good", "watch", "bad". Static. */
const char *blkbench_condition_name(enum blkbench_condition condition);

struct blkbench_reason {
	enum blkbench_condition condition; /* GOOD: a remark */
	const char *code;  /* one word, doc/method.md lists them; static */
	const char *layer; /* that it is about, or NULL: the device as a whole;
			    * owned by the device */
	char text[BLKBENCH_TEXT_MAX];
};

struct blkbench_diagnosis {
	enum blkbench_condition condition; /* the worst of them */
	size_t reasons_count;
	struct blkbench_reason *reasons; /* the worst first; owned */
};

/*
 * Judges by what was measured and by what was told, after it and, where before
 * is not NULL, before it. doc/method.md has the rules and their sources.
 * Returns 0, or -ENOMEM. On success the caller owns what is in *diagnosis;
 * blkbench_diagnosis_finish() frees it.
 */
int blkbench_diagnose(const struct blkbench_symptoms *symptoms,
		      const struct blkbench_health *before,
		      const struct blkbench_health *after,
		      struct blkbench_diagnosis *diagnosis)
	__attribute__((warn_unused_result));

void blkbench_diagnosis_finish(struct blkbench_diagnosis *diagnosis);

/* ---- comparison ------------------------------------------------------ */

enum blkbench_outcome {
	BLKBENCH_UNDECIDED,
	BLKBENCH_EQUAL,	 /* the whole interval is within the equal_percent */
	BLKBENCH_FASTER, /* the second than the first, by the whole interval */
	BLKBENCH_SLOWER,
};

/* Of a second device with a first. doc/method.md says how it is computed. */
struct blkbench_comparison {
	uint64_t pairs; /* of slices that were compared */
	double ratio; /* second rate over first; of seek tests seeks/s; or NAN */
	double ratio_low, ratio_high; /* its 95 % interval, or NAN */
	enum blkbench_outcome verdict;
	double seconds_needed; /* undecided: further time to a verdict, or NAN */
};

/* "undecided", "equal", "faster", "slower". Static. */
const char *blkbench_outcome_name(enum blkbench_outcome outcome);

/* What counts as no difference: the usual, the least and the most. */
#define BLKBENCH_EQUAL_PERCENT 2.0
#define BLKBENCH_EQUAL_MIN 0.01
#define BLKBENCH_EQUAL_MAX 50.0

/*
 * Compares by paired slices: the i-th of first and the i-th of second were
 * measured side by side. Of count slices in one look; what is to be looked at
 * while it goes on is for blkbench_turns_create(). The seed is that of the
 * bootstrap: the same gives the same.
 */
void blkbench_compare(const struct blkbench_slice *first,
		      const struct blkbench_slice *second, size_t count,
		      bool is_seek, double equal_percent, uint64_t seed,
		      struct blkbench_comparison *comparison);

/* A figure of one run, or of several. */
struct blkbench_estimate {
	double value;	     /* > 0, or NAN */
	double ci95_percent; /* half width of its 95 % interval, or NAN */
	uint64_t elapsed_ns; /* that it was measured for */
};

/*
 * Several runs of one figure as one: their mean, with the wider of the
 * intervals that follow from those of the runs and from how the runs differ.
 * Runs without a value are left out; the value is NAN if none remains.
 */
void blkbench_estimate_merge(const struct blkbench_estimate *runs, size_t count,
			     struct blkbench_estimate *estimate);

/*
 * Compares two figures (rates, seeks/s) that were measured each by itself: at
 * another time, or on another host. Faster or slower is one whose whole interval
 * is beyond the equal_percent. seconds_needed is further time for the second
 * alone, NAN also where the first is too uncertain for any verdict.
 */
void blkbench_estimate_compare(const struct blkbench_estimate *first,
			       const struct blkbench_estimate *second,
			       double equal_percent,
			       struct blkbench_comparison *comparison);

enum blkbench_direction {
	BLKBENCH_DIRECTION_UNKNOWN, /* too few runs, or too short ones */
	BLKBENCH_STEADY,	    /* no trend beyond the spread of the runs */
	BLKBENCH_RISING,
	BLKBENCH_FALLING,
};

/* Of the runs of one figure, in the order in which they were made. */
struct blkbench_trend {
	enum blkbench_direction direction;
	double from,
		to; /* medians of the first and of the last third, or NAN */
};

/*
 * Whether the runs rise or fall beyond their spread. Runs without a value are
 * left out. Returns 0, or -ENOMEM.
 */
int blkbench_trend_find(const struct blkbench_estimate *runs, size_t count,
			struct blkbench_trend *trend)
	__attribute__((warn_unused_result));

/* A figure whose score is larger, up or down, is an odd one out. */
#define BLKBENCH_ODD_SCORE 3.5

/*
 * How far each of three or more figures of a kind (rates, access times; > 0,
 * NAN if not known) is from the median of all, in units of their spread, which
 * counts as half of the equal_percent at least. A score is NAN where the figure
 * is not known, all are where fewer than three figures are.
 * Returns 0, or -ENOMEM.
 */
int blkbench_odd_scores(const double *figures, size_t count,
			double equal_percent, double *scores)
	__attribute__((warn_unused_result));

/*
 * What the runs of one plan, in their order, tell beside what each does by
 * itself: "cache" where all later ones were clearly faster over the same range,
 * and then the first run's figure is the medium's; "rising" where they have a
 * trend. Returns whether there is a warning.
 */
bool blkbench_repeats_doubt(const struct blkbench_result *const *runs,
			    size_t count, struct blkbench_warning *warning);

/* ---- shares ---------------------------------------------------------- */

/* Whether something that devices have in common limits them. */
enum blkbench_limit {
	BLKBENCH_LIMIT_UNDECIDED,
	BLKBENCH_NOT_LIMITED, /* the interval begins within the equal_percent */
	BLKBENCH_LIMITED,     /* the whole interval is below 100 % */
};

/* "undecided", "not limited", "limited". Static. */
const char *blkbench_limit_name(enum blkbench_limit limit);

/* What is left of the rate of a device, or of the sum of those of several, when
 * all are read at the same time. doc/method.md says how it is computed. */
struct blkbench_share {
	uint64_t slices;	/* that were compared, of each kind */
	double alone, together; /* bytes/s; of seek tests seeks/s; or NAN */
	double percent;		/* together, of alone; or NAN */
	double percent_low, percent_high; /* its 95 % interval, or NAN */
	enum blkbench_limit verdict;
};

/* ---- devices of one disk ---------------------------------------------- */

/* A part of a device. */
struct blkbench_range {
	uint64_t offset_bytes, length_bytes;
};

/*
 * Chooses what to read of two devices that lie on the same disk, each in one
 * piece: ranges of one length, as near to each other on it as can be but 64 MiB
 * apart, so that both are in the same zone of it and neither finds in a cache
 * what the other has read. Of a disk without tracks, devices that share no
 * bytes are left alone.
 *
 * Returns whether it chose; else the ranges are left as they are.
 */
bool blkbench_shared_disk_choose(const struct blkbench_info *a,
				 const struct blkbench_info *b,
				 struct blkbench_range ranges[2]);

/* A device, and what of it is to be read. */
struct blkbench_placed {
	const struct blkbench_info *info;
	struct blkbench_range range;
};

/*
 * The same for one more device: a range as long as that of the first one placed
 * that lies on the same disk, as near to it as can be and apart from all that
 * are placed.
 *
 * Returns whether it chose; else the range is left as it is: there is none on
 * the same disk, or no room, or no reason to.
 */
bool blkbench_shared_disk_choose_next(const struct blkbench_placed *placed,
				      size_t count,
				      const struct blkbench_info *info,
				      struct blkbench_range *range);

/* Where on a disk that two devices share their ranges lie. */
struct blkbench_shared_disk {
	const char *disk; /* its name; belongs to the first device; or NULL */
	double begin_percent[2], end_percent[2]; /* of the disk */
	uint64_t shared_bytes;			 /* in both ranges */
	/* What the second's rate may be more than the first's by that alone,
	 * if the innermost track is half as fast as the outermost; 0 where
	 * there are no tracks. */
	double change_percent;
};

/* Returns whether they share a disk, each in one piece. */
bool blkbench_shared_disk_look(const struct blkbench_info *a,
			       const struct blkbench_info *b,
			       const struct blkbench_range ranges[2],
			       struct blkbench_shared_disk *shared);

/* The name of the uppermost layer of b that a lies on as well, in whatever
 * pieces; belongs to b. NULL: none is known. */
const char *blkbench_shared_layer(const struct blkbench_info *a,
				  const struct blkbench_info *b);

/* ---- measure --------------------------------------------------------- */

struct blkbench_measure;

/*
 * Prepares to carry out a plan: opens the engine and its buffers. The device
 * must outlive the measurement, and one device carries one at a time.
 *
 * Returns 0, or a negative errno (the asked-for engine is not there). On
 * success the caller owns *measure; blkbench_measure_destroy() frees it.
 */
int blkbench_measure_create(struct blkbench_device *device,
			    const struct blkbench_plan *plan,
			    struct blkbench_measure **measure,
			    struct blkbench_error *error)
	__attribute__((warn_unused_result));

/*
 * Goes on for about budget_ns, leaving reads in flight at the end of it, or
 * until a signal comes. The first call begins with the warm-up read and, where
 * the engine is to be chosen, the trial. After the test, reads that have failed
 * are read again for up to 2 s, to find the bad sectors.
 *
 * Returns 1 while there is more to do, 0 when the test is over.
 */
int blkbench_measure_advance(struct blkbench_measure *measure,
			     uint64_t budget_ns);

/*
 * Lets the reads in flight end and stops the clock until the next advance,
 * which begins with a warm-up read. Takes up to 2 s on a device that hangs; the
 * test then ends as stalled.
 */
void blkbench_measure_pause(struct blkbench_measure *measure);

/* Ends it as if its time were up: advancing goes on until the reads in flight
 * have ended and the bad sectors are found. */
void blkbench_measure_conclude(struct blkbench_measure *measure);

/* Ends it early: advancing goes on until the reads in flight have ended, for 2 s
 * at the most. */
void blkbench_measure_stop(struct blkbench_measure *measure);

struct blkbench_progress {
	double fraction;		      /* of the runtime, 0 to 1 */
	uint64_t elapsed_ns, requests, bytes; /* as in a result; 0 at first */
	double rate_bytes_per_s;	      /* so far, or NAN */
	double seeks_per_s;
};

void blkbench_measure_get_progress(const struct blkbench_measure *measure,
				   struct blkbench_progress *progress);

/*
 * Sums up what was measured so far. Returns 0, or -ENOMEM. The caller owns the
 * result; blkbench_result_finish() frees what it holds.
 */
int blkbench_measure_get_result(const struct blkbench_measure *measure,
				struct blkbench_result *result)
	__attribute__((warn_unused_result));

/* NULL is allowed. May block while reads of a hung device are outstanding. */
void blkbench_measure_destroy(struct blkbench_measure *measure);

/* ---- turns ----------------------------------------------------------- */

struct blkbench_turns;

struct blkbench_turns_params {
	uint64_t limit_ns;    /* for all of it, with pauses; > 0 */
	double equal_percent; /* what counts as no difference; > 0, to 50 */
	uint64_t seed;	      /* of the bootstrap */
};

/*
 * Lets two or more measurements of one test take turns, slice by slice and
 * there and back (A B C C B A), so that drift hits all alike, and compares each
 * with the first. A slice is a fortieth of its share of the limit, 0.25 to 1 s,
 * but 8 reads at the least, and a discarded read comes before it.
 *
 * The measurements stay the caller's, who advances none of them until the turns
 * are destroyed, and asks each for its own result at any time. Their plans
 * should allow them the whole limit and no early end by precision: one that is
 * over, has failed or has stalled drops out, its comparison as good as its
 * slices; if it is the first, all is over.
 *
 * Returns 0, or -ENOMEM, or -EINVAL: fewer than two, or not of one test. On
 * success the caller owns *turns; blkbench_turns_destroy() frees it.
 */
int blkbench_turns_create(struct blkbench_measure *const *measures,
			  size_t count,
			  const struct blkbench_turns_params *params,
			  struct blkbench_turns **turns,
			  struct blkbench_error *error)
	__attribute__((warn_unused_result));

/*
 * Goes on for about budget_ns; for up to 2 s more where a device hangs. A
 * comparison that is decided takes no more turns.
 *
 * Returns 1 while there is more to do, 0 when each comparison is decided, has
 * dropped out or is out of time. All are paused then, and none is partial.
 */
int blkbench_turns_advance(struct blkbench_turns *turns, uint64_t budget_ns);

/* Stops the clock until the next advance, as blkbench_measure_pause(): the time
 * between is none of the limit. */
void blkbench_turns_pause(struct blkbench_turns *turns);

/* Ends it early, and with it each measurement, as blkbench_measure_stop():
 * advancing goes on until the reads in flight have ended. */
void blkbench_turns_stop(struct blkbench_turns *turns);

struct blkbench_turns_progress {
	double fraction; /* of the limit, 0 to 1 */
	size_t current;	 /* whose turn it is */
	size_t slices;	 /* that the first has had */
	size_t decided;	 /* comparisons */
};

void blkbench_turns_get_progress(const struct blkbench_turns *turns,
				 struct blkbench_turns_progress *progress);

/*
 * The index-th measurement (from 1 on) against the first, as it was last looked
 * at. The interval is widened for the looks that came before: it misses in 5 %
 * of runs at the most, however often it was looked at.
 */
void blkbench_turns_get_comparison(const struct blkbench_turns *turns,
				   size_t index,
				   struct blkbench_comparison *comparison);

/* NULL is allowed. The measurements are left as they are. */
void blkbench_turns_destroy(struct blkbench_turns *turns);

/* ---- all at the same time -------------------------------------------- */

struct blkbench_parallel;

struct blkbench_parallel_params {
	/* For each device alone, and as much for all together, with all between
	 * the slices; > 0. */
	uint64_t limit_ns;
	double equal_percent; /* what counts as no loss; > 0, to 50 */
	uint64_t seed;	      /* of the bootstrap */
};

/*
 * Measures one test on two or more devices, each alone and all at the same
 * time, slice by slice and there and back (A B T T B A, where T is all of them),
 * so that drift hits all alike. Each has a thread of its own, on which its
 * measurements are made, carried out and destroyed; signals are blocked there.
 * It ends before the limit when each has been read alone for the runtime of its
 * plan, and there are slices enough. The plans' precision is not looked at.
 *
 * The devices must outlive it and be measured by nothing else meanwhile. One
 * that cannot be measured, fails or stalls drops out, and the others begin anew.
 *
 * Returns 0, or -ENOMEM, or -EAGAIN (no threads), or -EINVAL: fewer than two, or
 * not of one test. On success the caller owns *parallel;
 * blkbench_parallel_destroy() frees it.
 */
int blkbench_parallel_create(struct blkbench_device *const *devices,
			     const struct blkbench_plan *plans, size_t count,
			     const struct blkbench_parallel_params *params,
			     struct blkbench_parallel **parallel,
			     struct blkbench_error *error)
	__attribute__((warn_unused_result));

/* Goes on for about budget_ns; the caller only waits. Returns 1 while there is
 * more to do, 0 when the time is up or nothing is left to be measured. */
int blkbench_parallel_advance(struct blkbench_parallel *parallel,
			      uint64_t budget_ns);

/* Stops the clock until the next advance, as blkbench_measure_pause(); for that
 * it waits for 2 s for each device at the most. */
void blkbench_parallel_pause(struct blkbench_parallel *parallel);

/* Ends it early, and with it each measurement, as blkbench_measure_stop():
 * advancing goes on until the reads in flight have ended. */
void blkbench_parallel_stop(struct blkbench_parallel *parallel);

/* Ends it at once: does not wait for the reads in flight, but for the threads to
 * leave them alone, 1 s at the most. Nothing but getting and destroying is to
 * follow. */
void blkbench_parallel_leave(struct blkbench_parallel *parallel);

#define BLKBENCH_ALL SIZE_MAX /* instead of an index */

struct blkbench_parallel_progress {
	double fraction; /* of the time, 0 to 1 */
	size_t current;	 /* which one is alone just now, or BLKBENCH_ALL */
	double rate_bytes_per_s, seeks_per_s; /* of it, or of all; or NAN */
};

void blkbench_parallel_get_progress(
	struct blkbench_parallel *parallel,
	struct blkbench_parallel_progress *progress);

/*
 * What the index-th device did alone, and what at the same time as the others,
 * when it is over or left. Of the latter cpu_percent is that of all of them.
 *
 * Returns 0, or a negative errno with error->text: why it could not be
 * measured; -ENODATA: it did not come to that; -EBUSY: its thread is still
 * held up by the device. The caller owns the result.
 */
int blkbench_parallel_get_alone(struct blkbench_parallel *parallel,
				size_t index, struct blkbench_result *result,
				struct blkbench_error *error)
	__attribute__((warn_unused_result));
int blkbench_parallel_get_together(struct blkbench_parallel *parallel,
				   size_t index, struct blkbench_result *result,
				   struct blkbench_error *error)
	__attribute__((warn_unused_result));

/*
 * What is left of the rate of the index-th device, or with BLKBENCH_ALL of all
 * that have not dropped out, when it is over or left; of one that has, nothing.
 * Returns 0, or -ENOMEM.
 */
int blkbench_parallel_get_share(const struct blkbench_parallel *parallel,
				size_t index, struct blkbench_share *share)
	__attribute__((warn_unused_result));

/* NULL is allowed. May block while reads of a hung device are outstanding. */
void blkbench_parallel_destroy(struct blkbench_parallel *parallel);

/* "0.1.0". Static. */
const char *blkbench_version(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
