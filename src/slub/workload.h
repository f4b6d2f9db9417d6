/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The checks that SLUB makes when objects of some caches are allocated and freed, in memory that is
 * as it should be.  Which bytes are checked, for what, and in which order comes from slub_checks();
 * nothing here is a list of lengths.
 *
 * All caches have all of slub_debug=FZPU.  Each has a slab of free objects, on which allocations
 * are checked, and one of objects in use, on which frees are.
 */
#ifndef SLUBBENCH_SLUB_WORKLOAD_H
#define SLUBBENCH_SLUB_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#define WORKLOAD_OPS 131072u /* in the order, a power of two: long enough not to be learnt */

struct workload_check {
	const uint8_t *at;
	size_t n;
	uint8_t value;
};

struct workload_op { /* one allocation or free of one object */
	uint32_t first, n; /* of checks[] */
};

struct workload_slab {
	uint8_t *memory;
	uint32_t first, n; /* of ops[] */
};

struct workload {
	char *name;
	struct workload_check *checks;
	size_t n_checks;
	struct workload_op *ops;
	size_t n_ops;
	uint32_t order[WORKLOAD_OPS]; /* indices into ops[], drawn at random */
	double calls_per_op, bytes_per_op;
	struct workload_slab *slabs;
	size_t n_slabs;
};

/* What "all" stands for: the caches that matter most, and two mixes.  Ends with NULL. */
extern const char *const workload_suite[];

/*
 * workload_make - the workload called @name: a known cache (slub_known_caches[]), random-small
 * (every known cache of up to 256 bytes) or random-all (every known cache).
 *
 * @seed draws the order.  NULL after a complaint that names @what and the nearest name.
 */
struct workload *workload_make(const char *what, const char *name, uint64_t seed);
void workload_free(struct workload *w);

#endif /* SLUBBENCH_SLUB_WORKLOAD_H */
