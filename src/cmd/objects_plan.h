/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slubbench objects is asked to do: workloads by flags by variants, before anything runs. */
#ifndef SLUBBENCH_OBJECTS_PLAN_H
#define SLUBBENCH_OBJECTS_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/parse.h"
#include "bench/measure.h"
#include "check/check.h"
#include "cmd/cmd.h"
#include "slub/object_replay.h"
#include "slub/trace.h"

/* A list of operations and the caches that they are on. */
struct objects_workload {
	const char *kind;               /* "cache", "mix", "trace" */
	char *name;                     /* of the cache or the file */
	struct slub_cache_spec *specs;
	size_t n_specs;
	struct object_op *ops;
	size_t n_ops, n_allocs, n_slots;
	bool phased;                    /* n_allocs allocs, then as many frees of the same */
	bool streamed;                  /* only the start of a trace that is read on as it runs */
};

/* One way of debugging: what is timed, and what the others are held against. */
struct objects_contender {
	unsigned int flags;             /* enum slub_flag, the debug letters */
	const struct check_variant *v;  /* NULL: flags are none, nothing is checked */
	bool known_wrong;
};

struct objects_plan {
	/* As typed. */
	const char *caches;             /* NULL: the usual ones */
	struct number_list flags;       /* of enum slub_flag */
	struct number_list variants;    /* indices into check_variants[] */
	const char *slabinfo, *trace, *corrupt;
	const char *corrupt_when;       /* "live", "freed"; NULL: by the bytes */
	uint64_t operations;            /* 0: a default that fits the workload */
	uint64_t stack_depth;
	uint64_t passes;                /* 0: time it */
	bool progress;                  /* show how far it is */
	struct measure_plan measure;

	/* As planned. */
	struct slub_kernel kernel;
	struct objects_workload *workloads;
	size_t n_workloads;
	struct objects_contender *contenders;
	size_t n_contenders;
	struct trace *reader;           /* of a streamed trace, to be read on */
};

/* Setters of the options above. */
opt_set set_flags;  /* struct number_list */
opt_set set_kernel; /* struct slub_kernel */

/* Operations of a trace that are held at a time; a longer one is streamed. */
#define OBJECTS_TRACE_OPS ((size_t)1 << 20)

/*
 * Make workloads and contenders.  STATUS_OK, or after a complaint STATUS_INPUT, STATUS_WRONG when
 * a variant is wrong without having been known to be, or STATUS_UNSUPPORTED for one that does not
 * run here.
 */
int objects_plan_make(struct objects_plan *plan);
void objects_plan_free(struct objects_plan *plan);

/* The caches of --cache, or the usual ones: add a workload for each.  0, or -1 after a complaint. */
int objects_plan_caches(struct objects_plan *plan);
/* One workload of all caches of --slabinfo, by their objects in use. */
int objects_plan_mix(struct objects_plan *plan);
/* The trace, all of it or its start. */
int objects_plan_trace(struct objects_plan *plan);

#endif /* SLUBBENCH_OBJECTS_PLAN_H */
