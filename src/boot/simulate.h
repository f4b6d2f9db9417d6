/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What registration costs each initcall of a boot, and what that does to the time of all others.
 *
 * The boot's initcalls create their caches in a user-space SLUB on a registry; what the registry
 * had to do within each is the registration of that initcall.  A simulation: only the registry's
 * own work may be real (kernfs, directory, cgroup), the rest is arithmetic on what was given.
 */
#ifndef SLUBBENCH_SIMULATE_H
#define SLUBBENCH_SIMULATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "boot/boot.h"
#include "boot/csv.h"
#include "slub/cache.h"
#include "sysfs/registry.h"

struct simulation {
	const struct cache_set *caches;
	struct slub_config slub;
	const struct registry_type *registry;
	struct reg_config registry_config;
};

/* What became of the caches that the set knows. */
struct attached {
	size_t at_start;   /* there before the first initcall */
	size_t known;      /* created by an initcall of this boot */
	size_t initcalls;  /* that create them */
	size_t elsewhere;  /* by initcalls that this boot does not have: left out */
};

/* Give each initcall of a log the caches that @caches says it creates (created_by). */
struct attached simulate_attach(struct boot *boot, const struct cache_set *caches);

/* What the registrar of a log teaches. */
struct learned {
	struct reg_prices prices;
	double directory_us; /* mean of one directory with its files, in the registrar */
	double link_us;      /* of one link; NAN: it made none */
	unsigned int directories, links;
	size_t clamped;      /* initcalls that took less than their registration would have */
};

/*
 * Learn the prices from the duration of call @registrar of the log @boot and from what it had to
 * register, and split every call of the log into its own work and registration at these prices.
 * @flat, where not NULL, are the prices to take instead.  Of 0 us all prices are 0, after a note.
 * 0, or -1 after a complaint.
 */
int simulate_learn(struct boot *boot, ptrdiff_t registrar, const struct simulation *sim,
		   const struct reg_prices *flat, struct learned *learned);

/*
 * Run @boot, in the order that it has, and set of each call the registration and what it made, the
 * duration (its own work and registration) and the start.  @in is the boot that @boot was made
 * from by schedule(), with @origin; its times are the base.  @registrar is an index into @boot, or
 * -1: nothing is registered.  @tree, where not NULL, gets the listing of /sys/kernel/slab.
 * *@status is set on failure to what to exit with.  0, or -1 after a complaint.
 */
int simulate(const struct boot *in, struct boot *boot, const size_t *origin, ptrdiff_t registrar,
	     const struct simulation *sim, FILE *tree, int *status);

/* End of a call, microseconds; NAN when not known. */
double simulate_end(const struct initcall *call);

#endif /* SLUBBENCH_SIMULATE_H */
