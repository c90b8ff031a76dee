/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <blkbench.h>

#include "parse.h"

#define DIRECTORY (O_PATH | O_DIRECTORY | O_CLOEXEC)

void sysfs_open(struct sysfs *sysfs, const char *root, unsigned int major,
		unsigned int minor)
{
	char path[PATH_MAX];
	ssize_t length;

	*sysfs = (struct sysfs){ .self = -1, .disk = -1 };
	snprintf(path, sizeof(path), "%s/dev/block/%u:%u", root, major, minor);
	length = readlink(path, sysfs->place, sizeof(sysfs->place) - 1);
	if (length < 0)
		return;
	sysfs->self = open(path, DIRECTORY);
	if (sysfs->self < 0) {
		sysfs->place[0] = '\0';
		return;
	}
	sysfs->is_partition = sysfs_has(sysfs->self, "partition");
	sysfs->disk = openat(sysfs->self, sysfs->is_partition ? ".." : ".",
			     DIRECTORY);
}

void sysfs_close(struct sysfs *sysfs)
{
	if (sysfs->disk >= 0)
		close(sysfs->disk);
	if (sysfs->self >= 0)
		close(sysfs->self);
	sysfs->disk = -1;
	sysfs->self = -1;
}

/* The depth-th directory from the end of the place; 0 is the last. */
static void name_from_place(const char *place, unsigned int depth,
			    char name[NAME_MAX + 1])
{
	const char *end = place + strlen(place);
	const char *begin = end;

	for (;;) {
		while (begin > place && begin[-1] != '/')
			begin--;
		if (depth-- == 0 || begin == place)
			break;
		end = --begin;
	}
	snprintf(name, NAME_MAX + 1, "%.*s", (int)(end - begin), begin);
	/* "cciss!c0d0" is how sysfs has /dev/cciss/c0d0. */
	for (char *at = name; (at = strchr(at, '!'));)
		*at = '/';
	parse_clean(name);
}

void sysfs_get_name(const struct sysfs *sysfs, char name[NAME_MAX + 1])
{
	name_from_place(sysfs->place, 0, name);
}

void sysfs_get_disk_name(const struct sysfs *sysfs, char name[NAME_MAX + 1])
{
	name_from_place(sysfs->place, sysfs->is_partition ? 1 : 0, name);
}

int sysfs_read_bytes(int directory, const char *attribute, void *bytes,
		     size_t size)
{
	ssize_t length;
	int fd, err;

	fd = openat(directory, attribute, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	length = read(fd, bytes, size);
	err = errno;
	close(fd);
	return length < 0 ? -err : (int)length;
}

int sysfs_read_text(int directory, const char *attribute, char *text,
		    size_t size)
{
	int length = sysfs_read_bytes(directory, attribute, text, size - 1);

	if (length < 0)
		return length;
	text[length] = '\0';
	parse_clean(text);
	return *text ? 0 : -ENODATA;
}

int sysfs_read_path(int directory, const char *attribute, char *path,
		    size_t size)
{
	int length = sysfs_read_bytes(directory, attribute, path, size - 1);

	if (length < 0)
		return length;
	if (length > 0 && path[length - 1] == '\n')
		length--;
	path[length] = '\0';
	return *path ? 0 : -ENODATA;
}

int sysfs_read_u64(int directory, const char *attribute, uint64_t *value)
{
	char text[64];
	int err = sysfs_read_text(directory, attribute, text, sizeof(text));

	return err ? err : parse_u64(text, value);
}

int sysfs_read_hex(int directory, const char *attribute, uint64_t *value)
{
	char text[64];
	int err = sysfs_read_text(directory, attribute, text, sizeof(text));

	return err ? err : parse_hex(text, value);
}

int sysfs_read_i64(int directory, const char *attribute, int64_t *value)
{
	char text[64];
	int err = sysfs_read_text(directory, attribute, text, sizeof(text));

	return err ? err : parse_i64(text, value);
}

int sysfs_read_devno(int directory, const char *attribute, unsigned int *major,
		     unsigned int *minor)
{
	char text[64];
	int err = sysfs_read_text(directory, attribute, text, sizeof(text));

	return err ? err : parse_devno(text, major, minor);
}

uint64_t sysfs_read_size(int directory, const char *attribute,
			 uint64_t unit_bytes)
{
	uint64_t value;

	if (sysfs_read_u64(directory, attribute, &value) != 0 ||
	    __builtin_mul_overflow(value, unit_bytes, &value))
		return BLKBENCH_UNKNOWN;
	return value;
}

bool sysfs_has(int directory, const char *attribute)
{
	struct stat st;

	/* Not faccessat(2), the newer form of which old profiles of containers
	 * refuse. */
	return fstatat(directory, attribute, &st, 0) == 0;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void free_entries(struct dirent **entries, int count)
{
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
}

static bool read_partition(int disk, const char *name,
			   struct sysfs_partition *partition)
{
	const int directory = openat(disk, name, DIRECTORY | O_NOFOLLOW);
	bool is_one;

	if (directory < 0)
		return false;
	is_one = sysfs_has(directory, "partition") &&
		 sysfs_read_devno(directory, "dev", &partition->major,
				  &partition->minor) == 0;
	close(directory);
	snprintf(partition->name, sizeof(partition->name), "%s", name);
	return is_one;
}

int sysfs_list_partitions(const struct sysfs *sysfs,
			  struct sysfs_partition **list)
{
	struct dirent **entries;
	int count, found = 0;

	if (sysfs->self < 0)
		return -ENOENT;
	count = scandirat(sysfs->self, ".", &entries, is_visible, versionsort);
	if (count < 0)
		return -errno;
	*list = calloc((size_t)count + 1, sizeof(**list));
	for (int i = 0; *list && i < count; i++)
		found += read_partition(sysfs->self, entries[i]->d_name,
					&(*list)[found]);
	free_entries(entries, count);
	return *list ? found : -ENOMEM;
}

int sysfs_list(int directory, const char *path, struct string_list *names)
{
	struct dirent **entries;
	int count =
		scandirat(directory, path, &entries, is_visible, versionsort);

	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++)
		string_list_add_once(names, entries[i]->d_name);
	free_entries(entries, count);
	return 0;
}

int sysfs_list_holders(const struct sysfs *sysfs, struct string_list *holders)
{
	struct sysfs_partition *partitions;
	int err, count;

	err = sysfs_list(sysfs->self, "holders", holders);
	if (err)
		return err;
	count = sysfs_list_partitions(sysfs, &partitions);
	for (int i = 0; i < count; i++) {
		char path[NAME_MAX + sizeof("/holders")];

		snprintf(path, sizeof(path), "%s/holders", partitions[i].name);
		sysfs_list(sysfs->self, path, holders);
	}
	if (count >= 0)
		free(partitions);
	return count < 0 ? count : 0;
}
