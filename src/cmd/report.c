/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/xalloc.h"
#include "cmd/cmd.h"

static int select_columns(struct report *report, const char *command)
{
	char *what = xasprintf("%s: -o", command);
	int rc = columns_select(what, report->columns, report->select, &report->shown);

	free(what);
	return rc;
}

int report_open(struct report *report, const char *command)
{
	if (output_stdout_open())
		return -1;
	if (report->select && select_columns(report, command))
		return -1;
	if (!report->shown)
		report->shown = columns_shown(report->columns);
	if (report->csv.wanted && output_open(&report->out, report->csv.path)) {
		report_close(report);
		return -1;
	}
	return 0;
}

int report_write(struct report *report, const struct rows *rows, int group)
{
	int rc = 0;

	if (report->csv.wanted) {
		/* A write error shows in the stream and is told by the commit. */
		rows_write_csv(rows, report->out.file);
		rc = output_commit(&report->out);
	}
	if ((!report->csv.wanted || report->csv.path) && !report->no_table)
		rows_write_table(rows, report->shown, group, stdout);
	return rc;
}

void report_close(struct report *report)
{
	output_drop(&report->out);
	free(report->shown);
	report->shown = NULL;
}
