/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A user's own check_fn from a shared object, as one more contender. */
#ifndef SLUBBENCH_CHECK_PLUGIN_H
#define SLUBBENCH_CHECK_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "check/verify.h"

#define PLUGIN_PREFIX "plugin:" /* of its name, before that of the file */
#define PLUGIN_SYMBOL "slubbench_check" /* when none is named */
#define PLUGIN_PATIENCE_S 5.0           /* to load it, or to answer for one value */

struct plugin {
	char *path, *symbol, *name;
	struct check_variant v; /* its row, as if it were in the table */
	size_t code_bytes;      /* of the symbol; 0: not known */
};

/*
 * Take "FILE.so[:SYMBOL]" and see, in a child process, whether it loads and has the symbol.  0, or
 * -1 after a complaint.
 */
int plugin_open(struct plugin *p, const char *text);
void plugin_close(struct plugin *p);

/* Load it into this process, which must be one that may die; NULL when that fails. */
check_fn *plugin_load(const struct plugin *p);

/*
 * Is it right for @value?  As check_verify(), from a child process: 0, 1 (*@failure), -1, and 2 when
 * it could not be told because the child died or hung: *@words says how.
 */
int plugin_verify(const struct plugin *p, uint8_t value, struct verify_failure *failure,
		  const char **words);

#endif /* SLUBBENCH_CHECK_PLUGIN_H */
