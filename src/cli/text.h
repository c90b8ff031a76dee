/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef TEXT_H
#define TEXT_H

#include <blkbench.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Words and figures for people. Never depends on the locale. */

#define TEXT_FIGURE_MAX 48

/* "1 MiB", "4 KiB", "513 B": exact, in the largest unit that divides it. */
const char *text_size(uint64_t bytes, char text[TEXT_FIGURE_MAX]);

/* "50.01 GB (46.57 GiB)", "512 B", "1.05 MB (1.00 MiB)". */
const char *text_capacity(uint64_t bytes, char text[TEXT_FIGURE_MAX]);

/* Where something is: "0 B", "3.96 GB", "1.00 MB". */
const char *text_place(uint64_t bytes, char text[TEXT_FIGURE_MAX]);

/* MB or MB/s with 2 decimals, below 0.1 with 5; "n/a" for NAN. */
const char *text_mb(double mb, char text[TEXT_FIGURE_MAX]);

/* Milliseconds with 2 decimals, below 1 ms 3, below 10 us 5; "n/a" for
 * NAN. */
const char *text_ms(double ms, char text[TEXT_FIGURE_MAX]);
const char *text_ms_from_ns(uint64_t ns, char text[TEXT_FIGURE_MAX]);

/* A value with so many decimals; "n/a" for NAN and infinities. */
const char *text_double(double value, int decimals, char text[TEXT_FIGURE_MAX]);

/* Seconds with 2 decimals, below 1 s with 3. */
const char *text_seconds(uint64_t ns, char text[TEXT_FIGURE_MAX]);

/* Per second, three significant figures or whole: "0.50", "12.3", "1210". */
const char *text_per_s(double value, char text[TEXT_FIGURE_MAX]);

/* What has become of a device that fails its reads: "sdb was removed; no read
 * succeeded from 1.42 s on"; "" where there is nothing to say. */
const char *text_loss(const struct blkbench_result *result,
		      char text[BLKBENCH_TEXT_MAX]);

/* "8 reads outstanding, the oldest for 3.4 s, at offset 4096". */
const char *text_stall(const struct blkbench_result *result,
		       char text[BLKBENCH_TEXT_MAX]);

/* "s", but for one. */
const char *text_plural(uint64_t count);

/* Columns that UTF-8 text takes, one for each character. */
size_t text_width(const char *text);

/*
 * A copy that is valid UTF-8 and safe on a terminal: bytes that are no UTF-8,
 * and control characters, as \xNN. NULL gives NULL, as does lack of memory.
 * The caller frees it.
 */
char *text_clean(const char *text);
void text_print_clean(FILE *out, const char *text);

/* A word as the shell takes it, safe on a terminal too: where that needs
 * escapes, as $'...', which not every shell knows. */
void text_print_quoted(FILE *out, const char *word);

#endif
