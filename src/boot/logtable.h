/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of a draft by name: an open-addressed table beside them.  Internal to the log reader. */
#ifndef SLUBBENCH_LOGTABLE_H
#define SLUBBENCH_LOGTABLE_H

#include "boot/logboot.h"

/* The newest call of that name and module, NO_CALL: none. */
uint32_t log_table_newest(const struct log_draft *draft, const char *name, const char *module);

/* Enters the draft's call @index as open. */
void log_table_open(struct log_draft *draft, uint32_t index);

/* Takes the newest open call of that name out and returns it; NO_CALL: none is open. */
uint32_t log_table_close(struct log_draft *draft, const char *name, const char *module);

/* The level of "entering initcall level: WORD". */
enum initcall_level log_level_word(struct span word);

#endif /* SLUBBENCH_LOGTABLE_H */
