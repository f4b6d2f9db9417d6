/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows as JSON: an array of objects, absent cells as null. */
#ifndef SLUBBENCH_JSON_H
#define SLUBBENCH_JSON_H

#include <jansson.h>

#include "report/rows.h"

/* Never NULL: without memory it ends the program as xalloc.h does.  The caller owns it. */
json_t *rows_to_json(const struct rows *rows);

/* A text that may hold bytes which are no UTF-8: those become U+FFFD.  NULL gives null. */
json_t *json_text(const char *text);

/* NAN and infinities give null. */
json_t *json_number(double value);

/* When and on which machine: "date", "host_name", "executable", "num_cpus", "cpu_model". */
json_t *json_context(void);

/*
 * An object of "schema" (the rows' own), "context" and "rows", as rows_to_json() has them.  0, or
 * -1 with the stream's error set.
 */
int rows_write_json(const struct rows *rows, FILE *to);

/* Indented, keys in the order in which they were set.  0, or -1 with the stream's error set. */
int json_write(json_t *json, FILE *to);

#endif /* SLUBBENCH_JSON_H */
