/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts of CSV files, drawn by gnuplot.
 *
 * A chart is one row of charts[] and one script of its name in plots/.  The row says which columns
 * it needs, what makes a line or a bar colour of its own (a series), and which slice of the file
 * it shows; C cuts that out and gnuplot only draws.  Text of the file reaches gnuplot as data, in
 * characters that mean nothing to gnuplot, SVG or the script inside an SVG.
 */
#ifndef SLUBBENCH_CHART_H
#define SLUBBENCH_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CHART_SERIES_MOST = 3, CHART_FIELDS_MOST = 12, CHART_SLICES_MOST = 10 };

enum field_kind { FIELD_NUMBER, FIELD_TEXT };

struct chart_field {
	const char *name; /* a column of the file; with '?' before it: it may be missing */
	enum field_kind kind;
};

/* Which rows of the file are shown, by one column. */
enum slice_rule {
	SLICE_ONE,    /* one value: @prefer when the file has it, else the most frequent one */
	SLICE_ONLY,   /* rows with @prefer there */
	SLICE_NOT,    /* rows with something else than @prefer there */
	SLICE_NONE,   /* as SLICE_ONE, and the rows with "none" to compare with */
	SLICE_EMPTY,  /* rows that have nothing there */
	SLICE_FILLED, /* rows that have something there */
	SLICE_SEVERAL /* all, if there are at least two values */
};

struct chart_slice {
	const char *name; /* a column, '?' as above */
	enum slice_rule rule;
	const char *prefer;
	const char *label; /* before the value in the subtitle; NULL: not told */
};

enum chart_shape {
	/* A block for each series; a row has the series' name and the fields; sorted by the first. */
	SHAPE_LINES,
	/* A row for each text of the text fields, a column for each series, cells of the second field. */
	SHAPE_TABLE,
};

struct chart {
	const char *name;   /* and of its script, plots/NAME.gp */
	const char *schema;
	const char *about;  /* one line */
	enum chart_shape shape;
	size_t most;        /* SHAPE_TABLE: only this many rows, those that differ most; 0: all */
	bool log_x;         /* the first field is on a logarithmic axis: 0 has no place there */
	double x_most;      /* greater ones of the first field are not drawn; 0: all are */
	const char *series[CHART_SERIES_MOST + 1]; /* columns; '?' as above */
	struct chart_field fields[CHART_FIELDS_MOST + 1]; /* the second one says how high a point is */
	struct chart_slice slices[CHART_SLICES_MOST + 1];
};

/* All charts; ends with a NULL name.  The first one of a schema that finds its rows is the default. */
extern const struct chart charts[];

enum picture { PICTURE_SVG, PICTURE_PNG };

struct chart_data {
	const struct chart *chart;
	const char *file;  /* the CSV's, not copied */
	char *subtitle;    /* which slice it is */
	size_t n_series;
	size_t n_rows;     /* 0: the file has nothing for this chart */
	bool drawable;     /* there is a point or a bar that has a place in the chart */
	size_t unfit;      /* numbers that no axis takes, left out */
	size_t left_out;   /* rows of other slices */
	FILE *table;       /* what gnuplot reads: tab separated, in memory */
};

/*
 * Cut what @chart shows out of the file @csv.  0, or -1 after a complaint; no row at all is no
 * error.  Free the data with chart_data_free() in either case.
 */
int chart_data_read(const struct chart *chart, const char *csv, struct chart_data *data);
void chart_data_free(struct chart_data *data);

/*
 * The data of the chart called @name, or, with NULL, of the first one that fits the file.  0, or
 * -1 after a complaint.
 */
int chart_pick(const char *csv, const char *name, struct chart_data *data);

/* Call @fn for each chart that finds something to draw in the file.  0, or -1 after a complaint. */
int charts_for(const char *csv, void (*fn)(const struct chart *chart));

/* Draw with gnuplot and write the picture to @to.  0, or -1 after a complaint. */
int chart_draw(const struct chart_data *data, enum picture kind, FILE *to);

#endif /* SLUBBENCH_CHART_H */
