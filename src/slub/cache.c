/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Creation of caches and their registration: mm/slab_common.c and mm/slub.c of Linux 6.1. */
#include "slub/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "slub/cache_internal.h"

struct slub_config slub_config_default(void)
{
	struct slub_config config = { .kernel = slub_linux_6_1, .attributes = SLUB_ATTRIBUTES };

	config.kernel.cpus = 1;
	return config;
}

struct slub *slub_caches_new(const struct slub_config *config, struct registry *reg)
{
	struct slub *slub = xcalloc(1, sizeof(*slub));
	char buffer[SLUB_ID_MAX];

	slub->config = config;
	slub->reg = reg;
	slub->state = SLUB_UP;
	slub->attributes = xcalloc(config->attributes, sizeof(*slub->attributes));
	for (unsigned int i = 0; i < config->attributes; i++)
		slub->attributes[i] = xstrdup(slub_attribute_name(i, buffer));
	return slub;
}

void slub_caches_free(struct slub *slub)
{
	if (!slub)
		return;
	for (struct slub_cache *s = slub->newest, *older; s; s = older) {
		older = s->older;
		free(s->name);
		free(s);
	}
	for (struct saved_alias *a = slub->aliases, *next; a; a = next) {
		next = a->next;
		free(a->name);
		free(a);
	}
	for (unsigned int i = 0; i < slub->config->attributes; i++)
		free(slub->attributes[i]);
	free(slub->attributes);
	slub_by_size_free(&slub->mergeable);
	free(slub);
}

enum slub_state slub_state(const struct slub *slub)
{
	return slub->state;
}

size_t slub_n_aliases(const struct slub *slub)
{
	return slub->n_aliases;
}

/* sysfs_slab_add(): where debugging may come and go per cache, none shares its directory. */
static bool own_directory(const struct slub *slub, const struct slub_cache *cache)
{
	const struct slub_debug *debug = &slub->config->debug;

	return slub_unmergeable(cache, debug->nomerge) ||
	       (debug->no_higher_order && (debug->all & SLUB_DEBUG_METADATA));
}

const char *slub_sysfs_name(const struct slub *slub, const struct slub_cache *cache,
			    char id[SLUB_ID_MAX])
{
	if (own_directory(slub, cache))
		return cache->name;
	return slub_unique_id(cache->flags, cache->layout.size, id);
}

/* sysfs_slab_alias() in state FULL: a link of that name may be left from a cache before. */
static int link_alias(struct slub *slub, struct slub_cache *cache, const char *name)
{
	if (!slub->reg->type->files_links)
		return 0;
	if (reg_remove(slub->reg, slub->kset, name, REG_LINK) < 0)
		return -1;
	return reg_make_link(slub->reg, slub->kset, name, cache->dir);
}

/* sysfs_slab_alias() */
static int sysfs_alias(struct slub *slub, struct slub_cache *cache, const char *name)
{
	struct saved_alias *alias;

	if (slub->state == SLUB_FULL) {
		int rc;

		reg_clock(slub->reg);
		rc = link_alias(slub, cache, name);
		reg_clock_stop(slub->reg);
		return rc;
	}
	alias = xcalloc(1, sizeof(*alias));
	alias->cache = cache;
	alias->name = xstrdup(name);
	alias->next = slub->aliases;
	slub->aliases = alias;
	return 0;
}

/* sysfs_slab_add() */
static int sysfs_add(struct slub *slub, struct slub_cache *cache)
{
	bool own = own_directory(slub, cache);
	char id[SLUB_ID_MAX];

	if (own && reg_remove(slub->reg, slub->kset, cache->name, REG_DIRECTORY) < 0)
		return -1;
	cache->dir = reg_make_dir(slub->reg, slub->kset, slub_sysfs_name(slub, cache, id));
	if (!cache->dir)
		return -1;
	if (slub->reg->type->files_links)
		for (unsigned int i = 0; i < slub->config->attributes; i++)
			if (reg_make_file(slub->reg, cache->dir, slub->attributes[i]))
				return -1;
	return own ? 0 : link_alias(slub, cache, cache->name);
}

/* kmem_cache_open(): the layout with the flags of debugging, or without where it would not fit. */
static int lay_out(const struct slub *slub, struct slub_cache *cache,
		   const struct slub_cache_spec *spec)
{
	struct slub_cache_spec with = *spec;
	const struct slub_kernel *kernel = &slub->config->kernel;
	size_t page = kernel->page_size;
	int rc;

	with.flags = slub_debug_flags(&slub->config->debug, spec->flags, spec->name);
	rc = slub_layout_init(&cache->layout, &with, kernel);
	if (!rc && slub->config->debug.no_higher_order && cache->layout.size > page &&
	    cache->layout.size > spec->object_size) {
		while (page < spec->object_size)
			page *= 2;
		if (cache->layout.size > page) {
			with.flags &= ~SLUB_DEBUG_METADATA;
			rc = slub_layout_init(&cache->layout, &with, kernel);
		}
	}
	cache->flags = with.flags;
	return rc;
}

static struct slub_cache *new_cache(struct slub *slub, const struct slub_request *request)
{
	const struct slub_cache_spec *spec = &request->spec;
	struct slub_cache *cache = xcalloc(1, sizeof(*cache));
	int rc = lay_out(slub, cache, spec);

	if (rc) {
		complain("cache '%s' of %u byte%s aligned to %u: %s", spec->name,
			 spec->object_size, plural(spec->object_size), spec->align,
			 rc == -E2BIG ? "no slab holds such an object" : strerror(-rc));
		free(cache);
		return NULL;
	}
	cache->name = xstrdup(spec->name);
	cache->object_size = spec->object_size;
	cache->usersize = request->usersize;
	cache->constructor = spec->constructor;
	cache->refcount = 1;
	cache->older = slub->newest;
	slub->newest = cache;
	if (!slub_unmergeable(cache, slub->config->debug.nomerge))
		slub_by_size_add(&slub->mergeable, cache);
	return cache;
}

/* __kmem_cache_alias(): @cache takes in one more. */
static int add_alias(struct slub *slub, struct slub_cache *cache,
		     const struct slub_cache_spec *spec)
{
	int rc = sysfs_alias(slub, cache, spec->name);

	cache->refcount++;
	if (cache->object_size < spec->object_size)
		cache->object_size = spec->object_size;
	slub->n_aliases++;
	return rc;
}

int slub_create(struct slub *slub, const struct slub_request *request)
{
	const struct slub_config *config = slub->config;
	struct slub_cache *cache = NULL;
	unsigned int flags;
	int rc = 0;

	if (!request->usersize && !config->debug.nomerge) {
		flags = slub_debug_flags(&config->debug, request->spec.flags, request->spec.name);
		cache = slub_find_mergeable(&slub->mergeable, &request->spec, flags,
					    &config->kernel);
	}
	if (cache)
		return add_alias(slub, cache, &request->spec);
	cache = new_cache(slub, request);
	if (!cache)
		return -1;
	if (slub->state == SLUB_FULL) {
		reg_clock(slub->reg);
		rc = sysfs_add(slub, cache);
		reg_clock_stop(slub->reg);
	}
	return rc;
}

/* The aliases of before, the last one first. */
static int link_saved(struct slub *slub)
{
	int rc = 0;

	while (slub->aliases && !rc) {
		struct saved_alias *alias = slub->aliases;

		rc = link_alias(slub, alias->cache, alias->name);
		reg_clock_rest(slub->reg);
		slub->aliases = alias->next;
		free(alias->name);
		free(alias);
	}
	return rc;
}

int slub_sysfs_init(struct slub *slub)
{
	struct registry *reg = slub->reg;
	int rc = 0;

	reg_clock(reg);
	slub->kset = reg_make_dir(reg, reg->type->root(reg), "slab");
	slub->state = SLUB_FULL;
	if (!slub->kset)
		rc = -1;
	for (struct slub_cache *s = slub->newest; s && !rc; s = s->older) {
		rc = sysfs_add(slub, s);
		reg_clock_rest(reg);
	}
	if (!rc)
		rc = link_saved(slub);
	reg_clock_stop(reg);
	return rc;
}
