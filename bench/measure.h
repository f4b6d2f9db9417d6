/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plan -> cases of Google Benchmark -> samples, for anything that can be done n times.
 *
 * Each work is run once to warm up and to learn how long one call takes; then every repetition of
 * every work is one case with a fixed number of calls, all of them in one random order.  A machine
 * that slows down for a while then hurts every work alike instead of the one that was on.
 * Cost: about n_works * (repetitions * min_time + 2 * warmup).
 */
#ifndef SLUBBENCH_MEASURE_H
#define SLUBBENCH_MEASURE_H

#include <stddef.h>
#include <stdint.h>

struct measure_work {
	const char *name;                   /* for complaints */
	void (*run)(void *arg, int64_t n);  /* do it n times */
	void (*prepare)(void *arg);         /* NULL, or what must happen before every single
					     * call, outside the clock: calls are then timed
					     * one by one, the clock's own cost included */
	void *arg;
};

struct measure_plan {
	unsigned int repetitions; /* samples of each work, at least 1 */
	double min_time_s;        /* each sample takes at least about this long, above 0 */
	double warmup_s;          /* each work runs this long before it counts */
	int cpu;                  /* run there and nowhere else; -1: on the current one */
	uint64_t seed;            /* of the random order */
	/* After each sample, and with a total of 0 while warming up; may be NULL. */
	void (*progress)(void *arg, size_t done, size_t total);
	void *progress_arg;
};

struct measure_sample {
	int64_t iterations;
	double real_ns, cpu_ns; /* per call; cpu_ns is NAN for works that prepare */
	double cycles;          /* per call, this program's own; NAN where the kernel gives none */
};

/*
 * measure_run - take plan->repetitions samples of each of @works.
 *
 * @samples has room for n * plan->repetitions; work w's repetition r goes to
 * [w * plan->repetitions + r].  The program stays on plan->cpu from here on.  0, or -1 after a
 * complaint: no such CPU, no memory, a work that broke.
 */
int measure_run(const struct measure_work *works, size_t n, const struct measure_plan *plan,
		struct measure_sample *samples);

/*
 * How much longer the samples took than the CPU worked for us, all in all: 1 on a quiet machine,
 * more when others took the CPU away.  NAN when no sample knows its CPU time.
 */
double measure_real_per_cpu(const struct measure_sample *samples, size_t n);

#endif /* SLUBBENCH_MEASURE_H */
