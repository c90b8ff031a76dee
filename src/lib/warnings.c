/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "warnings.h"

#include <stdarg.h>
#include <stdio.h>

void warnings_add(struct warnings *warnings, const char *code,
		  const char *format, ...)
{
	struct blkbench_warning *warning;
	va_list args;

	if (warnings->count == WARNINGS_MAX)
		return;
	warning = &warnings->items[warnings->count++];
	warning->code = code;
	warning->test = NULL;
	va_start(args, format);
	vsnprintf(warning->text, sizeof(warning->text), format, args);
	va_end(args);
}
