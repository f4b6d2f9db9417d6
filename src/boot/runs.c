/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/stats.h"

/* One call of one run; sorted by name and occurrence they lie side by side. */
struct entry {
	const char *name, *module;
	size_t run, index;
	unsigned int which; /* of that name in its run, from 1 */
};

static int compare_names(const struct entry *a, const struct entry *b)
{
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	return strcmp(a->module ? a->module : "", b->module ? b->module : "");
}

static int by_run(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_names(x, y);

	if (order)
		return order;
	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static int by_which(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = compare_names(x, y);

	if (order)
		return order;
	if (x->which != y->which)
		return x->which < y->which ? -1 : 1;
	return x->run < y->run ? -1 : x->run > y->run;
}

static int by_order(const void *a, const void *b)
{
	const struct run_call *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static struct entry *all_entries(struct boot *const *boots, size_t n, size_t *total)
{
	struct entry *entries;
	size_t at = 0;

	*total = 0;
	for (size_t run = 0; run < n; run++)
		*total += boots[run]->n_calls;
	entries = xcalloc(*total, sizeof(*entries));
	for (size_t run = 0; run < n; run++)
		for (size_t i = 0; i < boots[run]->n_calls; i++)
			entries[at++] = (struct entry){ boots[run]->calls[i].name,
							boots[run]->calls[i].module, run, i, 1 };
	if (at)
		qsort(entries, at, sizeof(*entries), by_run);
	for (size_t i = 1; i < at; i++)
		if (entries[i].run == entries[i - 1].run &&
		    compare_names(&entries[i], &entries[i - 1]) == 0)
			entries[i].which = entries[i - 1].which + 1;
	if (at)
		qsort(entries, at, sizeof(*entries), by_which);
	return entries;
}

/* Behind all of the first run come the calls that only the later runs have. */
static size_t place(struct boot *const *boots, const struct entry *entry)
{
	size_t before = 0;

	for (size_t run = 0; run < entry->run; run++)
		before += boots[run]->n_calls;
	return before + entry->index;
}

static void add_call(struct runs *runs, struct boot *const *boots, const struct entry *entries,
		     size_t n, double *times)
{
	struct run_call call = { .first = place(boots, &entries[0]), .n = n, .median_us = NAN,
				 .min_us = NAN, .max_us = NAN };
	size_t known = 0;

	call.name = entries->which > 1 ? xasprintf("%s#%u", entries->name, entries->which)
				       : xstrdup(entries->name);
	for (size_t i = 0; i < n; i++) {
		double us = boots[entries[i].run]->calls[entries[i].index].duration_us;

		if (!isnan(us))
			times[known++] = us;
	}
	if (known) {
		call.median_us = median_of(times, known);
		call.min_us = times[0];
		call.max_us = times[known - 1];
		if (call.median_us > 0)
			call.spread = (call.max_us - call.min_us) / call.median_us;
		call.unstable = call.spread > RUNS_MOST_SPREAD &&
				call.max_us - call.min_us > RUNS_LEAST_US;
	}
	runs->only_some += n < runs->n_boots;
	runs->n_unstable += call.unstable;
	runs->calls = xgrow(runs->calls, runs->n, sizeof(*runs->calls));
	runs->calls[runs->n++] = call;
}

/* Is a run's order of the initcalls that it shares with the first one another? */
static size_t count_orders(struct boot *const *boots, size_t n_boots, const struct entry *entries,
			   size_t total)
{
	size_t differ = 0;

	for (size_t run = 1; run < n_boots; run++) {
		ptrdiff_t *there = xcalloc(boots[0]->n_calls, sizeof(*there)), last = -1;
		const struct entry *first = NULL;
		bool differs = false;

		for (size_t i = 0; i < boots[0]->n_calls; i++)
			there[i] = -1;
		for (size_t i = 0; i < total; i++) {
			if (entries[i].run == 0)
				first = &entries[i];
			else if (entries[i].run == run && first && !entries[i].module &&
				 first->which == entries[i].which &&
				 compare_names(first, &entries[i]) == 0)
				there[first->index] = (ptrdiff_t)entries[i].index;
		}
		for (size_t i = 0; i < boots[0]->n_calls; i++) {
			if (there[i] < 0)
				continue;
			differs |= there[i] < last;
			last = there[i];
		}
		differ += differs;
		free(there);
	}
	return differ;
}

static bool same_kernel(const struct boot *a, const struct boot *b)
{
	if (!a->kernel || !b->kernel)
		return a->kernel == b->kernel;
	return !strcmp(a->kernel, b->kernel);
}

struct runs *runs_merge(struct boot *const *boots, size_t n)
{
	struct runs *runs = xcalloc(1, sizeof(*runs));
	double *times = xcalloc(n, sizeof(*times));
	struct entry *entries;
	size_t total;

	runs->n_boots = n;
	for (size_t run = 1; run < n; run++)
		runs->kernels_differ |= !same_kernel(boots[0], boots[run]);
	entries = all_entries(boots, n, &total);
	for (size_t from = 0, to; from < total; from = to) {
		for (to = from + 1; to < total; to++)
			if (entries[to].which != entries[from].which ||
			    compare_names(&entries[to], &entries[from]))
				break;
		add_call(runs, boots, entries + from, to - from, times);
	}
	if (runs->n)
		qsort(runs->calls, runs->n, sizeof(*runs->calls), by_order);
	runs->order_differs = count_orders(boots, n, entries, total);
	free(entries);
	free(times);
	return runs;
}

void runs_free(struct runs *runs)
{
	if (!runs)
		return;
	for (size_t i = 0; i < runs->n; i++)
		free(runs->calls[i].name);
	free(runs->calls);
	free(runs);
}
