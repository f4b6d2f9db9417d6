/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/xalloc.h"
#include "cmd/objects_lane.h"
#include "cmd/objects_rows.h"
#include "cmd/objects_run.h"
#include "report/progress.h"

static int lane_open(struct lane *lane, const struct objects_plan *plan,
		     const struct objects_workload *w, const struct objects_contender *c)
{
	unsigned int depth = c->flags & SLUB_STORE_USER ? (unsigned int)plan->stack_depth : 0;

	*lane = (struct lane){ .w = w };
	object_replay_init(&lane->replay, slub_heap_new(c->v, &plan->kernel, depth));
	/* A cache in use has other objects in its slabs, which do not come and go. */
	lane->replay.heap->keep_slabs = w->phased;
	return lane_add_caches(lane, c->flags);
}

static void lane_close(struct lane *lane)
{
	object_replay_free(&lane->replay);
}

static void do_allocs(struct lane *lane)
{
	object_replay_run(&lane->replay, lane->w->ops, lane->w->n_allocs);
	lane->live = true;
}

static void do_frees(struct lane *lane)
{
	object_replay_run(&lane->replay, lane->w->ops + lane->w->n_allocs,
			  lane->w->n_ops - lane->w->n_allocs);
	lane->live = false;
}

static void before_allocs(void *arg)
{
	struct lane *lane = arg;

	/* The first time, so that no slab is new in what is timed. */
	if (!lane->live)
		do_allocs(lane);
	do_frees(lane);
}

static void before_frees(void *arg)
{
	struct lane *lane = arg;

	if (!lane->live)
		do_allocs(lane);
}

static void run_allocs(void *arg, int64_t n)
{
	while (n-- > 0)
		do_allocs(arg);
}

static void run_frees(void *arg, int64_t n)
{
	while (n-- > 0)
		do_frees(arg);
}

static void before_trace(void *arg)
{
	slub_heap_reset(((struct lane *)arg)->replay.heap);
}

static void run_trace(void *arg, int64_t n)
{
	struct lane *lane = arg;

	while (n-- > 0)
		object_replay_run(&lane->replay, lane->w->ops, lane->w->n_ops);
}

static size_t works_of(struct lane *lane, struct measure_work works[2])
{
	if (!lane->w->phased) {
		works[0] = (struct measure_work){ lane->w->name, run_trace, before_trace, lane };
		return 1;
	}
	works[0] = (struct measure_work){ lane->w->name, run_allocs, before_allocs, lane };
	works[1] = (struct measure_work){ lane->w->name, run_frees, before_frees, lane };
	return 2;
}

/* Samples of one contender, per operation. */
static void take_samples(struct objects_result *r, const struct objects_workload *w,
			 const struct measure_sample *samples, size_t n)
{
	r->n = n;
	r->op_ns = xcalloc(n, sizeof(double));
	if (w->phased) {
		r->alloc_ns = xcalloc(n, sizeof(double));
		r->free_ns = xcalloc(n, sizeof(double));
	}
	for (size_t i = 0; i < n; i++) {
		double all = samples[i].real_ns;

		if (w->phased) {
			r->alloc_ns[i] = samples[i].real_ns / (double)w->n_allocs;
			r->free_ns[i] = samples[n + i].real_ns / (double)w->n_allocs;
			all += samples[n + i].real_ns;
		}
		r->op_ns[i] = all / (double)w->n_ops;
	}
}

static int measure_lanes(struct objects_plan *plan, const struct objects_workload *w,
			 struct lane *lanes, struct objects_result *results)
{
	const size_t n = plan->n_contenders, repetitions = plan->measure.repetitions;
	struct measure_work *works = xcalloc(2 * n, sizeof(*works));
	struct measure_sample *samples;
	size_t n_works = 0, per_lane;
	int rc;

	for (size_t i = 0; i < n; i++)
		n_works += works_of(&lanes[i], works + n_works);
	per_lane = n_works / n;
	samples = xcalloc(n_works * repetitions, sizeof(*samples));
	rc = measure_run(works, n_works, &plan->measure, samples);
	for (size_t i = 0; rc == 0 && i < n; i++)
		take_samples(&results[i], w, samples + i * per_lane * repetitions, repetitions);
	free(samples);
	free(works);
	return rc;
}

/* How many checks an operation means, and of how many bytes. */
static void count_checks(struct objects_result *r, const struct objects_plan *plan,
			 const struct objects_workload *w, const struct objects_contender *c)
{
	double checks = 0, bytes = 0;
	size_t counted = w->streamed ? 0 : w->n_ops;

	if (c->v == NULL || w->streamed) {
		r->checks = r->check_bytes = c->v == NULL ? 0 : NAN;
		return;
	}
	for (size_t i = 0; i < counted; i++) {
		const struct object_op *op = &w->ops[i];
		struct slub_cache_spec spec = w->specs[op->cache];
		struct slub_check list[SLUB_CHECKS_MAX];
		struct slub_layout l;
		size_t n;

		spec.flags |= c->flags;
		if (slub_layout_init(&l, &spec, &plan->kernel) != 0)
			continue;
		n = slub_checks(&l, op->op, 0, op->requested, list);
		checks += (double)n;
		while (n-- > 0)
			bytes += (double)list[n].length;
	}
	r->checks = checks / (double)counted;
	r->check_bytes = bytes / (double)counted;
}

static void tell_faults(const struct objects_workload *w, const struct lane *lanes, size_t n)
{
	uint64_t reports = 0;

	for (size_t i = 0; i < n; i++)
		reports += lanes[i].replay.heap->reports;
	/* Nothing here writes where it must not: a report means that a variant is wrong. */
	if (reports != 0)
		note("%s: %ju report%s without a fault", w->name, (uintmax_t)reports,
		     plural(reports));
}

static int run_workload(struct objects_plan *plan, struct objects_workload *w, struct rows *rows,
			struct rows *samples)
{
	const size_t n = plan->n_contenders;
	struct objects_result *results = xcalloc(n, sizeof(*results));
	struct lane *lanes = xcalloc(n, sizeof(*lanes));
	size_t opened = 0;
	int rc = 0;

	for (; rc == 0 && opened < n; opened++)
		rc = lane_open(&lanes[opened], plan, w, &plan->contenders[opened]);
	if (rc == 0)
		rc = w->streamed ? lanes_stream(plan, w, lanes, results)
				 : measure_lanes(plan, w, lanes, results);
	if (rc == 0 && !w->phased && !w->streamed)
		lanes_split(plan, w, lanes, results);
	for (size_t i = 0; rc == 0 && i < n; i++)
		count_checks(&results[i], plan, w, &plan->contenders[i]);
	if (rc == 0) {
		objects_rows_add(rows, samples, plan, w, results);
		tell_faults(w, lanes, n);
	}
	for (size_t i = 0; i < n; i++) {
		free(results[i].op_ns);
		free(results[i].alloc_ns);
		free(results[i].free_ns);
	}
	while (opened > 0)
		lane_close(&lanes[--opened]);
	free(results);
	free(lanes);
	return rc;
}

/* How far all workloads are, from how far one is. */
struct run_progress {
	struct progress shown;
	size_t done, workloads;
};

static void tick(void *arg, size_t done, size_t total)
{
	struct run_progress *p = arg;
	double share = total > 0 ? (double)done / (double)total : 0;

	progress_show(&p->shown, ((double)p->done + share) / (double)p->workloads);
}

int objects_run(struct objects_plan *plan, struct rows *rows, struct rows *samples)
{
	struct run_progress progress = { .workloads = plan->n_workloads };
	int rc = 0;

	plan->measure.progress = tick;
	plan->measure.progress_arg = &progress;
	progress_open(&progress.shown, plan->progress);
	for (; rc == 0 && progress.done < plan->n_workloads; progress.done++)
		rc = run_workload(plan, &plan->workloads[progress.done], rows, samples);
	progress_close(&progress.shown);
	return rc;
}

/* One workload on one contender, from an empty heap each time. */
static int pass(struct objects_plan *plan, const struct objects_workload *w,
		const struct objects_contender *c)
{
	struct lane lane;
	int rc = lane_open(&lane, plan, w, c);

	if (rc == 0)
		object_replay_reserve(&lane.replay, w->ops, w->n_ops);
	for (uint64_t i = 0; rc == 0 && i < plan->passes; i++) {
		slub_heap_reset(lane.replay.heap);
		object_replay_run(&lane.replay, w->ops, w->n_ops);
	}
	lane_close(&lane);
	return rc;
}

int objects_passes(struct objects_plan *plan)
{
	/* Without flags there is no variant, and the first contender stands for that. */
	bool none = plan->flags.values[plan->flags.n - 1] == 0;
	const struct objects_contender *c = &plan->contenders[none ? 0 : plan->n_contenders - 1];

	for (size_t i = 0; i < plan->n_workloads; i++) {
		if (plan->workloads[i].streamed) {
			complain("objects: --passes: '%s' has more than %zu operations",
				 plan->trace, OBJECTS_TRACE_OPS);
			return STATUS_INPUT;
		}
		if (pass(plan, &plan->workloads[i], c) != 0)
			return STATUS_INPUT;
	}
	return STATUS_OK;
}
