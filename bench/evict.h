/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Make memory cold. */
#ifndef SLUBBENCH_EVICT_H
#define SLUBBENCH_EVICT_H

#include <stddef.h>

/*
 * Push [at, at + n) out of every cache of this CPU and wait until it is gone.
 *
 * x86: CLFLUSH, arm64: DC CIVAC, line by line; they reach the caches of all CPUs.  Elsewhere a
 * buffer of several times the largest cache is read through.  The TLB stays warm.
 */
void evict(const void *at, size_t n);

#endif /* SLUBBENCH_EVICT_H */
