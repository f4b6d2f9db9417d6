/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "slub/object.h"
#include "slub/report.h"
#include "slub/slab.h"

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

static void list_init(struct slub_slab *list)
{
	list->prev = list->next = list;
}

static void list_add(struct slub_slab *slab, struct slub_slab *before, struct slub_slab *after)
{
	slab->prev = before;
	slab->next = after;
	before->next = after->prev = slab;
}

void slub_heap_reset(struct slub_heap *heap)
{
	for (size_t i = 0; i < heap->n_caches; i++) {
		list_init(&heap->caches[i]->partial);
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
		complain("cache %s of %u bytes, aligned to %u: %s", spec->name, spec->object_size,
			 spec->align, err == -E2BIG ? "too big for a slab" :
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
	list_init(&cache->partial);
	/* set_min_partial(): big objects make dear slabs. */
	keep = log2_of(cache->layout.size) / 2;
	cache->min_partial = keep < MIN_PARTIAL ? MIN_PARTIAL :
			     keep > MAX_PARTIAL ? MAX_PARTIAL : keep;

	heap->caches = xgrow(heap->caches, heap->n_caches, sizeof(*heap->caches));
	heap->caches[heap->n_caches++] = cache;
	return cache;
}

static void partial_add(struct slub_slab *slab, bool tail)
{
	struct slub_slab *list = &slab->cache->partial;

	if (tail)
		list_add(slab, list->prev, list);
	else
		list_add(slab, list, list->next);
	slab->cache->nr_partial++;
}

static void partial_remove(struct slub_slab *slab)
{
	slab->prev->next = slab->next;
	slab->next->prev = slab->prev;
	slab->cache->nr_partial--;
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

/* allocate_slab(), without the random free list that a hardened kernel has. */
static struct slub_slab *new_slab(struct slab_cache *cache)
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
	partial_add(slab, false);
	return slab;
}

/* discard_slab(), __free_slab() */
static void discard_slab(struct slub_slab *slab)
{
	struct slub_heap *heap = slab->cache->heap;

	if (slab->cache->layout.flags & SLUB_CONSISTENCY)
		slub_slab_discard_checks(slab);
	slub_pages_put(&heap->pages, slab->base, slab->cache->layout.slab_size, slab->page);
	slab->next = heap->spare;
	heap->spare = slab;
}

/* An object of it failed its checks: all the others are full of what nobody will ever get. */
static void take_out_of_use(struct slub_slab *slab)
{
	slub_report_fix(slab, "Marking all objects used");
	slab->inuse = slab->objects;
	slab->freelist = NULL;
	partial_remove(slab);
}

struct slub_object slub_alloc(struct slab_cache *cache, size_t requested,
			      const struct slub_caller *caller)
{
	const bool debug = (cache->layout.flags & SLUB_DEBUG_FLAGS) != 0;
	struct slub_slab *slab;
	uint8_t *object;
	bool valid, fresh = false;

	for (;;) {
		slab = cache->partial.next;
		if (slab == &cache->partial) {
			slab = new_slab(cache);
			fresh = true;
		}
		object = slab->freelist;
		/* A free list that was cut short by a report leaves a slab with nothing in it. */
		if (__builtin_expect(object == NULL, 0)) {
			partial_remove(slab);
			continue;
		}
		/* alloc_single_from_partial(): off the list first, then looked at. */
		valid = !debug || slub_object_valid(cache, slab, object);
		if (valid)
			slab->freelist = slub_freeptr(cache, object);
		slab->inuse++;
		if (!debug || slub_object_alloc_debug(slab, object, valid, requested))
			break;
		take_out_of_use(slab);
		/* The kernel takes the next pages, until there are none and it returns NULL. */
		if (fresh)
			return (struct slub_object){ 0 };
	}
	if (slab->inuse == slab->objects)
		partial_remove(slab);
	if (cache->layout.flags & SLUB_STORE_USER)
		slub_object_set_track(cache, object, SLUB_TRACK_ALLOC, caller);
	return (struct slub_object){ .bytes = object, .slab = slab };
}

bool slub_free(struct slub_object object, const struct slub_caller *caller)
{
	struct slub_slab *slab = object.slab;
	struct slab_cache *cache;
	bool debug, valid, was_full;

	if (__builtin_expect(slab == NULL, 0))
		return true;
	cache = slab->cache;
	debug = (cache->layout.flags & SLUB_DEBUG_FLAGS) != 0;
	valid = !debug || slub_object_valid(cache, slab, object.bytes);

	/* slab_free_freelist_hook() makes a list of one, before anything is checked. */
	if (valid)
		slub_set_freeptr(cache, object.bytes, NULL);
	if (debug && !slub_object_free_debug(slab, object.bytes, valid, caller))
		return false;

	was_full = slab->inuse == slab->objects;
	slub_set_freeptr(cache, object.bytes, slab->freelist);
	slab->freelist = object.bytes;
	slab->inuse--;
	if (slab->inuse == 0 && cache->nr_partial >= cache->min_partial &&
	    !cache->heap->keep_slabs) {
		if (!was_full)
			partial_remove(slab);
		discard_slab(slab);
	} else if (was_full) {
		partial_add(slab, true);
	}
	return true;
}
