/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory and numbers for kernfs nodes. */
#include "sysfs/kernfs_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/complain.h"
#include "base/xalloc.h"

/* Chunks grow from 64 KiB to a huge page, so that a large tree costs few TLB misses. */
#define CHUNK_LEAST (64u << 10)
#define CHUNK_SIZES 6u
#define CHUNK_MOST (CHUNK_LEAST << (CHUNK_SIZES - 1))

/*
 * What trees of before gave back, by size.  It is kept until the process ends: a kernel's pages are
 * mapped before anybody asks for them, so a page fault has no place in the cost of a node, and in
 * the second tree of a size there is none.
 */
static struct kernfs_chunk *kept[CHUNK_SIZES];

void kernfs_memory_init(struct kernfs_memory *memory)
{
	memset(memory, 0, sizeof(*memory));
	memory->id_cursor = 1;
}

void kernfs_memory_free(struct kernfs_memory *memory)
{
	for (size_t i = memory->n_chunks; i-- > 0;) {
		struct kernfs_chunk *chunk = memory->chunks[i].start;

		chunk->next = kept[memory->chunks[i].order];
		kept[memory->chunks[i].order] = chunk;
	}
	free(memory->chunks);
	for (size_t i = 0; i < memory->n_leaves; i++)
		free(memory->leaves[i]);
	free(memory->leaves);
}

size_t kernfs_memory_bytes(const struct kernfs_memory *memory)
{
	return memory->chunk_bytes + memory->n_leaves * sizeof(struct kernfs_id_leaf);
}

static void *get_chunk(unsigned int order)
{
	struct kernfs_chunk *chunk = kept[order];
	size_t bytes = (size_t)CHUNK_LEAST << order;

	if (chunk) {
		kept[order] = chunk->next;
		return chunk;
	}
	chunk = aligned_alloc(bytes, bytes);
	if (!chunk) { /* as in base/xalloc.c, which knows no alignment */
		complain("out of memory");
		exit(STATUS_INPUT);
	}
	if (bytes == CHUNK_MOST)
		madvise(chunk, bytes, MADV_HUGEPAGE); /* a wish: nothing depends on it */
	return chunk;
}

static void add_chunk(struct kernfs_memory *memory, struct kernfs_pool *pool)
{
	unsigned int order = 0;
	size_t bytes;

	while (order < CHUNK_SIZES - 1 && (size_t)CHUNK_LEAST << order < memory->chunk_bytes / 2)
		order++;
	bytes = (size_t)CHUNK_LEAST << order;
	pool->next = get_chunk(order);
	pool->end = pool->next + bytes / sizeof(*pool->next);
	memory->chunks = xgrow(memory->chunks, memory->n_chunks, sizeof(*memory->chunks));
	memory->chunks[memory->n_chunks++] = (struct kernfs_chunk_ref){ pool->next, order };
	memory->chunk_bytes += bytes;
}

struct kernfs_node *kernfs_node_alloc(struct kernfs_memory *memory, enum reg_kind kind)
{
	struct kernfs_pool *pool = &memory->pools[kind == REG_FILE];
	struct kernfs_node *node = pool->freed;

	if (node) {
		pool->freed = node->parent;
	} else {
		if (pool->next == pool->end)
			add_chunk(memory, pool);
		node = pool->next++;
		__builtin_prefetch(pool->next, 1); /* as SLUB does: prefetch_freepointer() */
	}
	memory->n_nodes++;
	memset(node, 0, sizeof(*node));
	node->kind = (uint16_t)kind;
	return node;
}

void kernfs_node_free(struct kernfs_memory *memory, struct kernfs_node *node)
{
	struct kernfs_pool *pool = &memory->pools[node->kind == REG_FILE];

	node->parent = pool->freed;
	pool->freed = node;
	memory->n_nodes--;
}

static struct kernfs_id_leaf *leaf_at(struct kernfs_memory *memory, size_t i)
{
	while (i >= memory->n_leaves) {
		struct kernfs_id_leaf *leaf = xcalloc(1, sizeof(*leaf));

		if (!memory->n_leaves)
			leaf->used = 1; /* 0 is no number */
		memory->leaves = xgrow(memory->leaves, memory->n_leaves, sizeof(*memory->leaves));
		memory->leaves[memory->n_leaves++] = leaf;
	}
	return memory->leaves[i];
}

/* The first free number from the cursor on. */
static uint32_t next_id(struct kernfs_memory *memory)
{
	for (;;) {
		size_t i = memory->id_cursor / KERNFS_IDS_PER_LEAF;
		unsigned int bit = memory->id_cursor % KERNFS_IDS_PER_LEAF;
		uint64_t unused = ~leaf_at(memory, i)->used >> bit;

		if (unused)
			return memory->id_cursor + (uint32_t)__builtin_ctzll(unused);
		memory->id_cursor = (uint32_t)(i + 1) * KERNFS_IDS_PER_LEAF;
		if (memory->id_cursor > INT32_MAX) { /* idr's own limit; then from the start */
			memory->id_cursor = 1;
			memory->id_generation++;
		}
	}
}

void kernfs_id_alloc(struct kernfs_memory *memory, struct kernfs_node *node)
{
	uint32_t id = next_id(memory);
	struct kernfs_id_leaf *leaf = leaf_at(memory, id / KERNFS_IDS_PER_LEAF);

	leaf->used |= UINT64_C(1) << id % KERNFS_IDS_PER_LEAF;
	leaf->nodes[id % KERNFS_IDS_PER_LEAF] = node;
	node->id = (uint64_t)memory->id_generation << 32 | id;
	memory->id_cursor = id + 1;
}

void kernfs_id_free(struct kernfs_memory *memory, uint64_t id)
{
	uint32_t low = (uint32_t)id;
	struct kernfs_id_leaf *leaf = memory->leaves[low / KERNFS_IDS_PER_LEAF];

	leaf->used &= ~(UINT64_C(1) << low % KERNFS_IDS_PER_LEAF);
	leaf->nodes[low % KERNFS_IDS_PER_LEAF] = NULL;
}

void kernfs_id_each(const struct kernfs_memory *memory, void (*fn)(struct kernfs_node *node))
{
	for (size_t i = 0; i < memory->n_leaves; i++)
		for (unsigned int k = 0; k < KERNFS_IDS_PER_LEAF; k++)
			if (memory->leaves[i]->nodes[k])
				fn(memory->leaves[i]->nodes[k]);
}

struct kernfs_node *kernfs_id_look_up(const struct kernfs_memory *memory, uint64_t id)
{
	uint32_t low = (uint32_t)id;
	struct kernfs_node *node;

	if (low / KERNFS_IDS_PER_LEAF >= memory->n_leaves)
		return NULL;
	node = memory->leaves[low / KERNFS_IDS_PER_LEAF]->nodes[low % KERNFS_IDS_PER_LEAF];
	return node && node->id == id ? node : NULL;
}
