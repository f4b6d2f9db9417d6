/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench/measure.h: plan -> samples.  Nothing here depends on speed. */
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/random.h"
#include "bench/measure.h"

/* A log of which work was called, one entry a sample, to see the order. */
struct order {
	size_t n;
	char of[256];
	int cpu;
	int64_t prepared, calls;
};

struct marker {
	struct order *order;
	char name;
};

static void mark(void *arg, int64_t n)
{
	struct marker *m = arg;

	if (m->order->n < sizeof(m->order->of) - 1)
		m->order->of[m->order->n++] = m->name;
	m->order->cpu = sched_getcpu();
	m->order->calls += n;
}

static void prepare(void *arg)
{
	struct marker *m = arg;

	/* Each call has been preceded by one preparation of its own. */
	assert_int_equal(m->order->prepared, m->order->calls);
	m->order->prepared++;
}

#define WORKS 4
#define REPS  6

struct steps {
	size_t calls, last;
};

static void step(void *arg, size_t done, size_t total)
{
	struct steps *steps = arg;

	if (total == 0) { /* warming up */
		assert_int_equal(done, 0);
		return;
	}
	assert_int_equal(total, WORKS * REPS);
	assert_int_equal(done, steps->last + 1);
	steps->last = done;
	steps->calls++;
}

static void run_marked(uint64_t seed, struct order *order, struct measure_sample *samples)
{
	struct marker marks[WORKS];
	struct measure_work works[WORKS];
	struct steps steps = { 0, 0 };
	struct measure_plan plan = {
		.repetitions = REPS,
		.min_time_s = 1e-5,
		.cpu = -1,
		.seed = seed,
		.progress = step,
		.progress_arg = &steps,
	};
	const size_t samples_n = (size_t)WORKS * REPS;

	memset(order, 0, sizeof(*order));
	for (size_t i = 0; i < WORKS; i++) {
		marks[i] = (struct marker){ order, (char)('a' + i) };
		works[i] = (struct measure_work){ .name = "m", .run = mark, .arg = &marks[i] };
	}
	assert_int_equal(measure_run(works, WORKS, &plan, samples), 0);
	assert_int_equal(steps.calls, samples_n);
	/* What came before was warming up: as often as it took. */
	memmove(order->of, order->of + order->n - samples_n, samples_n);
	order->of[samples_n] = '\0';
}

static void repetitions_are_interleaved_as_the_seed_says(void **state)
{
	struct measure_sample samples[WORKS * REPS];
	struct order first, again, other;
	size_t count_of[WORKS] = { 0 };
	size_t changes = 0;

	(void)state;
	run_marked(1, &first, samples);
	run_marked(1, &again, samples);
	run_marked(2, &other, samples);
	assert_string_equal(first.of, again.of);
	assert_string_not_equal(first.of, other.of);
	for (size_t i = 0; first.of[i]; i++) {
		count_of[first.of[i] - 'a']++;
		changes += i > 0 && first.of[i] != first.of[i - 1];
	}
	for (size_t i = 0; i < WORKS; i++)
		assert_int_equal(count_of[i], REPS);
	assert_true(changes > WORKS); /* one after the other would be WORKS - 1 */
}

static void each_sample_lands_in_its_place(void **state)
{
	struct measure_sample samples[WORKS * REPS];
	struct order order;

	(void)state;
	memset(samples, 0xff, sizeof(samples));
	run_marked(3, &order, samples);
	for (size_t w = 0; w < WORKS; w++) {
		for (size_t r = 0; r < REPS; r++) {
			const struct measure_sample *s = &samples[w * REPS + r];

			/* One work has one number of calls, in all its repetitions. */
			assert_true(s->iterations > 0);
			assert_int_equal(s->iterations, samples[w * REPS].iterations);
			assert_true(s->real_ns > 0 && isfinite(s->real_ns));
			assert_true(s->cpu_ns >= 0 && isfinite(s->cpu_ns));
			assert_true(isnan(s->cycles) || s->cycles > 0);
		}
	}
}

static void preparation_comes_before_each_call(void **state)
{
	struct order order = { .n = 0 };
	struct marker m = { &order, 'p' };
	struct measure_work work = { "p", mark, prepare, &m };
	struct measure_plan plan = { .repetitions = 3, .min_time_s = 1e-5, .cpu = -1 };
	struct measure_sample samples[3];

	(void)state;
	assert_int_equal(measure_run(&work, 1, &plan, samples), 0);
	assert_true(order.calls >= 3);
	assert_int_equal(order.prepared, order.calls);
	for (size_t i = 0; i < 3; i++) {
		assert_true(samples[i].real_ns > 0);
		assert_true(isnan(samples[i].cpu_ns)); /* it would count the preparation */
		assert_true(isnan(samples[i].cycles));
	}
}

/* The scheduler may take the CPU away for longer than a warm-up: here in the first call. */
static void interrupted_once(void *arg, int64_t n)
{
	const struct timespec long_enough = { .tv_nsec = 30 * 1000 * 1000 };
	bool *interrupted = arg;

	if (!*interrupted)
		nanosleep(&long_enough, NULL);
	*interrupted = true;
	for (int64_t i = 0; i < n; i++)
		__asm__ volatile("" : : : "memory");
}

static void an_interrupted_warm_up_does_not_count(void **state)
{
	bool interrupted = false;
	struct measure_work work = { .name = "i", .run = interrupted_once, .arg = &interrupted };
	struct measure_plan plan = { .repetitions = 3, .min_time_s = 1e-3, .warmup_s = 3e-3,
				     .cpu = -1 };
	struct measure_sample samples[3];

	(void)state;
	assert_int_equal(measure_run(&work, 1, &plan, samples), 0);
	for (size_t i = 0; i < 3; i++)
		assert_true(samples[i].iterations > 100);
}

static void runs_on_the_cpu_asked_for(void **state)
{
	cpu_set_t before;
	struct order order = { .n = 0 };
	struct marker m = { &order, 'c' };
	struct measure_work work = { "c", mark, NULL, &m };
	struct measure_plan plan = { .repetitions = 2, .min_time_s = 1e-5 };
	struct measure_sample samples[2];

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &before))
			continue;
		plan.cpu = cpu;
		assert_int_equal(measure_run(&work, 1, &plan, samples), 0);
		assert_int_equal(order.cpu, cpu);
		assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	}
}

static void a_cpu_that_is_not_there_is_one_line(void **state)
{
	struct order order = { .n = 0 };
	struct marker m = { &order, 'x' };
	struct measure_work work = { "x", mark, NULL, &m };
	struct measure_plan plan = { .repetitions = 1, .min_time_s = 1e-5, .cpu = 99999 };
	struct measure_sample sample;
	char line[256] = "";
	int fds[2], saved = dup(STDERR_FILENO);
	ssize_t got;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	dup2(fds[1], STDERR_FILENO);
	assert_int_equal(measure_run(&work, 1, &plan, &sample), -1);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(fds[1]);
	got = read(fds[0], line, sizeof(line) - 1);
	close(fds[0]);
	assert_true(got > 0);
	assert_non_null(strstr(line, "cannot run on CPU 99999"));
	assert_ptr_equal(strchr(line, '\n'), line + got - 1);
	assert_int_equal(order.calls, 0);
}

static void real_per_cpu_weighs_by_time(void **state)
{
	const struct measure_sample samples[] = {
		{ .iterations = 10, .real_ns = 3, .cpu_ns = 2 },
		{ .iterations = 1, .real_ns = 70, .cpu_ns = 60 },
		{ .iterations = 1000, .real_ns = 500, .cpu_ns = NAN },
	};

	(void)state;
	assert_true(fabs(measure_real_per_cpu(samples, 3) - 1.25) < 1e-12);
	assert_true(isnan(measure_real_per_cpu(samples + 2, 1)));
}

/* First numbers of SplitMix64 from 1234567, as Rosetta Code and others list them. */
static void randomness_is_splitmix64(void **state)
{
	struct random_state r = { .x = 1234567 };
	size_t order[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	unsigned int seen = 0;

	(void)state;
	assert_true(random_next(&r) == UINT64_C(6457827717110365317));
	assert_true(random_next(&r) == UINT64_C(3203168211198807973));
	assert_true(random_next(&r) == UINT64_C(9817491932198370423));
	assert_int_equal(random_below(&r, 0), 0);
	for (int i = 0; i < 200; i++) {
		uint64_t x = random_below(&r, 5);

		assert_true(x < 5);
		seen |= 1u << x;
	}
	assert_int_equal(seen, 0x1f);
	random_shuffle(&r, order, 8);
	for (size_t i = 0, bits = 0; i < 8; i++) {
		bits |= (size_t)1 << order[i];
		if (i == 7)
			assert_int_equal(bits, 0xff);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(repetitions_are_interleaved_as_the_seed_says),
		cmocka_unit_test(each_sample_lands_in_its_place),
		cmocka_unit_test(preparation_comes_before_each_call),
		cmocka_unit_test(an_interrupted_warm_up_does_not_count),
		cmocka_unit_test(runs_on_the_cpu_asked_for),
		cmocka_unit_test(a_cpu_that_is_not_there_is_one_line),
		cmocka_unit_test(real_per_cpu_weighs_by_time),
		cmocka_unit_test(randomness_is_splitmix64),
	};

	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
