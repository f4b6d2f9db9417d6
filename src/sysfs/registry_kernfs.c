/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registry back end `kernfs`: the work itself, in this process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "sysfs/backends.h"
#include "sysfs/kernfs.h"

struct kernfs_registry {
	struct registry head;
	struct kernfs_root *root;
	size_t spread;              /* of the configuration */
	struct kernfs_node *crowd;  /* where the children of a directory in the root go */
	size_t in_crowd;
};

/* A directory of this back end is its kernfs node. */
struct reg_dir {
	struct kernfs_node node;
};

static struct kernfs_root *root_of(struct registry *reg)
{
	return ((struct kernfs_registry *)reg)->root;
}

static struct registry *kernfs_open(const struct reg_config *config, int *status)
{
	struct kernfs_registry *reg = xcalloc(1, sizeof(*reg));

	(void)status;
	reg->head.type = &registry_kernfs;
	reg->spread = config->spread;
	reg->root = kernfs_new_root();
	return &reg->head;
}

static struct reg_dir *kernfs_top(struct registry *reg)
{
	return (struct reg_dir *)kernfs_root_node(root_of(reg));
}

/* Where the children of @in are: there, unless they are spread. */
static struct kernfs_node *place_of(struct registry *reg, struct reg_dir *in)
{
	struct kernfs_registry *self = (struct kernfs_registry *)reg;

	if (!self->spread || in->node.parent != kernfs_root_node(self->root))
		return &in->node;
	return self->crowd ? self->crowd : &in->node;
}

/* One more child of a directory in the root: with the last of so many the next ones get a new place. */
static void count_crowd(struct registry *reg, struct reg_dir *in)
{
	struct kernfs_registry *self = (struct kernfs_registry *)reg;
	char name[24];

	if (!self->spread || in->node.parent != kernfs_root_node(self->root) ||
	    ++self->in_crowd % self->spread)
		return;
	snprintf(name, sizeof(name), "%zu", self->in_crowd);
	self->crowd = kernfs_create(self->root, kernfs_root_node(self->root), REG_DIRECTORY, name,
				    NULL);
}

static struct kernfs_node *create(struct registry *reg, struct reg_dir *in, enum reg_kind kind,
				  const char *name, struct reg_dir *to)
{
	struct kernfs_node *node = kernfs_create(root_of(reg), place_of(reg, in), kind, name,
						 to ? &to->node : NULL);

	if (!node) /* sysfs_warn_dup() */
		complain("registry kernfs: '%s' in '%s': %s", name, in->node.name,
			 strerror(errno));
	else
		count_crowd(reg, in);
	return node;
}

static struct reg_dir *kernfs_make_dir(struct registry *reg, struct reg_dir *in, const char *name)
{
	return (struct reg_dir *)create(reg, in, REG_DIRECTORY, name, NULL);
}

static int kernfs_make_file(struct registry *reg, struct reg_dir *in, const char *name)
{
	return create(reg, in, REG_FILE, name, NULL) ? 0 : -1;
}

static int kernfs_make_link(struct registry *reg, struct reg_dir *in, const char *name,
			    struct reg_dir *to)
{
	return create(reg, in, REG_LINK, name, to) ? 0 : -1;
}

static int kernfs_remove_name(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct kernfs_node *node = kernfs_find(root_of(reg), place_of(reg, in), name);

	if (!node)
		return 0;
	kernfs_remove(root_of(reg), node);
	kernfs_put(root_of(reg), node);
	return 1;
}

static int kernfs_list(struct registry *reg, struct reg_dir *in, reg_list_fn *fn, void *arg)
{
	(void)reg;
	return kernfs_list_children(&in->node, fn, arg);
}

static size_t kernfs_node_bytes(const struct registry *reg)
{
	const struct kernfs_root *root = ((const struct kernfs_registry *)reg)->root;

	return kernfs_bytes(root) / kernfs_nodes(root);
}

static int kernfs_close(struct registry *reg)
{
	kernfs_free_root(root_of(reg));
	free(reg);
	return 0;
}

const struct registry_type registry_kernfs = {
	.name = "kernfs",
	.description = "the kernel's own work on its nodes, done in this process and timed",
	.timed = true,
	.files_links = true,
	.open = kernfs_open,
	.root = kernfs_top,
	.make_dir = kernfs_make_dir,
	.make_file = kernfs_make_file,
	.make_link = kernfs_make_link,
	.remove = kernfs_remove_name,
	.list = kernfs_list,
	.node_bytes = kernfs_node_bytes,
	.close = kernfs_close,
};
