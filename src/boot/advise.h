/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could be deferred to reach a milestone sooner, and the order with a call moved forward.
 */
#ifndef SLUBBENCH_ADVISE_H
#define SLUBBENCH_ADVISE_H

#include <stddef.h>

#include "boot/boot.h"
#include "boot/goal.h"
#include "boot/rules.h"
#include "boot/symbols.h"

struct advice {
	size_t call;
	double gain_us;        /* what deferring it alone wins at the milestone */
	double cumulative_us;  /* what deferring all candidates down to this one wins */
	double sysfs_us;       /* of the gain: registration; 0 where not known */
	size_t probes;         /* that ran in it */
	struct ruling ruling;
};

/*
 * All initcalls before the milestone, by verdict (candidates first) and by what deferring them wins.
 * Call @registrar (-1: none) makes those behind it register their caches: without it they do not,
 * and that is its gain as well.  @symbols as for schedule().  Returns how many; free *out.
 */
size_t advise(const struct boot *boot, const struct goal *goal, ptrdiff_t registrar,
	      const struct symbols *symbols, struct advice **out);

/*
 * Moves call @from of @boot forward to place @to <= @from, in place; @origin, where each call came from,
 * moves along, and so do the probes.  The times stay with the calls: simulate() makes new ones.
 */
void promote(struct boot *boot, size_t *origin, size_t from, size_t to);

#endif /* SLUBBENCH_ADVISE_H */
