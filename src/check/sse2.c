/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 16 bytes at a time, which every x86-64 has.
 *
 * Equal bytes become all ones and are and-ed together: one instruction less per block than xor and or,
 * since pmovmskb reads the result as it is.  The idea of taking the ends with overlapping loads, and
 * of aligning the loop only after one unaligned load, is as old as memcpy.
 */
#include <emmintrin.h>

#include "functions.h"
#include "words.h"

#define VECTOR 16
#define BLOCK  (8 * VECTOR)
#define ALL    0xffff

static __always_inline __m128i same(const uint8_t *p, __m128i v)
{
	return _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)p), v);
}

static __always_inline __m128i same_aligned(const uint8_t *p, __m128i v)
{
	return _mm_cmpeq_epi8(_mm_load_si128((const __m128i *)p), v);
}

static __always_inline __m128i same2(const uint8_t *p, __m128i v)
{
	return _mm_and_si128(same(p, v), same(p + VECTOR, v));
}

static __always_inline __m128i same4(const uint8_t *p, __m128i v)
{
	return _mm_and_si128(same2(p, v), same2(p + 2 * VECTOR, v));
}

static __always_inline __m128i same8_aligned(const uint8_t *p, __m128i v)
{
	__m128i a = same_aligned(p, v), b = same_aligned(p + VECTOR, v);

	a = _mm_and_si128(a, same_aligned(p + 2 * VECTOR, v));
	b = _mm_and_si128(b, same_aligned(p + 3 * VECTOR, v));
	a = _mm_and_si128(a, same_aligned(p + 4 * VECTOR, v));
	b = _mm_and_si128(b, same_aligned(p + 5 * VECTOR, v));
	a = _mm_and_si128(a, same_aligned(p + 6 * VECTOR, v));
	b = _mm_and_si128(b, same_aligned(p + 7 * VECTOR, v));
	return _mm_and_si128(a, b);
}

/* All bytes of @same are ones. */
static __always_inline bool is_all(__m128i same)
{
	return _mm_movemask_epi8(same) == ALL;
}

/* Each size has its own way out: a jump to a common one costs as much as two more loads. */
#define ANSWER(same)                                                                               \
	do {                                                                                       \
		if (likely(is_all(same)))                                                          \
			return n;                                                                  \
		goto found;                                                                        \
	} while (0)

size_t check_sse2(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *start = buf, *p = buf, *end = p + n;
	__m128i v;
	uint64_t pattern;
	int mask;

	pattern = spread(value);
	if (n <= VECTOR) {
		if (n >= 8)
			return words_8_to_16(p, pattern, n);
		return words_below_8(p, pattern, n);
	}

	v = _mm_cvtsi64_si128((long long)pattern);
	v = _mm_unpacklo_epi64(v, v);
	if (n <= 2 * VECTOR)
		ANSWER(_mm_and_si128(same(p, v), same(end - VECTOR, v)));
	if (n <= 4 * VECTOR)
		ANSWER(_mm_and_si128(same2(p, v), same2(end - 2 * VECTOR, v)));
	if (n <= BLOCK)
		ANSWER(_mm_and_si128(same4(p, v), same4(end - 4 * VECTOR, v)));

	/* A load that splits a cache line costs two: one such load, then vector by vector. */
	if (unlikely(!is_all(same(p, v))))
		goto found;
	p = (const uint8_t *)(((uintptr_t)p + VECTOR) & -(uintptr_t)VECTOR);
	for (; p < end - BLOCK; p += BLOCK) {
		if (unlikely(!is_all(same8_aligned(p, v))))
			goto found;
	}
	/* Up to a block is left.  Its last half reaches back if it must. */
	if (p < end - 4 * VECTOR)
		ANSWER(_mm_and_si128(same4(p, v), same4(end - 4 * VECTOR, v)));
	ANSWER(same4(end - 4 * VECTOR, v));

found:
	/* Everything before p is clean, something in the next block is not. */
	for (;; p += VECTOR) {
		if (p > end - VECTOR)
			p = end - VECTOR;
		mask = _mm_movemask_epi8(same(p, v));
		if (mask != ALL)
			return (size_t)(p - start) + (size_t)__builtin_ctz(~mask);
	}
}
