/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merging of caches: mm/slab_common.c of Linux 6.1. */
#include "slub/merge.h"

#include <stdlib.h>

#include "base/xalloc.h"

#define WORD 8u

bool slub_unmergeable(const struct slub_cache *cache, bool nomerge)
{
	return nomerge || (cache->flags & SLUB_NEVER_MERGE) || cache->constructor ||
	       cache->usersize;
}

static size_t bucket_of(const struct slub_by_size *all, unsigned int size)
{
	return (size / WORD * 0x9E3779B1u >> 7) & (all->n_buckets - 1);
}

struct slub_cache *slub_find_mergeable(const struct slub_by_size *all,
				       const struct slub_cache_spec *spec, unsigned int flags,
				       const struct slub_kernel *kernel)
{
	unsigned int size, align;

	if (spec->constructor || (flags & SLUB_NEVER_MERGE) || !all->n_buckets)
		return NULL;
	size = (spec->object_size + WORD - 1) & ~(WORD - 1);
	align = slub_alignment(flags, spec->align, size, kernel);
	size = (size + align - 1) & ~(align - 1);

	for (struct slub_cache *s = all->buckets[bucket_of(all, size)]; s; s = s->next_same)
		if (s->layout.size == size &&
		    (flags & SLUB_MERGE_SAME) == (s->flags & SLUB_MERGE_SAME) &&
		    !(s->layout.size & (align - 1)))
			return s;
	return NULL;
}

static void hang(struct slub_by_size *all, struct slub_cache *cache)
{
	struct slub_cache **place = &all->buckets[bucket_of(all, cache->layout.size)];

	while (*place)
		place = &(*place)->next_same;
	cache->next_same = NULL;
	*place = cache;
}

static void grow(struct slub_by_size *all)
{
	struct slub_by_size bigger = { .n_buckets = all->n_buckets ? all->n_buckets * 2 : 64 };

	bigger.buckets = xcalloc(bigger.n_buckets, sizeof(*bigger.buckets));
	for (size_t i = 0; i < all->n_buckets; i++)
		for (struct slub_cache *s = all->buckets[i], *next; s; s = next) {
			next = s->next_same;
			hang(&bigger, s);
		}
	free(all->buckets);
	bigger.n_caches = all->n_caches;
	*all = bigger;
}

void slub_by_size_add(struct slub_by_size *all, struct slub_cache *cache)
{
	if (all->n_caches >= all->n_buckets)
		grow(all);
	hang(all, cache);
	all->n_caches++;
}

void slub_by_size_free(struct slub_by_size *all)
{
	free(all->buckets);
}
