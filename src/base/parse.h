/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with units, as people type them.  Every parser takes the whole text or refuses it:
 * returns 0, or -1 after one complaint that names @what (an option or FILE:LINE) and the text.
 */
#ifndef SLUBBENCH_PARSE_H
#define SLUBBENCH_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers, each once; zero it before the first use, free with number_list_free(). */
struct number_list {
	uint64_t *values;
	size_t n;
	uint64_t most; /* the largest of them */
};

/* @value behind the others, unless it is there: "64" and "0x40", or a range over what was named. */
void number_list_add(struct number_list *list, uint64_t value);
void number_list_free(struct number_list *list);

/* Decimal or 0x hexadecimal in [@least, @most]. */
int parse_number(const char *what, const char *text, uint64_t least, uint64_t most, uint64_t *to);
/* The same without a complaint. */
bool is_number(const char *text, uint64_t least, uint64_t most, uint64_t *to);

/* Bytes: a number and one of K M G T (powers of 1024; "KiB" and "k" are K as well). */
int parse_size(const char *what, const char *text, uint64_t *to);

/* "64,4K,8..4K*2,8..64+8": sizes and ranges, at most 65536 of them, appended to @list. */
int parse_size_list(const char *what, const char *text, struct number_list *list);

/* A number and one of ns us ms s, a day at most, to nanoseconds; 0 needs no unit. */
int parse_duration_ns(const char *what, const char *text, double *to);

/*
 * A finite decimal number in [@least, @most], with an exponent where our own files have one; the
 * point is a point in every locale.
 */
int parse_real(const char *what, const char *text, double least, double most, double *to);

/* Where @text stands among @words (ends with NULL); -1's complaint has all of them, and the nearest. */
int parse_word(const char *what, const char *text, const char *const *words);

/* "a, b and c" of @words (ends with NULL), to be freed. */
char *words_joined(const char *const *words);

/*
 * Call @take for each part of the comma separated @text, in order; stops at the first -1.  What stands
 * there again is taken once.  An empty list and an empty part are refused.  The text given to @take is
 * a copy.
 */
int parse_each(const char *what, const char *text, int (*take)(const char *part, void *arg),
	       void *arg);

#endif /* SLUBBENCH_PARSE_H */
