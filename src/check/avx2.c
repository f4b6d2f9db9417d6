/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 32 bytes at a time.  See sse2.c for the scheme.
 */
#include <immintrin.h>

#include "functions.h"
#include "words.h"

#define VECTOR 32
#define BLOCK  (8 * VECTOR)

static __always_inline __m256i same(const uint8_t *p, __m256i v)
{
	return _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)p), v);
}

static __always_inline __m256i same2(const uint8_t *p, __m256i v)
{
	return _mm256_and_si256(same(p, v), same(p + VECTOR, v));
}

static __always_inline __m256i same4(const uint8_t *p, __m256i v)
{
	return _mm256_and_si256(same2(p, v), same2(p + 2 * VECTOR, v));
}

static __always_inline __m256i same8(const uint8_t *p, __m256i v)
{
	return _mm256_and_si256(same4(p, v), same4(p + 4 * VECTOR, v));
}

/* All bytes of @same are ones. */
static __always_inline bool is_all(__m256i same)
{
	return _mm256_movemask_epi8(same) == -1;
}

static __always_inline __m128i same_half(const uint8_t *p, __m128i v)
{
	return _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)p), v);
}

/* Each size has its own way out: a jump to a common one costs as much as two more loads. */
#define ANSWER(same)                                                                               \
	do {                                                                                       \
		if (likely(is_all(same)))                                                          \
			return n;                                                                  \
		goto found;                                                                        \
	} while (0)

size_t check_avx2(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *start = buf, *p = buf, *end = p + n;
	__m256i v;
	__m128i half;
	unsigned int mask;

	if (n <= 16) {
		if (n >= 8)
			return words_8_to_16(p, spread(value), n);
		return words_below_8(p, spread(value), n);
	}

	half = _mm_set1_epi8((char)value);
	if (n < VECTOR) {
		mask = (unsigned int)_mm_movemask_epi8(same_half(p, half));
		if (unlikely(mask != 0xffff))
			return (size_t)__builtin_ctz(~mask);
		mask = (unsigned int)_mm_movemask_epi8(same_half(end - 16, half));
		if (unlikely(mask != 0xffff))
			return n - 16 + (size_t)__builtin_ctz(~mask);
		return n;
	}

	v = _mm256_broadcastb_epi8(half);
	if (n <= 2 * VECTOR)
		ANSWER(_mm256_and_si256(same(p, v), same(end - VECTOR, v)));
	if (n <= 4 * VECTOR)
		ANSWER(_mm256_and_si256(same2(p, v), same2(end - 2 * VECTOR, v)));
	if (n <= BLOCK)
		ANSWER(_mm256_and_si256(same4(p, v), same4(end - 4 * VECTOR, v)));

	/* A load that splits a cache line costs two: one such load, then vector by vector. */
	if (unlikely(!is_all(same(p, v))))
		goto found;
	p = (const uint8_t *)(((uintptr_t)p + VECTOR) & -(uintptr_t)VECTOR);
	for (; p < end - BLOCK; p += BLOCK) {
		if (unlikely(!is_all(same8(p, v))))
			goto found;
	}
	/* Up to a block is left.  Its last half reaches back if it must. */
	if (p < end - 4 * VECTOR)
		ANSWER(_mm256_and_si256(same4(p, v), same4(end - 4 * VECTOR, v)));
	ANSWER(same4(end - 4 * VECTOR, v));

found:
	/* Everything before p is clean, something in the next block is not. */
	for (;; p += VECTOR) {
		if (p > end - VECTOR)
			p = end - VECTOR;
		mask = (unsigned int)_mm256_movemask_epi8(same(p, v));
		if (mask != 0xffffffff)
			return (size_t)(p - start) + (size_t)__builtin_ctz(~mask);
	}
}
