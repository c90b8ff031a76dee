/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <errno.h>
#include <string.h>

#include "run.h"
#include "words.h"

#define WORDS(list)                                    \
	{                                              \
		sizeof(list) / sizeof((list)[0]), list \
	}

static const char *const alignments[] = {
	[BLKBENCH_ALIGNMENT_UNKNOWN] = "unknown",
	[BLKBENCH_ALIGNED] = "aligned",
	[BLKBENCH_MISALIGNED] = "misaligned",
};

static const char *const kinds[] = {
	[BLKBENCH_KIND_UNKNOWN] = NULL,
	[BLKBENCH_KIND_DISK] = "disk",
	[BLKBENCH_KIND_PARTITION] = "partition",
	[BLKBENCH_KIND_LV] = "lv",
	[BLKBENCH_KIND_DM] = "dm",
	[BLKBENCH_KIND_MD] = "md",
	[BLKBENCH_KIND_LOOP] = "loop",
	[BLKBENCH_KIND_ZRAM] = "zram",
	[BLKBENCH_KIND_FILE] = "file",
};

static const char *const losses[] = {
	[BLKBENCH_LOSS_NONE] = NULL,
	[BLKBENCH_LOSS_SHRUNK] = "shrunk",
	[BLKBENCH_LOSS_REMOVED] = "removed",
	[BLKBENCH_LOSS_OFFLINE] = "offline",
	[BLKBENCH_LOSS_NO_MEDIUM] = "no_medium",
	[BLKBENCH_LOSS_TABLE] = "table",
};

static const char *const patterns[] = {
	[BLKBENCH_PATTERN_SEQUENTIAL] = "sequential",
	[BLKBENCH_PATTERN_RANDOM] = "random",
	[BLKBENCH_PATTERN_REPEAT] = "repeat",
	[BLKBENCH_PATTERN_PLACES] = "places",
};

static const char *const rereads[] = {
	[BLKBENCH_NOT_REREAD] = NULL,
	[BLKBENCH_REREAD_BAD] = "bad",
	[BLKBENCH_REREAD_GOOD] = "good",
};

static const char *const smart_answers[] = {
	[BLKBENCH_SMART_NOT_ASKED] = "not_asked",
	[BLKBENCH_SMART_TOLD] = "told",
	[BLKBENCH_SMART_ASLEEP] = "asleep",
	[BLKBENCH_SMART_UNSUPPORTED] = "unsupported",
	[BLKBENCH_SMART_REFUSED] = "refused",
	[BLKBENCH_SMART_MISSING] = "missing",
	[BLKBENCH_SMART_TIMED_OUT] = "timed_out",
	[BLKBENCH_SMART_GARBLED] = "garbled",
};

static const char *const statuses[] = {
	[RUN_OK] = "ok",
	[RUN_UNMET] = "unmet",
	[RUN_FAILED] = "failed",
	[RUN_UNTESTED] = "untested",
	[RUN_INTERRUPTED] = "interrupted",
};

const struct words words_alignment = WORDS(alignments);
const struct words words_kind = WORDS(kinds);
const struct words words_loss = WORDS(losses);
const struct words words_pattern = WORDS(patterns);
const struct words words_reread = WORDS(rereads);
const struct words words_smart = WORDS(smart_answers);
const struct words words_status = WORDS(statuses);

const char *words_get(const struct words *words, size_t value)
{
	return value < words->count ? words->list[value] : NULL;
}

int words_find(const struct words *words, const char *word)
{
	if (!word)
		return -EINVAL;
	for (size_t i = 0; i < words->count; i++)
		if (words->list[i] && !strcmp(words->list[i], word))
			return (int)i;
	return -EINVAL;
}
