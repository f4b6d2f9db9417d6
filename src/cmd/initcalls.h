/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of `initcalls` share: running the boot, and telling what came of it. */
#ifndef SLUBBENCH_CMD_INITCALLS_H
#define SLUBBENCH_CMD_INITCALLS_H

#include "boot/simulate.h"
#include "boot/symbols.h"
#include "cmd/cmd.h"


enum policy { POLICY_EAGER, POLICY_DEFERRED, N_POLICIES };

/* One way in which the boot goes. */
struct outcome {
	enum policy policy;
	struct boot *boot;
	size_t *origin;       /* by place: where the call was in the boot as read */
	ptrdiff_t registrar;  /* index in boot->calls; -1: none */
};

/* What the user waits for. */
struct milestone {
	const char *text;     /* of --milestone; NULL: not asked for, the command chooses */
	char *label;          /* "gpio_wdt_driver_init returns" */
};

#define INITCALLS_BOARD "patch-2022"
#define INITCALLS_CACHES "linux-6.1"

struct name_list {
	bool given;
	char **names;
	size_t n;
};

/* What the user asked for. */
struct plan {
	const char *board, *log, *symbols, *caches, *registrar, *tree;
	const char *registry;
	bool eager, compare;
	struct name_list defer;
	struct milestone milestone;
	double node_cost_ns; /* NAN: not given */
	uint64_t attributes;
	struct report report;
};

/* What it takes to run it. */
struct run {
	struct boot *boot;            /* as read */
	struct symbols *symbols;      /* NULL: none given */
	struct cache_set *caches;
	ptrdiff_t registrar;          /* in boot */
	struct simulation sim;
	struct output tree;
	struct outcome outcomes[N_POLICIES];
	size_t n_outcomes;
	struct attached attached;
	struct learned learned;
	bool has_learned;
	int status;
};

/* Read what is to be run and learn from it, then run it.  0, or -1 after a complaint. */
int initcalls_prepare(struct run *run, const struct plan *plan);
int initcalls_run(struct run *run, const struct plan *plan);

const char *policy_name(enum policy policy);

/* When @outcome reaches it, microseconds; NAN when not known.  *@call: the row that does, -1 none. */
double milestone_at(const struct milestone *milestone, const struct boot *boot, ptrdiff_t *call);
/* Is there such a milestone in @boot?  Sets the label.  0, or -1 after a complaint. */
int milestone_find(struct milestone *milestone, const struct boot *boot);

extern const struct column initcalls_columns[];

/* The rows of initcalls-1, one an initcall. */
void initcalls_fill(struct rows *rows, const struct outcome *outcome,
		    const struct milestone *milestone);

/*
 * The table of eager beside deferred, on stdout: each initcall whose time differs, in the form of the
 * patch's own lines, and below it what that does to the milestone and to the whole.
 */
void compare_tell(const struct run *run, const struct milestone *milestone);
/* What the boot came to, below the table of initcalls. */
void outcome_tell(const struct run *run, const struct milestone *milestone);

#endif /* SLUBBENCH_CMD_INITCALLS_H */
