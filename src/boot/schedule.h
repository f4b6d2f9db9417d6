/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which initcalls run: by level, within a level by link order, on one CPU.
 *
 * A description has its rows in link order, so its schedule is a stable sort by level.  A log has
 * the order itself; what moves to another level goes where link order puts it there.
 */
#ifndef SLUBBENCH_SCHEDULE_H
#define SLUBBENCH_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include "boot/boot.h"
#include "boot/symbols.h"

struct schedule_move {
	size_t call;             /* index in the boot */
	enum initcall_level to;
};

/*
 * Make @out, the boot @in with the @n @moves done.  (*@origin)[i] is where call i of @out is in
 * @in; free it.  In a log the place in link order is that of @symbols, or with NULL that of the
 * shipped knowledge.  0, or -1 after a complaint: nothing tells where the level is.
 */
int schedule(const struct boot *in, const struct schedule_move *moves, size_t n,
	     const struct symbols *symbols, struct boot **out, size_t **origin);

/* Would the call, at late level, still run before call @n_before of the boot as it is? */
bool schedule_late_is_before(const struct boot *boot, size_t call, size_t n_before,
			     const struct symbols *symbols);

/*
 * The level of a call: as read, or for a log without levels device or late by the initcalls whose
 * level is known, LEVEL_UNKNOWN before those.
 */
enum initcall_level schedule_level(const struct boot *boot, size_t call);

/*
 * Find the initcall that registers the caches: @name, or with NULL one of slab_sysfs_init and
 * slab_late_init.  0 and *@call, -1 in it when there is none; -1 after a complaint when it is
 * there twice, blacklisted or never returned.
 */
int schedule_registrar(const struct boot *boot, const char *name, ptrdiff_t *call);

/*
 * Where a name stands in the link order of the kernel: init, arch, kernel, mm up to slub.o, slub.o,
 * the rest of mm, fs, ipc and security and crypto, block and lib, drivers, net.
 */
enum link_rank {
	LINK_UNKNOWN,
	LINK_ARCH,
	LINK_KERNEL,
	LINK_MM,
	LINK_SLUB,
	LINK_MM_REST,
	LINK_FS,
	LINK_SECURITY,
	LINK_BLOCK,
	LINK_DRIVERS,
	LINK_NET,
};

/* The rank of an initcall of that level, LINK_UNKNOWN for one that the shipped table lacks. */
enum link_rank link_rank(enum initcall_level level, const char *name);

#endif /* SLUBBENCH_SCHEDULE_H */
