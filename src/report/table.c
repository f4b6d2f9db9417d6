/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table that people read: libsmartcols lays it out.  The same text on a terminal and in a pipe:
 * colour only emphasises.
 */
#include <libsmartcols.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/printable.h"
#include "base/output.h"
#include "base/xalloc.h"
#include "report/rows.h"

/* Names that libsmartcols knows. */
static const char *const mark_colors[] = {
	[MARK_POINT] = "bold",
	[MARK_ASIDE] = "halfbright",
	[MARK_WRONG] = "red",
};

static enum color color = COLOR_AUTO;

void rows_color(enum color when)
{
	color = when;
}

static bool is_colored(FILE *to)
{
	const char *no = getenv("NO_COLOR"); /* no-color.org: set, and not empty */

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return output_is_terminal(to) && !(no && *no);
}

static const char *title_of(const struct column *column)
{
	return column->title ? column->title : column->name;
}

/* @width: of each shown column; 0: as its cells need.  Narrower cells alone would get the title's. */
static int add_columns(struct libscols_table *table, const struct column *columns,
		       const int *shown, const size_t *width)
{
	for (size_t i = 0; shown[i] >= 0; i++) {
		const struct column *column = &columns[shown[i]];
		int flags = column->type == CELL_TEXT ? 0 : SCOLS_FL_RIGHT;
		struct libscols_column *added;

		if (width[i] > strlen(title_of(column)))
			flags |= SCOLS_FL_STRICTWIDTH;
		added = scols_table_new_column(table, title_of(column), (double)width[i], flags);
		if (!added || scols_cell_set_color(scols_column_get_header(added), "bold"))
			return -1;
	}
	return 0;
}

static int add_line(struct libscols_table *table, const struct rows *rows, size_t row,
		    const int *shown)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);

	if (!line || scols_line_set_color(line, mark_colors[rows_mark_of(rows, row)]))
		return -1;
	for (size_t i = 0; shown[i] >= 0; i++) {
		const char *text = rows_cell(rows, row, (unsigned int)shown[i], FORM_TABLE);

		if (text && scols_line_set_data(line, i, text))
			return -1;
	}
	return 0;
}

static const char *group_of(const struct rows *rows, size_t row, int group)
{
	const char *text = group < 0 ? NULL : rows_cell(rows, row, (unsigned int)group, FORM_TABLE);

	return text ? text : "";
}

/*
 * The lines of the table, the titles first, with a blank one between groups.  The table is laid out as
 * a whole: to print a range of it for each group would measure all of it for each group.
 */
static int print_groups(struct libscols_table *table, const struct rows *rows, int group, FILE *to)
{
	char *whole = NULL, *before;
	const char *text;
	int rc = scols_print_table_to_string(table, &whole);

	if (rc)
		return rc;
	text = whole;
	before = xstrdup(group_of(rows, 0, group));
	for (size_t row = 0; *text; row++) {
		size_t n = strcspn(text, "\n");

		if (row > 1 && strcmp(before, group_of(rows, row - 1, group)) != 0) {
			free(before);
			before = xstrdup(group_of(rows, row - 1, group));
			putc('\n', to);
		}
		fwrite(text, 1, n, to);
		putc('\n', to);
		text += n + (text[n] == '\n');
	}
	free(before);
	free(whole);
	return 0;
}

/* How wide @text is where every character prints, one column wide, in every locale; else SIZE_MAX. */
static size_t plain_width(const char *text)
{
	size_t n = 0;

	for (; text[n]; n++)
		if (text[n] < ' ' || text[n] > '~')
			return SIZE_MAX;
	return n;
}

/* The width of each shown column; false when that is for the locale to say. */
static bool measure(const struct rows *rows, const int *shown, size_t *width)
{
	for (; *shown >= 0; shown++, width++) {
		*width = plain_width(title_of(&rows_columns(rows)[*shown]));
		for (size_t row = 0; row < rows_count(rows); row++) {
			const char *text = rows_cell(rows, row, (unsigned int)*shown, FORM_TABLE);
			size_t n = text ? plain_width(text) : 0;

			if (n == SIZE_MAX)
				return false;
			if (n > *width)
				*width = n;
		}
	}
	return true;
}

/*
 * Line by line would ask for the widths each time, and all at once takes several times the memory of
 * the rows: pieces of the table reuse what the first one took.
 */
#define PIECE 16

static int print(struct libscols_table *table, const struct rows *rows, const int *shown, int group,
		 size_t piece, FILE *to)
{
	int rc = scols_table_set_stream(table, to);

	for (size_t row = 0; !rc && row < rows_count(rows); row++) {
		rc = add_line(table, rows, row, shown);
		if (rc || ((row + 1) % piece && row + 1 < rows_count(rows)))
			continue;
		rc = group < 0 ? scols_print_table(table) : print_groups(table, rows, group, to);
		scols_table_remove_lines(table);
		if (!rc)
			rc = scols_table_enable_noheadings(table, 1);
	}
	return rc;
}

int rows_write_table(const struct rows *rows, const int *shown, int group, FILE *to)
{
	struct libscols_table *table;
	size_t *width, n = 0;
	bool plain;
	int rc;

	if (!rows_count(rows))
		return 0;
	while (shown[n] >= 0)
		n++;
	width = xcalloc(n + 1, sizeof(*width));
	plain = measure(rows, shown, width);
	if (!plain) {
		use_locale(); /* libsmartcols asks it which characters print, and how wide they are */
		memset(width, 0, n * sizeof(*width));
	}
	scols_init_debug(0);
	table = scols_new_table();
	rc = !table || scols_table_enable_colors(table, is_colored(to)) ||
	     scols_table_enable_noencoding(table, plain) || /* encoding looks at every byte */
	     add_columns(table, rows_columns(rows), shown, width);
	/* What is too wide for a terminal is for libsmartcols to fit in, by all of the lines. */
	if (!rc)
		rc = print(table, rows, shown, group,
			   plain && group < 0 && !isatty(STDOUT_FILENO) ? PIECE : rows_count(rows),
			   to);
	free(width);
	scols_unref_table(table);
	if (rc && !ferror(to))
		complain("out of memory while laying out a table");
	return rc || ferror(to) ? -1 : 0;
}
