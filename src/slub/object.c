/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slub/fill.h"
#include "slub/object.h"
#include "slub/report.h"
#include "slub/slab_internal.h"

/* A failing check of these is mended and forgotten; any other ends the checks of the object. */
static const bool mended_only[N_SLUB_REGIONS] = {
	[SLUB_SLAB_PADDING] = true,
	[SLUB_ALIGNMENT_PADDING] = true,
	[SLUB_OBJECT_PADDING] = true,
};

static uint32_t requested_of(const struct slab_cache *cache, const uint8_t *object)
{
	const struct slub_layout *l = &cache->layout;
	uint32_t requested;

	if (l->orig_size == 0)
		return l->object_size;
	memcpy(&requested, object + l->orig_size, sizeof(requested));
	/* The word may have been overwritten like any other. */
	return requested < l->object_size ? requested : l->object_size;
}

/* set_orig_size(); nothing where the layout keeps none. */
static inline void set_requested(const struct slab_cache *cache, uint8_t *object,
				 size_t requested)
{
	uint32_t word = (uint32_t)requested;

	if (cache->layout.orig_size != 0)
		memcpy(object + cache->layout.orig_size, &word, sizeof(word));
}

/* init_object(): the redzones hold @value, a constant that is known here, the object its poison. */
static inline __attribute__((always_inline)) void init(const struct slab_cache *cache,
						       uint8_t *object, uint8_t value)
{
	const struct slub_layout *l = &cache->layout;
	slub_fill_fn *many = cache->heap->fill.many;
	unsigned int end = l->object_size;

	if (l->flags & SLUB_RED_ZONE) {
		slub_fill(many, object - l->red_left_pad, value, l->red_left_pad);
		/* Linux 6.2: what kmalloc() gave beyond what was asked is redzone as well. */
		if (l->kernel->kmalloc_redzone && value == SLUB_RED_ACTIVE)
			end = requested_of(cache, object);
	}
	if (l->object_poison && end != 0) {
		slub_fill(many, object, SLUB_POISON_FREE, end - 1);
		object[end - 1] = SLUB_POISON_END;
	}
	if (l->flags & SLUB_RED_ZONE)
		slub_fill(many, object + end, value, l->inuse - end);
}

void slub_object_init(const struct slab_cache *cache, uint8_t *object, uint8_t value)
{
	init(cache, object, value);
}

static uint8_t *track_of(const struct slab_cache *cache, const uint8_t *object,
			 enum slub_track_item item)
{
	return (uint8_t *)object + cache->layout.tracks + item * sizeof(struct slub_track);
}

static __attribute__((noinline)) uint32_t save_stack(const struct slub_heap *heap, uint64_t addr)
{
	uint64_t frames[SLUB_STACK_MAX];

	for (unsigned int i = 0; i < heap->stack_depth; i++)
		frames[i] = addr + (uint64_t)i * 0x9e3779b97f4a7c15u;
	return slub_depot_save(heap->depot, frames, heap->stack_depth);
}

/* set_track(), with the stack hashed into the depot where the heap keeps stacks. */
static inline void set_track(const struct slab_cache *cache, uint8_t *object,
			     enum slub_track_item item, const struct slub_caller *caller)
{
	const struct slub_heap *heap = cache->heap;
	struct slub_track *track = (void *)track_of(cache, object, item);

	_Static_assert(sizeof(*track) == 32, "struct track of the kernels modelled");
	track->addr = caller->addr;
	track->handle = heap->depot == NULL ? 0 : save_stack(heap, caller->addr);
	track->cpu = caller->cpu;
	track->pid = caller->pid;
	track->when = heap->jiffies;
}

struct slub_track slub_object_track(const struct slab_cache *cache, const uint8_t *object,
				    enum slub_track_item item)
{
	struct slub_track track;

	memcpy(&track, track_of(cache, object, item), sizeof(track));
	return track;
}

/* The rest of check_bytes_and_report(), once the check @c from @start on found a wrong byte. */
static __attribute__((noinline, cold)) bool mend(struct slub_slab *slab, uint8_t *object,
						 const struct slub_object_check *c, uint8_t *start,
						 size_t fault)
{
	if (!slab->cache->heap->exact)
		for (fault = 0; fault < c->length && start[fault] == c->value;)
			fault++;
	if (fault == c->length)
		return true;
	slub_report_bytes(slab, object, c->region, start, c->value, fault, c->length);
	return mended_only[c->region];
}

/* The check @c, placed from @base: the object, or the slab's first byte for its padding. */
static inline __attribute__((always_inline)) bool ask(struct slub_slab *slab, uint8_t *object,
						      uint8_t *base,
						      const struct slub_object_check *c,
						      check_fn *check)
{
	size_t fault = check(base + c->offset, c->value, c->length);

	return __builtin_expect(fault >= c->length, 1) ||
	       mend(slab, object, c, base + c->offset, fault);
}

/* The one check whose place depends on the object: from the size asked for to its end. */
static __attribute__((noinline)) bool ask_kmalloc(struct slub_slab *slab, uint8_t *object,
						  const struct slub_object_check *c)
{
	uint32_t requested = requested_of(slab->cache, object);
	struct slub_object_check here = *c;

	here.offset = (int32_t)requested;
	here.length = slab->cache->layout.object_size - requested;
	return ask(slab, object, object, &here, slab->cache->heap->check);
}

static inline bool freeptr_good(const struct slab_cache *cache, struct slub_slab *slab,
				uint8_t *object)
{
	if (slub_object_valid(cache, slab, slub_freeptr(cache, object)))
		return true;
	slub_report_object(slab, object, "Freepointer corrupt");
	/* The rest of the free list is lost with it. */
	slub_set_freeptr(cache, object, NULL);
	return false;
}

/* check_object(): @op SLUB_ALLOC asks for an inactive object, SLUB_FREE for an active one. */
static inline __attribute__((always_inline)) bool check_object(struct slub_slab *slab,
							       uint8_t *object, enum slub_op op)
{
	const struct slab_cache *cache = slab->cache;
	check_fn *check = cache->heap->check;

	for (const struct slub_object_check *c = cache->checks[op]; c->length != 0; c++)
		if (op == SLUB_FREE && __builtin_expect(c->region == SLUB_KMALLOC_REDZONE, 0) ?
		    !ask_kmalloc(slab, object, c) : !ask(slab, object, object, c, check))
			return false;
	/* An active object's free pointer may lie under the owner's bytes. */
	if (op == SLUB_FREE && !cache->layout.freeptr_outside)
		return true;
	return freeptr_good(cache, slab, object);
}

/* check_slab() and slab_pad_check(): nothing here stops an operation, the padding is mended. */
static inline void check_slab(struct slub_slab *slab)
{
	const struct slab_cache *cache = slab->cache;

	if (cache->slab_check.length != 0)
		ask(slab, NULL, slab->base, &cache->slab_check, cache->heap->check);
}

/* The free list leaves the slab behind @last, or, NULL, at once: cut it off there. */
static __attribute__((cold)) void cut_freelist(struct slub_slab *slab, uint8_t *last)
{
	if (last != NULL) {
		slub_report_object(slab, last, "Freechain corrupt");
		slub_set_freeptr(slab->cache, last, NULL);
		return;
	}
	slub_report_slab(slab, "Freepointer corrupt");
	slab->freelist = NULL;
	slab->inuse = slab->objects;
	slub_report_fix(slab, "Freelist cleared");
}

/*
 * on_freelist(): the whole list is walked, which is why F costs what it does.  A list that leaves
 * the slab is cut off, and a wrong count set right.
 */
static inline bool on_freelist(struct slub_slab *slab, const uint8_t *object)
{
	const struct slab_cache *cache = slab->cache;
	const unsigned int objects = slab->objects;
	uint8_t *last = NULL, *at = slab->freelist;
	unsigned int n = 0;

	while (at != NULL && at != object && n <= objects && slub_object_valid(cache, slab, at)) {
		last = at;
		at = slub_freeptr(cache, at);
		n++;
	}
	if (at == object)
		return true;
	if (__builtin_expect(at != NULL && n <= objects, 0)) {
		cut_freelist(slab, last);
		if (last == NULL)
			return false;
	}
	if (n <= objects && __builtin_expect(slab->inuse != objects - n, 0)) {
		slub_report_slab(slab, "Wrong object count. Counter is %u but counted were %u",
				 slab->inuse, objects - n);
		slab->inuse = objects - n;
		slub_report_fix(slab, "Object count adjusted");
	}
	return false;
}

static inline bool alloc_checks(struct slub_slab *slab, uint8_t *object, bool valid)
{
	check_slab(slab);
	if (!valid) {
		/* Later kernels do not print the object: it may be anywhere. */
		slub_report_slab(slab, "Freelist Pointer check fails");
		return false;
	}
	return check_object(slab, object, SLUB_ALLOC);
}

static inline bool free_checks(struct slub_slab *slab, uint8_t *object, bool valid)
{
	check_slab(slab);
	if (!valid) {
		slub_report_slab(slab, "Invalid object pointer 0x%016jx",
				 (uintmax_t)slub_report_address(slab, object));
		return false;
	}
	if (on_freelist(slab, object)) {
		slub_report_object(slab, object, "Object already free");
		return false;
	}
	return check_object(slab, object, SLUB_FREE);
}

/*
 * alloc_debug_processing() and what follows it: the checks, then the patterns of an object in use.
 * False when the object is no good, and nothing was written.
 */
static inline bool alloc_debug(struct slub_slab *slab, uint8_t *object, bool valid,
			       size_t requested)
{
	const struct slab_cache *cache = slab->cache;

	if ((cache->layout.flags & SLUB_CONSISTENCY) && !alloc_checks(slab, object, valid))
		return false;
	set_requested(cache, object, requested);
	init(cache, object, SLUB_RED_ACTIVE);
	return true;
}

/* free_debug_processing() for one object: checks, who frees, the patterns of a free object. */
static inline bool free_debug(struct slub_slab *slab, uint8_t *object, bool valid,
			      const struct slub_caller *caller)
{
	const struct slab_cache *cache = slab->cache;

	if ((cache->layout.flags & SLUB_CONSISTENCY) && !free_checks(slab, object, valid)) {
		slub_report_fix(slab, "Object at 0x%016jx not freed",
				(uintmax_t)slub_report_address(slab, object));
		return false;
	}
	if (cache->layout.flags & SLUB_STORE_USER)
		set_track(cache, object, SLUB_TRACK_FREE, caller);
	init(cache, object, SLUB_RED_INACTIVE);
	return true;
}

void slub_slab_discard_checks(struct slub_slab *slab)
{
	uint8_t *object = slab->base + slab->cache->layout.red_left_pad;

	check_slab(slab);
	for (unsigned int i = 0; i < slab->objects; i++, object += slab->cache->layout.size)
		check_object(slab, object, SLUB_ALLOC);
}

/* An object of it failed its checks: all the others are full of what nobody will ever get. */
static void take_out_of_use(struct slub_slab *slab)
{
	slub_report_fix(slab, "Marking all objects used");
	slab->inuse = slab->objects;
	slab->freelist = NULL;
	slub_partial_remove(slab);
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
			slab = slub_slab_new(cache);
			fresh = true;
		}
		object = slab->freelist;
		/* A free list that was cut short by a report leaves a slab with nothing in it. */
		if (__builtin_expect(object == NULL, 0)) {
			slub_partial_remove(slab);
			continue;
		}
		/* alloc_single_from_partial(): off the list first, then looked at. */
		valid = !debug || slub_object_valid(cache, slab, object);
		if (valid)
			slab->freelist = slub_freeptr(cache, object);
		slab->inuse++;
		if (!debug || alloc_debug(slab, object, valid, requested))
			break;
		take_out_of_use(slab);
		/* The kernel takes the next pages, until there are none and it returns NULL. */
		if (fresh)
			return (struct slub_object){ 0 };
	}
	if (slab->inuse == slab->objects)
		slub_partial_remove(slab);
	if (cache->layout.flags & SLUB_STORE_USER)
		set_track(cache, object, SLUB_TRACK_ALLOC, caller);
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
	if (debug && !free_debug(slab, object.bytes, valid, caller))
		return false;

	was_full = slab->inuse == slab->objects;
	slub_set_freeptr(cache, object.bytes, slab->freelist);
	slab->freelist = object.bytes;
	slab->inuse--;
	if (slab->inuse == 0 && cache->nr_partial >= cache->min_partial &&
	    !cache->heap->keep_slabs) {
		if (!was_full)
			slub_partial_remove(slab);
		slub_slab_discard(slab);
	} else if (was_full) {
		slub_partial_add(slab, true);
	}
	return true;
}
