/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/machine.h"
#include "base/minmax.h"
#include "base/random.h"
#include "base/xalloc.h"
#include "bench/cycles.h"
#include "bench/gbench.h"
#include "bench/measure.h"

/* When each call is timed on its own, preparing may take far longer than the calls that count. */
#define WALL_PER_MIN_TIME 4.0
#define LEAST_WARMUP_S    1e-4 /* even "none" has to find out how long a call takes */
/*
 * An interruption as long as a warm-up ends it after a call or two, which then seem to fill a sample.
 * Several in turn, and the quickest call of them, leave that to an interruption in each.
 */
#define WARMUPS           3

struct run {
	const struct measure_plan *plan;
	struct cycles cycles;
	size_t done, total; /* samples, for the progress callback */
	const struct measure_work *works;
	struct slot *slots; /* what is being run, in its order */
	struct measure_sample *samples;
	const char *failed; /* name of the work that broke, NULL when none did */
};

struct slot { /* one gb_case: one repetition of one work */
	struct run *run;
	size_t work;
	size_t sample; /* index of its sample */
	int64_t iterations;
	double wall_ns; /* per call, preparation included */
	double cycles;  /* per call */
};

/* n calls, each with its own preparation and its own clock; returns their nanoseconds. */
static double run_one_by_one(const struct measure_work *w, int64_t n)
{
	double sum = 0;

	for (int64_t i = 0; i < n; i++) {
		double start;

		w->prepare(w->arg);
		start = machine_now_ns();
		w->run(w->arg, 1);
		sum += machine_now_ns() - start;
	}
	return sum;
}

static void body(struct gb_state *st, void *arg)
{
	struct slot *slot = arg;
	struct run *run = slot->run;
	const struct measure_work *w = &run->works[slot->work];
	double start = machine_now_ns();
	double cycles = w->prepare ? NAN : cycles_read(&run->cycles);
	int64_t n, calls = 0;

	while ((n = gb_next_batch(st)) > 0) {
		if (w->prepare)
			gb_set_manual_time(st, run_one_by_one(w, n) * 1e-9);
		else
			w->run(w->arg, n);
		calls += n;
	}
	slot->cycles = (cycles_read(&run->cycles) - cycles) / (double)calls;
	slot->wall_ns = (machine_now_ns() - start) / (double)calls;
	if (run->total > 0)
		run->done++;
	if (run->plan->progress)
		run->plan->progress(run->plan->progress_arg, run->done, run->total);
}

/* How many calls fill min_time: of the slot that was just run with as many as it liked. */
static int take_iterations(const struct gb_sample *s, void *arg)
{
	struct run *run = arg;
	struct slot *slot = &run->slots[s->case_idx];
	double want = run->plan->min_time_s * 1e9;
	double n;

	if (s->error) {
		run->failed = s->name;
		return -ECANCELED;
	}
	n = ceil(want / greater(s->real_ns, 1e-3));
	if (run->works[slot->work].prepare)
		n = lesser(n, ceil(WALL_PER_MIN_TIME * want / greater(slot->wall_ns, 1e-3)));
	slot->iterations = (int64_t)lesser(greater(n, 1), 1e15);
	return 0;
}

static int take_sample(const struct gb_sample *s, void *arg)
{
	struct run *run = arg;
	const struct slot *slot = &run->slots[s->case_idx];
	struct measure_sample *to = &run->samples[slot->sample];

	if (s->error) {
		run->failed = s->name;
		return -ECANCELED;
	}
	to->iterations = s->iterations;
	to->real_ns = s->real_ns;
	to->cpu_ns = run->works[slot->work].prepare ? NAN : s->cpu_ns;
	to->cycles = slot->cycles;
	return 0;
}

/* Run slots[n] in their order. */
static int run_slots(struct run *run, struct slot *slots, size_t n, const struct gb_config *cfg,
		     gb_sample_fn *take)
{
	struct gb_case *cases = xcalloc(n, sizeof(*cases));
	int ret;

	for (size_t i = 0; i < n; i++) {
		const struct measure_work *w = &run->works[slots[i].work];

		cases[i].name = w->name;
		cases[i].body = body;
		cases[i].arg = &slots[i];
		cases[i].iterations = slots[i].iterations;
		cases[i].manual_time = w->prepare != NULL;
	}
	run->slots = slots;
	ret = gb_run(cases, n, cfg, take, run);
	free(cases);
	return ret;
}

/* Warm every work up; leaves in warm[] how often each is to be called per sample. */
static int warm_up(struct run *run, struct slot *warm, size_t n)
{
	struct gb_config cfg = { .min_time_s = greater(run->plan->warmup_s / WARMUPS, LEAST_WARMUP_S) };
	struct slot *slots = xcalloc(n * WARMUPS, sizeof(*slots));
	int ret;

	for (size_t i = 0; i < n * WARMUPS; i++) {
		slots[i].run = run;
		slots[i].work = i % n;
	}
	ret = run_slots(run, slots, n * WARMUPS, &cfg, take_iterations);
	for (size_t i = 0; i < n * WARMUPS; i++) {
		if (slots[i].iterations > warm[i % n].iterations)
			warm[i % n] = slots[i];
	}
	free(slots);
	return ret;
}

/* Every repetition of every work, in one random order. */
static int take_samples(struct run *run, const struct slot *warm, size_t n)
{
	struct random_state random = { .x = run->plan->seed };
	struct gb_config cfg = { .repetitions = 1 };
	size_t total = n * run->plan->repetitions;
	size_t *order = xcalloc(total, sizeof(*order));
	struct slot *slots = xcalloc(total, sizeof(*slots));
	int ret;

	for (size_t i = 0; i < total; i++)
		order[i] = i;
	random_shuffle(&random, order, total);
	for (size_t i = 0; i < total; i++) {
		size_t work = order[i] / run->plan->repetitions;

		slots[i] = warm[work];
		slots[i].sample = order[i];
	}
	run->total = total;
	ret = run_slots(run, slots, total, &cfg, take_sample);
	free(order);
	free(slots);
	return ret;
}

static int explain(const struct run *run, int err)
{
	if (err == 0)
		return 0;
	if (err == -ECANCELED)
		complain("timing %s failed", run->failed);
	else if (err != -ELIBACC) /* that was said where it was found */
		complain("timing failed: %s", strerror(-err));
	return -1;
}

int measure_run(const struct measure_work *works, size_t n, const struct measure_plan *plan,
		struct measure_sample *samples)
{
	struct run run = { .plan = plan, .works = works, .samples = samples };
	struct slot *warm;
	int ret;

	if (machine_pin(plan->cpu) < 0)
		return -1;
	warm = xcalloc(n, sizeof(*warm));
	cycles_open(&run.cycles);
	ret = warm_up(&run, warm, n);
	if (ret == 0)
		ret = take_samples(&run, warm, n);
	cycles_close(&run.cycles);
	free(warm);
	return explain(&run, ret);
}

double measure_real_per_cpu(const struct measure_sample *samples, size_t n)
{
	double real = 0, cpu = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(samples[i].cpu_ns))
			continue;
		real += samples[i].real_ns * (double)samples[i].iterations;
		cpu += samples[i].cpu_ns * (double)samples[i].iterations;
	}
	return cpu > 0 ? real / cpu : NAN;
}
