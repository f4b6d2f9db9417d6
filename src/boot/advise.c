/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/advise.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "boot/schedule.h"

static int compare(const void *a, const void *b)
{
	const struct advice *x = a, *y = b;

	if (x->ruling.verdict != y->ruling.verdict)
		return x->ruling.verdict < y->ruling.verdict ? -1 : 1;
	if (x->gain_us != y->gain_us)
		return x->gain_us > y->gain_us ? -1 : 1;
	return x->call < y->call ? -1 : 1;
}

/* What a call behind a registrar that is gone takes less: no more than it took. */
static double saved(const struct initcall *call)
{
	double self = call->self_us > 0 ? call->self_us : 0;

	return call->duration_us > self ? call->duration_us - self : 0;
}

/* Registration of caches before the milestone that the registrar's being there costs the others. */
static double induced(const struct boot *boot, const struct goal *goal, ptrdiff_t registrar)
{
	double sum = 0;

	for (size_t i = (size_t)registrar + 1; i < goal->n_before; i++)
		if (call_on_boot_path(&boot->calls[i]))
			sum += saved(&boot->calls[i]);
	return sum;
}

static struct advice advice_on(const struct boot *boot, const struct goal *goal, size_t index,
			       ptrdiff_t registrar, const struct symbols *symbols)
{
	const struct initcall *call = &boot->calls[index];
	double share = goal_share(boot, goal, index);
	struct advice advice = {
		.call = index,
		.gain_us = share < call->duration_us ? share : call_span(boot, index),
		.sysfs_us = call->registration_us,
		.ruling = rule_defer(boot, index, goal),
	};

	if ((ptrdiff_t)index == registrar) {
		double more = induced(boot, goal, registrar);

		advice.gain_us += more;
		advice.sysfs_us += more;
	}
	if (advice.ruling.verdict < MOVE_IDLE && goal->kind != GOAL_INIT &&
	    schedule_late_is_before(boot, index, goal->n_before, symbols))
		advice.ruling = (struct ruling){ MOVE_IDLE, "at late level it would still run "
							    "before the milestone" };
	if (advice.ruling.verdict >= MOVE_IDLE)
		advice.gain_us = 0;
	return advice;
}

/* Registration that goes with the registrar and with its own call is won once. */
static void sum_up(const struct boot *boot, ptrdiff_t registrar, struct advice *advice, size_t n)
{
	bool gone = false;
	double sum = 0, twice = 0;

	for (size_t i = 0; i < n; i++) {
		bool moves = advice[i].ruling.verdict < MOVE_IDLE;

		if (moves && (ptrdiff_t)advice[i].call == registrar)
			gone = true;
		else if (moves && registrar >= 0 && (ptrdiff_t)advice[i].call > registrar)
			twice += saved(&boot->calls[advice[i].call]);
		sum += advice[i].gain_us;
		advice[i].cumulative_us = gone ? sum - twice : sum;
	}
}

size_t advise(const struct boot *boot, const struct goal *goal, ptrdiff_t registrar,
	      const struct symbols *symbols, struct advice **out)
{
	struct advice *advice = xcalloc(goal->n_before, sizeof(*advice));
	size_t *probes = xcalloc(boot->n_calls, sizeof(*probes)), n = 0;

	if (registrar >= (ptrdiff_t)goal->n_before)
		registrar = -1;
	for (size_t i = 0; i < boot->n_probes; i++)
		if (boot->probes[i].initcall >= 0)
			probes[boot->probes[i].initcall]++;
	for (size_t i = 0; i < goal->n_before; i++) {
		if (!call_on_boot_path(&boot->calls[i]))
			continue;
		advice[n] = advice_on(boot, goal, i, registrar, symbols);
		advice[n++].probes = probes[i];
	}
	if (n)
		qsort(advice, n, sizeof(*advice), compare);
	sum_up(boot, registrar, advice, n);
	free(probes);
	*out = advice;
	return n;
}

void promote(struct boot *boot, size_t *origin, size_t from, size_t to)
{
	struct initcall call = boot->calls[from];
	size_t was = origin[from];

	call.promoted = true;

	memmove(boot->calls + to + 1, boot->calls + to, (from - to) * sizeof(*boot->calls));
	memmove(origin + to + 1, origin + to, (from - to) * sizeof(*origin));
	boot->calls[to] = call;
	origin[to] = was;
	for (size_t i = 0; i < boot->n_probes; i++) {
		ptrdiff_t *inside = &boot->probes[i].initcall;

		if (*inside == (ptrdiff_t)from)
			*inside = (ptrdiff_t)to;
		else if (*inside >= (ptrdiff_t)to && *inside < (ptrdiff_t)from)
			++*inside;
	}
}
