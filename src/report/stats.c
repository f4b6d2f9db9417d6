/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "report/stats.h"

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double middle(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double median_of(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_value);
	return middle(values, n);
}

/*
 * The largest rank r (from 0) with P(Binomial(n, 1/2) <= r) <= 2.5 %: the median lies between
 * sorted[r] and sorted[n - 1 - r] in at least 95 % of all runs.  0 where n is too small for that.
 */
static size_t interval_rank(size_t n)
{
	double term = 1, below;
	size_t rank = 0;

	for (size_t i = 0; i < n; i++)
		term /= 2;
	below = term;
	while (rank + 1 < n / 2) {
		term *= (double)(n - rank) / (double)(rank + 1);
		below += term;
		if (below > 0.025)
			break;
		rank++;
	}
	return rank;
}

struct summary summarise(const double *values, size_t n)
{
	double *sorted = xreallocarray(NULL, n, sizeof(*sorted));
	size_t rank = n < 1000 ? interval_rank(n) : (size_t)((double)n / 2 - 0.98 * sqrt((double)n));
	struct summary s = { .n = n };

	memcpy(sorted, values, n * sizeof(*sorted));
	s.median = median_of(sorted, n);
	s.min = sorted[0];
	s.max = sorted[n - 1];
	s.ci_low = sorted[rank];
	s.ci_high = sorted[n - 1 - rank];
	for (size_t i = 0; i < n; i++)
		sorted[i] = fabs(sorted[i] - s.median);
	s.mad = median_of(sorted, n);
	free(sorted);
	return s;
}
