/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench sysfs: what the registration of one cache costs, on each back end of the registry. */
#include "cmd/sysfs.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/machine.h"
#include "base/parse.h"
#include "base/random.h"
#include "base/xalloc.h"
#include "cmd/cmd.h"
#include "report/progress.h"
#include "sysfs/backends.h"

#define CACHES_MOST 1000000u
#define ATTRIBUTES_MOST 100000u
#define BYTES_PER_NODE 160u /* no back end needs more */

struct types {
	const struct registry_type *types[8];
	size_t n;
	bool asked;
};

struct command {
	struct types registries;
	struct number_list caches, attributes;
	bool merge, no_progress, quiet;
	double node_cost_ns;
	uint64_t seed;
	int cpu;
	struct sysfs_plan plan;
	struct report report;
	struct sysfs_case *cases;
	size_t n_cases;
	int status;
};

static int add_type(const char *part, void *arg)
{
	struct types *types = arg;
	const struct registry_type *type = registry_find("sysfs: --registry", part);

	if (!type)
		return -1;
	types->types[types->n++] = type;
	return 0;
}

static int set_registries(const char *what, const char *text, void *to)
{
	*(struct types *)to = (struct types){ .asked = true };
	return parse_each(what, text, add_type, to);
}

static int set_merge(const char *what, const char *text, void *to)
{
	static const char *const words[] = { "off", "on", NULL };
	int merge = parse_word(what, text, words);

	if (merge < 0)
		return -1;
	*(bool *)to = merge;
	return 0;
}

static int check_numbers(const char *what, const struct number_list *list, uint64_t least,
			 uint64_t most)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->values[i] < least || list->values[i] > most) {
			complain("sysfs: %s: %ju is not between %ju and %ju", what,
				 (uintmax_t)list->values[i], (uintmax_t)least, (uintmax_t)most);
			return -1;
		}
	return 0;
}

static int add_case(struct command *command, const struct sysfs_case *one)
{
	uint64_t bytes = one->caches * (one->attributes + 2) * BYTES_PER_NODE;

	if (bytes > machine_memory() / 4 * 3) {
		complain("sysfs: %ju cache%s with %ju attribute%s: up to %ju MiB of memory are needed",
			 (uintmax_t)one->caches, plural(one->caches),
			 (uintmax_t)one->attributes, plural(one->attributes),
			 (uintmax_t)(bytes >> 20));
		return -1;
	}
	command->cases = xgrow(command->cases, command->n_cases, sizeof(*command->cases));
	command->cases[command->n_cases++] = *one;
	return 0;
}

static int make_cases(struct command *command)
{
	const struct number_list *caches = &command->caches, *attributes = &command->attributes;

	if (check_numbers("--caches", caches, 1, CACHES_MOST) ||
	    check_numbers("--attributes", attributes, 0, ATTRIBUTES_MOST))
		return -1;
	for (size_t t = 0; t < command->registries.n; t++)
		for (size_t a = 0; a < attributes->n; a++)
			for (size_t c = 0; c < caches->n; c++) {
				struct sysfs_case one = {
					.type = command->registries.types[t],
					.caches = caches->values[c],
					.attributes = attributes->values[a],
					.merge = command->merge,
				};

				if (add_case(command, &one))
					return -1;
			}
	return 0;
}

static int measure_one(struct command *command, struct sysfs_case *one)
{
	if (sysfs_measure(one, &command->plan, &command->status))
		return -1;
	return one->type == &registry_kernfs ?
		       sysfs_measure_kernfs(one, &command->plan, &command->status) : 0;
}

/* All cases once a repetition, each time in another order: what drifts, drifts for all. */
static int measure(struct command *command)
{
	struct random_state random = { command->seed };
	size_t *order = xcalloc(command->n_cases, sizeof(*order)), done = 0;
	double all = (double)command->n_cases * (double)command->plan.repetitions;
	struct progress progress;
	int rc = 0;

	progress_open(&progress, !command->quiet && !command->no_progress);

	for (size_t i = 0; i < command->n_cases; i++)
		order[i] = i;
	for (uint64_t r = 0; r < command->plan.repetitions && !rc; r++) {
		random_shuffle(&random, order, command->n_cases);
		for (size_t i = 0; i < command->n_cases && !rc; i++) {
			progress_show(&progress, (double)done++ / all);
			rc = measure_one(command, &command->cases[order[i]]);
		}
	}
	progress_close(&progress);
	free(order);
	return rc;
}

static int tell(struct command *command)
{
	struct rows *rows = rows_new(sysfs_columns), *samples = rows_new(sysfs_sample_columns);
	int rc;

	for (size_t i = 0; i < command->n_cases; i++) {
		sysfs_fill(rows, &command->cases[i]);
		sysfs_fill_samples(samples, &command->cases[i]);
	}
	rc = report_write(&command->report, rows, -1, samples);
	rows_free(samples);
	rows_free(rows);
	return rc;
}

/* What only one back end heeds must not be asked of others. */
static int check_registries(const struct command *command)
{
	const struct types *types = &command->registries;
	bool model = false, directory = false;

	for (size_t i = 0; i < types->n; i++) {
		model |= types->types[i] == &registry_model;
		directory |= types->types[i] == &registry_directory;
	}
	if (command->plan.config.path && !directory) {
		complain("sysfs: --path is for the back end directory, which --registry leaves out");
		return -1;
	}
	if (!isnan(command->node_cost_ns) && !model) {
		complain("sysfs: --node-cost is for the back end model, which --registry leaves out");
		return -1;
	}
	return 0;
}

/* The last of the default set cannot run everywhere; where nobody asked for it, the others can. */
static bool leave_out_directory(struct command *command)
{
	if (command->registries.asked || command->plan.config.path || registry_memory_folder())
		return false;
	command->registries.n--;
	return true;
}

static int work(struct command *command)
{
	bool flat = !isnan(command->node_cost_ns), left_out;

	command->plan.config.prices = flat ? reg_prices_flat(command->node_cost_ns / 1000) :
					     reg_prices_board;
	/*
	 * What a tree of before gave back stays mapped, as a kernel's memory is: copied names come
	 * from the C library.  It is a wish, like the huge pages of kernfs_memory.c.
	 */
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	left_out = leave_out_directory(command);
	if (check_registries(command) || make_cases(command) || report_open(&command->report, "sysfs"))
		return -1;
	if (left_out)
		note("registry directory is left out: no tmpfs can be written to; --path FOLDER tells "
		     "where");
	return machine_pin(command->cpu) < 0 || measure(command) ||
	       tell(command) ? -1 : 0;
}

static void release(struct command *command)
{
	for (size_t i = 0; i < command->n_cases; i++) {
		free(command->cases[i].total_us);
		free(command->cases[i].page_faults);
		free(command->cases[i].spread_us);
		free(command->cases[i].parts);
		for (int kind = 0; kind < N_REG_KINDS; kind++)
			free(command->cases[i].kind_us[kind]);
	}
	free(command->cases);
	number_list_free(&command->caches);
	number_list_free(&command->attributes);
	report_close(&command->report);
}

static int sysfs(const struct cmd *cmd, int argc, char **argv)
{
	struct command command = {
		.registries = { { &registry_model, &registry_kernfs, &registry_directory }, 3, false },
		.merge = true,
		.node_cost_ns = NAN,
		.seed = 1,
		.cpu = -1,
		.plan = { .repetitions = 10, .min_time_ns = 5e6 },
		.report.columns = sysfs_columns,
		.status = STATUS_INPUT,
	};
	const struct opt opts[] = {
		{ "registry", 0, "LIST", "model, kernfs, directory, cgroup (default: all but "
		  "cgroup)", set_registries, &command.registries },
		{ "caches", 0, "LIST", "how many caches (10,100,1000)", opt_size_list,
		  &command.caches },
		{ "attributes", 0, "LIST", "attribute files of each cache (27)", opt_size_list,
		  &command.attributes },
		{ "merge", 0, "on|off", "whether caches share directories (on)", set_merge,
		  &command.merge },
		{ "path", 0, "FOLDER", "directory: make the tree there instead of on a tmpfs;\nit must "
		  "not exist and is removed again", opt_text, &command.plan.config.path },
		{ "node-cost", 0, "DURATION", "model: price of each directory, file and link",
		  opt_duration, &command.node_cost_ns },
		{ "repetitions", 'r', "N", "how often each is measured (10)", opt_repetitions,
		  &command.plan.repetitions },
		{ "min-time", 0, "D", "how long each sample takes: trees are made until then (5ms)",
		  opt_sample_time, &command.plan.min_time_ns },
		OPT_CPU(command.cpu),
		{ "seed", 0, "N", "of the order of the repetitions (1)", opt_number,
		  &command.seed },
		{ "csv", 0, "[=FILE]", "rows as CSV, schema sysfs-1", opt_file,
		  &command.report.csv },
		OPT_JSON_ROWS(command.report),
		{ "samples", 0, "FILE", "every sample as CSV (sysfs-samples-1)", opt_file,
		  &command.report.samples },
		OPT_PROGRESS(command),
		OPT_COLUMNS(command.report),
		OPT_COLOR,
		{ .name = NULL },
	};
	int first, status;

	if (parse_size_list("sysfs: --caches", "10,100,1000", &command.caches) ||
	    parse_size_list("sysfs: --attributes", "27", &command.attributes))
		return STATUS_INPUT;
	if (opts_parse(cmd, NULL, opts, argc, argv, &first, &status) == 0)
		status = work(&command) ? command.status : STATUS_OK;
	release(&command);
	return status;
}

const struct cmd cmd_sysfs = {
	.name = "sysfs",
	.summary = "What one registration costs, by back end, number of caches and attributes.",
	.run = sysfs,
};
