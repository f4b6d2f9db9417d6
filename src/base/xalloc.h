/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that ends the program with one line when memory is gone: for what the program itself
 * needs.  Where a file's content sets the size, check the size first and complain by its name.
 */
#ifndef SLUBBENCH_XALLOC_H
#define SLUBBENCH_XALLOC_H

#include <stddef.h>

__attribute__((malloc, returns_nonnull)) void *xmalloc(size_t size);
__attribute__((malloc, returns_nonnull)) void *xcalloc(size_t n, size_t size);
__attribute__((returns_nonnull)) void *xreallocarray(void *old, size_t n, size_t size);
__attribute__((malloc, returns_nonnull)) char *xstrdup(const char *text);
__attribute__((malloc, returns_nonnull)) char *xstrndup(const char *text, size_t n);
__attribute__((malloc, returns_nonnull, format(printf, 1, 2))) char *xasprintf(const char *fmt, ...);

/*
 * @array, which holds @n elements of @size bytes, with room for one more, zeroed.  It doubles when
 * @n is a power of two, so nobody has to remember how many fit.
 */
__attribute__((returns_nonnull)) void *xgrow(void *array, size_t n, size_t size);

/* An array for @n elements, not zeroed, that xgrow() may be given next. */
__attribute__((malloc, returns_nonnull)) void *xgrown(size_t n, size_t size);

#endif /* SLUBBENCH_XALLOC_H */
