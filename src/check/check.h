/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The primitive: do n bytes all hold one value, and if not, where is the first that differs?
 *
 * This header is installed as <slubbench/check.h>: a plugin needs check_fn and nothing else.
 */
#ifndef SLUBBENCH_CHECK_H
#define SLUBBENCH_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * check_fn - offset of the first byte in [buf, buf + n) that is not @value, @n when there is none.
 *
 * Any alignment, any n including 0.  Reads nothing outside [buf, buf + n), not even within a page.
 */
typedef size_t check_fn(const void *buf, uint8_t value, size_t n);

enum check_kind {
	CHECK_OFFSET,   /* answers as check_fn says */
	CHECK_YES_NO,   /* answers n when clean, anything below n when not */
	CHECK_BASELINE, /* answers nothing: a floor or a limit to hold the others against */
};

/* One way to answer.  A row of check_variants[] is all that tests and benchmarks know of it. */
struct check_variant {
	const char *name;                         /* as typed after --variant */
	const char *description;                  /* one line, for --list */
	const char *origin;                       /* commit, file or paper that the method is from */
	const char *isa;                          /* "any", "x86-64", "sse2", "avx2", ... */
	const char *needs;                        /* what usable() asks for, in words */
	enum check_kind kind;
	unsigned int width;                       /* bytes taken by one compare */
	bool kernel_usable;                       /* touches no FPU or SIMD state */
	bool copyable;                            /* one symbol, no call, no data: bytes may move */
	bool (*usable)(void);                     /* do this CPU and its OS offer it? */
	bool (*applies)(uint8_t value);           /* NULL: to every value */
	bool (*known_wrong)(uint8_t value, size_t n); /* NULL: never */
	check_fn *(*resolve)(void);               /* the function itself; call once, not per check */
};

extern const struct check_variant check_variants[]; /* ends with a NULL name */

/* The row called @name, NULL when there is none. */
const struct check_variant *check_find(const char *name);

#endif /* SLUBBENCH_CHECK_H */
