/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/complain.h"
#include "base/xalloc.h"

static void *or_exit(void *memory)
{
	if (memory)
		return memory;
	complain("out of memory");
	exit(STATUS_INPUT);
}

void *xmalloc(size_t size)
{
	return or_exit(malloc(size ? size : 1));
}

void *xcalloc(size_t n, size_t size)
{
	return or_exit(calloc(n ? n : 1, size ? size : 1));
}

void *xreallocarray(void *old, size_t n, size_t size)
{
	return or_exit(reallocarray(old, n ? n : 1, size ? size : 1));
}

char *xstrdup(const char *text)
{
	return or_exit(strdup(text));
}

char *xstrndup(const char *text, size_t n)
{
	return or_exit(strndup(text, n));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	return or_exit(n < 0 ? NULL : text);
}

void *xgrow(void *array, size_t n, size_t size)
{
	if (!(n & (n - 1)))
		array = xreallocarray(array, n ? 2 * n : 1, size);
	memset((char *)array + n * size, 0, size);
	return array;
}

void *xgrown(size_t n, size_t size)
{
	size_t room = 1;

	while (room < n)
		room *= 2;
	return xreallocarray(NULL, room, size);
}
