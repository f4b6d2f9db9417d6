/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 64 bytes at a time, and anything shorter in one masked load, which reads nothing that its mask
 * leaves out and so cannot fault there.  (A masked prologue is also what ISA-L does.)
 *
 * vpternlogd adds "differs from the pattern" to what was found so far in one instruction with its load.
 */
#include <immintrin.h>

#include "functions.h"
#include "words.h"

#define VECTOR 64
#define SMALLEST_PAGE 4096
#define BLOCK  (8 * VECTOR)

/* a | (b ^ c) and a | b | c as vpternlogd wants them: bit i is the result for a, b, c = the bits of i. */
#define OR_XOR 0xf6
#define OR_OR  0xfe

static inline __m512i load(const uint8_t *p)
{
	return _mm512_loadu_si512(p);
}

/* What differs from @v in the four vectors at @p, at @q, and in both. */
static inline __m512i differ4(const uint8_t *p, const uint8_t *q, __m512i v)
{
	__m512i a = _mm512_xor_si512(load(p), v), b = _mm512_xor_si512(load(p + VECTOR), v);

	a = _mm512_ternarylogic_epi32(a, v, load(q), OR_XOR);
	b = _mm512_ternarylogic_epi32(b, v, load(q + VECTOR), OR_XOR);
	return _mm512_or_si512(a, b);
}

static inline __m512i differ8(const uint8_t *p, const uint8_t *q, __m512i v)
{
	__m512i a = _mm512_xor_si512(load(p), v);
	__m512i b = _mm512_xor_si512(load(p + VECTOR), v);
	__m512i c = _mm512_xor_si512(load(p + 2 * VECTOR), v);
	__m512i d = _mm512_xor_si512(load(p + 3 * VECTOR), v);

	a = _mm512_ternarylogic_epi32(a, v, load(q), OR_XOR);
	b = _mm512_ternarylogic_epi32(b, v, load(q + VECTOR), OR_XOR);
	c = _mm512_ternarylogic_epi32(c, v, load(q + 2 * VECTOR), OR_XOR);
	d = _mm512_ternarylogic_epi32(d, v, load(q + 3 * VECTOR), OR_XOR);
	return _mm512_or_si512(_mm512_ternarylogic_epi32(a, b, c, OR_OR), d);
}

static inline bool is_zero(__m512i x)
{
	return !_mm512_test_epi32_mask(x, x);
}

/* The first line that begins after @p. */
static inline const uint8_t *next_line(const uint8_t *p)
{
	return (const uint8_t *)(((uintptr_t)p + VECTOR) & -(uintptr_t)VECTOR);
}

/*
 * At most one vector.  A masked load does not fault on what it leaves out, but where that lies in a
 * page that is not there it costs 170 ns of microcode: near the end of a page the load ends with
 * the buffer instead, and for n = 0 there is none.
 */
static inline __attribute__((always_inline)) size_t check_masked(const uint8_t *p, __m512i v,
								 size_t n)
{
	__mmask64 wanted, differs;

	if (unlikely(!n))
		return 0;
	if (unlikely((uintptr_t)p % SMALLEST_PAGE > SMALLEST_PAGE - VECTOR)) {
		wanted = -1ull << (VECTOR - n);
		p -= VECTOR - n;
		differs = _mm512_mask_cmpneq_epi8_mask(wanted, _mm512_maskz_loadu_epi8(wanted, p), v);
		return differs ? (size_t)__builtin_ctzll(differs) - (VECTOR - n) : n;
	}
	wanted = _bzhi_u64(-1ull, (unsigned int)n);
	differs = _mm512_mask_cmpneq_epi8_mask(wanted, _mm512_maskz_loadu_epi8(wanted, p), v);
	return unlikely(differs) ? (size_t)__builtin_ctzll(differs) : n;
}

/* Each size has its own way out: a jump to a common one costs as much as two more loads. */
#define ANSWER(differ)                                                                             \
	do {                                                                                       \
		if (likely(is_zero(differ)))                                                       \
			return n;                                                                  \
		goto found;                                                                        \
	} while (0)

size_t check_avx512(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *start = buf, *p = buf, *end = p + n, *next;
	const __m512i v = _mm512_set1_epi8((char)value);
	__mmask64 differs;
	__m512i differ;

	if (n <= VECTOR)
		return check_masked(p, v, n);
	if (n <= 2 * VECTOR) {
		differ = _mm512_xor_si512(load(p), v);
		ANSWER(_mm512_ternarylogic_epi32(differ, v, load(end - VECTOR), OR_XOR));
	}
	if (n <= 4 * VECTOR)
		ANSWER(differ4(p, end - 2 * VECTOR, v));
	if (n <= BLOCK)
		ANSWER(differ8(p, end - 4 * VECTOR, v));

	if (n <= 2 * BLOCK) {
		differ = _mm512_xor_si512(load(p), v);
		differ = _mm512_or_si512(differ, differ8(end - BLOCK, end - 4 * VECTOR, v));
		if (n > BLOCK + VECTOR) {
			next = next_line(p);
			differ = _mm512_or_si512(differ, differ8(next, next + 4 * VECTOR, v));
		}
		ANSWER(differ);
	}

	/* A load that splits a cache line costs two: at most one such load, then line by line. */
	if (unlikely((uintptr_t)p % VECTOR)) {
		if (unlikely(!is_zero(_mm512_xor_si512(load(p), v))))
			goto found;
		p = next_line(p);
	}
	for (; p < end - BLOCK; p += BLOCK) {
		if (unlikely(!is_zero(differ8(p, p + 4 * VECTOR, v))))
			goto found;
	}
	/* Up to a block is left.  What ends with the buffer may split lines, and reaches back if it must. */
	if (p < end - 4 * VECTOR)
		ANSWER(differ8(p, end - 4 * VECTOR, v));
	if (p < end - VECTOR)
		ANSWER(differ4(end - 4 * VECTOR, end - 2 * VECTOR, v));
	ANSWER(_mm512_xor_si512(load(end - VECTOR), v));

found:
	/* Everything before p is clean, something in the next block is not. */
	for (;; p += VECTOR) {
		if (p > end - VECTOR)
			p = end - VECTOR;
		differs = _mm512_cmpneq_epi8_mask(load(p), v);
		if (differs)
			return (size_t)(p - start) + (size_t)__builtin_ctzll(differs);
	}
}
