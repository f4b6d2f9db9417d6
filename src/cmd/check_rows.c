/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/xalloc.h"
#include "cmd/check_rows.h"
#include "report/stats.h"

#define GIB 1073741824.0

enum {
	C_SCHEMA, C_HOST, C_CPU, C_VARIANT, C_ISA, C_SIZE, C_ALIGN, C_VALUE, C_MISMATCH, C_CACHE,
	C_MODE, C_WORKLOAD, C_REPETITIONS, C_MIN, C_MEDIAN, C_MAD, C_CI_LOW, C_CI_HIGH, C_CYCLES,
	C_GIB_PER_S, C_SPEEDUP, C_OF_LIMIT, C_PLACEMENT, C_CODE, C_VERDICT,
};

const struct column check_summary_columns[] = {
	[C_SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[C_HOST] = { "host", NULL, CELL_TEXT, 0, false },
	[C_CPU] = { "cpu", NULL, CELL_TEXT, 0, false },
	[C_VARIANT] = { "variant", NULL, CELL_TEXT, 0, true },
	[C_ISA] = { "isa", NULL, CELL_TEXT, 0, false },
	[C_SIZE] = { "size_bytes", "bytes", CELL_COUNT, 0, true },
	[C_ALIGN] = { "align_bytes", "align", CELL_COUNT, 0, false },
	[C_VALUE] = { "value", NULL, CELL_TEXT, 0, false },
	[C_MISMATCH] = { "mismatch", NULL, CELL_TEXT, 0, false },
	[C_CACHE] = { "cache", NULL, CELL_TEXT, 0, false },
	[C_MODE] = { "mode", NULL, CELL_TEXT, 0, false },
	[C_WORKLOAD] = { "workload", NULL, CELL_TEXT, 0, false },
	[C_REPETITIONS] = { "repetitions", NULL, CELL_COUNT, 0, false },
	[C_MIN] = { "min_ns", "min", CELL_REAL, 2, true },
	[C_MEDIAN] = { "median_ns", "ns/call", CELL_REAL, 2, true },
	[C_MAD] = { "mad_ns", "mad", CELL_REAL, 3, false },
	[C_CI_LOW] = { "ci_low_ns", "95% from", CELL_REAL, 2, true },
	[C_CI_HIGH] = { "ci_high_ns", "to", CELL_REAL, 2, true },
	[C_CYCLES] = { "cycles", NULL, CELL_REAL, 1, false },
	[C_GIB_PER_S] = { "gib_per_s", "GiB/s", CELL_REAL, 1, true },
	[C_SPEEDUP] = { "speedup", NULL, CELL_REAL, 2, true },
	[C_OF_LIMIT] = { "of_limit", "of load", CELL_RATIO, 0, true },
	[C_PLACEMENT] = { "placement_spread", "placement", CELL_RATIO, 1, false },
	[C_CODE] = { "code_bytes", "code", CELL_COUNT, 0, false },
	[C_VERDICT] = { "verdict", NULL, CELL_TEXT, 0, true },
	{ .name = NULL },
};

const struct column check_sample_columns[] = {
	[S_SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[S_HOST] = { "host", NULL, CELL_TEXT, 0, false },
	[S_CPU] = { "cpu", NULL, CELL_TEXT, 0, false },
	[S_VARIANT] = { "variant", NULL, CELL_TEXT, 0, true },
	[S_SIZE] = { "size_bytes", NULL, CELL_COUNT, 0, true },
	[S_ALIGN] = { "align_bytes", NULL, CELL_COUNT, 0, false },
	[S_VALUE] = { "value", NULL, CELL_TEXT, 0, false },
	[S_MISMATCH] = { "mismatch", NULL, CELL_TEXT, 0, false },
	[S_CACHE] = { "cache", NULL, CELL_TEXT, 0, false },
	[S_MODE] = { "mode", NULL, CELL_TEXT, 0, false },
	[S_WORKLOAD] = { "workload", NULL, CELL_TEXT, 0, false },
	[S_REPETITION] = { "repetition", NULL, CELL_COUNT, 0, true },
	[S_ITERATIONS] = { "iterations", NULL, CELL_COUNT, 0, false },
	[S_REAL] = { "real_ns", NULL, CELL_REAL, 3, true },
	[S_CPU_NS] = { "cpu_ns", NULL, CELL_REAL, 3, false },
	{ .name = NULL },
};

enum { L_SCHEMA, L_VARIANT, L_ISA, L_WIDTH, L_KERNEL, L_CODE, L_USABLE, L_DESCRIPTION, L_ORIGIN };

const struct column check_variant_columns[] = {
	[L_SCHEMA] = { "schema", NULL, CELL_TEXT, 0, false },
	[L_VARIANT] = { "variant", NULL, CELL_TEXT, 0, true },
	[L_ISA] = { "isa", NULL, CELL_TEXT, 0, true },
	[L_WIDTH] = { "width_bytes", "width", CELL_COUNT, 0, true },
	[L_KERNEL] = { "kernel", "in kernel", CELL_TEXT, 0, true },
	[L_CODE] = { "code_bytes", "code", CELL_COUNT, 0, true },
	[L_USABLE] = { "usable", "usable here", CELL_TEXT, 0, true },
	[L_DESCRIPTION] = { "description", NULL, CELL_TEXT, 0, true },
	[L_ORIGIN] = { "origin", NULL, CELL_TEXT, 0, true },
	{ .name = NULL },
};

static const char *const verdict_names[] = {
	[VERDICT_NONE] = NULL,
	[VERDICT_OK] = "ok",
	[VERDICT_KNOWN_WRONG] = "known-wrong",
	[VERDICT_NOT_APPLICABLE] = "not-applicable",
	[VERDICT_WRONG] = NULL,
};

static const char *const mode_names[] = {
	[CHECK_THROUGHPUT] = "throughput",
	[CHECK_LATENCY] = "latency",
	[CHECK_KERNEL] = "kernel",
};

/* NAN when a sample lacks it. */
static double median_cycles(const struct measure_sample *samples, size_t n)
{
	double *cycles = xcalloc(n, sizeof(*cycles)), median;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(samples[i].cycles))
			cycles[have++] = samples[i].cycles;
	}
	median = have == n ? median_of(cycles, n) : NAN;
	free(cycles);
	return median;
}

static struct summary summarise_real(const struct measure_sample *samples, size_t n)
{
	double *real = xcalloc(n, sizeof(*real));
	struct summary s;

	for (size_t i = 0; i < n; i++)
		real[i] = samples[i].real_ns;
	s = summarise(real, n);
	free(real);
	return s;
}

double check_rows_spread(const struct measure_sample *samples, size_t n)
{
	struct summary s = summarise_real(samples, n);

	return s.median > 0 ? s.mad / s.median : 0;
}

double check_rows_median(const struct measure_sample *samples, size_t n)
{
	return summarise_real(samples, n).median;
}

static double median_real(const struct check_plan *plan, const struct check_result *r)
{
	return r->timed ? check_rows_median(r->samples, plan->measure.repetitions) : NAN;
}

/* The columns of a case, in this order, in the one and the other file. */
enum { K_SIZE, K_ALIGN, K_VALUE, K_MISMATCH, K_CACHE, K_MODE, K_WORKLOAD, N_CASE_COLUMNS };

static const unsigned int summary_case[N_CASE_COLUMNS] = {
	C_SIZE, C_ALIGN, C_VALUE, C_MISMATCH, C_CACHE, C_MODE, C_WORKLOAD,
};

static const unsigned int sample_case[N_CASE_COLUMNS] = {
	S_SIZE, S_ALIGN, S_VALUE, S_MISMATCH, S_CACHE, S_MODE, S_WORKLOAD,
};

static void set_case(struct rows *rows, const struct planned_case *c, const unsigned int *column)
{
	char value[8];

	rows_set_text(rows, column[K_CACHE], c->c.cold ? "cold" : "hot");
	rows_set_text(rows, column[K_MODE], mode_names[c->c.mode]);
	if (c->workload) { /* of many sizes and values */
		rows_set_text(rows, column[K_WORKLOAD], c->workload->name);
		return;
	}
	snprintf(value, sizeof(value), "0x%02x", c->c.value);
	rows_set_count(rows, column[K_SIZE], c->c.size);
	rows_set_count(rows, column[K_ALIGN], c->c.align);
	rows_set_text(rows, column[K_VALUE], value);
	rows_set_text(rows, column[K_MISMATCH], c->mismatch);
}

static void set_timing(struct rows *rows, const struct check_plan *plan,
		       const struct check_result *r)
{
	struct summary s = summarise_real(r->samples, plan->measure.repetitions);

	rows_set_count(rows, C_REPETITIONS, plan->measure.repetitions);
	rows_set_real(rows, C_MIN, s.min);
	rows_set_real(rows, C_MEDIAN, s.median);
	rows_set_real(rows, C_MAD, s.mad);
	rows_set_real(rows, C_CI_LOW, s.ci_low);
	rows_set_real(rows, C_CI_HIGH, s.ci_high);
	rows_set_real(rows, C_CYCLES, median_cycles(r->samples, plan->measure.repetitions));
	rows_set_real(rows, C_PLACEMENT, r->placement_spread);
}

/* Bytes that a variant has to look at before it can answer. */
static double bytes_of(const struct planned_case *c, bool baseline)
{
	if (c->workload)
		return c->workload->bytes_per_op;
	if (c->c.fault == CHECK_CLEAN || baseline)
		return (double)c->c.size;
	return (double)c->c.fault + 1;
}

/* The limit reads all, and in a kernel would have to pay as well: else it is none. */
static bool has_limit(const struct planned_case *c)
{
	if (c->c.mode == CHECK_KERNEL)
		return false;
	return c->c.fault == CHECK_CLEAN || c->c.fault + 1 == c->c.size;
}

/* What a row says beside its neighbours; baselines are what the others are held against. */
static void set_ratios(struct rows *rows, const struct check_plan *plan,
		       const struct planned_case *c, const struct check_result *results, size_t i)
{
	bool baseline = plan->contenders[i].v->kind == CHECK_BASELINE;
	double median = median_real(plan, &results[i]);
	double limit = median_real(plan, &results[plan->limit_idx]);
	double reference = median_real(plan, &results[plan->reference_idx]);
	double bytes = bytes_of(c, baseline);

	if (i == plan->floor_idx)
		return;
	if (bytes > 0)
		rows_set_real(rows, C_GIB_PER_S, bytes / GIB / (median * 1e-9));
	if (has_limit(c))
		rows_set_real(rows, C_OF_LIMIT, limit / median);
	if (results[i].verdict == VERDICT_OK &&
	    results[plan->reference_idx].verdict == VERDICT_OK)
		rows_set_real(rows, C_SPEEDUP, reference / median);
}

static enum row_mark mark_of(const struct check_plan *plan, const struct check_result *results,
			     size_t i)
{
	if (results[i].verdict == VERDICT_KNOWN_WRONG)
		return MARK_WRONG;
	if (plan->contenders[i].v->kind == CHECK_BASELINE ||
	    results[i].verdict == VERDICT_NOT_APPLICABLE)
		return MARK_ASIDE;
	return i == plan->reference_idx ? MARK_POINT : MARK_NONE;
}

static void add_samples(struct rows *rows, const struct check_plan *plan,
			const struct planned_case *c, const struct check_variant *v,
			const struct measure_sample *samples)
{
	for (unsigned int i = 0; i < plan->measure.repetitions; i++) {
		rows_add(rows);
		rows_set_text(rows, S_SCHEMA, "check-samples-1");
		rows_set_text(rows, S_HOST, machine_host());
		rows_set_text(rows, S_CPU, machine_cpu());
		rows_set_text(rows, S_VARIANT, v->name);
		set_case(rows, c, sample_case);
		rows_set_count(rows, S_REPETITION, i);
		rows_set_count(rows, S_ITERATIONS, (uint64_t)samples[i].iterations);
		rows_set_real(rows, S_REAL, samples[i].real_ns);
		rows_set_real(rows, S_CPU_NS, samples[i].cpu_ns);
	}
}

void check_rows_add(struct rows *summary, struct rows *samples, const struct check_plan *plan,
		    const struct planned_case *c, const struct check_result *results)
{
	for (size_t i = 0; i < plan->n_contenders; i++) {
		const struct check_variant *v = plan->contenders[i].v;
		const struct check_result *r = &results[i];

		if (r->verdict == VERDICT_WRONG)
			continue;
		rows_add(summary);
		rows_mark(summary, mark_of(plan, results, i));
		rows_set_text(summary, C_SCHEMA, "check-summary-1");
		rows_set_text(summary, C_HOST, machine_host());
		rows_set_text(summary, C_CPU, machine_cpu());
		rows_set_text(summary, C_VARIANT, v->name);
		rows_set_text(summary, C_ISA, v->isa);
		set_case(summary, c, summary_case);
		if (plan->contenders[i].code_bytes > 0)
			rows_set_count(summary, C_CODE, plan->contenders[i].code_bytes);
		rows_set_text(summary, C_VERDICT, verdict_names[r->verdict]);
		if (!r->timed)
			continue;
		set_timing(summary, plan, r);
		set_ratios(summary, plan, c, results, i);
		add_samples(samples, plan, c, v, r->samples);
	}
}

void check_rows_list(struct rows *rows, const struct check_variant *v, size_t code_bytes)
{
	char *why = xasprintf("no: needs %s", v->needs);

	rows_add(rows);
	rows_mark(rows, v->usable() ? MARK_NONE : MARK_ASIDE);
	rows_set_text(rows, L_SCHEMA, "check-variants-1");
	rows_set_text(rows, L_VARIANT, v->name);
	rows_set_text(rows, L_ISA, v->isa);
	if (v->width > 0)
		rows_set_count(rows, L_WIDTH, v->width);
	rows_set_text(rows, L_KERNEL, v->kernel_usable ? "yes" : "no");
	if (code_bytes > 0)
		rows_set_count(rows, L_CODE, code_bytes);
	rows_set_text(rows, L_USABLE, v->usable() ? "yes" : why);
	rows_set_text(rows, L_ORIGIN, v->origin);
	rows_set_text(rows, L_DESCRIPTION, v->description);
	free(why);
}

/* What cases differ in, outermost first, and the column that shows it. */
#define N_AXES 7

struct axis {
	size_t n; /* how many of them there are */
	int column;
	bool always; /* shown even where there is only one */
};

static void axes_of(const struct check_plan *plan, struct axis axes[N_AXES])
{
	const struct axis found[N_AXES] = {
		{ plan->workloads.n + (plan->sizes.n > 0), C_WORKLOAD, plan->workloads.n > 0 },
		{ plan->sizes.n, C_SIZE, plan->sizes.n > 0 },
		{ plan->aligns.n, C_ALIGN, false },
		{ plan->values.n, C_VALUE, false },
		{ plan->mismatches.n, C_MISMATCH, plan->input.bytes != NULL },
		{ plan->caches.n, C_CACHE, false },
		{ plan->modes.n, C_MODE, false },
	};

	memcpy(axes, found, sizeof(found));
}

char *check_rows_shown(const struct check_plan *plan)
{
	struct axis axes[N_AXES];
	char *names = xstrdup(""), *shown;

	axes_of(plan, axes);
	for (size_t i = 0; i < N_AXES; i++) {
		const char *name = check_summary_columns[axes[i].column].name;
		char *more;

		if (axes[i].n <= 1 && !axes[i].always)
			continue;
		more = xasprintf("%s%s,", names, name);
		free(names);
		names = more;
	}
	shown = xasprintf("variant,%smedian_ns,ci_low_ns,ci_high_ns,min_ns,gib_per_s,speedup,"
			  "of_limit,%sverdict", names, plan->places > 1 ? "placement_spread," : "");
	free(names);
	return shown;
}

int check_rows_group(const struct check_plan *plan)
{
	struct axis axes[N_AXES];

	/* The innermost list that moves at all moves from each case to the next. */
	axes_of(plan, axes);
	for (size_t i = N_AXES; i-- > 0;) {
		if (axes[i].n > 1)
			return axes[i].column;
	}
	return -1;
}
