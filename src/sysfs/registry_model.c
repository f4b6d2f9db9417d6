/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registry back end `model`: keeps what was made and adds up what it would have cost.  The files
 * of a directory are only listed, directories and links live in a kernfs tree: a description with
 * a million caches must fit into memory.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "sysfs/backends.h"
#include "sysfs/kernfs.h"

const struct reg_prices reg_prices_board = {
	.directory = 7, .file = 4.85, .link = 12, .lookup = 1.5,
};

const struct reg_prices reg_prices_shape = {
	.directory = 0.15, .file = 1, .link = 0.5, .lookup = 0.1, .level = 0.062, .byte = 0.013,
};

struct reg_prices reg_prices_scaled(const struct reg_prices *prices, double by)
{
	return (struct reg_prices){
		.directory = prices->directory * by,
		.file = prices->file * by,
		.link = prices->link * by,
		.lookup = prices->lookup * by,
		.level = prices->level * by,
		.byte = prices->byte * by,
	};
}

struct reg_prices reg_prices_flat(double us)
{
	return (struct reg_prices){ .directory = us, .file = us, .link = us };
}

struct model_registry {
	struct registry head;
	struct reg_prices prices;
	struct kernfs_root *tree;
	struct reg_dir *dirs; /* all of them, for close() */
	struct reg_dir *top;
	/* What the directories have begun with so far: nearly all of them hold the same files. */
	const char **files;
	size_t n_files;
};

struct reg_dir {
	struct reg_dir *next;
	struct kernfs_node *node;
	const char **files; /* its own; NULL: the first of the registry's */
	size_t n_files;
	size_t children;    /* directories and links */
};

static struct model_registry *model_of(struct registry *reg)
{
	return (struct model_registry *)reg;
}

static struct reg_dir *add_dir(struct model_registry *model, struct kernfs_node *node)
{
	struct reg_dir *dir = xcalloc(1, sizeof(*dir));

	dir->node = node;
	dir->next = model->dirs;
	model->dirs = dir;
	return dir;
}

static struct registry *model_open(const struct reg_config *config, int *status)
{
	struct model_registry *model = xcalloc(1, sizeof(*model));

	(void)status;
	model->head.type = &registry_model;
	model->prices = config->prices;
	model->tree = kernfs_new_root();
	model->top = add_dir(model, kernfs_root_node(model->tree));
	return &model->head;
}

static struct reg_dir *model_top(struct registry *reg)
{
	return model_of(reg)->top;
}

/*
 * log2() of a count.  libm takes longer to load than all of these take to compute: the whole part is
 * the highest bit, and ln(m) = 2 artanh(s) for the rest, with s of 0.172 at most.
 */
static double log2_of(size_t count)
{
	int whole = 63 - __builtin_clzll(count);
	double m = (double)count / (double)((uint64_t)1 << whole), s, square, sum = 0;

	if (m > M_SQRT2) {
		m /= 2;
		whole++;
	}
	s = (m - 1) / (m + 1);
	square = s * s;
	for (int n = 23; n > 0; n -= 2) /* to the last bit: s to the 24th is 2 to the -61st */
		sum = sum * square + 1.0 / n;
	return whole + 2 * M_LOG2E * s * sum;
}

/* What an operation on the name @name in @in costs beside its own price. */
static double descent(const struct model_registry *model, const struct reg_dir *in,
		      const char *name)
{
	return model->prices.level * log2_of(in->children + 1) +
	       model->prices.byte * (double)strlen(name);
}

static struct kernfs_node *model_make(struct registry *reg, struct reg_dir *in, const char *name,
				      struct reg_dir *to)
{
	struct model_registry *model = model_of(reg);
	struct kernfs_node *node;

	node = kernfs_create(model->tree, in->node, to ? REG_LINK : REG_DIRECTORY, name,
			     to ? to->node : NULL);
	if (!node) {
		complain("registry model: '%s': %s", name, strerror(errno));
		return NULL;
	}
	reg->price_us += (to ? model->prices.link : model->prices.directory) +
			 descent(model, in, name);
	in->children++;
	return node;
}

static struct reg_dir *model_make_dir(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct kernfs_node *node = model_make(reg, in, name, NULL);

	return node ? add_dir(model_of(reg), node) : NULL;
}

/* The files of @in become its own, for it differs from now on. */
static void part_files(const struct model_registry *model, struct reg_dir *in)
{
	for (size_t i = 0; i < in->n_files; i++) {
		in->files = xgrow(in->files, i, sizeof(*in->files));
		in->files[i] = model->files[i];
	}
}

static int model_make_file(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct model_registry *model = model_of(reg);

	reg->price_us += model->prices.file;
	if (!in->files) {
		if (in->n_files == model->n_files) {
			model->files = xgrow(model->files, model->n_files, sizeof(*model->files));
			model->files[model->n_files++] = name;
		}
		if (model->files[in->n_files] == name) { /* the same name is the same text */
			in->n_files++;
			return 0;
		}
		part_files(model, in);
	}
	in->files = xgrow(in->files, in->n_files, sizeof(*in->files));
	in->files[in->n_files++] = name;
	return 0;
}

static int model_make_link(struct registry *reg, struct reg_dir *in, const char *name,
			   struct reg_dir *to)
{
	return model_make(reg, in, name, to) ? 0 : -1;
}

static int model_remove(struct registry *reg, struct reg_dir *in, const char *name)
{
	struct model_registry *model = model_of(reg);
	struct kernfs_node *node = kernfs_find(model->tree, in->node, name);

	reg->price_us += model->prices.lookup + descent(model, in, name);
	if (!node)
		return 0;
	kernfs_remove(model->tree, node);
	kernfs_put(model->tree, node);
	in->children--;
	return 1;
}

static int model_list(struct registry *reg, struct reg_dir *in, reg_list_fn *fn, void *arg)
{
	const char **files = in->files ? in->files : model_of(reg)->files;
	int rc = 0;

	for (size_t i = 0; i < in->n_files && !rc; i++)
		rc = fn(&(struct reg_entry){ .name = files[i], .kind = REG_FILE }, arg);
	return rc ? rc : kernfs_list_children(in->node, fn, arg);
}

static int model_close(struct registry *reg)
{
	struct model_registry *model = model_of(reg);

	for (struct reg_dir *dir = model->dirs, *next; dir; dir = next) {
		next = dir->next;
		free(dir->files);
		free(dir);
	}
	kernfs_free_root(model->tree);
	free(model->files);
	free(model);
	return 0;
}

const struct registry_type registry_model = {
	.name = "model",
	.description = "counts the operations and adds up a price for each: simulated time",
	.timed = false,
	.files_links = true,
	.open = model_open,
	.root = model_top,
	.make_dir = model_make_dir,
	.make_file = model_make_file,
	.make_link = model_make_link,
	.remove = model_remove,
	.list = model_list,
	.close = model_close,
};
