/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One real log in every dress: each variation is made from it by machine, and must give the same
 * rows, in the same order, with the same durations.
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
#include "log_dress.h"

static char *original; /* of the file, without CR */

static struct boot *read_dressed(dress_fn *fn, struct log_stats *stats)
{
	struct boot *boot;
	size_t n;
	char *text = log_dress(original, fn, &n);

	assert_int_equal(log_read_memory(text, n, "t", &boot, stats), 0);
	free(text);
	return boot;
}

static void same(double a, double b)
{
	if (isnan(a) && isnan(b))
		return;
	assert_true(fabs(a - b) < 0.01);
}

static void compare_boots(const struct boot *a, const struct boot *b)
{
	assert_int_equal(a->n_calls, b->n_calls);
	assert_int_equal(a->n_probes, b->n_probes);
	assert_string_equal(a->kernel, b->kernel);
	for (size_t i = 0; i < a->n_calls; i++) {
		const struct initcall *x = &a->calls[i], *y = &b->calls[i];

		assert_string_equal(x->name, y->name);
		assert_int_equal(x->pid, y->pid);
		assert_int_equal(x->result, y->result);
		assert_int_equal(x->returned, y->returned);
		assert_int_equal(x->duration_from, y->duration_from);
		same(x->start_us, y->start_us);
		same(x->duration_us, y->duration_us);
	}
	for (size_t i = 0; i < a->n_probes; i++) {
		assert_string_equal(a->probes[i].device, b->probes[i].device);
		assert_int_equal(a->probes[i].initcall, b->probes[i].initcall);
		same(a->probes[i].duration_us, b->probes[i].duration_us);
	}
}

static void with_stamps(void **state)
{
	struct log_stats stats;
	struct boot *truth = read_dressed(dress_priority, &stats);

	(void)state;
	assert_int_equal(truth->n_calls, 354);
	for (const struct dress *d = stamped_dresses; d->name; d++) {
		struct boot *boot = read_dressed(d->fn, &stats);

		print_message("%s: %zu joined, %zu doubled, %zu not placed\n", d->name,
			      stats.joined, stats.doubled, stats.unplaced);
		assert_int_equal(stats.unplaced, 0);
		assert_int_equal(stats.unmatched_starts + stats.unmatched_returns, 0);
		compare_boots(truth, boot);
		boot_free(boot);
	}
	boot_free(truth);
}

static void without_stamps(void **state)
{
	struct log_stats stats;
	struct boot *truth = read_dressed(dress_bare, &stats);

	(void)state;
	for (const struct dress *d = unstamped_dresses; d->name; d++) {
		struct boot *boot = read_dressed(d->fn, &stats);

		assert_int_equal(stats.unplaced, 0);
		assert_int_equal(stats.lookalikes, 5);
		compare_boots(truth, boot);
		boot_free(boot);
	}
	boot_free(truth);
}

/* @a and then @b, with @between */
static struct boot *read_both(const char *a, const char *between, const char *b,
			      struct log_stats *stats)
{
	size_t n = strlen(a) + strlen(between) + strlen(b);
	char *text = malloc(n + 1);
	struct boot *boot;

	assert_non_null(text);
	snprintf(text, n + 1, "%s%s%s", a, between, b);
	assert_int_equal(log_read_memory(text, n, "t", &boot, stats), 0);
	free(text);
	return boot;
}

/* A serial capture and a dump of one boot; the dump whole, or cut off at its head. */
static void same_boot_twice(void **state)
{
	struct log_stats stats;
	struct boot *truth = read_dressed(dress_priority, &stats), *boot;
	const char *cut = strstr(original, "calling  slab_sysfs_init");

	(void)state;
	boot = read_both(original, "# dmesg -r\n", original, &stats);
	assert_int_equal(stats.boots, 2);
	assert_int_equal(stats.taken, 1);
	assert_true(stats.same_again);
	compare_boots(truth, boot);
	boot_free(boot);

	assert_non_null(cut);
	while (cut[-1] != '\n')
		cut--;
	boot = read_both(original, "# dmesg -r\n", cut, &stats);
	assert_int_equal(stats.boots, 2);
	assert_true(stats.same_again);
	compare_boots(truth, boot);
	boot_free(boot);
	boot_free(truth);
}

/* The first one hangs half way: the second is the first complete one. */
static void first_complete(void **state)
{
	struct log_stats stats;
	struct boot *truth = read_dressed(dress_priority, &stats), *boot;
	char *half = strdup(original);

	(void)state;
	assert_non_null(half);
	*strstr(half, "initcall slab_sysfs_init") = '\0';
	*strrchr(half, '\n') = '\0';
	boot = read_both(half, "\n", original, &stats);
	assert_int_equal(stats.boots, 2);
	assert_int_equal(stats.taken, 2);
	assert_true(stats.taken_complete);
	compare_boots(truth, boot);
	boot_free(boot);

	/* alone, it says where it hangs */
	assert_int_equal(log_read_memory(half, strlen(half), "t", &boot, &stats), 0);
	assert_int_equal(stats.unmatched_starts, 1);
	assert_false(stats.taken_complete);
	assert_string_equal(boot->calls[boot->n_calls - 1].name, "slab_sysfs_init");
	assert_false(boot->calls[boot->n_calls - 1].returned);
	boot_free(boot);
	boot_free(truth);
	free(half);
}

/* The head cut off anywhere: the rows are the last ones of the whole log. */
static void truncated(void **state)
{
	struct log_stats stats;
	struct boot *truth = read_dressed(dress_priority, &stats), *boot;
	size_t line = 0;

	(void)state;
	for (const char *at = original; (at = strchr(at, '\n')); line++) {
		const char *tail = ++at;

		if (line % 37 || !strstr(tail, "calling  "))
			continue;
		assert_int_equal(log_read_memory(tail, strlen(tail), "t", &boot, &stats), 0);
		for (size_t k = 1; k < boot->n_calls; k++) {
			const struct initcall *x = &truth->calls[truth->n_calls - k];
			const struct initcall *y = &boot->calls[boot->n_calls - k];

			assert_string_equal(x->name, y->name);
			same(x->start_us, y->start_us);
		}
		boot_free(boot);
	}
	boot_free(truth);
}

static int load(void **state)
{
	const char *srcdir = getenv("srcdir");
	char path[4096], *to;
	FILE *file;
	size_t n;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/data/logs/x86-6.1.192.txt", srcdir ? srcdir : ".");
	file = fopen(path, "r");
	if (!file)
		return -1;
	original = calloc(1, 1 << 20);
	n = fread(original, 1, (1 << 20) - 1, file);
	fclose(file);
	to = original;
	for (size_t i = 0; i < n; i++)
		if (original[i] != '\r')
			*to++ = original[i];
	*to = '\0';
	/* behind the last line that has a prefix */
	to = strstr(original, "\nKB-");
	if (to)
		to[1] = '\0';
	return 0;
}

static int unload(void **state)
{
	(void)state;
	free(original);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(with_stamps),	   cmocka_unit_test(without_stamps),
		cmocka_unit_test(same_boot_twice), cmocka_unit_test(first_complete),
		cmocka_unit_test(truncated),
	};

	return cmocka_run_group_tests_name("log variations", tests, load, unload);
}
