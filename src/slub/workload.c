/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/random.h"
#include "base/xalloc.h"
#include "slub/layout.h"
#include "slub/workload.h"

#define PAGE         4096
#define MOST_OBJECTS 16  /* of a slab: enough addresses, and small against the caches */
#define SMALL        256 /* bytes of a cache in random-small */

static const char random_small[] = "random-small", random_all[] = "random-all";

const char *const workload_suite[] = {
	"kmalloc-64", "dentry", "ext4_inode_cache", "kmalloc-4k", "task_struct",
	"kernfs_node_cache", "filp", random_small, random_all, NULL,
};

static bool has_cache(const char *name, const struct slub_known_cache *cache)
{
	if (strcmp(name, random_all) == 0)
		return true;
	if (strcmp(name, random_small) == 0)
		return cache->spec.object_size <= SMALL;
	return strcmp(name, cache->spec.name) == 0;
}

/* The checks of one operation on one object; the slab gets the bytes that they look for. */
static void add_op(struct workload *w, uint8_t *slab, const struct slub_check *checks, size_t n)
{
	struct workload_op *op;

	w->ops = xgrow(w->ops, w->n_ops, sizeof(*w->ops));
	op = &w->ops[w->n_ops++];
	op->first = (uint32_t)w->n_checks;
	op->n = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		const struct slub_check *c = &checks[i];

		memset(slab + c->offset, c->value, c->length);
		w->checks = xgrow(w->checks, w->n_checks, sizeof(*w->checks));
		w->checks[w->n_checks++] = (struct workload_check){
			.at = slab + c->offset, .n = c->length, .value = c->value };
	}
}

static void add_slab(struct workload *w, const struct slub_known_cache *cache,
		     const struct slub_layout *layout, enum slub_op op)
{
	uint8_t *memory = aligned_alloc(PAGE, layout->slab_size);
	struct slub_check checks[SLUB_CHECKS_MAX];
	struct workload_slab *slab;

	if (!memory) {
		complain("out of memory");
		exit(STATUS_INPUT);
	}
	memset(memory, 0, layout->slab_size);
	w->slabs = xgrow(w->slabs, w->n_slabs, sizeof(*w->slabs));
	slab = &w->slabs[w->n_slabs++];
	slab->memory = memory;
	slab->first = (uint32_t)w->n_ops;
	for (unsigned int i = 0; i < layout->objects && i < MOST_OBJECTS; i++)
		add_op(w, memory, checks, slub_checks(layout, op, i, cache->requested, checks));
	slab->n = (uint32_t)w->n_ops - slab->first;
}

static void add_cache(struct workload *w, const struct slub_known_cache *cache)
{
	struct slub_cache_spec spec = cache->spec;
	struct slub_layout layout;

	spec.flags |= SLUB_DEBUG_FLAGS;
	if (slub_layout_init(&layout, &spec, &slub_linux_6_1) != 0)
		abort(); /* the table of known caches holds none that a kernel would refuse */
	add_slab(w, cache, &layout, SLUB_ALLOC);
	add_slab(w, cache, &layout, SLUB_FREE);
}

/*
 * Caches are equally likely, however many of their objects there are: first a slab is drawn, then
 * an object of it.
 */
static void draw_order(struct workload *w, uint64_t seed)
{
	struct random_state random = { .x = seed };
	double calls = 0, bytes = 0;

	for (size_t i = 0; i < WORKLOAD_OPS; i++) {
		const struct workload_slab *slab = &w->slabs[random_below(&random, w->n_slabs)];
		uint32_t at = slab->first + (uint32_t)random_below(&random, slab->n);
		const struct workload_op *op = &w->ops[at];

		w->order[i] = at;
		calls += op->n;
		for (uint32_t c = 0; c < op->n; c++)
			bytes += (double)w->checks[op->first + c].n;
	}
	w->calls_per_op = calls / WORKLOAD_OPS;
	w->bytes_per_op = bytes / WORKLOAD_OPS;
}

static void unknown(const char *what, const char *name)
{
	const char **names = NULL;
	size_t n = 0;

	for (const char *const *s = workload_suite; *s; s++) {
		names = xgrow(names, n, sizeof(*names));
		names[n++] = *s;
	}
	for (const struct slub_known_cache *c = slub_known_caches; c->spec.name; c++) {
		names = xgrow(names, n, sizeof(*names));
		names[n++] = c->spec.name;
	}
	names = xgrow(names, n, sizeof(*names));
	names[n] = NULL;
	complain("%s: there is no workload '%s'%s", what, name,
		 did_you_mean(name, names,
			      "it is a cache such as dentry, random-small, random-all or all"));
	free(names);
}

struct workload *workload_make(const char *what, const char *name, uint64_t seed)
{
	struct workload *w = xcalloc(1, sizeof(*w));

	for (const struct slub_known_cache *c = slub_known_caches; c->spec.name; c++) {
		if (has_cache(name, c))
			add_cache(w, c);
	}
	if (w->n_slabs == 0) {
		unknown(what, name);
		workload_free(w);
		return NULL;
	}
	w->name = xstrdup(name);
	draw_order(w, seed);
	return w;
}

void workload_free(struct workload *w)
{
	if (!w)
		return;
	for (size_t s = 0; s < w->n_slabs; s++)
		free(w->slabs[s].memory);
	free(w->slabs);
	free(w->checks);
	free(w->ops);
	free(w->name);
	free(w);
}
