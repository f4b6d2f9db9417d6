/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said of a handful of repetitions. */
#ifndef SLUBBENCH_STATS_H
#define SLUBBENCH_STATS_H

#include <stddef.h>

struct summary {
	size_t n;
	double min, max, median;
	double mad;             /* median absolute deviation from the median, not scaled */
	double ci_low, ci_high; /* of the median, at least 95 % where n >= 6; else min and max */
};

/*
 * Summarise @n >= 1 finite @values; any order, left as they are.
 *
 * The interval is free of any distribution: by the order statistics of a binomial with p = 1/2 (Conover,
 * Practical Nonparametric Statistics, 3.2).  With fewer than 6 values no such interval reaches
 * 95 %, and the range of the values stands in.
 */
struct summary summarise(const double *values, size_t n);

/* Median of @n >= 1 values, which it sorts. */
double median_of(double *values, size_t n);

#endif /* SLUBBENCH_STATS_H */
