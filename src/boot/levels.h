/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levels for the initcalls of a log: what is known of each name, made to fit the order in which the
 * initcalls ran, which is never from a higher level to a lower.
 */
#ifndef SLUBBENCH_LEVELS_H
#define SLUBBENCH_LEVELS_H

#include <stddef.h>

#include "boot/boot.h"

/*
 * Is this call of the kernel's own tables, and do levels apply to it?  Modules have none, and the
 * consoles are on pid 0.
 */
bool level_applies(const struct initcall *call);

/*
 * Takes @candidates (one a call; LEVEL_UNKNOWN: no idea) as far as they do not contradict the order:
 * the longest run of calls that never goes back.  Calls between two of one level are of that level,
 * said as SOURCE_KNOWLEDGE.  Calls whose level is set already stay.  Returns how many took theirs.
 */
size_t levels_fit(struct boot *boot, const enum initcall_level *candidates,
		  enum fact_source source);

/*
 * From the order knowledge that is compiled in (data/initcall-levels.csv): what several kernels'
 * symbols say of some 900 names.
 */
size_t levels_from_knowledge(struct boot *boot);

/* "device_sync" is a part of "device", "rootfs" of "fs" for the kernel's level lines. */
enum initcall_level level_base(enum initcall_level level);

#endif /* SLUBBENCH_LEVELS_H */
