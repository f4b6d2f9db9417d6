/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A boot: the initcalls of one kernel in the order in which they ran, or would run.
 *
 * The readers (a boot-1 description, an initcall_debug log) fill one; schedule and simulate make a
 * new one from it; cmd/initcalls turns it into rows.  All times are in microseconds.
 */
#ifndef SLUBBENCH_BOOT_H
#define SLUBBENCH_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* include/linux/init.h, in the order in which do_initcalls() walks them. */
enum initcall_level {
	LEVEL_UNKNOWN,
	LEVEL_CONSOLE, /* console_initcall(): pid 0, before all others */
	LEVEL_EARLY,
	LEVEL_PURE,
	LEVEL_PURE_SYNC,
	LEVEL_CORE,
	LEVEL_CORE_SYNC,
	LEVEL_POSTCORE,
	LEVEL_POSTCORE_SYNC,
	LEVEL_ARCH,
	LEVEL_ARCH_SYNC,
	LEVEL_SUBSYS,
	LEVEL_SUBSYS_SYNC,
	LEVEL_FS,
	LEVEL_FS_SYNC,
	LEVEL_ROOTFS,
	LEVEL_DEVICE,
	LEVEL_DEVICE_SYNC,
	LEVEL_LATE,
	LEVEL_LATE_SYNC,
	N_LEVELS
};

/* Where a level or a duration was taken from: said in the output, never guessed in silence. */
enum fact_source {
	SOURCE_NONE,
	SOURCE_DESCRIPTION, /* a boot-1 file */
	SOURCE_STAMPS,      /* difference of two printk stamps */
	SOURCE_REPORTED,    /* "after N usecs" */
	SOURCE_LEVEL_LINES, /* "entering initcall level: ..." */
	SOURCE_SYMBOLS,     /* System.map, kallsyms, nm */
	SOURCE_KNOWLEDGE,   /* the shipped order of known initcalls */
	SOURCE_MODEL,       /* computed by simulate */
};

struct initcall {
	char *name;
	char *module;               /* NULL: built in */
	enum initcall_level level;
	enum fact_source level_from;
	int pid;                    /* -1: not known */
	double start_us;            /* on the boot's clock; NAN when not known */
	double duration_us;         /* whole, registration included; NAN when it never returned */
	enum fact_source duration_from;
	double self_us;             /* without registration; == duration_us until simulate() */
	double registration_us;     /* sysfs work that falls into it */
	double wait_us;             /* of its time, waiting for asynchronous functions */
	int result;                 /* what it returned */
	bool returned;
	bool blacklisted;
	bool promoted;              /* out of its place by --promote */
	char **caches;              /* names of the caches it creates, in order */
	size_t n_caches;
	/* what registration made inside this initcall: filled by simulate() */
	unsigned int directories, files, links;
	unsigned int line;          /* of the file it was read from; 0: not from a file */
	unsigned int end_line;      /* of a log: where it returned; 0: it did not */
};

/* "probe of NAME returned R after N usecs" */
struct probe {
	char *device;
	int result;
	double end_us;              /* stamp of the line; NAN without stamps */
	double duration_us;
	ptrdiff_t initcall;         /* index of the initcall it nests in by time, -1: none */
	unsigned int line;
};

/* A line that marks a point of the boot. */
struct mark {
	char *text;                 /* "Run /init as init process", "clocksource: Switched to ..." */
	double at_us;
	unsigned int line;
};

struct boot {
	char *name;                 /* board or file name, for the column `boot` */
	char *kernel;               /* "6.1.192", NULL when not known */
	bool recorded;              /* from a log: the order is what ran */
	bool stamps;                /* the starts of a log are printk stamps, no sums */
	struct initcall *calls;     /* in order */
	size_t n_calls;
	uint32_t *index;            /* of boot_index(): hash table, call + 1 */
	size_t n_index;
	struct initcall *asyncs;    /* asynchronous functions of a log: beside the calls, as they began */
	size_t n_asyncs;
	struct probe *probes;
	size_t n_probes;
	struct mark *marks;
	size_t n_marks;
	double run_init_us;         /* "Run /init as init process"; NAN when the log has none */
	/* What decides how SLUB merges and lays out, from the log's own lines. */
	char *command_line;         /* "Kernel command line: ..."; NULL: not in the log */
	unsigned int cpus, hwalign; /* "SLUB: HWalign=64, ... CPUs=2, ..."; 0: not in the log */
};

/* "early", "pure", "core", ... "rootfs", "device_sync", "unknown"; and back (LEVEL_UNKNOWN). */
const char *level_name(enum initcall_level level);
enum initcall_level level_from_name(const char *name);

/* "stamps", "reported", "level-lines", "symbols", ...: as the outputs say it. */
const char *fact_source_name(enum fact_source source);

/* Index of the first initcall called @name (a second of that name is NAME#2), -1: none. */
ptrdiff_t boot_find(const struct boot *boot, const char *name);

/* Makes boot_find() fast until a call is added; none may be moved after it. */
void boot_index(struct boot *boot);

struct boot *boot_new(const char *name);

/* Appends; @name is copied.  The pointer is valid until the next add of the same kind. */
struct initcall *boot_add(struct boot *boot, const char *name);
struct initcall *boot_add_async(struct boot *boot, const char *name);
struct probe *boot_add_probe(struct boot *boot, const char *device);
struct mark *boot_add_mark(struct boot *boot, const char *text);

/* The copy's initcall i is number order[i] of @boot; NULL: as they are.  What probes refer to stays. */
struct boot *boot_copy(const struct boot *boot, const size_t *order);
void boot_free(struct boot *boot);

#endif /* SLUBBENCH_BOOT_H */
