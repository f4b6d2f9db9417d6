/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 16 bytes at a time, which every x86-64 has. */
#include <emmintrin.h>

#include "functions.h"
#include "words.h"

#define VECTOR 16

typedef __m128i vector;

static __always_inline vector same(const uint8_t *p, vector v)
{
	return _mm_cmpeq_epi8(_mm_loadu_si128((const vector *)p), v);
}

/* One instruction: SSE compares with memory only where that is aligned. */
static __always_inline vector same_aligned(const uint8_t *p, vector v)
{
	return _mm_cmpeq_epi8(_mm_load_si128((const vector *)p), v);
}

static __always_inline vector both(vector a, vector b)
{
	return _mm_and_si128(a, b);
}

static __always_inline bool is_all(vector same)
{
	return _mm_movemask_epi8(same) == 0xffff;
}

static __always_inline size_t first_other(vector same)
{
	return (size_t)__builtin_ctz(~(unsigned int)_mm_movemask_epi8(same));
}

#include "vectors.h"

size_t check_sse2(const void *buf, uint8_t value, size_t n)
{
	const uint64_t pattern = spread(value);
	vector v;

	if (n <= VECTOR) {
		if (n >= 8)
			return words_8_to_16(buf, pattern, n);
		return words_below_8(buf, pattern, n);
	}
	v = _mm_cvtsi64_si128((long long)pattern);
	return vectors_check(buf, _mm_unpacklo_epi64(v, v), n);
}
