/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bench/gbench.h: what comes out of Google Benchmark, whatever the environment says. */
#include <errno.h>
#include <math.h>
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

#include "bench/gbench.h"

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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_by_case_then_repetition),
		cmocka_unit_test(names_may_repeat),
		cmocka_unit_test(a_body_that_breaks_is_an_error_of_its_own),
		cmocka_unit_test(manual_time_is_taken_as_given),
		cmocka_unit_test(wrong_arguments_are_refused),
		cmocka_unit_test(environment_changes_nothing),
	};

	if (argc == 2 && strcmp(argv[1], "probe-environment") == 0)
		return probe_environment();
	return cmocka_run_group_tests_name("gbench", tests, NULL, NULL);
}
