/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readers of the descriptions that people write: which initcalls a kernel has (boot-1) and which
 * caches (caches-1).  data/boards/README.md and data/caches/README.md tell the columns.
 */
#ifndef SLUBBENCH_BOOT_CSV_H
#define SLUBBENCH_BOOT_CSV_H

#include <stddef.h>

#include "boot/boot.h"
#include "slub/cache.h"

/* created_by of the caches that are there before the first initcall. */
#define CREATED_BY_START_KERNEL "(start_kernel)"
#define CACHE_ROWS_MAX 1000000u

struct cache_row {
	struct slub_request request; /* request.spec.name belongs to the row */
	char *created_by;            /* an initcall, "journal_init#2" the second of that name */
	unsigned int line;
};

/* The caches of a kernel in the order in which they are created. */
struct cache_set {
	char *name;             /* of the file, or of what is compiled in */
	struct cache_row *rows;
	size_t n;
	size_t *slots;          /* hash table over the names: row + 1 */
	size_t n_slots;
};

/*
 * Read the set called @name: one that is compiled in ("linux-6.1"), else a file.  0, or -1 after a
 * complaint that starts with @what or names file and line: a cache that is there twice, a size of
 * 0, an alignment that is no power of two, an unknown flag, more than CACHE_ROWS_MAX rows.
 */
int cache_set_read(const char *what, const char *name, struct cache_set **out);
void cache_set_free(struct cache_set *set);
const struct cache_row *cache_set_find(const struct cache_set *set, const char *name);

/* Keep the rows for which @keep says so. */
void cache_set_filter(struct cache_set *set,
		      bool (*keep)(const struct cache_row *row, const void *arg), const void *arg);

/* Is a set of that name compiled in? */
bool cache_set_shipped(const char *name);

/*
 * Read the board called @name: one that is compiled in ("patch-2022"), else a file.  The rows are
 * in link order; each initcall's caches must be in @caches, and no two may create the same.
 */
int board_read(const char *what, const char *name, const struct cache_set *caches,
	       struct boot **out);

#endif /* SLUBBENCH_BOOT_CSV_H */
