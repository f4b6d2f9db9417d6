/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SLUB as far as registration goes: kmem_cache_create() with its aliases, the states of the
 * allocator, and what goes to sysfs when.  mm/slab_common.c and mm/slub.c of Linux 6.1.
 */
#ifndef SLUBBENCH_SLUB_CACHE_H
#define SLUBBENCH_SLUB_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "slub/cache_debug.h"
#include "slub/merge.h"
#include "sysfs/registry.h"

enum slub_state {
	SLUB_DOWN,    /* nothing yet */
	SLUB_PARTIAL, /* kmem_cache_node works, the bootstrap makes the rest */
	SLUB_UP,      /* caches can be made; sysfs is not there */
	SLUB_FULL,    /* slab_sysfs_init() has run: each new cache pays for its own registration */
};

/* The kernel and how it was booted. */
struct slub_config {
	struct slub_kernel kernel;
	struct slub_debug debug;
	unsigned int attributes; /* files of each cache; SLUB_ATTRIBUTES where nothing is known */
};

/* Linux 6.1 on x86-64 with one CPU, merging, no debugging. */
struct slub_config slub_config_default(void);

/* What a caller of kmem_cache_create() says: the spec, and what the layout has no use for. */
struct slub_request {
	struct slub_cache_spec spec;
	unsigned int usersize;
};

struct slub;

/* An allocator that is UP, on the registry @reg; both outlive it. */
struct slub *slub_caches_new(const struct slub_config *config, struct registry *reg);
void slub_caches_free(struct slub *slub);

/*
 * kmem_cache_create(): -1 after a complaint when no slab can hold such an object or the registry
 * refuses.  A request whose cache merges only adds an alias.
 */
int slub_create(struct slub *slub, const struct slub_request *request);

/* slab_sysfs_init(): registers all that exists, the newest first, and its aliases, LIFO. */
int slub_sysfs_init(struct slub *slub);

enum slub_state slub_state(const struct slub *slub);
/* Caches made that were merged into another. */
size_t slub_n_aliases(const struct slub *slub);
/* The name of its directory in /sys/kernel/slab, in @id or the cache's own. */
const char *slub_sysfs_name(const struct slub *slub, const struct slub_cache *cache,
			    char id[SLUB_ID_MAX]);

/*
 * List /sys/kernel/slab as the registry has it, by name, a line for each directory and link:
 *	D :0000016 size=16 objsize=16 order=0 objs=256 aliases=1 files=27
 *	L PING -> :0000960
 * 0, or -1 after a complaint; errors of @to are its owner's.
 */
int slub_write_tree(struct slub *slub, FILE *to);

#endif /* SLUBBENCH_SLUB_CACHE_H */
