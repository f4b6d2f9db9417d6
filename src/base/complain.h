/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One clear line on stderr, and what the program exits with. */
#ifndef SLUBBENCH_COMPLAIN_H
#define SLUBBENCH_COMPLAIN_H

#include <stddef.h>
#include <stdint.h>

/* Exit statuses that users rely on; a man page lists them. */
enum status {
	STATUS_OK = 0,
	STATUS_INPUT = 1,      /* usage, input or I/O error */
	STATUS_WRONG = 2,      /* a variant gave a wrong answer that was not known beforehand */
	STATUS_REGRESSION = 3, /* compare found one */
	STATUS_NOISY = 4,      /* too noisy for the answer asked */
	STATUS_UNSUPPORTED = 77,
};

/*
 * Say on stderr, as one line "slubbench: ...", what is wrong and what was expected.  Whoever finds
 * the fault complains, once, and returns -1; callers pass the -1 on.  Bytes that do not print in
 * the user's locale come out as \xNN, so a hostile file name or log cannot drive the terminal.
 */
__attribute__((format(printf, 1, 2))) void complain(const char *fmt, ...);

/* The same line with "note: " before it, for what is no error; silent after notes_off(). */
__attribute__((format(printf, 1, 2))) void note(const char *fmt, ...);
void notes_off(void);

/* The end of the noun behind @n, as in "%zu line%s". */
static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/*
 * The one of @names (ends with NULL) that @typed was most likely meant to be, by edit distance, as
 * its beginning, or as what is behind its colon; NULL when none is near enough to be worth naming.
 */
const char *nearest(const char *typed, const char *const *names);

/*
 * The end of a complaint that @typed is none of @names: "; did you mean 'NEAREST'?", or when none is
 * near "; " and @else_say, or nothing when that is NULL.  Until the next call.
 */
const char *did_you_mean(const char *typed, const char *const *names, const char *else_say);

#endif /* SLUBBENCH_COMPLAIN_H */
