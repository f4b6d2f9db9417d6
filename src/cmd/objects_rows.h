/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of objects: schemas objects-1 and objects-samples-1. */
#ifndef SLUBBENCH_OBJECTS_ROWS_H
#define SLUBBENCH_OBJECTS_ROWS_H

#include "cmd/objects_plan.h"
#include "report/rows.h"

extern const struct column objects_columns[];
extern const struct column objects_sample_columns[];

/* Nanoseconds per operation, a value for each repetition. */
struct objects_result {
	double *op_ns;               /* an alloc or a free, whichever comes */
	double *alloc_ns, *free_ns;  /* NAN: none of them came */
	size_t n;                    /* repetitions */
	double checks, check_bytes;  /* per operation, by the layout */
};

/* Add the rows of workload @w; @results has one element for each of the plan's contenders. */
void objects_rows_add(struct rows *rows, struct rows *samples, const struct objects_plan *plan,
		      const struct objects_workload *w, const struct objects_result *results);

/* The column whose change means the next workload. */
int objects_rows_group(void);

#endif /* SLUBBENCH_OBJECTS_ROWS_H */
