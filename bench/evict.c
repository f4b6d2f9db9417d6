/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "bench/evict.h"

#if defined(__x86_64__)

#define LINE 64 /* of every x86-64 so far */

static void flush_line(const char *at)
{
	__asm__ volatile("clflush %0" : : "m"(*at) : "memory");
}

static void wait_for_flushes(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

static size_t line_size(void)
{
	return LINE;
}

#elif defined(__aarch64__)

static void flush_line(const char *at)
{
	__asm__ volatile("dc civac, %0" : : "r"(at) : "memory");
}

static void wait_for_flushes(void)
{
	__asm__ volatile("dsb ish" : : : "memory");
}

/* CTR_EL0.DminLine: log2 of the words in the smallest line of all data caches. */
static size_t line_size(void)
{
	uint64_t ctr;

	__asm__("mrs %0, ctr_el0" : "=r"(ctr));
	return (size_t)4 << ((ctr >> 16) & 15);
}

#else

#define LEAST_BUFFER ((size_t)64 << 20) /* where the C library does not know the caches */
#define TIMES_CACHE  4

/* Without an instruction for it: fill the caches with something else. */
void evict(const void *at, size_t n)
{
	static const volatile char *buffer;
	static size_t size;

	(void)at;
	(void)n;
	if (!buffer) {
		long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
		char *filled;

		size = cache > 0 ? TIMES_CACHE * (size_t)cache : 0;
		if (size < LEAST_BUFFER)
			size = LEAST_BUFFER;
		filled = xmalloc(size);
		memset(filled, 1, size); /* untouched pages would all be one zero page */
		buffer = filled;
	}
	for (size_t i = 0; i < size; i += 32)
		(void)buffer[i];
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)
void evict(const void *at, size_t n)
{
	size_t line = line_size();
	uintptr_t end = (uintptr_t)at + n;

	for (uintptr_t p = (uintptr_t)at & ~(uintptr_t)(line - 1); p < end; p += line)
		flush_line((const char *)p);
	wait_for_flushes();
}
#endif
