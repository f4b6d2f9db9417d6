/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reader of caches-1; the one of boot-1 is in csv_board.c. */
#include "boot/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "boot/shipped.h"
#include "report/csv.h"

#define SIZE_MOST (4u << 20) /* KMALLOC_MAX_SIZE */
#define NAME_MOST 255u       /* NAME_MAX: it becomes a file name */

enum { CACHE, SIZE, ALIGN, FLAGS, CONSTRUCTOR, USERSIZE, CREATED_BY };

static const char *const columns[] = {
	[CACHE] = "cache",
	[SIZE] = "size_bytes",
	[ALIGN] = "align_bytes",
	[FLAGS] = "flags",
	[CONSTRUCTOR] = "constructor",
	[USERSIZE] = "usersize_bytes",
	[CREATED_BY] = "created_by",
	NULL,
};

/* FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
static size_t hash_of(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
	return (size_t)(hash ^ hash >> 32);
}

/* The slot of @name: that of its row, or a free one. */
static size_t *slot_of(const struct cache_set *set, const char *name)
{
	size_t i = hash_of(name) & (set->n_slots - 1);

	while (set->slots[i] && strcmp(set->rows[set->slots[i] - 1].request.spec.name, name))
		i = (i + 1) & (set->n_slots - 1);
	return &set->slots[i];
}

const struct cache_row *cache_set_find(const struct cache_set *set, const char *name)
{
	size_t slot = set->n_slots ? *slot_of(set, name) : 0;

	return slot ? &set->rows[slot - 1] : NULL;
}

static void make_slots(struct cache_set *set, size_t n)
{
	free(set->slots);
	set->n_slots = n;
	set->slots = xcalloc(set->n_slots, sizeof(*set->slots));
	for (size_t i = 0; i < set->n; i++)
		*slot_of(set, set->rows[i].request.spec.name) = i + 1;
}

/* Read one number of the row into @to. */
static int cell_number(const struct csv_row *row, int column, uint64_t least, uint64_t most,
		       unsigned int *to)
{
	const char *text = row->cells[column];
	uint64_t value = 0;
	char *what;

	/* The words for a complaint take longer than all the rest of the row. */
	if (is_number(text, least, most, &value)) {
		*to = (unsigned int)value;
		return 0;
	}
	what = xasprintf("%s:%u: %s of cache '%s'", row->file, row->line, columns[column],
			 row->cells[CACHE]);
	parse_number(what, text, least, most, &value);
	free(what);
	return -1;
}

static int check_name(const struct csv_row *row, const char *name)
{
	if (*name && strlen(name) <= NAME_MOST && !strpbrk(name, "/ \t\r\n") &&
	    strcmp(name, ".") && strcmp(name, ".."))
		return 0;
	complain("%s:%u: '%s' is no name of a cache: expected 1 to %u bytes without blanks and '/'",
		 row->file, row->line, name, NAME_MOST);
	return -1;
}

static int check_align(const struct csv_row *row, unsigned int align)
{
	if (!(align & (align - 1)))
		return 0;
	complain("%s:%u: align_bytes of cache '%s': %u is no power of two", row->file, row->line,
		 row->cells[CACHE], align);
	return -1;
}

static int check_flags(const struct csv_row *row, unsigned int *flags)
{
	const char *wrong = slub_cache_flags_parse(row->cells[FLAGS], flags);

	if (!wrong)
		return 0;
	complain("%s:%u: flags of cache '%s': unknown flag '%.*s'; expected %s", row->file,
		 row->line, row->cells[CACHE], (int)strcspn(wrong, " \t|"), wrong,
		 slub_cache_flag_names());
	return -1;
}

static int check_new(const struct csv_row *row, const struct cache_set *set)
{
	const struct cache_row *first = cache_set_find(set, row->cells[CACHE]);

	if (first) {
		complain("%s:%u: cache '%s' is there twice, first in line %u", row->file,
			 row->line, row->cells[CACHE], first->line);
		return -1;
	}
	if (set->n < CACHE_ROWS_MAX)
		return 0;
	complain("%s:%u: more than %u caches", row->file, row->line, CACHE_ROWS_MAX);
	return -1;
}

static int take_cache(const struct csv_row *row, void *arg)
{
	struct cache_set *set = arg;
	struct slub_request request = { .usersize = 0 };
	struct slub_cache_spec *spec = &request.spec;
	struct cache_row *added;
	unsigned int constructor;

	if (check_name(row, row->cells[CACHE]) || check_new(row, set) ||
	    cell_number(row, SIZE, 1, SIZE_MOST, &spec->object_size) ||
	    cell_number(row, ALIGN, 0, SIZE_MOST, &spec->align) || check_align(row, spec->align) ||
	    check_flags(row, &spec->flags) || cell_number(row, CONSTRUCTOR, 0, 1, &constructor) ||
	    cell_number(row, USERSIZE, 0, spec->object_size, &request.usersize))
		return -1;
	spec->constructor = constructor;
	spec->name = xstrdup(row->cells[CACHE]);
	set->rows = xgrow(set->rows, set->n, sizeof(*set->rows));
	added = &set->rows[set->n++];
	added->request = request;
	added->created_by = xstrdup(row->cells[CREATED_BY]);
	added->line = row->line;
	if (set->n * 2 > set->n_slots)
		make_slots(set, set->n_slots ? set->n_slots * 2 : 256);
	else
		*slot_of(set, spec->name) = set->n;
	return 0;
}

int cache_set_read(const char *what, const char *name, struct cache_set **out)
{
	const struct shipped_file *shipped;
	struct cache_set *set;
	int rc;

	if (shipped_or_file(what, shipped_caches, name, &shipped))
		return -1;
	set = xcalloc(1, sizeof(*set));
	set->name = xstrdup(name);
	if (shipped)
		rc = csv_read_memory(name, shipped->text, shipped->size, "caches-1", columns,
				     take_cache, set);
	else
		rc = csv_read(name, "caches-1", columns, take_cache, set);
	if (rc) {
		cache_set_free(set);
		return -1;
	}
	*out = set;
	return 0;
}

static void free_row(struct cache_row *row)
{
	free((char *)row->request.spec.name);
	free(row->created_by);
}

void cache_set_filter(struct cache_set *set,
		      bool (*keep)(const struct cache_row *row, const void *arg), const void *arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->n; i++) {
		if (keep(&set->rows[i], arg))
			set->rows[kept++] = set->rows[i];
		else
			free_row(&set->rows[i]);
	}
	set->n = kept;
	make_slots(set, set->n_slots);
}

void cache_set_free(struct cache_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n; i++)
		free_row(&set->rows[i]);
	free(set->rows);
	free(set->slots);
	free(set->name);
	free(set);
}

bool cache_set_shipped(const char *name)
{
	return shipped_find(shipped_caches, name) != NULL;
}
