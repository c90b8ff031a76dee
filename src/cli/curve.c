/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 the blkbench authors */
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "curve.h"
#include "text.h"

#define ROWS 6
#define COLUMNS 60
#define LEVELS 8 /* of a row */

/* Before the bars: the column of the labels and a space. */
#define LABEL "  %11s "

/* How full a cell is, in eighths. */
struct cells {
	const char *levels[LEVELS + 1];
	const char *axis, *corner, *line;
};

/* clang-format off */
static const struct cells cells_utf8 = {
	{ " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }, "│", "└", "─"
};
static const struct cells cells_ascii = {
	{ " ", ".", ".", ".", ":", ":", ":", ":", "#" }, "|", "+", "-"
};
/* clang-format on */

/* What never had a rate. */
#define CELL_NONE "x"

struct columns {
	size_t count;
	double values[COLUMNS]; /* or NAN */
};

static double lower(double a, double b)
{
	return isnan(a) || a < b ? a : b;
}

/* Few places are several columns wide, many share one. */
static void make_columns(const struct curve *curve, struct columns *columns)
{
	const size_t width = COLUMNS / curve->count;
	size_t i, place;

	columns->count = width ? width * curve->count : COLUMNS;
	for (i = 0; i < columns->count; i++) {
		place = i * curve->count / columns->count;
		columns->values[i] = curve->values[place];
		while (++place < (i + 1) * curve->count / columns->count)
			columns->values[i] =
				lower(columns->values[i], curve->values[place]);
	}
}

static const char *cell(const struct cells *cells, double share, int row)
{
	int level;

	if (isnan(share))
		return row == 0 ? CELL_NONE : " ";
	level = (int)lround(share * ROWS * LEVELS) - row * LEVELS;
	/* What is little is still something. */
	if (row == 0 && level < 1)
		level = 1;
	return cells->levels[level < 0 ? 0 : level < LEVELS ? level : LEVELS];
}

static void print_row(FILE *out, const struct curve *curve,
		      const struct columns *columns, const struct cells *cells,
		      int row)
{
	char label[2 * TEXT_FIGURE_MAX] = "", number[TEXT_FIGURE_MAX];
	size_t i, end = columns->count;

	if (row == ROWS - 1)
		snprintf(label, sizeof(label), "%s MB/s",
			 text_per_s(curve->max, number));
	fprintf(out, LABEL "%s", label, cells->axis);
	/* No spaces at the end of a line. */
	while (end > 0 &&
	       !strcmp(cell(cells, columns->values[end - 1] / curve->max, row),
		       " "))
		end--;
	for (i = 0; i < end; i++)
		fputs(cell(cells, columns->values[i] / curve->max, row), out);
	fputc('\n', out);
}

/* The rates begin at 0, so that a half looks like a half. */
static void print_axis(FILE *out, const struct curve *curve,
		       const struct columns *columns, const struct cells *cells)
{
	char begin[TEXT_FIGURE_MAX], end[TEXT_FIGURE_MAX];
	size_t i;

	fprintf(out, LABEL "%s", "0", cells->corner);
	for (i = 0; i < columns->count; i++)
		fputs(cells->line, out);
	text_place(curve->begin_bytes, begin);
	text_place(curve->end_bytes, end);
	fprintf(out, "\n" LABEL " %s%*s\n", "", begin,
		(int)(columns->count - strlen(begin)), end);
}

void curve_print(FILE *out, const struct curve *curve, bool is_utf8)
{
	const struct cells *cells = is_utf8 ? &cells_utf8 : &cells_ascii;
	struct columns columns;
	int row;

	make_columns(curve, &columns);
	for (row = ROWS - 1; row >= 0; row--)
		print_row(out, curve, &columns, cells, row);
	print_axis(out, curve, &columns, cells);
}

/* Asked for without making it the program's own: numbers stay as they are. */
bool curve_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool is_utf8;

	if (!locale)
		return false;
	is_utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return is_utf8;
}
