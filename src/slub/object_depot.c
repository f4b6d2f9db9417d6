/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "slub/object.h"

#define BUCKETS 4096u /* a kernel boots with a few thousand stacks */

struct stack {
	uint64_t hash;
	uint32_t next; /* in the bucket; 0 ends it */
	unsigned int n;
	uint64_t frames[SLUB_STACK_MAX];
};

struct slub_depot {
	uint32_t buckets[BUCKETS];
	struct stack *stacks; /* handle 0 means none: stacks[0] is not used */
	size_t n;
};

struct slub_depot *slub_depot_new(void)
{
	struct slub_depot *depot = xcalloc(1, sizeof(*depot));

	depot->stacks = xgrow(depot->stacks, 0, sizeof(*depot->stacks));
	depot->n = 1;
	return depot;
}

void slub_depot_free(struct slub_depot *depot)
{
	if (depot == NULL)
		return;
	free(depot->stacks);
	free(depot);
}

/* Multiply and fold, a word at a time; the constant is the golden ratio's. */
static uint64_t hash_of(const uint64_t *frames, unsigned int n)
{
	uint64_t hash = n;

	for (unsigned int i = 0; i < n; i++) {
		hash = (hash ^ frames[i]) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash;
}

uint32_t slub_depot_save(struct slub_depot *depot, const uint64_t *frames, unsigned int n)
{
	uint64_t hash = hash_of(frames, n);
	uint32_t *bucket = &depot->buckets[hash % BUCKETS];
	struct stack *stack;

	for (uint32_t h = *bucket; h != 0; h = depot->stacks[h].next) {
		stack = &depot->stacks[h];
		if (stack->hash == hash && stack->n == n &&
		    memcmp(stack->frames, frames, n * sizeof(*frames)) == 0)
			return h;
	}
	/* A full depot is no error: the kernel then keeps no stack either. */
	if (depot->n == UINT32_MAX)
		return 0;
	depot->stacks = xgrow(depot->stacks, depot->n, sizeof(*depot->stacks));
	stack = &depot->stacks[depot->n];
	stack->hash = hash;
	stack->n = n;
	memcpy(stack->frames, frames, n * sizeof(*frames));
	stack->next = *bucket;
	*bucket = (uint32_t)depot->n;
	return (uint32_t)depot->n++;
}

unsigned int slub_depot_fetch(const struct slub_depot *depot, uint32_t handle,
			      const uint64_t **frames)
{
	if (depot == NULL || handle == 0 || handle >= depot->n)
		return 0;
	*frames = depot->stacks[handle].frames;
	return depot->stacks[handle].n;
}
