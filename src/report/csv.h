/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RFC 4180 files with a header row whose first column is `schema`.  Reading goes through libcsv.
 *
 * A spreadsheet takes a text that starts with = + - @ for a formula, and a log may hold such a
 * name: the writer puts a ' before it, as spreadsheets themselves do, and the reader takes it off.
 */
#ifndef SLUBBENCH_CSV_H
#define SLUBBENCH_CSV_H

#include <stddef.h>

struct csv_row {
	const char *file;
	unsigned int line;        /* of the row's first byte, from 1 */
	const char *const *cells; /* in the order of the asked columns; NULL: no such column */
};

/* Non-zero stops the reading and is returned by it. */
typedef int csv_row_fn(const struct csv_row *row, void *arg);

/*
 * Read a file of the given @schema ("boot-1"), NULL for any.  @columns (ends with NULL) are asked
 * for by name, in any order in the file; one that starts with '?' may be missing.  A missing
 * column, a row with another number of fields, a NUL byte, a row of another schema and a file
 * with no rows are complained of with file and line.  0, -1, or what @fn returned.
 */
int csv_read(const char *path, const char *schema, const char *const *columns, csv_row_fn *fn,
	     void *arg);

/* The same from memory, for what is compiled in; @name stands for the file in complaints. */
int csv_read_memory(const char *name, const char *text, size_t size, const char *schema,
		    const char *const *columns, csv_row_fn *fn, void *arg);

/* The schema of @path by its first row: free it; NULL after a complaint. */
char *csv_schema(const char *path);

#endif /* SLUBBENCH_CSV_H */
