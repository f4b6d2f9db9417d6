/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernfs in user space: the work that Linux 6.1 (fs/kernfs/dir.c, symlink.c) does for each node of
 * sysfs, step by step: allocate it, copy its name, give it a number, take the tree's lock, hash
 * the name, descend the parent's red-black tree, and take the lock again to activate it.
 */
#ifndef SLUBBENCH_KERNFS_H
#define SLUBBENCH_KERNFS_H

#include <stddef.h>
#include <stdint.h>

#include "sysfs/registry.h"
#include "sysfs/rbtree.h"

struct kernfs_root;

/*
 * What a descent looks at comes first and in one cache line: 128 bytes, as in the kernel, of which the
 * second half is only needed once the node is found.
 */
struct kernfs_node {
	struct rb_node rb;          /* in parent->dir.children */
	unsigned int hash;          /* of the name, what children are ordered by */
	uint16_t kind;              /* enum reg_kind */
	uint16_t flags;
	int count;                  /* references, atomic */
	int active;                 /* users; far below 0 until activated and when removed */
	struct kernfs_node *parent; /* holds a reference */
	const char *name;
	uint64_t id;                /* unique in the root; the low 32 bits are its place there */
	union {
		struct {
			struct rb_root children;
			uint64_t subdirs;
			uint64_t revision; /* grows with every child that comes or goes */
		} dir;
		struct {
			struct kernfs_node *target; /* holds a reference */
		} link;
	};
} __attribute__((aligned(64)));

#define KERNFS_ACTIVATED 1u

struct kernfs_root *kernfs_new_root(void);
void kernfs_free_root(struct kernfs_root *root); /* and all its nodes, those that are held too */
struct kernfs_node *kernfs_root_node(struct kernfs_root *root);

/*
 * Make a node in the directory @parent.  @target is what a link points to, NULL for the other
 * kinds.  A file's name is kept, not copied, as the kernel does with constant strings.
 * NULL with errno EEXIST or ENOENT (@parent was removed).
 */
struct kernfs_node *kernfs_create(struct kernfs_root *root, struct kernfs_node *parent,
				  enum reg_kind kind, const char *name, struct kernfs_node *target);

/* kernfs_find_and_get(): the child called @name with a reference for the caller, or NULL. */
struct kernfs_node *kernfs_find(struct kernfs_root *root, struct kernfs_node *parent,
				const char *name);
/* The node numbered @id, with a reference for the caller; NULL: none. */
struct kernfs_node *kernfs_find_id(struct kernfs_root *root, uint64_t id);
void kernfs_put(struct kernfs_root *root, struct kernfs_node *node);

/* Take @node and all below it out of the tree; they live on while someone holds a reference. */
void kernfs_remove(struct kernfs_root *root, struct kernfs_node *node);

/* Nodes that exist, removed ones that are still held included. */
uint64_t kernfs_nodes(const struct kernfs_root *root);

/* Bytes that nodes and numbers occupy; copied names are the C library's. */
size_t kernfs_bytes(const struct kernfs_root *root);

/*
 * Hang @node, whose parent, name and hash are set, among the children of its parent.  0, or
 * -EEXIST.  Part of kernfs_create(), which also takes the lock.
 */
int kernfs_link_sibling(struct kernfs_node *node);

/* kernfs_name_hash() of Linux 6.1: 31 bits, never 0, 1 or INT_MAX, which have other meanings. */
unsigned int kernfs_name_hash(const char *name);

/*
 * Call @fn for the children of @dir in the order of the tree, by hash, then by name; stops at the first
 * that is not 0 and returns it.
 */
int kernfs_list_children(const struct kernfs_node *dir, reg_list_fn *fn, void *arg);

#endif /* SLUBBENCH_KERNFS_H */
