/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "result.h"

#include <math.h>
#include <string.h>

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

static void summarise(struct fixture *f)
{
	assert_int_equal(
		result_summarise(&f->result, &f->histogram, &f->slices), 0);
	blkbench_result_finish(&f->result);
}

static void one_at_a_time_has_its_overhead(void **state)
{
	static struct fixture f;

	(void)state;
	init(&f, 1, 1000, 900000);
	summarise(&f);
	assert_true(fabs(f.result.overhead_ns - 100000.0) < 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_at_a_time_has_its_overhead),
	};

	return cmocka_run_group_tests_name("result", tests, NULL, NULL);
}
