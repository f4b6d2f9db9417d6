/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that people read.  The same text on a terminal and in a pipe. */
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/xalloc.h"
#include "report/rows.h"

struct table {
	const struct rows *rows;
	const struct column *columns;
	const int *shown; /* ends with -1 */
	size_t *widths;   /* of the shown ones */
	char *text;       /* the cell at hand */
	size_t room;      /* of it */
};

/* Fills table->text; how many columns of the terminal it takes. */
static size_t lay_out(struct table *table, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	if (PRINTABLE_ROOM(n) > table->room) {
		table->room = 2 * PRINTABLE_ROOM(n);
		table->text = xreallocarray(table->text, table->room, 1);
	}
	return printable(table->text, text, n);
}

/* @row -1: the titles. */
static size_t lay_out_cell(struct table *table, ptrdiff_t row, size_t i)
{
	const struct column *column = &table->columns[table->shown[i]];

	if (row < 0)
		return lay_out(table, column->title ? column->title : column->name);
	return lay_out(table, rows_cell(table->rows, (size_t)row, (unsigned int)table->shown[i],
					FORM_TABLE));
}

/* A cell is made twice, once to measure it: a log of millions of lines is not kept a second time. */
static void measure(struct table *table)
{
	for (ptrdiff_t row = -1; row < (ptrdiff_t)rows_count(table->rows); row++)
		for (size_t i = 0; table->shown[i] >= 0; i++) {
			size_t width = lay_out_cell(table, row, i);

			if (width > table->widths[i])
				table->widths[i] = width;
		}
}

static void put_blanks(size_t n, FILE *to)
{
	while (n--)
		putc_unlocked(' ', to);
}

static void print_row(struct table *table, ptrdiff_t row, FILE *to)
{
	for (size_t i = 0; table->shown[i] >= 0; i++) {
		bool last = table->shown[i + 1] < 0;
		bool left = table->columns[table->shown[i]].type == CELL_TEXT;
		size_t blanks = table->widths[i] - lay_out_cell(table, row, i);

		if (!left && !(last && !*table->text))
			put_blanks(blanks, to);
		fputs_unlocked(table->text, to);
		if (left && !last)
			put_blanks(blanks, to);
		putc_unlocked(last ? '\n' : ' ', to);
	}
}

/* Groups of rows with one value in the column @group are set apart. */
static bool breaks(const struct table *table, size_t row, int group)
{
	char *before;
	const char *text;
	bool other;

	if (group < 0 || !row)
		return false;
	text = rows_cell(table->rows, row - 1, (unsigned int)group, FORM_TABLE);
	before = xstrdup(text ? text : "");
	text = rows_cell(table->rows, row, (unsigned int)group, FORM_TABLE);
	other = strcmp(before, text ? text : "");
	free(before);
	return other;
}

int rows_write_table(const struct rows *rows, const int *shown, int group, FILE *to)
{
	struct table table = { rows, rows_columns(rows), shown, .text = NULL };
	size_t n = 0;

	if (!rows_count(rows))
		return 0;
	while (shown[n] >= 0)
		n++;
	table.widths = xcalloc(n, sizeof(*table.widths));
	measure(&table);
	print_row(&table, -1, to);
	for (size_t i = 0; i < rows_count(rows); i++) {
		if (breaks(&table, i, group))
			putc('\n', to);
		print_row(&table, (ptrdiff_t)i, to);
	}
	free(table.widths);
	free(table.text);
	return ferror(to) ? -1 : 0;
}
