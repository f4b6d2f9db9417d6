/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The creation of caches, initcall by initcall.  Internal to the simulation. */
#ifndef SLUBBENCH_REPLAY_H
#define SLUBBENCH_REPLAY_H

#include "boot/simulate.h"

/* What one initcall had the registry do. */
struct replayed {
	unsigned int directories, files, links;
	double cost_us;      /* all of it */
	double directory_us; /* model: mean of a directory with its files; NAN: made none */
	double link_us;      /* model: mean of a link; NAN: made none */
};

/*
 * Run the initcalls of @boot in their order against a registry of their own; @each has room for
 * one element a call.  Other arguments as for simulate().
 */
int replay(const struct boot *boot, ptrdiff_t registrar, const struct simulation *sim,
	   struct replayed *each, FILE *tree, int *status);

#endif /* SLUBBENCH_REPLAY_H */
