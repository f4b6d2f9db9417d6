/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several logs of one machine: what is steady and what is not.
 */
#ifndef SLUBBENCH_RUNS_H
#define SLUBBENCH_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "boot/boot.h"

/* One initcall over all runs, matched by name (the k-th of a name by the k-th). */
struct run_call {
	char *name;            /* "journal_init#2" for a second one */
	size_t first;          /* index in the first run that has it, for the order */
	size_t n;              /* runs that have it */
	double min_us, median_us, max_us;
	double spread;         /* (max - min) / median; 0 for a median of 0 */
	bool unstable;         /* spread above the limit, and the range above what the clock can tell */
};

struct runs {
	struct run_call *calls; /* in the order of the first run; others behind */
	size_t n;
	size_t n_boots;
	bool kernels_differ;
	size_t order_differs;   /* runs whose common initcalls run in another order than the first's */
	size_t only_some;       /* initcalls that not all runs have */
	size_t n_unstable;
};

/* An initcall is unstable when it varies by more than a half of its median and by RUNS_LEAST_US. */
#define RUNS_MOST_SPREAD 0.5
#define RUNS_LEAST_US 100

/* Merges @n >= 1 boots.  The caller frees with runs_free(). */
struct runs *runs_merge(struct boot *const *boots, size_t n);
void runs_free(struct runs *runs);

#endif /* SLUBBENCH_RUNS_H */
