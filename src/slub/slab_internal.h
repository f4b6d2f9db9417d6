/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What slab.c, which has the slabs, and object.c, which gives out their objects, share. */
#ifndef SLUBBENCH_SLUB_SLAB_INTERNAL_H
#define SLUBBENCH_SLUB_SLAB_INTERNAL_H

#include "slub/slab.h"

/*
 * allocate_slab(), without the random free list that a hardened kernel has.  It is the first of the
 * cache's partial slabs.
 */
struct slub_slab *slub_slab_new(struct slab_cache *cache);

/* discard_slab(), __free_slab(), of a slab that is on no list. */
void slub_slab_discard(struct slub_slab *slab);

static inline void slub_list_init(struct slub_slab *list)
{
	list->prev = list->next = list;
}

static inline void slub_list_add(struct slub_slab *slab, struct slub_slab *before, struct slub_slab *after)
{
	slab->prev = before;
	slab->next = after;
	before->next = after->prev = slab;
}

static inline void slub_partial_add(struct slub_slab *slab, bool tail)
{
	struct slub_slab *list = &slab->cache->partial;

	if (tail)
		slub_list_add(slab, list->prev, list);
	else
		slub_list_add(slab, list, list->next);
	slab->cache->nr_partial++;
}

static inline void slub_partial_remove(struct slub_slab *slab)
{
	slab->prev->next = slab->next;
	slab->next->prev = slab->prev;
	slab->cache->nr_partial--;
}

#endif /* SLUBBENCH_SLUB_SLAB_INTERNAL_H */
