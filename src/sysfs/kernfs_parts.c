/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of making a kernfs node, each timed alone. */
#include "sysfs/kernfs_parts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/machine.h"
#include "base/xalloc.h"
#include "sysfs/kernfs_memory.h"

/* The nodes to be: what there is of them before any work is done. */
struct wanted {
	char (*names)[24]; /* of directories and links, one after the other */
	size_t directories, links;
	const char *const *files;
	size_t n_files;
	struct kernfs_node **nodes; /* directories, links, then the files of each directory */
	size_t n;
};

static const char *name_of(const struct wanted *w, size_t i)
{
	size_t own = w->directories + w->links;

	return i < own ? w->names[i] : w->files[(i - own) % w->n_files];
}

static double time_hash(const struct wanted *w)
{
	volatile unsigned int sink = 0;
	double start = machine_now_ns();

	for (size_t i = 0; i < w->n; i++)
		sink = kernfs_name_hash(name_of(w, i));
	(void)sink;
	return (machine_now_ns() - start) / (double)w->n;
}

static double time_allocate(struct wanted *w, struct kernfs_memory *memory)
{
	size_t own = w->directories + w->links;
	double start = machine_now_ns();

	for (size_t i = 0; i < w->n; i++) {
		struct kernfs_node *node = kernfs_node_alloc(memory, i < w->directories ? REG_DIRECTORY :
								     i < own ? REG_LINK : REG_FILE);

		kernfs_id_alloc(memory, node);
		node->name = i < own ? xstrdup(name_of(w, i)) : name_of(w, i);
		w->nodes[i] = node;
	}
	return (machine_now_ns() - start) / (double)w->n;
}

static double time_tree(struct wanted *w, struct kernfs_node *top)
{
	size_t own = w->directories + w->links;
	double start;

	for (size_t i = 0; i < w->n; i++) {
		w->nodes[i]->hash = kernfs_name_hash(w->nodes[i]->name);
		w->nodes[i]->parent = i < own ? top : w->nodes[(i - own) / w->n_files];
	}
	start = machine_now_ns();
	for (size_t i = 0; i < w->n; i++)
		kernfs_link_sibling(w->nodes[i]);
	return (machine_now_ns() - start) / (double)w->n;
}

static double time_lock(size_t n)
{
	pthread_rwlock_t lock;
	double start;

	pthread_rwlock_init(&lock, NULL);
	start = machine_now_ns();
	for (size_t i = 0; i < 2 * n; i++) {
		pthread_rwlock_wrlock(&lock);
		pthread_rwlock_unlock(&lock);
	}
	start = machine_now_ns() - start;
	pthread_rwlock_destroy(&lock);
	return start / (double)n;
}

struct kernfs_parts kernfs_measure_parts(size_t directories, size_t links,
					 const char *const *files, size_t n_files)
{
	struct wanted w = {
		.directories = directories,
		.links = links,
		.files = files,
		.n_files = n_files,
		.n = directories * (1 + n_files) + links,
	};
	struct kernfs_parts parts;
	struct kernfs_memory memory;
	struct kernfs_node top = { .kind = REG_DIRECTORY };

	w.names = xcalloc(directories + links, sizeof(*w.names));
	w.nodes = xcalloc(w.n, sizeof(*w.nodes));
	for (size_t i = 0; i < directories + links; i++)
		snprintf(w.names[i], sizeof(w.names[i]), "slubbench-%07u", (unsigned int)(i % 10000000));
	kernfs_memory_init(&memory);
	parts.hash_ns = time_hash(&w);
	parts.allocate_ns = time_allocate(&w, &memory);
	parts.tree_ns = time_tree(&w, &top);
	parts.lock_ns = time_lock(w.n);
	for (size_t i = 0; i < directories + links; i++)
		free((char *)w.nodes[i]->name);
	kernfs_memory_free(&memory);
	free(w.nodes);
	free(w.names);
	return parts;
}
