/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of check-bytes: schemas check-summary-1 and check-samples-1, and the list of variants. */
#ifndef SLUBBENCH_CHECK_ROWS_H
#define SLUBBENCH_CHECK_ROWS_H

#include "bench/measure.h"
#include "cmd/check_plan.h"
#include "report/rows.h"

extern const struct column check_summary_columns[];
extern const struct column check_sample_columns[];
extern const struct column check_variant_columns[];

/* Columns of check-samples-1. */
enum {
	S_SCHEMA, S_HOST, S_CPU, S_VARIANT, S_SIZE, S_ALIGN, S_VALUE, S_MISMATCH, S_CACHE, S_MODE,
	S_WORKLOAD, S_REPETITION, S_ITERATIONS, S_REAL, S_CPU_NS,
};

enum check_verdict {
	VERDICT_NONE, /* of a baseline, which answers nothing */
	VERDICT_OK,   /* from here on the worse is the greater */
	VERDICT_KNOWN_WRONG,
	VERDICT_NOT_APPLICABLE,
	VERDICT_WRONG, /* unexpectedly: not timed, and no row */
};

/* One contender in one case. */
struct check_result {
	enum check_verdict verdict;
	bool timed;
	const struct measure_sample *samples; /* if timed: plan->measure.repetitions of them */
	double placement_spread;              /* NAN: the code stayed where it was */
};

/* Add the rows of case @c; @results has one element for each of the plan's contenders. */
void check_rows_add(struct rows *summary, struct rows *samples, const struct check_plan *plan,
		    const struct planned_case *c, const struct check_result *results);

/* Median of the real times of @n samples, ns. */
double check_rows_median(const struct measure_sample *samples, size_t n);

/* How far @n samples scatter: their median absolute deviation by their median. */
double check_rows_spread(const struct measure_sample *samples, size_t n);

/* The rows of check-samples-1, @repetitions of each timing, in Google Benchmark's JSON schema. */
int check_json_write(const struct rows *samples, unsigned int repetitions, FILE *to);

/* A line of --list: @v, usable or not, and how much code it is (0: not known). */
void check_rows_list(struct rows *rows, const struct check_variant *v, size_t code_bytes);

/*
 * The table's columns when -o does not choose: those of the case that has one value throughout
 * are left out.  Free it.
 */
char *check_rows_shown(const struct check_plan *plan);

/* The summary column whose change means the next case; -1: there is only one. */
int check_rows_group(const struct check_plan *plan);

#endif /* SLUBBENCH_CHECK_ROWS_H */
