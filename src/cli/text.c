/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

const char *text_size(uint64_t bytes, char text[TEXT_FIGURE_MAX])
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t i = 0;

	while (bytes && bytes % 1024 == 0 &&
	       i + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1024;
		i++;
	}
	snprintf(text, TEXT_FIGURE_MAX, "%" PRIu64 " %s", bytes, units[i]);
	return text;
}

/* clang-format off */
static const struct {
	const char *decimal, *binary;
	double decimal_bytes, binary_bytes;
} capacity_units[] = {
	{ "GB", "GiB", 1e9, 1ULL << 30 },
	{ "MB", "MiB", 1e6, 1ULL << 20 },
	{ "kB", "KiB", 1e3, 1ULL << 10 },
};
/* clang-format on */

const char *text_capacity(uint64_t bytes, char text[TEXT_FIGURE_MAX])
{
	size_t i;

	for (i = 0; i < sizeof(capacity_units) / sizeof(capacity_units[0]);
	     i++) {
		if (bytes < capacity_units[i].decimal_bytes)
			continue;
		snprintf(text, TEXT_FIGURE_MAX, "%.2f %s (%.2f %s)",
			 bytes / capacity_units[i].decimal_bytes,
			 capacity_units[i].decimal,
			 bytes / capacity_units[i].binary_bytes,
			 capacity_units[i].binary);
		return text;
	}
	snprintf(text, TEXT_FIGURE_MAX, "%" PRIu64 " B", bytes);
	return text;
}

const char *text_place(uint64_t bytes, char text[TEXT_FIGURE_MAX])
{
	size_t i;

	for (i = 0; i < sizeof(capacity_units) / sizeof(capacity_units[0]);
	     i++) {
		if (bytes < capacity_units[i].decimal_bytes)
			continue;
		snprintf(text, TEXT_FIGURE_MAX, "%.2f %s",
			 bytes / capacity_units[i].decimal_bytes,
			 capacity_units[i].decimal);
		return text;
	}
	snprintf(text, TEXT_FIGURE_MAX, "%" PRIu64 " B", bytes);
	return text;
}

const char *text_double(double value, int decimals, char text[TEXT_FIGURE_MAX])
{
	if (isfinite(value))
		snprintf(text, TEXT_FIGURE_MAX, "%.*f", decimals, value);
	else
		strcpy(text, "n/a");
	return text;
}

const char *text_mb(double mb, char text[TEXT_FIGURE_MAX])
{
	return text_double(mb, mb < 0.1 ? 5 : 2, text);
}

const char *text_ms(double ms, char text[TEXT_FIGURE_MAX])
{
	int decimals = ms < 0.01 ? 5 : ms < 1.0 ? 3 : 2;

	return text_double(ms, decimals, text);
}

const char *text_ms_from_ns(uint64_t ns, char text[TEXT_FIGURE_MAX])
{
	return text_ms(ns == BLKBENCH_UNKNOWN ? NAN : ns / 1e6, text);
}

const char *text_seconds(uint64_t ns, char text[TEXT_FIGURE_MAX])
{
	return text_double(ns == BLKBENCH_UNKNOWN ? NAN : ns / 1e9,
			   ns < 1000000000 ? 3 : 2, text);
}

const char *text_per_s(double value, char text[TEXT_FIGURE_MAX])
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	return text_double(value, decimals, text);
}

/* clang-format off */
static const char *const losses[] = {
	[BLKBENCH_LOSS_SHRUNK] = "is smaller than what was to be read of it",
	[BLKBENCH_LOSS_REMOVED] = "was removed",
	[BLKBENCH_LOSS_OFFLINE] = "is offline",
	[BLKBENCH_LOSS_NO_MEDIUM] = "has no medium any more",
	[BLKBENCH_LOSS_TABLE] =
		"has nothing but errors in its device-mapper table",
};
/* clang-format on */

const char *text_loss(const struct blkbench_result *result,
		      char text[BLKBENCH_TEXT_MAX])
{
	const uint64_t since_ns = result->failing_since_ns;
	char what[BLKBENCH_TEXT_MAX / 2] = "", when[TEXT_FIGURE_MAX];

	text[0] = '\0';
	if (result->loss)
		snprintf(what, sizeof(what), "%s %s", result->lost_layer,
			 losses[result->loss]);
	if (since_ns == BLKBENCH_UNKNOWN)
		snprintf(text, BLKBENCH_TEXT_MAX, "%s", what);
	else if (result->requests == 0)
		snprintf(text, BLKBENCH_TEXT_MAX, "%s%sno read succeeded", what,
			 result->loss ? "; " : "");
	else
		snprintf(text, BLKBENCH_TEXT_MAX,
			 "%s%sno read succeeded from %s s on", what,
			 result->loss ? "; " : "",
			 text_seconds(since_ns, when));
	return text;
}

const char *text_stall(const struct blkbench_result *result,
		       char text[BLKBENCH_TEXT_MAX])
{
	snprintf(text, BLKBENCH_TEXT_MAX,
		 "%" PRIu64 " read%s outstanding, the oldest for %.1f s, at "
		 "offset %" PRIu64,
		 result->stalled, text_plural(result->stalled),
		 result->stalled_ns / 1e9, result->stalled_offset_bytes);
	return text;
}

const char *text_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Bytes that continue a character are 10xxxxxx. */
size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/* clang-format off */
static const struct {
	unsigned char lead_mask, lead;
	size_t bytes;
	unsigned long first;	/* smaller ones have a shorter form */
} utf8_forms[] = {
	{ 0x80, 0x00, 1, 0x20 },	/* no control characters */
	{ 0xe0, 0xc0, 2, 0xa0 },	/* nor those above ASCII */
	{ 0xf0, 0xe0, 3, 0x800 },
	{ 0xf8, 0xf0, 4, 0x10000 },
};
/* clang-format on */

/* Length of the printable UTF-8 character that text begins with, or 0. */
static size_t utf8_length(const unsigned char *text)
{
	unsigned long code;
	size_t form, i;

	for (form = 0; form < sizeof(utf8_forms) / sizeof(utf8_forms[0]);
	     form++)
		if ((text[0] & utf8_forms[form].lead_mask) ==
		    utf8_forms[form].lead)
			break;
	if (form == sizeof(utf8_forms) / sizeof(utf8_forms[0]))
		return 0;

	code = text[0] & (unsigned char)~utf8_forms[form].lead_mask;
	for (i = 1; i < utf8_forms[form].bytes; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < utf8_forms[form].first || code == 0x7f || code > 0x10ffff ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return utf8_forms[form].bytes;
}

char *text_clean(const char *text)
{
	const unsigned char *from = (const unsigned char *)text;
	char *clean, *to;
	size_t length;

	if (!text)
		return NULL;
	/* Each byte becomes four at the worst. */
	clean = to = malloc(4 * strlen(text) + 1);
	if (!clean)
		return NULL;
	while (*from) {
		length = utf8_length(from);
		if (length) {
			memcpy(to, from, length);
			to += length;
			from += length;
		} else {
			to += sprintf(to, "\\x%02x", *from++);
		}
	}
	*to = '\0';
	return clean;
}

void text_print_clean(FILE *out, const char *text)
{
	char *clean = text_clean(text);

	if (clean)
		fputs(clean, out);
	free(clean);
}

static bool is_clean(const char *text)
{
	size_t length;

	for (; *text; text += length) {
		length = utf8_length((const unsigned char *)text);
		if (!length)
			return false;
	}
	return true;
}

static void print_in_quotes(FILE *out, const char *word)
{
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

/* With three digits the end of an escape is clear to every shell. */
static void print_escaped(FILE *out, const char *word)
{
	size_t length;

	fputs("$'", out);
	for (; *word; word += length) {
		length = utf8_length((const unsigned char *)word);
		if (*word == '\'' || *word == '\\')
			fputc('\\', out);
		if (length) {
			fwrite(word, 1, length, out);
		} else {
			fprintf(out, "\\%03o", (unsigned char)*word);
			length = 1;
		}
	}
	fputc('\'', out);
}

void text_print_quoted(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789+,-./:=@_%";

	if (*word && word[strspn(word, plain)] == '\0')
		fputs(word, out);
	else if (is_clean(word))
		print_in_quotes(out, word);
	else
		print_escaped(out, word);
}
