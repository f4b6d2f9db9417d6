/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What objects_run.c and objects_trace.c share: the contenders at work. */
#ifndef SLUBBENCH_OBJECTS_LANE_H
#define SLUBBENCH_OBJECTS_LANE_H

#include "cmd/objects_rows.h"

/* One contender's slabs, and the operations that are done on them. */
struct lane {
	struct object_replay replay;
	const struct objects_workload *w;
	bool live;     /* of a workload in phases: the allocs are done, the frees are not */
	struct object_split split;
};

/* Caches and slots that the workload has come to have since.  0, or -1 after a complaint. */
int lane_add_caches(struct lane *lane, unsigned int flags);

/* A trace that does not fit: each chunk is a repetition, and none is seen twice. */
int lanes_stream(struct objects_plan *plan, struct objects_workload *w, struct lane *lanes,
		 struct objects_result *results);

/*
 * Tell allocs from frees in @results, which know what an operation of the trace takes: passes of
 * their own, with a clock around a few of the operations, say how the two stand to each other.
 */
void lanes_split(const struct objects_plan *plan, const struct objects_workload *w,
		 struct lane *lanes, struct objects_result *results);

#endif /* SLUBBENCH_OBJECTS_LANE_H */
