/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/complain.h"
#include "base/minmax.h"
#include "base/xalloc.h"
#include "bench/jail.h"
#include "cmd/check_race.h"
#include "cmd/check_replay.h"
#include "report/stats.h"

#define MOST_REAL_PER_CPU 1.02 /* above it somebody else had the CPU */
#define MOST_SPREAD       0.05 /* of the median: an unsteady machine, or luck with addresses */

/*
 * Of one repetition at every place, the middle one, number by number: a sample as good as any, but
 * for the luck of the address.
 */
static struct measure_sample middle_of(const struct measure_sample *raw, unsigned int places,
				       unsigned int repetitions)
{
	double real[PLACEMENT_MOST], cpu[PLACEMENT_MOST], cycles[PLACEMENT_MOST];
	struct measure_sample s = { .iterations = 0 };
	bool have_cpu = true, have_cycles = true;

	for (unsigned int p = 0; p < places; p++) {
		const struct measure_sample *at = &raw[(size_t)p * repetitions];

		s.iterations += at->iterations;
		real[p] = at->real_ns;
		cpu[p] = at->cpu_ns;
		cycles[p] = at->cycles;
		have_cpu &= !isnan(at->cpu_ns);
		have_cycles &= !isnan(at->cycles);
	}
	s.real_ns = median_of(real, places);
	s.cpu_ns = have_cpu ? median_of(cpu, places) : NAN;
	s.cycles = have_cycles ? median_of(cycles, places) : NAN;
	return s;
}

/*
 * (slowest place - fastest) / fastest; NAN for code that was not moved.  A place is as fast as its
 * fastest repetition: a noisy neighbour must not pass for an unlucky address.
 */
static double placement_spread(const struct placement *places, const struct measure_sample *raw,
			       unsigned int repetitions)
{
	double fastest = INFINITY, slowest = 0;

	if (!places->moved)
		return NAN;
	for (unsigned int p = 0; p < places->n; p++) {
		double best = INFINITY;

		for (unsigned int rep = 0; rep < repetitions; rep++)
			best = lesser(raw[(size_t)p * repetitions + rep].real_ns, best);
		fastest = lesser(best, fastest);
		slowest = greater(best, slowest);
	}
	return fastest > 0 ? (slowest - fastest) / fastest : NAN;
}

static void watch(struct race *race, const struct check_result *r, unsigned int repetitions)
{
	race->timed++;
	race->unsteady += check_rows_spread(r->samples, repetitions) > MOST_SPREAD;
	race->displaced += r->placement_spread > MOST_SPREAD;
}

union work_state {
	struct check_work check;
	struct replay replay;
};

/* Memory of one case being timed. */
struct heat {
	union work_state *state;      /* by contender and place, like the next two */
	struct measure_work *works;
	struct measure_sample *raw;   /* plan->measure.repetitions for each work; shared memory */
	size_t raw_size;
	struct measure_sample *middle;
	struct check_result *results; /* by contender */
	size_t n;                     /* works lined up */
};

static int heat_open(struct heat *heat, const struct check_plan *plan)
{
	size_t works = plan->n_contenders * plan->places;

	heat->state = xcalloc(works, sizeof(*heat->state));
	heat->works = xcalloc(works, sizeof(*heat->works));
	heat->raw_size = works * plan->measure.repetitions * sizeof(*heat->raw);
	heat->raw = jail_share(heat->raw_size);
	heat->middle = xcalloc(plan->n_contenders * plan->measure.repetitions,
			       sizeof(*heat->middle));
	heat->results = xcalloc(plan->n_contenders, sizeof(*heat->results));
	heat->n = 0;
	return heat->raw ? 0 : -1;
}

static void heat_close(struct heat *heat)
{
	free(heat->state);
	free(heat->works);
	jail_unshare(heat->raw, heat->raw_size);
	free(heat->middle);
	free(heat->results);
}

static struct measure_work work_of(union work_state *state, const char *name, check_fn *fn,
				   const struct planned_case *c, const uint8_t *at,
				   const struct xstate *xstate)
{
	if (c->workload) {
		state->replay = (struct replay){ .fn = fn, .workload = c->workload,
						 .xstate = xstate };
		return replay_work(&state->replay, name, c->c.mode);
	}
	state->check = (struct check_work){ .fn = fn, .at = at, .size = c->c.size,
					    .value = c->c.value, .xstate = xstate };
	return check_work(&state->check, name, &c->c);
}

/* Every place of contender @i as a work of its own. */
static void line_up(struct heat *heat, const struct race *race, size_t i, const uint8_t *at,
		    const struct planned_case *c)
{
	const struct contender *contender = &race->plan->contenders[i];
	bool pays = c->c.mode == CHECK_KERNEL && !contender->v->kernel_usable;

	for (unsigned int p = 0; p < contender->places.n; p++, heat->n++)
		heat->works[heat->n] = work_of(&heat->state[heat->n], contender->v->name,
					       contender->places.fn[p], c, at,
					       pays ? &race->xstate : NULL);
}

static void take_results(struct heat *heat, struct race *race)
{
	const struct check_plan *plan = race->plan;
	unsigned int repetitions = plan->measure.repetitions;
	const struct measure_sample *raw = heat->raw;

	for (size_t i = 0; i < plan->n_contenders; i++) {
		struct check_result *r = &heat->results[i];
		struct measure_sample *middle = &heat->middle[i * repetitions];

		if (!r->timed)
			continue;
		for (unsigned int rep = 0; rep < repetitions; rep++)
			middle[rep] = middle_of(&raw[rep], plan->places, repetitions);
		r->samples = middle;
		r->placement_spread = placement_spread(&plan->contenders[i].places, raw,
						       repetitions);
		raw += (size_t)plan->places * repetitions;
		watch(race, r, repetitions);
	}
	race->worst_real_per_cpu = greater(measure_real_per_cpu(heat->raw, (size_t)(raw - heat->raw)),
					   race->worst_real_per_cpu);
}

/* Measure what is to be timed; in the process that can call it. */
static int run_heat(struct race *race, struct heat *heat, const struct planned_case *c,
		    const uint8_t *at)
{
	heat->n = 0;
	for (size_t i = 0; i < race->plan->n_contenders; i++) {
		if (heat->results[i].timed)
			line_up(heat, race, i, at, c);
	}
	return measure_run(heat->works, heat->n, &race->plan->measure, heat->raw);
}

struct jailed_heat {
	struct race *race;
	struct heat *heat;
	const struct planned_case *c;
	const uint8_t *at;
	struct contender *plugin;
};

enum { HEAT_DONE, HEAT_FAILED, HEAT_PLUGIN_WRONG, HEAT_PLUGIN_GONE };

static int run_jailed_heat(void *arg)
{
	struct jailed_heat *jailed = arg;
	struct contender *plugin = jailed->plugin;

	plugin->fn = plugin_load(plugin->plugin);
	if (!plugin->fn)
		return HEAT_PLUGIN_GONE;
	if (!race_answers(plugin, jailed->c, jailed->at))
		return HEAT_PLUGIN_WRONG;
	placement_make(&plugin->places, plugin->v, plugin->fn, jailed->race->plan->places);
	return run_heat(jailed->race, jailed->heat, jailed->c, jailed->at) == 0 ? HEAT_DONE
										 : HEAT_FAILED;
}

/* NULL when the plugin went through it well, else what it did. */
static const char *blame(enum jail_end end, int status, double patience_s)
{
	if (end != JAIL_DONE)
		return jail_words(end, status, patience_s);
	if (status == HEAT_PLUGIN_WRONG)
		return race_wrong_here;
	return status == HEAT_PLUGIN_GONE ? "it could not be loaded again" : NULL;
}

/*
 * The whole heat in a child process, since contenders must run interleaved and one of them may do
 * anything.  When it does, the others run again without it.
 */
static int run_heat_with_plugin(struct jailed_heat *jailed)
{
	const struct measure_plan *measure = &jailed->race->plan->measure;
	double patience_s = PLUGIN_PATIENCE_S + 20 * (measure->min_time_s + measure->warmup_s);
	size_t i = (size_t)(jailed->plugin - jailed->race->plan->contenders);
	struct check_result *result = &jailed->heat->results[i];
	int status = 0;
	enum jail_end end = jail_run(run_jailed_heat, jailed, jailed->race->beat, patience_s,
				     &status);
	const char *fault = blame(end, status, patience_s);

	if (end == JAIL_FAILED)
		return -1;
	if (fault) {
		result->verdict = race_wrong(jailed->race, jailed->plugin->v, fault);
		result->timed = false;
		for (unsigned int value = 0; value < 256; value++)
			jailed->race->verdicts[i][value] = VERDICT_WRONG;
		return run_heat(jailed->race, jailed->heat, jailed->c, jailed->at);
	}
	return status == HEAT_DONE ? 0 : -1;
}

/* All contenders of one case, interleaved: only what was run together is compared. */
static int run_contenders(struct race *race, struct heat *heat, const struct planned_case *c,
			  const uint8_t *at)
{
	struct jailed_heat jailed = { .race = race, .heat = heat, .c = c, .at = at };

	for (size_t i = 0; i < race->plan->n_contenders; i++) {
		struct check_result *r = &heat->results[i];

		r->verdict = race_verdict(race, i, c, at);
		r->timed = r->verdict != VERDICT_WRONG && r->verdict != VERDICT_NOT_APPLICABLE;
		if (r->timed && race->plan->contenders[i].plugin)
			jailed.plugin = &race->plan->contenders[i];
	}
	return jailed.plugin ? run_heat_with_plugin(&jailed) : run_heat(race, heat, c, at);
}

static int time_case(struct race *race, const struct planned_case *c)
{
	const struct check_plan *plan = race->plan;
	const uint8_t *at = NULL;
	struct heat heat;
	int ret;

	if (!c->workload)
		at = check_buffer_fill(&race->buffer, &c->c, plan->input.bytes);
	ret = heat_open(&heat, plan);
	if (ret == 0)
		ret = run_contenders(race, &heat, c, at);
	if (ret == 0) {
		take_results(&heat, race);
		if (!c->workload)
			kernel_points_add(&race->kernel, plan, &c->c, heat.results);
		check_rows_add(race->summary, race->samples, plan, c, heat.results);
	}
	heat_close(&heat);
	race->cases_done++;
	return ret;
}

static void tick(void *arg, size_t done, size_t total)
{
	struct race *race = arg;
	double share = total > 0 ? (double)done / (double)total : 0;

	++*race->beat;
	progress_show(&race->progress,
		      ((double)race->cases_done + share) / (double)race->plan->n_cases);
}

/* A save and a restore around nothing, as `empty` in a kernel that had to pay for it. */
static int time_xstate(struct race *race)
{
	const struct check_case nothing = { .mode = CHECK_KERNEL };
	const struct contender *empty = &race->plan->contenders[race->plan->floor_idx];
	struct check_work w = { .fn = empty->fn, .at = race->buffer.map, .xstate = &race->xstate };
	struct measure_work work = check_work(&w, "xstate", &nothing);
	unsigned int repetitions = race->plan->measure.repetitions;
	struct measure_sample *samples = xcalloc(repetitions, sizeof(*samples));
	int ret = measure_run(&work, 1, &race->plan->measure, samples);

	race->kernel.price_ns = check_rows_median(samples, repetitions);
	free(samples);
	return ret;
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

int race_open(struct race *race, struct check_plan *plan)
{
	race->plan = plan;
	race->beat = jail_share(sizeof(*race->beat));
	if (!race->beat)
		return STATUS_INPUT;
	plan->measure.progress = tick;
	plan->measure.progress_arg = race;
	if (plan->kernel_cost && !xstate_open(&race->xstate)) {
		complain("check-bytes: --kernel-cost: this CPU has no XSAVE family to measure the "
			 "price with");
		return STATUS_UNSUPPORTED;
	}
	if (check_buffer_open(&race->buffer, plan->longest, plan->input_path ?
			      "check-bytes: --input" : "check-bytes: --size") != 0)
		return STATUS_INPUT;
	race->summary = rows_new(check_summary_columns);
	race->samples = rows_new(check_sample_columns);
	return STATUS_OK;
}

int race_run(struct race *race)
{
	progress_open(&race->progress, race->plan->progress);
	race_verify(race);
	tell_yes_no(race->plan);
	for (size_t i = 0; i < race->plan->n_cases; i++) {
		if (time_case(race, &race->plan->cases[i]) != 0)
			return -1;
	}
	if (race->plan->kernel_cost && time_xstate(race) != 0)
		return -1;
	progress_close(&race->progress);
	return 0;
}

void race_tell_noise(const struct race *race)
{
	if (race->worst_real_per_cpu > MOST_REAL_PER_CPU)
		note("noise: other programs had the CPU for up to %.0f %% of the time",
		     100 * (1 - 1 / race->worst_real_per_cpu));
	if (race->unsteady > 0)
		note("noise: more than %.0f %% in %u of %u timing%s (column mad_ns)",
		     100 * MOST_SPREAD, race->unsteady, race->timed, plural(race->timed));
	if (race->displaced > 0)
		note("code placement moves %u of %u timing%s by more than %.0f %% (column "
		     "placement_spread)", race->displaced, race->timed, plural(race->timed),
		     100 * MOST_SPREAD);
}

void race_close(struct race *race)
{
	for (size_t i = 0; race->plan && i < race->plan->n_contenders; i++)
		placement_free(&race->plan->contenders[i].places);
	rows_free(race->summary);
	rows_free(race->samples);
	free(race->verdicts);
	free(race->kernel.points);
	check_buffer_close(&race->buffer);
	xstate_close(&race->xstate);
	progress_close(&race->progress);
	jail_unshare(race->beat, sizeof(*race->beat));
}
