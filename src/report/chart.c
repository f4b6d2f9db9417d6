/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The charts, and which of them fits a file. */
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "report/chart.h"
#include "report/csv.h"

#define NUMBER(name) { name, FIELD_NUMBER }
#define TEXT(name) { name, FIELD_TEXT }

/* One machine and one way of asking; the charts of check-bytes differ in what they let vary. */
#define CHECK_CPU { "cpu", SLICE_ONE, NULL, "" }
#define CHECK_NO_WORKLOAD { "workload", SLICE_EMPTY, NULL, NULL }
#define CHECK_CACHE { "cache", SLICE_ONE, "hot", "cache" }
#define CHECK_MODE { "mode", SLICE_ONE, "throughput", "" }
#define CHECK_ALIGN { "align_bytes", SLICE_ONE, "0", "alignment" }
#define CHECK_VALUE { "value", SLICE_ONE, "0x6b", "value" }
#define CHECK_MISMATCH { "mismatch", SLICE_ONE, "none", "mismatch" }
#define CHECK_SIZE_4K { "size_bytes", SLICE_ONE, "4096", "bytes" }
/* One that stops at a fault which is not there is no faster for it. */
#define CHECK_RIGHT { "verdict", SLICE_NOT, "known-wrong", NULL }
#define CHECK_SLICES { \
	CHECK_CPU, CHECK_NO_WORKLOAD, CHECK_CACHE, CHECK_MODE, CHECK_ALIGN, CHECK_VALUE, \
	CHECK_MISMATCH }

const struct chart charts[] = {
	{
		.name = "throughput",
		.schema = "check-summary-1",
		.about = "GiB/s against size, a line for each variant, the load limit behind them",
		.log_x = true,
		.series = { "variant" },
		.fields = { NUMBER("size_bytes"), NUMBER("gib_per_s"), NUMBER("median_ns"),
			    NUMBER("ci_low_ns"), NUMBER("ci_high_ns") },
		.slices = CHECK_SLICES,
	},
	{
		.name = "small",
		.schema = "check-summary-1",
		.about = "ns per call for small sizes, the empty call below them",
		.x_most = 256, /* MOST of small.gp */
		.series = { "variant" },
		.fields = { NUMBER("size_bytes"), NUMBER("median_ns"), NUMBER("ci_low_ns"),
			    NUMBER("ci_high_ns") },
		.slices = CHECK_SLICES,
	},
	{
		.name = "latency",
		.schema = "check-summary-1",
		.about = "ns per call for small sizes when each call waits for the one before",
		.x_most = 256, /* MOST of small.gp */
		.series = { "variant" },
		.fields = { NUMBER("size_bytes"), NUMBER("median_ns"), NUMBER("ci_low_ns"),
			    NUMBER("ci_high_ns") },
		.slices = { { "mode", SLICE_ONLY, "latency", NULL }, CHECK_CPU, CHECK_NO_WORKLOAD,
			    CHECK_CACHE, CHECK_ALIGN, CHECK_VALUE, CHECK_MISMATCH },
	},
	{
		.name = "kernel-cost",
		.schema = "check-summary-1",
		.about = "ns per call in a kernel, which saves the SIMD registers around each",
		.log_x = true,
		.series = { "variant" },
		.fields = { NUMBER("size_bytes"), NUMBER("median_ns") },
		.slices = { { "mode", SLICE_ONLY, "kernel", NULL }, CHECK_CPU, CHECK_NO_WORKLOAD,
			    CHECK_CACHE, CHECK_ALIGN, CHECK_VALUE, CHECK_MISMATCH },
	},
	{
		.name = "speedup",
		.schema = "check-summary-1",
		.about = "times faster than byte-wise, against size",
		.shape = SHAPE_TABLE,
		.log_x = true,
		.series = { "variant" },
		.fields = { TEXT("size_bytes"), NUMBER("median_ns") },
		/* Baselines and wrong answers have no speed-up. */
		.slices = { { "speedup", SLICE_FILLED, NULL, NULL }, CHECK_CPU,
			    CHECK_NO_WORKLOAD, CHECK_CACHE, CHECK_MODE, CHECK_ALIGN, CHECK_VALUE,
			    CHECK_MISMATCH },
	},
	{
		.name = "misalignment",
		.schema = "check-summary-1",
		.about = "GiB/s against the offset from a cache line, at one size",
		.series = { "variant" },
		.fields = { NUMBER("align_bytes"), NUMBER("gib_per_s") },
		.slices = { CHECK_CPU, CHECK_NO_WORKLOAD,
			    { "align_bytes", SLICE_SEVERAL, NULL, NULL },
			    { "size_bytes", SLICE_ONE, "16384", "bytes" }, CHECK_CACHE,
			    CHECK_MODE, CHECK_VALUE, CHECK_MISMATCH },
	},
	{
		.name = "cold",
		.schema = "check-summary-1",
		.about = "ns per call against size, in a hot and in a cold cache",
		.log_x = true,
		.series = { "variant", "cache" },
		.fields = { NUMBER("size_bytes"), NUMBER("median_ns"), TEXT("variant"),
			    TEXT("cache") },
		.slices = { CHECK_CPU, CHECK_NO_WORKLOAD, { "cache", SLICE_SEVERAL, NULL, NULL },
			    CHECK_MODE, CHECK_ALIGN, CHECK_VALUE, CHECK_MISMATCH },
	},
	{
		.name = "workloads",
		.schema = "check-summary-1",
		.about = "ns per allocation or free of the checks that SLUB makes, by workload",
		.shape = SHAPE_TABLE,
		.series = { "variant" },
		.fields = { TEXT("workload"), NUMBER("median_ns") },
		.slices = { CHECK_CPU, { "workload", SLICE_FILLED, NULL, NULL }, CHECK_CACHE,
			    CHECK_MODE },
	},
	{
		.name = "value",
		.schema = "check-summary-1",
		.about = "ns per call at one size, by the value that the bytes should have",
		.shape = SHAPE_TABLE,
		.series = { "variant" },
		.fields = { TEXT("value"), NUMBER("median_ns") },
		.slices = { CHECK_RIGHT, CHECK_CPU, CHECK_NO_WORKLOAD,
			    { "value", SLICE_SEVERAL, NULL, NULL }, CHECK_SIZE_4K, CHECK_CACHE,
			    CHECK_MODE, CHECK_ALIGN, CHECK_MISMATCH },
	},
	{
		.name = "mismatch",
		.schema = "check-summary-1",
		.about = "ns per call at one size, by the place of the first wrong byte",
		.shape = SHAPE_TABLE,
		.series = { "variant" },
		.fields = { TEXT("mismatch"), NUMBER("median_ns") },
		.slices = { CHECK_RIGHT, CHECK_CPU, CHECK_NO_WORKLOAD,
			    { "mismatch", SLICE_SEVERAL, NULL, NULL }, CHECK_SIZE_4K, CHECK_CACHE,
			    CHECK_MODE, CHECK_ALIGN, CHECK_VALUE },
	},
	{
		.name = "timeline",
		.schema = "initcalls-1",
		.about = "when each initcall runs, eager above deferred, the milestone marked",
		.series = { "policy" },
		.fields = { NUMBER("start_us"), NUMBER("duration_us"), NUMBER("registration_us"),
			    TEXT("initcall"), TEXT("level"), TEXT("milestone") },
		.slices = { { "boot", SLICE_ONE, NULL, "" }, { "run", SLICE_ONE, "1", "run" } },
	},
	{
		.name = "before-after",
		.schema = "initcalls-1",
		.about = "the initcalls that deferring changes most, before and after",
		.shape = SHAPE_TABLE,
		.most = 12,
		.series = { "policy" },
		.fields = { TEXT("initcall"), NUMBER("duration_us") },
		.slices = { { "boot", SLICE_ONE, NULL, "" }, { "run", SLICE_ONE, "1", "run" },
			    { "policy", SLICE_SEVERAL, NULL, NULL } },
	},
	{
		.name = "cumulative",
		.schema = "initcalls-1",
		.about = "time spent in initcalls up to the milestone, step by step",
		.series = { "policy", "run" },
		.fields = { NUMBER("order"), NUMBER("duration_us"), TEXT("initcall"),
			    TEXT("milestone") },
	},
	{
		.name = "spread",
		.schema = "initcalls-1",
		.about = "the initcalls that differ most from run to run",
		.shape = SHAPE_TABLE,
		.most = 20,
		.series = { "run" },
		.fields = { TEXT("initcall"), NUMBER("duration_us") },
		.slices = { { "policy", SLICE_ONE, NULL, "" },
			    { "run", SLICE_SEVERAL, NULL, NULL } },
	},
	{
		.name = "objects",
		.schema = "objects-1",
		.about = "ns to allocate and free an object, without debugging and with each variant",
		.shape = SHAPE_TABLE,
		.series = { "variant" },
		.fields = { TEXT("cache"), NUMBER("pair_ns") },
		.slices = { { "cpu", SLICE_ONE, NULL, "" }, { "flags", SLICE_NONE, "FZPU", "flags" },
			    { "kernel", SLICE_ONE, NULL, "Linux" },
			    { "stack_depth", SLICE_ONE, "0", NULL } },
	},
	{
		.name = "commands",
		.schema = "commands-1",
		.about = "whole commands: times slower than without debugging, beside those of 2011",
		.shape = SHAPE_TABLE,
		.series = { "variant" },
		.fields = { TEXT("command"), NUMBER("slowdown"), TEXT("flags") },
		.slices = { { "flags", SLICE_NOT, "none", NULL } },
	},
	{
		.name = "sysfs",
		.schema = "sysfs-1",
		.about = "ns to register one node of sysfs, against the size of the tree",
		.log_x = true,
		.series = { "registry", "time", "merge" },
		.fields = { NUMBER("nodes"), NUMBER("median_ns"), NUMBER("ci_low_ns"),
			    NUMBER("ci_high_ns") },
		.slices = { { "cpu", SLICE_ONE, NULL, "" },
			    { "attributes", SLICE_ONE, NULL, "attribute files" } },
	},
	{
		.name = "sysfs-parts",
		.schema = "sysfs-1",
		.about = "where the time of a kernfs node goes, against the size of the tree",
		.log_x = true,
		.series = { "registry" },
		.fields = { NUMBER("nodes"), NUMBER("hash_ns"), NUMBER("allocate_ns"),
			    NUMBER("tree_ns"), NUMBER("lock_ns"), NUMBER("median_ns"),
			    NUMBER("?spread_ns") },
		.slices = { { "cpu", SLICE_ONE, NULL, "" }, { "hash_ns", SLICE_FILLED, NULL, NULL },
			    { "merge", SLICE_ONE, "on", "merge" },
			    { "attributes", SLICE_ONE, NULL, "attribute files" } },
	},
	{ .name = NULL },
};

static const struct chart *chart_called(const char *name)
{
	const char *names[sizeof(charts) / sizeof(*charts)] = { NULL };

	for (size_t i = 0; charts[i].name; i++) {
		if (!strcmp(charts[i].name, name))
			return &charts[i];
		names[i] = charts[i].name;
	}
	complain("plot: there is no chart '%s'%s", name,
		 did_you_mean(name, names, "see slubbench plot --list"));
	return NULL;
}

static int nothing_to_draw(const char *csv, const struct chart *chart)
{
	complain("%s: nothing to draw in the chart '%s': no row has a %s above 0 at a %s that is on "
		 "the axis", csv, chart->name, chart->fields[1].name, chart->fields[0].name);
	return -1;
}

static int pick_by_name(const char *csv, const char *schema, const char *name,
			struct chart_data *data)
{
	const struct chart *chart = chart_called(name);

	if (!chart)
		return -1;
	if (strcmp(chart->schema, schema)) {
		complain("%s: schema '%s' where the chart '%s' needs '%s'", csv, schema, name,
			 chart->schema);
		return -1;
	}
	if (chart_data_read(chart, csv, data))
		return -1;
	if (!data->n_rows) {
		complain("%s: no rows for the chart '%s' (%s)", csv, name, chart->about);
		return -1;
	}
	return data->drawable ? 0 : nothing_to_draw(csv, chart);
}

static int pick_first(const char *csv, const char *schema, struct chart_data *data)
{
	const struct chart *empty = NULL;
	bool known = false;

	for (const struct chart *chart = charts; chart->name; chart++) {
		if (strcmp(chart->schema, schema))
			continue;
		known = true;
		if (chart_data_read(chart, csv, data))
			return -1;
		if (data->drawable)
			return 0;
		if (data->n_rows && !empty)
			empty = chart;
		chart_data_free(data);
	}
	if (empty)
		return nothing_to_draw(csv, empty);
	complain("%s: no chart %s '%s'; see slubbench plot --list", csv,
		 known ? "finds its rows in this file of schema" : "draws the schema", schema);
	return -1;
}

int chart_pick(const char *csv, const char *name, struct chart_data *data)
{
	char *schema = csv_schema(csv);
	int rc;

	*data = (struct chart_data){ 0 };
	if (!schema)
		return -1;
	rc = name ? pick_by_name(csv, schema, name, data) : pick_first(csv, schema, data);
	free(schema);
	return rc;
}

int charts_for(const char *csv, void (*fn)(const struct chart *chart))
{
	char *schema = csv_schema(csv);
	int rc = schema ? 0 : -1;

	for (const struct chart *chart = charts; !rc && chart->name; chart++) {
		struct chart_data data;

		if (strcmp(chart->schema, schema))
			continue;
		rc = chart_data_read(chart, csv, &data);
		if (!rc && data.drawable)
			fn(chart);
		chart_data_free(&data);
	}
	free(schema);
	return rc;
}
