/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls with several logs: what is steady from boot to boot, and what is not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/runs.h"
#include "cmd/initcalls.h"
#include "report/json.h"
#include "report/stats.h"

struct several {
	struct boot **boots;
	const char **paths;
	struct log_stats *stats;
	size_t n;            /* of them: a log that is there again does not count */
	struct symbols *symbols;
	struct runs *runs;
	double *at_us;       /* of the milestone, one a log */
	struct rows *rows;   /* initcalls-1 of all logs */
};

enum { INITCALL, LOGS, MIN, MEDIAN, MAX, SPREAD, STEADY };

static const struct column run_columns[] = {
	[INITCALL] = { "initcall", NULL, CELL_TEXT, 0, true },
	[LOGS] = { "logs", NULL, CELL_COUNT, 0, true },
	[MIN] = { "min_us", "min us", CELL_REAL, 0, true },
	[MEDIAN] = { "median_us", "median us", CELL_REAL, 0, true },
	[MAX] = { "max_us", "max us", CELL_REAL, 0, true },
	[SPREAD] = { "spread", NULL, CELL_RATIO, 0, true },
	[STEADY] = { "steady", NULL, CELL_TEXT, 0, true },
	{ .name = NULL },
};

static bool same_time(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* One boot in two files: no two boots of a machine take the same times. */
static bool same_log(const struct boot *a, const struct log_stats *x, const struct boot *b,
		     const struct log_stats *y)
{
	if (x->text != y->text || x->lines != y->lines || a->n_calls != b->n_calls ||
	    a->n_probes != b->n_probes)
		return false;
	for (size_t i = 0; i < a->n_calls; i++) {
		const struct initcall *c = &a->calls[i], *d = &b->calls[i];

		if (strcmp(c->name, d->name) || c->line != d->line ||
		    !same_time(c->start_us, d->start_us) ||
		    !same_time(c->duration_us, d->duration_us))
			return false;
	}
	for (size_t i = 0; i < a->n_probes; i++)
		if (!same_time(a->probes[i].duration_us, b->probes[i].duration_us))
			return false;
	return true;
}

/* Is the last of the logs one that was read before?  Then it is told and dropped. */
static bool drop_again(struct several *all)
{
	size_t last = all->n - 1;

	for (size_t i = 0; i < last; i++) {
		if (!same_log(all->boots[i], &all->stats[i], all->boots[last], &all->stats[last]))
			continue;
		note("%s: the same log as %s: counted once", all->paths[last], all->paths[i]);
		boot_free(all->boots[last]);
		all->n--;
		return true;
	}
	return false;
}

/* Each log on its own: its rows as recorded, and when it reaches the milestone. */
static int add_log(struct several *all, struct plan *plan, const char *path)
{
	struct outcome outcome = { .policy = POLICY_EAGER, .registrar = -1 };
	ptrdiff_t registrar, call;
	size_t i = all->n;

	all->paths[i] = path;
	all->boots[i] = initcalls_read_log(path, plan, &all->symbols, &all->stats[i]);
	if (!all->boots[i])
		return -1;
	all->n++;
	if (drop_again(all))
		return 0;
	if (i == 0 ? milestone_find(&plan->milestone, all->boots[0])
		   : plan->milestone.asked && isnan(milestone_at(&plan->milestone, all->boots[i],
								 &call)))
		return -1;
	all->at_us[i] = milestone_at(&plan->milestone, all->boots[i], &call);
	outcome.boot = all->boots[i];
	registrar = boot_find(outcome.boot, "slab_sysfs_init");
	if (registrar >= 0 && outcome.boot->calls[registrar].level >= LEVEL_LATE)
		outcome.policy = POLICY_DEFERRED;
	initcalls_fill(all->rows, &outcome, all->n, &plan->milestone);
	return 0;
}

static struct rows *merge_rows(const struct runs *runs)
{
	struct rows *rows = rows_new(run_columns);

	for (size_t i = 0; i < runs->n; i++) {
		const struct run_call *call = &runs->calls[i];

		rows_add(rows);
		rows_set_text(rows, INITCALL, call->name);
		rows_set_count(rows, LOGS, call->n);
		rows_set_real(rows, MIN, call->min_us);
		rows_set_real(rows, MEDIAN, call->median_us);
		rows_set_real(rows, MAX, call->max_us);
		rows_set_real(rows, SPREAD, call->spread);
		if (call->unstable)
			rows_set_text(rows, STEADY, "no");
	}
	return rows;
}

static void tell_milestone(const struct several *all, const struct milestone *milestone)
{
	double *known = xcalloc(all->n, sizeof(*known));
	struct summary s;
	char a[32], b[32], c[32];
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		if (!isnan(all->at_us[i]))
			known[n++] = all->at_us[i];
	if (n) {
		s = summarise(known, n);
		printf("milestone: %s at %s (median of %zu log%s; %s to %s)\n", milestone->label,
		       human_us(s.median, a), n, plural(n), human_us(s.min, b),
		       human_us(s.max, c));
	}
	free(known);
}

static void tell(const struct several *all, const struct milestone *milestone)
{
	const struct runs *runs = all->runs;

	printf("\n");
	tell_milestone(all, milestone);
	if (runs->kernels_differ)
		printf("the logs are of different kernels: initcalls are matched by name\n");
	if (runs->order_differs)
		printf("logs with another order of initcalls than the first: %zu\n",
		       runs->order_differs);
	if (runs->only_some)
		printf("initcalls that are not in all of the logs: %zu\n", runs->only_some);
	printf("initcalls that are not steady, by more than %.0f %% of their median and more than "
	       "%d us: %zu of %zu\n", 100 * RUNS_MOST_SPREAD, RUNS_LEAST_US, runs->n_unstable, runs->n);
}

static json_t *several_to_json(const struct several *all, const struct milestone *milestone,
			       const struct rows *merged)
{
	json_t *json = json_object(), *logs = json_array();

	json_object_set_new(json, "schema", json_text("initcalls-1"));
	json_object_set_new(json, "milestone", json_text(milestone->label));
	for (size_t i = 0; i < all->n; i++) {
		json_t *log = json_object();

		json_object_set_new(log, "boot", json_text(all->boots[i]->name));
		json_object_set_new(log, "kernel", json_text(all->boots[i]->kernel));
		json_object_set_new(log, "milestone_us", json_number(all->at_us[i]));
		json_array_append_new(logs, log);
	}
	json_object_set_new(json, "logs", logs);
	json_object_set_new(json, "spread", rows_to_json(merged));
	json_object_set_new(json, "initcalls", rows_to_json(all->rows));
	return json;
}

static int write_all(const struct several *all, struct plan *plan, const struct rows *merged)
{
	int rc;

	if (!report_on_stdout(&plan->report)) {
		int *shown = columns_shown(run_columns);

		rows_write_table(merged, shown, -1, stdout);
		free(shown);
		tell(all, &plan->milestone);
	}
	for (size_t i = 0; i < all->n; i++)
		log_stats_tell(all->paths[i], &all->stats[i]);
	rc = report_write_csv(&plan->report, all->rows, NULL);
	if (plan->report.json.wanted) {
		json_t *json = several_to_json(all, &plan->milestone, merged);

		json_write(json, plan->report.json_out.file);
		if (output_commit(&plan->report.json_out))
			rc = -1;
		json_decref(json);
	}
	return rc;
}

int initcalls_several(struct plan *plan)
{
	size_t n = plan->n_more_logs + 1;
	struct several all = { .rows = rows_new(initcalls_columns) };
	struct rows *merged;
	int rc = 0;

	all.boots = xcalloc(n, sizeof(*all.boots));
	all.paths = xcalloc(n, sizeof(*all.paths));
	all.stats = xcalloc(n, sizeof(*all.stats));
	all.at_us = xcalloc(n, sizeof(*all.at_us));
	for (size_t i = 0; i < n && !rc; i++)
		rc = add_log(&all, plan, i ? plan->more_logs[i - 1] : plan->log);
	if (!rc) {
		all.runs = runs_merge(all.boots, all.n);
		merged = merge_rows(all.runs);
		rc = write_all(&all, plan, merged);
		rows_free(merged);
	}
	for (size_t i = 0; i < all.n; i++)
		boot_free(all.boots[i]);
	runs_free(all.runs);
	rows_free(all.rows);
	symbols_free(all.symbols);
	free(all.boots);
	free(all.paths);
	free(all.stats);
	free(all.at_us);
	return rc ? STATUS_INPUT : STATUS_OK;
}
