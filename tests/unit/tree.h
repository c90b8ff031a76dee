/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TREE_H
#define TREE_H

/* A made-up sysfs, in a directory of its own that is removed after the test. */
struct tree {
	char root[32];
};

void tree_create(struct tree *tree);
void tree_destroy(struct tree *tree);

/* Writes a file, and makes the directories it is in. */
void tree_put(const struct tree *tree, const char *name, const char *text);

/* So that a device's number leads to its directory: "8:0" to devices/sda. */
void tree_link(const struct tree *tree, const char *devno, const char *name);

#endif
