/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct blkbench_error *error, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return code;
}

/*
 * The block layer has more to say of a read than there are errnos that mean
 * it: these are the words of the kernel's log, beside those that other programs
 * print.
 */
const char *blkbench_read_error_text(int error)
{
	static const struct {
		int error;
		const char *text;
	} table[] = {
		{ 0, "the device ends there" },
		{ ENODATA, "critical medium error (No data available)" },
		{ EREMOTEIO, "critical target error (Remote I/O error)" },
		{ ENOLINK, "transport error (Link has been severed)" },
		{ EBADE, "reservation conflict (Invalid exchange)" },
		{ EILSEQ, "protection error (a checksum does not match)" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].error == error)
			return table[i].text;
	return strerror(error);
}
