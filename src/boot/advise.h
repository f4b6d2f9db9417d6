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

struct advice {
	size_t call;
	double gain_us;        /* what deferring it wins at the milestone */
	double cumulative_us;  /* that of the candidates down to this one */
	double sysfs_us;       /* of the gain: registration; 0 where not known */
	size_t probes;         /* that ran in it */
	struct ruling ruling;
};

/*
 * All initcalls before the milestone, by verdict (candidates first) and by what deferring them wins.
 * Returns how many; free *out.
 */
size_t advise(const struct boot *boot, const struct goal *goal, struct advice **out);

/*
 * Moves call @from of @boot forward to place @to <= @from, in place; @origin, where each call came from,
 * moves along, and so do the probes.  The times stay with the calls: simulate() makes new ones.
 */
void promote(struct boot *boot, size_t *origin, size_t from, size_t to);

#endif /* SLUBBENCH_ADVISE_H */
