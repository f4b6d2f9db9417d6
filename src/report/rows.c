/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "report/rows.h"

#define MOST_COLUMNS 64

union cell {
	char *text;
	uint64_t count;
	double real;
};

/* A log may have millions: a bit a cell tells what is there, and a text is kept once. */
struct row {
	uint64_t present;
	uint64_t shared; /* texts that belong to a row above */
	enum row_mark mark;
	union cell cells[];
};

struct rows {
	const struct column *columns;
	unsigned int n_columns;
	size_t n;
	struct row **rows;
};

struct rows *rows_new(const struct column *columns)
{
	struct rows *rows = xcalloc(1, sizeof(*rows));

	rows->columns = columns;
	while (columns[rows->n_columns].name)
		rows->n_columns++;
	if (rows->n_columns > MOST_COLUMNS)
		abort();
	return rows;
}

static uint64_t bit(unsigned int column)
{
	return (uint64_t)1 << column;
}

static void drop_text(const struct rows *rows, struct row *row, unsigned int column)
{
	if (rows->columns[column].type == CELL_TEXT && !(row->shared & bit(column)))
		free(row->cells[column].text);
}

void rows_free(struct rows *rows)
{
	if (!rows)
		return;
	for (size_t i = 0; i < rows->n; i++) {
		for (unsigned int c = 0; c < rows->n_columns; c++)
			drop_text(rows, rows->rows[i], c);
		free(rows->rows[i]);
	}
	free(rows->rows);
	free(rows);
}

void rows_add(struct rows *rows)
{
	size_t size = sizeof(struct row) + rows->n_columns * sizeof(union cell);

	rows->rows = xgrow(rows->rows, rows->n, sizeof(*rows->rows));
	rows->rows[rows->n++] = xcalloc(1, size);
}

size_t rows_count(const struct rows *rows)
{
	return rows->n;
}

void rows_mark(struct rows *rows, enum row_mark mark)
{
	rows->rows[rows->n - 1]->mark = mark;
}

enum row_mark rows_mark_of(const struct rows *rows, size_t row)
{
	return rows->rows[row]->mark;
}

const struct column *rows_columns(const struct rows *rows)
{
	return rows->columns;
}

/* The newest row; a column of another type is a mistake in the program. */
static struct row *fill(struct rows *rows, unsigned int column, enum cell_type type, bool present)
{
	struct row *row;

	if (!rows->n || column >= rows->n_columns || rows->columns[column].type != type)
		abort();
	row = rows->rows[rows->n - 1];
	row->present &= ~bit(column);
	row->present |= present ? bit(column) : 0;
	return row;
}

/* The same text in the row above, or NULL: many columns say the same in row after row. */
static char *text_above(const struct rows *rows, unsigned int column, const char *text)
{
	char *above = rows->n > 1 ? rows->rows[rows->n - 2]->cells[column].text : NULL;

	return above && !strcmp(above, text) ? above : NULL;
}

void rows_set_text(struct rows *rows, unsigned int column, const char *text)
{
	struct row *row = fill(rows, column, CELL_TEXT, text);
	char *above = text ? text_above(rows, column, text) : NULL;
	char *copy = text && !above ? xstrdup(text) : above;

	drop_text(rows, row, column);
	row->cells[column].text = copy;
	row->shared &= ~bit(column);
	row->shared |= above ? bit(column) : 0;
}

void rows_set_count(struct rows *rows, unsigned int column, uint64_t value)
{
	fill(rows, column, CELL_COUNT, true)->cells[column].count = value;
}

void rows_set_real(struct rows *rows, unsigned int column, double value)
{
	bool ratio = rows->columns[column].type == CELL_RATIO;
	struct row *row = fill(rows, column, ratio ? CELL_RATIO : CELL_REAL, isfinite(value));

	row->cells[column].real = value;
}

/* Digits at the end of @text: most cells are whole numbers, and printf takes its time for each. */
static const char *whole(uint64_t value, bool negative, char *text, size_t size)
{
	char *p = text + size - 1;

	*p = '\0';
	do {
		*--p = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	if (negative)
		*--p = '-';
	return p;
}

/* Is it what %.10g shows without a point or an exponent? */
static bool is_whole(double value)
{
	return fabs(value) < 1e10 && value == rint(value) && !(value == 0 && signbit(value));
}

static const char *real_text(const struct column *column, double value, enum cell_form form,
			     char *text, size_t size)
{
	double rounded = rint(value); /* ties to even, as printf does */

	if (form == FORM_FILE && is_whole(value))
		return whole((uint64_t)fabs(value), value < 0, text, size);
	if (form == FORM_FILE)
		snprintf(text, size, "%.10g", value);
	else if (column->type == CELL_RATIO)
		snprintf(text, size, "%.*f%%", column->decimals, value * 100);
	else if (column->decimals == 0 && fabs(rounded) < 1e18)
		return whole((uint64_t)fabs(rounded), signbit(value), text, size);
	else
		snprintf(text, size, "%.*f", column->decimals, value);
	return text;
}

const char *rows_cell(const struct rows *rows, size_t row, unsigned int column,
		      enum cell_form form)
{
	static char text[400]; /* %.*f of DBL_MAX fits */
	const union cell *cell = &rows->rows[row]->cells[column];

	if (!(rows->rows[row]->present & bit(column)))
		return NULL;
	switch (rows->columns[column].type) {
	case CELL_TEXT:
		return cell->text;
	case CELL_COUNT:
		return whole(cell->count, false, text, sizeof(text));
	case CELL_REAL:
	case CELL_RATIO:
		return real_text(&rows->columns[column], cell->real, form, text, sizeof(text));
	}
	return NULL;
}

static int *index_room(const struct column *columns, size_t extra)
{
	size_t n = 0;

	while (columns[n].name)
		n++;
	return xcalloc(n + extra + 1, sizeof(int));
}

int *columns_shown(const struct column *columns)
{
	int *shown = index_room(columns, 0), n = 0;

	for (int c = 0; columns[c].name; c++) {
		if (columns[c].shown)
			shown[n++] = c;
	}
	shown[n] = -1;
	return shown;
}

struct selection {
	const char *what;
	const struct column *columns;
	int *shown;
	int n;
};

static void show(struct selection *selection, int column)
{
	for (int i = 0; i < selection->n; i++) {
		if (selection->shown[i] == column)
			return; /* +NAME of one that is shown anyway */
	}
	selection->shown[selection->n++] = column;
}

static int take_column(const char *name, void *arg)
{
	struct selection *selection = arg;
	const char **names;
	int c, n = 0;

	for (c = 0; selection->columns[c].name; c++) {
		if (!strcmp(selection->columns[c].name, name)) {
			show(selection, c);
			return 0;
		}
	}
	names = xcalloc((size_t)c + 1, sizeof(*names));
	for (; n < c; n++)
		names[n] = selection->columns[n].name;
	complain("%s: there is no column '%s'%s", selection->what, name,
		 did_you_mean(name, names, NULL));
	free(names);
	return -1;
}

int columns_select(const char *what, const struct column *columns, const char *usual,
		   const char *list, int **to)
{
	struct selection selection = { .what = what, .columns = columns };
	bool add = *list == '+';
	int rc = 0;

	selection.shown = index_room(columns, strlen(list) + (usual ? strlen(usual) : 0));
	if (add && usual) {
		rc = parse_each(what, usual, take_column, &selection);
	} else if (add) {
		int *before = columns_shown(columns);

		for (; before[selection.n] >= 0; selection.n++)
			selection.shown[selection.n] = before[selection.n];
		free(before);
	}
	if (rc == 0)
		rc = parse_each(what, list + add, take_column, &selection);
	selection.shown[selection.n] = -1;
	if (rc)
		free(selection.shown);
	else
		*to = selection.shown;
	return rc;
}
