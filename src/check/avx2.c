/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 32 bytes at a time. */
#include <immintrin.h>

#include "functions.h"
#include "words.h"

#define VECTOR 32

typedef __m256i vector;

static __always_inline vector same(const uint8_t *p, vector v)
{
	return _mm256_cmpeq_epi8(_mm256_loadu_si256((const vector *)p), v);
}

#define same_aligned same /* VEX compares with memory at any address */

static __always_inline vector both(vector a, vector b)
{
	return _mm256_and_si256(a, b);
}

static __always_inline bool is_all(vector same)
{
	return _mm256_movemask_epi8(same) == -1;
}

static __always_inline size_t first_other(vector same)
{
	return (size_t)__builtin_ctz(~(unsigned int)_mm256_movemask_epi8(same));
}

#include "vectors.h"

/* Bit i of the result is set when byte i of the 16 at @p differs. */
static __always_inline unsigned int differ_half(const uint8_t *p, __m128i v)
{
	__m128i same = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)p), v);

	return 0xffff ^ (unsigned int)_mm_movemask_epi8(same);
}

size_t check_avx2(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *p = buf;
	__m128i half;
	unsigned int differ;

	if (n <= 16) {
		if (n >= 8)
			return words_8_to_16(p, spread(value), n);
		return words_below_8(p, spread(value), n);
	}

	half = _mm_set1_epi8((char)value);
	if (n < VECTOR) {
		differ = differ_half(p, half);
		if (unlikely(differ))
			return (size_t)__builtin_ctz(differ);
		differ = differ_half(p + n - 16, half);
		if (unlikely(differ))
			return n - 16 + (size_t)__builtin_ctz(differ);
		return n;
	}
	return vectors_check(p, _mm256_broadcastb_epi8(half), n);
}
