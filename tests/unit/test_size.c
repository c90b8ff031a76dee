/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "test.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "size.h"

static void assert_bytes(const char *text, uint64_t bytes)
{
	struct size size;

	assert_int_equal(size_parse(text, &size), 0);
	assert_false(size.is_percent);
	assert_true(size.bytes == bytes);
}

static void assert_refused(const char *text, int error)
{
	struct size size;

	assert_int_equal(size_parse(text, &size), error);
}

static uint64_t resolve(const char *text, uint64_t device, uint64_t sector)
{
	struct size size;

	assert_int_equal(size_parse(text, &size), 0);
	return size_resolve(&size, device, sector);
}

static void size_takes_powers_of_1024(void **state)
{
	(void)state;
	assert_bytes("0", 0);
	assert_bytes("4096", 4096);
	assert_bytes("512B", 512);
	assert_bytes("4k", 4096);
	assert_bytes("4K", 4096);
	assert_bytes("1M", 1048576);
	assert_bytes("1G", 1073741824);
	assert_bytes("1T", 1099511627776);
	assert_bytes("3KiB", 3072);
	assert_bytes("3MiB", 3145728);
	assert_bytes("3GiB", 3221225472);
	assert_bytes("3TiB", 3298534883328);
}

static void size_takes_powers_of_1000(void **state)
{
	(void)state;
	assert_bytes("4kB", 4000);
	assert_bytes("1MB", 1000000);
	assert_bytes("1GB", 1000000000);
	assert_bytes("8TB", 8000000000000);
}

static void size_takes_decimals_exactly(void **state)
{
	(void)state;
	assert_bytes("1.5G", 1610612736);
	assert_bytes(".5k", 512);
	assert_bytes("2.", 2);
	/* 0.1 has no exact double: 0.1 * 10^19 would be off. */
	assert_bytes("0.1TB", 100000000000);
	assert_bytes("1.0009765625k", 1025);
	assert_refused("0.3k", -EINVAL); /* 307.2 */
}

static void size_reaches_2_to_the_64_less_1(void **state)
{
	(void)state;
	assert_bytes("18446744073709551615", UINT64_MAX);
	assert_refused("18446744073709551616", -ERANGE);
	assert_bytes("16777215T", 18446742974197923840ULL);
	assert_refused("16777216T", -ERANGE);
	assert_refused("18446745TB", -ERANGE);
}

static void size_refuses_garbage(void **state)
{
	static const char *const texts[] = {
		"",	" ",	"k",	".",	      "..",	"-1",
		"+1",	"1 k",	" 1",	"1 ",	      "1kk",	"1x",
		"0x10", "1e3",	"1,5G", "1.5.5",      "4096.7", "1.0001k",
		"nan",	"inf",	"%",	"1k%",	      "1m",	"1g",
		"1KB",	"1kib", "\xff", "1\xc2\xa0k",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(texts[i], -EINVAL);
}

static void size_refuses_endless_digits(void **state)
{
	char *text = malloc(1 << 20);

	(void)state;
	assert_non_null(text);
	memset(text, '9', (1 << 20) - 1);
	text[(1 << 20) - 1] = '\0';
	assert_refused(text, -ERANGE);
	text[0] = '0';
	text[1] = '.';
	assert_refused(text, -ERANGE);
	memset(text, '0', (1 << 20) - 1);
	assert_bytes(text, 0);
	free(text);
}

static void size_takes_percent_of_the_device(void **state)
{
	(void)state;
	assert_true(resolve("50%", 1000 * 512, 512) == 500 * 512);
	assert_true(resolve("100%", 8000000000000, 4096) == 8000000000000);
	assert_true(resolve("0%", 8000000000000, 4096) == 0);
	assert_true(resolve("12.5%", UINT64_C(1) << 63, 512) == UINT64_C(1)
									<< 60);
	assert_refused("100.1%", -ERANGE);
}

static void percent_is_cut_to_a_sector(void **state)
{
	(void)state;
	/* A third of 10 sectors is 3.33 of them. */
	assert_true(resolve("33.3%", 10 * 512, 512) == 3 * 512);
	assert_true(resolve("33.3%", 10 * 4096, 4096) == 3 * 4096);
	/* Bytes are left as they were given. */
	assert_true(resolve("513", 10 * 512, 512) == 513);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_takes_powers_of_1024),
		cmocka_unit_test(size_takes_powers_of_1000),
		cmocka_unit_test(size_takes_decimals_exactly),
		cmocka_unit_test(size_reaches_2_to_the_64_less_1),
		cmocka_unit_test(size_refuses_garbage),
		cmocka_unit_test(size_refuses_endless_digits),
		cmocka_unit_test(size_takes_percent_of_the_device),
		cmocka_unit_test(percent_is_cut_to_a_sector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
