/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SLUB in user space, as far as its debugging needs an allocator: slabs of pages, one list of
 * partial slabs a cache, one free list a slab that runs through the objects.
 *
 * With debug flags a cache behaves as alloc_single_from_partial(), alloc_single_from_new_slab()
 * and free_debug_processing() of Linux 6.1 do; without, the same lists serve and nothing is
 * written or checked.  There is one CPU and one node.  The free list of a new slab runs upwards
 * and nothing depends on an address, so the same operations give the same slabs every time.
 */
#ifndef SLUBBENCH_SLUB_SLAB_H
#define SLUBBENCH_SLUB_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "check/check.h"
#include "slub/fill.h"
#include "slub/layout.h"
#include "slub/slab_pages.h"

/* struct track of the kernel, in the object's own bytes, which lie anywhere. */
struct __attribute__((may_alias, packed)) slub_track {
	uint64_t addr;   /* of the caller; 0: never written */
	uint32_t handle; /* of its stack in the depot; 0: none */
	int32_t cpu;
	int32_t pid;
	int32_t unused;
	uint64_t when;   /* jiffies */
};

enum slub_track_item { SLUB_TRACK_ALLOC, SLUB_TRACK_FREE };

/* Who asks: what ends up in a track. */
struct slub_caller {
	uint64_t addr;
	int32_t cpu, pid;
};

struct slub_depot;
struct slab_cache;

struct slub_slab {
	struct slub_slab *prev, *next; /* in the cache's list of partial slabs */
	struct slab_cache *cache;
	uint8_t *base;
	uint8_t *freelist;             /* NULL: empty, or the slab was taken out of use */
	unsigned int inuse, objects;
	uint64_t page;                 /* the pages before it: where reports say that it lies */
};

/* One check of an object, placed from the object's first byte. */
struct slub_object_check {
	int32_t offset;
	uint32_t length;
	uint8_t value;
	uint8_t region; /* enum slub_region */
};

struct slab_cache {
	struct slub_heap *heap;
	char *name;
	struct slub_layout layout;
	/* By enum slub_op, without the slab's padding; a length of 0 ends them. */
	struct slub_object_check checks[2][SLUB_CHECKS_MAX + 1];
	struct slub_object_check slab_check; /* of the padding, from the slab's first byte */
	uint64_t inverse, span;              /* see slub_object_valid() */
	struct slub_slab partial;            /* head of the list */
	unsigned int nr_partial, min_partial;
};

struct slub_heap {
	check_fn *check;              /* the primitive under test */
	bool exact;                   /* it answers with an offset */
	struct slub_fill fill;        /* what the patterns are written with */
	FILE *log;                    /* reports go here; NULL: they are only counted */
	struct slub_kernel kernel;
	struct slub_pages pages;
	struct slab_cache **caches;
	size_t n_caches;
	struct slub_slab *spare;      /* unused struct slub_slab */
	struct slub_slab **slab_blocks;
	size_t n_slab_blocks, slabs_used;
	struct slub_depot *depot;     /* NULL: no stacks are kept */
	unsigned int stack_depth;
	bool keep_slabs;              /* empty ones too: as if others had objects in them */
	uint64_t jiffies;             /* the clock of the tracks; the caller moves it */
	const char *(*site_name)(void *arg, uint64_t addr); /* %pS for reports, NULL: in hex */
	void *site_arg;
	uint64_t reports;             /* BUG lines so far */
	bool tainted;                 /* by the first of them */
};

/*
 * A heap whose caches check with @variant; NULL: nothing is checked.  @kernel is copied.
 * @stack_depth: frames of a caller's stack that U hashes and keeps, 0 for none.
 */
struct slub_heap *slub_heap_new(const struct check_variant *variant,
				const struct slub_kernel *kernel, unsigned int stack_depth);
void slub_heap_free(struct slub_heap *heap);

/* Forget every object at once; memory stays with the heap, so that a second run needs none. */
void slub_heap_reset(struct slub_heap *heap);

/* Have pages for @bytes more of slabs, touched, so that their first use costs no page fault. */
void slub_heap_reserve(struct slub_heap *heap, size_t bytes);

/*
 * A cache of @spec; @debug: its enum slub_flag debug letters.  NULL after a complaint when the
 * kernel could not make it.  It lives as long as the heap.
 */
struct slab_cache *slab_cache_new(struct slub_heap *heap, const struct slub_cache_spec *spec,
				  unsigned int debug);

struct slub_object {
	uint8_t *bytes;
	struct slub_slab *slab;
};

/*
 * kmem_cache_alloc(), or kmalloc() of @requested bytes.  A free object that fails its checks is
 * reported, and with it the whole slab is taken out of use; the next one is tried.  Nothing, all
 * NULL, when that befalls a slab just made: a check that finds fault there would find it for ever.
 */
struct slub_object slub_alloc(struct slab_cache *cache, size_t requested,
			      const struct slub_caller *caller);

/*
 * kmem_cache_free(), or kfree() where @object is nothing.  False when a check failed: reported, and
 * the object is never used again.
 */
bool slub_free(struct slub_object object, const struct slub_caller *caller);

/* The free pointer of @object, which set_freepointer() of the kernel wrote. */
static inline uint8_t *slub_freeptr(const struct slab_cache *cache, const uint8_t *object)
{
	uint8_t *next;

	__builtin_memcpy(&next, object + cache->layout.offset, sizeof(next));
	return next;
}

static inline void slub_set_freeptr(const struct slab_cache *cache, uint8_t *object, uint8_t *next)
{
	__builtin_memcpy(object + cache->layout.offset, &next, sizeof(next));
}

/*
 * check_valid_pointer(): NULL, or the first byte of an object of the slab.  The kernel divides by
 * the size; this multiplies (Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019).
 */
static inline bool slub_object_valid(const struct slab_cache *cache, const struct slub_slab *slab,
				     const uint8_t *object)
{
	uint64_t at = (uintptr_t)object - (uintptr_t)slab->base - cache->layout.red_left_pad;

	if (object == NULL)
		return true;
	return at < cache->span && at * cache->inverse < cache->inverse;
}

#endif /* SLUBBENCH_SLUB_SLAB_H */
