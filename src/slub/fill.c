/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libc's memset() takes rep stosb from 2 KiB on, which is 32 bytes a cycle on Zen 5; vector stores do
 * 64.  One body, compiled for each width of vector.
 */
#include "check/functions.h"
#include "slub/fill.h"

#define LINE 64u
#define HALF 32u

typedef uint64_t line __attribute__((vector_size(LINE), aligned(1), may_alias));
typedef uint64_t half __attribute__((vector_size(HALF), aligned(1), may_alias));

/*
 * A store across the edge of a page takes some 25 cycles, and the poison of an object of 4 KiB would
 * end in one: lines are stored where they lie, and the bytes of the last one by halves.
 */
static inline __attribute__((always_inline)) void many(uint8_t *at, uint8_t value, size_t n)
{
	const uint64_t word = value * UINT64_C(0x0101010101010101);
	const line lines = (line){ 0 } + word;
	const half halves = (half){ 0 } + word;
	uint8_t *end = at + n, *last = (uint8_t *)((uintptr_t)end & ~(uintptr_t)(LINE - 1));

	*(line *)at = lines;
	at = (uint8_t *)(((uintptr_t)at + LINE) & ~(uintptr_t)(LINE - 1));
	for (; last - at >= (ptrdiff_t)(4 * LINE); at += 4 * LINE) {
		*(line *)at = lines;
		*(line *)(at + LINE) = lines;
		*(line *)(at + 2 * LINE) = lines;
		*(line *)(at + 3 * LINE) = lines;
	}
	for (; at < last; at += LINE)
		*(line *)at = lines;
	if (end - last > (ptrdiff_t)HALF)
		*(half *)last = halves;
	*(half *)(end - HALF) = halves;
}

static void many_anywhere(uint8_t *at, uint8_t value, size_t n)
{
	memset(at, value, n);
}

#ifdef HAVE_AVX2
static __attribute__((target("avx2"))) void many_avx2(uint8_t *at, uint8_t value, size_t n)
{
	many(at, value, n);
}
#endif

#ifdef HAVE_AVX512
static __attribute__((target("avx512bw"))) void many_avx512(uint8_t *at, uint8_t value, size_t n)
{
	many(at, value, n);
}
#endif

slub_fill_fn *slub_fill_resolve(void)
{
#ifdef HAVE_AVX512
	if (cpu_has_fast_avx512())
		return many_avx512;
#endif
#ifdef HAVE_AVX2
	if (cpu_has_avx2())
		return many_avx2;
#endif
	return many_anywhere;
}
