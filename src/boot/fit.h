/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the shipped cache sets a log needs, and what of it this kernel cannot have. */
#ifndef SLUBBENCH_FIT_H
#define SLUBBENCH_FIT_H

#include "boot/csv.h"

/*
 * The shipped set that knows most caches of the initcalls of @boot, one for its kernel's series where
 * there is one.  0, or -1 after a complaint.
 */
int fit_choose(const struct boot *boot, struct cache_set **out);

/*
 * Take from a shipped @set what the kernel of the log @boot has not: SLAB_ACCOUNT, which is 0
 * without memory cgroups, and kmalloc's caches for it; on arm64 before 6.5, whose kmalloc() starts
 * at 128 bytes for the sake of DMA, the smaller ones.
 */
void fit_set(struct cache_set *set, const struct boot *boot);

#endif /* SLUBBENCH_FIT_H */
