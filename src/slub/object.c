/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slub/object.h"
#include "slub/report.h"

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

void slub_object_set_requested(const struct slab_cache *cache, uint8_t *object, size_t requested)
{
	uint32_t word = (uint32_t)requested;

	if (cache->layout.orig_size != 0)
		memcpy(object + cache->layout.orig_size, &word, sizeof(word));
}

void slub_object_init(const struct slab_cache *cache, uint8_t *object, uint8_t value)
{
	const struct slub_layout *l = &cache->layout;
	unsigned int end = l->object_size;

	if (l->flags & SLUB_RED_ZONE) {
		memset(object - l->red_left_pad, value, l->red_left_pad);
		/* Linux 6.2: what kmalloc() gave beyond what was asked is redzone as well. */
		if (l->kernel->kmalloc_redzone && value == SLUB_RED_ACTIVE)
			end = requested_of(cache, object);
	}
	if (l->object_poison && end != 0) {
		memset(object, SLUB_POISON_FREE, end - 1);
		object[end - 1] = SLUB_POISON_END;
	}
	if (l->flags & SLUB_RED_ZONE)
		memset(object + end, value, l->inuse - end);
}

void slub_slab_setup(struct slub_slab *slab)
{
	const struct slab_cache *cache = slab->cache;
	const struct slub_layout *l = &cache->layout;
	uint8_t *object = slab->base + l->red_left_pad;

	if (l->flags & SLUB_POISON)
		memset(slab->base, SLUB_POISON_INUSE, l->slab_size);
	if (!(l->flags & (SLUB_STORE_USER | SLUB_RED_ZONE)) && !l->object_poison)
		return;
	for (unsigned int i = 0; i < slab->objects; i++, object += l->size) {
		slub_object_init(cache, object, SLUB_RED_INACTIVE);
		if (l->tracks != 0)
			memset(object + l->tracks, 0, (size_t)2 * l->kernel->track_size);
	}
}

static uint8_t *track_of(const struct slab_cache *cache, const uint8_t *object,
			 enum slub_track_item item)
{
	return (uint8_t *)object + cache->layout.tracks + item * sizeof(struct slub_track);
}

void slub_object_set_track(const struct slab_cache *cache, uint8_t *object,
			   enum slub_track_item item, const struct slub_caller *caller)
{
	const struct slub_heap *heap = cache->heap;
	struct slub_track track = {
		.addr = caller->addr,
		.cpu = caller->cpu,
		.pid = caller->pid,
		.when = heap->jiffies,
	};

	_Static_assert(sizeof(struct slub_track) == 32, "struct track of the kernels modelled");
	if (heap->depot != NULL) {
		uint64_t frames[SLUB_STACK_MAX];

		for (unsigned int i = 0; i < heap->stack_depth; i++)
			frames[i] = caller->addr + (uint64_t)i * 0x9e3779b97f4a7c15u;
		track.handle = slub_depot_save(heap->depot, frames, heap->stack_depth);
	}
	memcpy(track_of(cache, object, item), &track, sizeof(track));
}

struct slub_track slub_object_track(const struct slab_cache *cache, const uint8_t *object,
				    enum slub_track_item item)
{
	struct slub_track track;

	memcpy(&track, track_of(cache, object, item), sizeof(track));
	return track;
}

bool slub_object_valid(const struct slub_slab *slab, const uint8_t *object)
{
	const struct slub_layout *l = &slab->cache->layout;
	uintptr_t at = (uintptr_t)object - (uintptr_t)slab->base - l->red_left_pad;

	if (object == NULL)
		return true;
	return at < (uintptr_t)slab->objects * l->size && (uint32_t)at % l->size == 0;
}

/* check_bytes_and_report() */
static bool hold(struct slub_slab *slab, uint8_t *object, enum slub_region region, uint8_t *start,
		 uint8_t value, size_t length)
{
	size_t fault = slab->cache->heap->check(start, value, length);

	if (__builtin_expect(fault >= length, 1))
		return true;
	if (!slab->cache->heap->exact)
		for (fault = 0; fault < length && start[fault] == value;)
			fault++;
	if (fault == length)
		return true;
	slub_report_bytes(slab, object, region, start, value, fault, length);
	return mended_only[region];
}

static bool freeptr_good(struct slub_slab *slab, uint8_t *object)
{
	if (slub_object_valid(slab, slub_freeptr(slab->cache, object)))
		return true;
	slub_report_object(slab, object, "Freepointer corrupt");
	/* The rest of the free list is lost with it. */
	slub_set_freeptr(slab->cache, object, NULL);
	return false;
}

/* check_object(): @op SLUB_ALLOC asks for an inactive object, SLUB_FREE for an active one. */
static bool check_object(struct slub_slab *slab, uint8_t *object, enum slub_op op)
{
	const struct slab_cache *cache = slab->cache;
	const struct slub_object_checks *checks = &cache->checks[op];

	for (unsigned int i = 0; i < checks->n; i++) {
		const struct slub_object_check *c = &checks->list[i];
		uint8_t *start = object + c->offset;
		uint32_t length = c->length;

		/* The one check whose place depends on the object. */
		if (c->region == SLUB_KMALLOC_REDZONE) {
			start = object + requested_of(cache, object);
			length = (uint32_t)(object + cache->layout.object_size - start);
		}
		if (!hold(slab, object, c->region, start, c->value, length))
			return false;
	}
	/* An active object's free pointer may lie under the owner's bytes. */
	if (!cache->layout.freeptr_outside && op == SLUB_FREE)
		return true;
	return freeptr_good(slab, object);
}

/* check_slab() and slab_pad_check(): nothing here stops an operation, the padding is mended. */
static void check_slab(struct slub_slab *slab)
{
	const struct slub_layout *l = &slab->cache->layout;

	if ((l->flags & SLUB_POISON) && l->slab_padding != 0)
		hold(slab, NULL, SLUB_SLAB_PADDING, slab->base + l->slab_size - l->slab_padding,
		     SLUB_POISON_INUSE, l->slab_padding);
}

/*
 * on_freelist(): the whole list is walked, which is why F costs what it does.  A list that leaves
 * the slab is cut off, and a wrong count set right.
 */
static bool on_freelist(struct slub_slab *slab, const uint8_t *object)
{
	uint8_t *last = NULL, *at = slab->freelist;
	unsigned int n = 0;

	while (at != NULL && n <= slab->objects) {
		if (at == object)
			return true;
		if (!slub_object_valid(slab, at)) {
			if (last == NULL) {
				slub_report_slab(slab, "Freepointer corrupt");
				slab->freelist = NULL;
				slab->inuse = slab->objects;
				slub_report_fix(slab, "Freelist cleared");
				return false;
			}
			slub_report_object(slab, last, "Freechain corrupt");
			slub_set_freeptr(slab->cache, last, NULL);
			break;
		}
		last = at;
		at = slub_freeptr(slab->cache, at);
		n++;
	}
	if (n <= slab->objects && slab->inuse != slab->objects - n) {
		slub_report_slab(slab, "Wrong object count. Counter is %u but counted were %u",
				 slab->inuse, slab->objects - n);
		slab->inuse = slab->objects - n;
		slub_report_fix(slab, "Object count adjusted");
	}
	return false;
}

bool slub_object_alloc_checks(struct slub_slab *slab, uint8_t *object)
{
	check_slab(slab);
	if (!slub_object_valid(slab, object)) {
		/* Later kernels do not print the object: it may be anywhere. */
		slub_report_slab(slab, "Freelist Pointer check fails");
		return false;
	}
	return check_object(slab, object, SLUB_ALLOC);
}

bool slub_object_free_checks(struct slub_slab *slab, uint8_t *object)
{
	check_slab(slab);
	if (!slub_object_valid(slab, object)) {
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

void slub_slab_discard_checks(struct slub_slab *slab)
{
	uint8_t *object = slab->base + slab->cache->layout.red_left_pad;

	check_slab(slab);
	for (unsigned int i = 0; i < slab->objects; i++, object += slab->cache->layout.size)
		check_object(slab, object, SLUB_ALLOC);
}
