/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "slub/object.h"
#include "slub/slab.h"
#include "slub/slab_internal.h"

#define SLAB_BLOCK      512u /* struct slub_slab made at a time */
#define MIN_PARTIAL     5u
#define MAX_PARTIAL     10u

static size_t says_clean(const void *buf, uint8_t value, size_t n)
{
	(void)buf;
	(void)value;
	return n;
}

struct slub_heap *slub_heap_new(const struct check_variant *variant,
				const struct slub_kernel *kernel, unsigned int stack_depth)
{
	struct slub_heap *heap = xcalloc(1, sizeof(*heap));

	heap->check = variant == NULL ? says_clean : variant->resolve();
	heap->exact = variant != NULL && variant->kind != CHECK_YES_NO;
	heap->fill = slub_fill_resolve();
	heap->kernel = *kernel;
	heap->stack_depth = stack_depth < SLUB_STACK_MAX ? stack_depth : SLUB_STACK_MAX;
	if (heap->stack_depth != 0)
		heap->depot = slub_depot_new();
	return heap;
}

void slub_heap_free(struct slub_heap *heap)
{
	if (heap == NULL)
		return;
	for (size_t i = 0; i < heap->n_caches; i++) {
		free(heap->caches[i]->name);
		free(heap->caches[i]);
	}
	for (size_t i = 0; i < heap->n_slab_blocks; i++)
		free(heap->slab_blocks[i]);
	slub_pages_free(&heap->pages);
	slub_depot_free(heap->depot);
	free(heap->slab_blocks);
	free(heap->caches);
	free(heap);
}

void slub_heap_reset(struct slub_heap *heap)
{
	for (size_t i = 0; i < heap->n_caches; i++) {
		slub_list_init(&heap->caches[i]->partial);
		heap->caches[i]->nr_partial = 0;
	}
	slub_pages_reset(&heap->pages);
	heap->spare = NULL;
	heap->slabs_used = 0;
}

void slub_heap_reserve(struct slub_heap *heap, size_t bytes)
{
	slub_pages_reserve(&heap->pages, bytes);
}

/* What is checked of object 0, counted from the object, and of the slab. */
static void place_checks(struct slab_cache *cache, enum slub_op op)
{
	const struct slub_layout *l = &cache->layout;
	struct slub_object_check *to = cache->checks[op];
	struct slub_check from[SLUB_CHECKS_MAX];
	/* A size that makes the kmalloc redzone show up; its place is found at run time. */
	size_t n = slub_checks(l, op, 0, 1, from);

	for (size_t i = 0; i < n; i++) {
		struct slub_object_check check = {
			.region = (uint8_t)from[i].region,
			.value = from[i].value,
			.offset = (int32_t)from[i].offset,
			.length = (uint32_t)from[i].length,
		};

		if (check.region == SLUB_SLAB_PADDING) {
			cache->slab_check = check;
			continue;
		}
		check.offset -= (int32_t)l->red_left_pad;
		*to++ = check;
	}
}

static unsigned int log2_of(unsigned int n)
{
	return 31 - (unsigned int)__builtin_clz(n);
}

struct slab_cache *slab_cache_new(struct slub_heap *heap, const struct slub_cache_spec *spec,
				  unsigned int debug)
{
	struct slab_cache *cache = xcalloc(1, sizeof(*cache));
	struct slub_cache_spec with_debug = *spec;
	unsigned int keep;
	int err;

	with_debug.flags |= debug;
	err = slub_layout_init(&cache->layout, &with_debug, &heap->kernel);
	if (err != 0) {
		complain("cache %s of %u byte%s, aligned to %u: %s", spec->name, spec->object_size,
			 plural(spec->object_size), spec->align, err == -E2BIG ? "too big for a slab" :
			 "its size must be above 0 and its alignment a power of two");
		free(cache);
		return NULL;
	}
	cache->heap = heap;
	cache->name = xstrdup(spec->name);
	place_checks(cache, SLUB_ALLOC);
	place_checks(cache, SLUB_FREE);
	cache->inverse = UINT64_MAX / cache->layout.size + 1;
	cache->span = (uint64_t)cache->layout.objects * cache->layout.size;
	slub_list_init(&cache->partial);
	/* set_min_partial(): big objects make dear slabs. */
	keep = log2_of(cache->layout.size) / 2;
	cache->min_partial = keep < MIN_PARTIAL ? MIN_PARTIAL :
			     keep > MAX_PARTIAL ? MAX_PARTIAL : keep;

	heap->caches = xgrow(heap->caches, heap->n_caches, sizeof(*heap->caches));
	heap->caches[heap->n_caches++] = cache;
	return cache;
}

static struct slub_slab *spare_slab(struct slub_heap *heap)
{
	struct slub_slab *slab = heap->spare;
	size_t block = heap->slabs_used / SLAB_BLOCK;

	if (slab != NULL) {
		heap->spare = slab->next;
		return slab;
	}
	if (block == heap->n_slab_blocks) {
		heap->slab_blocks = xgrow(heap->slab_blocks, block, sizeof(*heap->slab_blocks));
		heap->slab_blocks[block] = xcalloc(SLAB_BLOCK, sizeof(**heap->slab_blocks));
		heap->n_slab_blocks++;
	}
	return &heap->slab_blocks[block][heap->slabs_used++ % SLAB_BLOCK];
}

struct slub_slab *slub_slab_new(struct slab_cache *cache)
{
	const struct slub_layout *l = &cache->layout;
	struct slub_slab *slab = spare_slab(cache->heap);
	uint8_t *object;

	slab->cache = cache;
	slab->objects = l->objects;
	slab->inuse = 0;
	slab->base = slub_pages_get(&cache->heap->pages, l->slab_size, &slab->page);
	slab->freelist = slab->base + l->red_left_pad;

	slub_slab_setup(slab);
	object = slab->freelist;
	for (unsigned int i = 1; i < slab->objects; i++, object += l->size)
		slub_set_freeptr(cache, object, object + l->size);
	slub_set_freeptr(cache, object, NULL);
	slub_partial_add(slab, false);
	return slab;
}

void slub_slab_discard(struct slub_slab *slab)
{
	struct slub_heap *heap = slab->cache->heap;

	if (slab->cache->layout.flags & SLUB_CONSISTENCY)
		slub_slab_discard_checks(slab);
	slub_pages_put(&heap->pages, slab->base, slab->cache->layout.slab_size, slab->page);
	slab->next = heap->spare;
	heap->spare = slab;
}
