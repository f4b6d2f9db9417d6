/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From which size on SIMD pays in a kernel: found in numbers that no machine had to measure. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cmd/check_kernel.h"

static const struct kernel_point *crossover(struct kernel_points *of, struct kernel_point *points,
					    size_t n)
{
	*of = (struct kernel_points){ .points = points, .n = n };
	return kernel_points_crossover(of);
}

static struct kernel_point point(size_t size, double simd_ns, double plain_ns)
{
	return (struct kernel_point){ size, "simd", "plain", simd_ns, plain_ns };
}

static void it_pays_where_it_wins_from_there_on(void **state)
{
	/* A win at 64 that 1024 takes back is none; order of the cases does not matter. */
	struct kernel_point points[] = {
		point(16384, 200, 300), point(64, 4, 5), point(4096, 150, 151), point(1024, 110, 20),
	};
	struct kernel_points of;

	(void)state;
	assert_int_equal(crossover(&of, points, 4)->size, 4096);
}

static void it_does_not_pay_where_the_largest_loses(void **state)
{
	struct kernel_point points[] = { point(64, 4, 5), point(128, 9, 8) };
	struct kernel_points of;

	(void)state;
	assert_null(crossover(&of, points, 2));
	assert_null(crossover(&of, points, 0));
	points[1].simd_ns = 8; /* as fast is no win */
	assert_null(crossover(&of, points, 2));
}

static void every_alignment_of_a_size_has_to_win(void **state)
{
	struct kernel_point points[] = {
		point(64, 1, 2), point(64, 3, 2), point(128, 1, 2), point(128, 1, 2),
	};
	struct kernel_points of;

	(void)state;
	assert_int_equal(crossover(&of, points, 4)->size, 128);
	points[2].simd_ns = 3;
	assert_null(crossover(&of, points, 4));
}

/* The best of those that pay and of those that need not; the wrong and the baselines do not count. */
static void points_hold_the_best_of_both_kinds(void **state)
{
	static const struct check_variant variants[] = {
		{ .name = "base", .kind = CHECK_BASELINE, .kernel_usable = true },
		{ .name = "slow", .kernel_usable = true },
		{ .name = "fast", .kernel_usable = true },
		{ .name = "liar", .kernel_usable = true },
		{ .name = "wide" },
	};
	static const double ns[] = { 1, 30, 20, 5, 90 };
	struct contender contenders[5] = { { .v = NULL } };
	struct check_result results[5] = { { .verdict = VERDICT_OK } };
	struct measure_sample samples[5] = { { .iterations = 1 } };
	struct check_plan plan = { .contenders = contenders, .n_contenders = 5,
				   .measure = { .repetitions = 1 } };
	struct check_case c = { .size = 77, .mode = CHECK_THROUGHPUT };
	struct kernel_points of = { .n = 0 };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		contenders[i].v = &variants[i];
		samples[i].real_ns = ns[i];
		results[i].verdict = i == 0 ? VERDICT_NONE :
				     i == 3 ? VERDICT_KNOWN_WRONG : VERDICT_OK;
		results[i].timed = true;
		results[i].samples = &samples[i];
	}
	kernel_points_add(&of, &plan, &c, results);
	assert_int_equal(of.n, 0); /* of another mode */
	c.mode = CHECK_KERNEL;
	kernel_points_add(&of, &plan, &c, results);
	assert_int_equal(of.n, 1);
	assert_int_equal(of.points[0].size, 77);
	assert_string_equal(of.points[0].plain, "fast");
	assert_true(of.points[0].plain_ns == 20);
	assert_string_equal(of.points[0].simd, "wide");
	assert_true(of.points[0].simd_ns == 90);
	free(of.points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_pays_where_it_wins_from_there_on),
		cmocka_unit_test(it_does_not_pay_where_the_largest_loses),
		cmocka_unit_test(every_alignment_of_a_size_has_to_win),
		cmocka_unit_test(points_hold_the_best_of_both_kinds),
	};

	return cmocka_run_group_tests_name("kernel_cost", tests, NULL, NULL);
}
