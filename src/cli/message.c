/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <stdio.h>
#include <stdlib.h>

#include "message.h"
#include "text.h"

void message_print(const char *subject, const char *text)
{
	char *clean_subject = text_clean(subject);
	char *clean_text = text_clean(text);

	fprintf(stderr, "blkbench: %s%s%s\n",
		clean_subject ? clean_subject : "", clean_subject ? ": " : "",
		clean_text ? clean_text : "out of memory");
	free(clean_text);
	free(clean_subject);
}
