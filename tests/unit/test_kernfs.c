/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of kernfs by themselves. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "sysfs/kernfs.h"

/*
 * From the rule of Linux 6.1 by a calculator of another make (Python's integers), names with
 * and without the corrections at both ends of the range.
 */
static void hashes_are_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(kernfs_name_hash(""), 0x2);
	assert_int_equal(kernfs_name_hash("slab"), 0x4de42c0b);
	assert_int_equal(kernfs_name_hash(":A-0000128"), 0x7f16f2e5);
	assert_int_equal(kernfs_name_hash("objs_per_slab"), 0x6e88a268);
	assert_int_equal(kernfs_name_hash("\xc3\xa4"), 0x1a518ea);
}

struct number {
	struct rb_node node;
	uint64_t value;
};

static void hang(struct rb_root *root, struct number *number)
{
	struct rb_node **place = &root->node, *above = NULL;
	int side = 0;

	while (*place) {
		above = *place;
		side = number->value > ((struct number *)above)->value;
		place = &above->child[side];
	}
	rb_insert(root, &number->node, above, side);
}

/* In and out at random; after each step the tree keeps its rules, and it is in order. */
static void the_tree_stays_balanced(void **state)
{
	enum { N = 600 };
	struct number numbers[N];
	struct random_state random = { 7 };
	struct rb_root root = { NULL };
	size_t order[N], n = 0;
	uint64_t last = 0;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		numbers[i].value = random_next(&random) % 1000;
		order[i] = i;
		hang(&root, &numbers[i]);
		assert_true(rb_check(&root) >= 0);
	}
	assert_true(rb_check(&root) <= 10); /* 2^10 > 600: at least half of a way down is black */
	for (struct rb_node *node = rb_first(&root); node; node = rb_next(node), n++) {
		assert_true(((struct number *)node)->value >= last);
		last = ((struct number *)node)->value;
	}
	assert_int_equal(n, N);
	random_shuffle(&random, order, N);
	for (size_t i = 0; i < N; i++) {
		rb_erase(&root, &numbers[order[i]].node);
		assert_true(rb_check(&root) >= 0);
	}
	assert_null(root.node);
}

static void nodes_have_names_numbers_and_references(void **state)
{
	struct kernfs_root *root = kernfs_new_root();
	struct kernfs_node *top = kernfs_root_node(root), *dir, *file, *found;

	(void)state;
	dir = kernfs_create(root, top, REG_DIRECTORY, "slab", NULL);
	file = kernfs_create(root, dir, REG_FILE, "order", NULL);
	assert_int_equal(dir->id, 2);
	assert_int_equal(file->id, 3);
	assert_int_equal(top->dir.subdirs, 1);
	assert_int_equal(file->active, 0);
	assert_null(kernfs_create(root, dir, REG_FILE, "order", NULL));
	assert_int_equal(errno, EEXIST);
	assert_int_equal(kernfs_nodes(root), 3);
	found = kernfs_find(root, dir, "order");
	assert_ptr_equal(found, file);
	assert_int_equal(file->count, 2);
	assert_null(kernfs_find(root, dir, "orders"));

	kernfs_remove(root, dir);
	assert_null(kernfs_find(root, top, "slab"));
	assert_null(kernfs_find_id(root, 3));
	assert_true(file->active < 0);
	assert_null(kernfs_create(root, dir, REG_FILE, "late", NULL));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(kernfs_nodes(root), 3); /* the file is held, and holds its parents */
	kernfs_put(root, found);
	assert_int_equal(kernfs_nodes(root), 1);
	dir = kernfs_create(root, top, REG_DIRECTORY, "again", NULL);
	assert_int_equal(dir->id, 6); /* in turn; two went to those that came to nothing */
	kernfs_free_root(root);
}

static void numbers_find_their_nodes(void **state)
{
	enum { N = 1000 };
	struct kernfs_root *root = kernfs_new_root();
	struct kernfs_node *top = kernfs_root_node(root), *nodes[N];
	char names[N][8];

	(void)state;
	for (int i = 0; i < N; i++) {
		snprintf(names[i], sizeof(names[i]), "f%d", i);
		nodes[i] = kernfs_create(root, top, REG_FILE, names[i], NULL);
	}
	for (int i = 0; i < N; i++) {
		struct kernfs_node *found = kernfs_find_id(root, nodes[i]->id);

		assert_ptr_equal(found, nodes[i]);
		kernfs_put(root, found);
	}
	assert_null(kernfs_find_id(root, N + 2));
	assert_null(kernfs_find_id(root, UINT64_MAX));
	kernfs_free_root(root);
}

static void links_hold_their_targets(void **state)
{
	struct kernfs_root *root = kernfs_new_root();
	struct kernfs_node *top = kernfs_root_node(root), *slab, *cache;

	(void)state;
	slab = kernfs_create(root, top, REG_DIRECTORY, "slab", NULL);
	cache = kernfs_create(root, slab, REG_DIRECTORY, ":0000064", NULL);
	kernfs_create(root, slab, REG_LINK, "fs_cache", cache);
	kernfs_create(root, top, REG_LINK, "there", cache);
	assert_int_equal(cache->count, 3); /* its own and two links */
	kernfs_free_root(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_the_kernels),
		cmocka_unit_test(the_tree_stays_balanced),
		cmocka_unit_test(nodes_have_names_numbers_and_references),
		cmocka_unit_test(numbers_find_their_nodes),
		cmocka_unit_test(links_hold_their_targets),
	};

	return cmocka_run_group_tests_name("kernfs", tests, NULL, NULL);
}
