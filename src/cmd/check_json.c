/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check-bytes --json: the samples in the schema of Google Benchmark, whose tools (compare.py, and
 * the dashboards that read its files) then work on ours.
 */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "cmd/check_rows.h"
#include "report/json.h"

static json_t *context(void)
{
	json_t *object = json_context();

	json_object_set_new(object, "library_build_type", json_text("release"));
	json_object_set_new(object, "json_schema_version", json_integer(1));
	return object;
}

/* "avx2/64/0/0x6b/none/hot/throughput": what the library would have called it. */
static char *name_of(const struct rows *samples, size_t row)
{
	char *name = xstrdup(rows_cell(samples, row, S_VARIANT, FORM_FILE));

	for (unsigned int column = S_SIZE; column <= S_WORKLOAD; column++) {
		const char *cell = rows_cell(samples, row, column, FORM_FILE);
		char *longer;

		if (!cell)
			continue;
		longer = xasprintf("%s/%s", name, cell);
		free(name);
		name = longer;
	}
	return name;
}

static double number(const struct rows *samples, size_t row, unsigned int column)
{
	const char *cell = rows_cell(samples, row, column, FORM_FILE);

	/* The schema has no "not measured"; 0 is what the library writes then. */
	return cell ? strtod(cell, NULL) : 0;
}

static json_t *run_of(const struct rows *samples, size_t row, unsigned int repetitions)
{
	json_t *run = json_object();
	char *name = name_of(samples, row);

	json_object_set_new(run, "name", json_text(name));
	json_object_set_new(run, "run_name", json_text(name));
	json_object_set_new(run, "run_type", json_text("iteration"));
	json_object_set_new(run, "family_index", json_integer((json_int_t)(row / repetitions)));
	json_object_set_new(run, "per_family_instance_index", json_integer(0));
	json_object_set_new(run, "repetitions", json_integer((json_int_t)repetitions));
	json_object_set_new(run, "repetition_index",
			    json_integer((json_int_t)number(samples, row, S_REPETITION)));
	json_object_set_new(run, "threads", json_integer(1));
	json_object_set_new(run, "iterations",
			    json_integer((json_int_t)number(samples, row, S_ITERATIONS)));
	json_object_set_new(run, "real_time", json_number(number(samples, row, S_REAL)));
	json_object_set_new(run, "cpu_time", json_number(number(samples, row, S_CPU_NS)));
	json_object_set_new(run, "time_unit", json_text("ns"));
	free(name);
	return run;
}

int check_json_write(const struct rows *samples, unsigned int repetitions, FILE *to)
{
	json_t *all = json_object(), *runs = json_array();
	int ret;

	for (size_t row = 0; row < rows_count(samples); row++)
		json_array_append_new(runs, run_of(samples, row, repetitions));
	json_object_set_new(all, "context", context());
	json_object_set_new(all, "benchmarks", runs);
	ret = json_write(all, to);
	json_decref(all);
	return ret;
}
