/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caches that most machines have, as an x86-64 kernel of 2025 (Linux 6.18) lists them in
 * /sys/kernel/slab: object_size, align, ctor, destroy_by_rcu.  kmalloc's caches are aligned to the
 * largest power of two that divides their size, which is what such kernels guarantee.
 */
#include <string.h>

#include "layout.h"

#define KMALLOC(NAME, SIZE, ALIGN, REQUESTED) \
	{ { NAME, SIZE, ALIGN, SLUB_KMALLOC, false }, REQUESTED }
#define CACHE(NAME, SIZE, ALIGN, FLAGS) \
	{ { NAME, SIZE, ALIGN, FLAGS, false }, SIZE }
#define CACHE_CTOR(NAME, SIZE, ALIGN, FLAGS) \
	{ { NAME, SIZE, ALIGN, FLAGS, true }, SIZE }

const struct slub_known_cache slub_known_caches[] = {
	KMALLOC("kmalloc-8", 8, 8, 5),
	KMALLOC("kmalloc-16", 16, 16, 12),
	KMALLOC("kmalloc-32", 32, 32, 24),
	KMALLOC("kmalloc-64", 64, 64, 40),
	KMALLOC("kmalloc-96", 96, 32, 80),
	KMALLOC("kmalloc-128", 128, 128, 104),
	KMALLOC("kmalloc-192", 192, 64, 152),
	KMALLOC("kmalloc-256", 256, 256, 200),
	KMALLOC("kmalloc-512", 512, 512, 400),
	KMALLOC("kmalloc-1k", 1024, 1024, 700),
	KMALLOC("kmalloc-2k", 2048, 2048, 1500),
	KMALLOC("kmalloc-4k", 4096, 4096, 3000),
	KMALLOC("kmalloc-8k", 8192, 8192, 6000),
	CACHE("dentry", 192, 8, SLUB_RECLAIM_ACCOUNT | SLUB_ACCOUNT),
	CACHE("buffer_head", 104, 8, SLUB_RECLAIM_ACCOUNT),
	CACHE("kernfs_node_cache", 136, 8, 0),
	CACHE("skbuff_head_cache", 224, 64, SLUB_HWCACHE_ALIGN),
	CACHE("filp", 184, 64, SLUB_HWCACHE_ALIGN | SLUB_TYPESAFE_BY_RCU | SLUB_ACCOUNT),
	CACHE("anon_vma_chain", 64, 8, SLUB_ACCOUNT),
	CACHE("names_cache", 4096, 64, SLUB_HWCACHE_ALIGN),
	CACHE("task_struct", 5840, 64, SLUB_ACCOUNT),
	CACHE_CTOR("ext4_inode_cache", 1120, 8, SLUB_RECLAIM_ACCOUNT | SLUB_ACCOUNT),
	{ { NULL, 0, 0, 0, false }, 0 },
};

const struct slub_known_cache *slub_known_find(const char *name)
{
	for (const struct slub_known_cache *c = slub_known_caches; c->spec.name != NULL; c++)
		if (strcmp(c->spec.name, name) == 0)
			return c;
	return NULL;
}
