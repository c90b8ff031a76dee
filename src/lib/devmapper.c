/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "config.h"
#include "devmapper.h"

#include <errno.h>

#if HAVE_DEVMAPPER

#include <libdevmapper.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#define CONTROL "/dev/mapper/control"

__attribute__((format(printf, 5, 6))) static void
say_nothing(int level, const char *file, int line, int error,
	    const char *format, ...)
{
	(void)level;
	(void)file;
	(void)line;
	(void)error;
	(void)format;
}

static void visit_targets(struct dm_task *task,
			  struct devmapper_visitor *visitor)
{
	void *next = NULL;

	do {
		struct devmapper_target target;
		char *type = NULL, *params = NULL;

		next = dm_get_next_target(task, next, &target.start_sectors,
					  &target.length_sectors, &type,
					  &params);
		target.type = type;
		target.params = params ? params : "";
		if (type)
			visitor->visit(visitor, &target);
	} while (next);
}

static int ask(struct dm_task *task, unsigned int major, unsigned int minor,
	       struct devmapper_visitor *visitor)
{
	struct dm_info info;

	/* Tables of dm-crypt hold keys: memory is wiped after use. A pool
	 * writes to its disk before it tells, unless not to flush. */
	if (!dm_task_secure_data(task) ||
	    !dm_task_set_major_minor(task, (int)major, (int)minor, 0) ||
	    !dm_task_no_open_count(task) || !dm_task_no_flush(task) ||
	    !dm_task_run(task) || !dm_task_get_info(task, &info) ||
	    !info.exists)
		return -EIO;
	visit_targets(task, visitor);
	return 0;
}

static int read_all_alone(int command, unsigned int major, unsigned int minor,
			  struct devmapper_visitor *visitor)
{
	struct dm_task *task;
	int err = -ENOMEM;

	/* Its log is one for the whole process, so only for this while. */
	dm_log_with_errno_init(say_nothing);
	task = dm_task_create(command);
	if (task) {
		err = ask(task, major, minor, visitor);
		dm_task_destroy(task);
	}
	dm_lib_release();
	dm_log_with_errno_init(NULL);
	return err;
}

/* The control node and the log of the library belong to the whole process, and
 * it does not lock them. So this state, too, is no thread's own. */
static int read_all(int command, unsigned int major, unsigned int minor,
		    struct devmapper_visitor *visitor)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	int err;

	/* The library would make the node, print, and ask for modules. */
	if (access(CONTROL, R_OK | W_OK) != 0)
		return errno == EACCES ? -EACCES : -ENOSYS;
	pthread_mutex_lock(&lock);
	err = read_all_alone(command, major, minor, visitor);
	pthread_mutex_unlock(&lock);
	return err;
}

int devmapper_read_table(unsigned int major, unsigned int minor,
			 struct devmapper_visitor *visitor)
{
	return read_all(DM_DEVICE_TABLE, major, minor, visitor);
}

int devmapper_read_status(unsigned int major, unsigned int minor,
			  struct devmapper_visitor *visitor)
{
	return read_all(DM_DEVICE_STATUS, major, minor, visitor);
}

#else

int devmapper_read_table(unsigned int major, unsigned int minor,
			 struct devmapper_visitor *visitor)
{
	(void)major;
	(void)minor;
	(void)visitor;
	return -ENOSYS;
}

int devmapper_read_status(unsigned int major, unsigned int minor,
			  struct devmapper_visitor *visitor)
{
	return devmapper_read_table(major, minor, visitor);
}

#endif
