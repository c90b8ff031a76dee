/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef PARSE_H
#define PARSE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Text from the kernel, from udev and from the disks themselves, which may
 * hold anything.
 */

/* Decimal, with blanks around it. Return 0, -EINVAL or -ERANGE. */
int parse_u64(const char *text, uint64_t *value);
int parse_i64(const char *text, int64_t *value);

/* The same of "0x1a", as the kernel prints its counters of SCSI commands. */
int parse_hex(const char *text, uint64_t *value);

/* "253:0". Returns 0, or -EINVAL. */
int parse_devno(const char *text, unsigned int *major, unsigned int *minor);

/*
 * In place: blanks at both ends go; control characters and what is not UTF-8
 * become '?', so that a label cannot steer a terminal or break JSON.
 */
void parse_clean(char *text);

/* In place: udev's "\x20" back to what it stands for. */
void parse_unescape(char *text);

#define PARSE_DM_NAME_MAX 128 /* DM_NAME_LEN, with its end */

/*
 * Splits the name LVM gave to a device-mapper device: "vg-lv", where "--" is a
 * hyphen of a name. Returns 0, or -EINVAL.
 */
int parse_lv_name(const char *name, char vg[PARSE_DM_NAME_MAX],
		  char lv[PARSE_DM_NAME_MAX]);

/*
 * The serial number in a SCSI unit's page 80h of vital product data; size is
 * that of serial, with its end. Returns 0, or -EINVAL.
 */
int parse_vpd_serial(const uint8_t *page, size_t length, char *serial,
		     size_t size);

/*
 * What the place of a device in sysfs ("../../devices/pci0/ata1/...") says of
 * how it is connected: "sata", "nvme"... Static, or NULL.
 */
const char *parse_transport(const char *place);

#endif
