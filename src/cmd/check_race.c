/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "base/complain.h"
#include "base/xalloc.h"
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
			best = fmin(best, raw[(size_t)p * repetitions + rep].real_ns);
		fastest = fmin(fastest, best);
		slowest = fmax(slowest, best);
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
	struct measure_sample *raw;   /* plan->measure.repetitions for each work */
	struct measure_sample *middle;
	struct check_result *results; /* by contender */
	size_t n;                     /* works */
};

static void heat_open(struct heat *heat, const struct check_plan *plan)
{
	size_t works = plan->n_contenders * plan->places;

	heat->state = xcalloc(works, sizeof(*heat->state));
	heat->works = xcalloc(works, sizeof(*heat->works));
	heat->raw = xcalloc(works * plan->measure.repetitions, sizeof(*heat->raw));
	heat->middle = xcalloc(plan->n_contenders * plan->measure.repetitions,
			       sizeof(*heat->middle));
	heat->results = xcalloc(plan->n_contenders, sizeof(*heat->results));
	heat->n = 0;
}

static void heat_close(struct heat *heat)
{
	free(heat->state);
	free(heat->works);
	free(heat->raw);
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
}

/* All contenders of one case, interleaved: only what was run together is compared. */
static int time_case(struct race *race, const struct planned_case *c)
{
	const struct check_plan *plan = race->plan;
	const uint8_t *at = NULL;
	struct heat heat;
	double real_per_cpu;
	int ret;

	if (!c->workload)
		at = check_buffer_fill(&race->buffer, &c->c, plan->input.bytes);
	heat_open(&heat, plan);
	for (size_t i = 0; i < plan->n_contenders; i++) {
		struct check_result *r = &heat.results[i];

		r->verdict = race_verdict(race, i, c, at);
		r->timed = r->verdict != VERDICT_WRONG && r->verdict != VERDICT_NOT_APPLICABLE;
		if (r->timed)
			line_up(&heat, race, i, at, c);
	}
	ret = measure_run(heat.works, heat.n, &plan->measure, heat.raw);
	if (ret == 0) {
		real_per_cpu = measure_real_per_cpu(heat.raw, heat.n * plan->measure.repetitions);
		race->worst_real_per_cpu = fmax(race->worst_real_per_cpu, real_per_cpu);
		take_results(&heat, race);
		if (!c->workload)
			kernel_points_add(&race->kernel, plan, &c->c, heat.results);
		check_rows_add(race->summary, race->samples, plan, c, heat.results);
	}
	heat_close(&heat);
	return ret;
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
	if (plan->kernel_cost && !xstate_open(&race->xstate)) {
		complain("--kernel-cost: this CPU has no XSAVE family to measure the price with");
		return STATUS_UNSUPPORTED;
	}
	if (check_buffer_open(&race->buffer, plan->longest) != 0)
		return STATUS_INPUT;
	race->summary = rows_new(check_summary_columns);
	race->samples = rows_new(check_sample_columns);
	return STATUS_OK;
}

int race_run(struct race *race)
{
	race_verify(race);
	tell_yes_no(race->plan);
	for (size_t i = 0; i < race->plan->n_cases; i++) {
		if (time_case(race, &race->plan->cases[i]) != 0)
			return -1;
	}
	return race->plan->kernel_cost ? time_xstate(race) : 0;
}

void race_tell_noise(const struct race *race)
{
	if (race->worst_real_per_cpu > MOST_REAL_PER_CPU)
		note("noise: other programs had the CPU for up to %.0f %% of the time",
		     100 * (1 - 1 / race->worst_real_per_cpu));
	if (race->unsteady > 0)
		note("noise: %u of %u timings vary by more than %.0f %% (column mad_ns)",
		     race->unsteady, race->timed, 100 * MOST_SPREAD);
	if (race->displaced > 0)
		note("code placement moves %u of %u timings by more than %.0f %% (column "
		     "placement_spread)", race->displaced, race->timed, 100 * MOST_SPREAD);
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
}
