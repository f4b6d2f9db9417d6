/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/advise.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

static int compare(const void *a, const void *b)
{
	const struct advice *x = a, *y = b;

	if (x->ruling.verdict != y->ruling.verdict)
		return x->ruling.verdict < y->ruling.verdict ? -1 : 1;
	if (x->gain_us != y->gain_us)
		return x->gain_us > y->gain_us ? -1 : 1;
	return x->call < y->call ? -1 : 1;
}

size_t advise(const struct boot *boot, const struct goal *goal, struct advice **out)
{
	struct advice *advice = xcalloc(goal->n_before, sizeof(*advice));
	size_t *probes = xcalloc(boot->n_calls, sizeof(*probes)), n = 0;
	double sum = 0;

	for (size_t i = 0; i < boot->n_probes; i++)
		if (boot->probes[i].initcall >= 0)
			probes[boot->probes[i].initcall]++;
	for (size_t i = 0; i < goal->n_before; i++) {
		const struct initcall *call = &boot->calls[i];

		if (!call_on_boot_path(call))
			continue;
		advice[n++] = (struct advice){
			.call = i,
			.gain_us = goal_share(boot, goal, i),
			.sysfs_us = call->registration_us,
			.probes = probes[i],
			.ruling = rule_defer(boot, i, goal),
		};
	}
	if (n)
		qsort(advice, n, sizeof(*advice), compare);
	for (size_t i = 0; i < n; i++) {
		if (advice[i].ruling.verdict >= MOVE_IDLE)
			advice[i].gain_us = 0;
		sum += advice[i].gain_us;
		advice[i].cumulative_us = sum;
	}
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
