/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reader of boot-1: the initcalls of a board, in link order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "boot/csv.h"
#include "boot/shipped.h"
#include "report/csv.h"

enum { LEVEL, INITCALL, MODULE, SELF_US, CACHES };

static const char *const columns[] = {
	[LEVEL] = "level",
	[INITCALL] = "initcall",
	[MODULE] = "module",
	[SELF_US] = "self_us",
	[CACHES] = "caches",
	NULL,
};

struct reading {
	struct boot *boot;
	const struct cache_set *caches;
	unsigned int *taken; /* by row of the set: the line that creates it, 0: none yet */
};

static int level_of(const struct csv_row *row, enum initcall_level *level)
{
	const char *names[N_LEVELS] = { NULL };
	size_t n = 0;

	*level = level_from_name(row->cells[LEVEL]);
	if (*level != LEVEL_UNKNOWN)
		return 0;
	for (int i = LEVEL_CONSOLE; i < N_LEVELS; i++)
		names[n++] = level_name(i);
	complain("%s:%u: unknown level '%s'%s", row->file, row->line, row->cells[LEVEL],
		 did_you_mean(row->cells[LEVEL], names,
			      "expected early, pure, core, postcore, arch, subsys, fs, rootfs, device "
			      "or late, or one of them with _sync"));
	return -1;
}

static int self_of(const struct csv_row *row, double *self_us)
{
	char *what = xasprintf("%s:%u: self_us of '%s'", row->file, row->line,
			       row->cells[INITCALL]);
	int rc = parse_real(what, row->cells[SELF_US], 0, 1e12, self_us);

	free(what);
	return rc;
}

/* One name of the list: it must be known, and new. */
static int take_cache(const struct csv_row *row, struct reading *reading, struct initcall *call,
		      const char *name, size_t length)
{
	const struct cache_row *cache;
	char *copy = xstrndup(name, length);
	unsigned int *taken;

	cache = cache_set_find(reading->caches, copy);
	if (!cache) {
		complain("%s:%u: '%s' creates cache '%s', which %s does not have", row->file,
			 row->line, call->name, copy, reading->caches->name);
		free(copy);
		return -1;
	}
	taken = &reading->taken[cache - reading->caches->rows];
	if (*taken) {
		complain("%s:%u: '%s' creates cache '%s', which line %u did already", row->file,
			 row->line, call->name, copy, *taken);
		free(copy);
		return -1;
	}
	*taken = row->line;
	call->caches = xgrow(call->caches, call->n_caches, sizeof(*call->caches));
	call->caches[call->n_caches++] = copy;
	return 0;
}

static int take_initcall(const struct csv_row *row, void *arg)
{
	struct reading *reading = arg;
	const char *list = row->cells[CACHES];
	enum initcall_level level;
	struct initcall *call;
	double self_us;

	if (!*row->cells[INITCALL]) {
		complain("%s:%u: the name of the initcall is empty", row->file, row->line);
		return -1;
	}
	if (level_of(row, &level) || self_of(row, &self_us))
		return -1;
	call = boot_add(reading->boot, row->cells[INITCALL]);
	if (*row->cells[MODULE])
		call->module = xstrdup(row->cells[MODULE]);
	call->level = level;
	call->level_from = call->duration_from = SOURCE_DESCRIPTION;
	call->pid = level == LEVEL_CONSOLE ? 0 : 1;
	call->self_us = call->duration_us = self_us;
	call->returned = true;
	call->line = row->line;
	for (list += strspn(list, " "); *list; list += strspn(list, " ")) {
		size_t length = strcspn(list, " ");

		if (take_cache(row, reading, call, list, length))
			return -1;
		list += length;
	}
	return 0;
}

int board_read(const char *what, const char *name, const struct cache_set *caches,
	       struct boot **out)
{
	const struct shipped_file *shipped;
	struct reading reading = { .caches = caches };
	int rc;

	if (shipped_or_file(what, shipped_boards, name, &shipped))
		return -1;
	reading.boot = boot_new(name);
	reading.taken = xcalloc(caches->n, sizeof(*reading.taken));
	if (shipped)
		rc = csv_read_memory(name, shipped->text, shipped->size, "boot-1", columns,
				     take_initcall, &reading);
	else
		rc = csv_read(name, "boot-1", columns, take_initcall, &reading);
	free(reading.taken);
	if (rc) {
		boot_free(reading.boot);
		return -1;
	}
	*out = reading.boot;
	return 0;
}
