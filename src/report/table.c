/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that people read: libsmartcols lays it out.  The same text on a terminal and in a pipe. */
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "report/rows.h"

static int add_columns(struct libscols_table *table, const struct column *columns,
		       const int *shown)
{
	for (const int *c = shown; *c >= 0; c++) {
		const struct column *column = &columns[*c];
		int flags = column->type == CELL_TEXT ? 0 : SCOLS_FL_RIGHT;

		if (!scols_table_new_column(table, column->title ? column->title : column->name, 0,
					    flags))
			return -1;
	}
	return 0;
}

static int add_line(struct libscols_table *table, const struct rows *rows, size_t row,
		    const int *shown)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);

	if (!line)
		return -1;
	for (size_t i = 0; shown[i] >= 0; i++) {
		const char *text = rows_cell(rows, row, (unsigned int)shown[i], FORM_TABLE);

		if (text && scols_line_set_data(line, i, text))
			return -1;
	}
	return 0;
}

/* Printed a range at a time, so that all groups share the widths of the one table. */
static int print_groups(struct libscols_table *table, const struct rows *rows, int group, FILE *to)
{
	size_t n = rows_count(rows), first = 0;
	char *before = NULL;
	int rc = 0;

	for (size_t i = 0; !rc && i <= n; i++) {
		const char *text = i < n && group >= 0
					   ? rows_cell(rows, i, (unsigned int)group, FORM_TABLE)
					   : NULL;
		bool breaks = i == n || (i && group >= 0 && strcmp(before ? before : "", text ? text : ""));

		if (breaks && i > first) {
			rc = scols_table_print_range(table, scols_table_get_line(table, first),
						     scols_table_get_line(table, i - 1));
			putc('\n', to); /* ends the table, or sets its next group apart */
			first = i;
		}
		free(before);
		before = text ? strdup(text) : NULL;
	}
	free(before);
	return rc;
}

int rows_write_table(const struct rows *rows, const int *shown, int group, FILE *to)
{
	struct libscols_table *table;
	int rc;

	if (!rows_count(rows))
		return 0;
	scols_init_debug(0);
	table = scols_new_table();
	rc = !table || add_columns(table, rows_columns(rows), shown);
	if (!rc) {
		scols_table_set_stream(table, to);
		scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	}
	for (size_t i = 0; !rc && i < rows_count(rows); i++)
		rc = add_line(table, rows, i, shown);
	if (!rc)
		rc = print_groups(table, rows, group, to);
	scols_unref_table(table);
	if (rc && !ferror(to))
		complain("out of memory while laying out a table");
	return rc || ferror(to) ? -1 : 0;
}
