/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows: what every command ends in, and what every writer starts from.
 *
 * A command has one static table of columns and an enum that numbers them; it fills rows cell by
 * cell, and a cell that nobody fills is absent: an empty field in CSV, null in JSON, blank in a
 * table.  The writers know nothing of what a column means.
 */
#ifndef SLUBBENCH_ROWS_H
#define SLUBBENCH_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum cell_type {
	CELL_TEXT,
	CELL_COUNT,
	CELL_REAL,
	CELL_RATIO, /* a real of which the table shows the percentage */
};

struct column {
	const char *name;    /* CSV header, and what -o takes */
	const char *title;   /* over the table's column; NULL: the name */
	enum cell_type type;
	int decimals;        /* of a real in the table; files carry ten digits */
	bool shown;          /* in the table when -o does not say otherwise */
};

struct rows;

/* @columns ends with a NULL name and outlives the rows. */
struct rows *rows_new(const struct column *columns);
void rows_free(struct rows *rows);

/* Start a row; the rows_set_*() that follow fill it. */
void rows_add(struct rows *rows);
size_t rows_count(const struct rows *rows);

/* Why the newest row stands out; only a table in colour shows it. */
enum row_mark {
	MARK_NONE,
	MARK_POINT, /* what the others are held against, or what was asked for */
	MARK_ASIDE, /* a baseline, or what cannot be had */
	MARK_WRONG,
};
void rows_mark(struct rows *rows, enum row_mark mark);
enum row_mark rows_mark_of(const struct rows *rows, size_t row);

void rows_set_text(struct rows *rows, unsigned int column, const char *text); /* NULL: absent */
void rows_set_count(struct rows *rows, unsigned int column, uint64_t value);
void rows_set_real(struct rows *rows, unsigned int column, double value);     /* NAN: absent */

/*
 * A cell as text in the given form, for writers and tests: NULL when absent.  The string lives until the
 * next call.
 */
enum cell_form { FORM_FILE, FORM_TABLE };
const char *rows_cell(const struct rows *rows, size_t row, unsigned int column,
		      enum cell_form form);
const struct column *rows_columns(const struct rows *rows);

/* Which columns the table shows, in order: the list ends with -1.  Free it. */
int *columns_shown(const struct column *columns);

/*
 * The same from the user's comma separated list of names: 0, or -1 after a complaint that names @what
 * and the nearest column.  "+NAME,..." adds to what is shown without a list: @usual, a list too, or
 * what columns_shown() says where it is NULL.
 */
int columns_select(const char *what, const struct column *columns, const char *usual,
		   const char *list, int **to);

/*
 * The writers.  0, or -1 with the stream's error set: the one who opened it complains.  A row
 * with a different text than the one above in column @group (-1: none) gets a blank line before.
 */
int rows_write_csv(const struct rows *rows, FILE *to);
int rows_write_table(const struct rows *rows, const int *shown, int group, FILE *to);

/*
 * Whether tables emphasise: COLOR_AUTO does on a terminal that can, unless $NO_COLOR says no.  Without
 * its escape sequences the text is the same.
 */
enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
void rows_color(enum color when);

#endif /* SLUBBENCH_ROWS_H */
