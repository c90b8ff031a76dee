/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_blanks(const char *text)
{
	while (is_blank((unsigned char)*text))
		text++;
	return text;
}

int parse_u64(const char *text, uint64_t *value)
{
	uint64_t sum = 0;

	text = skip_blanks(text);
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	for (; isdigit((unsigned char)*text); text++)
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, *text - '0', &sum))
			return -ERANGE;
	if (*skip_blanks(text))
		return -EINVAL;
	*value = sum;
	return 0;
}

int parse_i64(const char *text, int64_t *value)
{
	const bool is_negative = *skip_blanks(text) == '-';
	uint64_t magnitude;
	int err;

	text = skip_blanks(text) + is_negative;
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	err = parse_u64(text, &magnitude);
	if (err)
		return err;
	if (magnitude > INT64_MAX)
		return -ERANGE;
	*value = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
	return 0;
}

int parse_hex(const char *text, uint64_t *value)
{
	uint64_t sum = 0;

	text = skip_blanks(text);
	if (strncmp(text, "0x", 2) != 0 || !isxdigit((unsigned char)text[2]))
		return -EINVAL;
	for (text += 2; isxdigit((unsigned char)*text); text++) {
		const int digit = isdigit((unsigned char)*text)
					  ? *text - '0'
					  : tolower((unsigned char)*text) -
						    'a' + 10;

		if (sum > UINT64_MAX >> 4)
			return -ERANGE;
		sum = sum << 4 | (uint64_t)digit;
	}
	if (*skip_blanks(text))
		return -EINVAL;
	*value = sum;
	return 0;
}

int parse_devno(const char *text, unsigned int *major, unsigned int *minor)
{
	unsigned int numbers[2];
	int end = -1;

	if (strnlen(text, 24) == 24 ||
	    sscanf(text, "%9u:%9u %n", &numbers[0], &numbers[1], &end) != 2 ||
	    end < 0 || text[end])
		return -EINVAL;
	*major = numbers[0];
	*minor = numbers[1];
	return 0;
}

/* Bytes of the UTF-8 character at text, or 0. */
static size_t utf8_length(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t first; /* code point that needs so many bytes */
	} forms[] = {
		{ 0x80, 0x00, 0 },
		{ 0xe0, 0xc0, 0x80 },
		{ 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		uint32_t point = text[0] & (unsigned char)~forms[i].mask;

		if ((text[0] & forms[i].mask) != forms[i].lead)
			continue;
		for (size_t k = 1; k <= i; k++) {
			if ((text[k] & 0xc0) != 0x80)
				return 0;
			point = point << 6 | (text[k] & 0x3f);
		}
		if (point < forms[i].first || point > 0x10ffff ||
		    (point >= 0xd800 && point <= 0xdfff))
			return 0;
		return i + 1;
	}
	return 0;
}

static bool is_control(const unsigned char *text, size_t length)
{
	return (length == 1 && (*text < 0x20 || *text == 0x7f)) ||
	       (length == 2 && *text == 0xc2 && text[1] < 0xa0);
}

void parse_clean(char *text)
{
	const unsigned char *from = (const unsigned char *)skip_blanks(text);
	const unsigned char *end = from + strlen((const char *)from);
	unsigned char *to = (unsigned char *)text;

	while (end > from && is_blank(end[-1]))
		end--;
	while (from < end) {
		size_t length = utf8_length(from);

		if (length == 0 || is_control(from, length)) {
			*to++ = '?';
			from += length ? length : 1;
			continue;
		}
		while (length--)
			*to++ = *from++;
	}
	*to = '\0';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void parse_unescape(char *text)
{
	const char *from = text;

	while (*from) {
		if (from[0] == '\\' && from[1] == 'x' &&
		    hex_digit(from[2]) >= 0 && hex_digit(from[3]) >= 0) {
			*text++ = (char)(hex_digit(from[2]) << 4 |
					 hex_digit(from[3]));
			from += 4;
		} else {
			*text++ = *from++;
		}
	}
	*text = '\0';
}

int parse_lv_name(const char *name, char vg[PARSE_DM_NAME_MAX],
		  char lv[PARSE_DM_NAME_MAX])
{
	bool in_lv = false;
	char *to = vg;

	if (strlen(name) >= PARSE_DM_NAME_MAX)
		return -EINVAL;
	for (; *name; name++) {
		if (name[0] == '-' && name[1] == '-') {
			name++;
		} else if (name[0] == '-' && !in_lv) {
			*to = '\0';
			to = lv;
			in_lv = true;
			continue;
		}
		*to++ = *name;
	}
	*to = '\0';
	return in_lv && *vg && *lv ? 0 : -EINVAL;
}

int parse_vpd_serial(const uint8_t *page, size_t length, char *serial,
		     size_t size)
{
	size_t bytes;

	if (length < 4 || page[1] != 0x80)
		return -EINVAL;
	bytes = (size_t)page[2] << 8 | page[3];
	if (bytes > length - 4 || bytes >= size)
		return -EINVAL;
	memcpy(serial, page + 4, bytes);
	serial[bytes] = '\0';
	parse_clean(serial);
	return *serial ? 0 : -EINVAL;
}

const char *parse_transport(const char *place)
{
	/* The first that fits: a disk behind a USB bridge has a SCSI host too,
	 * and so has one behind libata. */
	static const struct {
		const char *directory; /* begins so, a digit follows */
		const char *transport;
	} table[] = {
		{ "/usb", "usb" },	    { "/nvme", "nvme" },
		{ "/nvme-subsys", "nvme" }, { "/mmc", "mmc" },
		{ "/rport-", "fc" },	    { "/session", "iscsi" },
		{ "/end_device-", "sas" },  { "/ata", "sata" },
		{ "/virtio", "virtio" },    { "/vbd-", "xen" },
		{ "/host", "scsi" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const size_t length = strlen(table[i].directory);
		const char *at = place;

		while ((at = strstr(at, table[i].directory))) {
			at += length;
			if (isdigit((unsigned char)*at))
				return table[i].transport;
		}
	}
	return NULL;
}
