/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes, their directories and their references: fs/kernfs/dir.c of Linux 6.1, in user space. */
#include "sysfs/kernfs.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "sysfs/kernfs_memory.h"

#define DEACTIVATED_BIAS (INT_MIN + 1)

struct kernfs_root {
	struct kernfs_node *node;
	pthread_rwlock_t lock;           /* kernfs_rwsem */
	pthread_spinlock_t id_lock;      /* kernfs_idr_lock */
	pthread_spinlock_t target_lock;  /* sysfs_symlink_target_lock */
	struct kernfs_memory memory;
};

unsigned int kernfs_name_hash(const char *name)
{
	const unsigned char *c = (const unsigned char *)name;
	unsigned long hash = 0; /* 64 bits, as in the kernels modelled */

	/* partial_name_hash(), end_name_hash(), hash_long() of include/linux/stringhash.h, hash.h */
	for (; *c; c++)
		hash = (hash + ((unsigned long)*c << 4) + (*c >> 4)) * 11;
	hash = (hash * 0x61C8864680B583EBul) >> 32;
	hash &= 0x7fffffff;
	if (hash < 2)
		hash += 2;
	if (hash >= INT_MAX)
		hash = INT_MAX - 1;
	return (unsigned int)hash;
}

static int compare(unsigned int hash, const char *name, const struct kernfs_node *node)
{
	if (hash != node->hash)
		return hash < node->hash ? -1 : 1;
	return strcmp(name, node->name);
}

static struct kernfs_node *node_of(struct rb_node *rb)
{
	return rb ? (struct kernfs_node *)((char *)rb - offsetof(struct kernfs_node, rb)) : NULL;
}

static void get(struct kernfs_node *node)
{
	__atomic_fetch_add(&node->count, 1, __ATOMIC_RELAXED);
}

static void free_name(struct kernfs_node *node)
{
	if (node->kind != REG_FILE)
		free((char *)node->name);
}

void kernfs_put(struct kernfs_root *root, struct kernfs_node *node)
{
	/* A node holds its parent, so the last put of a leaf may free a whole line of them. */
	while (node && __atomic_sub_fetch(&node->count, 1, __ATOMIC_ACQ_REL) == 0) {
		struct kernfs_node *parent = node->parent;

		if (node->kind == REG_LINK)
			kernfs_put(root, node->link.target);
		free_name(node);
		pthread_spin_lock(&root->id_lock);
		kernfs_id_free(&root->memory, node->id);
		pthread_spin_unlock(&root->id_lock);
		kernfs_node_free(&root->memory, node);
		node = parent;
	}
}

/* __kernfs_new_node() */
static struct kernfs_node *new_node(struct kernfs_root *root, struct kernfs_node *parent,
				    enum reg_kind kind, const char *name)
{
	struct kernfs_node *node;

	name = kind == REG_FILE ? name : xstrdup(name);
	node = kernfs_node_alloc(&root->memory, kind);
	pthread_spin_lock(&root->id_lock);
	kernfs_id_alloc(&root->memory, node);
	pthread_spin_unlock(&root->id_lock);
	node->count = 1;
	node->active = DEACTIVATED_BIAS;
	node->name = name;
	node->parent = parent;
	if (parent)
		get(parent);
	return node;
}

int kernfs_link_sibling(struct kernfs_node *node)
{
	struct kernfs_node *dir = node->parent;
	struct rb_node **place = &dir->dir.children.node, *above = NULL;
	int side = 0;

	while (*place) {
		int order = compare(node->hash, node->name, node_of(*place));

		if (order == 0)
			return -EEXIST;
		above = *place;
		side = order > 0;
		place = &above->child[side];
	}
	rb_insert(&dir->dir.children, &node->rb, above, side);
	if (node->kind == REG_DIRECTORY)
		dir->dir.subdirs++;
	dir->dir.revision++;
	return 0;
}

/* kernfs_activate(): makes the node visible.  Ours is alone, its children are yet to come. */
static void activate(struct kernfs_root *root, struct kernfs_node *node)
{
	pthread_rwlock_wrlock(&root->lock);
	if (!(node->flags & KERNFS_ACTIVATED)) {
		__atomic_sub_fetch(&node->active, DEACTIVATED_BIAS, __ATOMIC_RELAXED);
		node->flags |= KERNFS_ACTIVATED;
	}
	pthread_rwlock_unlock(&root->lock);
}

/* kernfs_add_one() */
static int add_one(struct kernfs_root *root, struct kernfs_node *node)
{
	struct kernfs_node *parent = node->parent;
	int rc;

	pthread_rwlock_wrlock(&root->lock);
	if (!(parent->flags & KERNFS_ACTIVATED)) {
		rc = -ENOENT;
	} else {
		node->hash = kernfs_name_hash(node->name);
		rc = kernfs_link_sibling(node);
	}
	pthread_rwlock_unlock(&root->lock);
	if (!rc)
		activate(root, node);
	return rc;
}

struct kernfs_node *kernfs_create(struct kernfs_root *root, struct kernfs_node *parent,
				  enum reg_kind kind, const char *name, struct kernfs_node *target)
{
	struct kernfs_node *node;
	int rc;

	if (target) { /* sysfs_do_create_link_sd() */
		pthread_spin_lock(&root->target_lock);
		get(target);
		pthread_spin_unlock(&root->target_lock);
	}
	node = new_node(root, parent, kind, name);
	if (target)
		node->link.target = target;
	rc = add_one(root, node);
	if (rc) {
		kernfs_put(root, node);
		errno = -rc;
		return NULL;
	}
	return node;
}

static struct kernfs_node *find_locked(struct kernfs_node *parent, const char *name)
{
	struct rb_node *rb = parent->dir.children.node;
	unsigned int hash = kernfs_name_hash(name);

	while (rb) {
		int order = compare(hash, name, node_of(rb));

		if (order == 0)
			return node_of(rb);
		rb = rb->child[order > 0];
	}
	return NULL;
}

struct kernfs_node *kernfs_find(struct kernfs_root *root, struct kernfs_node *parent,
				const char *name)
{
	struct kernfs_node *node;

	pthread_rwlock_rdlock(&root->lock);
	node = find_locked(parent, name);
	if (node)
		get(node);
	pthread_rwlock_unlock(&root->lock);
	return node;
}

struct kernfs_node *kernfs_find_id(struct kernfs_root *root, uint64_t id)
{
	struct kernfs_node *node;

	pthread_spin_lock(&root->id_lock);
	node = kernfs_id_look_up(&root->memory, id);
	if (node && (node->flags & KERNFS_ACTIVATED))
		get(node);
	else
		node = NULL;
	pthread_spin_unlock(&root->id_lock);
	return node;
}

/* __kernfs_remove(): the leaves first, each out of its parent's tree, its own reference put. */
static void remove_locked(struct kernfs_root *root, struct kernfs_node *node)
{
	struct kernfs_node *parent = node->parent;

	if (node->kind == REG_DIRECTORY)
		while (node->dir.children.node)
			remove_locked(root, node_of(node->dir.children.node));
	node->flags &= (uint16_t)~KERNFS_ACTIVATED;
	__atomic_add_fetch(&node->active, DEACTIVATED_BIAS, __ATOMIC_RELAXED);
	if (parent) {
		rb_erase(&parent->dir.children, &node->rb);
		parent->dir.subdirs -= node->kind == REG_DIRECTORY;
		parent->dir.revision++;
	}
	kernfs_put(root, node);
}

void kernfs_remove(struct kernfs_root *root, struct kernfs_node *node)
{
	pthread_rwlock_wrlock(&root->lock);
	if (node->flags & KERNFS_ACTIVATED)
		remove_locked(root, node);
	pthread_rwlock_unlock(&root->lock);
}

struct kernfs_root *kernfs_new_root(void)
{
	struct kernfs_root *root = xcalloc(1, sizeof(*root));

	pthread_rwlock_init(&root->lock, NULL);
	pthread_spin_init(&root->id_lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_init(&root->target_lock, PTHREAD_PROCESS_PRIVATE);
	kernfs_memory_init(&root->memory);
	root->node = new_node(root, NULL, REG_DIRECTORY, "");
	activate(root, root->node);
	return root;
}

void kernfs_free_root(struct kernfs_root *root)
{
	/* Nobody sees the trees again, so there is no need to take a million nodes out of them. */
	kernfs_id_each(&root->memory, free_name);
	kernfs_memory_free(&root->memory);
	pthread_spin_destroy(&root->target_lock);
	pthread_spin_destroy(&root->id_lock);
	pthread_rwlock_destroy(&root->lock);
	free(root);
}

struct kernfs_node *kernfs_root_node(struct kernfs_root *root)
{
	return root->node;
}

uint64_t kernfs_nodes(const struct kernfs_root *root)
{
	return root->memory.n_nodes;
}

size_t kernfs_bytes(const struct kernfs_root *root)
{
	return kernfs_memory_bytes(&root->memory);
}

int kernfs_list_children(const struct kernfs_node *dir, reg_list_fn *fn, void *arg)
{
	int rc = 0;

	for (struct rb_node *rb = rb_first(&dir->dir.children); rb && !rc; rb = rb_next(rb)) {
		const struct kernfs_node *node = node_of(rb);
		struct reg_entry entry = { .name = node->name, .kind = node->kind };

		if (node->kind == REG_LINK)
			entry.target = node->link.target->name;
		rc = fn(&entry, arg);
	}
	return rc;
}
