/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What SLUB's debugging does to one object: patterns written, patterns checked, owners recorded.
 * Linux 6.1, mm/slub.c; each function names the one that it follows.
 */
#ifndef SLUBBENCH_SLUB_OBJECT_H
#define SLUBBENCH_SLUB_OBJECT_H

#include "slub/slab.h"

/* A new slab: setup_slab_debug(), and setup_object_debug() for each of its objects. */
void slub_slab_setup(struct slub_slab *slab);

/* init_object(): the redzones hold @value, the object its poison. */
void slub_object_init(const struct slab_cache *cache, uint8_t *object, uint8_t value);

/* The track of @object that @item names. */
struct slub_track slub_object_track(const struct slab_cache *cache, const uint8_t *object,
				    enum slub_track_item item);

/* What __free_slab() asks before the pages go: the slab's padding and every object. */
void slub_slab_discard_checks(struct slub_slab *slab);

/*
 * Stacks of callers, each kept once: lib/stackdepot.c in small.  User space has no kernel stack
 * to unwind, so the frames are made up from the caller's address; hashing, looking up and
 * comparing them is real.
 */
struct slub_depot *slub_depot_new(void);
void slub_depot_free(struct slub_depot *depot);
uint32_t slub_depot_save(struct slub_depot *depot, const uint64_t *frames, unsigned int n);
/* The frames of @handle; their number, 0 for none. */
unsigned int slub_depot_fetch(const struct slub_depot *depot, uint32_t handle,
			      const uint64_t **frames);

#define SLUB_STACK_MAX 16 /* TRACK_ADDRS_COUNT */

#endif /* SLUBBENCH_SLUB_OBJECT_H */
