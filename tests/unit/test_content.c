/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "content.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "false_device.h"
#include "test.h"

#define MIB (1ULL << 20)
#define TIB (1ULL << 40)

/* Each block of 512 bytes holds its own number. */
static void fill(const struct io *io)
{
	for (uint32_t at = 0; at < io->bytes; at += 512) {
		const uint64_t number = (io->offset_bytes + at) / 512 + 1;

		memcpy((char *)io->buffer + at, &number, sizeof(number));
	}
}

static struct false_answer answer_all(struct false_device *device,
				      enum blkbench_engine engine,
				      const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)index;
	fill(io);
	return (struct false_answer){ NS_PER_MS, FALSE_FULL };
}

/* The second block cannot be read, the third only half. */
static struct false_answer answer_badly(struct false_device *device,
					enum blkbench_engine engine,
					const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)index;
	fill(io);
	if (io->offset_bytes == CONTENT_BLOCK_BYTES)
		return (struct false_answer){ NS_PER_MS, -EIO };
	if (io->offset_bytes == 2 * CONTENT_BLOCK_BYTES)
		return (struct false_answer){ NS_PER_MS,
					      CONTENT_BLOCK_BYTES / 2 };
	return (struct false_answer){ NS_PER_MS, FALSE_FULL };
}

/* The tail never comes. */
static struct false_answer answer_head(struct false_device *device,
				       enum blkbench_engine engine,
				       const struct io *io, uint64_t index)
{
	(void)device;
	(void)engine;
	(void)index;
	fill(io);
	return (struct false_answer){
		io->offset_bytes < CONTENT_HEAD_BYTES ? NS_PER_MS : FALSE_NEVER,
		FALSE_FULL,
	};
}

static struct content *read_ends(struct false_device *device)
{
	const struct world world = false_world(device);
	const struct content_source source = {
		.fd = world.fd,
		.size_bytes = device->size_bytes,
		.clock = world.clock,
		.engines = world.engines,
	};
	struct content *content = NULL;
	struct blkbench_error error;

	assert_int_equal(content_read(&source, &content, &error), 0);
	return content;
}

/* What block of 512 bytes a file has at an offset, 0 for a hole. */
static uint64_t number_at(int fd, uint64_t offset)
{
	uint64_t number = 42;

	assert_int_equal(pread(fd, &number, sizeof(number), (off_t)offset),
			 sizeof(number));
	return number;
}

static void both_ends_are_read_and_nothing_between(void **state)
{
	struct false_device device;
	struct content_state reads;
	struct content *content;
	struct stat st;
	int fd;

	(void)state;
	false_device_init(&device, 9 * TIB, 512);
	device.answer = answer_all;
	content = read_ends(&device);
	content_get_state(content, &reads);
	assert_int_equal(reads.reads, 48);
	assert_int_equal(reads.outstanding, 0);
	assert_int_equal(reads.failed, 0);
	assert_true(device.bytes_given == 3 * MIB);
	assert_true(device.highest_byte == 9 * TIB);

	fd = content_to_file(content);
	content_close(content);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true((uint64_t)st.st_size == 9 * TIB);
	assert_true(st.st_blocks * 512 <= 4 * (blkcnt_t)MIB);
	assert_true(number_at(fd, 0) == 1);
	assert_true(number_at(fd, 2 * MIB - 512) == 2 * MIB / 512);
	assert_true(number_at(fd, 2 * MIB) == 0);
	assert_true(number_at(fd, 9 * TIB - MIB - 512) == 0);
	assert_true(number_at(fd, 9 * TIB - MIB) == (9 * TIB - MIB) / 512 + 1);
	assert_true(number_at(fd, 9 * TIB - 512) == 9 * TIB / 512);
	close(fd);
}

static void small_devices_are_read_once_all_over(void **state)
{
	static const uint64_t sizes[] = {
		512,	 65536,		65536 + 512,   MIB,
		2 * MIB, 2 * MIB + 512, 3 * MIB - 512, 3 * MIB,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct false_device device;
		struct content *content;
		int fd;

		false_device_init(&device, sizes[i], 512);
		device.answer = answer_all;
		content = read_ends(&device);
		assert_true(device.bytes_given == sizes[i]);
		fd = content_to_file(content);
		content_close(content);
		assert_true(fd >= 0);
		for (uint64_t at = 0; at < sizes[i]; at += 512)
			assert_true(number_at(fd, at) == at / 512 + 1);
		close(fd);
	}
}

static void sectors_of_4096_bytes_are_kept(void **state)
{
	struct false_device device;
	struct content *content;

	(void)state;
	false_device_init(&device, 4096 * 1001, 4096); /* no multiple of 64 K */
	device.answer = answer_all;
	content = read_ends(&device);
	assert_true(device.bytes_given == 3 * MIB);
	content_close(content);
}

static void what_cannot_be_read_is_a_hole(void **state)
{
	struct false_device device;
	struct content_state reads;
	struct content *content;
	int fd;

	(void)state;
	false_device_init(&device, TIB, 512);
	device.answer = answer_badly;
	content = read_ends(&device);
	content_get_state(content, &reads);
	assert_int_equal(reads.outstanding, 0);
	assert_int_equal(reads.failed, 1);
	assert_int_equal(reads.failed_offset_bytes, CONTENT_BLOCK_BYTES);
	assert_int_equal(reads.failed_error, EIO);

	fd = content_to_file(content);
	content_close(content);
	assert_true(fd >= 0);
	assert_true(number_at(fd, CONTENT_BLOCK_BYTES - 512) != 0);
	assert_true(number_at(fd, CONTENT_BLOCK_BYTES) == 0);
	assert_true(number_at(fd, 2 * CONTENT_BLOCK_BYTES - 512) == 0);
	assert_true(number_at(fd, 2 * CONTENT_BLOCK_BYTES) != 0);
	assert_true(number_at(fd, 5 * CONTENT_BLOCK_BYTES / 2) == 0);
	assert_true(number_at(fd, 3 * CONTENT_BLOCK_BYTES) != 0);
	close(fd);
}

static void device_that_hangs_is_left_after_one_second(void **state)
{
	struct false_device device;
	struct content_state reads;
	struct content *content;
	uint64_t begin;
	int fd;

	(void)state;
	false_device_init(&device, TIB, 512);
	device.answer = answer_head;
	begin = device.now_ns;
	content = read_ends(&device);
	assert_true(device.now_ns - begin == NS_PER_S);
	content_get_state(content, &reads);
	assert_int_equal(reads.outstanding, 16);
	assert_int_equal(reads.failed, 0);
	/* Of the tail, few were begun: they keep a slow device busy. */
	assert_int_equal(device.reads, 32 + 4);

	fd = content_to_file(content);
	assert_true(fd >= 0);
	assert_true(number_at(fd, 0) == 1);
	assert_true(number_at(fd, TIB - MIB) == 0);
	close(fd);
	content_close(content);
}

static void refused_ring_leaves_the_next_engine(void **state)
{
	struct false_device device;
	struct content *content;

	(void)state;
	false_device_init(&device, TIB, 512);
	device.answer = answer_all;
	device.ring_refused = -EPERM;
	content = read_ends(&device);
	assert_true(device.bytes_given == 3 * MIB);
	content_close(content);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_are_read_and_nothing_between),
		cmocka_unit_test(small_devices_are_read_once_all_over),
		cmocka_unit_test(sectors_of_4096_bytes_are_kept),
		cmocka_unit_test(what_cannot_be_read_is_a_hole),
		cmocka_unit_test(device_that_hangs_is_left_after_one_second),
		cmocka_unit_test(refused_ring_leaves_the_next_engine),
	};

	return cmocka_run_group_tests_name("content", tests, NULL, NULL);
}
