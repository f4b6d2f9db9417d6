/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shipped order knowledge; the table is made from data/initcall-levels.csv at build time. */
#ifndef SLUBBENCH_LEVELS_KNOWN_H
#define SLUBBENCH_LEVELS_KNOWN_H

#include "boot/boot.h"

struct known_level {
	char name[44]; /* in place: a pointer would be one more to relocate at each start */
	enum initcall_level level;
};

extern const struct known_level known_levels[]; /* sorted by name, as strcmp() does */
extern const size_t n_known_levels;

#endif /* SLUBBENCH_LEVELS_KNOWN_H */
