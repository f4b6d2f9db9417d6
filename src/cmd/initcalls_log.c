/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls: what a log says beside its initcalls, and where the time before the milestone goes. */
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "boot/probes.h"
#include "cmd/initcalls.h"

#define MOST_PREFIXES 12
#define MOST_LISTED 20

static const char *scale_text(const struct log_stats *stats)
{
	static const char *const texts[] = {
		[SCALE_MICROSECONDS] = NULL,
		[SCALE_BY_VERSION] = "this kernel reports ns >> 10: usecs are multiplied by 1.024",
		[SCALE_BY_TICKS] = "no kernel version, but ticks of ns >> 10: usecs are multiplied by "
				   "1.024",
		[SCALE_ASSUMED] = "no kernel version and nothing to tell by: usecs are taken as "
				  "microseconds",
	};

	return texts[stats->scale];
}

static void tell_skipped(const char *name, const struct log_stats *stats)
{
	if (stats->unplaced)
		note("%s: %zu line%s of initcall_debug not understood; the first:", name,
		     stats->unplaced, plural(stats->unplaced));
	for (size_t i = 0; i < stats->unplaced && i < LOG_N_UNPLACED; i++)
		note("%s:%u: '%s': expected %s", name, stats->first_unplaced[i].line,
		     stats->first_unplaced[i].text, stats->first_unplaced[i].wanted);
	if (stats->long_lines)
		note("%s: skipped %zu line%s longer than any log line", name, stats->long_lines,
		     plural(stats->long_lines));
	if (stats->units_missing)
		note("%s: %zu number%s without a unit read as usecs", name, stats->units_missing,
		     plural(stats->units_missing));
}

static void tell_boots(const char *name, const struct log_stats *stats)
{
	if (stats->boots > 1)
		note("%s: %zu boots in it%s: taken is number %zu, from line %u, the first %s", name,
		     stats->boots, stats->same_again ? ", one and the same" : "", stats->taken,
		     stats->taken_line, stats->taken_complete ? "complete one" : "of the longest");
	if (!stats->taken_complete)
		note("%s: the boot does not reach init: cut off, or it hangs", name);
}

void log_stats_tell(const char *name, const struct log_stats *stats)
{
	note("%s: %llu line%s: %zu initcall%s (%zu of modules, %zu blacklisted), %zu probe%s, %zu "
	     "asynchronous call%s; %zu start%s without a return, %zu return%s without a start, %zu "
	     "call%s of devices that are no initcalls", name, (unsigned long long)stats->lines,
	     plural(stats->lines), stats->initcalls, plural(stats->initcalls), stats->modules,
	     stats->blacklisted, stats->probes, plural(stats->probes), stats->async_calls,
	     plural(stats->async_calls), stats->unmatched_starts, plural(stats->unmatched_starts),
	     stats->unmatched_returns, plural(stats->unmatched_returns), stats->lookalikes,
	     plural(stats->lookalikes));
	if (stats->joined || stats->doubled)
		note("%s: joined %zu hard-wrapped line%s, left out %zu that stood there twice", name,
		     stats->joined, plural(stats->joined), stats->doubled);
	if (stats->warnings)
		note("%s: %zu initcall%s returned with a warning of the kernel", name,
		     stats->warnings, plural(stats->warnings));
	if (!stats->stamps)
		note("%s: no time stamps: durations are as reported, in ticks before the clock "
		     "switch", name);
	if (scale_text(stats))
		note("%s: %s", name, scale_text(stats));
	tell_boots(name, stats);
	tell_skipped(name, stats);
}

enum { PART, CALLS, TIME, SHARE, SUM };

static const struct column share_columns[] = {
	[PART] = { "part", NULL, CELL_TEXT, 0, true },
	[CALLS] = { "calls", NULL, CELL_COUNT, 0, true },
	[TIME] = { "us", NULL, CELL_REAL, 0, true },
	[SHARE] = { "share", NULL, CELL_RATIO, 1, true },
	[SUM] = { "cumulative_us", "sum us", CELL_REAL, 0, true },
	{ .name = NULL },
};

static void add_share(struct rows *rows, const char *part, size_t calls, double us, double total,
		      double *sum)
{
	*sum += us;
	rows_add(rows);
	rows_set_text(rows, PART, part);
	if (calls)
		rows_set_count(rows, CALLS, calls);
	rows_set_real(rows, TIME, us);
	rows_set_real(rows, SHARE, total > 0 ? us / total : 0);
	rows_set_real(rows, SUM, *sum);
}

static void show(const struct column *columns, const struct rows *rows)
{
	int *shown = columns_shown(columns);

	rows_write_table(rows, shown, -1, stdout);
	free(shown);
}

/* All of the time, by level: the sum of the last row is the milestone. */
static void tell_levels(const struct breakdown *b)
{
	struct rows *rows = rows_new(share_columns);
	double sum = 0;

	if (b->head_us > 0)
		add_share(rows, "before the first initcall", 0, b->head_us, b->total_us, &sum);
	for (size_t i = 0; i < b->n_levels; i++)
		add_share(rows, b->levels[i].name, b->levels[i].calls, b->levels[i].us, b->total_us,
			  &sum);
	add_share(rows, "between initcalls", 0, b->gaps_us, b->total_us, &sum);
	if (b->tail_us > 0)
		add_share(rows, "behind the last initcall", 0, b->tail_us, b->total_us, &sum);
	show(share_columns, rows);
	rows_free(rows);
}

static void tell_prefixes(const struct breakdown *b)
{
	struct rows *rows = rows_new(share_columns);
	size_t n = b->n_prefixes < MOST_PREFIXES ? b->n_prefixes : MOST_PREFIXES;
	size_t calls = 0;
	double sum = 0, rest = 0;

	for (size_t i = 0; i < n; i++)
		add_share(rows, b->prefixes[i].name, b->prefixes[i].calls, b->prefixes[i].us,
			  b->total_us, &sum);
	for (size_t i = n; i < b->n_prefixes; i++) {
		calls += b->prefixes[i].calls;
		rest += b->prefixes[i].us;
	}
	if (calls)
		add_share(rows, "all others", calls, rest, b->total_us, &sum);
	show(share_columns, rows);
	rows_free(rows);
}

void milestone_tell(const struct run *run, const struct milestone *milestone)
{
	const struct boot *boot = run->outcomes[run->n_outcomes - 1].boot;
	struct breakdown b;
	struct goal goal;
	char text[32];

	if (!milestone->asked || milestone_goal(milestone, boot, &goal))
		return;
	b = goal_breakdown(boot, &goal);
	if (goal.line)
		printf("it is defined by line %u of %s; the clock is %s\n", goal.line, boot->name,
		       goal.by_stamps ? "that of the printk stamps" :
					"the sum of the durations, as the log has no stamps");
	printf("\nbefore it, %s in %zu initcall%s, by level:\n", human_us(b.calls_us, text),
	       b.n_calls, plural(b.n_calls));
	tell_levels(&b);
	printf("\nthese initcalls by the first word of their names that says something:\n");
	tell_prefixes(&b);
	printf("\n");
	breakdown_free(&b);
	goal_free(&goal);
}

enum { DEVICE, TRIES, DEFERRED_TRIES, LOST, ALL_TRIES, SPAN, LAST };

static const struct column deferral_columns[] = {
	[DEVICE] = { "device", NULL, CELL_TEXT, 0, true },
	[TRIES] = { "tries", NULL, CELL_COUNT, 0, true },
	[DEFERRED_TRIES] = { "deferred", NULL, CELL_COUNT, 0, true },
	[LOST] = { "lost_us", "lost us", CELL_REAL, 0, true },
	[ALL_TRIES] = { "all_us", "all tries us", CELL_REAL, 0, true },
	[SPAN] = { "span_us", "first try to success us", CELL_REAL, 0, true },
	[LAST] = { "last", "last result", CELL_TEXT, 0, true },
	{ .name = NULL },
};

static void tell_deferrals(const struct boot *boot)
{
	struct rows *rows = rows_new(deferral_columns);
	struct deferral *list;
	size_t n = probes_deferrals(boot, &list), tries = 0;
	double lost = 0;
	char text[32];

	for (size_t i = 0; i < n; i++) {
		tries += list[i].deferred;
		lost += list[i].cost_us;
		rows_add(rows);
		rows_set_text(rows, DEVICE, list[i].device);
		rows_set_count(rows, TRIES, list[i].tries);
		rows_set_count(rows, DEFERRED_TRIES, list[i].deferred);
		rows_set_real(rows, LOST, list[i].cost_us);
		rows_set_real(rows, ALL_TRIES, list[i].total_us);
		rows_set_real(rows, SPAN, list[i].span_us);
		rows_set_text(rows, LAST, result_name(list[i].last_result));
	}
	if (n) {
		printf("deferred probes: %zu device%s lost %s in %zu %s\n", n, plural(n),
		       human_us(lost, text), tries, tries == 1 ? "try" : "tries");
		show(deferral_columns, rows);
		printf("\n");
	}
	free(list);
	rows_free(rows);
}

/* One line for what failed, by kind: "-ENODEV (-19): a, b". */
static void tell_failures(const struct boot *boot)
{
	size_t failed = 0;

	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct initcall *call = &boot->calls[i];

		if (!call->returned || call->result == 0)
			continue;
		if (failed++ < MOST_LISTED)
			printf("%s%s returned %s", failed == 1 ? "failed: " : ", ", call->name,
			       result_name(call->result));
	}
	for (size_t i = 0; i < boot->n_probes; i++) {
		const struct probe *probe = &boot->probes[i];

		if (probe_succeeded(probe) || probe_deferred(probe))
			continue;
		if (failed++ < MOST_LISTED)
			printf("%sprobe of %s returned %s", failed == 1 ? "failed: " : ", ",
			       probe->device, result_name(probe->result));
	}
	if (failed > MOST_LISTED)
		printf(" and %zu more (column error of --csv)", failed - MOST_LISTED);
	if (failed)
		printf("\n");
}

void devices_tell(const struct boot *boot)
{
	tell_deferrals(boot);
	tell_failures(boot);
}
