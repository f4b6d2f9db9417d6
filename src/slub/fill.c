/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libc's memset() takes rep stosb from 2 KiB on, which is 32 bytes a cycle on Zen 5; vector stores do
 * 64.  One body, compiled for each width of vector.
 */
#include <stdbool.h>

#include "check/functions.h"
#include "slub/fill.h"

#define LINE 64u
#define HALF 32u
#define MOST_LINES 16u

typedef uint64_t line __attribute__((vector_size(LINE), aligned(1), may_alias));
typedef uint64_t half __attribute__((vector_size(HALF), aligned(1), may_alias));

/* GCC 12 makes quarters, by way of the stack, of a line that one register does not hold. */
static inline __attribute__((always_inline)) void put(uint8_t *at, uint64_t word, bool whole)
{
	if (whole) {
		*(line *)at = (line){ 0 } + word;
		return;
	}
	*(half *)at = (half){ 0 } + word;
	*(half *)(at + HALF) = (half){ 0 } + word;
}

static inline __attribute__((always_inline)) void copy(uint8_t *at, const uint8_t *from, bool whole)
{
	if (whole) {
		*(line *)at = *(const line *)from;
		return;
	}
	*(half *)at = *(const half *)from;
	*(half *)(at + HALF) = *(const half *)(from + HALF);
}

/*
 * Up to MOST_LINES the lines overlap in the middle: how many there are depends on @n alone, so the
 * jumps of one cache's objects always go the same way, wherever each lies.
 *
 * A store across the edge of a page takes some 25 cycles, and the poison of an object of 4 KiB
 * would end in one: of more bytes lines are stored where they lie, and those of the last one by
 * halves.
 */
static inline __attribute__((always_inline)) void many(uint8_t *at, uint8_t value, size_t n,
						       bool whole)
{
	const uint64_t word = value * UINT64_C(0x0101010101010101);
	const half halves = (half){ 0 } + word;
	uint8_t *end = at + n, *last = (uint8_t *)((uintptr_t)end & ~(uintptr_t)(LINE - 1));

	put(at, word, whole);
	if (n <= MOST_LINES * LINE) {
		for (size_t i = LINE; i < n - LINE; i += LINE)
			put(at + i, word, whole);
		put(end - LINE, word, whole);
		return;
	}
	at = (uint8_t *)(((uintptr_t)at + LINE) & ~(uintptr_t)(LINE - 1));
	for (; last - at >= (ptrdiff_t)(4 * LINE); at += 4 * LINE) {
		put(at, word, whole);
		put(at + LINE, word, whole);
		put(at + 2 * LINE, word, whole);
		put(at + 3 * LINE, word, whole);
	}
	for (; at < last; at += LINE)
		put(at, word, whole);
	if (end - last > (ptrdiff_t)HALF)
		*(half *)last = halves;
	*(half *)(end - HALF) = halves;
}

/* The last line of a slot overlaps the one before it, so that nothing behind the slot is touched. */
static inline __attribute__((always_inline)) void repeat(uint8_t *at, size_t size,
							 unsigned int n, bool whole)
{
	const uint8_t *first = at;

	for (at += size; n > 1; n--, at += size) {
		for (size_t i = 0; i < size - LINE; i += LINE)
			copy(at + i, first + i, whole);
		copy(at + size - LINE, first + size - LINE, whole);
	}
}

void slub_repeat_anywhere(uint8_t *at, size_t size, unsigned int n)
{
	for (const uint8_t *first = at; n > 1; n--)
		memcpy(at += size, first, size);
}

static void many_anywhere(uint8_t *at, uint8_t value, size_t n)
{
	memset(at, value, n);
}

/* Both bodies for one instruction set, which the compiler calls @isa; @whole: it stores a line. */
#define COMPILED_FOR(name, isa, whole)                                                             \
	static __attribute__((target(isa))) void many_##name(uint8_t *at, uint8_t value, size_t n) \
	{                                                                                          \
		many(at, value, n, whole);                                                         \
	}                                                                                          \
	static __attribute__((target(isa))) void repeat_##name(uint8_t *at, size_t size,           \
							       unsigned int n)                     \
	{                                                                                          \
		repeat(at, size, n, whole);                                                        \
	}

#ifdef HAVE_AVX2
COMPILED_FOR(avx2, "avx2", false)
#endif
#ifdef HAVE_AVX512
COMPILED_FOR(avx512, "avx512bw", true)
#endif

struct slub_fill slub_fill_resolve(void)
{
#ifdef HAVE_AVX512
	if (cpu_has_fast_avx512())
		return (struct slub_fill){ many_avx512, repeat_avx512 };
#endif
#ifdef HAVE_AVX2
	if (cpu_has_avx2())
		return (struct slub_fill){ many_avx2, repeat_avx2 };
#endif
	return (struct slub_fill){ many_anywhere, slub_repeat_anywhere };
}
