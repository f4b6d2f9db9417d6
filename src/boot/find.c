/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "boot/find.h"

#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"

#define MOST_NAMES 20000 /* among which the nearest is looked for */

/* @names has @n and a place for a NULL behind them. */
static void complain_names(const char *option, const struct boot *boot, const char *what,
			   const char *name, const char **names, size_t n)
{
	const char *first, *second = NULL;

	names[n] = NULL;
	first = nearest(name, names);
	for (size_t i = 0; first && i < n; i++) {
		if (strcmp(names[i], first))
			continue;
		names[i] = ""; /* the runner-up */
		second = nearest(name, names);
		break;
	}
	if (second && *second && strcmp(first, second))
		complain("%s: %s has no %s '%s'; the nearest are %s and %s", option, boot->name,
			 what, name, first, second);
	else if (first)
		complain("%s: %s has no %s '%s'; the nearest is %s", option, boot->name, what,
			 name, first);
	else
		complain("%s: %s has no %s '%s', and none with a name near to it", option,
			 boot->name, what, name);
}

ptrdiff_t find_call(const char *option, const struct boot *boot, const char *name,
		    const char *word)
{
	size_t n = boot->n_calls < MOST_NAMES ? boot->n_calls : MOST_NAMES;
	ptrdiff_t found = boot_find(boot, name);
	const char **names;

	if (found >= 0)
		return found;
	names = xcalloc(n + 2, sizeof(*names));
	for (size_t i = 0; i < n; i++)
		names[i] = boot->calls[i].name;
	if (word)
		names[n++] = word;
	complain_names(option, boot, "initcall", name, names, n);
	free(names);
	return -1;
}

void complain_no_probe(const char *option, const struct boot *boot, const char *device)
{
	size_t n = boot->n_probes < MOST_NAMES ? boot->n_probes : MOST_NAMES;
	const char **names = xcalloc(n + 1, sizeof(*names));

	for (size_t i = 0; i < n; i++)
		names[i] = boot->probes[i].device;
	complain_names(option, boot, "probe of", device, names, n);
	free(names);
}
