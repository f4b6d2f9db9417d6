/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where kernfs has its nodes and their numbers from: a pool that hands out equal pieces of big
 * chunks, as a slab cache does, and a two-level table of numbers given out in turn, as the
 * kernel's idr_alloc_cyclic() does.
 */
#ifndef SLUBBENCH_KERNFS_MEMORY_H
#define SLUBBENCH_KERNFS_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "sysfs/kernfs.h"

#define KERNFS_IDS_PER_LEAF 64u /* as in a node of the kernel's radix tree */

struct kernfs_id_leaf {
	struct kernfs_node *nodes[KERNFS_IDS_PER_LEAF];
	uint64_t used; /* bit per place */
};

/* A chunk that no tree uses. */
struct kernfs_chunk {
	struct kernfs_chunk *next;
};

struct kernfs_chunk_ref {
	void *start;
	unsigned int order; /* of its size, 0: the least */
};

struct kernfs_pool {
	struct kernfs_node *freed;      /* chained through ->parent */
	struct kernfs_node *next, *end; /* never used, in the order of their addresses */
};

struct kernfs_memory {
	struct kernfs_chunk_ref *chunks;
	size_t n_chunks, chunk_bytes;
	/*
	 * Directories and links, which a descent in a large directory passes, stand together, apart
	 * from the many files.
	 */
	struct kernfs_pool pools[2];
	uint64_t n_nodes;               /* handed out */
	struct kernfs_id_leaf **leaves;
	size_t n_leaves;
	uint32_t id_cursor;             /* where the search for the next number starts */
	uint32_t id_generation;         /* upper half of the ids, plus one with each round */
};

void kernfs_memory_init(struct kernfs_memory *memory);
void kernfs_memory_free(struct kernfs_memory *memory);

size_t kernfs_memory_bytes(const struct kernfs_memory *memory);

/* A zeroed node of that kind. */
struct kernfs_node *kernfs_node_alloc(struct kernfs_memory *memory, enum reg_kind kind);
void kernfs_node_free(struct kernfs_memory *memory, struct kernfs_node *node);

/* Give @node the next free number; the first is 1. */
void kernfs_id_alloc(struct kernfs_memory *memory, struct kernfs_node *node);
void kernfs_id_free(struct kernfs_memory *memory, uint64_t id);
/* Call @fn for each node that has a number, in the order of these. */
void kernfs_id_each(const struct kernfs_memory *memory, void (*fn)(struct kernfs_node *node));
struct kernfs_node *kernfs_id_look_up(const struct kernfs_memory *memory, uint64_t id);

#endif /* SLUBBENCH_KERNFS_MEMORY_H */
