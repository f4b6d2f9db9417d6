/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree in which kernfs keeps the children of a directory. */
#include "sysfs/rbtree.h"

static bool is_red(const struct rb_node *node)
{
	return node && node->red;
}

static int side_of(const struct rb_node *node)
{
	return node->parent->child[1] == node;
}

/* Let @to, which may be NULL, take the place of @from in its parent. */
static void replace(struct rb_root *root, struct rb_node *from, struct rb_node *to)
{
	if (!from->parent)
		root->node = to;
	else
		from->parent->child[side_of(from)] = to;
	if (to)
		to->parent = from->parent;
}

/* Turn @node down to @side; its other child comes up. */
static void rotate(struct rb_root *root, struct rb_node *node, int side)
{
	struct rb_node *up = node->child[!side];

	replace(root, node, up);
	node->child[!side] = up->child[side];
	if (up->child[side])
		up->child[side]->parent = node;
	up->child[side] = node;
	node->parent = up;
}

void rb_insert(struct rb_root *root, struct rb_node *node, struct rb_node *parent, int side)
{
	*node = (struct rb_node){ .parent = parent, .red = true };
	if (parent)
		parent->child[side] = node;
	else
		root->node = node;

	/* The only rule that may be broken: a red parent.  It is not the root, so it has a parent. */
	while (is_red(node->parent)) {
		struct rb_node *above = node->parent->parent;
		int s = side_of(node->parent);
		struct rb_node *uncle = above->child[!s];

		if (is_red(uncle)) {
			node->parent->red = uncle->red = false;
			above->red = true;
			node = above;
			continue;
		}
		if (side_of(node) != s) {
			node = node->parent;
			rotate(root, node, s);
		}
		node->parent->red = false;
		above->red = true;
		rotate(root, above, !s);
	}
	root->node->red = false;
}

/* The ways through @node, child of @parent and perhaps NULL, have one black node too few. */
static void repair_erased(struct rb_root *root, struct rb_node *node, struct rb_node *parent)
{
	while (parent && !is_red(node)) {
		int s = parent->child[1] == node;
		struct rb_node *sibling = parent->child[!s];

		if (sibling->red) {
			sibling->red = false;
			parent->red = true;
			rotate(root, parent, s);
			sibling = parent->child[!s];
		}
		if (!is_red(sibling->child[0]) && !is_red(sibling->child[1])) {
			sibling->red = true;
			node = parent;
			parent = node->parent;
			continue;
		}
		if (!is_red(sibling->child[!s])) {
			sibling->child[s]->red = false;
			sibling->red = true;
			rotate(root, sibling, !s);
			sibling = parent->child[!s];
		}
		sibling->red = parent->red;
		parent->red = false;
		sibling->child[!s]->red = false;
		rotate(root, parent, s);
		return;
	}
	if (node)
		node->red = false;
}

static struct rb_node *leftmost(struct rb_node *node)
{
	while (node->child[0])
		node = node->child[0];
	return node;
}

void rb_erase(struct rb_root *root, struct rb_node *node)
{
	struct rb_node *child, *parent;
	bool lost_black;

	if (!node->child[0] || !node->child[1]) {
		child = node->child[0] ? node->child[0] : node->child[1];
		parent = node->parent;
		lost_black = !node->red;
		replace(root, node, child);
	} else {
		/* The next greater node has no smaller child: it moves here and takes the colour. */
		struct rb_node *next = leftmost(node->child[1]);

		child = next->child[1];
		lost_black = !next->red;
		parent = next;
		if (next->parent != node) {
			parent = next->parent;
			replace(root, next, child);
			next->child[1] = node->child[1];
			next->child[1]->parent = next;
		}
		replace(root, node, next);
		next->child[0] = node->child[0];
		next->child[0]->parent = next;
		next->red = node->red;
	}
	if (lost_black)
		repair_erased(root, child, parent);
}

struct rb_node *rb_first(const struct rb_root *root)
{
	return root->node ? leftmost(root->node) : NULL;
}

struct rb_node *rb_next(const struct rb_node *node)
{
	if (node->child[1])
		return leftmost(node->child[1]);
	while (node->parent && side_of(node))
		node = node->parent;
	return node->parent;
}

static int check_below(const struct rb_node *node)
{
	int black[2];

	if (!node)
		return 0;
	for (int s = 0; s < 2; s++) {
		const struct rb_node *child = node->child[s];

		if (child && (child->parent != node || (node->red && child->red)))
			return -1;
		black[s] = check_below(child);
	}
	return black[0] < 0 || black[0] != black[1] ? -1 : black[0] + !node->red;
}

int rb_check(const struct rb_root *root)
{
	return is_red(root->node) ? -1 : check_below(root->node);
}
