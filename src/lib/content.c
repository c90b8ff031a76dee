/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "content.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "error.h"

#define READS_MAX \
	((CONTENT_HEAD_BYTES + CONTENT_TAIL_BYTES) / CONTENT_BLOCK_BYTES)
#define MEMORY_BYTES (READS_MAX * CONTENT_BLOCK_BYTES)

/* A slow device is busy with no more than these when time is up. */
#define IN_FLIGHT_MAX 4

struct content {
	uint64_t size_bytes;
	struct engine *engine;
	unsigned char *memory;
	unsigned int reads, started, outstanding;
	int engine_error;
	bool is_done[READS_MAX];
	struct io ios[READS_MAX];
};

static void add_range(struct content *content, uint64_t begin, uint64_t end)
{
	for (uint64_t at = begin; at < end; at += CONTENT_BLOCK_BYTES) {
		const uint64_t left = end - at;
		const unsigned int i = content->reads++;

		content->ios[i] = (struct io){
			.offset_bytes = at,
			.bytes = (uint32_t)(left < CONTENT_BLOCK_BYTES
						    ? left
						    : CONTENT_BLOCK_BYTES),
			.buffer = content->memory + i * CONTENT_BLOCK_BYTES,
		};
	}
}

static void add_ends(struct content *content)
{
	const uint64_t size = content->size_bytes;
	uint64_t head = CONTENT_HEAD_BYTES, tail = 0;

	if (head > size)
		head = size;
	if (size > CONTENT_TAIL_BYTES)
		tail = size - CONTENT_TAIL_BYTES;
	if (tail < head)
		tail = head;
	add_range(content, 0, head);
	add_range(content, tail, size);
}

static int open_engine(struct content *content,
		       const struct content_source *source,
		       struct blkbench_error *error)
{
	struct engine_setup setup = {
		.fd = source->fd,
		.clock = source->clock,
		.memory_bytes = MEMORY_BYTES,
		.depth = IN_FLIGHT_MAX,
	};
	struct blkbench_error reason;
	void *memory;

	memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return error_set(error, -ENOMEM, "cannot read its ends: %s",
				 strerror(ENOMEM));
	content->memory = memory;
	setup.memory = memory;
	return engine_open(source->engines, BLKBENCH_ENGINE_AUTO, &setup,
			   &content->engine, &reason, error);
}

static void start_reads(struct content *content)
{
	const unsigned int done = content->reads - content->outstanding;

	while (content->started < content->reads &&
	       content->started - done < IN_FLIGHT_MAX) {
		struct io *io = &content->ios[content->started++];

		content->engine->ops->queue(content->engine, io);
	}
}

static void run(struct content *content, const struct clock *clock)
{
	const uint64_t deadline = clock_now_ns(clock) + CONTENT_TIME_NS;
	struct engine *engine = content->engine;
	struct io *done[IN_FLIGHT_MAX];

	content->outstanding = content->reads;
	while (content->outstanding) {
		const uint64_t now = clock_now_ns(clock);
		int count;

		if (now >= deadline)
			break;
		start_reads(content);
		count = engine->ops->wait(engine, done, IN_FLIGHT_MAX, 1,
					  deadline - now);
		if (count < 0) {
			content->engine_error = -count;
			break;
		}
		for (int i = 0; i < count; i++)
			content->is_done[done[i] - content->ios] = true;
		content->outstanding -= (unsigned int)count;
	}
}

int content_read(const struct content_source *source, struct content **content,
		 struct blkbench_error *error)
{
	struct content *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return error_set(error, -ENOMEM, "cannot read its ends: %s",
				 strerror(ENOMEM));
	new->size_bytes = source->size_bytes;
	err = open_engine(new, source, error);
	if (err) {
		content_close(new);
		return err;
	}
	add_ends(new);
	run(new, source->clock);
	*content = new;
	return 0;
}

void content_close(struct content *content)
{
	if (!content)
		return;
	/* The kernel may write to the memory until the engine is closed. */
	engine_close(content->engine);
	if (content->memory)
		munmap(content->memory, MEMORY_BYTES);
	free(content);
}

void content_get_state(const struct content *content,
		       struct content_state *state)
{
	*state = (struct content_state){
		.reads = content->reads,
		.outstanding = content->outstanding,
		.engine_error = content->engine_error,
	};
	for (unsigned int i = 0; i < content->reads; i++) {
		const struct io *io = &content->ios[i];

		if (!content->is_done[i] || io->result >= 0)
			continue;
		if (state->failed++ == 0) {
			state->failed_offset_bytes = io->offset_bytes;
			state->failed_error = -io->result;
		}
	}
}

/* By way of the page cache: this library makes no write call at all. */
static int copy_block(int fd, const struct io *io)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	const uint64_t skip = io->offset_bytes % page;
	const size_t length = (size_t)(skip + (uint64_t)io->result);
	unsigned char *at;

	at = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  (off_t)(io->offset_bytes - skip));
	if (at == MAP_FAILED)
		return -errno;
	memcpy(at + skip, io->buffer, (size_t)io->result);
	munmap(at, length);
	return 0;
}

int content_to_file(const struct content *content)
{
	int fd = memfd_create("blkbench", MFD_CLOEXEC);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)content->size_bytes) != 0)
		err = -errno;
	for (unsigned int i = 0; !err && i < content->reads; i++)
		if (content->is_done[i] && content->ios[i].result > 0)
			err = copy_block(fd, &content->ios[i]);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}
