/* SPDX-License-Identifier: GPL-2.0-or-later */
/* initcalls: from boots that have been run to rows and tables, and the milestone in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/initcalls.h"

enum {
	SCHEMA, BOOT, RUN, POLICY, ORDER, LEVEL, INITCALL, MODULE, PID, START, DURATION, SELF,
	REGISTRATION, CACHES, DIRECTORIES, FILES, LINKS, MILESTONE
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

#define PROBE "probe:"

static const struct probe *find_probe(const struct boot *boot, const char *device)
{
	for (size_t i = 0; i < boot->n_probes; i++)
		if (!strcmp(boot->probes[i].device, device) && !boot->probes[i].result)
			return &boot->probes[i];
	return NULL;
}

/* The driver of a watchdog, if one shows by its name. */
static const char *find_watchdog(const struct boot *boot)
{
	for (size_t i = 0; i < boot->n_calls; i++)
		if (strstr(boot->calls[i].name, "wdt") || strstr(boot->calls[i].name, "watchdog_"))
			return boot->calls[i].name;
	return "init";
}

int milestone_find(struct milestone *milestone, const struct boot *boot)
{
	const char *text = milestone->text;

	if (!text)
		text = milestone->text = boot->recorded ? "init" : find_watchdog(boot);
	if (!strcmp(text, "init")) {
		milestone->label = xstrdup(boot->recorded ? "Run /init" : "the last initcall returns");
		return 0;
	}
	if (!strncmp(text, PROBE, strlen(PROBE))) {
		if (!find_probe(boot, text + strlen(PROBE))) {
			complain("initcalls: --milestone: %s has no successful probe of '%s'",
				 boot->name, text + strlen(PROBE));
			return -1;
		}
		milestone->label = xasprintf("probe of %s returns", text + strlen(PROBE));
		return 0;
	}
	if (boot_find(boot, text) < 0) {
		complain("initcalls: --milestone: no initcall of %s is called '%s'", boot->name,
			 text);
		return -1;
	}
	milestone->label = xasprintf("%s returns", text);
	return 0;
}

double milestone_at(const struct milestone *milestone, const struct boot *boot, ptrdiff_t *call)
{
	const struct probe *probe;

	*call = -1;
	if (!strcmp(milestone->text, "init")) {
		/* The last initcall that the boot waits for. */
		for (size_t i = 0; i < boot->n_calls; i++)
			if (boot->calls[i].pid <= 1)
				*call = (ptrdiff_t)i;
		return boot->run_init_us;
	}
	if (!strncmp(milestone->text, PROBE, strlen(PROBE))) {
		probe = find_probe(boot, milestone->text + strlen(PROBE));
		*call = probe->initcall;
		return probe->end_us;
	}
	*call = boot_find(boot, milestone->text);
	return simulate_end(&boot->calls[*call]);
}

static void fill_call(struct rows *rows, const struct initcall *call)
{
	rows_set_text(rows, LEVEL, level_name(call->level));
	rows_set_text(rows, INITCALL, call->name);
	rows_set_text(rows, MODULE, call->module);
	rows_set_count(rows, PID, (uint64_t)call->pid);
	rows_set_real(rows, START, call->start_us);
	rows_set_real(rows, DURATION, call->duration_us);
	rows_set_real(rows, SELF, call->self_us > 0 || isnan(call->self_us) ? call->self_us : 0);
	rows_set_real(rows, REGISTRATION, call->registration_us);
	rows_set_count(rows, CACHES, call->n_caches);
	rows_set_count(rows, DIRECTORIES, call->directories);
	rows_set_count(rows, FILES, call->files);
	rows_set_count(rows, LINKS, call->links);
}

void initcalls_fill(struct rows *rows, const struct outcome *outcome,
		    const struct milestone *milestone)
{
	const struct boot *boot = outcome->boot;
	ptrdiff_t reached;

	milestone_at(milestone, boot, &reached);
	for (size_t i = 0; i < boot->n_calls; i++) {
		rows_add(rows);
		rows_set_text(rows, SCHEMA, "initcalls-1");
		rows_set_text(rows, BOOT, boot->name);
		rows_set_count(rows, RUN, 1);
		rows_set_text(rows, POLICY, policy_name(outcome->policy));
		rows_set_count(rows, ORDER, i + 1);
		fill_call(rows, &boot->calls[i]);
		if ((ptrdiff_t)i == reached)
			rows_set_text(rows, MILESTONE, milestone->text);
	}
}

/* "16.4 ms", "940 us": as much of it as matters. */
static const char *human(double us, char text[32])
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
	       human(eager, a), human(deferred, b), human(fabs(gain), c),
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
	       human(eager->run_init_us, a), human(deferred->run_init_us, b));
	if (fabs(change) < 0.5)
		printf("unchanged\n");
	else
		printf("%s %s\n", human(fabs(change), c), change > 0 ? "later" : "sooner");
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

void outcome_tell(const struct run *run, const struct milestone *milestone)
{
	const struct outcome *outcome = &run->outcomes[0];
	ptrdiff_t call;
	double at = milestone_at(milestone, outcome->boot, &call);
	char text[32];

	printf("\nregistration: %s\n", outcome->registrar < 0 ? "none" :
						policy_name(outcome->policy));
	if (isnan(at))
		printf("milestone: %s: the log does not tell when\n", milestone->label);
	else
		printf("milestone: %s at %s\n", milestone->label, human(at, text));
}
