/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/cmd.h"
#include "report/json.h"

static int select_columns(struct report *report, const char *command)
{
	char *what = xasprintf("%s: --columns", command);
	const char *list = report->select ? report->select : report->usual;
	int rc = columns_select(what, report->columns, report->usual, list, &report->shown);

	free(what);
	return rc;
}

static bool to_stdout(const struct file_option *file)
{
	return file->wanted && (!file->path || !strcmp(file->path, "-"));
}

bool report_on_stdout(const struct report *report)
{
	return to_stdout(&report->csv) || to_stdout(&report->json) || to_stdout(&report->samples);
}

/* Nobody could tell two files on it apart. */
static int check_stdout(const struct report *report, const char *command)
{
	const struct {
		const char *option;
		bool taken;
	} files[] = {
		{ "--csv", to_stdout(&report->csv) },
		{ "--json", to_stdout(&report->json) },
		{ "--samples", to_stdout(&report->samples) },
	};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!files[i].taken)
			continue;
		if (first) {
			complain("%s: %s and %s cannot both go to stdout; name a file", command,
				 first, files[i].option);
			return -1;
		}
		first = files[i].option;
	}
	return 0;
}

static int open_files(struct report *report)
{
	if (report->csv.wanted && output_open(&report->out, report->csv.path))
		return -1;
	if (report->json.wanted && output_open(&report->json_out, report->json.path))
		return -1;
	return report->samples.wanted ? output_open(&report->samples_out, report->samples.path) : 0;
}

int report_open(struct report *report, const char *command)
{
	if (check_stdout(report, command) || output_stdout_open())
		return -1;
	if ((report->select || report->usual) && select_columns(report, command))
		return -1;
	if (!report->shown)
		report->shown = columns_shown(report->columns);
	if (open_files(report)) {
		report_close(report);
		return -1;
	}
	return 0;
}

/* A write error shows in the stream and is told by the commit. */
static int write_csv(struct output *out, const struct rows *rows)
{
	if (!out->file)
		return 0;
	rows_write_csv(rows, out->file);
	return output_commit(out);
}

void report_show(const struct report *report, const struct rows *rows, int group)
{
	if (!report_on_stdout(report))
		rows_write_table(rows, report->shown, group, stdout);
}

int report_write_csv(struct report *report, const struct rows *rows, const struct rows *samples)
{
	int rc = write_csv(&report->samples_out, samples);

	return write_csv(&report->out, rows) ? -1 : rc;
}

int report_write(struct report *report, const struct rows *rows, int group,
		 const struct rows *samples)
{
	int rc;

	report_show(report, rows, group);
	rc = report_write_csv(report, rows, samples);
	if (report->json_out.file) {
		rows_write_json(rows, report->json_out.file);
		if (output_commit(&report->json_out))
			rc = -1;
	}
	return rc;
}

void report_close(struct report *report)
{
	output_drop(&report->out);
	output_drop(&report->json_out);
	output_drop(&report->samples_out);
	free(report->shown);
	report->shown = NULL;
}
