/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "boot/levels_known.h"

bool level_applies(const struct initcall *call)
{
	return !call->module && call->pid == 1;
}

enum initcall_level level_base(enum initcall_level level)
{
	static const enum initcall_level bases[N_LEVELS] = {
		[LEVEL_PURE_SYNC] = LEVEL_PURE,       [LEVEL_CORE_SYNC] = LEVEL_CORE,
		[LEVEL_POSTCORE_SYNC] = LEVEL_POSTCORE, [LEVEL_ARCH_SYNC] = LEVEL_ARCH,
		[LEVEL_SUBSYS_SYNC] = LEVEL_SUBSYS,   [LEVEL_FS_SYNC] = LEVEL_FS,
		[LEVEL_ROOTFS] = LEVEL_FS,            [LEVEL_DEVICE_SYNC] = LEVEL_DEVICE,
		[LEVEL_LATE_SYNC] = LEVEL_LATE,
	};

	return bases[level] ? bases[level] : level;
}

/*
 * The longest sequence of calls whose candidates never go down, by dynamic programming over the
 * few levels: best[l] is the length of the longest one that ends with level l or lower.
 * Marks its members in @member.
 */
static void longest_run(const struct boot *boot, const enum initcall_level *candidates,
			bool *member)
{
	size_t best[N_LEVELS] = { 0 }, *length = xcalloc(boot->n_calls, sizeof(*length)), want = 0;
	enum initcall_level top = N_LEVELS - 1;

	for (size_t i = 0; i < boot->n_calls; i++) {
		enum initcall_level level = candidates[i];

		if (level == LEVEL_UNKNOWN || !level_applies(&boot->calls[i]))
			continue;
		for (int lower = 0; lower <= (int)level; lower++)
			if (best[lower] >= length[i])
				length[i] = best[lower] + 1;
		best[level] = length[i];
		if (length[i] > want)
			want = length[i];
	}
	for (size_t i = boot->n_calls; want && i-- > 0;) {
		if (length[i] != want || candidates[i] > top)
			continue;
		member[i] = true;
		top = candidates[i];
		want--;
	}
	free(length);
}

/* Calls without a level between two of the same level are of that level. */
static void fill_between(struct boot *boot)
{
	enum initcall_level last = LEVEL_UNKNOWN;
	size_t from = 0;

	for (size_t i = 0; i < boot->n_calls; i++) {
		struct initcall *call = &boot->calls[i];

		if (!level_applies(call) || call->level == LEVEL_UNKNOWN)
			continue;
		for (size_t k = from; k < i && call->level == last; k++) {
			if (!level_applies(&boot->calls[k]) ||
			    boot->calls[k].level != LEVEL_UNKNOWN)
				continue;
			boot->calls[k].level = last;
			boot->calls[k].level_from = SOURCE_KNOWLEDGE;
		}
		last = call->level;
		from = i + 1;
	}
}

size_t levels_fit(struct boot *boot, const enum initcall_level *candidates,
		  enum fact_source source)
{
	bool *member = xcalloc(boot->n_calls, sizeof(*member));
	size_t taken = 0;

	longest_run(boot, candidates, member);
	for (size_t i = 0; i < boot->n_calls; i++) {
		struct initcall *call = &boot->calls[i];

		if (!member[i] || call->level != LEVEL_UNKNOWN)
			continue;
		call->level = candidates[i];
		call->level_from = source;
		taken++;
	}
	free(member);
	fill_between(boot);
	return taken;
}

static int compare_known(const void *key, const void *row)
{
	return strcmp(key, ((const struct known_level *)row)->name);
}

/* A name that different kernels have at different levels says nothing by itself. */
size_t levels_from_knowledge(struct boot *boot)
{
	enum initcall_level *candidates = xcalloc(boot->n_calls, sizeof(*candidates));
	size_t taken;

	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct known_level *row;

		if (boot->calls[i].level != LEVEL_UNKNOWN || !level_applies(&boot->calls[i]))
			continue;
		row = bsearch(boot->calls[i].name, known_levels, n_known_levels,
			      sizeof(*known_levels), compare_known);
		if (row)
			candidates[i] = row->level;
	}
	taken = levels_fit(boot, candidates, SOURCE_KNOWLEDGE);
	free(candidates);
	return taken;
}
