/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "config.h"
#include "mounts.h"

#include <errno.h>

#if HAVE_MOUNT

#include <libmount/libmount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "parse.h"

/* Only below /dev: elsewhere, stat(2) may wait for a dead server. */
static dev_t devno_of_path(const char *path)
{
	struct stat st;

	if (!path || strncmp(path, "/dev/", strlen("/dev/")) != 0 ||
	    stat(path, &st) != 0 || !S_ISBLK(st.st_mode))
		return 0;
	return st.st_rdev;
}

/* btrfs gives each mount a device number of its own, with major 0. */
static dev_t devno_of_mount(struct libmnt_fs *fs)
{
	const dev_t devno = mnt_fs_get_devno(fs);

	return major(devno) ? devno : devno_of_path(mnt_fs_get_srcpath(fs));
}

static void add_place(const struct mounts_wanted *wanted, const char *place,
		      struct string_list *mounts)
{
	char *text;

	if (asprintf(&text, "%s%s%s", wanted->name ? wanted->name : "",
		     wanted->name ? " on " : "", place) < 0)
		return;
	parse_clean(text);
	string_list_add_once(mounts, text);
	free(text);
}

static const struct mounts_wanted *find(const struct mounts_wanted *wanted,
					size_t count, dev_t devno)
{
	for (size_t i = 0; i < count; i++)
		if (devno && wanted[i].devno == devno)
			return &wanted[i];
	return NULL;
}

static int list_mounted(struct libmnt_table *table, const char *mountinfo,
			const struct mounts_wanted *wanted, size_t count,
			struct string_list *mounts)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int err = iter ? mnt_table_parse_file(table, mountinfo) : -ENOMEM;

	while (!err && mnt_table_next_fs(table, iter, &fs) == 0) {
		const struct mounts_wanted *found =
			find(wanted, count, devno_of_mount(fs));

		if (found && mnt_fs_get_target(fs))
			add_place(found, mnt_fs_get_target(fs), mounts);
	}
	mnt_free_iter(iter);
	return err;
}

static int list_swaps(struct libmnt_table *table, const char *swaps,
		      const struct mounts_wanted *wanted, size_t count,
		      struct string_list *mounts)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;
	int err = iter ? mnt_table_parse_swaps(table, swaps) : -ENOMEM;

	while (!err && mnt_table_next_fs(table, iter, &fs) == 0) {
		const struct mounts_wanted *found = find(
			wanted, count, devno_of_path(mnt_fs_get_srcpath(fs)));

		if (found)
			add_place(found, "[SWAP]", mounts);
	}
	mnt_free_iter(iter);
	return err;
}

int mounts_list(const char *mountinfo, const char *swaps,
		const struct mounts_wanted *wanted, size_t wanted_count,
		struct string_list *mounts)
{
	struct libmnt_table *mounted = mnt_new_table();
	struct libmnt_table *swapped = mnt_new_table();
	int err = -ENOMEM;

	if (mounted && swapped)
		err = list_mounted(mounted, mountinfo, wanted, wanted_count,
				   mounts);
	/* A kernel without swap has no such table. */
	if (!err)
		list_swaps(swapped, swaps, wanted, wanted_count, mounts);
	mnt_unref_table(swapped);
	mnt_unref_table(mounted);
	return err;
}

#else

int mounts_list(const char *mountinfo, const char *swaps,
		const struct mounts_wanted *wanted, size_t wanted_count,
		struct string_list *mounts)
{
	(void)mountinfo;
	(void)swaps;
	(void)wanted;
	(void)wanted_count;
	(void)mounts;
	return -ENOSYS;
}

#endif
