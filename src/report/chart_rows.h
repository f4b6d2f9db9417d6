/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a CSV file that one chart shows: chart_data.c's own. */
#ifndef SLUBBENCH_CHART_ROWS_H
#define SLUBBENCH_CHART_ROWS_H

#include "report/chart.h"

struct chart_row {
	char *series;   /* its name */
	size_t block;   /* its number, from 0 in the order of the file */
	char *name;     /* its text fields, joined: what a bar is called */
	char **text;    /* cells of the series' columns, the fields, the slices; NULL: absent */
	double *number; /* of the fields; NAN: absent or text */
	size_t place;   /* in the file */
};

struct chart_rows {
	const struct chart *chart;
	const char *names[CHART_SERIES_MOST + CHART_FIELDS_MOST + CHART_SLICES_MOST + 1];
	size_t n_keys, n_fields, n_slices; /* columns of each kind, in this order */
	struct chart_row *rows;
	size_t n;
	size_t n_series;
	size_t left_out; /* rows of other slices */
	char *subtitle;
};

/* Read, slice, and number the series.  0, or -1 after a complaint; free in either case. */
int chart_rows_read(struct chart_rows *rows, const struct chart *chart, const char *csv);
void chart_rows_free(struct chart_rows *rows);

#endif /* SLUBBENCH_CHART_ROWS_H */
