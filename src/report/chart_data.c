/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the rows of a chart to the table that gnuplot reads. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <wchar.h>
#include <wctype.h>

#include "base/complain.h"
#include "base/minmax.h"
#include "base/xalloc.h"
#include "report/chart_rows.h"

#define LONGEST_NAME 80 /* bytes of one in a picture */
#define LONGEST_LINE 160
#define LEAST_NUMBER 1e-30 /* beyond both gnuplot's axes get lost; no time or size comes near them */
#define MOST_NUMBER 1e30

/* What stands for a character that means something to gnuplot's files or to a tooltip's script. */
static const char *twin_of(char c, wchar_t wide)
{
	switch (c) {
	case '"':
		return "\u201d";
	case '\'':
		return "\u2019";
	case '\\':
		return "\u2216";
	default:
		return iswprint((wint_t)wide) ? NULL : " ";
	}
}

/* A name from anywhere, safe as a field: gnuplot escapes < and & in SVG itself. */
static void put_text(FILE *to, const char *text, size_t longest)
{
	size_t length = strlen(text), used;
	mbstate_t state = { 0 };

	if (!length)
		fputs("\u2013", to);
	for (size_t i = 0; i < length; i += used) {
		const char *twin;
		wchar_t wide;

		used = mbrtowc(&wide, text + i, length - i, &state);
		if (used > length - i) { /* an error, as a size_t */
			memset(&state, 0, sizeof(state));
			used = 1;
			twin = "\ufffd";
		} else {
			twin = twin_of(text[i], wide);
		}
		if (i + used > longest) {
			fputs("\u2026", to);
			return;
		}
		if (twin)
			fputs(twin, to);
		else
			fwrite(text + i, 1, used, to);
	}
}

static char *clean_line(const char *text)
{
	char *line = NULL;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (to && *text)
		put_text(to, text, LONGEST_LINE);
	return to && !fclose(to) ? line : xstrdup("");
}

static bool is_fit(double number)
{
	return number == 0 || (fabs(number) >= LEAST_NUMBER && fabs(number) <= MOST_NUMBER);
}

static void put_number(FILE *to, double number)
{
	if (!is_fit(number))
		fputs("NaN", to);
	else
		fprintf(to, "%.10g", number);
}

static int by_block(const void *a, const void *b)
{
	const struct chart_row *left = a, *right = b;

	if (left->block != right->block)
		return left->block < right->block ? -1 : 1;
	if (left->number[0] < right->number[0])
		return -1;
	if (left->number[0] > right->number[0])
		return 1;
	return left->place < right->place ? -1 : 1;
}

static void write_lines(struct chart_rows *rows, FILE *to)
{
	qsort(rows->rows, rows->n, sizeof(*rows->rows), by_block);
	for (size_t i = 0; i < rows->n; i++) {
		const struct chart_row *row = &rows->rows[i];

		if (i && row->block != row[-1].block)
			fputs("\n\n", to); /* gnuplot: the next index */
		put_text(to, row->series, LONGEST_NAME);
		for (size_t f = 0; f < rows->n_fields; f++) {
			const char *text = row->text[rows->n_keys + f];

			putc('\t', to);
			if (rows->chart->fields[f].kind == FIELD_TEXT)
				put_text(to, text ? text : "", LONGEST_NAME);
			else
				put_number(to, row->number[f]);
		}
		putc('\n', to);
	}
}

/* One row of SHAPE_TABLE. */
struct bar {
	const char *name;
	size_t nth;     /* of that name in one series: a log may have two initcalls of one name */
	double *values; /* by series */
	double range;
	size_t place;
};

static int by_name(const void *a, const void *b)
{
	const struct chart_row *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : left->place < right->place ? -1 : 1;
}

static int by_range(const void *a, const void *b)
{
	const struct bar *left = a, *right = b;

	if (left->range != right->range)
		return left->range < right->range ? 1 : -1;
	return left->place < right->place ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
	const struct bar *left = a, *right = b;

	return left->place < right->place ? -1 : 1;
}

static void add_bar(struct bar *bar, const struct chart_rows *rows, size_t i, size_t nth)
{
	*bar = (struct bar){ .name = rows->rows[i].name, .nth = nth, .place = rows->rows[i].place };
	bar->values = xcalloc(rows->n_series, sizeof(*bar->values));
	for (size_t s = 0; s < rows->n_series; s++)
		bar->values[s] = NAN;
}

/* The rows of one name are the bars from @first on: the k-th of each series goes to the k-th bar. */
static struct bar *make_bars(struct chart_rows *rows, size_t *n)
{
	size_t *next = xcalloc(rows->n_series, sizeof(*next)), first = 0;
	struct bar *bars = NULL;

	*n = 0;
	qsort(rows->rows, rows->n, sizeof(*rows->rows), by_name);
	for (size_t i = 0; i < rows->n; i++) {
		const struct chart_row *row = &rows->rows[i];
		size_t at;

		if (!*n || strcmp(bars[first].name, row->name)) {
			first = *n;
			memset(next, 0, rows->n_series * sizeof(*next));
		}
		at = first + next[row->block]++;
		if (at == *n) {
			bars = xgrow(bars, *n, sizeof(*bars));
			add_bar(&bars[*n], rows, i, at - first);
			++*n;
		}
		bars[at].values[row->block] = row->number[1];
	}
	free(next);
	return bars;
}

static double range_of(const double *values, size_t n)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		low = lesser(values[i], low);
		high = greater(values[i], high);
	}
	return high > low ? high - low : 0;
}

static void write_heads(const struct chart_rows *rows, FILE *to)
{
	const char **heads = xcalloc(rows->n_series, sizeof(*heads));

	for (size_t i = 0; i < rows->n; i++)
		heads[rows->rows[i].block] = rows->rows[i].series;
	fputs("name", to);
	for (size_t s = 0; s < rows->n_series; s++) {
		putc('\t', to);
		put_text(to, heads[s], LONGEST_NAME);
	}
	putc('\n', to);
	free(heads);
}

static void write_bar(const struct bar *bar, size_t n_series, FILE *to)
{
	put_text(to, bar->name, LONGEST_NAME);
	if (bar->nth)
		fprintf(to, "#%zu", bar->nth + 1);
	for (size_t s = 0; s < n_series; s++) {
		putc('\t', to);
		put_number(to, bar->values[s]);
	}
	putc('\n', to);
}

static size_t write_table(struct chart_rows *rows, FILE *to)
{
	size_t n, most = rows->chart->most;
	struct bar *bars = make_bars(rows, &n);

	for (size_t i = 0; i < n; i++)
		bars[i].range = range_of(bars[i].values, rows->n_series);
	qsort(bars, n, sizeof(*bars), most ? by_range : by_place);
	write_heads(rows, to);
	most = most && most < n ? most : n;
	for (size_t i = 0; i < n; i++) {
		if (i < most)
			write_bar(&bars[i], rows->n_series, to);
		free(bars[i].values);
	}
	free(bars);
	return most;
}

/* What checks are held against: alone it makes no chart. */
static bool is_baseline(const struct chart_row *row)
{
	return !strcmp(row->series, "empty") || !strcmp(row->series, "load");
}

/* Does a point of @row show?  Without one gnuplot has words of its own. */
static bool is_drawable(const struct chart_rows *rows, const struct chart_row *row)
{
	const struct chart *chart = rows->chart;
	const char *text = row->text[rows->n_keys];
	double x = row->number[0], y = row->number[1];

	if (chart->fields[0].kind == FIELD_TEXT)
		x = !chart->log_x ? 1 : text ? strtod(text, NULL) : NAN;
	return !is_baseline(row) && is_fit(x) && (chart->log_x ? x > 0 : x >= 0) && is_fit(y) &&
	       y > 0 && !(chart->x_most > 0 && x > chart->x_most);
}

static void look_at_numbers(const struct chart_rows *rows, struct chart_data *data)
{
	for (size_t i = 0; i < rows->n; i++) {
		const struct chart_row *row = &rows->rows[i];

		data->drawable |= is_drawable(rows, row);
		for (size_t f = 0; f < rows->n_fields; f++)
			data->unfit += !isnan(row->number[f]) && !is_fit(row->number[f]);
	}
}

/* In memory, where gnuplot finds it as a file: nothing to name, nothing to leave behind. */
static int write_data(struct chart_rows *rows, struct chart_data *data)
{
	int fd = memfd_create("chart", MFD_CLOEXEC);

	data->table = fd < 0 ? NULL : fdopen(fd, "w+");
	if (!data->table) {
		complain("no memory for a chart: %s", strerror(errno));
		return -1;
	}
	if (rows->chart->shape == SHAPE_TABLE) {
		data->n_rows = write_table(rows, data->table);
	} else {
		write_lines(rows, data->table);
		data->n_rows = rows->n;
	}
	if (fflush(data->table)) {
		complain("no memory for a chart: %s", strerror(errno));
		return -1;
	}
	return 0;
}

int chart_data_read(const struct chart *chart, const char *csv, struct chart_data *data)
{
	/* Files are in UTF-8, whatever this terminal's locale is. */
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
	struct chart_rows rows;
	int rc = chart_rows_read(&rows, chart, csv);
	locale_t before = uselocale(utf8 ? utf8 : (locale_t)0);

	*data = (struct chart_data){ .chart = chart, .file = csv, .n_series = rows.n_series,
				     .left_out = rows.left_out,
				     .subtitle = clean_line(rows.subtitle) };
	if (!rc && rows.n) {
		look_at_numbers(&rows, data);
		rc = write_data(&rows, data);
	}
	chart_rows_free(&rows);
	uselocale(before);
	if (utf8)
		freelocale(utf8);
	return rc;
}

void chart_data_free(struct chart_data *data)
{
	if (data->table)
		fclose(data->table);
	free(data->subtitle);
	*data = (struct chart_data){ 0 };
}
