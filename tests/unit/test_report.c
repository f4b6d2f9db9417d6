/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/xalloc.h"
#include "report/csv.h"
#include "report/rows.h"
#include "report/stats.h"

enum { COL_SCHEMA, COL_NAME, COL_N, COL_NS };
static const struct column columns[] = {
	{ "schema", NULL, CELL_TEXT, 0, false },
	{ "name", "NAME", CELL_TEXT, 0, true },
	{ "n", NULL, CELL_COUNT, 0, false },
	{ "ns", "NS", CELL_REAL, 2, true },
	{ .name = NULL },
};

static void add(struct rows *rows, const char *name, double ns)
{
	rows_add(rows);
	rows_set_text(rows, COL_SCHEMA, "test-1");
	rows_set_text(rows, COL_NAME, name);
	rows_set_real(rows, COL_NS, ns);
}

static char *written(int (*write)(const struct rows *, FILE *), const struct rows *rows)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_int_equal(write(rows, to), 0);
	fclose(to);
	return text;
}

static void csv_is_quoted_and_guarded(void **state)
{
	struct rows *rows = rows_new(columns);
	char *text;

	(void)state;
	add(rows, "plain", 1.5);
	add(rows, "a,\"b\"\r\nc", NAN);
	add(rows, "=cmd|' /C calc'!A0", -2);
	rows_set_count(rows, COL_N, UINT64_MAX);
	text = written(rows_write_csv, rows);
	assert_string_equal(text, "schema,name,n,ns\r\n"
				  "test-1,plain,,1.5\r\n"
				  "test-1,\"a,\"\"b\"\"\r\nc\",,\r\n"
				  "test-1,'=cmd|' /C calc'!A0,18446744073709551615,-2\r\n");
	free(text);
	rows_free(rows);
}

static int table_writer(const struct rows *rows, FILE *to)
{
	int *shown = columns_shown(columns);
	int rc = rows_write_table(rows, shown, COL_NAME, to);

	free(shown);
	return rc;
}

static int whole_table_writer(const struct rows *rows, FILE *to)
{
	int *shown = columns_shown(columns);
	int rc = rows_write_table(rows, shown, -1, to);

	free(shown);
	return rc;
}

/* It is laid out in pieces, of which no one but the first has the widest cell or the titles. */
static void long_table_has_one_width(void **state)
{
	struct rows *rows = rows_new(columns);
	size_t lines = 0, titles = 0, wide;
	char *text;

	(void)state;
	for (int i = 0; i < 300; i++)
		add(rows, i ? "a" : "the widest of all", i ? i : 1e9);
	text = written(whole_table_writer, rows);
	wide = strcspn(text, "\n");
	assert_true(wide > strlen("the widest of all 1000000000"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
		assert_int_equal(strlen(line), wide);
		titles += strstr(line, "NAME") != NULL;
	}
	assert_int_equal(lines, 301);
	assert_int_equal(titles, 1);
	free(text);
	rows_free(rows);
}

static void table_has_one_width_and_groups(void **state)
{
	struct rows *rows = rows_new(columns);
	char *text;

	(void)state;
	add(rows, "a", 1);
	add(rows, "a", 1234.567);
	add(rows, "bb", NAN);
	text = written(table_writer, rows);
	assert_string_equal(text, "NAME      NS\n"
				  "a       1.00\n"
				  "a    1234.57\n"
				  "\n"
				  "bb   \n");
	free(text);
	rows_free(rows);
}

static void strip_escapes(char *text)
{
	char *to = text;

	for (const char *c = text; *c; c++) {
		if (*c == '\033')
			c += strcspn(c, "m");
		else
			*to++ = *c;
	}
	*to = '\0';
}

/* Without its escape sequences it is the same table. */
static void table_emphasises(void **state)
{
	struct rows *rows = rows_new(columns);
	char *plain, *text;

	(void)state;
	add(rows, "a", 1);
	rows_mark(rows, MARK_POINT);
	add(rows, "a", 1234.567);
	add(rows, "bb", NAN);
	rows_mark(rows, MARK_WRONG);
	plain = written(table_writer, rows);
	rows_color(COLOR_ALWAYS);
	text = written(table_writer, rows);
	rows_color(COLOR_AUTO);
	assert_non_null(strstr(text, "\033[1mNAME"));
	assert_non_null(strstr(text, "\033[1ma "));
	assert_non_null(strstr(text, "\na    1234.57\n"));
	assert_non_null(strstr(text, "\033[31mbb"));
	strip_escapes(text);
	assert_string_equal(text, plain);
	free(text);
	free(plain);
	rows_free(rows);
}

/* A name from a log moves no cursor and breaks no line. */
static void table_shows_what_does_not_print(void **state)
{
	struct rows *rows = rows_new(columns);
	char *text;

	(void)state;
	add(rows, "a\033[2J\n", 1);
	add(rows, "b", 2);
	text = written(table_writer, rows);
	assert_string_equal(text, "NAME           NS\n"
				  "a\\x1b[2J\\x0a 1.00\n"
				  "\n"
				  "b            2.00\n");
	free(text);
	rows_free(rows);
}

static void whole_cells_are_as_printf_has_them(void **state)
{
	static const struct column one[] = { { "x", NULL, CELL_REAL, 0, true }, { .name = NULL } };
	static const double values[] = { 0, -0.0, 0.4, -0.4, 0.5, 1.5, 2.5, -2.5, 123456789.5,
					 -7, 4294967296.0, 1e17, 1e18, 1e22, -1e30 };
	struct rows *rows = rows_new(one);

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		char expected[64];

		rows_add(rows);
		rows_set_real(rows, 0, values[i]);
		snprintf(expected, sizeof(expected), "%.0f", values[i]);
		assert_string_equal(rows_cell(rows, i, 0, FORM_TABLE), expected);
		snprintf(expected, sizeof(expected), "%.10g", values[i]);
		assert_string_equal(rows_cell(rows, i, 0, FORM_FILE), expected);
	}
	rows_free(rows);
}

/* A text is kept once for a run of rows, and each row still has its own. */
static void cells_are_set_again(void **state)
{
	struct rows *rows = rows_new(columns);

	(void)state;
	add(rows, "a", 1);
	add(rows, "a", 2);
	rows_set_text(rows, COL_NAME, "b");
	rows_set_text(rows, COL_NAME, "a");
	rows_set_text(rows, COL_SCHEMA, NULL);
	add(rows, "b", NAN);
	rows_set_text(rows, COL_NAME, "a");
	rows_set_text(rows, COL_NAME, "c");
	assert_string_equal(rows_cell(rows, 0, COL_NAME, FORM_FILE), "a");
	assert_string_equal(rows_cell(rows, 1, COL_NAME, FORM_FILE), "a");
	assert_null(rows_cell(rows, 1, COL_SCHEMA, FORM_FILE));
	assert_string_equal(rows_cell(rows, 2, COL_NAME, FORM_FILE), "c");
	assert_null(rows_cell(rows, 2, COL_NS, FORM_FILE));
	rows_set_real(rows, COL_NS, 3);
	assert_string_equal(rows_cell(rows, 2, COL_NS, FORM_FILE), "3");
	rows_free(rows);
}

static void columns_by_name(void **state)
{
	int *shown;

	(void)state;
	assert_int_equal(columns_select("-o", columns, NULL, "ns,name", &shown), 0);
	assert_true(shown[0] == COL_NS && shown[1] == COL_NAME && shown[2] == -1);
	free(shown);
	assert_int_equal(columns_select("-o", columns, NULL, "+n", &shown), 0);
	assert_true(shown[0] == COL_NAME && shown[1] == COL_NS && shown[2] == COL_N &&
		    shown[3] == -1);
	free(shown);
	assert_int_equal(columns_select("-o", columns, "ns,name", "+n,ns", &shown), 0);
	assert_true(shown[0] == COL_NS && shown[1] == COL_NAME && shown[2] == COL_N &&
		    shown[3] == -1);
	free(shown);
	assert_int_equal(columns_select("-o", columns, NULL, "nam", &shown), -1);
	assert_int_equal(columns_select("-o", columns, NULL, "", &shown), -1);
}

struct seen {
	size_t n;
	unsigned int line[4];
	char *name[4], *ns[4];
};

static int see(const struct csv_row *row, void *arg)
{
	struct seen *seen = arg;

	seen->line[seen->n] = row->line;
	seen->name[seen->n] = xstrdup(row->cells[0]);
	seen->ns[seen->n] = row->cells[1] ? xstrdup(row->cells[1]) : NULL;
	seen->n++;
	return 0;
}

static int read_text(const char *text, struct seen *seen)
{
	static const char *const wanted[] = { "name", "?ns", NULL };

	memset(seen, 0, sizeof(*seen));
	return csv_read_memory("test", text, strlen(text), "test-1", wanted, see, seen);
}

static void drop(struct seen *seen)
{
	for (size_t i = 0; i < seen->n; i++) {
		free(seen->name[i]);
		free(seen->ns[i]);
	}
}

static void csv_reads_what_was_written(void **state)
{
	struct rows *rows = rows_new(columns);
	struct seen seen;
	char *text;

	(void)state;
	add(rows, "a,\"b\"\nc", 1);
	add(rows, "=1+2", 2);
	text = written(rows_write_csv, rows);
	assert_int_equal(read_text(text, &seen), 0);
	assert_int_equal(seen.n, 2);
	assert_string_equal(seen.name[0], "a,\"b\"\nc");
	assert_string_equal(seen.name[1], "=1+2");
	assert_int_equal(seen.line[0], 2);
	assert_int_equal(seen.line[1], 4);
	drop(&seen);
	free(text);
	rows_free(rows);
	assert_int_equal(read_text("name,schema\nx,test-1", &seen), 0); /* no last line end */
	assert_string_equal(seen.name[0], "x");
	assert_null(seen.ns[0]);
	drop(&seen);
}

static void csv_refuses(void **state)
{
	static const char *const bad[] = {
		"\n",
		"schema,name\n",
		"schema,other\ntest-1,x\n",
		"other,name\ntest-1,x\n",
		"schema,name\ntest-2,x\n",
		"schema,name\ntest-1,x,y\n",
		"schema,name\ntest-1\n",
		"schema,name\ntest-1,\"open\n",
		"schema,name\ntest-1,\"x\"y\n",
	};
	struct seen seen;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(read_text(bad[i], &seen), -1);
		drop(&seen);
	}
	assert_null(csv_schema("/"));
	assert_null(csv_schema("/nowhere"));
	assert_null(csv_schema("/dev/zero"));
	assert_null(csv_schema("/dev/null"));
}

static void summaries(void **state)
{
	static const double ten[] = { 10, 1, 9, 2, 8, 3, 7, 4, 6, 100 };
	static const double five[] = { 5, 1, 4, 2, 3 };
	struct summary s = summarise(ten, 10);

	(void)state;
	assert_true(s.min == 1 && s.max == 100 && s.median == 6.5 && s.mad == 3);
	/* ranks 2 and 9 of 10: 97.9 % (Conover's table of the sign test) */
	assert_true(s.ci_low == 2 && s.ci_high == 10);
	s = summarise(five, 5);
	assert_true(s.median == 3 && s.ci_low == 1 && s.ci_high == 5 && s.mad == 1);
	s = summarise(five, 1);
	assert_true(s.median == 5 && s.ci_low == 5 && s.ci_high == 5 && s.mad == 0);
}

static void interval_ranks(void **state)
{
	double v[200];
	/* n and the lower rank from 1, of the exact 95 % interval: scipy.stats.binom.ppf(0.025, n, 0.5) */
	static const int known[][2] = { { 6, 1 }, { 8, 1 }, { 9, 2 }, { 12, 3 }, { 15, 4 },
					{ 20, 6 }, { 25, 8 }, { 50, 18 }, { 100, 40 } };

	(void)state;
	for (int i = 0; i < 200; i++)
		v[i] = i + 1;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct summary s = summarise(v, (size_t)known[i][0]);

		assert_true(s.ci_low == known[i][1]);
		assert_true(s.ci_high == known[i][0] + 1 - known[i][1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_quoted_and_guarded),
		cmocka_unit_test(long_table_has_one_width),
		cmocka_unit_test(table_has_one_width_and_groups),
		cmocka_unit_test(table_emphasises),
		cmocka_unit_test(table_shows_what_does_not_print),
		cmocka_unit_test(whole_cells_are_as_printf_has_them),
		cmocka_unit_test(cells_are_set_again),
		cmocka_unit_test(columns_by_name),
		cmocka_unit_test(csv_reads_what_was_written),
		cmocka_unit_test(csv_refuses),
		cmocka_unit_test(summaries),
		cmocka_unit_test(interval_ranks),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
