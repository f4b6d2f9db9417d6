/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which caches share their slabs: slab_unmergeable() and find_mergeable() of Linux 6.1,
 * mm/slab_common.c.
 */
#ifndef SLUBBENCH_SLUB_MERGE_H
#define SLUBBENCH_SLUB_MERGE_H

#include <stdbool.h>

#include "slub/names.h"

/* Debugging and RCU need a cache's slabs for itself; of the rest, both must have the same. */
#define SLUB_NEVER_MERGE                                                                           \
	(SLUB_RED_ZONE | SLUB_POISON | SLUB_STORE_USER | SLUB_TRACE | SLUB_TYPESAFE_BY_RCU |       \
	 SLUB_NOLEAKTRACE | SLUB_FAILSLAB | SLUB_NO_MERGE | SLUB_KASAN)
#define SLUB_MERGE_SAME                                                                            \
	(SLUB_RECLAIM_ACCOUNT | SLUB_CACHE_DMA | SLUB_CACHE_DMA32 | SLUB_ACCOUNT)

struct slub_cache {
	char *name;
	struct slub_cache *older;     /* slab_caches, the newest first */
	struct slub_cache *next_same; /* mergeable caches of the same slot size, the oldest first */
	struct slub_layout layout;
	unsigned int flags;
	unsigned int object_size;     /* the largest among the cache and its aliases */
	unsigned int usersize;        /* bytes that may be copied to and from user space */
	bool constructor;
	int refcount;                 /* 1 + aliases */
	struct reg_dir *dir;          /* in /sys/kernel/slab; NULL: not yet there */
};

/*
 * All mergeable caches by the size of their slots: the kernel walks slab_caches from its old end,
 * and only a cache whose slots are less than a word larger will do.  Slots and wishes are both
 * multiples of a word, so that is the same size, and the oldest of that size in the same order.
 */
struct slub_by_size {
	struct slub_cache **buckets; /* power of two of them */
	size_t n_buckets;
	size_t n_caches;
};

/* Does @cache, as it is, keep its slabs to itself? */
bool slub_unmergeable(const struct slub_cache *cache, bool nomerge);

/*
 * The cache that one of @spec would become an alias of, NULL: none.  @flags are those of @spec
 * and of slub_debug=.
 */
struct slub_cache *slub_find_mergeable(const struct slub_by_size *all,
				       const struct slub_cache_spec *spec, unsigned int flags,
				       const struct slub_kernel *kernel);

void slub_by_size_add(struct slub_by_size *all, struct slub_cache *cache);
void slub_by_size_free(struct slub_by_size *all);

#endif /* SLUBBENCH_SLUB_MERGE_H */
