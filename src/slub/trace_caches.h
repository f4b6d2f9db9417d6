/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The caches of a trace, told apart by what the events say: the sizes. */
#ifndef SLUBBENCH_SLUB_TRACE_CACHES_H
#define SLUBBENCH_SLUB_TRACE_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slub/layout.h"

#define TRACE_SIZE_MAX    (4u << 20) /* KMALLOC_MAX_SIZE */
#define TRACE_KMALLOC_MAX 8192u      /* KMALLOC_MAX_CACHE_SIZE: above it, pages */
#define TRACE_CACHES_MAX  4096

struct trace_cache {
	bool kmalloc;
	uint32_t object_size;
	uint32_t size;  /* what it came to, as the trace has it */
	char *name;     /* NULL: not known yet */
	char label[48]; /* a name until then */
};

struct trace_caches {
	struct trace_cache *list;
	size_t n, last; /* last: the one found most recently */
};

/* The number of the cache of an alloc of @requested bytes; -1: there are too many. */
int trace_caches_number(struct trace_caches *caches, bool kmalloc, uint32_t requested,
			uint32_t allocated);

/* An object of it was freed under this name.  The first one stays. */
void trace_caches_name(struct trace_caches *caches, size_t i, const char *name, size_t n);

/* As trace_cache_spec() of trace.h says. */
struct slub_cache_spec trace_caches_spec(struct trace_caches *caches, size_t i,
					 const struct slub_kernel *kernel);

void trace_caches_free(struct trace_caches *caches);

#endif /* SLUBBENCH_SLUB_TRACE_CACHES_H */
