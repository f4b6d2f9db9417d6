/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which initcalls may be moved, and why the others may not.
 *
 * No log tells what an initcall provides to those behind it.  What can be told from its level, its
 * name, the probes that ran in it and its waits is told here; what passes is a candidate to be looked
 * at by somebody who knows the driver, not a proof.
 */
#ifndef SLUBBENCH_RULES_H
#define SLUBBENCH_RULES_H

#include <stddef.h>

#include "boot/boot.h"
#include "boot/goal.h"

enum verdict {
	MOVE_FREE,    /* nothing speaks against it */
	MOVE_CHECK,   /* possible; the reason says what to look at */
	MOVE_IDLE,    /* possible, but wins nothing */
	MOVE_REFUSED, /* the model forbids it */
};

struct ruling {
	enum verdict verdict;
	const char *reason; /* static text; never NULL */
};

/*
 * May call @index be deferred, to late level and further?  @goal is the milestone that it should win
 * time for, NULL: none, so that only the call itself is judged.
 */
struct ruling rule_defer(const struct boot *boot, size_t index, const struct goal *goal);

/*
 * May call @index run earlier, and how much?  *@to is the earliest place, an index into the calls:
 * the start of its level, or behind the last provider (a clock, a bus, a regulator) of its level
 * before it.  MOVE_REFUSED leaves *@to at @index.
 */
struct ruling rule_promote(const struct boot *boot, size_t index, size_t *to);

const char *verdict_name(enum verdict verdict);

#endif /* SLUBBENCH_RULES_H */
