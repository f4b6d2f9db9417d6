/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/printable.h"

#define LONGEST_LINE 2000 /* of a message: what a person can still read */
#define LONGEST_QUOTE 160 /* of what was typed: enough to know it again */
#define LONGEST_NAME 64   /* beyond it nobody mistypes, they paste */
#define LEAST_BEGINNING 3 /* letters; fewer begin too many names */

static bool quiet_notes;

static bool is_word(char c)
{
	return isalnum((unsigned char)c);
}

/* How much of a text of @n bytes stays: all, or its beginning up to a whole character. */
static size_t beginning(const char *text, size_t n)
{
	size_t keep = LONGEST_QUOTE;

	if (n <= LONGEST_QUOTE)
		return n;
	while (keep > 1 && ((unsigned char)text[keep] & 0xc0) == 0x80)
		keep--;
	return keep;
}

/*
 * Leave the beginning of each long text between quotes.  A quote that opens has no letter before it,
 * and one that closes has none behind it, as an apostrophe has.
 */
static void cut_quotes(char *line)
{
	char *to = line, *from = line;

	while (*from) {
		size_t n = 1, keep;

		if (*from != '\'' || (to > line && is_word(to[-1]))) {
			*to++ = *from++;
			continue;
		}
		while (from[n] && (from[n] != '\'' || is_word(from[n + 1])))
			n++;
		keep = beginning(from, n);
		memmove(to, from, keep);
		to += keep;
		if (keep < n)
			to = mempcpy(to, "...", 3);
		from += n;
		if (*from)
			*to++ = *from++; /* the closing one */
	}
	*to = '\0';
}

/* Without a heap for the whole of it, as much as fits into @line. */
__attribute__((format(printf, 2, 0))) static void format(char line[LONGEST_LINE], const char *fmt,
							 va_list ap)
{
	char *whole = NULL;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(line, LONGEST_LINE, fmt, ap);
	if (n >= LONGEST_LINE && vasprintf(&whole, fmt, again) > 0) {
		cut_quotes(whole);
		n = snprintf(line, LONGEST_LINE, "%s", whole);
		free(whole);
	}
	if (n >= LONGEST_LINE)
		strcpy(line + LONGEST_LINE - 4, "...");
	else
		cut_quotes(line);
	va_end(again);
}

/* One call of fprintf(), which is one write(): stderr has no buffer of its own. */
__attribute__((format(printf, 2, 0))) static void say(const char *kind, const char *fmt, va_list ap)
{
	static char line[LONGEST_LINE], shown[PRINTABLE_ROOM(LONGEST_LINE)]; /* for small stacks */

	format(line, fmt, ap);
	printable(shown, line);
	fflush(stdout); /* what was printed before stands above it, where both go to one place */
	fprintf(stderr, "slubbench: %s%s\n", kind, shown);
}

void complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void note(const char *fmt, ...)
{
	va_list ap;

	if (quiet_notes)
		return;
	va_start(ap, fmt);
	say("note: ", fmt, ap);
	va_end(ap);
}

void notes_off(void)
{
	quiet_notes = true;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Levenshtein, one row at a time; the caller bounds both lengths. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[LONGEST_NAME + 1];
	size_t columns = strlen(b);

	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < columns; j++) {
			size_t change = diagonal + (a[i] != b[j]);

			diagonal = row[j + 1];
			row[j + 1] = smaller(change, 1 + smaller(row[j], row[j + 1]));
		}
	}
	return row[columns];
}

const char *nearest(const char *typed, const char *const *names)
{
	const char *best = NULL;
	size_t length = strlen(typed);
	size_t least = length / 3 + 2; /* a third of the letters wrong, and one more: no more */

	if (length > LONGEST_NAME)
		return NULL;
	for (; *names; names++) {
		const char *behind = strchr(*names, ':');
		size_t distance;

		if (strlen(*names) > LONGEST_NAME)
			continue;
		distance = edit_distance(typed, *names);
		/* In plugin:mine the kind is what people leave out. */
		if (behind)
			distance = smaller(distance, edit_distance(typed, behind + 1));
		/* The beginning of a name is what people remember of it: no worse than a slip. */
		if (distance > 1 && length >= LEAST_BEGINNING && !strncmp(typed, *names, length))
			distance = 1;
		if (distance < least && distance < strlen(*names)) {
			least = distance;
			best = *names;
		}
	}
	return best;
}

const char *did_you_mean(const char *typed, const char *const *names, const char *else_say)
{
	static char text[256];
	const char *near = nearest(typed, names);

	if (near)
		snprintf(text, sizeof(text), "; did you mean '%s'?", near);
	else
		snprintf(text, sizeof(text), "%s%s", else_say ? "; " : "", else_say ? else_say : "");
	return text;
}
