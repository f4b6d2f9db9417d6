/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slubbench check-bytes: plan, verify, measure, rows, output. */
#include <stdlib.h>

#include "base/complain.h"
#include "base/xalloc.h"
#include "check/verify.h"
#include "cmd/check_plan.h"
#include "cmd/check_rows.h"
#include "cmd/cmd.h"

#define MOST_REPETITIONS 100000
#define MOST_REAL_PER_CPU 1.02 /* above it somebody else had the CPU */
#define MOST_SPREAD       0.05 /* of the median: an unsteady machine */

struct race {
	struct check_plan plan;
	enum check_verdict (*verdicts)[256]; /* of each contender, by value */
	struct check_buffer buffer;
	struct rows *summary, *samples;
	double worst_real_per_cpu;
	unsigned int timed, unsteady; /* contenders in cases */
	int status;
};

struct command { /* what else was typed */
	bool list;
	uint64_t repetitions, seed;
	double min_time_ns, warmup_ns;
	int cpu;
	const char *samples;
	struct report report;
};

static int set_repetitions(const char *what, const char *text, void *to)
{
	return parse_number(what, text, 1, MOST_REPETITIONS, to);
}

static int set_min_time(const char *what, const char *text, void *to)
{
	double ns;

	if (parse_duration_ns(what, text, &ns) != 0)
		return -1;
	if (ns < 1000) {
		complain("%s: '%s' is too short to time anything; at least 1us", what, text);
		return -1;
	}
	*(double *)to = ns;
	return 0;
}

/* A known mistake is worth a word when one of the cases runs into it. */
static bool concerns(const struct check_plan *plan, const struct check_variant *v, uint8_t value)
{
	for (size_t i = 0; i < plan->sizes.n; i++) {
		if (v->known_wrong(value, (size_t)plan->sizes.values[i]))
			return true;
	}
	return false;
}

static enum check_verdict judge(struct race *race, const struct contender *contender, uint8_t value)
{
	const struct check_variant *v = contender->v;
	struct verify_failure failure;
	char words[256];
	int wrong;

	if (v->kind == CHECK_BASELINE)
		return VERDICT_NONE;
	if (v->applies && !v->applies(value))
		return VERDICT_NOT_APPLICABLE;
	wrong = check_verify(v, contender->fn, VERIFY_FAST, &value, 1, &failure);
	if (wrong == 0)
		return VERDICT_OK;
	if (wrong < 0) {
		complain("no memory to verify %s in", v->name);
		race->status = STATUS_INPUT;
		return VERDICT_WRONG;
	}
	verify_describe(&failure, words, sizeof(words));
	if (failure.known) {
		if (concerns(&race->plan, v, value))
			note("%s is known to be wrong for 0x%02x: %s", v->name, value, words);
		return VERDICT_KNOWN_WRONG;
	}
	complain("%s is wrong and will not be timed: %s", v->name, words);
	race->status = STATUS_WRONG;
	return VERDICT_WRONG;
}

static void verify(struct race *race)
{
	const struct check_plan *plan = &race->plan;

	race->verdicts = xcalloc(plan->n_contenders, sizeof(*race->verdicts));
	for (size_t i = 0; i < plan->n_contenders; i++) {
		for (size_t v = 0; v < plan->values.n; v++) {
			uint8_t value = (uint8_t)plan->values.values[v];

			race->verdicts[i][value] = judge(race, &plan->contenders[i], value);
		}
	}
}

static enum check_verdict verdict_of(const struct race *race, size_t i, const struct check_case *c)
{
	enum check_verdict verdict = race->verdicts[i][c->value];
	const struct check_variant *v = race->plan.contenders[i].v;

	/* Wrong for the value, but right in this size. */
	if (verdict == VERDICT_KNOWN_WRONG && !v->known_wrong(c->value, c->size))
		return VERDICT_OK;
	return verdict;
}

static void watch_noise(struct race *race, const struct measure_sample *samples, size_t n_works)
{
	unsigned int repetitions = race->plan.measure.repetitions;
	double real_per_cpu = measure_real_per_cpu(samples, n_works * repetitions);

	if (real_per_cpu > race->worst_real_per_cpu)
		race->worst_real_per_cpu = real_per_cpu;
	for (size_t i = 0; i < n_works; i++)
		race->unsteady += check_rows_spread(&samples[i * repetitions], repetitions) > MOST_SPREAD;
	race->timed += (unsigned int)n_works;
}

/* All contenders of one case, interleaved: only what was run together is compared. */
static int time_case(struct race *race, const struct planned_case *c)
{
	const struct check_plan *plan = &race->plan;
	const uint8_t *at = check_buffer_fill(&race->buffer, &c->c);
	struct check_work *state = xcalloc(plan->n_contenders, sizeof(*state));
	struct measure_work *works = xcalloc(plan->n_contenders, sizeof(*works));
	struct check_result *results = xcalloc(plan->n_contenders, sizeof(*results));
	struct measure_sample *samples = xcalloc(plan->n_contenders * plan->measure.repetitions,
						 sizeof(*samples));
	size_t n = 0;
	int ret;

	for (size_t i = 0; i < plan->n_contenders; i++) {
		const struct contender *contender = &plan->contenders[i];

		results[i].verdict = verdict_of(race, i, &c->c);
		if (results[i].verdict == VERDICT_WRONG ||
		    results[i].verdict == VERDICT_NOT_APPLICABLE)
			continue;
		results[i].samples = &samples[n * plan->measure.repetitions];
		works[n] = check_work(&state[n], contender->v->name, contender->fn, at, &c->c);
		n++;
	}
	ret = measure_run(works, n, &plan->measure, samples);
	if (ret == 0) {
		check_rows_add(race->summary, race->samples, plan, c, results);
		watch_noise(race, samples, n);
	}
	free(state);
	free(works);
	free(results);
	free(samples);
	return ret;
}

static void tell_noise(const struct race *race)
{
	if (race->worst_real_per_cpu > MOST_REAL_PER_CPU)
		note("noise: other programs had the CPU for up to %.0f %% of the time",
		     100 * (1 - 1 / race->worst_real_per_cpu));
	if (race->unsteady > 0)
		note("noise: %u of %u timings vary by more than %.0f %% (column mad_ns)",
		     race->unsteady, race->timed, 100 * MOST_SPREAD);
}

static void tell_yes_no(const struct check_plan *plan)
{
	bool faults = false;

	for (size_t i = 0; i < plan->n_cases; i++)
		faults |= plan->cases[i].c.fault != CHECK_CLEAN;
	for (size_t i = 0; faults && i < plan->n_contenders; i++) {
		if (plan->contenders[i].v->kind == CHECK_YES_NO)
			note("%s answers yes or no: it cannot say where the mismatch is",
			     plan->contenders[i].v->name);
	}
}

static int list_variants(struct command *command)
{
	struct rows *rows = rows_new(check_variant_columns);
	int ret;

	command->report.columns = check_variant_columns;
	check_rows_list(rows);
	ret = report_open(&command->report);
	if (ret == 0)
		ret = report_write(&command->report, rows, -1);
	report_close(&command->report);
	rows_free(rows);
	return ret == 0 ? STATUS_OK : STATUS_INPUT;
}

/* Between the opened outputs and their commit: nothing of this prints a result. */
static int verify_and_time(struct race *race)
{
	verify(race);
	tell_yes_no(&race->plan);
	for (size_t i = 0; i < race->plan.n_cases; i++) {
		if (time_case(race, &race->plan.cases[i]) != 0)
			return -1;
	}
	tell_noise(race);
	return 0;
}

static int write_results(struct race *race, struct command *command, struct output *samples)
{
	int ret = 0;

	if (command->samples) {
		rows_write_csv(race->samples, samples->file);
		ret = output_commit(samples);
	}
	if (report_write(&command->report, race->summary, check_rows_group(&race->plan)) != 0)
		ret = -1;
	return ret;
}

static int run_race(struct race *race, struct command *command)
{
	char *shown = check_rows_shown(&race->plan);
	struct output samples = { .file = NULL };
	int ret;

	command->report.columns = check_summary_columns;
	if (!command->report.select)
		command->report.select = shown;
	ret = report_open(&command->report);
	if (ret == 0 && command->samples)
		ret = output_open(&samples, command->samples);
	if (ret == 0)
		ret = verify_and_time(race);
	if (ret == 0)
		ret = write_results(race, command, &samples);
	output_drop(&samples);
	report_close(&command->report);
	free(shown);
	return ret == 0 ? race->status : STATUS_INPUT;
}

static int plan_and_race(struct race *race, struct command *command)
{
	struct measure_plan *measure = &race->plan.measure;
	int status = check_plan_make(&race->plan);

	if (status != STATUS_OK)
		return status;
	measure->repetitions = (unsigned int)command->repetitions;
	measure->min_time_s = command->min_time_ns * 1e-9;
	measure->warmup_s = command->warmup_ns * 1e-9;
	measure->seed = command->seed;
	measure->cpu = command->cpu;
	if (check_buffer_open(&race->buffer, check_plan_longest(&race->plan)) != 0)
		return STATUS_INPUT;
	race->summary = rows_new(check_summary_columns);
	race->samples = rows_new(check_sample_columns);
	status = run_race(race, command);
	rows_free(race->summary);
	rows_free(race->samples);
	free(race->verdicts);
	check_buffer_close(&race->buffer);
	return status;
}

static int run(const struct cmd *cmd, int argc, char **argv)
{
	struct race race = { .plan = { .reference = "memchr_inv" } };
	struct command command = { .repetitions = 10, .seed = 1, .min_time_ns = 20e6,
				   .warmup_ns = 10e6, .cpu = -1 };
	struct check_plan *plan = &race.plan;
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
		{ "variant", 0, "LIST", "what to time beside the baselines and the reference (all usable)",
		  set_variants, &plan->asked },
		{ "reference", 0, "NAME", "the variant that speedup is relative to (memchr_inv)",
		  opt_text, &plan->reference },
		{ "repetitions", 'r', "N", "samples of each timing (10)", set_repetitions,
		  &command.repetitions },
		{ "min-time", 0, "D", "how long each sample takes (20ms)", set_min_time,
		  &command.min_time_ns },
		{ "warmup", 0, "D", "how long each timing is warmed up (10ms)", opt_duration,
		  &command.warmup_ns },
		{ "cpu", 0, "N", "the CPU to run on (the current one)", opt_cpu, &command.cpu },
		{ "seed", 0, "N", "of the random order of the samples (1)", opt_number,
		  &command.seed },
		{ "list", 'l', NULL, "the variants: what they are and whether they run here",
		  opt_true, &command.list },
		{ "csv", 0, "[=FILE]", "the summary as CSV (check-summary-1), in place of the table\n"
		  "when no FILE is given", opt_file, &command.report.csv },
		{ "samples", 0, "FILE", "every sample as CSV (check-samples-1)", opt_text,
		  &command.samples },
		{ "columns", 'o', "LIST", "columns of the table by their CSV names, +NAME to add",
		  opt_text, &command.report.select },
		{ .name = NULL },
	};
	int first, status;

	if (opts_parse(cmd, NULL, opts, argc, argv, &first, &status) == 0)
		status = command.list ? list_variants(&command) : plan_and_race(&race, &command);
	check_plan_free(plan);
	return status;
}

const struct cmd cmd_check_bytes = {
	.name = "check-bytes",
	.summary = "Time ways to check that all bytes of a buffer hold one value.",
	.run = run,
};
