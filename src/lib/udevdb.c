/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "config.h"
#include "udevdb.h"

#if HAVE_UDEV

#include <libudev.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "parse.h"

/* The first of several properties (NULL ends them) that is there. */
static void take(struct udev_device *device, struct string_list *owned,
		 const char **field, const char *const names[])
{
	for (size_t i = 0; names[i]; i++) {
		const char *value =
			udev_device_get_property_value(device, names[i]);
		char text[BLKBENCH_TEXT_MAX];

		if (!value)
			continue;
		snprintf(text, sizeof(text), "%s", value);
		parse_unescape(text);
		parse_clean(text);
		if (!*text)
			continue;
		*field = string_list_add(owned, text);
		return;
	}
}

static void take_identity(struct udev_device *device, struct string_list *owned,
			  struct blkbench_info *info)
{
	/* Of SCSI disks ID_SERIAL_SHORT is the WWN; plain ID_MODEL has '_' for
	 * blanks. */
	const struct {
		const char **field;
		const char *names[4];
	} table[] = {
		{ &info->model, { "ID_MODEL_ENC", "ID_MODEL" } },
		{ &info->vendor, { "ID_VENDOR_ENC", "ID_VENDOR" } },
		{ &info->serial,
		  { "ID_SCSI_SERIAL", "ID_SERIAL_SHORT", "ID_SERIAL" } },
		{ &info->firmware, { "ID_REVISION" } },
		{ &info->wwn, { "ID_WWN_WITH_EXTENSION", "ID_WWN" } },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		take(device, owned, table[i].field, table[i].names);
}

static bool is_partition(struct udev_device *device)
{
	const char *type = udev_device_get_devtype(device);

	return type && strcmp(type, "partition") == 0;
}

static void take_content(struct udev_device *device, struct string_list *owned,
			 struct blkbench_content *content)
{
	take(device, owned, &content->type,
	     (const char *const[]){ "ID_FS_TYPE", NULL });
	if (content->type) {
		take(device, owned, &content->usage,
		     (const char *const[]){ "ID_FS_USAGE", NULL });
		take(device, owned, &content->label,
		     (const char *const[]){ "ID_FS_LABEL_ENC", "ID_FS_LABEL",
					    NULL });
		take(device, owned, &content->uuid,
		     (const char *const[]){ "ID_FS_UUID", NULL });
		return;
	}
	/* Partitions inherit all but ID_FS from their disk: its table, not
	 * one of their own. */
	if (is_partition(device))
		return;
	take(device, owned, &content->type,
	     (const char *const[]){ "ID_PART_TABLE_TYPE", NULL });
	if (content->type) {
		content->usage = "other";
		take(device, owned, &content->uuid,
		     (const char *const[]){ "ID_PART_TABLE_UUID", NULL });
	}
}

void udevdb_read(unsigned int major, unsigned int minor,
		 struct string_list *owned, struct blkbench_info *info)
{
	struct udev *udev = udev_new();
	struct udev_device *device = NULL;

	if (udev)
		device = udev_device_new_from_devnum(udev, 'b',
						     makedev(major, minor));
	if (device && udev_device_get_is_initialized(device) > 0) {
		take_identity(device, owned, info);
		take_content(device, owned, &info->content);
	}
	udev_device_unref(device);
	udev_unref(udev);
}

#else

void udevdb_read(unsigned int major, unsigned int minor,
		 struct string_list *owned, struct blkbench_info *info)
{
	(void)major;
	(void)minor;
	(void)owned;
	(void)info;
}

#endif
