/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "pressure.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "clock.h"

/* Whole numbers only: the decimal point of scanf is that of the locale. */
bool pressure_parse(const char *text, struct pressure *pressure)
{
	unsigned int whole, hundredths;
	uint64_t total_us;

	if (sscanf(text, "some avg10=%u.%u avg60=%*s avg300=%*s total=%" SCNu64,
		   &whole, &hundredths, &total_us) != 3)
		return false;
	pressure->last_10s_percent = whole + hundredths / 100.0;
	pressure->total_ns = total_us * NS_PER_US;
	return true;
}

bool pressure_read_cpu(struct pressure *pressure)
{
	const int fd = open("/proc/pressure/cpu", O_RDONLY | O_CLOEXEC);
	char text[256];
	ssize_t length;

	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (length < 0)
		return false;
	text[length] = '\0';
	return pressure_parse(text, pressure);
}
