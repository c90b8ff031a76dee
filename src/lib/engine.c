/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "engine.h"

#include <errno.h>

#include "config.h"
#include "error.h"

const struct engine_ops *const engine_table[] = {
	&engine_io_uring,
#if HAVE_AIO
	&engine_aio,
#endif
	&engine_pread,
	NULL,
};

static const char *const engine_names[] = {
	[BLKBENCH_ENGINE_AUTO] = "auto",
	[BLKBENCH_ENGINE_IO_URING] = "io_uring",
	[BLKBENCH_ENGINE_AIO] = "aio",
	[BLKBENCH_ENGINE_PREAD] = "pread",
};

const char *blkbench_engine_name(enum blkbench_engine engine)
{
	return engine_names[engine];
}

static int open_first(const struct engine_ops *const *table,
		      const struct engine_setup *setup, struct engine **engine,
		      struct blkbench_error *reason,
		      struct blkbench_error *error)
{
	int rc = -ENOSYS;

	for (size_t i = 0; table[i]; i++) {
		rc = table[i]->open(setup, engine, error);
		if (!rc)
			break;
		if (i == 0)
			*reason = *error;
	}
	return rc;
}

int engine_open(const struct engine_ops *const *table, enum blkbench_engine id,
		const struct engine_setup *setup, struct engine **engine,
		struct blkbench_error *reason, struct blkbench_error *error)
{
	reason->text[0] = '\0';
	if (id == BLKBENCH_ENGINE_AUTO)
		return open_first(table, setup, engine, reason, error);

	for (size_t i = 0; table[i]; i++) {
		if (table[i]->id == id)
			return table[i]->open(setup, engine, error);
	}
	return error_set(error, -ENOSYS, "engine %s is not built in",
			 blkbench_engine_name(id));
}
