/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls: what may be moved, and what a move wins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/advise.h"
#include "boot/find.h"
#include "boot/rules.h"
#include "cmd/initcalls.h"

/* The milestone of the boot as read; a boot that is not run yet has none but by name. */
static struct goal goal_as_read(const struct boot *boot, const struct plan *plan)
{
	struct goal goal = { .at_us = NAN, .call = -1 };

	if (boot->recorded) {
		milestone_goal(&plan->milestone, boot, &goal);
		return goal;
	}
	goal.n_before = boot->n_calls;
	if (strcmp(plan->milestone.text, "init"))
		goal.call = boot_find(boot, plan->milestone.text);
	return goal;
}

static int rule(const char *option, const struct initcall *call, const struct ruling *ruling)
{
	if (ruling->verdict == MOVE_REFUSED) {
		complain("initcalls: --%s: %s cannot move: %s", option, call->name, ruling->reason);
		return -1;
	}
	if (ruling->verdict != MOVE_FREE)
		note("initcalls: --%s: %s: %s", option, call->name, ruling->reason);
	return 0;
}

int initcalls_may_defer(const struct boot *boot, size_t call, const struct plan *plan)
{
	struct goal goal = goal_as_read(boot, plan);
	/* Nobody asked for the command's own choice, but it stays as well. */
	bool matters = plan->milestone.asked || goal.call == (ptrdiff_t)call;
	struct ruling ruling = rule_defer(boot, call, matters ? &goal : NULL);

	goal_free(&goal);
	return rule("defer", &boot->calls[call], &ruling);
}

int initcalls_promote(struct outcome *outcome, const struct plan *plan)
{
	for (size_t i = 0; i < plan->promote.n; i++) {
		ptrdiff_t call = find_call("initcalls: --promote", outcome->boot,
					   plan->promote.names[i], NULL);
		struct ruling ruling;
		size_t to;

		if (call < 0)
			return -1;
		ruling = rule_promote(outcome->boot, (size_t)call, &to);
		if (rule("promote", &outcome->boot->calls[call], &ruling))
			return -1;
		promote(outcome->boot, outcome->origin, (size_t)call, to);
	}
	return 0;
}

enum { RANK, NAME, LEVEL, GAIN, SUM, SYSFS, PROBES, VERDICT, REASON };

static const struct column advice_columns[] = {
	[RANK] = { "rank", NULL, CELL_COUNT, 0, true },
	[NAME] = { "initcall", NULL, CELL_TEXT, 0, true },
	[LEVEL] = { "level", NULL, CELL_TEXT, 0, true },
	[GAIN] = { "gain_us", "gain us", CELL_REAL, 0, true },
	[SUM] = { "cumulative_us", "sum us", CELL_REAL, 0, true },
	[SYSFS] = { "registration_us", "of it sysfs us", CELL_REAL, 0, true },
	[PROBES] = { "probes", NULL, CELL_COUNT, 0, true },
	[VERDICT] = { "verdict", NULL, CELL_TEXT, 0, true },
	[REASON] = { "reason", NULL, CELL_TEXT, 0, true },
	{ .name = NULL },
};

static void add_advice(struct rows *rows, const struct boot *boot, const struct advice *advice,
		       size_t rank)
{
	const struct initcall *call = &boot->calls[advice->call];

	rows_add(rows);
	rows_set_count(rows, RANK, rank);
	rows_set_text(rows, NAME, call->name);
	rows_set_text(rows, LEVEL, level_name(call->level));
	rows_set_real(rows, GAIN, advice->gain_us);
	rows_set_real(rows, SUM, advice->cumulative_us);
	if (call->n_caches || advice->sysfs_us > 0)
		rows_set_real(rows, SYSFS, advice->sysfs_us);
	rows_set_count(rows, PROBES, advice->probes);
	rows_set_text(rows, VERDICT, verdict_name(advice->ruling.verdict));
	rows_set_text(rows, REASON, advice->ruling.reason);
}

/* As many as were asked for. */
static struct rows *rank(const struct plan *plan, const struct boot *boot,
			 const struct advice *advice, size_t n)
{
	struct rows *rows = rows_new(advice_columns);

	for (size_t i = 0; i < n && (!plan->most_advice || i < plan->most_advice); i++)
		add_advice(rows, boot, &advice[i], i + 1);
	return rows;
}

struct rows *advice_rows(const struct run *run, const struct plan *plan)
{
	const struct outcome *outcome = &run->outcomes[run->n_outcomes - 1];
	struct advice *advice;
	struct rows *rows;
	struct goal goal;
	size_t n;

	if (milestone_goal(&plan->milestone, outcome->boot, &goal))
		return NULL;
	n = advise(outcome->boot, &goal, outcome->registrar, run->symbols, &advice);
	rows = rank(plan, outcome->boot, advice, n);
	free(advice);
	goal_free(&goal);
	return rows;
}

/* What all rows of a verdict win: the sums are cumulative. */
static double won(const struct advice *advice, size_t n, enum verdict verdict)
{
	double before = 0, last = 0;

	for (size_t i = 0; i < n; i++) {
		if (advice[i].ruling.verdict < verdict)
			before = advice[i].cumulative_us;
		if (advice[i].ruling.verdict <= verdict)
			last = advice[i].cumulative_us;
	}
	return last - before;
}

static void tell_sums(const struct advice *advice, size_t n)
{
	size_t counts[MOVE_REFUSED + 1] = { 0 };
	char a[32], b[32];

	for (size_t i = 0; i < n; i++)
		counts[advice[i].ruling.verdict]++;
	printf("\n%zu candidate%s would win %s, %zu more %s after a look; %zu cannot move. The "
	       "whole boot takes as long as before.\n", counts[MOVE_FREE], plural(counts[MOVE_FREE]),
	       human_us(won(advice, n, MOVE_FREE), a), counts[MOVE_CHECK],
	       human_us(won(advice, n, MOVE_CHECK), b), counts[MOVE_IDLE] + counts[MOVE_REFUSED]);
}

void advice_tell(const struct run *run, const struct plan *plan)
{
	const struct outcome *outcome = &run->outcomes[run->n_outcomes - 1];
	const struct boot *boot = outcome->boot;
	struct rows *rows;
	struct advice *advice;
	struct goal goal;
	int *shown;
	size_t n;

	if (milestone_goal(&plan->milestone, boot, &goal))
		return;
	n = advise(boot, &goal, outcome->registrar, run->symbols, &advice);
	rows = rank(plan, boot, advice, n);
	if (goal.kind == GOAL_INIT)
		printf("what would be won by running them behind init (as modules, or deferred by "
		       "init: the late level is before it):\n");
	else
		printf("what deferring to late level would win before \"%s\":\n", goal.label);
	shown = columns_shown(advice_columns);
	rows_write_table(rows, shown, -1, stdout);
	tell_sums(advice, n);
	free(shown);
	rows_free(rows);
	free(advice);
	goal_free(&goal);
}
