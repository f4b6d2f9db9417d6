/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/cmd.h"
#include "report/json.h"

static int select_columns(struct report *report, const char *command)
{
	char *what = xasprintf("%s: -o", command);
	int rc = columns_select(what, report->columns, report->select, &report->shown);

	free(what);
	return rc;
}

static bool to_stdout(const struct file_option *file)
{
	return file->wanted && !file->path;
}

bool report_on_stdout(const struct report *report)
{
	return to_stdout(&report->csv) || to_stdout(&report->json);
}

static int open_files(struct report *report)
{
	if (report->csv.wanted && output_open(&report->out, report->csv.path))
		return -1;
	return report->json.wanted ? output_open(&report->json_out, report->json.path) : 0;
}

int report_open(struct report *report, const char *command)
{
	if (to_stdout(&report->csv) && to_stdout(&report->json)) {
		complain("%s: --csv and --json cannot both go to stdout; name a file", command);
		return -1;
	}
	if (output_stdout_open())
		return -1;
	if (report->select && select_columns(report, command))
		return -1;
	if (!report->shown)
		report->shown = columns_shown(report->columns);
	if (open_files(report)) {
		report_close(report);
		return -1;
	}
	return 0;
}

int report_write(struct report *report, const struct rows *rows, int group)
{
	int rc = 0;

	/* A write error shows in the stream and is told by the commit. */
	if (report->out.file) {
		rows_write_csv(rows, report->out.file);
		rc = output_commit(&report->out);
	}
	if (report->json_out.file) {
		rows_write_json(rows, report->json_out.file);
		if (output_commit(&report->json_out))
			rc = -1;
	}
	if (!report_on_stdout(report))
		rows_write_table(rows, report->shown, group, stdout);
	return rc;
}

void report_close(struct report *report)
{
	output_drop(&report->out);
	output_drop(&report->json_out);
	free(report->shown);
	report->shown = NULL;
}
