/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "course.h"

#include <math.h>

struct part {
	double seconds, bytes;
};

static struct part part_from_slices(const struct blkbench_slice *slices,
				    size_t first, size_t end)
{
	struct part part = { 0, 0 };

	for (size_t i = first; i < end; i++) {
		part.seconds += (double)slices[i].elapsed_ns / 1e9;
		part.bytes += (double)slices[i].bytes;
	}
	return part;
}

/*
 * How much more each part has read than it would have at the rate of all, in
 * percent of what a part has read on average. A part that took long, as it has
 * met a stall, weighs as much more as it took; they add up to 0.
 */
static size_t find_excesses(const struct blkbench_slice *slices, size_t count,
			    double excess[COURSE_PARTS_MAX])
{
	const struct part all = part_from_slices(slices, 0, count);
	size_t parts = count < COURSE_PARTS_MAX ? count : COURSE_PARTS_MAX;

	if (parts < COURSE_PARTS_MIN || all.bytes <= 0 || all.seconds <= 0)
		return 0;
	for (size_t i = 0; i < parts; i++) {
		const struct part part = part_from_slices(
			slices, i * count / parts, (i + 1) * count / parts);
		const double expected = all.bytes * part.seconds / all.seconds;

		excess[i] = (part.bytes - expected) * (double)parts /
			    all.bytes * 100;
	}
	return parts;
}

/* A straight line by least squares; the parts are about equally long. */
bool course_find(const struct blkbench_slice *slices, size_t count,
		 struct course *course)
{
	double excess[COURSE_PARTS_MAX];
	const size_t parts = find_excesses(slices, count, excess);
	const double n = (double)parts;
	double xx = 0, xy = 0, yy = 0;

	if (parts == 0)
		return false;
	for (size_t i = 0; i < parts; i++) {
		const double x = ((double)i + 0.5) / n - 0.5;

		xx += x * x;
		xy += x * excess[i];
		yy += excess[i] * excess[i];
	}
	*course = (struct course){
		.parts = parts,
		.spread_percent = sqrt(yy / (n - 1)),
		.change_percent = xy / xx,
		.change_error_percent =
			sqrt(fmax(yy - xy * xy / xx, 0) / (n - 2) / xx),
	};
	return true;
}
