/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plot: a file in, a picture out. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/complain.h"
#include "cmd/cmd.h"
#include "report/chart.h"
#include "report/csv.h"

struct plot {
	const char *chart;  /* NULL: the one that fits */
	const char *output; /* NULL: SVG to stdout */
	bool list;
};

static int picture_kind(const char *path, enum picture *kind)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	if (dot == path || (dot && dot[-1] == '/')) /* an ending alone is no name */
		dot = NULL;
	*kind = dot && !strcasecmp(dot, ".png") ? PICTURE_PNG : PICTURE_SVG;
	if (!path || (dot && (*kind == PICTURE_PNG || !strcasecmp(dot, ".svg"))))
		return 0;
	complain("plot: --output '%s': a name that ends in .svg or .png was expected", path);
	return -1;
}

static void list_chart(const struct chart *chart)
{
	printf("%-14s%-17s%s\n", chart->name, chart->schema, chart->about);
}

/* All of them, or those that fit a file. */
static int list_charts(const char *csv)
{
	if (csv)
		return charts_for(csv, list_chart);
	for (const struct chart *chart = charts; chart->name; chart++)
		list_chart(chart);
	return 0;
}

static int draw(const struct plot *plot, const char *csv)
{
	struct output out = { 0 };
	struct chart_data data;
	enum picture kind;
	int rc;

	if (picture_kind(plot->output, &kind))
		return -1;
	rc = chart_pick(csv, plot->chart, &data);
	if (!rc)
		rc = output_open(&out, plot->output);
	if (!rc && data.left_out)
		note("%s: left %zu row%s out of the chart '%s'%s%s", csv, data.left_out,
		     plural(data.left_out), data.chart->name,
		     *data.subtitle ? ", which shows " : "", data.subtitle);
	if (!rc && data.unfit)
		note("%s: left %zu number%s out of the chart, too large or too small for an axis", csv,
		     data.unfit, plural(data.unfit));
	if (!rc)
		rc = chart_draw(&data, kind, out.file);
	if (!rc)
		rc = output_commit(&out);
	output_drop(&out);
	chart_data_free(&data);
	return rc;
}

static int run_plot(const struct cmd *cmd, int argc, char **argv)
{
	struct plot plot = { 0 };
	const struct opt opts[] = {
		{ "chart", 0, "NAME", "draw this chart (default: the first that fits the file)",
		  opt_text, &plot.chart },
		{ "output", 0, "FILE", "write to FILE.svg or FILE.png (default: SVG to stdout)",
		  opt_text, &plot.output },
		{ "list", 'l', NULL, "list the charts that there are, or that fit the file",
		  opt_true, &plot.list },
		{ "quiet", 'q', NULL, "no notes on stderr", opt_quiet, NULL },
		{ .name = NULL },
	};
	int first, status, rc;

	if (opts_parse(cmd, "FILE.csv", opts, argc, argv, &first, &status))
		return status;
	if (argc - first > 1 || (argc == first && !plot.list)) {
		complain("plot: one CSV file was expected; see slubbench plot --help");
		return STATUS_INPUT;
	}
	if (argv[first])
		output_protect(argv[first]);
	if (argc > first && !strcmp(argv[first], "-")) {
		complain("plot: '-': standard input is not read; name a file ('./-' is one)");
		return STATUS_INPUT;
	}
	rc = plot.list ? list_charts(argv[first]) : draw(&plot, argv[first]);
	return rc ? STATUS_INPUT : STATUS_OK;
}

const struct cmd cmd_plot = { "plot", "Draw the chart that fits a CSV file.", run_plot };
