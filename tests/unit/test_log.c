/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every form in which initcall_debug logs are kept, each as a small log with the exact rows that it
 * must give, and whole logs of real boots against what is known of them.
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

#include "boot/log.h"

/* The rows of @text as one string: "level name module pid start duration source result;..." */
static char *rows_of(const char *text, struct log_stats *stats)
{
	struct boot *boot;
	char *rows = NULL;
	size_t n;
	FILE *to = open_memstream(&rows, &n);

	assert_non_null(to);
	if (log_read_memory(text, strlen(text), "t", &boot, stats)) {
		fclose(to);
		free(rows);
		return NULL;
	}
	for (size_t i = 0; i < boot->n_calls; i++) {
		const struct initcall *call = &boot->calls[i];

		fprintf(to, "%s%s %s%s%s @%d ", i ? "; " : "", level_name(call->level), call->name,
			call->module ? " " : "", call->module ? call->module : "", call->pid);
		fprintf(to, "%g+%g %s", call->start_us, call->duration_us,
			fact_source_name(call->duration_from));
		if (call->returned)
			fprintf(to, " =%d", call->result);
		if (call->blacklisted)
			fprintf(to, " blacklisted");
	}
	for (size_t i = 0; i < boot->n_probes; i++) {
		const struct probe *probe = &boot->probes[i];

		fprintf(to, "; probe %s %g+%g =%d in %s", probe->device, probe->end_us,
			probe->duration_us, probe->result,
			probe->initcall < 0 ? "none" : boot->calls[probe->initcall].name);
	}
	fclose(to);
	boot_free(boot);
	return rows;
}

#define VERSION "[    0.000000] Linux version 6.1.0\n"
#define SWITCH  "[    0.100000] clocksource: Switched to clocksource tsc\n"

/* What a log is, and the rows that it must give. */
static const struct {
	const char *form, *text, *rows;
} forms[] = {
	{ "plain, by stamps before the switch",
	  VERSION "[    0.213360] calling  pktsched_init+0x0/0x115 @ 1\n"
		  "[    0.213380] initcall pktsched_init+0x0/0x115 returned 0 after 4000 usecs\n" SWITCH,
	  "unknown pktsched_init @1 213360+20 stamps =0" },
	{ "as reported after the switch",
	  VERSION SWITCH "[    0.213360] calling  pktsched_init+0x0/0x115 @ 1\n"
			 "[    0.213380] initcall pktsched_init+0x0/0x115 returned 0 after 18 usecs\n",
	  "unknown pktsched_init @1 213360+18 reported =0" },
	{ "CRLF and priority",
	  "<5>[    0.000000] Linux version 6.1.0\r\n"
	  "<7>[    0.949016] calling  slab_sysfs_init+0x0/0xef @ 1\r\n"
	  "<7>[    0.960016] initcall slab_sysfs_init+0x0/0xef returned 0 after 8000 usecs\r\n",
	  "unknown slab_sysfs_init @1 949016+11000 stamps =0" },
};

static void each_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct log_stats stats;
		char *rows = rows_of(forms[i].text, &stats);

		if (!rows || strcmp(rows, forms[i].rows))
			fail_msg("%s:\n got %s\nwant %s", forms[i].form, rows, forms[i].rows);
		free(rows);
	}
}

/* The reader's rows of a log of Linux 6.1.192 against what grep counts in it. */
static void real_log(void **state)
{
	const char *srcdir = getenv("srcdir");
	struct log_stats stats;
	struct boot *boot;
	char path[4096];
	ptrdiff_t slab;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/data/logs/x86-6.1.192.txt", srcdir ? srcdir : ".");
	assert_int_equal(log_read(path, &boot, &stats), 0);
	assert_int_equal(boot->n_calls, 354);
	assert_int_equal(stats.lookalikes, 5);
	assert_int_equal(stats.unmatched_starts + stats.unmatched_returns + stats.unplaced, 0);
	assert_string_equal(boot->kernel, "6.1.192");
	assert_string_equal(boot->calls[0].name, "init_hw_perf_events");
	slab = boot_find(boot, "slab_sysfs_init");
	assert_true(slab > 0);
	assert_true(boot->calls[slab].start_us + boot->calls[slab].duration_us < boot->run_init_us);
	boot_free(boot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form),
		cmocka_unit_test(real_log),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
