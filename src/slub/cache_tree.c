/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /sys/kernel/slab as a listing: what the registry has, and of each cache what its files say. */
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "slub/cache.h"
#include "slub/cache_internal.h"

struct line {
	char *name;
	char *target;             /* of a link */
	enum reg_kind kind;
	struct slub_cache *cache; /* of a directory */
	unsigned int files;
};

struct listing {
	struct line *lines;
	size_t n;
};

static int add_line(const struct reg_entry *entry, void *arg)
{
	struct listing *list = arg;
	struct line *line;

	list->lines = xgrow(list->lines, list->n, sizeof(*list->lines));
	line = &list->lines[list->n++];
	line->name = xstrdup(entry->name);
	line->target = entry->target ? xstrdup(entry->target) : NULL;
	line->kind = entry->kind;
	return 0;
}

static int count_file(const struct reg_entry *entry, void *arg)
{
	*(unsigned int *)arg += entry->kind == REG_FILE;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->name, ((const struct line *)b)->name);
}

/* Which cache each directory belongs to. */
static int find_caches(struct slub *slub, struct listing *list)
{
	struct registry *reg = slub->reg;

	for (struct slub_cache *s = slub->newest; s; s = s->older) {
		char id[SLUB_ID_MAX];
		struct line key = { .name = (char *)slub_sysfs_name(slub, s, id) };
		struct line *line = bsearch(&key, list->lines, list->n, sizeof(key), by_name);

		if (!line || line->kind != REG_DIRECTORY)
			continue;
		line->cache = s;
		if (reg->type->list(reg, s->dir, count_file, &line->files))
			return -1;
	}
	return 0;
}

static void write_line(const struct line *line, FILE *to)
{
	const struct slub_cache *s = line->cache;

	if (line->kind == REG_LINK)
		fprintf(to, "L %s -> %s\n", line->name, line->target);
	else if (s)
		fprintf(to, "D %s size=%u objsize=%u order=%u objs=%u aliases=%d files=%u\n",
			line->name, s->layout.size, s->object_size, s->layout.order,
			s->layout.objects, s->refcount - 1, line->files);
}

int slub_write_tree(struct slub *slub, FILE *to)
{
	struct listing list = { NULL, 0 };
	int rc = 0;

	if (slub->kset)
		rc = slub->reg->type->list(slub->reg, slub->kset, add_line, &list);
	if (!rc && list.n) {
		qsort(list.lines, list.n, sizeof(*list.lines), by_name);
		rc = find_caches(slub, &list);
	}
	for (size_t i = 0; i < list.n; i++) {
		if (!rc)
			write_line(&list.lines[i], to);
		free(list.lines[i].name);
		free(list.lines[i].target);
	}
	free(list.lines);
	return rc;
}
