/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/xalloc.h"
#include "cmd/objects_rows.h"
#include "report/stats.h"

enum {
	C_SCHEMA, C_HOST, C_CPU, C_WORKLOAD, C_CACHE, C_OBJECT_SIZE, C_SIZE, C_KERNEL, C_FLAGS,
	C_STACK, C_VARIANT, C_ISA, C_OPS, C_REPETITIONS, C_ALLOC, C_FREE, C_PAIR, C_MIN, C_MEDIAN,
	C_MAD, C_CI_LOW, C_CI_HIGH, C_CHECKS, C_CHECK_BYTES, C_SHARE, C_SLOWDOWN, C_SPEEDUP,
	C_VERDICT,
};

const struct column objects_columns[] = {
	[C_SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[C_HOST] = { "host", NULL, CELL_TEXT, 0, false },
	[C_CPU] = { "cpu", NULL, CELL_TEXT, 0, false },
	[C_WORKLOAD] = { "workload", NULL, CELL_TEXT, 0, false },
	[C_CACHE] = { "cache", NULL, CELL_TEXT, 0, true },
	[C_OBJECT_SIZE] = { "object_size_bytes", "bytes", CELL_COUNT, 0, false },
	[C_SIZE] = { "size_bytes", "slot", CELL_COUNT, 0, false },
	[C_KERNEL] = { "kernel", NULL, CELL_TEXT, 0, false },
	[C_FLAGS] = { "flags", NULL, CELL_TEXT, 0, true },
	[C_STACK] = { "stack_depth", NULL, CELL_COUNT, 0, false },
	[C_VARIANT] = { "variant", NULL, CELL_TEXT, 0, true },
	[C_ISA] = { "isa", NULL, CELL_TEXT, 0, false },
	[C_OPS] = { "operations", NULL, CELL_COUNT, 0, false },
	[C_REPETITIONS] = { "repetitions", NULL, CELL_COUNT, 0, false },
	[C_ALLOC] = { "alloc_ns", "ns/alloc", CELL_REAL, 1, true },
	[C_FREE] = { "free_ns", "ns/free", CELL_REAL, 1, true },
	[C_PAIR] = { "pair_ns", "ns/pair", CELL_REAL, 1, true },
	[C_MIN] = { "min_ns", "min/op", CELL_REAL, 2, false },
	[C_MEDIAN] = { "median_ns", "ns/op", CELL_REAL, 1, true },
	[C_MAD] = { "mad_ns", "mad", CELL_REAL, 2, false },
	[C_CI_LOW] = { "ci_low_ns", "95% from", CELL_REAL, 1, true },
	[C_CI_HIGH] = { "ci_high_ns", "to", CELL_REAL, 1, true },
	[C_CHECKS] = { "checks_per_op", "checks", CELL_REAL, 1, false },
	[C_CHECK_BYTES] = { "check_bytes_per_op", "checked", CELL_REAL, 0, true },
	[C_SHARE] = { "check_share", "in checks", CELL_RATIO, 0, true },
	[C_SLOWDOWN] = { "slowdown", NULL, CELL_REAL, 2, true },
	[C_SPEEDUP] = { "speedup", NULL, CELL_REAL, 2, true },
	[C_VERDICT] = { "verdict", NULL, CELL_TEXT, 0, true },
	{ .name = NULL },
};

enum {
	S_SCHEMA, S_HOST, S_CPU, S_WORKLOAD, S_CACHE, S_FLAGS, S_VARIANT, S_OPERATION,
	S_REPETITION, S_REAL,
};

const struct column objects_sample_columns[] = {
	[S_SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[S_HOST] = { "host", NULL, CELL_TEXT, 0, false },
	[S_CPU] = { "cpu", NULL, CELL_TEXT, 0, false },
	[S_WORKLOAD] = { "workload", NULL, CELL_TEXT, 0, false },
	[S_CACHE] = { "cache", NULL, CELL_TEXT, 0, true },
	[S_FLAGS] = { "flags", NULL, CELL_TEXT, 0, true },
	[S_VARIANT] = { "variant", NULL, CELL_TEXT, 0, true },
	[S_OPERATION] = { "operation", NULL, CELL_TEXT, 0, true },
	[S_REPETITION] = { "repetition", NULL, CELL_COUNT, 0, true },
	[S_REAL] = { "real_ns", NULL, CELL_REAL, 3, true },
	{ .name = NULL },
};

int objects_rows_group(void)
{
	return C_CACHE;
}

/* Of those that there are: a part of a trace may have no frees. */
static double median(const double *values, size_t n)
{
	double *known = xcalloc(n + 1, sizeof(*known)), middle;
	size_t n_known = 0;

	for (size_t i = 0; values != NULL && i < n; i++)
		if (!isnan(values[i]))
			known[n_known++] = values[i];
	middle = n_known == 0 ? NAN : median_of(known, n_known);
	free(known);
	return middle;
}

/* The contender with these flags that checks with @variant, "none" for the one without flags. */
static size_t find(const struct objects_plan *plan, unsigned int flags, const char *variant)
{
	for (size_t i = 0; i < plan->n_contenders; i++) {
		const struct objects_contender *c = &plan->contenders[i];

		if (c->flags == flags && strcmp(c->v != NULL ? c->v->name : "none", variant) == 0)
			return i;
	}
	return SIZE_MAX;
}

/* What @base takes, by what @i does; NAN when there is no such base. */
static double against(const struct objects_result *results, size_t base, size_t i)
{
	if (base == SIZE_MAX)
		return NAN;
	return median(results[base].op_ns, results[base].n) /
	       median(results[i].op_ns, results[i].n);
}

static const char *verdict(const struct objects_contender *c)
{
	if (c->v == NULL || c->v->kind == CHECK_BASELINE)
		return NULL;
	return c->known_wrong ? "known-wrong" : "ok";
}

static enum row_mark mark_of(const struct objects_contender *c)
{
	if (c->known_wrong)
		return MARK_WRONG;
	if (c->v == NULL || c->v->kind == CHECK_BASELINE)
		return MARK_ASIDE;
	return strcmp(c->v->name, "memchr_inv") == 0 ? MARK_POINT : MARK_NONE;
}

static void add_cache(struct rows *rows, const struct objects_plan *plan,
		      const struct objects_workload *w, unsigned int flags)
{
	struct slub_cache_spec spec = w->specs[0];
	struct slub_layout l;

	rows_set_text(rows, C_WORKLOAD, w->kind);
	rows_set_text(rows, C_CACHE, w->name);
	if (strcmp(w->kind, "cache") != 0)
		return;
	spec.flags |= flags;
	rows_set_count(rows, C_OBJECT_SIZE, spec.object_size);
	if (slub_layout_init(&l, &spec, &plan->kernel) == 0)
		rows_set_count(rows, C_SIZE, l.size);
}

static void add_times(struct rows *rows, const struct objects_result *r)
{
	struct summary s = summarise(r->op_ns, r->n);

	rows_set_count(rows, C_REPETITIONS, r->n);
	rows_set_real(rows, C_ALLOC, median(r->alloc_ns, r->n));
	rows_set_real(rows, C_FREE, median(r->free_ns, r->n));
	rows_set_real(rows, C_PAIR, median(r->alloc_ns, r->n) + median(r->free_ns, r->n));
	rows_set_real(rows, C_MIN, s.min);
	rows_set_real(rows, C_MEDIAN, s.median);
	rows_set_real(rows, C_MAD, s.mad);
	rows_set_real(rows, C_CI_LOW, s.ci_low);
	rows_set_real(rows, C_CI_HIGH, s.ci_high);
	rows_set_real(rows, C_CHECKS, r->checks);
	rows_set_real(rows, C_CHECK_BYTES, r->check_bytes);
}

static void add_row(struct rows *rows, const struct objects_plan *plan,
		    const struct objects_workload *w, const struct objects_result *results,
		    size_t i)
{
	const struct objects_contender *c = &plan->contenders[i];
	char flags[8];

	rows_add(rows);
	rows_mark(rows, mark_of(c));
	rows_set_text(rows, C_SCHEMA, "objects-1");
	rows_set_text(rows, C_HOST, machine_host());
	rows_set_text(rows, C_CPU, machine_cpu());
	add_cache(rows, plan, w, c->flags);
	rows_set_text(rows, C_KERNEL, plan->kernel.name);
	rows_set_text(rows, C_FLAGS, slub_flags_name(c->flags, flags));
	rows_set_count(rows, C_STACK, plan->stack_depth);
	rows_set_text(rows, C_VARIANT, c->v != NULL ? c->v->name : "none");
	rows_set_text(rows, C_ISA, c->v != NULL ? c->v->isa : NULL);
	rows_set_count(rows, C_OPS, w->n_ops);
	add_times(rows, &results[i]);
	/* What goes away when the check itself takes no time. */
	rows_set_real(rows, C_SHARE, 1 - against(results, find(plan, c->flags, "empty"), i));
	rows_set_real(rows, C_SLOWDOWN, 1 / against(results, find(plan, 0, "none"), i));
	if (c->v != NULL && c->v->kind != CHECK_BASELINE)
		rows_set_real(rows, C_SPEEDUP,
			      against(results, find(plan, c->flags, "memchr_inv"), i));
	rows_set_text(rows, C_VERDICT, verdict(c));
}

static void add_samples(struct rows *samples, const struct objects_workload *w,
			const struct objects_contender *c, const char *operation,
			const double *values, size_t n)
{
	char flags[8];

	for (size_t r = 0; values != NULL && r < n; r++) {
		rows_add(samples);
		rows_set_text(samples, S_SCHEMA, "objects-samples-1");
		rows_set_text(samples, S_HOST, machine_host());
		rows_set_text(samples, S_CPU, machine_cpu());
		rows_set_text(samples, S_WORKLOAD, w->kind);
		rows_set_text(samples, S_CACHE, w->name);
		rows_set_text(samples, S_FLAGS, slub_flags_name(c->flags, flags));
		rows_set_text(samples, S_VARIANT, c->v != NULL ? c->v->name : "none");
		rows_set_text(samples, S_OPERATION, operation);
		rows_set_count(samples, S_REPETITION, r);
		rows_set_real(samples, S_REAL, values[r]);
	}
}

void objects_rows_add(struct rows *rows, struct rows *samples, const struct objects_plan *plan,
		      const struct objects_workload *w, const struct objects_result *results)
{
	for (size_t i = 0; i < plan->n_contenders; i++) {
		const struct objects_contender *c = &plan->contenders[i];
		const struct objects_result *r = &results[i];

		add_row(rows, plan, w, results, i);
		add_samples(samples, w, c, "alloc", r->alloc_ns, r->n);
		add_samples(samples, w, c, "free", r->free_ns, r->n);
		add_samples(samples, w, c, "any", r->op_ns, r->n);
	}
}
