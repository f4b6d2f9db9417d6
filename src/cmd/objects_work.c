/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the operations of slubbench objects come from: a cache, a machine's mix, a trace. */
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/random.h"
#include "base/xalloc.h"
#include "cmd/objects_plan.h"
#include "slub/slabinfo.h"

#define CACHE_OBJECTS 256u
#define MIX_OBJECTS   4096u
#define MOST_BYTES    ((uint64_t)1 << 30) /* of slabs that one workload may take */

#define USUAL_CACHES "kmalloc-64,dentry,filp,ext4_inode_cache,kmalloc-4k,task_struct"

static struct objects_workload *add_workload(struct objects_plan *plan, const char *kind,
					     const char *name)
{
	struct objects_workload *w;

	plan->workloads = xgrow(plan->workloads, plan->n_workloads, sizeof(*plan->workloads));
	w = &plan->workloads[plan->n_workloads++];
	*w = (struct objects_workload){ .kind = kind };
	name = input_name(name);
	/* Of a file the name alone: the table is narrow. */
	w->name = xstrdup(strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name);
	return w;
}

static void add_spec(struct objects_workload *w, struct slub_cache_spec spec)
{
	w->specs = xgrow(w->specs, w->n_specs, sizeof(*w->specs));
	spec.name = xstrdup(spec.name);
	w->specs[w->n_specs++] = spec;
}

/* Bytes asked of a cache: kmalloc() is rarely asked for all that it gives. */
static uint32_t requested_of(const struct slub_cache_spec *spec)
{
	const struct slub_known_cache *known = slub_known_find(spec->name);

	return known != NULL && known->spec.object_size == spec->object_size ? known->requested :
	       spec->object_size;
}

/* @n allocs, of the caches that @choose picks, and their frees in another order. */
static void make_phases(struct objects_workload *w, size_t n, const uint16_t *choose, uint64_t seed)
{
	struct random_state random = { .x = seed };
	size_t *order = xcalloc(n, sizeof(*order));

	w->phased = true;
	w->ops = xcalloc(2 * n, sizeof(*w->ops));
	w->n_ops = 2 * n;
	w->n_allocs = n;
	w->n_slots = n;
	for (size_t i = 0; i < n; i++) {
		order[i] = i;
		w->ops[i] = (struct object_op){
			.op = SLUB_ALLOC,
			.slot = (uint32_t)i,
			.cache = choose[i],
			.requested = requested_of(&w->specs[choose[i]]),
			.site = (uint32_t)(i % 16),
			.pid = 1,
		};
	}
	random_shuffle(&random, order, n);
	for (size_t i = 0; i < n; i++) {
		w->ops[n + i] = w->ops[order[i]];
		w->ops[n + i].op = SLUB_FREE;
	}
	free(order);
}

/* The largest debug layout decides what @n objects may take. */
static int check_size(const struct objects_plan *plan, const struct objects_workload *w, size_t n)
{
	uint64_t largest = 0;

	for (size_t i = 0; i < w->n_specs; i++) {
		struct slub_cache_spec spec = w->specs[i];
		struct slub_layout l;

		spec.flags |= SLUB_DEBUG_FLAGS;
		if (slub_layout_init(&l, &spec, &plan->kernel) == 0 && l.size > largest)
			largest = l.size;
	}
	if (largest * n <= MOST_BYTES)
		return 0;
	complain("objects: --ops: %zu objects of up to %ju bytes take more than 1 GiB for each "
		 "variant; at most %ju here", n, (uintmax_t)largest,
		 (uintmax_t)(MOST_BYTES / largest));
	return -1;
}

static int plan_cache(struct objects_plan *plan, const struct slub_known_cache *known)
{
	size_t n = plan->operations != 0 ? plan->operations : CACHE_OBJECTS;
	struct objects_workload *w = add_workload(plan, "cache", known->spec.name);
	uint16_t *choose;

	add_spec(w, known->spec);
	if (check_size(plan, w, n) != 0)
		return -1;
	choose = xcalloc(n, sizeof(*choose));
	make_phases(w, n, choose, plan->measure.seed);
	free(choose);
	return 0;
}

static int take_cache(const char *part, void *arg)
{
	const struct slub_known_cache *known = slub_known_find(part);
	const char *names[64] = { NULL };
	size_t n = 0;

	if (known != NULL)
		return plan_cache(arg, known);
	for (; slub_known_caches[n].spec.name != NULL && n + 1 < 64; n++)
		names[n] = slub_known_caches[n].spec.name;
	complain("objects: --cache: there is no cache '%s' that is known here%s", part,
		 did_you_mean(part, names, "expected all or names as " USUAL_CACHES));
	return -1;
}

int objects_plan_caches(struct objects_plan *plan)
{
	if (plan->caches == NULL || strcmp(plan->caches, "all") != 0)
		return parse_each("objects: --cache", plan->caches ? plan->caches : USUAL_CACHES,
				  take_cache, plan);
	for (const struct slub_known_cache *c = slub_known_caches; c->spec.name != NULL; c++)
		if (plan_cache(plan, c) != 0)
			return -1;
	return 0;
}

/* --cache beside --slabinfo: only these. */
struct chosen {
	const struct slabinfo *info;
	bool *wanted;
};

static int take_chosen(const char *part, void *arg)
{
	struct chosen *chosen = arg;
	const char **names = xcalloc(chosen->info->n + 1, sizeof(*names));
	bool found = false;

	for (size_t i = 0; i < chosen->info->n; i++) {
		names[i] = chosen->info->list[i].name;
		if (strcmp(part, "all") == 0 || strcmp(names[i], part) == 0)
			found = chosen->wanted[i] = true;
	}
	if (!found)
		complain("objects: --cache: '%s' is not in the slabinfo file%s", part,
			 did_you_mean(part, names, NULL));
	free(names);
	return found ? 0 : -1;
}

/* A cache for each object, as often as its share of all that are in use. */
static void choose_by_weight(const struct slabinfo *info, const bool *wanted, uint64_t total,
			     uint64_t seed, uint16_t *choose, size_t n)
{
	struct random_state random = { .x = seed };

	for (size_t i = 0; i < n; i++) {
		uint64_t at = random_below(&random, total);
		uint16_t spec = 0;

		for (size_t c = 0; c < info->n; c++) {
			if (!wanted[c] || info->list[c].active == 0)
				continue;
			if (at < info->list[c].active)
				break;
			at -= info->list[c].active;
			spec++;
		}
		choose[i] = spec;
	}
}

static int plan_mix(struct objects_plan *plan, const struct slabinfo *info, const bool *wanted)
{
	size_t n = plan->operations != 0 ? plan->operations : MIX_OBJECTS;
	struct objects_workload *w = add_workload(plan, "mix", plan->slabinfo);
	uint64_t total = 0;
	uint16_t *choose;

	for (size_t i = 0; i < info->n && w->n_specs < UINT16_MAX; i++) {
		if (!wanted[i] || info->list[i].active == 0)
			continue;
		total += info->list[i].active;
		add_spec(w, slabinfo_spec(&info->list[i], &plan->kernel));
	}
	if (total == 0) {
		complain("%s: no objects in use; expected a machine that has run for a while",
			 plan->slabinfo);
		return -1;
	}
	if (check_size(plan, w, n) != 0)
		return -1;
	choose = xcalloc(n, sizeof(*choose));
	choose_by_weight(info, wanted, total, plan->measure.seed, choose, n);
	make_phases(w, n, choose, plan->measure.seed);
	free(choose);
	return 0;
}

int objects_plan_mix(struct objects_plan *plan)
{
	struct slabinfo info;
	struct chosen chosen = { .info = &info };
	int rc = slabinfo_read(plan->slabinfo, &info);

	chosen.wanted = xcalloc(info.n + 1, sizeof(*chosen.wanted));
	if (rc == 0)
		rc = parse_each("objects: --cache", plan->caches ? plan->caches : "all",
				take_chosen, &chosen);
	if (rc == 0)
		rc = plan_mix(plan, &info, chosen.wanted);
	free(chosen.wanted);
	slabinfo_free(&info);
	return rc;
}

int objects_plan_trace(struct objects_plan *plan)
{
	struct objects_workload *w;
	int64_t n;

	plan->reader = trace_open(plan->trace);
	if (plan->reader == NULL)
		return -1;
	w = add_workload(plan, "trace", plan->trace);
	w->ops = xcalloc(OBJECTS_TRACE_OPS, sizeof(*w->ops));
	n = trace_read(plan->reader, w->ops, OBJECTS_TRACE_OPS);
	if (n < 0)
		return -1;
	w->n_ops = (size_t)n;
	w->n_slots = trace_slots(plan->reader);
	w->streamed = !trace_at_end(plan->reader);
	for (size_t i = 0; i < trace_cache_count(plan->reader); i++)
		add_spec(w, trace_cache_spec(plan->reader, i, &plan->kernel));
	if (w->streamed)
		return 0;
	return trace_notes(plan->trace, trace_counts(plan->reader));
}
