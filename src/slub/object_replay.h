/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations and frees as a list of small operations, and the doing of them.
 *
 * A trace and a made-up workload both become such a list; whoever makes one sees to it that a slot
 * is empty before an alloc and full before a free, so that the replay has nothing to look up.
 */
#ifndef SLUBBENCH_SLUB_OBJECT_REPLAY_H
#define SLUBBENCH_SLUB_OBJECT_REPLAY_H

#include "slub/slab.h"

struct object_op {
	uint32_t slot;      /* which of the live objects */
	uint32_t requested; /* bytes asked for; alloc only */
	uint32_t site;      /* who asks, as a number from 0 */
	int32_t pid;
	uint16_t cache;     /* index of the cache; alloc only */
	uint8_t cpu;
	uint8_t op;         /* enum slub_op */
};

struct object_replay {
	struct slub_heap *heap;
	struct slab_cache **caches;
	size_t n_caches;
	struct slub_object *live;
	uint32_t *sizes;            /* of the live objects, for object_replay_reserve() */
	size_t n_live;
};

/* A replay on @heap, which it then owns. */
void object_replay_init(struct object_replay *r, struct slub_heap *heap);
void object_replay_free(struct object_replay *r);

/* Number n_caches is a cache of @spec: 0, or -1 after a complaint. */
int object_replay_add_cache(struct object_replay *r, const struct slub_cache_spec *spec,
			    unsigned int debug);

/* Room for slots below @n. */
void object_replay_slots(struct object_replay *r, size_t n);

/* Do @n operations.  An object that fails its checks on free is gone all the same. */
void object_replay_run(struct object_replay *r, const struct object_op *ops, size_t n);

/* What one operation takes by a clock that is read around a few of them; its own cost is off. */
struct object_split {
	double ns[2];    /* by enum slub_op, all together */
	uint64_t n[2];
	size_t next;     /* the operation that is timed next: at which another pass begins */
};

/* Do @n operations as object_replay_run() does, and time every OBJECT_SPLIT_EVERYth of them. */
void object_replay_split(struct object_replay *r, const struct object_op *ops, size_t n,
			 struct object_split *split);

/* A prime, so that passes over a trace that repeats itself come to all of its operations. */
#define OBJECT_SPLIT_EVERY 17u

/*
 * Have the pages ready that @n operations need beyond what is live, so that none of them waits for
 * the system.  For operations that are run once, in order, each list before it runs.
 */
void object_replay_reserve(struct object_replay *r, const struct object_op *ops, size_t n);

#endif /* SLUBBENCH_SLUB_OBJECT_REPLAY_H */
