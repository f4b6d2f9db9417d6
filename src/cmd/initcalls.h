/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of `initcalls` share: running the boot, and telling what came of it. */
#ifndef SLUBBENCH_CMD_INITCALLS_H
#define SLUBBENCH_CMD_INITCALLS_H

#include "boot/goal.h"
#include "boot/log.h"
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
	bool asked;           /* by the user */
	bool missing;         /* not asked for, and the log ends before it */
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
	char **more_logs;    /* behind the first */
	size_t n_more_logs;
	const struct registry_type *registry; /* of what is replayed */
	bool eager, compare;
	struct name_list defer, promote;
	bool advise;
	uint64_t most_advice; /* 0: all */
	struct milestone milestone;
	double node_cost_ns; /* NAN: not given */
	uint64_t attributes;
	struct report report;
};

/* What it takes to run it. */
struct run {
	struct boot *boot;            /* as read */
	struct log_stats stats;       /* of the log */
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

/* A log with levels: from *@symbols, which are read by the first of several.  NULL after a complaint. */
struct boot *initcalls_read_log(const char *path, const struct plan *plan,
				struct symbols **symbols, struct log_stats *stats);

/* Several logs of one machine (initcalls_logs.c); an enum status. */
int initcalls_several(struct plan *plan);

/* What of --defer and --promote the rules forbid: 0, or -1 after a complaint. */
int initcalls_may_defer(const struct boot *boot, size_t call, const struct plan *plan);
int initcalls_promote(struct outcome *outcome, const struct plan *plan);

/* What was read of a log and what was not, on stderr. */
void log_stats_tell(const char *name, const struct log_stats *stats);
/* The time before the milestone, deferred probes and failures, on stdout. */
void milestone_tell(const struct run *run, const struct milestone *milestone);
void devices_tell(const struct boot *boot);
/* The table of --advise, on stdout, and its rows, NULL: there is no milestone to advise on. */
void advice_tell(const struct run *run, const struct plan *plan);
struct rows *advice_rows(const struct run *run, const struct plan *plan);
/* All of it as JSON (initcalls_json.c): 0, or -1 after a complaint. */
int initcalls_write_json(const struct rows *rows, const struct run *run, struct plan *plan);

/* "16.4 ms", "940 us": as much of it as matters. */
const char *human_us(double us, char text[32]);

const char *policy_name(enum policy policy);

/* When @outcome reaches it, microseconds; NAN when not known.  *@call: the row that does, -1 none. */
double milestone_at(const struct milestone *milestone, const struct boot *boot, ptrdiff_t *call);
/* The goal that it is in @boot: 0 with *@goal to be freed, -1 when the boot has none. */
int milestone_goal(const struct milestone *milestone, const struct boot *boot, struct goal *goal);
/* Is there such a milestone in @boot?  Sets the label.  0, or -1 after a complaint. */
int milestone_find(struct milestone *milestone, const struct boot *boot);

extern const struct column initcalls_columns[];

/* The rows of initcalls-1, one an initcall. */
void initcalls_fill(struct rows *rows, const struct outcome *outcome, size_t run,
		    const struct milestone *milestone);

/*
 * The table of eager beside deferred, on stdout: each initcall whose time differs, in the form of the
 * patch's own lines, and below it what that does to the milestone and to the whole.
 */
void compare_tell(const struct run *run, const struct milestone *milestone);
/* What the boot came to, below the table of initcalls. */
void outcome_tell(const struct run *run, const struct plan *plan);

#endif /* SLUBBENCH_CMD_INITCALLS_H */
