/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fmin() and fmax(), in place: they are in libm, which takes longer to load than most commands take
 * to run.  Where @a is NaN it is @b.
 */
#ifndef SLUBBENCH_MINMAX_H
#define SLUBBENCH_MINMAX_H

static inline double lesser(double a, double b)
{
	return a < b ? a : b;
}

static inline double greater(double a, double b)
{
	return a > b ? a : b;
}

#endif /* SLUBBENCH_MINMAX_H */
