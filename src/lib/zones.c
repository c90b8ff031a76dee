/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include "zones.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "result.h"
#include "stats.h"

/* Of a line through fewer than this, one slow neighbour is too much. */
#define NEIGHBOURS_MIN 4

/* A rate is clearly lower by at least 15 %: the zones of a disk differ by less. */
#define CLEARLY_LOWER 0.85

/* A quarter of the places may be read again in the time limit. */
#define AGAIN_SHARE 4

enum stage {
	CURVE,	 /* each place once */
	SUSPECT, /* one that is low, again */
	WITNESS, /* and the nearest one that is not */
	DONE,
};

struct place {
	uint64_t offset_bytes;
	uint64_t room_bytes; /* to the next one */
	bool was_read;
	struct leg_record record; /* that counts */
	bool is_suspect, is_slow;
};

struct zones {
	struct route route;
	struct blkbench_plan plan;
	enum stage stage;
	size_t taken;	  /* legs */
	size_t asked;	  /* places of the curve */
	bool is_of_zeros; /* most of them are */
	size_t current;
	struct leg_record second; /* of the suspect */
	size_t suspects, suspects_left;
	double limit;
	size_t count;
	struct place *places;
	size_t *order;
	double *expected; /* rates */
	double *work;
};

/* ---- the rules --------------------------------------------------------- */

static size_t reverse_bits(size_t value, unsigned int bits)
{
	size_t reversed = 0;

	while (bits-- > 0) {
		reversed = reversed << 1 | (value & 1);
		value >>= 1;
	}
	return reversed;
}

void zones_order(size_t *order, size_t count)
{
	const size_t pairs = count / 2;
	unsigned int bits = 0;
	size_t done = 0;

	while (pairs > (size_t)1 << bits)
		bits++;
	for (size_t i = 0; i < (size_t)1 << bits; i++) {
		const size_t pair = reverse_bits(i, bits);
		/* Which of the two is first alternates so that nothing is left
		 * of a drift that grows with time (Thue and Morse). */
		const size_t first = (size_t)__builtin_parityll(done);

		if (pair >= pairs)
			continue;
		order[done] = 2 * pair + first;
		order[count - 1 - done] = 2 * pair + 1 - first;
		done++;
	}
	if (count % 2)
		order[done] = count - 1;
}

static double rate_of(const struct leg_record *record)
{
	if (record->errors > 0 || record->has_stalled ||
	    record->requests == 0 || record->elapsed_ns == 0)
		return NAN;
	return (double)record->bytes * 1e9 / (double)record->elapsed_ns;
}

/* Up to ZONES_NEIGHBOURS of the places whose rate is known, as near as can be on
 * both sides of the one that is the index-th of them. */
static double expect_at(const size_t *known, size_t known_count, size_t index,
			const double *rates)
{
	const size_t side = ZONES_NEIGHBOURS / 2;
	double x[ZONES_NEIGHBOURS], y[ZONES_NEIGHBOURS];
	size_t first = index > side ? index - side : 0;
	size_t count = 0;

	if (first + ZONES_NEIGHBOURS >= known_count)
		first = known_count > ZONES_NEIGHBOURS
				? known_count - 1 - ZONES_NEIGHBOURS
				: 0;
	for (size_t i = first; i < known_count && count < ZONES_NEIGHBOURS;
	     i++) {
		if (i == index)
			continue;
		x[count] = (double)known[i] - (double)known[index];
		y[count++] = log(rates[known[i]]);
	}
	if (count < NEIGHBOURS_MIN)
		return NAN;
	return exp(stats_line_at_0(x, y, count));
}

void zones_expect(const double *rates, size_t count, double *expected)
{
	size_t known[BLKBENCH_PLACES_MAX];
	size_t known_count = 0;

	assert(count <= BLKBENCH_PLACES_MAX);
	for (size_t i = 0; i < count; i++) {
		expected[i] = NAN;
		if (rates[i] > 0)
			known[known_count++] = i;
	}
	for (size_t i = 0; i < known_count; i++)
		expected[known[i]] = expect_at(known, known_count, i, rates);
}

double zones_limit(const double *rates, const double *expected, size_t count,
		   double *work)
{
	const double least = -log(CLEARLY_LOWER);
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (expected[i] > 0)
			work[n++] = fabs(log(rates[i] / expected[i]));
	if (n == 0)
		return least;
	return fmax(least, BLKBENCH_ODD_SCORE * STATS_SIGMA_PER_MAD *
				   stats_median(work, n));
}

/* ---- the places -------------------------------------------------------- */

/* span * index / count, where that may not fit 64 bits in between. */
static uint64_t share_of(uint64_t span, uint64_t index, uint64_t count)
{
	return span / count * index + span % count * index / count;
}

static void lay_out(struct zones *zones)
{
	const struct blkbench_plan *plan = &zones->plan;
	const uint64_t block = plan->block_bytes;
	const uint64_t end = plan->offset_bytes + plan->length_bytes;
	const uint64_t span = plan->length_bytes - plan->place_bytes;
	uint64_t next = end;

	for (size_t i = zones->count; i-- > 0;) {
		struct place *place = &zones->places[i];
		uint64_t offset = 0;

		if (i > 0)
			offset = share_of(span, i, zones->count - 1);
		place->offset_bytes = plan->offset_bytes +
				      offset / block * block;
		place->room_bytes = next - place->offset_bytes;
		next = place->offset_bytes;
	}
}

static void zones_destroy(struct route *route)
{
	struct zones *zones = (struct zones *)route;

	free(zones->places);
	free(zones->order);
	free(zones->expected);
	free(zones->work);
	free(zones);
}

/* What was never written, or trimmed, is no measure for what was, and the other
 * way round: of zeros and data, what there is less of is left out. */
static bool is_zeros(const struct place *place)
{
	return 2 * place->record.zeros > place->record.sampled;
}

static bool is_left_out(const struct zones *zones, const struct place *place)
{
	return is_zeros(place) != zones->is_of_zeros;
}

static bool are_mostly_zeros(const struct zones *zones)
{
	size_t read = 0, zeros = 0;

	for (size_t i = 0; i < zones->count; i++) {
		read += zones->places[i].was_read;
		zeros += zones->places[i].was_read &&
			 is_zeros(&zones->places[i]);
	}
	return 2 * zeros > read;
}

/* ---- what is low, and stays so ----------------------------------------- */

static void judge(struct zones *zones)
{
	double rates[BLKBENCH_PLACES_MAX];

	zones->is_of_zeros = are_mostly_zeros(zones);
	for (size_t i = 0; i < zones->count; i++) {
		const struct place *place = &zones->places[i];

		rates[i] = place->was_read && !is_left_out(zones, place)
				   ? rate_of(&place->record)
				   : NAN;
	}
	zones_expect(rates, zones->count, zones->expected);
	zones->limit =
		zones_limit(rates, zones->expected, zones->count, zones->work);
	for (size_t i = 0; i < zones->count; i++) {
		struct place *place = &zones->places[i];

		place->is_suspect = log(rates[i] / zones->expected[i]) <
				    -zones->limit;
		zones->suspects += place->is_suspect;
	}
	zones->suspects_left = zones->suspects;
}

static bool is_witness(const struct zones *zones, size_t index)
{
	return index < zones->count && !zones->places[index].is_suspect &&
	       !is_left_out(zones, &zones->places[index]) &&
	       zones->expected[index] > 0;
}

/* Returns zones->count where there is none. */
static size_t find_witness(const struct zones *zones, size_t suspect)
{
	for (size_t away = 1; away < zones->count; away++) {
		if (is_witness(zones, suspect + away))
			return suspect + away;
		if (away <= suspect && is_witness(zones, suspect - away))
			return suspect - away;
	}
	return zones->count;
}

static size_t find_suspect(const struct zones *zones, size_t from)
{
	while (from < zones->count && !zones->places[from].is_suspect)
		from++;
	return from;
}

/* Against a neighbour of the same minute, as the device may have become slower as
 * a whole since; and against what was expected: it may have become faster, too,
 * or the neighbour have come from a cache. */
static void decide(struct zones *zones, const struct leg_record *witness)
{
	const size_t suspect = zones->current;
	const size_t other = find_witness(zones, suspect);
	struct place *place = &zones->places[suspect];
	const double now = rate_of(&zones->second) / rate_of(witness);
	const double usual = zones->expected[suspect] / zones->expected[other];
	const double again = rate_of(&zones->second);

	place->is_slow = log(now / usual) < -zones->limit &&
			 log(again / zones->expected[suspect]) < -zones->limit;
}

/* What kept it the other time is not of the place. */
static void take_second(struct zones *zones, const struct leg_record *record)
{
	struct place *place = &zones->places[zones->current];

	zones->second = *record;
	if (!(rate_of(record) < rate_of(&place->record)))
		place->record = *record;
}

/* ---- the route --------------------------------------------------------- */

/* What is less than a block at the end of the range belongs to it. */
static uint64_t enough_bytes(const struct zones *zones,
			     const struct place *place)
{
	const struct blkbench_plan *plan = &zones->plan;

	if (place->room_bytes - plan->place_bytes < plan->block_bytes)
		return place->room_bytes;
	return plan->place_bytes;
}

static void make_leg(const struct zones *zones, size_t index, uint64_t limit_ns,
		     struct leg *leg)
{
	const struct place *place = &zones->places[index];

	*leg = (struct leg){
		.offset_bytes = place->offset_bytes,
		.length_bytes = place->room_bytes,
		.enough_bytes = enough_bytes(zones, place),
		.enough_ns = zones->plan.place_ns,
		.limit_ns = limit_ns > 0 ? limit_ns : 1,
	};
}

static uint64_t usual_limit_ns(const struct zones *zones)
{
	return zones->plan.runtime_ns /
	       (zones->count + zones->count / AGAIN_SHARE);
}

/* Only where there is time for both readings. */
static bool next_suspect(struct zones *zones, size_t from, uint64_t left_ns,
			 struct leg *leg)
{
	zones->stage = DONE;
	zones->current = find_suspect(zones, from);
	if (zones->current == zones->count ||
	    left_ns < 2 * usual_limit_ns(zones))
		return false;
	zones->stage = SUSPECT;
	zones->suspects_left--;
	make_leg(zones, zones->current, usual_limit_ns(zones), leg);
	return true;
}

static bool next_of_curve(struct zones *zones, uint64_t left_ns,
			  struct leg *leg)
{
	const size_t left = zones->count - zones->asked;

	if (left == 0) {
		judge(zones);
		return next_suspect(zones, 0, left_ns, leg);
	}
	zones->current = zones->order[zones->asked++];
	make_leg(zones, zones->current,
		 left_ns / (left + zones->count / AGAIN_SHARE), leg);
	return true;
}

static bool zones_next(struct route *route, uint64_t left_ns, struct leg *leg)
{
	struct zones *zones = (struct zones *)route;
	size_t witness;

	switch (zones->stage) {
	case CURVE:
		return next_of_curve(zones, left_ns, leg);
	case SUSPECT:
		witness = find_witness(zones, zones->current);
		if (witness == zones->count)
			return next_suspect(zones, zones->current + 1, left_ns,
					    leg);
		zones->stage = WITNESS;
		make_leg(zones, witness, usual_limit_ns(zones), leg);
		return true;
	case WITNESS:
		return next_suspect(zones, zones->current + 1, left_ns, leg);
	default:
		return false;
	}
}

static void zones_take(struct route *route, const struct leg_record *record)
{
	struct zones *zones = (struct zones *)route;
	struct place *place = &zones->places[zones->current];

	zones->taken++;
	if (zones->stage == SUSPECT) {
		take_second(zones, record);
	} else if (zones->stage == WITNESS) {
		decide(zones, record);
	} else {
		place->record = *record;
		place->was_read = true;
	}
}

static double zones_fraction(const struct route *route)
{
	const struct zones *zones = (const struct zones *)route;

	return (double)zones->taken /
	       (double)(zones->count + 2 * zones->suspects);
}

/* ---- the result -------------------------------------------------------- */

static void fill_zones(const struct zones *zones,
		       struct blkbench_result *result)
{
	for (size_t i = 0; i < zones->count; i++) {
		const struct place *place = &zones->places[i];
		const struct leg_record *record = &place->record;

		result->zones[i] = (struct blkbench_zone){
			.offset_bytes = place->offset_bytes,
			.length_bytes = record->bytes,
			.rate_bytes_per_s = place->was_read ? rate_of(record)
							    : NAN,
			.errors = record->errors,
			.error = record->error,
		};
	}
	result->zones_count = zones->count;
}

static void fill_curve(struct blkbench_result *result)
{
	struct blkbench_curve *curve = &result->curve;
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < result->zones_count; i++) {
		const struct blkbench_zone *zone = &result->zones[i];
		const double rate = zone->rate_bytes_per_s;

		if (isnan(rate))
			continue;
		if (!(rate >= curve->min_rate_bytes_per_s)) {
			curve->min_rate_bytes_per_s = rate;
			curve->min_offset_bytes = zone->offset_bytes;
		}
		if (!(rate <= curve->max_rate_bytes_per_s)) {
			curve->max_rate_bytes_per_s = rate;
			curve->max_offset_bytes = zone->offset_bytes;
		}
		sum += rate;
		count++;
	}
	if (count > 0)
		curve->mean_rate_bytes_per_s = sum / (double)count;
}

/* Slow places next to each other are one spot, up to the next that is not. */
static void fill_slow_spots(const struct zones *zones,
			    struct blkbench_result *result)
{
	struct blkbench_slow_spot *spot = NULL;

	for (size_t i = 0; i < zones->count; i++) {
		const struct place *place = &zones->places[i];
		const double rate = rate_of(&place->record);

		if (!place->is_slow) {
			spot = NULL;
			continue;
		}
		if (!spot) {
			spot = &result->slow_spots[result->slow_spots_count++];
			spot->offset_bytes = place->offset_bytes;
			spot->rate_bytes_per_s = INFINITY;
		}
		spot->length_bytes = place->offset_bytes + place->room_bytes -
				     spot->offset_bytes;
		if (rate < spot->rate_bytes_per_s) {
			spot->rate_bytes_per_s = rate;
			spot->expected_bytes_per_s = zones->expected[i];
		}
	}
}

static void warn_of_time(const struct zones *zones,
			 struct blkbench_result *result)
{
	size_t missed = 0;

	for (size_t i = 0; i < zones->count; i++)
		missed += !zones->places[i].was_read;
	if (result->is_partial)
		return;
	if (missed > 0)
		result_warn(result, "time",
			    "the time limit left no time for %zu of %zu places",
			    missed, zones->count);
	else if (zones->suspects_left > 0)
		result_warn(result, "time",
			    "the time limit left no time to read places again "
			    "that were slow at first, %zu of them",
			    zones->suspects_left);
}

static int zones_summarise(const struct route *route,
			   struct blkbench_result *result)
{
	const struct zones *zones = (const struct zones *)route;

	result->zones = calloc(zones->count, sizeof(*result->zones));
	result->slow_spots = calloc(zones->count, sizeof(*result->slow_spots));
	if (!result->zones || !result->slow_spots)
		return -ENOMEM;
	fill_zones(zones, result);
	fill_curve(result);
	fill_slow_spots(zones, result);
	warn_of_time(zones, result);
	return 0;
}

static const struct route_ops zones_ops = {
	.next = zones_next,
	.take = zones_take,
	.fraction = zones_fraction,
	.summarise = zones_summarise,
	.destroy = zones_destroy,
};

struct route *zones_create(const struct blkbench_plan *plan)
{
	struct zones *zones = calloc(1, sizeof(*zones));

	if (!zones)
		return NULL;
	zones->route.ops = &zones_ops;
	zones->plan = *plan;
	zones->count = plan->places;
	zones->places = calloc(zones->count, sizeof(*zones->places));
	zones->order = calloc(zones->count, sizeof(*zones->order));
	zones->expected = calloc(zones->count, sizeof(*zones->expected));
	zones->work = calloc(zones->count, sizeof(*zones->work));
	if (!zones->places || !zones->order || !zones->expected ||
	    !zones->work) {
		zones_destroy(&zones->route);
		return NULL;
	}
	lay_out(zones);
	zones_order(zones->order, zones->count);
	return &zones->route;
}
