/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same code at several addresses.
 *
 * Where a loop happens to lie can change its speed by tens of per cent: fetch windows, the branch
 * predictor's sets and its aliases all go by address.  One address is one draw; the median over
 * several is closer to what the code is worth, and their spread tells how much luck there is.
 */
#ifndef SLUBBENCH_PLACEMENT_H
#define SLUBBENCH_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "check/check.h"

#define PLACEMENT_MOST 16

struct placement {
	check_fn *fn[PLACEMENT_MOST];
	unsigned int n;
	bool moved; /* at n addresses; false: n times the one that the linker chose */
	void *map;
	size_t map_size;
};

/*
 * Make @n (1 .. PLACEMENT_MOST) places of @v, whose function is @fn.
 *
 * Copied is what v->copyable allows, what has a known size, and what still answers rightly from its
 * new place; anything else, and everything where the system forbids new executable memory, stays
 * where it is, n times.
 */
void placement_make(struct placement *p, const struct check_variant *v, check_fn *fn,
		    unsigned int n);
void placement_free(struct placement *p);

#endif /* SLUBBENCH_PLACEMENT_H */
