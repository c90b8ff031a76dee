/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "device.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/major.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "blkdev.h"
#include "content.h"
#include "devmapper.h"
#include "error.h"
#include "health.h"
#include "inventory.h"
#include "loss.h"
#include "probe.h"
#include "throttle.h"
#include "topology.h"
#include "traffic.h"
#include "udevdb.h"

/* More than are open at a time while a device is described. */
#define DESCRIPTORS_MIN 8

struct blkbench_device {
	int fd;
	struct inventory inventory;
	struct content *content; /* reads that were outstanding, or NULL */
};

/* ---- open ------------------------------------------------------------ */

static int refuse_type(mode_t mode, struct blkbench_error *error)
{
	static const struct {
		mode_t type;
		const char *name;
	} table[] = {
		{ S_IFDIR, "a directory" },
		{ S_IFCHR, "a character device" },
		{ S_IFIFO, "a pipe" },
		{ S_IFSOCK, "a socket" },
	};
	const char *name = "of an unknown type";

	if (S_ISBLK(mode) || S_ISREG(mode))
		return 0;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if ((mode & S_IFMT) == table[i].type)
			name = table[i].name;
	return error_set(error, -ENOTBLK,
			 "is %s, neither a block device nor a regular file",
			 name);
}

/* Before open(2), which would wait for the other end of a pipe. */
static int check_path(const char *path, struct blkbench_error *error)
{
	char target[PATH_MAX];
	struct stat st;
	ssize_t length;
	int err;

	if (stat(path, &st) == 0)
		return refuse_type(st.st_mode, error);
	err = errno;
	length = readlink(path, target, sizeof(target));
	if (err == ENOENT && length >= 0)
		return error_set(error, -err,
				 "is a link to %.*s, which does not exist",
				 (int)length, target);
	return error_set(error, -err, "cannot open: %s", strerror(err));
}

static int refuse_open(int err, const char *path, struct blkbench_error *error)
{
	const char *advice = "";
	struct stat st;

	if (err == ENOMEDIUM)
		return error_set(error, -err, "no medium in the drive");
	if (err == EACCES)
		advice = stat(path, &st) == 0 && S_ISBLK(st.st_mode)
				 ? " (try as root, or in group disk)"
				 : " (try as root)";
	return error_set(error, -err, "cannot open: %s%s", strerror(err),
			 advice);
}

/* The only open of a device: no O_EXCL, which mounted disks refuse, and nothing
 * that would let it be written to. */
static int open_read_only(const char *path, struct blkbench_error *error)
{
	const int flags = O_RDONLY | O_CLOEXEC;
	int fd = open(path, flags | O_DIRECT);

	/* File systems that cannot do direct reads say so here. */
	if (fd < 0 && errno == EINVAL)
		fd = open(path, flags);
	return fd < 0 ? refuse_open(errno, path, error) : fd;
}

/* ---- describe -------------------------------------------------------- */

static int read_table(const struct stack_source *source, unsigned int major,
		      unsigned int minor, struct devmapper_visitor *visitor)
{
	(void)source;
	return devmapper_read_table(major, minor, visitor);
}

static int read_status(const struct stack_source *source, unsigned int major,
		       unsigned int minor, struct devmapper_visitor *visitor)
{
	(void)source;
	return devmapper_read_status(major, minor, visitor);
}

static int find_file(const struct stack_source *source, const char *path,
		     struct blkdev_file *file)
{
	(void)source;
	return blkdev_find_file(path, file);
}

static const struct inventory_sources system_sources = {
	.sysfs = "/sys",
	.stack = {
		.sysfs = "/sys",
		.read_table = read_table,
		.read_status = read_status,
		.find_file = find_file,
	},
	.mountinfo = "/proc/self/mountinfo",
	.swaps = "/proc/swaps",
};

static int check_size(const struct blkbench_info *info, uint64_t real_bytes,
		      struct blkbench_error *error)
{
	if (info->size_bytes > 0)
		return 0;
	if (real_bytes > 0)
		return error_set(error, -ENODATA,
				 "size %" PRIu64
				 " B: less than one sector of %" PRIu64 " B",
				 real_bytes,
				 info->topology.logical_sector_bytes);
	if (info->kind == BLKBENCH_KIND_FILE)
		return error_set(error, -ENODATA, "size 0: the file is empty");
	if (info->kind == BLKBENCH_KIND_LOOP)
		return error_set(error, -ENODATA,
				 "size 0: the loop device has no file, or an "
				 "empty one");
	return error_set(error, -ENODATA, "size 0: no medium, or not set up");
}

/* libblkid starts programs where the kernel does not answer, looks for the last
 * good sector of a CD, and asks drivers whether they have one: device-mapper
 * hands that down, and multipath keeps it until there is a path. */
static bool can_ask_libblkid(const struct blkbench_info *info,
			     const struct blkdev_limits *limits)
{
	return info->major != SCSI_CDROM_MAJOR &&
	       info->kind != BLKBENCH_KIND_DM &&
	       info->kind != BLKBENCH_KIND_LV &&
	       limits->physical_sector_bytes != BLKBENCH_UNKNOWN &&
	       limits->io_min_bytes != BLKBENCH_UNKNOWN &&
	       limits->io_opt_bytes != BLKBENCH_UNKNOWN &&
	       limits->alignment_offset_bytes != BLKBENCH_UNKNOWN_OFFSET;
}

static int ask_libblkid(struct blkbench_device *device,
			const struct blkdev_limits *limits)
{
	struct blkbench_topology opinion;
	int err = device_set_direct(device, false);

	if (err)
		return err;
	probe_topology(device->fd, &opinion);
	topology_compare(limits, &opinion, &device->inventory.warnings);
	return device_set_direct(device, true);
}

/* What cannot be opened looks as if it were not there. */
static void check_descriptors(struct blkbench_device *device)
{
	int spare[DESCRIPTORS_MIN];
	unsigned int count = 0;

	while (count < DESCRIPTORS_MIN &&
	       (spare[count] = fcntl(device->fd, F_DUPFD_CLOEXEC, 0)) >= 0)
		count++;
	if (count < DESCRIPTORS_MIN && (errno == EMFILE || errno == ENFILE))
		warnings_add(&device->inventory.warnings, "files",
			     "only %u more files could be opened (%s; ulimit "
			     "-n): what is not known may be so for want of "
			     "them",
			     count, strerror(errno));
	while (count > 0)
		close(spare[--count]);
}

static int describe_block(struct blkbench_device *device, dev_t devno,
			  struct blkbench_error *error)
{
	struct inventory *inventory = &device->inventory;
	struct blkdev_limits limits;
	int err = blkdev_limits_read(device->fd, &limits);

	if (err)
		return error_set(error, err, "cannot find its size: %s",
				 strerror(-err));
	check_descriptors(device);
	inventory_read(inventory, &system_sources, major(devno), minor(devno),
		       &limits);
	err = check_size(&inventory->info, limits.size_bytes, error);
	if (err)
		return err;
	if (can_ask_libblkid(&inventory->info, &limits))
		err = ask_libblkid(device, &limits);
	if (err)
		return error_set(error, err,
				 "cannot switch direct reads off and on: %s",
				 strerror(-err));
	udevdb_read(major(devno), minor(devno), &inventory->owned,
		    &inventory->info);
	inventory_tidy(inventory);
	return 0;
}

static int describe_file(struct blkbench_device *device, uint64_t size_bytes,
			 struct blkbench_error *error)
{
	struct blkbench_info *info = &device->inventory.info;
	struct blkdev_limits limits;
	const int flags = fcntl(device->fd, F_GETFL);

	blkdev_limits_read_file(device->fd, size_bytes, &limits);
	if (!(flags & O_DIRECT))
		limits.direct_offset_bytes = 0;
	inventory_read_file(&device->inventory, &system_sources, &limits);
	return check_size(info, size_bytes, error);
}

static int describe(struct blkbench_device *device,
		    struct blkbench_error *error)
{
	struct stat st;
	int err;

	if (fstat(device->fd, &st) != 0)
		return error_set(error, -errno, "cannot stat: %s",
				 strerror(errno));
	err = refuse_type(st.st_mode, error);
	if (err)
		return err;
	err = S_ISREG(st.st_mode)
		      ? describe_file(device, (uint64_t)st.st_size, error)
		      : describe_block(device, st.st_rdev, error);
	if (!err)
		inventory_judge(&device->inventory);
	return err;
}

int blkbench_device_open(const char *path, struct blkbench_device **device,
			 struct blkbench_error *error)
{
	struct blkbench_device *new;
	int err = check_path(path, error);

	if (err)
		return err;
	new = calloc(1, sizeof(*new));
	if (!new || inventory_init(&new->inventory, path) != 0) {
		free(new);
		return error_set(error, -ENOMEM, "cannot open: %s",
				 strerror(ENOMEM));
	}
	new->fd = open_read_only(path, error);
	err = new->fd < 0 ? new->fd : describe(new, error);
	if (err) {
		blkbench_device_close(new);
		return err;
	}
	*device = new;
	return 0;
}

void blkbench_device_close(struct blkbench_device *device)
{
	if (!device)
		return;
	content_close(device->content);
	if (device->fd >= 0)
		close(device->fd);
	inventory_finish(&device->inventory);
	free(device);
}

/* ---- use ------------------------------------------------------------- */

const struct blkbench_info *
blkbench_device_get_info(const struct blkbench_device *device)
{
	return &device->inventory.info;
}

int device_get_fd(const struct blkbench_device *device)
{
	return device->fd;
}

int device_set_direct(struct blkbench_device *device, bool is_direct)
{
	const int flags = fcntl(device->fd, F_GETFL);
	const int wanted = is_direct ? flags | O_DIRECT : flags & ~O_DIRECT;

	if (flags < 0)
		return -errno;
	if (wanted == flags)
		return 0;
	return fcntl(device->fd, F_SETFL, wanted) < 0 ? -errno : 0;
}

enum blkbench_loss device_find_loss(const struct blkbench_device *device,
				    const char **layer)
{
	return loss_find(&system_sources.stack, &device->inventory.info,
			 blkdev_find_size(device->fd), layer);
}

bool device_count_traffic(const struct blkbench_device *device,
			  struct doubt_traffic *traffic)
{
	return traffic_count(system_sources.sysfs, &device->inventory.info,
			     traffic);
}

void device_find_limits(const struct blkbench_device *device,
			struct doubt_limits *limits)
{
	throttle_find(system_sources.sysfs, "/proc/self/cgroup",
		      &device->inventory.info, limits);
}

int blkbench_health_read(const struct blkbench_device *device,
			 const struct blkbench_health *before,
			 struct blkbench_health *health)
{
	const struct blkbench_info *info = &device->inventory.info;

	return health_read(&system_sources.stack, info->layers,
			   info->layers_count, before, health);
}

void blkbench_device_set_stripe(struct blkbench_device *device,
				uint64_t stripe_bytes,
				uint64_t stripe_offset_bytes)
{
	assert(stripe_bytes > 0);
	device->inventory.stripe = (struct alignment_stripe){
		.bytes = stripe_bytes,
		.offset_bytes = stripe_offset_bytes,
	};
	inventory_judge(&device->inventory);
}

/* ---- content --------------------------------------------------------- */

static void warn_of_reads(struct inventory *inventory,
			  const struct content_state *state)
{
	if (state->engine_error)
		warnings_add(&inventory->warnings, "content",
			     "reading its ends: the engine failed: %s",
			     strerror(state->engine_error));
	if (state->failed)
		warnings_add(&inventory->warnings, "content",
			     "%u of %u reads of its ends failed, the first at "
			     "offset %" PRIu64 ": %s",
			     state->failed, state->reads,
			     state->failed_offset_bytes,
			     blkbench_read_error_text(state->failed_error));
	if (state->outstanding && !state->engine_error)
		warnings_add(&inventory->warnings, "content",
			     "%u of %u reads of its ends were not done after "
			     "1 s; what it contains may not be recognised",
			     state->outstanding, state->reads);
}

static bool is_content_known(const struct blkbench_content *content)
{
	return content->type && (strncmp(content->type, "ext", 3) != 0 ||
				 content->block_bytes != BLKBENCH_UNKNOWN);
}

int blkbench_device_probe_content(struct blkbench_device *device,
				  struct blkbench_error *error)
{
	struct inventory *inventory = &device->inventory;
	struct blkbench_info *info = &inventory->info;
	const struct content_source source = {
		.fd = device->fd,
		.size_bytes = info->size_bytes,
		.clock = &clock_monotonic,
		.engines = engine_table,
	};
	struct content_state state;
	struct content *content;
	int err, file;

	if (is_content_known(&info->content) || device->content)
		return 0;
	if (info->hang)
		return error_set(error, -EBUSY, "%s", info->hang);
	err = device_set_direct(device, info->direct_works);
	if (err)
		return error_set(error, err,
				 "cannot switch to direct reads: %s",
				 strerror(-err));
	err = content_read(&source, &content, error);
	if (err)
		return err;
	content_get_state(content, &state);
	file = content_to_file(content);
	if (state.outstanding)
		device->content = content;
	else
		content_close(content);
	if (file < 0)
		return error_set(error, file, "cannot keep its ends: %s",
				 strerror(-file));
	probe_content(file, info->topology.logical_sector_bytes,
		      &inventory->owned, &info->content);
	close(file);
	warn_of_reads(inventory, &state);
	inventory_judge(inventory);
	return 0;
}
