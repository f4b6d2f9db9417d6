/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "report/chart_rows.h"
#include "report/csv.h"

#define MOST_SERIES 64 /* nobody tells more lines apart */

static bool is_absent(const char *text)
{
	return !text || !*text;
}

static size_t n_columns(const struct chart_rows *rows)
{
	return rows->n_keys + rows->n_fields + rows->n_slices;
}

static void name_columns(struct chart_rows *rows)
{
	const struct chart *chart = rows->chart;
	const char **to = rows->names;

	for (; chart->series[rows->n_keys]; rows->n_keys++)
		*to++ = chart->series[rows->n_keys];
	for (; chart->fields[rows->n_fields].name; rows->n_fields++)
		*to++ = chart->fields[rows->n_fields].name;
	for (; chart->slices[rows->n_slices].name; rows->n_slices++)
		*to++ = chart->slices[rows->n_slices].name;
	*to = NULL;
}

static int take_number(const struct csv_row *from, const char *column, const char *text, double *to)
{
	char *what;
	int rc;

	*to = NAN;
	if (is_absent(text))
		return 0;
	what = xasprintf("%s:%u: %s", from->file, from->line, column + (*column == '?'));
	rc = parse_real(what, text, -DBL_MAX, DBL_MAX, to);
	free(what);
	return rc;
}

static int take_row(const struct csv_row *from, void *arg)
{
	struct chart_rows *rows = arg;
	struct chart_row *row;

	rows->rows = xgrow(rows->rows, rows->n, sizeof(*rows->rows));
	row = &rows->rows[rows->n];
	row->place = rows->n++;
	row->text = xcalloc(n_columns(rows), sizeof(*row->text));
	row->number = xcalloc(rows->n_fields, sizeof(*row->number));
	for (size_t i = 0; i < n_columns(rows); i++)
		row->text[i] = from->cells[i] ? xstrdup(from->cells[i]) : NULL;
	for (size_t i = 0; i < rows->n_fields; i++) {
		const struct chart_field *field = &rows->chart->fields[i];

		row->number[i] = NAN;
		if (field->kind == FIELD_NUMBER &&
		    take_number(from, field->name, row->text[rows->n_keys + i], &row->number[i]))
			return -1;
	}
	return 0;
}

static void drop_row(const struct chart_rows *rows, struct chart_row *row)
{
	for (size_t i = 0; i < n_columns(rows); i++)
		free(row->text[i]);
	free(row->text);
	free(row->number);
	free(row->series);
	free(row->name);
}

static bool is_shown(const char *text, const struct chart_slice *slice, const char *value,
		     size_t distinct)
{
	switch (slice->rule) {
	case SLICE_ONE:
		return !value || (text && !strcmp(text, value));
	case SLICE_NONE:
		return text && (!strcmp(text, value) || !strcmp(text, "none"));
	case SLICE_ONLY:
		return text && !strcmp(text, slice->prefer);
	case SLICE_NOT:
		return !text || strcmp(text, slice->prefer);
	case SLICE_EMPTY:
		return is_absent(text);
	case SLICE_FILLED:
		return !is_absent(text);
	case SLICE_SEVERAL:
		return distinct > 1;
	}
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/*
 * The value to show of a column: the preferred one or the most frequent; NULL: all cells are
 * empty.  Counts the different ones.
 */
static char *choose_value(const struct chart_rows *rows, size_t column, const char *prefer,
			  size_t *distinct)
{
	const char **values = xcalloc(rows->n + 1, sizeof(*values)), *best = NULL;
	size_t n = 0, most = 0;
	char *chosen;

	for (size_t i = 0; i < rows->n; i++) {
		if (!is_absent(rows->rows[i].text[column]))
			values[n++] = rows->rows[i].text[column];
	}
	qsort(values, n, sizeof(*values), by_text);
	*distinct = 0;
	for (size_t i = 0, run = 0; i < n; i += run) {
		for (run = 1; i + run < n && !strcmp(values[i], values[i + run]);)
			run++;
		++*distinct;
		if (prefer && !strcmp(values[i], prefer))
			run = n - i, most = SIZE_MAX - 1, best = values[i];
		else if (run > most)
			most = run, best = values[i];
	}
	chosen = best ? xstrdup(best) : NULL;
	free(values);
	return chosen;
}

static void add_words(char **to, const char *between, const char *label, const char *value)
{
	char *longer = xasprintf("%s%s%s%s%s", *to, **to ? between : "", label, *label ? " " : "",
				 value);

	free(*to);
	*to = longer;
}

static void cut_slice(struct chart_rows *rows, size_t i)
{
	const struct chart_slice *slice = &rows->chart->slices[i];
	size_t column = rows->n_keys + rows->n_fields + i, distinct, kept = 0;
	char *value = choose_value(rows, column, slice->prefer, &distinct);

	for (size_t r = 0; r < rows->n; r++) {
		if (is_shown(rows->rows[r].text[column], slice, value, distinct))
			rows->rows[kept++] = rows->rows[r];
		else
			drop_row(rows, &rows->rows[r]);
	}
	rows->left_out += rows->n - kept;
	rows->n = kept;
	if (slice->label && value)
		add_words(&rows->subtitle, ", ", slice->label, value);
	free(value);
}

/* A key that never changes is no part of a series' name, unless it is the only part. */
static void name_series(struct chart_rows *rows)
{
	bool tells[CHART_SERIES_MOST] = { true };

	for (size_t k = 1; k < rows->n_keys; k++) {
		size_t distinct;

		free(choose_value(rows, k, NULL, &distinct));
		tells[k] = distinct > 1;
	}
	for (size_t i = 0; i < rows->n; i++) {
		struct chart_row *row = &rows->rows[i];

		row->series = xstrdup("");
		for (size_t k = 0; k < rows->n_keys; k++) {
			if (tells[k] && !is_absent(row->text[k]))
				add_words(&row->series, " ", "", row->text[k]);
		}
	}
}

static void name_rows(struct chart_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct chart_row *row = &rows->rows[i];

		row->name = xstrdup("");
		for (size_t f = 0; f < rows->n_fields; f++) {
			const char *text = row->text[rows->n_keys + f];

			if (rows->chart->fields[f].kind == FIELD_TEXT && !is_absent(text))
				add_words(&row->name, " ", "", text);
		}
	}
}

static int number_series(struct chart_rows *rows, const char *csv)
{
	const char *names[MOST_SERIES];

	for (size_t i = 0; i < rows->n; i++) {
		struct chart_row *row = &rows->rows[i];

		while (row->block < rows->n_series && strcmp(names[row->block], row->series))
			row->block++;
		if (row->block < rows->n_series)
			continue;
		if (rows->n_series == MOST_SERIES) {
			complain("%s: more than %d series: too many for the chart '%s'", csv,
				 MOST_SERIES, rows->chart->name);
			return -1;
		}
		names[rows->n_series++] = row->series;
	}
	return 0;
}

/* A variant that does not apply to what was asked has rows but no number: no bar, and no legend. */
static void drop_unmeasured(struct chart_rows *rows)
{
	size_t number[MOST_SERIES] = { 0 }, measured = 0, kept = 0;

	for (size_t i = 0; i < rows->n; i++)
		number[rows->rows[i].block] |= !isnan(rows->rows[i].number[1]);
	for (size_t s = 0; s < MOST_SERIES; s++)
		number[s] = number[s] ? ++measured : 0;
	if (!measured) /* nothing can be drawn, and that is said of all of it */
		return;
	rows->n_series = measured;
	for (size_t i = 0; i < rows->n; i++) {
		struct chart_row *row = &rows->rows[i];

		if (number[row->block]) {
			row->block = number[row->block] - 1;
			rows->rows[kept++] = *row;
		} else {
			drop_row(rows, row);
		}
	}
	rows->n = kept;
}

int chart_rows_read(struct chart_rows *rows, const struct chart *chart, const char *csv)
{
	*rows = (struct chart_rows){ .chart = chart, .subtitle = xstrdup("") };
	name_columns(rows);
	if (csv_read(csv, chart->schema, rows->names, take_row, rows))
		return -1;
	for (size_t i = 0; i < rows->n_slices; i++)
		cut_slice(rows, i);
	name_series(rows);
	name_rows(rows);
	if (number_series(rows, csv))
		return -1;
	if (chart->shape == SHAPE_TABLE)
		drop_unmeasured(rows);
	return 0;
}

void chart_rows_free(struct chart_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		drop_row(rows, &rows->rows[i]);
	free(rows->rows);
	free(rows->subtitle);
}
