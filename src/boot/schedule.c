/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels and link order: do_initcalls() of init/main.c, and what moves when a level changes. */
#include "boot/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "boot/find.h"

static bool built_in(const struct initcall *call)
{
	return call->pid == 1 && !call->blacklisted;
}

/* [first, end) of the calls of a level; first == end when the log does not tell. */
struct range {
	size_t first, end;
};

static struct range range_by_level(const struct boot *boot, enum initcall_level level)
{
	struct range range = { 0, 0 };

	for (size_t i = 0; i < boot->n_calls; i++)
		if (built_in(&boot->calls[i]) && boot->calls[i].level == level) {
			if (!range.end)
				range.first = i;
			range.end = i + 1;
		}
	return range;
}

/* The first call of the level whose name is known, and the last. */
static struct range range_by_names(const struct boot *boot, enum initcall_level level)
{
	struct range range = { 0, 0 };

	for (size_t i = 0; i < boot->n_calls; i++) {
		enum link_rank rank = link_rank(level, boot->calls[i].name);

		/* The registrar is in both tables: it proves neither level. */
		if (!built_in(&boot->calls[i]) || rank == LINK_UNKNOWN || rank == LINK_SLUB)
			continue;
		if (!range.end)
			range.first = i;
		range.end = i + 1;
	}
	return range;
}

static struct range range_of(const struct boot *boot, enum initcall_level level)
{
	struct range range = range_by_level(boot, level), late;

	if (range.end)
		return range;
	range = range_by_names(boot, level);
	late = range_by_names(boot, LEVEL_LATE);
	if (level == LEVEL_DEVICE && late.end && range.end > late.first)
		range.end = late.first;
	return range;
}

enum initcall_level schedule_level(const struct boot *boot, size_t call)
{
	struct range device, late;

	if (boot->calls[call].level != LEVEL_UNKNOWN)
		return boot->calls[call].level;
	late = range_of(boot, LEVEL_LATE);
	if (late.end && call >= late.first)
		return LEVEL_LATE;
	device = range_of(boot, LEVEL_DEVICE);
	return device.end && call >= device.first ? LEVEL_DEVICE : LEVEL_UNKNOWN;
}

/* The rank of a call: its own, or that of the last known one before it in its level. */
static enum link_rank rank_of(const struct boot *boot, size_t call, enum initcall_level level)
{
	struct range range = range_of(boot, level);

	for (size_t i = call + 1; i-- > range.first;) {
		enum link_rank rank = link_rank(level, boot->calls[i].name);

		if (rank != LINK_UNKNOWN)
			return rank;
	}
	return LINK_ARCH;
}

/*
 * Where in the log the call goes at level @to: behind the last one that is known to be linked
 * before it.  -1 after a complaint.
 */
static ptrdiff_t place_for(const struct boot *boot, const struct schedule_move *move,
			   const struct symbols *symbols)
{
	const struct initcall *call = &boot->calls[move->call];
	enum link_rank rank = link_rank(move->to, call->name);
	struct range range = range_of(boot, move->to);
	size_t place = range.first;

	if (symbols) {
		ptrdiff_t told = symbols_place(symbols, boot, move->call, move->to);

		if (told >= 0)
			return told;
	}
	if (!range.end) {
		complain("%s: cannot tell where the initcall level '%s' is, so '%s' cannot move "
			 "there; --symbols System.map would tell", boot->name,
			 level_name(move->to), call->name);
		return -1;
	}
	if (rank == LINK_UNKNOWN)
		rank = rank_of(boot, move->call, schedule_level(boot, move->call));
	for (size_t i = range.first; i < range.end; i++) {
		enum link_rank other = link_rank(move->to, boot->calls[i].name);

		if (other != LINK_UNKNOWN && other <= rank)
			place = i + 1;
	}
	return (ptrdiff_t)place;
}

bool schedule_late_is_before(const struct boot *boot, size_t call, size_t n_before,
			     const struct symbols *symbols)
{
	const struct schedule_move move = { call, LEVEL_LATE };
	struct range late = range_of(boot, LEVEL_LATE);

	return late.end && late.first < n_before &&
	       place_for(boot, &move, symbols) < (ptrdiff_t)n_before;
}

/* Let the element at @from of the order stand before the one that is now at @to. */
static void move_to(size_t *order, size_t from, size_t to)
{
	size_t moved = order[from];

	if (to > from) {
		to--;
		memmove(&order[from], &order[from + 1], (to - from) * sizeof(*order));
	} else {
		memmove(&order[to + 1], &order[to], (from - to) * sizeof(*order));
	}
	order[to] = moved;
}

static size_t index_of(const size_t *order, size_t n, size_t call)
{
	for (size_t i = 0; i < n; i++)
		if (order[i] == call)
			return i;
	return n;
}

static int order_recorded(const struct boot *in, const struct schedule_move *moves, size_t n,
			  const struct symbols *symbols, size_t *order)
{
	for (size_t m = 0; m < n; m++) {
		ptrdiff_t place = place_for(in, &moves[m], symbols);
		size_t from = index_of(order, in->n_calls, moves[m].call), to;

		if (place < 0)
			return -1;
		to = (size_t)place == in->n_calls ? in->n_calls :
						    index_of(order, in->n_calls, (size_t)place);
		move_to(order, from, to);
	}
	return 0;
}

/* A stable sort by level; there are twenty levels. */
static void order_described(const enum initcall_level *levels, size_t n, size_t *order)
{
	size_t at = 0;

	for (int level = 0; level < N_LEVELS; level++)
		for (size_t i = 0; i < n; i++)
			if ((int)levels[i] == level)
				order[at++] = i;
}

/* @in with its calls in @order and at @levels. */
static struct boot *reorder(const struct boot *in, const size_t *order,
			    const enum initcall_level *levels)
{
	struct boot *out = boot_copy(in, order);

	for (size_t i = 0; i < in->n_calls; i++)
		out->calls[i].level = levels[order[i]];
	for (size_t i = 0; i < out->n_probes; i++) {
		ptrdiff_t *inside = &out->probes[i].initcall;

		if (*inside >= 0)
			*inside = (ptrdiff_t)index_of(order, in->n_calls, (size_t)*inside);
	}
	return out;
}

int schedule(const struct boot *in, const struct schedule_move *moves, size_t n,
	     const struct symbols *symbols, struct boot **out, size_t **origin)
{
	enum initcall_level *levels = xcalloc(in->n_calls, sizeof(*levels));
	size_t *order = xcalloc(in->n_calls, sizeof(*order));
	int rc = 0;

	for (size_t i = 0; i < in->n_calls; i++) {
		levels[i] = in->calls[i].level;
		order[i] = i;
	}
	for (size_t m = 0; m < n; m++)
		levels[moves[m].call] = moves[m].to;
	if (in->recorded)
		rc = order_recorded(in, moves, n, symbols, order);
	else
		order_described(levels, in->n_calls, order);
	if (!rc) {
		*out = reorder(in, order, levels);
		*origin = order;
		order = NULL;
	}
	free(order);
	free(levels);
	return rc;
}

static int check_registrar(const struct boot *boot, size_t call, size_t again)
{
	const struct initcall *registrar = &boot->calls[call];
	char where[64] = "";

	if (registrar->line)
		snprintf(where, sizeof(where), ":%u", registrar->line);
	if (registrar->blacklisted) {
		complain("%s%s: '%s' is blacklisted: its caches were never registered", boot->name,
			 where, registrar->name);
		return -1;
	}
	if (again) {
		complain("%s:%u: '%s' appears twice, first in line %u: which one registers the "
			 "caches?", boot->name, boot->calls[again].line, registrar->name,
			 registrar->line);
		return -1;
	}
	if (registrar->returned)
		return 0;
	complain("%s%s: '%s' never returns: what registration costs is not known", boot->name,
		 where, registrar->name);
	return -1;
}

int schedule_registrar(const struct boot *boot, const char *name, ptrdiff_t *call)
{
	static const char *const known[] = { "slab_sysfs_init", "slab_late_init" };
	size_t again = 0;

	*call = -1;
	if (name) {
		*call = find_call("initcalls: --registrar", boot, name, NULL);
		return *call < 0 ? -1 : check_registrar(boot, (size_t)*call, 0);
	}
	for (size_t i = 0; i < boot->n_calls; i++) {
		if (strcmp(boot->calls[i].name, known[0]) && strcmp(boot->calls[i].name, known[1]))
			continue;
		if (*call < 0)
			*call = (ptrdiff_t)i;
		else
			again = i;
	}
	return *call < 0 ? 0 : check_registrar(boot, (size_t)*call, again);
}
