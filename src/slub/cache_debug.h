/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel command line's say in SLUB: slub_debug= and slab_nomerge, as Linux 6.1 reads them. */
#ifndef SLUBBENCH_SLUB_CACHE_DEBUG_H
#define SLUBBENCH_SLUB_CACHE_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

#include "slub/names.h"

/* What debugging adds to an object; it may need a larger slab. */
#define SLUB_DEBUG_METADATA (SLUB_RED_ZONE | SLUB_POISON | SLUB_STORE_USER)

struct slub_debug_block {
	unsigned int flags;
	char *caches; /* "dentry,kmalloc-*" */
};

struct slub_debug {
	unsigned int all;      /* flags of the caches that no block names */
	struct slub_debug_block *blocks;
	size_t n_blocks;
	bool no_higher_order;  /* O: drop the metadata where it needs a larger slab */
	bool nomerge;          /* slab_nomerge */
};

/*
 * Take slab_nomerge, slub_nomerge, slab_merge, slub_merge and slub_debug[=...] (slab_debug since
 * 6.8) from a kernel command @line; what comes later counts.  Free with slub_debug_free().
 */
void slub_debug_from_command_line(struct slub_debug *debug, const char *line);
void slub_debug_free(struct slub_debug *debug);

/* kmem_cache_flags(): @flags of a new cache called @name with those of debugging added. */
unsigned int slub_debug_flags(const struct slub_debug *debug, unsigned int flags,
			      const char *name);

#endif /* SLUBBENCH_SLUB_CACHE_DEBUG_H */
