/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef SYSFS_H
#define SYSFS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "string_list.h"

/*
 * A block device's directory below a given root, "/sys" or a test's tree. What
 * is not there cannot be read; nothing else happens then.
 */
struct sysfs {
	int self; /* its directory, or -1 */
	int disk; /* that of the whole disk, which it may be */
	bool is_partition;
	char place[PATH_MAX]; /* "../../devices/.../sdb/sdb1", or "" */
};

void sysfs_open(struct sysfs *sysfs, const char *root, unsigned int major,
		unsigned int minor);
void sysfs_close(struct sysfs *sysfs);

/* The kernel's names of the device and of its disk; "" where not known. */
void sysfs_get_name(const struct sysfs *sysfs, char name[NAME_MAX + 1]);
void sysfs_get_disk_name(const struct sysfs *sysfs, char name[NAME_MAX + 1]);

/*
 * Read an attribute below one of the two directories. Text is cleaned, and not
 * empty. Return 0, or a negative errno.
 */
int sysfs_read_text(int directory, const char *attribute, char *text,
		    size_t size);
/* Of a path all counts but the end of its line: blanks, too. */
int sysfs_read_path(int directory, const char *attribute, char *path,
		    size_t size);
int sysfs_read_u64(int directory, const char *attribute, uint64_t *value);
int sysfs_read_hex(int directory, const char *attribute, uint64_t *value);
int sysfs_read_i64(int directory, const char *attribute, int64_t *value);
int sysfs_read_devno(int directory, const char *attribute, unsigned int *major,
		     unsigned int *minor);

/* Of sizes and starts, whatever the sector of the device. */
#define SYSFS_SECTOR_BYTES 512ULL

/* What is told in units of so many bytes, in bytes; or BLKBENCH_UNKNOWN. */
uint64_t sysfs_read_size(int directory, const char *attribute,
			 uint64_t unit_bytes);

/* As it is. Returns the bytes read, or a negative errno. */
int sysfs_read_bytes(int directory, const char *attribute, void *bytes,
		     size_t size);

bool sysfs_has(int directory, const char *attribute);

/* Adds the names in a directory below one of the two, each once. Returns 0, or
 * a negative errno. */
int sysfs_list(int directory, const char *path, struct string_list *names);

struct sysfs_partition {
	char name[NAME_MAX + 1];
	unsigned int major, minor;
};

/* A whole disk's partitions, in the order of their names. The caller frees
 * *list. Returns their number, or a negative errno. */
int sysfs_list_partitions(const struct sysfs *sysfs,
			  struct sysfs_partition **list);

/*
 * Adds who holds the device, and for a whole disk its partitions.
 * Returns 0, or a negative errno: not known.
 */
int sysfs_list_holders(const struct sysfs *sysfs, struct string_list *holders);

#endif
