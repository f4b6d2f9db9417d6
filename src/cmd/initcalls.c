/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench initcalls: replay a boot with the registration of caches eager or deferred. */
#include "cmd/initcalls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/parse.h"
#include "base/xalloc.h"
#include "sysfs/backends.h"

static int add_name(const char *part, void *arg)
{
	struct name_list *list = arg;

	list->names = xgrow(list->names, list->n, sizeof(*list->names));
	list->names[list->n++] = xstrdup(part);
	return 0;
}

static int opt_names(const char *what, const char *text, void *to)
{
	struct name_list *list = to;

	list->given = true;
	return text ? parse_each(what, text, add_name, list) : 0;
}

/* Of two the first would be left out without a word. */
static int opt_log(const char *what, const char *text, void *to)
{
	return opt_input_once(what, text, to, "more logs follow the first one, as in --log A B");
}

static int opt_attributes(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 0, 100000, to);
}

static int opt_registry(const char *what, const char *text, void *to)
{
	const struct registry_type *type = registry_find(what, text);

	if (!type)
		return -1;
	*(const struct registry_type **)to = type;
	return 0;
}

#define MOST_ADVICE 20

static int opt_advise(const char *what, const char *text, void *to)
{
	struct plan *plan = to;

	plan->advise = true;
	plan->most_advice = MOST_ADVICE;
	return text ? parse_number(what, text, 1, UINT32_MAX, &plan->most_advice) : 0;
}

/* What is put late cannot be as early as its level allows. */
static int check_moves(const struct plan *plan)
{
	for (size_t i = 0; i < plan->promote.n; i++)
		for (size_t j = 0; j < plan->defer.n; j++)
			if (!strcmp(plan->promote.names[i], plan->defer.names[j])) {
				complain("initcalls: --defer and --promote: '%s' cannot be both",
					 plan->defer.names[j]);
				return -1;
			}
	return 0;
}

static bool is_stdin(const char *name)
{
	return name && input_is_stdin(name);
}

/* How many of the files are standard input. */
static int reads_of_stdin(const struct plan *plan)
{
	int n = is_stdin(plan->log) + is_stdin(plan->symbols);

	for (size_t i = 0; i < plan->n_more_logs; i++)
		n += is_stdin(plan->more_logs[i]);
	return n;
}

/* The options that exclude each other. */
static int check_plan(const struct plan *plan)
{
	if (plan->board && plan->log) {
		complain("initcalls: --boot and --log: which of the two?");
		return -1;
	}
	if (plan->n_more_logs && !plan->log) {
		complain("initcalls: '%s': files of logs follow --log", plan->more_logs[0]);
		return -1;
	}
	if (plan->n_more_logs && (plan->eager + plan->compare + plan->defer.given +
				  plan->promote.given + plan->advise || plan->tree)) {
		complain("initcalls: several logs are compared as they are; --eager, --defer, "
			 "--promote, --compare, --advise and --tree take one");
		return -1;
	}
	if (plan->symbols && !plan->log) {
		complain("initcalls: --symbols belongs to a --log");
		return -1;
	}
	if (reads_of_stdin(plan) > 1) {
		complain("initcalls: standard input can be read only once");
		return -1;
	}
	if (plan->eager + plan->compare + plan->defer.given > 1) {
		complain("initcalls: --eager, --defer and --compare: only one of them");
		return -1;
	}
	if (plan->report.select && plan->compare + plan->advise) {
		complain("initcalls: -o: the table of %s has columns of its own",
			 plan->compare ? "--compare" : "--advise");
		return -1;
	}
	if (plan->advise && report_on_stdout(&plan->report) && !plan->report.json.wanted) {
		complain("initcalls: --csv on stdout has no place for --advise; --csv=FILE, or --json");
		return -1;
	}
	if (!isnan(plan->node_cost_ns) && !plan->log && plan->registry != &registry_model) {
		complain("initcalls: --node-cost is for --registry model");
		return -1;
	}
	return check_moves(plan);
}

/* Where the figures come from, so that nobody takes them for more than they are. */
static void tell_sources(const struct run *run)
{
	const struct attached *a = &run->attached;
	const struct learned *l = &run->learned;

	if (run->boot->recorded)
		printf("caches: %zu known (%s): %zu before the first initcall, %zu by %zu initcall%s "
		       "of this log; %zu more by initcalls it does not have\n",
		       a->at_start + a->known, run->caches->name, a->at_start, a->known,
		       a->initcalls, plural(a->initcalls), a->elsewhere);
	if (run->has_learned && !isnan(l->link_us))
		printf("learned from %s: %.1f us for a directory with its files (%u cache%s), "
		       "%.1f us for a link (%u)\n", run->boot->calls[run->registrar].name,
		       l->directory_us, l->directories, plural(l->directories), l->link_us,
		       l->links);
	else if (run->has_learned)
		printf("learned from %s: %.1f us for a directory with its files (%u cache%s)\n",
		       run->boot->calls[run->registrar].name, l->directory_us, l->directories,
		       plural(l->directories));
	if (run->has_learned && l->clamped)
		printf("%zu of the initcalls took less than registration should: the log is noisy, or "
		       "fewer caches are created than is known\n", l->clamped);
	printf("This is a simulation: %s.\n",
	       run->sim.registry->timed ? "the time of registration is real work on this machine, "
					  "all other time is as described or recorded" :
					  "the time of registration is computed, all other time is as "
					  "described or recorded");
}

/* What --compare and --advise show is another table than the rows. */
static void tell_table(struct run *run, struct plan *plan, const struct rows *rows)
{
	if (plan->compare) {
		compare_tell(run, &plan->milestone);
	} else {
		if (!plan->advise)
			report_show(&plan->report, rows, -1);
		outcome_tell(run, plan);
	}
	if (run->boot->recorded)
		devices_tell(run->boot);
	if (plan->advise)
		advice_tell(run, plan);
	tell_sources(run);
}

static int tell(struct run *run, struct plan *plan)
{
	struct rows *rows = rows_new(initcalls_columns);
	int rc;

	for (size_t i = 0; i < run->n_outcomes; i++)
		initcalls_fill(rows, &run->outcomes[i], 1, &plan->milestone);
	if (!report_on_stdout(&plan->report))
		tell_table(run, plan, rows);
	if (run->boot->recorded)
		log_stats_tell(plan->log, &run->stats);
	rc = report_write_csv(&plan->report, rows, NULL);
	if (plan->report.json.wanted && initcalls_write_json(rows, run, plan))
		rc = -1;
	if (plan->tree && output_commit(&run->tree))
		rc = -1;
	rows_free(rows);
	return rc;
}

/* A listing never takes another file's place. */
static int open_tree(struct run *run, const struct plan *plan)
{
	struct stat there;

	if (!lstat(plan->tree, &there)) { /* a link to nowhere is taken as well */
		complain("initcalls: --tree: '%s' exists already", plan->tree);
		return -1;
	}
	return output_open(&run->tree, plan->tree);
}

static int work(struct run *run, struct plan *plan)
{
	if (report_open(&plan->report, "initcalls"))
		return -1;
	if (plan->n_more_logs) {
		run->status = initcalls_several(plan);
		return run->status ? -1 : 0;
	}
	if (initcalls_prepare(run, plan) || milestone_find(&plan->milestone, run->boot))
		return -1;
	if (plan->tree && open_tree(run, plan))
		return -1;
	if (initcalls_run(run, plan))
		return -1;
	return tell(run, plan);
}

static void release(struct run *run, struct plan *plan)
{
	output_drop(&run->tree);
	report_close(&plan->report);
	for (size_t i = 0; i < run->n_outcomes; i++) {
		boot_free(run->outcomes[i].boot);
		free(run->outcomes[i].origin);
	}
	slub_debug_free(&run->sim.slub.debug);
	cache_set_free(run->caches);
	symbols_free(run->symbols);
	boot_free(run->boot);
	for (size_t i = 0; i < plan->defer.n; i++)
		free(plan->defer.names[i]);
	free(plan->defer.names);
	for (size_t i = 0; i < plan->promote.n; i++)
		free(plan->promote.names[i]);
	free(plan->promote.names);
	free(plan->milestone.label);
}

static int initcalls(const struct cmd *cmd, int argc, char **argv)
{
	struct plan plan = {
		.registry = &registry_model,
		.node_cost_ns = NAN,
		.attributes = SLUB_ATTRIBUTES,
		.report.columns = initcalls_columns,
	};
	struct run run = { .registrar = -1, .status = STATUS_INPUT };
	const struct opt opts[] = {
		{ "boot", 0, "NAME|FILE.csv", "a boot description (default: the board of the 2022 "
		  "patch)", opt_input, &plan.board },
		{ "log", 0, "FILE...", "a boot log with initcall_debug; - is standard input\n(more than one: how steady it is)", opt_log,
		  &plan.log },
		{ "symbols", 0, "FILE", "levels and link order for a log: System.map, kallsyms, nm or "
		  "vmlinux", opt_input, &plan.symbols },
		{ "caches", 0, "NAME|FILE.csv", "which caches each initcall creates\n(default: those "
		  "of the board; for a log the\nshipped set that knows most of its initcalls)", opt_input, &plan.caches },
		{ "registrar", 0, "NAME", "the initcall that registers the caches\n(default: "
		  "slab_sysfs_init or slab_late_init)", opt_text, &plan.registrar },
		{ "eager", 0, NULL, "the registrar at the device level", opt_true, &plan.eager },
		{ "defer", 0, "[=INITCALL,...]", "the registrar, or these, at the late level",
		  opt_names, &plan.defer },
		{ "promote", 0, "INITCALL,...", "these as early as their level and the providers in "
		  "it allow", opt_names, &plan.promote },
		{ "compare", 0, NULL, "eager beside deferred", opt_true, &plan.compare },
		{ "milestone", 0, "INITCALL|probe:NAME|init", "what the boot has to reach soon",
		  opt_text, &plan.milestone.text },
		{ "advise", 0, "[=N]", "rank what is before the milestone by what deferring it would "
		  "win,\nwith the reason why it may move or not (20)", opt_advise, &plan },
		{ "registry", 0, "NAME", "model, kernfs, directory or cgroup", opt_registry,
		  &plan.registry },
		{ "node-cost", 0, "DURATION", "model: price of each directory, file and link",
		  opt_duration, &plan.node_cost_ns },
		{ "attributes", 0, "N", "attribute files of each cache (27)", opt_attributes,
		  &plan.attributes },
		{ "tree", 0, "FILE", "write the resulting /sys/kernel/slab to FILE", opt_text,
		  &plan.tree },
		{ "csv", 0, "[=FILE]", "rows as CSV, schema initcalls-1", opt_file,
		  &plan.report.csv },
		{ "json", 0, "[=FILE]", "rows, milestone, probes and counts as JSON", opt_file,
		  &plan.report.json },
		{ "quiet", 'q', NULL, "no notes", opt_quiet, NULL },
		OPT_COLUMNS(plan.report),
		OPT_COLOR,
		{ .name = NULL },
	};
	int first, status;

	if (opts_parse(cmd, "[LOG...]", opts, argc, argv, &first, &status)) {
		release(&run, &plan);
		return status;
	}
	plan.more_logs = argv + first;
	plan.n_more_logs = (size_t)(argc - first);
	for (size_t i = 0; i < plan.n_more_logs; i++)
		output_protect(plan.more_logs[i]);
	status = check_plan(&plan) || work(&run, &plan) ? run.status : STATUS_OK;
	release(&run, &plan);
	return status;
}

const struct cmd cmd_initcalls = {
	.name = "initcalls",
	.summary = "Replay a boot with the registration of caches eager or deferred.",
	.run = initcalls,
};
