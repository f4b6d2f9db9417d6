/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "slub/slab_pages.h"

#define CHUNK     ((size_t)2 << 20)
#define PAGE_SIZE 4096u

static struct slub_chunk *add_chunk(struct slub_pages *pages, size_t size)
{
	struct slub_chunk *chunk;
	uint64_t page = 0;

	if (size < CHUNK)
		size = CHUNK;
	if (pages->n_chunks > 0) {
		const struct slub_chunk *last = &pages->chunks[pages->n_chunks - 1];

		page = last->page + last->size / PAGE_SIZE;
	}
	pages->chunks = xgrow(pages->chunks, pages->n_chunks, sizeof(*pages->chunks));
	chunk = &pages->chunks[pages->n_chunks];
	chunk->page = page;
	chunk->size = size;
	if (posix_memalign((void **)&chunk->bytes, size, size) != 0) {
		complain("no memory for %zu bytes of slabs", size);
		exit(STATUS_INPUT);
	}
	/* Advice: where it is not taken, small pages do as well. */
	(void)madvise(chunk->bytes, size, MADV_HUGEPAGE);
	/* Page faults belong to nobody's measurement. */
	memset(chunk->bytes, 0, size);
	pages->n_chunks++;
	return chunk;
}

static unsigned int order_of(size_t size)
{
	return (unsigned int)__builtin_ctzll(size / PAGE_SIZE);
}

uint8_t *slub_pages_get(struct slub_pages *pages, size_t size, uint64_t *page)
{
	unsigned int order = order_of(size);
	uint8_t *bytes = pages->unused[order];

	if (bytes != NULL) {
		memcpy(&pages->unused[order], bytes, sizeof(pages->unused[order]));
		memcpy(page, bytes + sizeof(pages->unused[order]), sizeof(*page));
		return bytes;
	}
	for (;; pages->current++, pages->used = 0) {
		struct slub_chunk *chunk;
		size_t at = (pages->used + size - 1) & ~(size - 1);

		if (pages->current == pages->n_chunks)
			add_chunk(pages, size);
		chunk = &pages->chunks[pages->current];
		/* A chunk is aligned to its own size, so it holds slabs up to that. */
		if (at + size > chunk->size)
			continue;
		pages->used = at + size;
		*page = chunk->page + at / PAGE_SIZE;
		return chunk->bytes + at;
	}
}

void slub_pages_put(struct slub_pages *pages, uint8_t *bytes, size_t size, uint64_t page)
{
	unsigned int order = order_of(size);

	memcpy(bytes, &pages->unused[order], sizeof(pages->unused[order]));
	memcpy(bytes + sizeof(pages->unused[order]), &page, sizeof(page));
	pages->unused[order] = bytes;
}

void slub_pages_reserve(struct slub_pages *pages, size_t size)
{
	size_t spare = 0;

	for (size_t i = pages->current; i < pages->n_chunks; i++)
		spare += pages->chunks[i].size;
	spare -= spare > pages->used ? pages->used : spare;
	for (; spare < size; spare += CHUNK)
		add_chunk(pages, CHUNK);
}

void slub_pages_reset(struct slub_pages *pages)
{
	pages->current = 0;
	pages->used = 0;
	memset(pages->unused, 0, sizeof(pages->unused));
}

void slub_pages_free(struct slub_pages *pages)
{
	for (size_t i = 0; i < pages->n_chunks; i++)
		free(pages->chunks[i].bytes);
	free(pages->chunks);
	memset(pages, 0, sizeof(*pages));
}
