/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "cmd/check_kernel.h"

void kernel_points_add(struct kernel_points *to, const struct check_plan *plan,
		       const struct check_case *c, const struct check_result *results)
{
	struct kernel_point *point;

	if (c->mode != CHECK_KERNEL)
		return;
	to->points = xgrow(to->points, to->n, sizeof(*to->points));
	point = &to->points[to->n++];
	*point = (struct kernel_point){ .size = c->size, .simd_ns = INFINITY, .plain_ns = INFINITY };
	for (size_t i = 0; i < plan->n_contenders; i++) {
		const struct check_variant *v = plan->contenders[i].v;
		double ns;

		if (results[i].verdict != VERDICT_OK)
			continue;
		ns = check_rows_median(results[i].samples, plan->measure.repetitions);
		if (v->kernel_usable && ns < point->plain_ns) {
			point->plain_ns = ns;
			point->plain = v->name;
		} else if (!v->kernel_usable && ns < point->simd_ns) {
			point->simd_ns = ns;
			point->simd = v->name;
		}
	}
}

static int by_size(const void *a, const void *b)
{
	const struct kernel_point *x = a, *y = b;

	return (x->size > y->size) - (x->size < y->size);
}

const struct kernel_point *kernel_points_crossover(struct kernel_points *of)
{
	const struct kernel_point *from = NULL;

	if (of->n > 1)
		qsort(of->points, of->n, sizeof(*of->points), by_size);
	for (size_t i = of->n; i-- > 0;) {
		const struct kernel_point *point = &of->points[i];

		if (!(point->simd_ns < point->plain_ns))
			break;
		from = point;
	}
	/* A size that wins at one align and loses at another does not win. */
	while (from && from > of->points && from[-1].size == from->size) {
		size_t size = from->size;

		while (from < of->points + of->n && from->size == size)
			from++;
		if (from == of->points + of->n)
			from = NULL;
	}
	return from;
}

void kernel_points_tell(struct kernel_points *of, const char *how, FILE *to)
{
	const struct kernel_point *from = kernel_points_crossover(of);

	fprintf(to, "\nIn a kernel, saving and restoring the registers (%s) costs %.1f ns a call.\n",
		how, of->price_ns);
	if (of->n == 0) /* workloads alone have no size to say it of */
		return;
	if (from)
		fprintf(to, "SIMD pays from %zu bytes on, of the sizes timed (%s %.1f ns, %s %.1f "
			"ns).\n", from->size, from->simd, from->simd_ns,
			from->plain ? from->plain : "no other", from->plain_ns);
	else
		fprintf(to, "SIMD does not pay at the largest size timed.\n");
}
