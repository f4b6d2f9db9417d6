/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench objects: plan, verify, measure, rows, output. */
#include <stdio.h>
#include <string.h>

#include "base/complain.h"
#include "cmd/check_plan.h"
#include "cmd/cmd.h"
#include "cmd/objects_rows.h"
#include "cmd/objects_run.h"
#include "slub/object.h"

#define MOST_OPERATIONS  (1u << 22)

struct command { /* what else was typed */
	uint64_t repetitions;
	double min_time_ns, warmup_ns;
	bool quiet, no_progress;
	struct report report;
};

static int set_operations(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 1, MOST_OPERATIONS, to);
}

static int set_stack_depth(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 0, SLUB_STACK_MAX, to);
}

static int set_object_variants(const char *what, const char *text, void *to)
{
	return variants_parse(what, text, NULL, to);
}

static int set_when(const char *what, const char *text, void *to)
{
	static const char *const words[] = { "live", "freed", NULL };

	if (parse_word(what, text, words) < 0)
		return -1;
	*(const char **)to = text;
	return 0;
}

/* Outputs are opened before anything is read, which may take long, and written after the work. */
static int run_plan(struct objects_plan *plan, struct command *command)
{
	struct rows *rows = rows_new(objects_columns), *samples = rows_new(objects_sample_columns);
	int status = STATUS_INPUT;

	command->report.columns = objects_columns;
	if (report_open(&command->report, "objects") == 0)
		status = objects_plan_make(plan);
	if (status == STATUS_OK && (objects_run(plan, rows, samples) != 0 ||
				    report_write(&command->report, rows, objects_rows_group(),
						 samples) != 0))
		status = STATUS_INPUT;
	report_close(&command->report);
	rows_free(samples);
	rows_free(rows);
	return status;
}

/* What would otherwise be left out without a word. */
static int check_options(const struct objects_plan *plan, const struct command *command)
{
	if (plan->corrupt != NULL && (plan->trace != NULL || plan->slabinfo != NULL)) {
		complain("objects: --corrupt: needs an object of a cache; give --cache, not a "
			 "workload");
		return -1;
	}
	if (plan->trace != NULL && plan->operations != 0) {
		complain("objects: --ops: a trace brings its own operations");
		return -1;
	}
	if (plan->corrupt != NULL && plan->operations != 0) {
		complain("objects: --corrupt: writes into one object, so there is nothing for "
			 "--ops");
		return -1;
	}
	if (plan->corrupt_when != NULL && plan->corrupt == NULL) {
		complain("objects: --corrupt-when: says when --corrupt writes its bytes, which is "
			 "not given");
		return -1;
	}
	if (plan->corrupt != NULL && plan->passes != 0) {
		complain("objects: --corrupt and --passes: give one of them");
		return -1;
	}
	if ((plan->corrupt != NULL || plan->passes != 0) &&
	    (command->report.csv.wanted || command->report.json.wanted ||
	     command->report.samples.wanted)) {
		complain("objects: %s: times nothing, so there are no rows for --csv, --json or "
			 "--samples", plan->corrupt != NULL ? "--corrupt" : "--passes");
		return -1;
	}
	return 0;
}

static int plan_and_run(struct objects_plan *plan, struct command *command)
{
	int status;

	if (check_options(plan, command) != 0)
		return STATUS_INPUT;
	plan->progress = !command->quiet && !command->no_progress;
	plan->measure.repetitions = (unsigned int)command->repetitions;
	plan->measure.min_time_s = command->min_time_ns * 1e-9;
	plan->measure.warmup_s = command->warmup_ns * 1e-9;
	if (plan->corrupt == NULL && plan->passes == 0)
		return run_plan(plan, command);
	status = objects_plan_make(plan);
	if (status != STATUS_OK)
		return status;
	return plan->corrupt != NULL ? objects_corrupt(plan, stdout) : objects_passes(plan);
}

static int run(const struct cmd *cmd, int argc, char **argv)
{
	struct objects_plan plan = { .kernel = slub_linux_6_1, .measure = { .cpu = -1, .seed = 1 } };
	struct command command = { .repetitions = 10, .min_time_ns = 5e6, .warmup_ns = 5e6 };
	const struct opt opts[] = {
		{ "cache", 'c', "LIST", "caches by name, or all (kmalloc-64,dentry,filp,\n"
		  "ext4_inode_cache,kmalloc-4k,task_struct)", opt_text, &plan.caches },
		{ "flags", 'f', "LIST", "what is debugged, as slub_debug= has it: letters of FZPU, or\n"
		  "none (FZPU)", set_flags, &plan.flags },
		{ "variant", 0, "LIST", "ways to check, as check-bytes --list has them\n"
		  "(byte,slub2011,memchr_inv,gpr,auto)", set_object_variants, &plan.variants },
		{ "ops", 'n', "N", "objects allocated, and then freed, at a time (256; 4096 of a\n"
		  "slabinfo)", set_operations, &plan.operations },
		{ "slabinfo", 0, "FILE", "mix the caches by the objects in use of this /proc/slabinfo",
		  opt_input, &plan.slabinfo },
		{ "trace", 't', "FILE", "replay this trace of the kmem events (text of ftrace, perf\n"
		  "script or trace-cmd report, or a trace.dat; - is stdin)", opt_input, &plan.trace },
		{ "stack-depth", 0, "N", "frames of the caller's stack that U hashes and keeps, 0 to 16\n"
		  "(0)", set_stack_depth, &plan.stack_depth },
		{ "kernel", 0, "VERSION", "whose rules hold: 6.1, or 6.2 with kmalloc redzones (6.1)",
		  set_kernel, &plan.kernel },
		{ "passes", 0, "N", "do the workload N times with the last variant and flags; verify,\n"
		  "time and print nothing: for hyperfine, valgrind or perf stat", opt_count, &plan.passes },
		{ "corrupt", 0, "LIST", "OFFSET:BYTE,...: write these into an object, time nothing,\n"
		  "print what the kernel would", opt_text, &plan.corrupt },
		{ "corrupt-when", 0, "STATE", "while the object is live or freed (live; freed for a byte of\n"
		  "the object itself)", set_when, &plan.corrupt_when },
		{ "repetitions", 'r', "N", "samples of each timing (10)", opt_repetitions,
		  &command.repetitions },
		{ "min-time", 0, "D", "how long each sample takes (5ms)", opt_sample_time,
		  &command.min_time_ns },
		{ "warmup", 0, "D", "how long each timing is warmed up (5ms)", opt_duration,
		  &command.warmup_ns },
		OPT_CPU(plan.measure.cpu),
		{ "seed", 0, "N", "of the random orders (1)", opt_number, &plan.measure.seed },
		{ "csv", 0, "[=FILE]", "the rows as CSV (objects-1), in place of the table when no FILE\n"
		  "is given", opt_file, &command.report.csv },
		OPT_JSON_ROWS(command.report),
		{ "samples", 0, "FILE", "every sample as CSV (objects-samples-1)", opt_file,
		  &command.report.samples },
		OPT_COLUMNS(command.report),
		OPT_COLOR,
		OPT_PROGRESS(command),
		{ .name = NULL },
	};
	int first, status;

	if (opts_parse(cmd, NULL, opts, argc, argv, &first, &status) == 0)
		status = plan_and_run(&plan, &command);
	objects_plan_free(&plan);
	return status;
}

const struct cmd cmd_objects = {
	.name = "objects",
	.summary = "Time SLUB's debugging of whole objects, from a cache, a machine or a trace.",
	.run = run,
};
