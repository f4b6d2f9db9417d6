/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a boot log: read, given levels, asked for milestones and advice.  What comes out must
 * hold together; what the sanitizers see is their business.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot/advise.h"
#include "boot/goal.h"
#include "boot/levels.h"
#include "boot/log.h"
#include "boot/probes.h"
#include "boot/runs.h"
#include "fuzz/fuzz.h"

#define HOLDS(claim)			\
	do {				\
		if (!(claim))		\
			abort();	\
	} while (0)

static void check_calls(const struct boot *boot, const struct log_stats *stats)
{
	HOLDS(boot->n_calls == stats->initcalls && boot->n_calls > 0);
	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct initcall *call = &boot->calls[i];

		HOLDS(call->name && *call->name);
		HOLDS(!(call->duration_us < 0) && !(call->start_us < 0));
		HOLDS(call->returned || isnan(call->duration_us) || call->blacklisted);
		HOLDS(call->line <= stats->lines && call->end_line <= stats->lines);
		HOLDS(call->level < N_LEVELS);
	}
	for (size_t i = 0; i < boot->n_probes; i++) {
		HOLDS(boot->probes[i].initcall >= -1);
		HOLDS(boot->probes[i].initcall < (ptrdiff_t)boot->n_calls);
	}
}

/* The shares of the time before a milestone add up to it. */
static void check_goal(const struct boot *boot, const char *spec)
{
	struct breakdown sum;
	struct advice *advice;
	struct goal goal;
	double levels = 0, prefixes = 0;
	size_t n;

	if (goal_find(boot, spec, &goal))
		return;
	sum = goal_breakdown(boot, &goal);
	for (size_t i = 0; i < sum.n_levels; i++)
		levels += sum.levels[i].us;
	for (size_t i = 0; i < sum.n_prefixes; i++)
		prefixes += sum.prefixes[i].us;
	HOLDS(fabs(levels - sum.calls_us) <= 1e-6 * fabs(levels) + 1e-3);
	HOLDS(fabs(prefixes - sum.calls_us) <= 1e-6 * fabs(prefixes) + 1e-3);
	breakdown_free(&sum);
	n = advise(boot, &goal, 0, NULL, &advice);
	HOLDS(n <= boot->n_calls);
	for (size_t i = 0; i < n; i++)
		HOLDS(advice[i].gain_us >= 0 && advice[i].ruling.reason);
	free(advice);
	goal_free(&goal);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct log_stats stats;
	struct deferral *deferrals;
	struct boot *boot;
	struct runs *runs;

	if (log_read_memory(data, size, "fuzz", &boot, &stats))
		return 0;
	levels_from_knowledge(boot);
	check_calls(boot, &stats);
	check_goal(boot, "init");
	check_goal(boot, boot->calls[boot->n_calls / 2].name);
	if (boot->n_probes) {
		char device[256];

		snprintf(device, sizeof(device), "probe:%s", boot->probes[0].device);
		check_goal(boot, device);
	}
	free(probes_deferrals(boot, &deferrals) ? deferrals : NULL);
	runs = runs_merge((struct boot *[]){ boot, boot }, 2);
	HOLDS(runs->n <= boot->n_calls && runs->order_differs == 0);
	runs_free(runs);
	boot_free(boot);
	return 0;
}
