/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <csv.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "report/csv.h"
#include "report/rows.h"

#define LONGEST_ROW (1 << 20) /* a field that never ends must not eat the memory */

static const char formula_starts[] = "=+-@\t\r";

static bool is_formula(const char *text)
{
	return *text && strchr(formula_starts, *text);
}

/* One field, quoted where it must be. */
static void put_field(FILE *to, const char *text)
{
	bool formula = is_formula(text);

	if (!text[strcspn(text, ",\"\r\n")]) {
		if (formula)
			putc('\'', to);
		fputs(text, to);
		return;
	}
	fputs(formula ? "\"'" : "\"", to);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', to);
		putc(*text, to);
	}
	putc('"', to);
}

int rows_write_csv(const struct rows *rows, FILE *to)
{
	const struct column *columns = rows_columns(rows);

	for (unsigned int c = 0; columns[c].name; c++)
		fprintf(to, "%s%s", c ? "," : "", columns[c].name);
	fputs("\r\n", to);
	for (size_t i = 0; i < rows_count(rows); i++) {
		for (unsigned int c = 0; columns[c].name; c++) {
			const char *text = rows_cell(rows, i, c, FORM_FILE);

			if (c)
				putc(',', to);
			if (text && columns[c].type == CELL_TEXT)
				put_field(to, text);
			else if (text)
				fputs(text, to); /* a negative number is no formula */
		}
		fputs("\r\n", to);
	}
	return ferror(to) ? -1 : 0;
}

struct reader {
	const char *file;
	const char *schema;
	const char *const *columns;
	csv_row_fn *fn;
	void *arg;
	char *text; /* of the row so far: its fields, each with its end */
	size_t text_size, text_room;
	size_t *fields; /* where in it each begins */
	size_t n_fields;
	size_t width;  /* fields of the header; 0 before it */
	size_t *place; /* of each asked column among the fields; SIZE_MAX: not there */
	const char **cells; /* of the row, by asked column */
	size_t schema_place;
	unsigned int line;  /* being read */
	unsigned int start; /* of the row being read */
	size_t n_rows;
	int rc;
};

static const char *field(const struct reader *reader, size_t i)
{
	return reader->text + reader->fields[i];
}

static size_t field_called(const struct reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->n_fields; i++) {
		if (!strcmp(field(reader, i), name))
			return i;
	}
	return SIZE_MAX;
}

static int take_header(struct reader *reader)
{
	size_t n = 0;

	while (reader->columns[n])
		n++;
	reader->place = xcalloc(n + 1, sizeof(*reader->place));
	reader->cells = xcalloc(n + 1, sizeof(*reader->cells));
	reader->width = reader->n_fields;
	reader->schema_place = field_called(reader, "schema");
	if (reader->schema_place == SIZE_MAX) {
		complain("%s:%u: the header has no column 'schema'", reader->file, reader->start);
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		bool optional = *reader->columns[i] == '?';

		reader->place[i] = field_called(reader, reader->columns[i] + optional);
		if (reader->place[i] == SIZE_MAX && !optional) {
			complain("%s:%u: the header has no column '%s'", reader->file,
				 reader->start, reader->columns[i]);
			return -1;
		}
	}
	return 0;
}

static int give_row(struct reader *reader)
{
	const char *found = field(reader, reader->schema_place);
	struct csv_row row = { reader->file, reader->start, reader->cells };

	if (reader->schema && strcmp(found, reader->schema)) {
		complain("%s:%u: schema '%s' where '%s' was expected", reader->file, reader->start,
			 found, reader->schema);
		return -1;
	}
	for (size_t i = 0; reader->columns[i]; i++) {
		if (reader->place[i] != SIZE_MAX)
			reader->cells[i] = field(reader, reader->place[i]);
	}
	reader->n_rows++;
	return reader->fn(&row, reader->arg);
}

/* A row reuses the room of the one before: a file may have millions. */
static void on_field(void *data, size_t size, void *arg)
{
	struct reader *reader = arg;
	const char *text = data ? data : "";
	bool guarded = size > 1 && *text == '\'' && strchr(formula_starts, text[1]);

	text += guarded;
	size -= guarded;
	if (reader->n_fields >= reader->width)
		reader->fields = xgrow(reader->fields, reader->n_fields, sizeof(*reader->fields));
	if (reader->text_room - reader->text_size <= size) {
		reader->text_room = 2 * (reader->text_size + size) + 128;
		reader->text = xreallocarray(reader->text, reader->text_room, 1);
	}
	reader->fields[reader->n_fields++] = reader->text_size;
	*(char *)mempcpy(reader->text + reader->text_size, text, size) = '\0';
	reader->text_size += size + 1;
}

static void on_row(int end, void *arg)
{
	struct reader *reader = arg;

	(void)end;
	if (reader->rc || !reader->n_fields)
		return;
	if (!reader->width) {
		reader->rc = take_header(reader);
	} else if (reader->n_fields != reader->width) {
		complain("%s:%u: %zu field%s where the header has %zu", reader->file, reader->start,
			 reader->n_fields, plural(reader->n_fields), reader->width);
		reader->rc = -1;
	} else {
		reader->rc = give_row(reader);
	}
	reader->n_fields = 0;
	reader->text_size = 0;
}

/* What is read: a file, or text in memory. */
struct source {
	FILE *file;
	const char *text, *end;
	char piece[4096];
};

/* Bytes up to and with the next line end, at most a piece: a line may come in many of them. */
static size_t read_piece(struct source *from, const char **piece)
{
	size_t n = 0, left = (size_t)(from->end - from->text);
	int c = 0;

	if (!from->file) {
		const char *end = left ? memchr(from->text, '\n', left) : NULL;

		*piece = from->text;
		from->text = end ? end + 1 : from->end;
		return (size_t)(from->text - *piece);
	}
	while (n < sizeof(from->piece) && c != '\n' && (c = getc_unlocked(from->file)) != EOF)
		from->piece[n++] = (char)c;
	*piece = from->piece;
	return n;
}

/* Spreadsheets put a mark of UTF-8, U+FEFF, before the first byte: how long it is. */
static size_t mark_length(const char *piece, size_t n)
{
	static const char mark[] = { '\xef', '\xbb', '\xbf' };

	return n >= sizeof(mark) && !memcmp(piece, mark, sizeof(mark)) ? sizeof(mark) : 0;
}

/* Line by line, because libcsv does not tell where a row stood. */
static int feed(struct reader *reader, struct csv_parser *parser, struct source *from)
{
	const char *piece;
	size_t n, pending = 0;
	bool new_line = true;

	while (!reader->rc && (n = read_piece(from, &piece))) {
		size_t mark = reader->line == 0 ? mark_length(piece, n) : 0;

		reader->line += new_line;
		new_line = piece[n - 1] == '\n';
		piece += mark;
		n -= mark;
		if (!pending)
			reader->start = reader->line;
		if (memchr(piece, '\0', n)) {
			complain("%s:%u: a NUL byte: this is no CSV text", reader->file,
				 reader->line);
			reader->rc = -1;
		} else if (csv_parse(parser, piece, n, on_field, on_row, reader) != n) {
			complain("%s:%u: not CSV: %s", reader->file, reader->line,
				 csv_strerror(csv_error(parser)));
			reader->rc = -1;
		}
		/* A quoted line end leaves the row open. */
		pending = reader->n_fields || parser->pstate ? pending + n : 0;
		if (!reader->rc && pending > LONGEST_ROW) {
			complain("%s:%u: a row of more than %d bytes", reader->file, reader->start,
				 LONGEST_ROW);
			reader->rc = -1;
		}
	}
	if (!reader->rc && from->file && ferror(from->file)) {
		complain("%s: cannot read: %s", reader->file, strerror(errno));
		reader->rc = -1;
	}
	return reader->rc;
}

static int read_stream(struct reader *reader, struct source *from)
{
	struct csv_parser parser;

	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
		return -1;
	if (!feed(reader, &parser, from) &&
	    csv_fini(&parser, on_field, on_row, reader)) {
		complain("%s:%u: not CSV: %s", reader->file, reader->line,
			 csv_strerror(csv_error(&parser)));
		reader->rc = -1;
	}
	if (!reader->rc && !reader->n_rows) {
		complain("%s: no rows: expected a CSV file with a header and at least one row",
			 reader->file);
		reader->rc = -1;
	}
	csv_free(&parser);
	free(reader->text);
	free(reader->fields);
	free(reader->place);
	free(reader->cells);
	return reader->rc;
}

int csv_read(const char *path, const char *schema, const char *const *columns, csv_row_fn *fn,
	     void *arg)
{
	struct reader reader = { path, schema, columns, fn, arg, .line = 0 };
	struct source from = { .file = fopen(path, "re") };
	struct stat st;
	int rc;

	if (from.file && !fstat(fileno(from.file), &st) && S_ISDIR(st.st_mode)) {
		fclose(from.file);
		from.file = NULL;
		errno = EISDIR;
	}
	if (!from.file) {
		complain("%s: cannot read: %s", path, strerror(errno));
		return -1;
	}
	rc = read_stream(&reader, &from);
	fclose(from.file);
	return rc;
}

int csv_read_memory(const char *name, const char *text, size_t size, const char *schema,
		    const char *const *columns, csv_row_fn *fn, void *arg)
{
	struct reader reader = { name, schema, columns, fn, arg, .line = 0 };
	struct source from = { .text = text, .end = text + size };

	return read_stream(&reader, &from);
}

static int first_schema(const struct csv_row *row, void *arg)
{
	*(char **)arg = xstrdup(row->cells[0]);
	return 1;
}

char *csv_schema(const char *path)
{
	static const char *const columns[] = { "schema", NULL };
	char *schema = NULL;

	csv_read(path, NULL, columns, first_schema, &schema);
	return schema;
}
