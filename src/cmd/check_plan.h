/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What check-bytes is asked to do: variants by cases, before anything runs. */
#ifndef SLUBBENCH_CHECK_PLAN_H
#define SLUBBENCH_CHECK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/parse.h"
#include "bench/checks.h"
#include "bench/measure.h"
#include "bench/placement.h"
#include "check/check.h"
#include "cmd/check_input.h"
#include "cmd/check_plugin.h"
#include "cmd/cmd.h"
#include "slub/workload.h"

/* Words for mismatches live above every offset. */
#define MISMATCH_NONE   UINT64_MAX
#define MISMATCH_FIRST  (UINT64_MAX - 1)
#define MISMATCH_MIDDLE (UINT64_MAX - 2)
#define MISMATCH_LAST   (UINT64_MAX - 3)

struct contender { /* one variant in the race */
	const struct check_variant *v;
	const struct plugin *plugin; /* where it comes from; NULL: the table */
	check_fn *fn;                /* of a plugin only in the child process that loaded it */
	struct placement places; /* of fn; made by the race */
	size_t code_bytes;       /* 0: not known */
};

struct planned_case {
	struct check_case c; /* of a workload only the mode counts */
	char mismatch[24];   /* the user's word for c.fault: none, first, middle, last or an offset */
	const struct workload *workload; /* NULL: one buffer */
};

struct workload_list {
	struct workload **workloads;
	size_t n;
};

struct check_plan {
	/* As typed; each list makes the cross product longer. */
	struct number_list sizes, aligns, values, mismatches, caches, modes;
	bool kernel_cost; /* CHECK_KERNEL beside the other modes */
	const char *workload_names; /* comma separated, "all"; NULL: none */
	const char *input_path;     /* check the bytes of this file; NULL: none */
	const char *plugin_text;    /* FILE.so[:SYMBOL]; NULL: none */
	const char *variants_text;  /* names; NULL: all that are usable */
	const char *filter;       /* ERE on variant names; NULL: no such choice */
	const char *reference;
	bool list;                /* not timed: those that do not run here count as well */
	unsigned int places;      /* at which each contender's code is timed */
	struct measure_plan measure;
	bool progress;            /* may be shown */

	/* As planned. */
	struct number_list asked; /* as variants_parse() has it */
	struct contender *contenders; /* in the table's order, baselines and reference among them */
	size_t n_contenders;
	size_t reference_idx, limit_idx, floor_idx; /* into contenders[]; the last two: load, empty */
	struct plugin plugin;
	struct workload_list workloads;
	struct input input;
	struct planned_case *cases;
	size_t n_cases;
	size_t longest; /* bytes of the longest buffer of all cases */
};

/* Setters of the options above. */
opt_set set_sizes;      /* struct number_list */
opt_set set_aligns;     /* struct number_list, each below CHECK_LINE_BYTES */
opt_set set_values;     /* struct number_list, each below 256 */
opt_set set_mismatches; /* struct number_list */
opt_set set_caches;     /* struct number_list of bools: cold? */
opt_set set_modes;      /* struct number_list of enum check_mode */

/*
 * The variants named in the list @text, as indices into check_variants[]; that of @plugin (NULL:
 * there may be none, its name NULL: there is none) is one more than the last.  0, or -1 after a
 * complaint.
 */
int variants_parse(const char *what, const char *text, const struct plugin *plugin,
		   struct number_list *to);

/* none, first, middle, last or the offset; until the next call. */
const char *mismatch_word(uint64_t mismatch);

/*
 * Choose contenders and, what _make() does beside it, fill in the defaults and choose cases.
 * STATUS_OK, or after a complaint STATUS_INPUT or, for a variant that was named and does not run
 * here, STATUS_UNSUPPORTED.
 */
int check_plan_choose(struct check_plan *plan);
int check_plan_make(struct check_plan *plan);
void check_plan_free(struct check_plan *plan);

/* Their part of the above, in check_cases.c: what is checked, once it is clear by whom. */
int check_cases_make(struct check_plan *plan);
void check_cases_free(struct check_plan *plan);

#endif /* SLUBBENCH_CHECK_PLAN_H */
