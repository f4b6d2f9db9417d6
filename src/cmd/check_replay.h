/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A workload of SLUB's checks as something to time; one call of it is one allocation or free. */
#ifndef SLUBBENCH_CHECK_REPLAY_H
#define SLUBBENCH_CHECK_REPLAY_H

#include "bench/checks.h"
#include "slub/workload.h"

struct replay { /* outlives the measuring */
	check_fn *fn;
	const struct workload *workload;
	uint32_t next;               /* of the order */
	const struct xstate *xstate; /* saved and restored around every check; NULL: not */
};

struct measure_work replay_work(struct replay *r, const char *name, enum check_mode mode);

#endif /* SLUBBENCH_CHECK_REPLAY_H */
