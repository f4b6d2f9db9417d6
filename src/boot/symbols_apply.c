/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What symbols say of the calls of a boot. */
#include "boot/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "boot/levels.h"

#define MOST_PLACED 20000 /* entries; symbols_place() takes time with their square */

struct by_name {
	const char *name;
	size_t n;      /* length, without ".cfi_jt" and its like */
	size_t index;
};

static int compare_names(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;
	size_t n = x->n < y->n ? x->n : y->n;
	int order = memcmp(x->name, y->name, n);

	if (order)
		return order;
	return x->n != y->n ? (x->n < y->n ? -1 : 1) : 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct by_name *x = a, *y = b;
	int order = compare_names(a, b);

	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

static struct by_name key_of(const char *name, size_t index)
{
	return (struct by_name){ name, strcspn(name, "."), index };
}

/* Both sides sorted by name and then by order: the k-th of a name meets the k-th of that name. */
static void match(const struct symbols *symbols, const struct boot *boot, ptrdiff_t *entry_of)
{
	struct by_name *entries = xcalloc(symbols->n, sizeof(*entries));
	struct by_name *calls = xcalloc(boot->n_calls, sizeof(*calls));
	size_t n_calls = 0, e = 0;

	for (size_t i = 0; i < symbols->n; i++)
		entries[i] = key_of(symbols->entries[i].name, i);
	for (size_t i = 0; i < boot->n_calls; i++) {
		entry_of[i] = -1;
		if (!boot->calls[i].module)
			calls[n_calls++] = key_of(boot->calls[i].name, i);
	}
	qsort(entries, symbols->n, sizeof(*entries), compare_entries);
	qsort(calls, n_calls, sizeof(*calls), compare_entries);
	for (size_t c = 0; c < n_calls; c++) {
		while (e < symbols->n && compare_names(&entries[e], &calls[c]) < 0)
			e++;
		if (e < symbols->n && compare_names(&entries[e], &calls[c]) == 0)
			entry_of[calls[c].index] = (ptrdiff_t)entries[e++].index;
	}
	free(entries);
	free(calls);
}

size_t symbols_apply(const struct symbols *symbols, struct boot *boot)
{
	enum initcall_level *candidates = xcalloc(boot->n_calls, sizeof(*candidates));
	ptrdiff_t *entry_of = xcalloc(boot->n_calls, sizeof(*entry_of));
	size_t found = 0;

	match(symbols, boot, entry_of);
	for (size_t i = 0; i < boot->n_calls; i++) {
		struct initcall *call = &boot->calls[i];
		enum initcall_level level;

		if (entry_of[i] < 0)
			continue;
		found++;
		level = symbols->entries[entry_of[i]].level;
		if (call->level == LEVEL_UNKNOWN) {
			candidates[i] = level;
		} else if (call->level != level && level_base(level) == call->level) {
			call->level = level;
			call->level_from = SOURCE_SYMBOLS;
		} else if (call->level == LEVEL_CONSOLE && level == LEVEL_CONSOLE) {
			call->level_from = SOURCE_SYMBOLS;
		}
	}
	levels_fit(boot, candidates, SOURCE_SYMBOLS);
	free(candidates);
	free(entry_of);
	return found;
}

/* Where the object first stands among those of its own level, -1: not there. */
static ptrdiff_t position(const struct symbols *symbols, enum initcall_level level,
			  const char *object)
{
	for (size_t i = 0; i < symbols->n; i++) {
		const struct symbol *entry = &symbols->entries[i];

		if (entry->level == level && entry->object && !strcmp(entry->object, object))
			return (ptrdiff_t)i;
	}
	return -1;
}

/* Several files are called "core": a name with others between its entries is more than one. */
static bool scattered(const struct symbols *symbols, enum initcall_level level, const char *object)
{
	bool seen = false, left = false;

	for (size_t i = 0; i < symbols->n; i++) {
		const struct symbol *entry = &symbols->entries[i];

		if (entry->level != level || !entry->object)
			continue;
		if (strcmp(entry->object, object)) {
			left |= seen;
			continue;
		}
		if (left)
			return true;
		seen = true;
	}
	return false;
}

/*
 * The slot among the entries of @level that contradicts the signposts least, the first of equals:
 * as object names are not unique, some may still point the wrong way.
 */
static size_t best_slot(const struct symbols *symbols, const struct symbol *own,
			enum initcall_level level)
{
	ptrdiff_t own_at = position(symbols, own->level, own->object);
	ptrdiff_t wrong = 0, best = 0;
	size_t slot = 0, at = 0;

	for (size_t i = 0; i < symbols->n; i++) {
		const struct symbol *entry = &symbols->entries[i];
		ptrdiff_t signpost;

		if (entry->level != level)
			continue;
		at++;
		signpost = entry->object ? position(symbols, own->level, entry->object) : -1;
		if (signpost < 0 || signpost == own_at ||
		    scattered(symbols, level, entry->object) ||
		    scattered(symbols, own->level, entry->object))
			continue;
		wrong += signpost < own_at ? -1 : 1;
		if (wrong < best) {
			best = wrong;
			slot = at;
		}
	}
	return slot;
}

/* The first call of the boot that the linker has behind the @slot-th entry of @level. */
static ptrdiff_t call_at(const struct symbols *symbols, const struct boot *boot,
			 const ptrdiff_t *entry_of, enum initcall_level level, size_t slot)
{
	ptrdiff_t first = (ptrdiff_t)symbols->n;

	for (size_t i = 0; i < symbols->n; i++) {
		if (symbols->entries[i].level > level ||
		    (symbols->entries[i].level == level && slot-- == 0)) {
			first = (ptrdiff_t)i;
			break;
		}
	}
	for (size_t c = 0; c < boot->n_calls; c++)
		if (entry_of[c] >= first && symbols->entries[entry_of[c]].level != LEVEL_CONSOLE)
			return (ptrdiff_t)c;
	return (ptrdiff_t)boot->n_calls;
}

ptrdiff_t symbols_place(const struct symbols *symbols, const struct boot *boot, size_t index,
			enum initcall_level level)
{
	ptrdiff_t *entry_of = xcalloc(boot->n_calls, sizeof(*entry_of)), place = -1;
	const struct symbol *own = NULL;

	match(symbols, boot, entry_of);
	if (entry_of[index] >= 0)
		own = &symbols->entries[entry_of[index]];
	if (own && own->object && symbols->n <= MOST_PLACED)
		place = call_at(symbols, boot, entry_of, level, best_slot(symbols, own, level));
	free(entry_of);
	return place;
}
