/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is particular to a trace: allocs and frees come as they did, and it may be of any length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/machine.h"
#include "base/minmax.h"
#include "base/random.h"
#include "base/xalloc.h"
#include "cmd/objects_lane.h"

#define STREAM_SPLIT 16u /* one of so many parts of a chunk has the clock in it */

int lane_add_caches(struct lane *lane, unsigned int flags)
{
	for (size_t i = lane->replay.n_caches; i < lane->w->n_specs; i++)
		if (object_replay_add_cache(&lane->replay, &lane->w->specs[i], flags) != 0)
			return -1;
	object_replay_slots(&lane->replay, lane->w->n_slots);
	return 0;
}

static size_t *shuffled(struct random_state *random, size_t n)
{
	size_t *order = xcalloc(n, sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	random_shuffle(random, order, n);
	return order;
}

/*
 * A clock around one operation keeps it from overlapping with its neighbours, so what it reads is
 * too much.  It is too much for both, so the readings say how an alloc stands to a free, and the
 * operations without a clock what the two come to: allocs * alloc + frees * free = all * op_ns.
 */
static void take_split(const struct object_split *split, const struct objects_workload *w,
		       double op_ns, double *alloc_ns, double *free_ns)
{
	double each[2], seen = 0;
	size_t n[2] = { 0, 0 };

	for (size_t i = 0; i < w->n_ops; i++)
		n[w->ops[i].op]++;
	for (size_t op = 0; op < 2; op++) {
		each[op] = split->n[op] > 0 ? greater(split->ns[op] / (double)split->n[op], 0) : NAN;
		if (n[op] > 0)
			seen += (double)n[op] * each[op];
	}
	/* Too few readings for their noise: the two are alike, as far as anybody can tell. */
	if (seen <= 0) {
		*alloc_ns = n[SLUB_ALLOC] > 0 ? op_ns : NAN;
		*free_ns = n[SLUB_FREE] > 0 ? op_ns : NAN;
		return;
	}
	*alloc_ns = each[SLUB_ALLOC] * op_ns * (double)w->n_ops / seen;
	*free_ns = each[SLUB_FREE] * op_ns * (double)w->n_ops / seen;
}

void lanes_split(const struct objects_plan *plan, const struct objects_workload *w,
		 struct lane *lanes, struct objects_result *results)
{
	struct random_state random = { .x = plan->measure.seed };
	const size_t repetitions = plan->measure.repetitions;

	for (size_t i = 0; i < plan->n_contenders; i++) {
		results[i].alloc_ns = xcalloc(repetitions, sizeof(double));
		results[i].free_ns = xcalloc(repetitions, sizeof(double));
	}
	for (size_t r = 0; r < repetitions; r++) {
		size_t *order = shuffled(&random, plan->n_contenders);

		for (size_t i = 0; i < plan->n_contenders; i++) {
			struct lane *lane = &lanes[order[i]];
			struct objects_result *result = &results[order[i]];
			double end = machine_now_ns() + plan->measure.min_time_s * 1e9;

			lane->split = (struct object_split){ .next = lane->split.next };
			do {
				slub_heap_reset(lane->replay.heap);
				object_replay_split(&lane->replay, w->ops, w->n_ops, &lane->split);
			} while (machine_now_ns() < end);
			take_split(&lane->split, w, result->op_ns[r], &result->alloc_ns[r],
				   &result->free_ns[r]);
		}
		free(order);
	}
}

/* One chunk on one lane; its last part is the one with the clock in it. */
static void time_chunk(struct lane *lane, const struct objects_workload *w, size_t chunk,
		       struct objects_result *result)
{
	size_t n = w->n_ops - w->n_ops / STREAM_SPLIT;
	double start;

	result->op_ns = xgrow(result->op_ns, chunk, sizeof(double));
	result->alloc_ns = xgrow(result->alloc_ns, chunk, sizeof(double));
	result->free_ns = xgrow(result->free_ns, chunk, sizeof(double));
	object_replay_reserve(&lane->replay, w->ops, w->n_ops);
	start = machine_now_ns();
	object_replay_run(&lane->replay, w->ops, n);
	result->op_ns[chunk] = (machine_now_ns() - start) / (double)n;

	lane->split = (struct object_split){ .next = 0 };
	object_replay_split(&lane->replay, w->ops + n, w->n_ops - n, &lane->split);
	take_split(&lane->split, w, result->op_ns[chunk], &result->alloc_ns[chunk],
		   &result->free_ns[chunk]);
}

/* The caches that the reader has met by now. */
static void take_specs(struct objects_plan *plan, struct objects_workload *w)
{
	for (size_t i = w->n_specs; i < trace_cache_count(plan->reader); i++) {
		struct slub_cache_spec spec = trace_cache_spec(plan->reader, i, &plan->kernel);

		w->specs = xgrow(w->specs, w->n_specs, sizeof(*w->specs));
		spec.name = xstrdup(spec.name);
		w->specs[w->n_specs++] = spec;
	}
}

/* One chunk of a trace, on every lane in a new order. */
static int run_chunk(struct objects_plan *plan, const struct objects_workload *w,
		     struct lane *lanes, size_t chunk, struct random_state *random,
		     struct objects_result *results)
{
	size_t *order = shuffled(random, plan->n_contenders);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->n_contenders; i++) {
		rc = lane_add_caches(&lanes[order[i]], plan->contenders[order[i]].flags);
		if (rc == 0)
			time_chunk(&lanes[order[i]], w, chunk, &results[order[i]]);
	}
	free(order);
	return rc;
}

int lanes_stream(struct objects_plan *plan, struct objects_workload *w, struct lane *lanes,
		 struct objects_result *results)
{
	struct random_state random = { .x = plan->measure.seed };
	size_t chunks = 0, total = 0;
	int64_t n = (int64_t)w->n_ops;

	if (machine_pin(plan->measure.cpu) < 0)
		return -1;
	for (; n > 0; n = trace_read(plan->reader, w->ops, OBJECTS_TRACE_OPS)) {
		w->n_ops = (size_t)n;
		w->n_slots = trace_slots(plan->reader);
		take_specs(plan, w);
		/* The end of a trace is a chunk too short to be a sample. */
		if (chunks > 0 && w->n_ops < OBJECTS_TRACE_OPS / 8)
			continue;
		if (run_chunk(plan, w, lanes, chunks++, &random, results) != 0)
			return -1;
		total += w->n_ops;
	}
	if (n < 0 || trace_notes(plan->trace, trace_counts(plan->reader)) != 0)
		return -1;
	note("%s: longer than %zu operations: streamed once, in place of repetitions by %zu part%s",
	     plan->trace, OBJECTS_TRACE_OPS, chunks, plural(chunks));
	w->n_ops = total;
	for (size_t i = 0; i < plan->n_contenders; i++)
		results[i].n = chunks;
	return 0;
}
