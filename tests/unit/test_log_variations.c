/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One real log in every dress: each variation is made from it by machine, and must give the same
 * rows, in the same order, with the same durations.
 */
#include <ctype.h>
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

/* A line of the log taken apart: "<7>[    0.306405] calling  f+0x0/0x688 @ 1" */
struct line {
	int priority;
	char stamp[32]; /* "    0.306405" */
	double us;
	const char *text;
	size_t number;
};

static char *original; /* of the file, without CR */

/* The lines as they are, or with a prefix of another kind. */
static void plain(FILE *to, const struct line *l)
{
	fprintf(to, "[%s] %s\n", l->stamp, l->text);
}

static void priority(FILE *to, const struct line *l)
{
	fprintf(to, "<%d>[%s] %s\n", l->priority, l->stamp, l->text);
}

static void crlf(FILE *to, const struct line *l)
{
	fprintf(to, "<%d>[%s] %s\r\n", l->priority, l->stamp, l->text);
}

static void caller(FILE *to, const struct line *l)
{
	fprintf(to, "[%s][%s%d] %s\n", l->stamp, l->number % 3 ? "    T" : "   C",
		(int)l->number % 40, l->text);
}

static void colour(FILE *to, const struct line *l)
{
	const char *blank = strchr(l->text, ' ');
	int n = blank ? (int)(blank - l->text) : 0;

	fprintf(to, "\033[32m[%s] \033[0m\033[33m%.*s\033[0m%s\033(B\033[m\n", l->stamp, n, l->text,
		l->text + n);
}

static void quoted(FILE *to, const struct line *l)
{
	fprintf(to, "> > [%s] %s\n", l->stamp, l->text);
}

static void blank_lines(FILE *to, const struct line *l)
{
	fprintf(to, "[%s] %s\r\n\r\n", l->stamp, l->text);
}

static void syslog_stamped(FILE *to, const struct line *l)
{
	fprintf(to, "Mar  6 13:18:23 some-host kernel: [%s] %s\n", l->stamp, l->text);
}

static void monotonic(FILE *to, const struct line *l)
{
	fprintf(to, "[%s] some-host kernel: %s\n", l->stamp, l->text);
}

static void facility(FILE *to, const struct line *l)
{
	fprintf(to, "kern  :debug : [%s] %s\n", l->stamp, l->text);
}

static void record(FILE *to, const struct line *l)
{
	fprintf(to, "%d,%zu,%.0f,-;%s\n", l->priority, l->number, l->us, l->text);
}

static void vendor(FILE *to, const struct line *l)
{
	bool ours = strstr(l->text, "initcall ") || strstr(l->text, "calling  ");

	fprintf(to, "  <%d>[%s] %s%s\n", l->priority, l->stamp,
		ours && !strstr(l->text, "pci ") ? ".(5)[1:swapper/0]" : "", l->text);
}

static void noisy(FILE *to, const struct line *l)
{
	fprintf(to, "[%s] %s\n[    0.000001] smpboot: CPU 1 \200\377\n #11\n", l->stamp, l->text);
}

static void twice_each(FILE *to, const struct line *l)
{
	plain(to, l);
	plain(to, l);
}

/* Breaks at blanks before column @width, as mail programs do; each line gets @quote. */
static void wrap(FILE *to, const struct line *l, int width, const char *quote)
{
	char text[1000], *at = text;

	snprintf(text, sizeof(text), "[%s] %s", l->stamp, l->text);
	while ((int)strlen(at) > width) {
		char *cut = at + width;

		while (cut > at && *cut != ' ')
			cut--;
		if (cut == at || cut - at < 16)
			break;
		*cut = '\0';
		fprintf(to, "%s%s\n", quote, at);
		at = cut + 1;
	}
	fprintf(to, "%s%s\n", quote, at);
}

static void wrapped_60(FILE *to, const struct line *l)
{
	wrap(to, l, 60, "");
}

static void wrapped_50_quoted(FILE *to, const struct line *l)
{
	wrap(to, l, 50, "> ");
}

static void wrapped_anywhere(FILE *to, const struct line *l)
{
	char text[1000];
	int at = 0;

	for (int n = snprintf(text, sizeof(text), "[%s] %s", l->stamp, l->text); at < n; at += 53)
		fprintf(to, "%.53s\n", text + at);
}

static void bare(FILE *to, const struct line *l)
{
	fprintf(to, "%s\n", l->text);
}

static void bare_priority(FILE *to, const struct line *l)
{
	fprintf(to, "<%d>%s\n", l->priority, l->text);
}

static void journal(FILE *to, const struct line *l)
{
	fprintf(to, "m\303\244r 06 13:18:23 kepler kernel: %s\n", l->text);
}

static void iso_journal(FILE *to, const struct line *l)
{
	fprintf(to, "2026-03-06T13:18:23+0100 kepler kernel[1]: %s\r\n", l->text);
}

typedef void dress_fn(FILE *to, const struct line *line);

static const struct {
	const char *name;
	dress_fn *dress;
} stamped[] = {
	{ "plain", plain },
	{ "priority", priority },
	{ "CRLF", crlf },
	{ "caller ids", caller },
	{ "colours", colour },
	{ "quoted", quoted },
	{ "blank lines between", blank_lines },
	{ "syslog", syslog_stamped },
	{ "journal, monotonic", monotonic },
	{ "dmesg -x", facility },
	{ "records", record },
	{ "vendor", vendor },
	{ "noise between", noisy },
	{ "every line twice", twice_each },
	{ "wrapped at 60", wrapped_60 },
	{ "wrapped at 50 and quoted", wrapped_50_quoted },
	{ "wrapped anywhere", wrapped_anywhere },
}, unstamped[] = {
	{ "bare", bare },
	{ "priority only", bare_priority },
	{ "journal", journal },
	{ "journal, ISO dates", iso_journal },
};

static char *dress(dress_fn *fn, size_t *n)
{
	char *copy = strdup(original), *text, *save, *at;
	FILE *to = open_memstream(&text, n);
	struct line line = { .number = 0 };

	assert_non_null(to);
	for (at = strtok_r(copy, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		int used = 0;

		line.number++;
		assert_int_equal(sscanf(at, "<%d>[%31[^]]] %n", &line.priority, line.stamp, &used), 2);
		line.us = rint(atof(line.stamp) * 1e6);
		line.text = at + used;
		fn(to, &line);
	}
	fclose(to);
	free(copy);
	return text;
}

static struct boot *read_dressed(dress_fn *fn, struct log_stats *stats)
{
	struct boot *boot;
	size_t n;
	char *text = dress(fn, &n);

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
	struct boot *truth = read_dressed(priority, &stats);

	(void)state;
	assert_int_equal(truth->n_calls, 354);
	for (size_t i = 0; i < sizeof(stamped) / sizeof(*stamped); i++) {
		struct boot *boot = read_dressed(stamped[i].dress, &stats);

		print_message("%s: %zu joined, %zu doubled, %zu not placed\n", stamped[i].name,
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
	struct boot *truth = read_dressed(bare, &stats);

	(void)state;
	for (size_t i = 0; i < sizeof(unstamped) / sizeof(*unstamped); i++) {
		struct boot *boot = read_dressed(unstamped[i].dress, &stats);

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
	struct boot *truth = read_dressed(priority, &stats), *boot;
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
	struct boot *truth = read_dressed(priority, &stats), *boot;
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
	struct boot *truth = read_dressed(priority, &stats), *boot;
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
