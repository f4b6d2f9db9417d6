/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls: what may be moved, and what a move wins. */
#include <math.h>
#include <stdlib.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/advise.h"
#include "boot/rules.h"
#include "cmd/initcalls.h"

/* The milestone of the boot as read; a boot that is not run yet has none but by name. */
static struct goal goal_as_read(const struct boot *boot, const struct plan *plan)
{
	struct goal goal = { .at_us = NAN, .call = -1 };

	if (boot->recorded && plan->milestone.asked)
		milestone_goal(&plan->milestone, boot, &goal);
	else if (plan->milestone.asked) {
		goal.call = boot_find(boot, plan->milestone.text);
		goal.n_before = boot->n_calls;
	}
	return goal;
}

static int rule(const char *option, const struct initcall *call, const struct ruling *ruling)
{
	if (ruling->verdict == MOVE_REFUSED) {
		complain("initcalls: --%s: %s cannot move: %s", option, call->name, ruling->reason);
		return -1;
	}
	if (ruling->verdict != MOVE_FREE)
		note("--%s: %s: %s", option, call->name, ruling->reason);
	return 0;
}

int initcalls_may_defer(const struct boot *boot, size_t call, const struct plan *plan)
{
	struct goal goal = goal_as_read(boot, plan);
	struct ruling ruling = rule_defer(boot, call, plan->milestone.asked ? &goal : NULL);

	goal_free(&goal);
	return rule("defer", &boot->calls[call], &ruling);
}

int initcalls_promote(struct outcome *outcome, const struct plan *plan)
{
	for (size_t i = 0; i < plan->promote.n; i++) {
		const char *name = plan->promote.names[i];
		ptrdiff_t call = boot_find(outcome->boot, name);
		struct ruling ruling;
		size_t to;

		if (call < 0) {
			complain("initcalls: --promote: no initcall of %s is called '%s'",
				 outcome->boot->name, name);
			return -1;
		}
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
	if (call->n_caches)
		rows_set_real(rows, SYSFS, advice->sysfs_us);
	rows_set_count(rows, PROBES, advice->probes);
	rows_set_text(rows, VERDICT, verdict_name(advice->ruling.verdict));
	rows_set_text(rows, REASON, advice->ruling.reason);
}

void advice_tell(const struct run *run, const struct plan *plan)
{
	const struct boot *boot = run->outcomes[run->n_outcomes - 1].boot;
	double sums[MOVE_REFUSED + 1] = { 0 };
	size_t n, counts[MOVE_REFUSED + 1] = { 0 };
	struct rows *rows = rows_new(advice_columns);
	int *shown = columns_shown(advice_columns);
	struct advice *advice;
	struct goal goal;
	char a[32], b[32];

	if (milestone_goal(&plan->milestone, boot, &goal))
		goto out;
	n = advise(boot, &goal, &advice);
	for (size_t i = 0; i < n; i++) {
		counts[advice[i].ruling.verdict]++;
		sums[advice[i].ruling.verdict] += advice[i].gain_us;
		if (!plan->most_advice || i < plan->most_advice)
			add_advice(rows, boot, &advice[i], i + 1);
	}
	if (goal.kind == GOAL_INIT)
		printf("what would be won by running them behind init (as modules, or deferred by "
		       "init: the late level is before it):\n");
	else
		printf("what deferring to late level would win before \"%s\":\n", goal.label);
	rows_write_table(rows, shown, -1, stdout);
	printf("\n%zu candidates would win %s, %zu more that want a look %s; %zu cannot move. The "
	       "whole boot takes as long as before.\n", counts[MOVE_FREE],
	       human_us(sums[MOVE_FREE], a), counts[MOVE_CHECK], human_us(sums[MOVE_CHECK], b),
	       counts[MOVE_IDLE] + counts[MOVE_REFUSED]);
	free(advice);
	goal_free(&goal);
out:
	free(shown);
	rows_free(rows);
}
