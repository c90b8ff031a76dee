/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "tree.h"

#include <assert.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void tree_create(struct tree *tree)
{
	const char *made;

	strcpy(tree->root, "/tmp/blkbench.tree.XXXXXX");
	made = mkdtemp(tree->root);
	assert(made);
}

static int remove_one(const char *path, const struct stat *st, int flag,
		      struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void tree_destroy(struct tree *tree)
{
	const int err = nftw(tree->root, remove_one, 8, FTW_DEPTH | FTW_PHYS);

	assert(err == 0);
}

static void make_directories(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		int err;

		*slash = '\0';
		err = mkdir(path, 0700) == 0 ? 0 : errno;
		*slash = '/';
		assert(err == 0 || err == EEXIST);
	}
}

void tree_put(const struct tree *tree, const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", tree->root, name);
	make_directories(path);
	file = fopen(path, "w");
	assert(file);
	fputs(text, file);
	fclose(file);
}

void tree_link(const struct tree *tree, const char *devno, const char *name)
{
	char path[PATH_MAX], target[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s/dev/block/%s", tree->root, devno);
	snprintf(target, sizeof(target), "../../devices/%s", name);
	make_directories(path);
	err = symlink(target, path);
	assert(err == 0);
}
