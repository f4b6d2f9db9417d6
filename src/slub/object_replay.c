/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/xalloc.h"
#include "slub/object_replay.h"

/* HZ=250 and four million operations a second: what age= in a report is counted in. */
#define OPS_PER_JIFFY 16384u

#define INTERRUPTED_NS 2000 /* the slowest clocks, those of a system call, take less */

void object_replay_init(struct object_replay *r, struct slub_heap *heap)
{
	memset(r, 0, sizeof(*r));
	r->heap = heap;
}

void object_replay_free(struct object_replay *r)
{
	slub_heap_free(r->heap);
	free(r->caches);
	free(r->live);
	free(r->sizes);
	memset(r, 0, sizeof(*r));
}

int object_replay_add_cache(struct object_replay *r, const struct slub_cache_spec *spec,
			    unsigned int debug)
{
	struct slab_cache *cache = slab_cache_new(r->heap, spec, debug);

	if (cache == NULL)
		return -1;
	r->caches = xgrow(r->caches, r->n_caches, sizeof(*r->caches));
	r->caches[r->n_caches++] = cache;
	return 0;
}

void object_replay_slots(struct object_replay *r, size_t n)
{
	if (n <= r->n_live)
		return;
	if (n < 2 * r->n_live)
		n = 2 * r->n_live;
	r->live = xreallocarray(r->live, n, sizeof(*r->live));
	memset(r->live + r->n_live, 0, (n - r->n_live) * sizeof(*r->live));
	if (r->sizes != NULL) {
		r->sizes = xreallocarray(r->sizes, n, sizeof(*r->sizes));
		memset(r->sizes + r->n_live, 0, (n - r->n_live) * sizeof(*r->sizes));
	}
	r->n_live = n;
}

static inline void do_op(struct object_replay *r, const struct object_op *op)
{
	const struct slub_caller caller = {
		.addr = (uint64_t)op->site + 1,
		.cpu = op->cpu,
		.pid = op->pid,
	};

	if (op->op == SLUB_ALLOC)
		r->live[op->slot] = slub_alloc(r->caches[op->cache], op->requested, &caller);
	else
		slub_free(r->live[op->slot], &caller);
}

void object_replay_run(struct object_replay *r, const struct object_op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		do_op(r, &ops[i]);
		if (i % OPS_PER_JIFFY == 0)
			r->heap->jiffies++;
	}
}

void object_replay_split(struct object_replay *r, const struct object_op *ops, size_t n,
			 struct object_split *split)
{
	size_t i = 0;

	for (; split->next < n; split->next += OBJECT_SPLIT_EVERY) {
		const struct object_op *op = &ops[split->next];
		double first, second, third;

		object_replay_run(r, ops + i, split->next - i);
		first = machine_now_ns();
		second = machine_now_ns();
		do_op(r, op);
		third = machine_now_ns();
		i = split->next + 1;
		/* Interrupted: that is not what the clock costs. */
		if (second - first > INTERRUPTED_NS)
			continue;
		split->ns[op->op] += (third - second) - (second - first);
		split->n[op->op]++;
	}
	object_replay_run(r, ops + i, n - i);
	split->next -= n;
}

void object_replay_reserve(struct object_replay *r, const struct object_op *ops, size_t n)
{
	int64_t now = 0, most = 0;

	if (r->sizes == NULL)
		r->sizes = xcalloc(r->n_live, sizeof(*r->sizes));
	for (size_t i = 0; i < n; i++) {
		if (ops[i].op == SLUB_ALLOC) {
			r->sizes[ops[i].slot] = r->caches[ops[i].cache]->layout.size;
			now += r->sizes[ops[i].slot];
		} else {
			now -= r->sizes[ops[i].slot];
		}
		if (now > most)
			most = now;
	}
	/* Slabs waste some of their pages, and each cache has one that is not full. */
	slub_heap_reserve(r->heap, (size_t)most * 5 / 4 + r->n_caches * 8192);
}
