/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When each initcall starts, once their order and their durations are known. */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "boot/goal.h"
#include "boot/replay.h"

#define REAL_REPETITIONS 5

static double or_zero(double us)
{
	return isnan(us) ? 0 : us;
}

/* A description: one after the other, from 0. */
static void run_described(struct boot *boot)
{
	double now = 0;

	for (size_t i = 0; i < boot->n_calls; i++) {
		boot->calls[i].start_us = now;
		now += or_zero(boot->calls[i].duration_us);
	}
	boot->run_init_us = now;
}

/*
 * A log: all that is not an initcall stays where it was between them.  Whatever comes later moves
 * by what the calls before it now take more or less; a call that moves takes the time up to the
 * next one's start along, which is its own and that of printing it.
 */
struct walk {
	const struct boot *in;
	struct boot *out;
	const size_t *origin;
	double *span;        /* of the calls that move, by their place in @in; 0: stays */
	double *moved_by;    /* by place in @in: what its start moved by */
	double shift;        /* of what comes now */
	size_t passed;       /* calls of @in whose old place lies behind us */
};

static bool moves(const struct walk *w, size_t i)
{
	return w->out->calls[i].promoted ||
	       w->out->calls[i].level != w->in->calls[w->origin[i]].level;
}

/* The old places before call @until of the log are behind: those who left them take their time. */
static void pass(struct walk *w, size_t until)
{
	for (; w->passed < until; w->passed++)
		w->shift -= w->span[w->passed];
}

/* The call of the boot's own that stays and comes next after place @i of the new order. */
static ptrdiff_t next_staying(const struct walk *w, size_t i)
{
	for (; i < w->out->n_calls; i++)
		if (!moves(w, i) && call_on_boot_path(&w->out->calls[i]))
			return (ptrdiff_t)w->origin[i];
	return -1;
}

static void arrive(struct walk *w, size_t i)
{
	struct initcall *call = &w->out->calls[i];
	const struct initcall *old = &w->in->calls[w->origin[i]];
	double around = w->span[w->origin[i]] - or_zero(old->duration_us);
	ptrdiff_t next = next_staying(w, i);

	pass(w, next < 0 ? w->in->n_calls : (size_t)next);
	if (next >= 0)
		call->start_us = w->in->calls[next].start_us + w->shift;
	else if (i)
		call->start_us = simulate_end(&w->out->calls[i - 1]);
	w->moved_by[w->origin[i]] = call->start_us - old->start_us;
	w->shift += or_zero(call->duration_us) + (around > 0 ? around : 0);
}

static void walk_calls(struct walk *w)
{
	for (size_t i = 0; i < w->out->n_calls; i++)
		if (moves(w, i))
			w->span[w->origin[i]] = call_span(w->in, w->origin[i]);
	for (size_t i = 0; i < w->out->n_calls; i++) {
		struct initcall *call = &w->out->calls[i];
		const struct initcall *old = &w->in->calls[w->origin[i]];

		if (moves(w, i)) {
			arrive(w, i);
			continue;
		}
		pass(w, w->origin[i]);
		call->start_us = old->start_us + w->shift;
		w->moved_by[w->origin[i]] = w->shift;
		w->shift += or_zero(call->duration_us) - or_zero(old->duration_us);
	}
	pass(w, w->in->n_calls);
}

/* What moves whatever happened at @at_us of the log: the last call that had started then. */
static double shift_at(const struct walk *w, double at_us)
{
	double shift = 0, latest = -INFINITY;

	for (size_t i = 0; i < w->out->n_calls; i++) {
		const struct initcall *old = &w->in->calls[w->origin[i]];

		if (moves(w, i) || !(old->start_us <= at_us) || old->start_us < latest)
			continue;
		latest = old->start_us;
		shift = w->moved_by[w->origin[i]];
		if (at_us >= simulate_end(old))
			shift += or_zero(w->out->calls[i].duration_us) - or_zero(old->duration_us);
	}
	return shift;
}

static void walk_marks(struct walk *w)
{
	for (size_t i = 0; i < w->out->n_probes; i++) {
		struct probe *probe = &w->out->probes[i];

		if (probe->initcall >= 0) /* goes where its initcall goes */
			probe->end_us += w->moved_by[w->origin[probe->initcall]];
		else
			probe->end_us += shift_at(w, probe->end_us);
	}
	for (size_t i = 0; i < w->out->n_asyncs; i++)
		w->out->asyncs[i].start_us += shift_at(w, w->out->asyncs[i].start_us);
	for (size_t i = 0; i < w->out->n_marks; i++)
		w->out->marks[i].at_us += shift_at(w, w->out->marks[i].at_us);
	w->out->run_init_us += w->shift;
}

static void run_recorded(const struct boot *in, struct boot *out, const size_t *origin)
{
	struct walk w = { .in = in, .out = out, .origin = origin };

	w.span = xcalloc(in->n_calls, sizeof(*w.span));
	w.moved_by = xcalloc(in->n_calls, sizeof(*w.moved_by));
	walk_calls(&w);
	walk_marks(&w);
	free(w.span);
	free(w.moved_by);
}

/* Real work is done several times and the least of each call counts: a disturbance only adds. */
static int replay_best(const struct boot *boot, ptrdiff_t registrar, const struct simulation *sim,
		       struct replayed *did, FILE *tree, int *status)
{
	int rc = replay(boot, registrar, sim, did, tree, status);
	struct replayed *again = xcalloc(boot->n_calls, sizeof(*again));

	for (int r = 1; r < REAL_REPETITIONS && sim->registry->timed && !rc; r++) {
		rc = replay(boot, registrar, sim, again, NULL, status);
		for (size_t i = 0; i < boot->n_calls && !rc; i++)
			if (again[i].cost_us < did[i].cost_us)
				did[i].cost_us = again[i].cost_us;
	}
	free(again);
	return rc;
}

int simulate(const struct boot *in, struct boot *boot, const size_t *origin, ptrdiff_t registrar,
	     const struct simulation *sim, FILE *tree, int *status)
{
	struct replayed *did = xcalloc(boot->n_calls, sizeof(*did));
	int rc = replay_best(boot, registrar, sim, did, tree, status);

	for (size_t i = 0; i < boot->n_calls && !rc; i++) {
		struct initcall *call = &boot->calls[i];
		double was = call->duration_us;

		call->registration_us = did[i].cost_us;
		call->duration_us = call->self_us + did[i].cost_us;
		if (call->duration_us < 0) /* it took less than its registration should have */
			call->duration_us = 0;
		call->directories = did[i].directories;
		call->files = did[i].files;
		call->links = did[i].links;
		if (!(fabs(call->duration_us - was) < 0.5)) /* else it is as it was recorded */
			call->duration_from = SOURCE_MODEL;
	}
	free(did);
	if (rc)
		return -1;
	if (in->recorded)
		run_recorded(in, boot, origin);
	else
		run_described(boot);
	return 0;
}
