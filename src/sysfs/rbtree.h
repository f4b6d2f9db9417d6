/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A red-black tree whose nodes live inside the caller's structures, with parent pointers: the
 * caller descends and compares, the tree keeps itself balanced.  Bayer 1972, Guibas and Sedgewick
 * 1978; the cases of the repair are those of Cormen et al., Introduction to Algorithms, ch. 13.
 */
#ifndef SLUBBENCH_RBTREE_H
#define SLUBBENCH_RBTREE_H

#include <stdbool.h>
#include <stddef.h>

struct rb_node {
	struct rb_node *parent;
	struct rb_node *child[2]; /* smaller, greater */
	bool red;
};

struct rb_root {
	struct rb_node *node;
};

/* Hang @node, not yet in a tree, below @parent as its child[@side]; NULL: as the root. */
void rb_insert(struct rb_root *root, struct rb_node *node, struct rb_node *parent, int side);
void rb_erase(struct rb_root *root, struct rb_node *node);

/* In order; NULL at the end. */
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);

/*
 * The number of black nodes on every way down, -1 when the tree breaks one of its rules: no red
 * node has a red child, all ways have as many black nodes, parents and children know each other.
 */
int rb_check(const struct rb_root *root);

#endif /* SLUBBENCH_RBTREE_H */
