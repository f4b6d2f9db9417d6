/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/json.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/xalloc.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static json_t *or_exit(json_t *json)
{
	if (!json)
		errx(EXIT_FAILURE, "out of memory");
	return json;
}

json_t *json_text(const char *text)
{
	json_t *json = text ? json_string(text) : json_null();
	char *ascii, *to;

	if (json)
		return json;
	/* some byte of it is no UTF-8: what is not ASCII goes */
	ascii = to = xcalloc(strlen(text) + 1, sizeof(REPLACEMENT));
	for (; *text; text++) {
		if ((unsigned char)*text < 0x80)
			*to++ = *text;
		else
			to = stpcpy(to, REPLACEMENT);
	}
	json = json_string(ascii);
	free(ascii);
	return or_exit(json);
}

json_t *json_number(double value)
{
	return or_exit(isfinite(value) ? json_real(value) : json_null());
}

static json_t *cell_to_json(const struct rows *rows, size_t row, unsigned int column)
{
	const char *text = rows_cell(rows, row, column, FORM_FILE);

	if (!text)
		return json_null();
	switch (rows_columns(rows)[column].type) {
	case CELL_TEXT:
		return json_text(text);
	case CELL_COUNT:
		return or_exit(json_integer((json_int_t)strtoull(text, NULL, 10)));
	case CELL_REAL:
	case CELL_RATIO:
		break;
	}
	return json_number(strtod(text, NULL));
}

json_t *rows_to_json(const struct rows *rows)
{
	const struct column *columns = rows_columns(rows);
	json_t *array = or_exit(json_array());

	for (size_t row = 0; row < rows_count(rows); row++) {
		json_t *object = or_exit(json_object());

		for (unsigned int i = 0; columns[i].name; i++)
			json_object_set_new(object, columns[i].name, cell_to_json(rows, row, i));
		json_array_append_new(array, object);
	}
	return array;
}

json_t *json_context(void)
{
	json_t *object = or_exit(json_object());
	time_t now = time(NULL);
	struct tm local;
	char date[64] = "";

	if (localtime_r(&now, &local))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S%z", &local);
	json_object_set_new(object, "date", json_text(date));
	json_object_set_new(object, "host_name", json_text(machine_host()));
	json_object_set_new(object, "executable", json_text("slubbench"));
	json_object_set_new(object, "num_cpus", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(object, "cpu_model", json_text(machine_cpu()));
	return object;
}

int rows_write_json(const struct rows *rows, FILE *to)
{
	json_t *all = or_exit(json_object());
	int rc;

	/* The first column of every file is the schema. */
	json_object_set_new(all, "schema",
			    rows_count(rows) ? cell_to_json(rows, 0, 0) : json_null());
	json_object_set_new(all, "context", json_context());
	json_object_set_new(all, "rows", rows_to_json(rows));
	rc = json_write(all, to);
	json_decref(all);
	return rc;
}

int json_write(json_t *json, FILE *to)
{
	int rc = json_dumpf(json, to, JSON_INDENT(1) | JSON_REAL_PRECISION(10));

	return rc || fputc('\n', to) == EOF ? -1 : 0;
}
