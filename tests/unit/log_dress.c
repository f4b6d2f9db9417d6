/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "log_dress.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The lines as they are, or with a prefix of another kind. */
static void plain(FILE *to, const struct dress_line *l)
{
	fprintf(to, "[%s] %s\n", l->stamp, l->text);
}

void dress_priority(FILE *to, const struct dress_line *l)
{
	fprintf(to, "<%d>[%s] %s\n", l->priority, l->stamp, l->text);
}

static void crlf(FILE *to, const struct dress_line *l)
{
	fprintf(to, "<%d>[%s] %s\r\n", l->priority, l->stamp, l->text);
}

static void caller(FILE *to, const struct dress_line *l)
{
	fprintf(to, "[%s][%s%d] %s\n", l->stamp, l->number % 3 ? "    T" : "   C",
		(int)l->number % 40, l->text);
}

static void colour(FILE *to, const struct dress_line *l)
{
	const char *blank = strchr(l->text, ' ');
	int n = blank ? (int)(blank - l->text) : 0;

	fprintf(to, "\033[32m[%s] \033[0m\033[33m%.*s\033[0m%s\033(B\033[m\n", l->stamp, n, l->text,
		l->text + n);
}

static void quoted(FILE *to, const struct dress_line *l)
{
	fprintf(to, "> > [%s] %s\n", l->stamp, l->text);
}

static void blank_lines(FILE *to, const struct dress_line *l)
{
	fprintf(to, "[%s] %s\r\n\r\n", l->stamp, l->text);
}

static void syslog_stamped(FILE *to, const struct dress_line *l)
{
	fprintf(to, "Mar  6 13:18:23 some-host kernel: [%s] %s\n", l->stamp, l->text);
}

static void monotonic(FILE *to, const struct dress_line *l)
{
	fprintf(to, "[%s] some-host kernel: %s\n", l->stamp, l->text);
}

static void facility(FILE *to, const struct dress_line *l)
{
	fprintf(to, "kern  :debug : [%s] %s\n", l->stamp, l->text);
}

static void record(FILE *to, const struct dress_line *l)
{
	fprintf(to, "%d,%zu,%.0f,-;%s\n", l->priority, l->number, l->us, l->text);
}

static void vendor(FILE *to, const struct dress_line *l)
{
	bool ours = strstr(l->text, "initcall ") || strstr(l->text, "calling  ");

	fprintf(to, "  <%d>[%s] %s%s\n", l->priority, l->stamp,
		ours && !strstr(l->text, "pci ") ? ".(5)[1:swapper/0]" : "", l->text);
}

static void noisy(FILE *to, const struct dress_line *l)
{
	fprintf(to, "[%s] %s\n[    0.000001] smpboot: CPU 1 \200\377\n #11\n", l->stamp, l->text);
}

static void twice_each(FILE *to, const struct dress_line *l)
{
	plain(to, l);
	plain(to, l);
}

/* Breaks at blanks before column @width, as mail programs do; each line gets @quote. */
static void wrap(FILE *to, const struct dress_line *l, int width, const char *quote)
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

static void wrapped_60(FILE *to, const struct dress_line *l)
{
	wrap(to, l, 60, "");
}

static void wrapped_50_quoted(FILE *to, const struct dress_line *l)
{
	wrap(to, l, 50, "> ");
}

static void wrapped_anywhere(FILE *to, const struct dress_line *l)
{
	char text[1000];
	int at = 0;

	for (int n = snprintf(text, sizeof(text), "[%s] %s", l->stamp, l->text); at < n; at += 53)
		fprintf(to, "%.53s\n", text + at);
}

void dress_bare(FILE *to, const struct dress_line *l)
{
	fprintf(to, "%s\n", l->text);
}

static void bare_priority(FILE *to, const struct dress_line *l)
{
	fprintf(to, "<%d>%s\n", l->priority, l->text);
}

static void journal(FILE *to, const struct dress_line *l)
{
	fprintf(to, "m\303\244r 06 13:18:23 kepler kernel: %s\n", l->text);
}

static void iso_journal(FILE *to, const struct dress_line *l)
{
	fprintf(to, "2026-03-06T13:18:23+0100 kepler kernel[1]: %s\r\n", l->text);
}

const struct dress stamped_dresses[] = {
	{ "plain", plain },
	{ "priority", dress_priority },
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
	{ NULL, NULL },
};

const struct dress unstamped_dresses[] = {
	{ "bare", dress_bare },
	{ "priority only", bare_priority },
	{ "journal", journal },
	{ "journal, ISO dates", iso_journal },
	{ NULL, NULL },
};

char *log_dress(const char *original, dress_fn *fn, size_t *n)
{
	char *copy = strdup(original), *text, *save, *at;
	FILE *to = open_memstream(&text, n);
	struct dress_line line = { .number = 0 };

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

