/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of directories, attribute files and symbolic links, as sysfs is one: whatever registers
 * something in it goes through this interface, and what stands behind it decides what that costs.
 */
#ifndef SLUBBENCH_REGISTRY_H
#define SLUBBENCH_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct registry;
/* A directory of the tree.  Each back end completes the type its own way; nobody else does. */
struct reg_dir;

enum reg_kind { REG_DIRECTORY, REG_FILE, REG_LINK, N_REG_KINDS };

/*
 * The price of an operation in microseconds, for the back end that computes instead of working.
 * A directory that is made or looked into costs besides @level for each level of its parent's
 * balanced tree and @byte for each byte of the name, which is copied, hashed and compared.
 */
struct reg_prices {
	double directory;
	double file;   /* the descent into the small tree of its own directory is in it */
	double link;
	double lookup; /* one that finds nothing, as before each new directory and link */
	double level;
	double byte;
};

/* One price for each directory with its files, and one for each link: of the 2022 patch's board. */
extern const struct reg_prices reg_prices_board;
/*
 * How the prices of a real kernel stand to each other, in units of one attribute file: the scale
 * comes from elsewhere (a log).  Linear fit to 231 sysfs_slab_add() of Linux 6.1.192 on x86-64.
 */
extern const struct reg_prices reg_prices_shape;
struct reg_prices reg_prices_scaled(const struct reg_prices *prices, double by);
/* Every directory, file and link at @us, all else free: what --node-cost asks for. */
struct reg_prices reg_prices_flat(double us);

struct reg_config {
	struct reg_prices prices; /* model */
	const char *path;         /* directory: where, must not exist; NULL: under a tmpfs */
	/*
	 * kernfs, to see what a large directory costs: behind so many children of a directory in the
	 * root the next ones go to another, where a look-up finds only these.  0: no such limit.
	 */
	size_t spread;
};

struct reg_entry {
	const char *name;
	enum reg_kind kind;
	const char *target; /* of a link: the name of what it points to */
};

struct reg_count {
	uint64_t made[N_REG_KINDS];
	uint64_t removed;
	uint64_t misses; /* removals that found nothing */
};

/* Non-zero stops the listing and is returned by it. */
typedef int reg_list_fn(const struct reg_entry *entry, void *arg);

struct registry_type {
	const char *name;
	const char *description;
	bool timed;       /* does the work, so the clock tells its cost; else a price does */
	bool files_links; /* can make files and links, not directories only */
	/*
	 * Errors are complained of where they are found; then NULL or -1 is returned.  The strings
	 * are copied, but for the name of a file, which must outlive the registry, as in sysfs.
	 * open() sets *@status to what the program should exit with.
	 */
	struct registry *(*open)(const struct reg_config *config, int *status);
	struct reg_dir *(*root)(struct registry *reg);
	struct reg_dir *(*make_dir)(struct registry *reg, struct reg_dir *in, const char *name);
	int (*make_file)(struct registry *reg, struct reg_dir *in, const char *name);
	int (*make_link)(struct registry *reg, struct reg_dir *in, const char *name,
			 struct reg_dir *to);
	/* 1: removed, with all below it; 0: there was none. */
	int (*remove)(struct registry *reg, struct reg_dir *in, const char *name);
	int (*list)(struct registry *reg, struct reg_dir *in, reg_list_fn *fn, void *arg);
	/* Bytes per node that the back end itself keeps; NULL: not known. */
	size_t (*node_bytes)(const struct registry *reg);
	/* Take everything down again. */
	int (*close)(struct registry *reg);
};

/* The head of what each back end's open() returns. */
struct registry {
	const struct registry_type *type;
	struct reg_count count;
	double price_us;                /* model: of the operation under way */
	/* Microseconds by what was made; removals count for it. */
	double spent_us[N_REG_KINDS];
	uint64_t page_faults;           /* while the clock ran */
	bool clocked;
	int stage;                      /* what the clock runs for; -1: nothing */
	double stage_since;             /* as machine_now_ns() has it */
};

extern const struct registry_type *const registry_types[]; /* ends with NULL */

/* The back end called @name; NULL after a complaint that starts with @what and names the nearest. */
const struct registry_type *registry_find(const char *what, const char *name);

/*
 * The same operations, counted and, after reg_clock(), timed.  All go through these.  The clock is
 * read only when the kind of work changes, so one cache with 30 files reads it three times.
 */
struct reg_dir *reg_make_dir(struct registry *reg, struct reg_dir *in, const char *name);
int reg_make_file(struct registry *reg, struct reg_dir *in, const char *name);
int reg_make_link(struct registry *reg, struct reg_dir *in, const char *name, struct reg_dir *to);
/* @for_kind: what is about to be made there, for the account of the clock. */
int reg_remove(struct registry *reg, struct reg_dir *in, const char *name, enum reg_kind for_kind);

/*
 * Start the clock, and stop it: between the two only registration goes on, from an operation until
 * the next one or until reg_clock_rest().
 */
void reg_clock(struct registry *reg);
void reg_clock_rest(struct registry *reg);
void reg_clock_stop(struct registry *reg);
/* Microseconds of registration until now: the price, or the time. */
double reg_cost_us(const struct registry *reg);

#endif /* SLUBBENCH_REGISTRY_H */
