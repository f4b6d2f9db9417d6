/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The milestone question on a log in the form of a real watchdog board's: when is it reached, what
 * is before it, what could be moved; and what several runs have in common.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "boot/advise.h"
#include "boot/goal.h"
#include "boot/log.h"
#include "boot/probes.h"
#include "boot/rules.h"
#include "boot/runs.h"

static struct boot *board(void)
{
	const char *srcdir = getenv("srcdir");
	struct log_stats stats;
	struct boot *boot;
	char path[4096];
	static const struct {
		const char *name;
		enum initcall_level level;
	} levels[] = {
		{ "customize_machine", LEVEL_ARCH },      { "clk_provider_init", LEVEL_SUBSYS },
		{ "cacheinfo_sysfs_init", LEVEL_DEVICE }, { "pty_init", LEVEL_DEVICE },
		{ "fec_driver_init", LEVEL_DEVICE },      { "ci_hdrc_imx_driver_init", LEVEL_DEVICE },
		{ "imx2_wdt_driver_init", LEVEL_DEVICE }, { "slab_sysfs_init", LEVEL_LATE },
		{ "deferred_probe_initcall", LEVEL_LATE },
	};

	snprintf(path, sizeof(path), "%s/tests/data/logs/watchdog.txt", srcdir ? srcdir : ".");
	assert_int_equal(log_read(path, &boot, &stats), 0);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		boot->calls[boot_find(boot, levels[i].name)].level = levels[i].level;
	return boot;
}

static void found(void **state)
{
	static const struct {
		const char *spec, *label;
		double at_us;
		const char *call;
		size_t n_before;
		unsigned int line;
	} goals[] = {
		{ "imx2_wdt_driver_init", "imx2_wdt_driver_init returns", 870900,
		  "imx2_wdt_driver_init", 8, 21 },
		{ "probe:20bc000.watchdog", "probe of 20bc000.watchdog returns 0", 870000,
		  "imx2_wdt_driver_init", 8, 20 },
		{ "probe:2188000.ethernet", "probe of 2188000.ethernet returns 0", 950000,
		  "deferred_probe_initcall", 10, 25 },
		{ "init", "Run /sbin/init as init process", 970000, NULL, 10, 27 },
	};
	struct boot *boot = board();

	(void)state;
	for (size_t i = 0; i < sizeof(goals) / sizeof(*goals); i++) {
		struct goal goal;

		assert_int_equal(goal_find(boot, goals[i].spec, &goal), 0);
		assert_string_equal(goal.label, goals[i].label);
		assert_true(fabs(goal.at_us - goals[i].at_us) < 0.5);
		assert_int_equal(goal.n_before, goals[i].n_before);
		assert_int_equal(goal.line, goals[i].line);
		assert_true(goal.by_stamps);
		if (goals[i].call)
			assert_string_equal(boot->calls[goal.call].name, goals[i].call);
		else
			assert_int_equal(goal.call, -1);
		goal_free(&goal);
	}
	boot_free(boot);
}

static void not_found(void **state)
{
	static const char *const specs[] = { "imx2_wdt_driver_ini", "probe:20bc000.watchdo", "probe:",
					     "", "pty_init#2", "probe:none", "#1" };
	struct boot *boot = board();

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct goal goal;

		assert_int_equal(goal_find(boot, specs[i], &goal), -1);
		assert_null(goal.label);
	}
	boot_free(boot);
}

static void near(double a, double b)
{
	if (fabs(a - b) > 0.5)
		fail_msg("%.3f, expected %.3f", a, b);
}

static void broken_down(void **state)
{
	struct boot *boot = board();
	struct breakdown sum;
	struct goal goal;

	(void)state;
	assert_int_equal(goal_find(boot, "probe:20bc000.watchdog", &goal), 0);
	sum = goal_breakdown(boot, &goal);
	assert_int_equal(sum.n_calls, 8);
	near(sum.total_us, 870000);
	/* 100 + 47800 + 500 + 41300 + 170400 + 210100 + 275100 and 40000 of the watchdog's */
	near(sum.calls_us, 785300);
	near(sum.head_us, 0);
	near(sum.tail_us, 0);
	near(sum.gaps_us, 84700);
	near(sum.head_us + sum.calls_us + sum.gaps_us + sum.tail_us, sum.total_us);
	assert_int_equal(sum.n_levels, 4);
	assert_string_equal(sum.levels[0].name, "console");
	assert_string_equal(sum.levels[3].name, "device");
	near(sum.levels[3].us, 41300 + 170400 + 210100 + 275100 + 40000);
	assert_int_equal(sum.levels[3].calls, 5);
	assert_string_equal(sum.prefixes[0].name, "ci");
	assert_string_equal(sum.prefixes[1].name, "fec");
	near(sum.prefixes[1].us, 210100);
	breakdown_free(&sum);
	goal_free(&goal);
	boot_free(boot);
}

/* Without stamps the clock is the sum of the durations, and there are no gaps to tell. */
static void no_stamps(void **state)
{
	static const char text[] = "calling  a+0x0/0x5 @ 1\ninitcall a+0x0/0x5 returned 0 after 700 usecs\n"
				   "calling  b+0x0/0x5 @ 1\nprobe of d returned 0 after 20 usecs\n"
				   "initcall b+0x0/0x5 returned 0 after 50 usecs\n"
				   "Run /init as init process\n";
	struct log_stats stats;
	struct breakdown sum;
	struct boot *boot;
	struct goal goal;

	(void)state;
	assert_int_equal(log_read_memory(text, strlen(text), "t", &boot, &stats), 0);
	assert_int_equal(goal_find(boot, "b", &goal), 0);
	near(goal.at_us, 750);
	assert_false(goal.by_stamps);
	goal_free(&goal);
	assert_int_equal(goal_find(boot, "probe:d", &goal), 0);
	near(goal.at_us, 720);
	goal_free(&goal);
	assert_int_equal(goal_find(boot, "init", &goal), 0);
	near(goal.at_us, 750);
	sum = goal_breakdown(boot, &goal);
	near(sum.calls_us, 750);
	near(sum.gaps_us, 0);
	breakdown_free(&sum);
	goal_free(&goal);
	boot_free(boot);
}

static void prefixes(void **state)
{
	static const struct {
		const char *name, *prefix;
	} names[] = {
		{ "ext4_init_fs", "ext4" }, { "init_btrfs_fs", "btrfs" }, { "__gnttab_init", "gnttab" },
		{ "init", "init" }, { "_init_", "_init_" }, { "register_mem_limit_dumper", "mem" },
		{ "a", "a" }, { "", "" }, { "driver_init_core", "driver_init_core" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t n;
		const char *at = initcall_prefix(names[i].name, &n);

		assert_int_equal(n, strlen(names[i].prefix));
		assert_memory_equal(at, names[i].prefix, n);
	}
}

static void advised(void **state)
{
	static const struct {
		const char *name, *reason;
		enum verdict verdict;
		double gain_us, cumulative_us;
	} rows[] = {
		{ "pty_init", "device level, no device", MOVE_FREE, 178000, 178000 },
		{ "fec_driver_init", "device level, no device", MOVE_FREE, 220000, 0 },
		{ "ci_hdrc_imx_driver_init", "devices were bound", MOVE_CHECK, 280000, 0 },
		{ "customize_machine", "below device level", MOVE_REFUSED, 0, 0 },
		{ "clk_provider_init", "below device level", MOVE_REFUSED, 0, 0 },
		{ "imx2_wdt_driver_init", "the milestone's probe", MOVE_REFUSED, 0, 0 },
		{ "con_init", "a console initcall", MOVE_REFUSED, 0, 0 },
	};
	struct boot *boot = board();
	struct advice *advice;
	struct goal goal;
	size_t n;

	(void)state;
	assert_int_equal(goal_find(boot, "probe:20bc000.watchdog", &goal), 0);
	n = advise(boot, &goal, -1, NULL, &advice);
	assert_int_equal(n, 8);
	assert_string_equal(boot->calls[advice[0].call].name, "fec_driver_init");
	near(advice[0].cumulative_us, 220000);
	near(advice[2].cumulative_us, 220000 + 178000 + 42000);
	assert_int_equal(advice[0].probes, 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		for (size_t k = 0; k < n; k++) {
			if (strcmp(boot->calls[advice[k].call].name, rows[i].name))
				continue;
			assert_int_equal(advice[k].ruling.verdict, rows[i].verdict);
			assert_memory_equal(advice[k].ruling.reason, rows[i].reason,
					    strlen(rows[i].reason));
			near(advice[k].gain_us, rows[i].gain_us);
		}
	}
	free(advice);
	/* what is behind the milestone wins nothing, a wait never moves */
	assert_int_equal(rule_defer(boot, (size_t)boot_find(boot, "slab_sysfs_init"), &goal).verdict,
			 MOVE_IDLE);
	assert_int_equal(
		rule_defer(boot, (size_t)boot_find(boot, "deferred_probe_initcall"), NULL).verdict,
		MOVE_REFUSED);
	assert_int_equal(rule_defer(boot, (size_t)boot_find(boot, "imx_sdma_init"), NULL).verdict,
			 MOVE_REFUSED);
	goal_free(&goal);
	boot_free(boot);
}

static void promoted(void **state)
{
	struct boot *boot = board();
	size_t wdt = (size_t)boot_find(boot, "imx2_wdt_driver_init"), to;
	size_t *origin = calloc(boot->n_calls, sizeof(*origin));
	struct ruling ruling;

	(void)state;
	assert_non_null(origin);
	for (size_t i = 0; i < boot->n_calls; i++)
		origin[i] = i;
	ruling = rule_promote(boot, wdt, &to);
	assert_int_equal(ruling.verdict, MOVE_FREE);
	assert_string_equal(boot->calls[to].name, "cacheinfo_sysfs_init");
	promote(boot, origin, wdt, to);
	assert_string_equal(boot->calls[to].name, "imx2_wdt_driver_init");
	assert_string_equal(boot->calls[to + 1].name, "cacheinfo_sysfs_init");
	assert_int_equal(origin[to], wdt);
	assert_int_equal(origin[wdt], wdt - 1);
	for (size_t i = 0; i < boot->n_probes; i++)
		if (!strcmp(boot->probes[i].device, "20bc000.watchdog"))
			assert_int_equal(boot->probes[i].initcall, to);
	ruling = rule_promote(boot, to, &to);
	assert_int_equal(ruling.verdict, MOVE_REFUSED);
	ruling = rule_promote(boot, (size_t)boot_find(boot, "deferred_probe_initcall"), &to);
	assert_int_equal(ruling.verdict, MOVE_REFUSED);
	free(origin);
	boot_free(boot);
}

static void deferrals(void **state)
{
	struct boot *boot = board();
	struct deferral *list;

	(void)state;
	assert_int_equal(probes_deferrals(boot, &list), 1);
	assert_string_equal(list[0].device, "2188000.ethernet");
	assert_int_equal(list[0].tries, 2);
	assert_int_equal(list[0].deferred, 1);
	near(list[0].cost_us, 15000);
	near(list[0].total_us, 65000);
	near(list[0].span_us, 950000 - 335000);
	assert_true(list[0].succeeded);
	free(list);
	boot_free(boot);
	assert_string_equal(result_name(-19), "-ENODEV (-19)");
	assert_string_equal(result_name(517), "EPROBE_DEFER (517)");
	assert_string_equal(result_name(-517), "-EPROBE_DEFER (-517)");
	assert_string_equal(result_name(0), "0");
	assert_string_equal(result_name(99999), "99999");
	result_name(INT32_MIN + 1);
}

static void several(void **state)
{
	struct boot *boots[3] = { board(), board(), board() };
	struct runs *runs;
	size_t pty = (size_t)boot_find(boots[0], "pty_init");

	(void)state;
	boots[1]->calls[pty].duration_us = 170400 * 3;
	boots[2]->calls[pty].duration_us = 170400 * 2;
	runs = runs_merge(boots, 3);
	assert_int_equal(runs->n, boots[0]->n_calls);
	assert_int_equal(runs->n_unstable, 1);
	assert_int_equal(runs->only_some, 0);
	assert_int_equal(runs->order_differs, 0);
	assert_false(runs->kernels_differ);
	assert_string_equal(runs->calls[pty].name, "pty_init");
	near(runs->calls[pty].min_us, 170400);
	near(runs->calls[pty].median_us, 340800);
	near(runs->calls[pty].max_us, 511200);
	assert_true(runs->calls[pty].unstable);
	assert_true(fabs(runs->calls[pty].spread - 1) < 1e-9);
	runs_free(runs);

	/* another kernel, another order, and a call of its own */
	free(boots[1]->kernel);
	boots[1]->kernel = strdup("6.14.0");
	free(boots[1]->calls[pty].name);
	boots[1]->calls[pty].name = strdup("fresh_init");
	promote(boots[2], (size_t[64]){ 0 }, pty + 2, pty);
	runs = runs_merge(boots, 3);
	assert_true(runs->kernels_differ);
	assert_int_equal(runs->order_differs, 1);
	assert_int_equal(runs->only_some, 2);
	assert_string_equal(runs->calls[runs->n - 1].name, "fresh_init");
	assert_int_equal(runs->calls[runs->n - 1].n, 1);
	runs_free(runs);
	for (size_t i = 0; i < 3; i++)
		boot_free(boots[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),     cmocka_unit_test(not_found),
		cmocka_unit_test(broken_down), cmocka_unit_test(no_stamps),
		cmocka_unit_test(prefixes),  cmocka_unit_test(advised),
		cmocka_unit_test(promoted),  cmocka_unit_test(deferrals),
		cmocka_unit_test(several),
	};

	return cmocka_run_group_tests_name("goal", tests, NULL, NULL);
}
