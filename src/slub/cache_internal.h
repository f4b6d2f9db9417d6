/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the allocator share. */
#ifndef SLUBBENCH_SLUB_CACHE_INTERNAL_H
#define SLUBBENCH_SLUB_CACHE_INTERNAL_H

#include "slub/cache.h"

/* struct saved_alias: an alias from before sysfs was there. */
struct saved_alias {
	struct slub_cache *cache;
	char *name;
	struct saved_alias *next;
};

struct slub {
	const struct slub_config *config;
	struct registry *reg;
	struct reg_dir *kset; /* /sys/kernel/slab */
	enum slub_state state;
	struct slub_cache *newest;
	struct slub_by_size mergeable;
	struct saved_alias *aliases; /* the last one first */
	char **attributes;
	size_t n_aliases;
};

#endif /* SLUBBENCH_SLUB_CACHE_INTERNAL_H */
