/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that ends the program when there is no memory: a measuring tool has nothing better to
 * do then, and no caller has to carry an error path that no test ever takes.
 */
#ifndef SLUBBENCH_XALLOC_H
#define SLUBBENCH_XALLOC_H

#include <err.h>
#include <stdlib.h>
#include <string.h>

static inline void *xrealloc(void *old, size_t n, size_t size)
{
	void *new = reallocarray(old, n ? n : 1, size);

	if (!new)
		errx(EXIT_FAILURE, "out of memory");
	return new;
}

static inline void *xcalloc(size_t n, size_t size)
{
	void *new = calloc(n ? n : 1, size);

	if (!new)
		errx(EXIT_FAILURE, "out of memory");
	return new;
}

static inline char *xstrndup(const char *text, size_t n)
{
	char *new = strndup(text, n);

	if (!new)
		errx(EXIT_FAILURE, "out of memory");
	return new;
}

/* NULL stays NULL. */
static inline char *xstrdup(const char *text)
{
	return text ? xstrndup(text, strlen(text)) : NULL;
}

/*
 * Room for one more element in an array that holds @n and grows by doubling: call it before each
 * append, keep no capacity beside it.
 */
static inline void *xgrow(void *array, size_t n, size_t size)
{
	if (n == 0)
		return xrealloc(array, 8, size);
	if (n >= 8 && (n & (n - 1)) == 0)
		return xrealloc(array, 2 * n, size);
	return array;
}

#endif /* SLUBBENCH_XALLOC_H */
