/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "doubt.h"

#include <string.h>

#include "result.h"
#include "test.h"

#define SECOND 1000000000ULL

struct fixture {
	struct blkbench_result result;
	struct histogram histogram;
	struct slices slices;
};

/* A second of reads of 4 KiB from 1 GB, of that latency each. */
static void init(struct fixture *f, uint64_t depth, uint64_t requests,
		 uint64_t latency_ns)
{
	memset(f, 0, sizeof(*f));
	histogram_init(&f->histogram);
	slices_init(&f->slices);
	f->result.plan = (struct blkbench_plan){
		.test = "seek",
		.pattern = BLKBENCH_PATTERN_RANDOM,
		.is_seek = true,
		.is_direct = true,
		.length_bytes = 1000000000,
		.block_bytes = 4096,
		.queue_depth = depth,
	};
	f->result.engine = "pread";
	f->result.elapsed_ns = SECOND;
	f->result.requests = requests;
	f->result.bytes = requests * 4096;
	f->result.passes = 1;
	for (uint64_t i = 0; i < requests; i++)
		histogram_add(&f->histogram, latency_ns);
}

static const char *warning(struct fixture *f, const char *code)
{
	assert_int_equal(
		result_summarise(&f->result, &f->histogram, &f->slices), 0);
	doubt_find(&f->result);
	blkbench_result_finish(&f->result);
	for (size_t i = 0; i < f->result.warnings_count; i++)
		if (strcmp(f->result.warnings[i].code, code) == 0)
			return f->result.warnings[i].text;
	return NULL;
}

static void depth_that_was_kept_is_no_warning(void **state)
{
	static struct fixture f;

	(void)state;
	/* 32 in flight of 4 ms each: 8000 in a second. */
	init(&f, 32, 8000, SECOND / 250);
	assert_null(warning(&f, "depth"));
}

static void depth_that_was_not_reached_is_a_warning(void **state)
{
	static struct fixture f;
	const char *text;

	(void)state;
	init(&f, 32, 80000, 5000); /* 0.4 of them */
	text = warning(&f, "depth");
	assert_non_null(text);
	assert_non_null(strstr(text, "only 0.4 of 32"));
	assert_non_null(strstr(text, "pread"));
}

static void page_cache_is_a_warning(void **state)
{
	static struct fixture f;

	(void)state;
	init(&f, 1, 1000, 900000);
	assert_null(warning(&f, "cache"));
	init(&f, 1, 1000, 900000);
	f.result.plan.is_direct = false;
	assert_non_null(warning(&f, "cache"));
	init(&f, 1, 1000, 900000);
	f.result.plan.is_direct = false;
	f.result.plan.pattern = BLKBENCH_PATTERN_REPEAT;
	assert_null(warning(&f, "cache"));
}

static void range_that_was_read_again_is_a_warning(void **state)
{
	static struct fixture f;
	const char *text;

	(void)state;
	init(&f, 1, 366211, 2000); /* 1.5 GB of 1 GB */
	f.result.passes = 2;
	text = warning(&f, "small");
	assert_non_null(text);
	assert_non_null(strstr(text, "range of 1000 MB was read 1.5 times"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_that_was_kept_is_no_warning),
		cmocka_unit_test(depth_that_was_not_reached_is_a_warning),
		cmocka_unit_test(page_cache_is_a_warning),
		cmocka_unit_test(range_that_was_read_again_is_a_warning),
	};

	return cmocka_run_group_tests_name("doubt", tests, NULL, NULL);
}
