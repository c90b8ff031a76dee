/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>

/*
 * The words that JSON has for the values of an enum, for those who write them
 * and for those who read them.
 */
struct words {
	size_t count;
	const char *const *list; /* by value; NULL: it has none */
};

extern const struct words words_alignment; /* enum blkbench_verdict */
extern const struct words words_kind;	   /* enum blkbench_kind */
extern const struct words words_loss;	   /* enum blkbench_loss */
extern const struct words words_pattern;   /* enum blkbench_pattern */
extern const struct words words_reread;	   /* enum blkbench_reread */
extern const struct words words_smart;	   /* enum blkbench_smart_answer */
extern const struct words words_status;	   /* enum run_status */

/* NULL: the value has none. Static. */
const char *words_get(const struct words *words, size_t value);

/* The value, or -EINVAL. NULL is no word. */
int words_find(const struct words *words, const char *word)
	__attribute__((warn_unused_result));

#endif
