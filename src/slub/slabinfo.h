/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/slabinfo of a real machine: which caches there are and how many objects of each are live.
 *
 * Versions 2.1, 2.0 and the 1.1 of Linux 2.2 to 2.5.  A cache of a memory cgroup, "dentry(12:foo)",
 * counts with the cache that it is a part of.
 */
#ifndef SLUBBENCH_SLUB_SLABINFO_H
#define SLUBBENCH_SLUB_SLABINFO_H

#include <stddef.h>
#include <stdint.h>

#include "slub/layout.h"

struct slabinfo_cache {
	char *name;
	uint64_t active;   /* objects in use */
	unsigned int size; /* bytes of a slot, as the machine laid it out */
};

struct slabinfo {
	struct slabinfo_cache *list;
	size_t n;
};

/*
 * Read @path, "-" for stdin.  0, or -1 after a complaint with file and line: it cannot be read,
 * has no version line, or a row lacks its numbers.  Free it with slabinfo_free() either way.
 */
int slabinfo_read(const char *path, struct slabinfo *info);
void slabinfo_free(struct slabinfo *info);

/*
 * What the cache was probably made with: the spec of the known cache of that name where its size
 * fits, else the object as large as the slot, aligned to 64 where that divides it.  Inodes, by
 * their name, have a constructor.
 */
struct slub_cache_spec slabinfo_spec(const struct slabinfo_cache *cache,
				     const struct slub_kernel *kernel);

#endif /* SLUBBENCH_SLUB_SLABINFO_H */
