/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/goal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/find.h"
#include "boot/probes.h"

#define OPTION "initcalls: --milestone"

/* What is no name of an initcall. */
#define INIT "init"
#define PROBE "probe:"

static bool has_stamps(const struct boot *boot)
{
	if (boot->recorded)
		return boot->stamps;
	for (size_t i = 0; i < boot->n_calls; i++)
		if (!isnan(boot->calls[i].start_us))
			return true;
	return false;
}

bool call_on_boot_path(const struct initcall *call)
{
	return call->pid == 0 || call->pid == 1;
}

static double duration(const struct initcall *call)
{
	return isnan(call->duration_us) ? 0 : call->duration_us;
}

/* The sum of what ran before: the clock of a log without stamps. */
static double sum_before(const struct boot *boot, size_t index)
{
	double sum = 0;

	for (size_t i = 0; i < index; i++)
		if (call_on_boot_path(&boot->calls[i]))
			sum += duration(&boot->calls[i]);
	return sum;
}

/* On the clock of the goal: its stamp, or without stamps the sum of the durations before it. */
static double call_start(const struct boot *boot, size_t index)
{
	return has_stamps(boot) ? boot->calls[index].start_us : sum_before(boot, index);
}

double call_span(const struct boot *boot, size_t index)
{
	const struct initcall *call = &boot->calls[index];

	if (index + 1 < boot->n_calls && boot->calls[index + 1].pid == call->pid &&
	    boot->calls[index + 1].start_us > call->start_us)
		return boot->calls[index + 1].start_us - call->start_us;
	return duration(call);
}

/* Calls that stand before a line of the log, or for a stamp, that began before it. */
static size_t calls_before(const struct boot *boot, double at_us, unsigned int line)
{
	size_t n = 0;

	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct initcall *call = &boot->calls[i];

		if (isnan(at_us) ? call->line < line : call->start_us <= at_us)
			n = i + 1;
	}
	return n;
}

/* Is it "prob:NAME" or the like? */
static bool is_near_probe(const char *spec)
{
	static const char *const kinds[] = { "probe", NULL };
	const char *colon = strchr(spec, ':');
	char *kind = colon ? xasprintf("%.*s", (int)(colon - spec), spec) : NULL;
	bool near = kind && nearest(kind, kinds);

	free(kind);
	return near;
}

static int find_initcall(const struct boot *boot, const char *spec, struct goal *goal)
{
	const struct initcall *call;
	bool is_call = boot_find(boot, spec) >= 0;
	size_t probes = is_call ? 0 : boot->n_probes;

	for (size_t i = 0; i < probes; i++) {
		if (strcmp(boot->probes[i].device, spec))
			continue;
		complain(OPTION ": %s has no initcall '%s'; did you mean '" PROBE "%s'?",
			 boot->name, spec, spec);
		return -1;
	}
	if (!is_call && is_near_probe(spec)) {
		complain(OPTION ": '%s' is no initcall; did you mean '" PROBE "%s'?", spec,
			 strchr(spec, ':') + 1);
		return -1;
	}
	goal->kind = GOAL_INITCALL;
	goal->call = find_call(OPTION, boot, spec, INIT);
	if (goal->call < 0)
		return -1;
	call = &boot->calls[goal->call];
	if (call->blacklisted || (boot->recorded && !call->returned)) {
		complain(OPTION ": %s %s (%s:%u), so there is no time before it", spec,
			 call->blacklisted ? "was blacklisted" : "did not return", boot->name,
			 call->line);
		return -1;
	}
	goal->at_us = call_start(boot, (size_t)goal->call) + duration(call);
	goal->line = call->end_line;
	goal->n_before = (size_t)goal->call + 1;
	goal->label = xasprintf("%s returns", spec);
	return 0;
}

static int no_such_probe(const struct boot *boot, const char *device, size_t failed)
{
	if (failed) {
		complain(OPTION ": no probe of '%s' in %s succeeded, of %zu", device, boot->name,
			 failed);
		return -1;
	}
	if (boot->n_probes == 0) {
		complain(OPTION ": %s has no line \"probe of ... returned\"", boot->name);
		return -1;
	}
	complain_no_probe(OPTION, boot, device);
	return -1;
}

static int find_probe(const struct boot *boot, const char *device, struct goal *goal)
{
	size_t failed = 0;

	goal->kind = GOAL_PROBE;
	for (size_t i = 0; i < boot->n_probes; i++) {
		const struct probe *probe = &boot->probes[i];

		if (strcmp(probe->device, device))
			continue;
		if (!probe_succeeded(probe)) {
			failed++;
			continue;
		}
		goal->call = probe->initcall;
		goal->line = probe->line;
		goal->at_us = probe->end_us;
		goal->n_before = calls_before(boot, probe->end_us, probe->line);
		if (isnan(probe->end_us)) {
			bool inside = probe->initcall >= 0;

			goal->at_us = sum_before(boot, inside ? (size_t)probe->initcall
							      : goal->n_before);
			goal->at_us += isnan(probe->duration_us) ? 0 : probe->duration_us;
		}
		goal->label = xasprintf("probe of %s returns %d", device, probe->result);
		return 0;
	}
	return no_such_probe(boot, device, failed);
}

static void take_mark(const struct boot *boot, const struct mark *mark, struct goal *goal)
{
	goal->line = mark->line;
	goal->at_us = mark->at_us;
	goal->n_before = calls_before(boot, mark->at_us, mark->line);
	if (isnan(mark->at_us))
		goal->at_us = sum_before(boot, goal->n_before);
	goal->label = xstrdup(mark->text);
}

static int find_init(const struct boot *boot, struct goal *goal)
{
	/* kernels before 4.20 say nothing of init; freeing their own memory comes just before it */
	static const char *const marks[] = { "Run ", "Freeing " };

	goal->kind = GOAL_INIT;
	for (size_t kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < boot->n_marks; i++) {
			const struct mark *mark = &boot->marks[i];

			if (strncmp(mark->text, marks[kind], strlen(marks[kind])))
				continue;
			take_mark(boot, mark, goal);
			return 0;
		}
	}
	if (!boot->recorded && boot->n_calls) { /* a description: init is what comes last */
		goal->n_before = boot->n_calls;
		goal->at_us = call_start(boot, boot->n_calls - 1) +
			      duration(&boot->calls[boot->n_calls - 1]);
		goal->label = xstrdup("the last initcall returns");
		return 0;
	}
	complain(OPTION ": %s has no line \"Run ... as init process\" or \"Freeing unused kernel "
		 "memory\": it ends before init", boot->name);
	return -1;
}

int goal_find(const struct boot *boot, const char *spec, struct goal *goal)
{
	int status;

	*goal = (struct goal){ .at_us = NAN, .call = -1 };
	if (!strcmp(spec, INIT))
		status = find_init(boot, goal);
	else if (!strncmp(spec, PROBE, sizeof(PROBE) - 1))
		status = find_probe(boot, spec + sizeof(PROBE) - 1, goal);
	else
		status = find_initcall(boot, spec, goal);
	goal->by_stamps = has_stamps(boot);
	if (status)
		goal_free(goal);
	return status;
}

void goal_free(struct goal *goal)
{
	free(goal->label);
	*goal = (struct goal){ .at_us = NAN, .call = -1 };
}
