/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages for slabs.  Chunks of 2 MiB, huge pages where the system gives them, as the kernel's own
 * map of memory has; slabs are aligned to their size and reused by size.
 */
#ifndef SLUBBENCH_SLUB_SLAB_PAGES_H
#define SLUBBENCH_SLUB_SLAB_PAGES_H

#include <stddef.h>
#include <stdint.h>

#define SLUB_PAGE_ORDERS 24

struct slub_chunk {
	uint8_t *bytes;
	size_t size;
	uint64_t page; /* the pages of the chunks before it */
};

struct slub_pages {
	struct slub_chunk *chunks;
	size_t n_chunks, current;           /* chunks below current are full */
	size_t used;                        /* bytes of the current one */
	uint8_t *unused[SLUB_PAGE_ORDERS];  /* given back, by the logarithm of their size */
};

/* @size, a power of two, bytes aligned to @size; *@page: their place in the order of pages. */
uint8_t *slub_pages_get(struct slub_pages *pages, size_t size, uint64_t *page);
void slub_pages_put(struct slub_pages *pages, uint8_t *bytes, size_t size, uint64_t page);

/* Touch chunks for @size bytes beyond what is used. */
void slub_pages_reserve(struct slub_pages *pages, size_t size);

/* All pages are unused again; their memory is kept. */
void slub_pages_reset(struct slub_pages *pages);
void slub_pages_free(struct slub_pages *pages);

#endif /* SLUBBENCH_SLUB_SLAB_PAGES_H */
