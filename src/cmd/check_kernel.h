/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From which size on do SIMD registers pay in a kernel that must save them first? */
#ifndef SLUBBENCH_CHECK_KERNEL_H
#define SLUBBENCH_CHECK_KERNEL_H

#include <stdio.h>

#include "cmd/check_plan.h"
#include "cmd/check_rows.h"

struct kernel_point { /* one case: the best of those that pay and of those that need not */
	size_t size;
	const char *simd, *plain; /* NULL: there is none */
	double simd_ns, plain_ns;
};

struct kernel_points {
	struct kernel_point *points;
	size_t n;
	double price_ns; /* of one save and restore around nothing */
};

/* Take note of a case in mode CHECK_KERNEL; any other is none of our business. */
void kernel_points_add(struct kernel_points *to, const struct check_plan *plan,
		       const struct check_case *c, const struct check_result *results);

/*
 * The point from which on SIMD wins, at this and at every larger size; NULL: it does not win at
 * the largest.  No finer than the sizes that were timed.
 */
const struct kernel_point *kernel_points_crossover(struct kernel_points *of);

/* The answer in words. */
void kernel_points_tell(struct kernel_points *of, const char *how, FILE *to);

#endif /* SLUBBENCH_CHECK_KERNEL_H */
