/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time the contenders of an objects plan on its workloads. */
#ifndef SLUBBENCH_OBJECTS_RUN_H
#define SLUBBENCH_OBJECTS_RUN_H

#include "cmd/objects_plan.h"
#include "report/rows.h"

/* Fill the rows.  0, or -1 after a complaint. */
int objects_run(struct objects_plan *plan, struct rows *rows, struct rows *samples);

/*
 * --corrupt: write the bytes into one object of each workload's cache, let the last variant find
 * them, and print on @to what the kernel would.  What to exit with.
 */
int objects_corrupt(struct objects_plan *plan, FILE *to);

/* --passes: run the workloads so many times and time nothing.  What to exit with. */
int objects_passes(struct objects_plan *plan);

#endif /* SLUBBENCH_OBJECTS_RUN_H */
