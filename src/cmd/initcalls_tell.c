/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls: from boots that have been run to rows and tables, and the milestone in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/probes.h"
#include "cmd/initcalls.h"

enum {
	SCHEMA, BOOT, RUN, POLICY, ORDER, LEVEL, INITCALL, MODULE, PID, START, DURATION, SELF,
	REGISTRATION, CACHES, DIRECTORIES, FILES, LINKS, MILESTONE, LEVEL_FROM, DURATION_FROM,
	RESULT, ERROR, PROBES, BEFORE, CUMULATIVE, LINE_NUMBER
};

const struct column initcalls_columns[] = {
	[SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[BOOT] = { "boot", NULL, CELL_TEXT, 0, false },
	[RUN] = { "run", NULL, CELL_COUNT, 0, false },
	[POLICY] = { "policy", NULL, CELL_TEXT, 0, false },
	[ORDER] = { "order", NULL, CELL_COUNT, 0, true },
	[LEVEL] = { "level", NULL, CELL_TEXT, 0, true },
	[INITCALL] = { "initcall", NULL, CELL_TEXT, 0, true },
	[MODULE] = { "module", NULL, CELL_TEXT, 0, false },
	[PID] = { "pid", NULL, CELL_COUNT, 0, false },
	[START] = { "start_us", "start us", CELL_REAL, 0, true },
	[DURATION] = { "duration_us", "duration us", CELL_REAL, 0, true },
	[SELF] = { "self_us", "self us", CELL_REAL, 0, false },
	[REGISTRATION] = { "registration_us", "registration us", CELL_REAL, 0, true },
	[CACHES] = { "caches", NULL, CELL_COUNT, 0, true },
	[DIRECTORIES] = { "directories", NULL, CELL_COUNT, 0, true },
	[FILES] = { "files", NULL, CELL_COUNT, 0, true },
	[LINKS] = { "links", NULL, CELL_COUNT, 0, true },
	[MILESTONE] = { "milestone", NULL, CELL_TEXT, 0, true },
	[LEVEL_FROM] = { "level_from", "level from", CELL_TEXT, 0, false },
	[DURATION_FROM] = { "duration_from", "duration from", CELL_TEXT, 0, false },
	[RESULT] = { "result", NULL, CELL_REAL, 0, false },
	[ERROR] = { "error", NULL, CELL_TEXT, 0, false },
	[PROBES] = { "probes", NULL, CELL_COUNT, 0, false },
	[BEFORE] = { "before_milestone_us", "before us", CELL_REAL, 0, false },
	[CUMULATIVE] = { "cumulative_us", "sum us", CELL_REAL, 0, false },
	[LINE_NUMBER] = { "line", NULL, CELL_COUNT, 0, false },
	{ .name = NULL },
};

enum { LINE, EAGER, DEFERRED, GAIN };

static const struct column compare_columns[] = {
	[LINE] = { "initcall", "usecs", CELL_TEXT, 0, true },
	[EAGER] = { "eager_us", "eager", CELL_REAL, 0, true },
	[DEFERRED] = { "deferred_us", "deferred", CELL_REAL, 0, true },
	[GAIN] = { "gain_us", "gain", CELL_REAL, 0, true },
	{ .name = NULL },
};

const char *policy_name(enum policy policy)
{
	return policy == POLICY_DEFERRED ? "deferred" : "eager";
}

/* The driver of a watchdog, if one shows by its name. */
static const char *find_watchdog(const struct boot *boot)
{
	for (size_t i = 0; i < boot->n_calls; i++)
		if (strstr(boot->calls[i].name, "wdt") || strstr(boot->calls[i].name, "watchdog_"))
			return boot->calls[i].name;
	return "init";
}

static bool has_init(const struct boot *boot)
{
	return !boot->recorded || boot->n_marks;
}

int milestone_goal(const struct milestone *milestone, const struct boot *boot, struct goal *goal)
{
	*goal = (struct goal){ .at_us = NAN, .call = -1 };
	return milestone->missing ? -1 : goal_find(boot, milestone->text, goal);
}

int milestone_find(struct milestone *milestone, const struct boot *boot)
{
	struct goal goal;

	milestone->asked = milestone->text;
	if (!milestone->text)
		milestone->text = boot->recorded ? "init" : find_watchdog(boot);
	milestone->missing = !milestone->asked && !has_init(boot);
	if (milestone->missing) {
		milestone->label = xstrdup("Run ... as init process");
		return 0;
	}
	if (milestone_goal(milestone, boot, &goal))
		return -1;
	milestone->label = xstrdup(goal.label);
	if (milestone->asked && goal.kind == GOAL_INIT && !boot->recorded)
		note("initcalls: --milestone init: a description does not have it; instead: %s", goal.label);
	goal_free(&goal);
	return 0;
}

double milestone_at(const struct milestone *milestone, const struct boot *boot, ptrdiff_t *call)
{
	struct goal goal;
	double at;

	*call = -1;
	if (milestone_goal(milestone, boot, &goal))
		return NAN;
	at = goal.at_us;
	*call = goal.call;
	if (goal.kind == GOAL_INIT) /* the last initcall that the boot waits for */
		for (size_t i = 0; i < goal.n_before; i++)
			if (call_on_boot_path(&boot->calls[i]))
				*call = (ptrdiff_t)i;
	goal_free(&goal);
	return at;
}

static void fill_call(struct rows *rows, const struct initcall *call)
{
	rows_set_text(rows, LEVEL, level_name(call->level));
	rows_set_text(rows, INITCALL, call->name);
	rows_set_text(rows, MODULE, call->module);
	if (call->pid >= 0)
		rows_set_count(rows, PID, (uint64_t)call->pid);
	rows_set_real(rows, START, call->start_us);
	rows_set_real(rows, DURATION, call->duration_us);
	rows_set_real(rows, SELF, call->self_us > 0 || isnan(call->self_us) ? call->self_us : 0);
	rows_set_real(rows, REGISTRATION, call->registration_us);
	rows_set_count(rows, CACHES, call->n_caches);
	rows_set_count(rows, DIRECTORIES, call->directories);
	rows_set_count(rows, FILES, call->files);
	rows_set_count(rows, LINKS, call->links);
	rows_set_text(rows, LEVEL_FROM, fact_source_name(call->level_from));
	rows_set_text(rows, DURATION_FROM, fact_source_name(call->duration_from));
	if (call->line)
		rows_set_count(rows, LINE_NUMBER, call->line);
	if (!call->returned)
		return;
	rows_set_real(rows, RESULT, call->result);
	rows_set_text(rows, ERROR, error_name(call->result));
}

/* How many probes ran in each call. */
static size_t *count_probes(const struct boot *boot)
{
	size_t *probes = xcalloc(boot->n_calls, sizeof(*probes));

	for (size_t i = 0; i < boot->n_probes; i++)
		if (boot->probes[i].initcall >= 0)
			probes[boot->probes[i].initcall]++;
	return probes;
}

static void start_row(struct rows *rows, const struct outcome *outcome, size_t run, size_t order)
{
	rows_add(rows);
	rows_set_text(rows, SCHEMA, "initcalls-1");
	rows_set_text(rows, BOOT, outcome->boot->name);
	rows_set_count(rows, RUN, run);
	rows_set_text(rows, POLICY, policy_name(outcome->policy));
	rows_set_count(rows, ORDER, order);
}

/* Behind the initcalls: they run beside them, and nothing of the model moves them. */
static void fill_asyncs(struct rows *rows, const struct outcome *outcome, size_t run)
{
	const struct boot *boot = outcome->boot;

	for (size_t i = 0; i < boot->n_asyncs; i++) {
		struct initcall call = boot->asyncs[i];

		call.returned = false; /* with what, the kernel does not say */
		start_row(rows, outcome, run, boot->n_calls + i + 1);
		fill_call(rows, &call);
		rows_set_text(rows, LEVEL, "async");
	}
}

void initcalls_fill(struct rows *rows, const struct outcome *outcome, size_t run,
		    const struct milestone *milestone)
{
	const struct boot *boot = outcome->boot;
	size_t *probes = count_probes(boot);
	double cumulative = 0;
	ptrdiff_t reached;
	struct goal goal;

	milestone_at(milestone, boot, &reached);
	milestone_goal(milestone, boot, &goal);
	for (size_t i = 0; i < boot->n_calls; i++) {
		start_row(rows, outcome, run, i + 1);
		fill_call(rows, &boot->calls[i]);
		if (boot->recorded)
			rows_set_count(rows, PROBES, probes[i]);
		if ((ptrdiff_t)i == reached) {
			rows_set_text(rows, MILESTONE, milestone->text);
			rows_mark(rows, MARK_POINT);
		}
		if (isnan(goal.at_us) || i >= goal.n_before)
			continue;
		cumulative += goal_share(boot, &goal, i);
		rows_set_real(rows, BEFORE, goal_share(boot, &goal, i));
		rows_set_real(rows, CUMULATIVE, cumulative);
	}
	fill_asyncs(rows, outcome, run);
	goal_free(&goal);
	free(probes);
}

const char *human_us(double us, char text[32])
{
	if (fabs(us) >= 1000)
		snprintf(text, 32, "%.1f ms", us / 1000);
	else
		snprintf(text, 32, "%.0f us", us);
	return text;
}

static void add_line(struct rows *rows, const struct initcall *before,
		     const struct initcall *after)
{
	char *line = xasprintf("initcall %s returned %d after", before->name, before->result);

	rows_add(rows);
	rows_set_text(rows, LINE, line);
	rows_set_real(rows, EAGER, before->duration_us);
	rows_set_real(rows, DEFERRED, after->duration_us);
	rows_set_real(rows, GAIN, before->duration_us - after->duration_us);
	free(line);
}

/* Where each call of the boot as read is in @outcome. */
static size_t *places(const struct outcome *outcome)
{
	size_t *place = xcalloc(outcome->boot->n_calls, sizeof(*place));

	for (size_t i = 0; i < outcome->boot->n_calls; i++)
		place[outcome->origin[i]] = i;
	return place;
}

static void compare_calls(struct rows *rows, const struct outcome *eager,
			  const struct outcome *deferred)
{
	size_t *after = places(deferred);

	for (size_t i = 0; i < eager->boot->n_calls; i++) {
		const struct initcall *a = &eager->boot->calls[i];
		const struct initcall *b = &deferred->boot->calls[after[eager->origin[i]]];

		if (fabs(a->duration_us - b->duration_us) >= 0.5)
			add_line(rows, a, b);
	}
	free(after);
}

static void tell_milestone(const struct run *run, const struct milestone *milestone)
{
	ptrdiff_t call;
	double eager = milestone_at(milestone, run->outcomes[0].boot, &call);
	double deferred = milestone_at(milestone, run->outcomes[1].boot, &call);
	double gain = eager - deferred;
	char a[32], b[32], c[32];

	if (isnan(gain)) {
		printf("milestone: %s: the log does not tell when\n", milestone->label);
		return;
	}
	printf("milestone: %s at %s eager, %s deferred: %s %s\n", milestone->label,
	       human_us(eager, a), human_us(deferred, b), human_us(fabs(gain), c),
	       gain >= 0 ? "sooner" : "later");
}

static void tell_total(const struct run *run)
{
	const struct boot *eager = run->outcomes[0].boot, *deferred = run->outcomes[1].boot;
	double change = deferred->run_init_us - eager->run_init_us;
	char a[32], b[32], c[32];

	if (isnan(change))
		return;
	printf("total: %s at %s eager, %s deferred: ",
	       eager->recorded ? "Run /init" : "the last initcall returns",
	       human_us(eager->run_init_us, a), human_us(deferred->run_init_us, b));
	if (fabs(change) < 0.5)
		printf("unchanged\n");
	else
		printf("%s %s\n", human_us(fabs(change), c), change > 0 ? "later" : "sooner");
}

void compare_tell(const struct run *run, const struct milestone *milestone)
{
	struct rows *rows = rows_new(compare_columns);
	int *shown = columns_shown(compare_columns);

	compare_calls(rows, &run->outcomes[0], &run->outcomes[1]);
	rows_write_table(rows, shown, -1, stdout);
	printf("\n");
	tell_milestone(run, milestone);
	tell_total(run);
	free(shown);
	rows_free(rows);
}

/* What --defer and --promote did to a log, beside the log as it is. */
static void tell_moves(const struct run *run, const struct milestone *milestone)
{
	const struct boot *in = run->boot, *out = run->outcomes[0].boot;
	char a[32], b[32], c[32];
	ptrdiff_t call;
	double before = milestone_at(milestone, in, &call);
	double after = milestone_at(milestone, out, &call);
	double change = out->run_init_us - in->run_init_us;

	if (!isnan(before) && !isnan(after))
		printf("what if: it was at %s as recorded, so %s %s\n", human_us(before, a),
		       human_us(fabs(before - after), b), before >= after ? "sooner" : "later");
	if (isnan(change))
		return;
	printf("total: Run /init at %s: ", human_us(out->run_init_us, c));
	if (fabs(change) < 0.5)
		printf("unchanged\n");
	else
		printf("%s %s\n", human_us(fabs(change), a), change > 0 ? "later" : "sooner");
}

void outcome_tell(const struct run *run, const struct plan *plan)
{
	const struct milestone *milestone = &plan->milestone;
	const struct outcome *outcome = &run->outcomes[0];
	ptrdiff_t call;
	double at = milestone_at(milestone, outcome->boot, &call);
	char text[32];

	printf("%sregistration: %s\n", plan->advise ? "" : "\n",
	       outcome->registrar < 0 ? "none" : policy_name(outcome->policy));
	if (isnan(at))
		printf("milestone: %s: the log does not tell when\n", milestone->label);
	else
		printf("milestone: %s at %s\n", milestone->label, human_us(at, text));
	if (run->boot->recorded && (plan->defer.given || plan->promote.given || plan->eager))
		tell_moves(run, milestone);
	milestone_tell(run, milestone);
}
