/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench check-bytes: plan, verify, measure, rows, output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "cmd/check_plan.h"
#include "cmd/check_race.h"
#include "cmd/check_rows.h"
#include "cmd/cmd.h"

struct command { /* what else was typed */
	bool no_progress, quiet;
	uint64_t repetitions, places, seed;
	double min_time_ns, warmup_ns;
	int cpu;
	struct report report;
};

static int set_places(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 1, PLACEMENT_MOST, to);
}

static int set_plugin(const char *what, const char *text, void *to)
{
	return opt_input_once(what, text, to, "one plugin is timed at a time");
}

static int list_variants(struct check_plan *plan, struct command *command)
{
	int status = check_plan_choose(plan), ret;
	struct rows *rows;

	if (status != STATUS_OK)
		return status;
	rows = rows_new(check_variant_columns);
	for (size_t i = 0; i < plan->n_contenders; i++)
		check_rows_list(rows, plan->contenders[i].v, plan->contenders[i].code_bytes);
	command->report.columns = check_variant_columns;
	ret = report_open(&command->report, "check-bytes");
	if (ret == 0)
		ret = report_write(&command->report, rows, -1, NULL);
	report_close(&command->report);
	rows_free(rows);
	return ret == 0 ? STATUS_OK : STATUS_INPUT;
}

/*
 * What is wrong with the file, for each value that it was checked for: below the table, or on
 * stderr where stdout carries something else.
 */
static void tell_input(const struct check_plan *plan, bool on_stderr)
{
	const struct input *input = &plan->input;

	for (size_t i = 0; i < plan->values.n; i++) {
		uint8_t value = (uint8_t)plan->values.values[i];
		size_t bad = input_first_bad(input, value);
		char *text;

		if (bad == input->size)
			text = xasprintf("%s: each of %zu byte%s is 0x%02x", input->path, bad,
					 plural(bad), value);
		else
			text = xasprintf("%s: the first of %zu byte%s that is not 0x%02x is 0x%02x "
					 "at offset %zu", input->path, input->size,
					 plural(input->size), value, input->bytes[bad], bad);
		if (on_stderr)
			note("%s", text);
		else
			printf("%s%s\n", i == 0 ? "\n" : "", text);
		free(text);
	}
}

static int write_files(const struct race *race, struct report *report)
{
	int ret = report_write_csv(report, race->summary, race->samples);

	if (report->json_out.file) {
		check_json_write(race->samples, race->plan->measure.repetitions,
				 report->json_out.file);
		if (output_commit(&report->json_out) != 0)
			ret = -1;
	}
	return ret;
}

static int write_results(struct race *race, struct report *report)
{
	bool table = !report_on_stdout(report);

	report_show(report, race->summary, check_rows_group(race->plan));
	if (race->plan->input_path)
		tell_input(race->plan, !table);
	if (race->plan->kernel_cost && table)
		kernel_points_tell(&race->kernel, xstate_name(&race->xstate), stdout);
	race_tell_noise(race);
	return write_files(race, report);
}

static int run_race(struct race *race, struct command *command)
{
	char *shown = check_rows_shown(race->plan);
	int ret;

	command->report.columns = check_summary_columns;
	command->report.usual = shown;
	ret = report_open(&command->report, "check-bytes");
	if (ret == 0)
		ret = race_run(race);
	if (ret == 0)
		ret = write_results(race, &command->report);
	report_close(&command->report);
	free(shown);
	return ret == 0 ? race->status : STATUS_INPUT;
}

static int plan_and_race(struct check_plan *plan, struct command *command)
{
	struct race race = { .plan = NULL };
	int status;

	plan->progress = !command->quiet && !command->no_progress;
	plan->places = (unsigned int)command->places;
	plan->measure = (struct measure_plan){
		.repetitions = (unsigned int)command->repetitions,
		.min_time_s = command->min_time_ns * 1e-9 / (double)plan->places,
		.warmup_s = command->warmup_ns * 1e-9 / (double)plan->places,
		.cpu = command->cpu,
		.seed = command->seed,
	};
	status = check_plan_make(plan);
	if (status == STATUS_OK)
		status = race_open(&race, plan);
	if (status == STATUS_OK)
		status = run_race(&race, command);
	race_close(&race);
	return status;
}

/* Of the options most say how to time, and --list does not: it would go by them in silence. */
static int check_list_options(const struct opt *opts, int *status)
{
	static const char *const takes[] = { "list", "variant", "filter", "plugin", "csv", "json",
					     "no-progress", "quiet", "columns", "color" };

	for (size_t i = 0; opts[i].name; i++) {
		bool fits = !opts_given(i);

		for (size_t k = 0; k < sizeof(takes) / sizeof(*takes); k++)
			fits |= strcmp(opts[i].name, takes[k]) == 0;
		if (fits)
			continue;
		complain("check-bytes: --list times nothing: leave out --%s", opts[i].name);
		*status = STATUS_INPUT;
		return -1;
	}
	return 0;
}

/* 0, or -1 where *@status is what to exit with. */
static int read_options(const struct cmd *cmd, int argc, char **argv, struct check_plan *plan,
			struct command *command, int *status)
{
	const struct opt opts[] = {
		{ "size", 's', "LIST", "bytes to check: 64,4K or 8..4K*2 or 8..64+8 (64,4K)",
		  set_sizes, &plan->sizes },
		{ "align", 'a', "LIST", "offset of the first byte from a 64-byte boundary (0)",
		  set_aligns, &plan->aligns },
		{ "value", 'v', "LIST",
		  "0..255, 0x.. or poison-free, poison-end, poison-inuse, red-active,\n"
		  "red-inactive, zero, erased (poison-free)",
		  set_values, &plan->values },
		{ "mismatch", 'm', "LIST", "none, first, middle, last or the offset of a wrong byte (none)",
		  set_mismatches, &plan->mismatches },
		{ "cache", 0, "LIST", "hot, cold (hot); cold: evicted before every call, each call\n"
		  "timed on its own with the clock's cost in it: compare with 'empty'",
		  set_caches, &plan->caches },
		{ "mode", 0, "LIST", "throughput, latency: each call waits for the answer of the one\n"
		  "before (throughput)", set_modes, &plan->modes },
		{ "kernel-cost", 0, NULL, "time also what a kernel would pay: SIMD registers saved and\n"
		  "restored around every call (mode kernel)", opt_true, &plan->kernel_cost },
		{ "workload", 'w', "LIST", "SLUB's own checks of a cache, ns per alloc or free: kmalloc-64,\n"
		  "dentry, random-small, ... or all", opt_text, &plan->workload_names },
		{ "input", 'i', "FILE", "check the bytes of a file, - for stdin: where it is wrong, and\n"
		  "how long each variant takes on them", opt_input, &plan->input_path },
		{ "variant", 0, "LIST", "what to time beside the baselines, the reference and a plugin\n"
		  "(all usable)", opt_text, &plan->variants_text },
		{ "plugin", 0, "FILE", "FILE.so[:SYMBOL]: your own check_fn (slubbench_check) as well,\n"
		  "named plugin:FILE; see <slubbench/check.h>", set_plugin, &plan->plugin_text },
		{ "filter", 0, "ERE", "of all variants those whose name matches", opt_text, &plan->filter },
		{ "reference", 0, "NAME", "the variant that speedup is relative to (memchr_inv)",
		  opt_text, &plan->reference },
		{ "repetitions", 'r', "N", "samples of each timing (10)", opt_repetitions,
		  &command->repetitions },
		{ "min-time", 0, "D", "how long each sample takes (20ms)", opt_sample_time,
		  &command->min_time_ns },
		{ "warmup", 0, "D", "how long each timing is warmed up (10ms)", opt_duration,
		  &command->warmup_ns },
		{ "placement", 0, "N", "time each variant's code at N addresses, 1 to 16; the middle one\n"
		  "counts (3)", set_places, &command->places },
		OPT_CPU(command->cpu),
		{ "seed", 0, "N", "of the random order of the samples (1)", opt_number, &command->seed },
		{ "list", 'l', NULL, "the variants, or those asked for: what they are and whether they\n"
		  "run here", opt_true, &plan->list },
		{ "csv", 0, "[=FILE]", "the summary as CSV (check-summary-1), in place of the table\n"
		  "when no FILE is given", opt_file, &command->report.csv },
		{ "json", 0, "[=FILE]", "the samples in Google Benchmark's JSON schema; in place of the\n"
		  "table when no FILE is given", opt_file, &command->report.json },
		{ "samples", 0, "FILE", "every sample as CSV (check-samples-1)", opt_file,
		  &command->report.samples },
		OPT_PROGRESS(*command),
		OPT_COLUMNS(command->report),
		OPT_COLOR,
		{ .name = NULL },
	};
	int first;

	if (opts_parse(cmd, NULL, opts, argc, argv, &first, status) != 0)
		return -1;
	return plan->list ? check_list_options(opts, status) : 0;
}

static int run(const struct cmd *cmd, int argc, char **argv)
{
	struct check_plan plan = { .reference = "memchr_inv" };
	struct command command = { .repetitions = 10, .places = 3, .seed = 1,
				   .min_time_ns = 20e6, .warmup_ns = 10e6, .cpu = -1 };
	int status;

	if (read_options(cmd, argc, argv, &plan, &command, &status) == 0)
		status = plan.list ? list_variants(&plan, &command) : plan_and_race(&plan, &command);
	check_plan_free(&plan);
	return status;
}

const struct cmd cmd_check_bytes = {
	.name = "check-bytes",
	.summary = "Time ways to check that all bytes of a buffer hold one value.",
	.run = run,
};
