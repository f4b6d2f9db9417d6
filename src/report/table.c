/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table that people read: libsmartcols lays it out.  The same text on a terminal and in a pipe:
 * colour only emphasises.
 */
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

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

static int add_columns(struct libscols_table *table, const struct column *columns,
		       const int *shown)
{
	for (const int *c = shown; *c >= 0; c++) {
		const struct column *column = &columns[*c];
		int flags = column->type == CELL_TEXT ? 0 : SCOLS_FL_RIGHT;
		struct libscols_column *added;

		added = scols_table_new_column(table, column->title ? column->title : column->name,
					       0, flags);
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
 * The lines of @text, the titles first, with a blank one between groups.  The table was laid out as a
 * whole: to print a range of it for each group would measure all of it for each group.
 */
static void print_groups(const char *text, const struct rows *rows, int group, FILE *to)
{
	char *before = xstrdup(group_of(rows, 0, group));

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
}

int rows_write_table(const struct rows *rows, const int *shown, int group, FILE *to)
{
	struct libscols_table *table;
	char *text = NULL;
	int rc;

	if (!rows_count(rows))
		return 0;
	use_locale(); /* libsmartcols asks it which characters print, and how wide they are */
	scols_init_debug(0);
	table = scols_new_table();
	rc = !table || scols_table_enable_colors(table, is_colored(to)) ||
	     add_columns(table, rows_columns(rows), shown);
	for (size_t i = 0; !rc && i < rows_count(rows); i++)
		rc = add_line(table, rows, i, shown);
	if (!rc)
		rc = scols_print_table_to_string(table, &text);
	if (!rc)
		print_groups(text, rows, group, to);
	free(text);
	scols_unref_table(table);
	if (rc && !ferror(to))
		complain("out of memory while laying out a table");
	return rc || ferror(to) ? -1 : 0;
}
