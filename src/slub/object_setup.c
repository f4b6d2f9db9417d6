/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "slub/fill.h"
#include "slub/object.h"

/* setup_object_debug() */
static void setup_object(const struct slab_cache *cache, uint8_t *object)
{
	const struct slub_layout *l = &cache->layout;

	slub_object_init(cache, object, SLUB_RED_INACTIVE);
	if (l->tracks != 0)
		memset(object + l->tracks, 0, (size_t)2 * l->kernel->track_size);
}

/*
 * The kernel writes 0x5a over all of the slab and then object by object over that.  The slots come
 * out alike, so here one is made and copied, and the bytes are written once.
 */
static void setup_poisoned(const struct slub_slab *slab)
{
	const struct slub_layout *l = &slab->cache->layout;
	const struct slub_fill *fill = &slab->cache->heap->fill;

	slub_fill(fill->many, slab->base, SLUB_POISON_INUSE, l->size);
	setup_object(slab->cache, slab->base + l->red_left_pad);
	slub_repeat(fill->repeat, slab->base, l->size, slab->objects);
	slub_fill(fill->many, slab->base + l->slab_size - l->slab_padding, SLUB_POISON_INUSE,
		  l->slab_padding);
}

void slub_slab_setup(struct slub_slab *slab)
{
	const struct slub_layout *l = &slab->cache->layout;

	if (l->flags & SLUB_POISON) {
		setup_poisoned(slab);
		return;
	}
	if (!(l->flags & (SLUB_STORE_USER | SLUB_RED_ZONE)))
		return;
	for (unsigned int i = 0; i < slab->objects; i++)
		setup_object(slab->cache, slab->base + l->red_left_pad + i * l->size);
}
