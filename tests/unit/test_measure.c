/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench/: the C face of Google Benchmark, and plan -> samples.  Nothing here depends on speed. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/random.h"
#include "bench/gbench.h"
#include "bench/measure.h"

#define MOST_SAMPLES 32

struct seen { /* what a run handed over */
	size_t n;
	size_t case_idx[MOST_SAMPLES];
	unsigned int rep[MOST_SAMPLES];
	int64_t iterations[MOST_SAMPLES];
	double real_ns[MOST_SAMPLES];
	char error[MOST_SAMPLES][64];
	char name[MOST_SAMPLES][32];
	int answer; /* of the callback */
};

static int see(const struct gb_sample *s, void *arg)
{
	struct seen *seen = arg;
	size_t i = seen->n++;

	assert_true(i < MOST_SAMPLES);
	seen->case_idx[i] = s->case_idx;
	seen->rep[i] = s->rep;
	seen->iterations[i] = s->iterations;
	seen->real_ns[i] = s->real_ns;
	snprintf(seen->name[i], sizeof(seen->name[i]), "%s", s->name);
	snprintf(seen->error[i], sizeof(seen->error[i]), "%s", s->error ? s->error : "");
	return seen->answer;
}

static void count(struct gb_state *st, void *arg)
{
	int64_t *calls = arg;
	int64_t n;

	while ((n = gb_next_batch(st)) > 0)
		*calls += n;
}

static void leave_early(struct gb_state *st, void *arg)
{
	(void)st;
	(void)arg;
}

static void leave_between(struct gb_state *st, void *arg)
{
	(void)arg;
	gb_next_batch(st);
}

static void give_up(struct gb_state *st, void *arg)
{
	gb_fail(st, arg);
	while (gb_next_batch(st) > 0)
		;
}

/* 3 ns a call, whatever the clock on the wall says. */
static void own_clock(struct gb_state *st, void *arg)
{
	int64_t n;

	(void)arg;
	while ((n = gb_next_batch(st)) > 0)
		gb_set_manual_time(st, (double)n * 3e-9);
}

static void samples_come_by_case_then_repetition(void **state)
{
	int64_t calls[2] = { 0, 0 };
	const struct gb_case cases[] = {
		{ .name = "zebra", .body = count, .arg = &calls[0], .iterations = 5 },
		{ .name = "ant", .body = count, .arg = &calls[1], .iterations = 7 },
	};
	const struct gb_config cfg = { .repetitions = 3 };
	struct seen seen = { .n = 0 };

	(void)state;
	assert_int_equal(gb_run(cases, 2, &cfg, see, &seen), 0);
	assert_int_equal(seen.n, 6); /* no mean, no median, no deviation among them */
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(seen.case_idx[i], i / 3);
		assert_int_equal(seen.rep[i], i % 3);
		assert_int_equal(seen.iterations[i], i < 3 ? 5 : 7);
		assert_string_equal(seen.name[i], i < 3 ? "zebra" : "ant");
		assert_string_equal(seen.error[i], "");
		assert_true(seen.real_ns[i] >= 0);
	}
	assert_int_equal(calls[0], 15);
	assert_int_equal(calls[1], 21);
}

static void names_may_repeat(void **state)
{
	int64_t calls[2] = { 0, 0 };
	const struct gb_case cases[] = {
		{ .name = "same", .body = count, .arg = &calls[0], .iterations = 2 },
		{ .name = "same", .body = count, .arg = &calls[1], .iterations = 9 },
	};
	const struct gb_config cfg = { .repetitions = 1 };
	struct seen seen = { .n = 0 };

	(void)state;
	assert_int_equal(gb_run(cases, 2, &cfg, see, &seen), 0);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.iterations[0], 2);
	assert_int_equal(seen.iterations[1], 9);
}

static void a_body_that_breaks_is_an_error_of_its_own(void **state)
{
	int64_t calls = 0;
	char why[] = "no such luck";
	const struct gb_case cases[] = {
		{ .name = "early", .body = leave_early },
		{ .name = "between", .body = leave_between, .iterations = 4 },
		{ .name = "gives-up", .body = give_up, .arg = why },
		{ .name = "good", .body = count, .arg = &calls, .iterations = 4 },
	};
	const struct gb_config cfg = { .min_time_s = 1e-4, .repetitions = 1 };
	struct seen seen = { .n = 0 };

	(void)state;
	assert_int_equal(gb_run(cases, 4, &cfg, see, &seen), 0);
	assert_int_equal(seen.n, 4);
	assert_string_equal(seen.error[0], "the body left before its last batch");
	assert_string_equal(seen.error[1], "the body left before its last batch");
	assert_string_equal(seen.error[2], "no such luck");
	assert_string_equal(seen.error[3], "");
	assert_int_equal(calls, 4);
}

static void manual_time_is_taken_as_given(void **state)
{
	const struct gb_case one = { .name = "m", .body = own_clock, .manual_time = true };
	const struct gb_config cfg = { .min_time_s = 1e-3, .repetitions = 2 };
	struct seen seen = { .n = 0 };

	(void)state;
	assert_int_equal(gb_run(&one, 1, &cfg, see, &seen), 0);
	assert_int_equal(seen.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_true(fabs(seen.real_ns[i] - 3) < 1e-6);
		assert_true((double)seen.iterations[i] * 3 >= 1e6); /* min_time, by that clock */
	}
}

static void wrong_arguments_are_refused(void **state)
{
	int64_t calls = 0;
	const struct gb_case good = { .name = "g", .body = count, .arg = &calls, .iterations = 1 };
	const struct gb_case no_body = { .name = "b" };
	const struct gb_config cfg = { .repetitions = 1 };
	const struct gb_config negative = { .min_time_s = -1 };
	struct seen seen = { .n = 0 };

	(void)state;
	assert_int_equal(gb_run(&good, 0, &cfg, see, &seen), -EINVAL);
	assert_int_equal(gb_run(&no_body, 1, &cfg, see, &seen), -EINVAL);
	assert_int_equal(gb_run(&good, 1, &negative, see, &seen), -EINVAL);
	assert_int_equal(seen.n, 0);
	assert_int_equal(calls, 0);
	seen.answer = 42;
	assert_int_equal(gb_run(&good, 1, &cfg, see, &seen), 42);
}

/*
 * The library reads BENCHMARK_* before main(), so the case needs a process of its own, started
 * with them: it exits 0 when it saw what it should, and every byte that it prints is one too many.
 */
static int probe_environment(void)
{
	int64_t calls = 0;
	const struct gb_case cases[] = {
		{ .name = "a", .body = count, .arg = &calls, .iterations = 3 },
		{ .name = "b", .body = count, .arg = &calls, .iterations = 3 },
	};
	const struct gb_config cfg = { .repetitions = 2 };
	struct seen seen = { .n = 0 };

	if (gb_run(cases, 2, &cfg, see, &seen) != 0)
		return 10;
	if (seen.n != 4)
		return 11;
	return calls == 12 ? 0 : 12;
}

static int run_probe(const char *name, const char *value, char *printed, size_t room)
{
	int fds[2], status;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		dup2(fds[1], STDERR_FILENO);
		close(fds[0]);
		setenv(name, value, 1);
		execl("/proc/self/exe", "test_measure", "probe-environment", (char *)NULL);
		_exit(99);
	}
	close(fds[1]);
	got = read(fds[0], printed, room - 1);
	assert_true(got >= 0);
	printed[got] = '\0';
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

static void environment_changes_nothing(void **state)
{
	static const char *const vars[][2] = {
		{ "BENCHMARK_LIST_TESTS", "true" },
		{ "BENCHMARK_FILTER", "x" },
		{ "BENCHMARK_FORMAT", "json" },
		{ "BENCHMARK_REPETITIONS", "3" },
		{ "BENCHMARK_OUT", "test_measure.benchmark-out" },
		{ "BENCHMARK_ENABLE_RANDOM_INTERLEAVING", "true" },
		{ "BENCHMARK_REPORT_AGGREGATES_ONLY", "true" },
		{ "BENCHMARK_PERF_COUNTERS", "CYCLES,NONSENSE" },
		{ "BENCHMARK_CONTEXT", "a=b" },
		{ "BENCHMARK_TIME_UNIT", "s" },
		{ "BENCHMARK_MIN_WARMUP_TIME", "1" },
		{ "BENCHMARK_DRY_RUN", "true" },
	};
	char printed[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(vars) / sizeof(vars[0]); i++) {
		int status = run_probe(vars[i][0], vars[i][1], printed, sizeof(printed));

		if (status != 0 || printed[0])
			fail_msg("%s=%s: exit %d, printed: %s", vars[i][0], vars[i][1], status,
				 printed);
	}
	assert_int_equal(access("test_measure.benchmark-out", F_OK), -1);
}

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
	assert_non_null(strstr(line, "--cpu: cannot run on CPU 99999"));
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_by_case_then_repetition),
		cmocka_unit_test(names_may_repeat),
		cmocka_unit_test(a_body_that_breaks_is_an_error_of_its_own),
		cmocka_unit_test(manual_time_is_taken_as_given),
		cmocka_unit_test(wrong_arguments_are_refused),
		cmocka_unit_test(environment_changes_nothing),
		cmocka_unit_test(repetitions_are_interleaved_as_the_seed_says),
		cmocka_unit_test(each_sample_lands_in_its_place),
		cmocka_unit_test(preparation_comes_before_each_call),
		cmocka_unit_test(runs_on_the_cpu_asked_for),
		cmocka_unit_test(a_cpu_that_is_not_there_is_one_line),
		cmocka_unit_test(real_per_cpu_weighs_by_time),
		cmocka_unit_test(randomness_is_splitmix64),
	};

	if (argc == 2 && strcmp(argv[1], "probe-environment") == 0)
		return probe_environment();
	return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
