/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "slub/trace_caches.h"

/* kmalloc's caches: kmalloc_info[] of mm/slab_common.c. */
static const struct bucket {
	uint32_t size;
	const char *name;
} buckets[] = {
	{ 8, "kmalloc-8" },     { 16, "kmalloc-16" },   { 32, "kmalloc-32" },
	{ 64, "kmalloc-64" },   { 96, "kmalloc-96" },   { 128, "kmalloc-128" },
	{ 192, "kmalloc-192" }, { 256, "kmalloc-256" }, { 512, "kmalloc-512" },
	{ 1024, "kmalloc-1k" }, { 2048, "kmalloc-2k" }, { 4096, "kmalloc-4k" },
	{ 8192, "kmalloc-8k" },
};
#define N_BUCKETS (sizeof(buckets) / sizeof(buckets[0]))

static const struct bucket *bucket_of(uint32_t size)
{
	for (size_t i = 0; i < N_BUCKETS; i++)
		if (size <= buckets[i].size)
			return &buckets[i];
	return NULL;
}

static bool is_bucket(uint32_t size)
{
	const struct bucket *bucket = bucket_of(size);

	return bucket != NULL && bucket->size == size;
}

int trace_caches_number(struct trace_caches *caches, bool kmalloc, uint32_t requested,
			uint32_t allocated)
{
	struct trace_cache want = { .kmalloc = kmalloc, .object_size = requested,
				    .size = allocated };
	struct trace_cache *c;

	if (kmalloc) {
		/* A kernel that traced itself under slub_debug gives the size with all of that. */
		want.object_size = is_bucket(allocated) ? allocated : bucket_of(requested)->size;
		want.size = want.object_size;
	}
	for (size_t tried = 0; tried < caches->n; tried++) {
		size_t i = (caches->last + tried) % caches->n;

		c = &caches->list[i];
		if (c->kmalloc == want.kmalloc && c->object_size == want.object_size &&
		    c->size == want.size) {
			caches->last = i;
			return (int)i;
		}
	}
	if (caches->n == TRACE_CACHES_MAX)
		return -1;
	caches->list = xgrow(caches->list, caches->n, sizeof(*caches->list));
	c = &caches->list[caches->n];
	*c = want;
	if (kmalloc)
		c->name = xstrdup(bucket_of(want.size)->name);
	else
		snprintf(c->label, sizeof(c->label), "cache-%u/%u", want.object_size, want.size);
	caches->last = caches->n++;
	return (int)caches->last;
}

void trace_caches_name(struct trace_caches *caches, size_t i, const char *name, size_t n)
{
	if (caches->list[i].name == NULL && memchr(name, '\0', n) == NULL)
		caches->list[i].name = xstrndup(name, n < 63 ? n : 63);
}

/* Does this alignment, with or without a constructor, lead to the size that the trace has? */
static bool leads_to(const struct trace_cache *c, unsigned int align, bool constructor,
		     const struct slub_kernel *kernel)
{
	const struct slub_cache_spec spec = { NULL, c->object_size, align, 0, constructor };
	struct slub_layout l;

	return slub_layout_init(&l, &spec, kernel) == 0 && l.size == c->size;
}

/* Why an object takes more than its size, the usual reasons first: SLAB_HWCACHE_ALIGN, a ctor. */
static const struct {
	unsigned int align;
	bool constructor;
} guesses[] = {
	{ 8, false },   { 64, false },  { 8, true },     { 64, true },    { 128, false },
	{ 256, false }, { 512, false }, { 1024, false }, { 2048, false }, { 4096, false },
	{ 16, false },  { 32, false },
};

struct slub_cache_spec trace_caches_spec(struct trace_caches *caches, size_t i,
					 const struct slub_kernel *kernel)
{
	const struct trace_cache *c = &caches->list[i];
	struct slub_cache_spec spec = {
		.name = c->name != NULL ? c->name : c->label,
		.object_size = c->object_size,
	};
	const struct slub_known_cache *known = slub_known_find(spec.name);

	if (c->kmalloc) {
		/* Linux 6.1 aligns those of a power of two to their size, no others. */
		spec.flags = SLUB_KMALLOC;
		spec.align = (c->object_size & (c->object_size - 1)) == 0 ? c->object_size : 0;
		return spec;
	}
	/* The alignment of a cache we know by name, where the sizes do not speak against it. */
	if (known != NULL && leads_to(c, known->spec.align, false, kernel)) {
		spec.align = known->spec.align;
		return spec;
	}
	for (size_t n = 0; n < sizeof(guesses) / sizeof(guesses[0]); n++) {
		if (!leads_to(c, guesses[n].align, guesses[n].constructor, kernel))
			continue;
		spec.align = guesses[n].align;
		spec.constructor = guesses[n].constructor;
		break;
	}
	return spec;
}

void trace_caches_free(struct trace_caches *caches)
{
	for (size_t i = 0; i < caches->n; i++)
		free(caches->list[i].name);
	free(caches->list);
	memset(caches, 0, sizeof(*caches));
}
