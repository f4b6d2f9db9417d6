/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 64 bytes at a time, and anything shorter in one masked load, which reads nothing that its mask
 * leaves out and so cannot fault there.  (A masked prologue is also what ISA-L does.)  When the
 * rest of the 64 bytes lies in a page that is not there, the load costs 170 ns of microcode; to look
 * for that costs more than it saves, since a jump on the address is a guess with every object.
 *
 * vpternlogd adds "differs from the pattern" to what was found so far, in one instruction with its
 * load.
 */
#include <immintrin.h>

#include "functions.h"
#include "words.h"

/*
 * What the layout of the code needs to know: smaller sizes come first, yet larger ones are no rare
 * case; a block of a large object is never dirty.
 */
#define SMALLER(x) __builtin_expect_with_probability(x, 1, 0.6)
#define NEVER(x)   __builtin_expect_with_probability(x, 0, 1.0)

#define VECTOR 64
#define HALF   (VECTOR / 2)
#define BLOCK  (8 * VECTOR)

/* a | (b ^ c) and a | b | c for vpternlogd: bit i is the result for a, b, c = the bits of i. */
#define OR_XOR 0xf6
#define OR_OR  0xfe

static __always_inline __m512i load(const uint8_t *p)
{
	return _mm512_loadu_si512(p);
}

static __always_inline __m256i load_half(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *)p);
}

/* What differs from @v in the four vectors at @p, at @q, and in both. */
static __always_inline __m512i differ4(const uint8_t *p, const uint8_t *q, __m512i v)
{
	__m512i a = _mm512_xor_si512(load(p), v), b = _mm512_xor_si512(load(p + VECTOR), v);

	a = _mm512_ternarylogic_epi32(a, v, load(q), OR_XOR);
	b = _mm512_ternarylogic_epi32(b, v, load(q + VECTOR), OR_XOR);
	return _mm512_or_si512(a, b);
}

static __always_inline __m512i differ8(const uint8_t *p, const uint8_t *q, __m512i v)
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

static __always_inline bool is_zero(__m512i x)
{
	return !_mm512_test_epi32_mask(x, x);
}

static __always_inline bool is_zero_half(__m256i x)
{
	return !_mm256_test_epi32_mask(x, x);
}

/* The first line that begins after @p. */
static __always_inline const uint8_t *next_line(const uint8_t *p)
{
	return (const uint8_t *)(((uintptr_t)p + VECTOR) & -(uintptr_t)VECTOR);
}

/* Which of the @wanted bytes at @p differ; the others are not read. */
static __always_inline __mmask64 differ_masked(const uint8_t *p, __m512i v, __mmask64 wanted)
{
	__mmask64 differs;

	/* One instruction: a compiler does not join a masked load with a masked comparison. */
	asm("vpcmpneqb (%2), %1, %0%{%3%}"
	    : "=k"(differs)
	    : "v"(v), "r"(p), "Yk"(wanted), "m"(*(const uint8_t (*)[VECTOR])p));
	return differs;
}

/* Bit i of the result is set when byte i at @p differs. */
static __always_inline __mmask64 differ1(const uint8_t *p, __m512i v)
{
	__mmask64 differs;

	/* One instruction: a compiler takes two, and a register. */
	asm("vpcmpneqb %2, %1, %0" : "=k"(differs) : "v"(v), "m"(*(const uint8_t (*)[VECTOR])p));
	return differs;
}

/* No bit is set in @a or @b. */
static __always_inline bool neither(__mmask64 a, __mmask64 b)
{
	return _kortestz_mask64_u8(a, b);
}

/* The first @n bytes of a vector, 0 <= n < 256.  All bits set take four bytes of code, not seven. */
static __always_inline __mmask64 first(size_t n)
{
	uint64_t all;

	asm("or $-1, %0" : "=r"(all) : : "cc");
	return _bzhi_u64(all, (unsigned int)n);
}

/*
 * What differs in @n bytes, a multiple of lines, line after line.  A compiler changes the order of
 * anything but a chain, and other orders get down to half as much from L2.
 */
static __always_inline __m512i differ_chain(const uint8_t *p, int n, __m512i v)
{
	__m512i differ = _mm512_xor_si512(load(p), v);

#pragma GCC unroll 16
	for (int i = VECTOR; i < n; i += VECTOR)
		differ = _mm512_ternarylogic_epi32(differ, v, load(p + i), OR_XOR);
	return differ;
}

/* What differs in two lines at each of four places. */
static __always_inline __m256i differ_streams(const uint8_t *p, __m256i v)
{
	__m256i differ = _mm256_setzero_si256();

#pragma GCC unroll 4
	for (const uint8_t *q = p; q <= p + 3 * STREAM; q += STREAM) {
#pragma GCC unroll 4
		for (int i = 0; i < 2 * VECTOR; i += HALF)
			differ = _mm256_ternarylogic_epi32(differ, v, load_half(q + i), OR_XOR);
	}
	return differ;
}

/* What differs in [p, end), at most two blocks and at least a vector with what was before. */
static __always_inline __m512i differ_rest(const uint8_t *p, const uint8_t *end, __m512i v)
{
	__m512i differ = _mm512_xor_si512(load(end - VECTOR), v);

	if (SMALLER(p < end - BLOCK)) {
		differ = _mm512_or_si512(differ, differ8(p, p + 4 * VECTOR, v));
		p += BLOCK;
	}
	if (SMALLER(p < end - 4 * VECTOR)) {
		differ = _mm512_or_si512(differ, differ4(p, p + 2 * VECTOR, v));
		p += 4 * VECTOR;
	}
	if (SMALLER(p < end - 2 * VECTOR)) {
		differ = _mm512_ternarylogic_epi32(differ, v, load(p), OR_XOR);
		differ = _mm512_ternarylogic_epi32(differ, v, load(p + VECTOR), OR_XOR);
		p += 2 * VECTOR;
	}
	if (SMALLER(p < end - VECTOR))
		differ = _mm512_ternarylogic_epi32(differ, v, load(p), OR_XOR);
	return differ;
}

/* What differs in BLOCK < n <= 2 * BLOCK bytes, all in one answer. */
static __always_inline __m512i differ_two_blocks(const uint8_t *p, const uint8_t *end, __m512i v)
{
	__m512i differ = _mm512_xor_si512(load(p), v);

	if (SMALLER(end - p <= BLOCK + VECTOR))
		return _mm512_or_si512(differ, differ8(end - BLOCK, end - 4 * VECTOR, v));
	return _mm512_or_si512(differ, differ_rest(next_line(p), end, v));
}

/*
 * The first byte that differs in [start, start + n): everything before @p is clean, something is
 * not.  @n when somebody has written it meanwhile.
 */
static __always_inline size_t locate(const uint8_t *start, const uint8_t *p, size_t n, __m512i v)
{
	const uint8_t *end = start + n;
	__mmask64 differs;

	asm("" : "+r"(p), "+v"(v)); /* a compiler would do parts of it before the jump */
	if (n <= VECTOR) {
		differs = differ_masked(p, v, first(n));
	} else {
		for (differs = 0; p < end; p += VECTOR) {
			if (p > end - VECTOR)
				p = end - VECTOR;
			differs = differ1(p, v);
			if (!neither(differs, differs))
				break;
		}
	}
	if (!neither(differs, differs))
		n = (size_t)(p - start) + (size_t)__builtin_ctzll(differs);
	asm("" : "+a"(n)); /* where n is to be from the start */
	return n;
}

/*
 * Each size has its own way out, and what is found dirty is looked at elsewhere: a jump to a common
 * way out costs as much as two more loads.  (The empty statement keeps a compiler from sharing one.)
 */
#define ANSWER(clean)                                                                              \
	do {                                                                                       \
		if (likely(clean)) {                                                               \
			asm volatile("");                                                          \
			return n;                                                                  \
		}                                                                                  \
		goto found;                                                                        \
	} while (0)

/* Go on behind the @n bytes at @p when they are clean. */
#define EXPECT(p, n)                                                                               \
	do {                                                                                       \
		if (NEVER(!is_zero(differ_chain(p, n, v))))                                        \
			goto found;                                                                \
		(p) += (n);                                                                        \
	} while (0)

size_t check_avx512(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *p = buf, *end;
	__m512i v = _mm512_set1_epi8((char)value);
	__mmask64 differs;

	/*
	 * A predictor that changes its mind about this jump loses three cycles, unless the target is in
	 * the same line of code, which has been fetched already.  So what is done up to 64 bytes takes
	 * 47 bytes of code, and the next size begins there: also when the function does not begin at a
	 * line but 16 bytes later.
	 */
	if (likely(n <= VECTOR)) {
		differs = differ_masked(p, v, first(n));
		ANSWER(neither(differs, differs));
	}
	end = p + n;
	if (SMALLER(n <= 2 * VECTOR))
		ANSWER(neither(differ1(p, v), differ1(end - VECTOR, v)));
	if (SMALLER(n <= 4 * VECTOR))
		ANSWER(is_zero(differ4(p, end - 2 * VECTOR, v)));
	if (SMALLER(n <= BLOCK))
		ANSWER(is_zero(differ8(p, end - 4 * VECTOR, v)));
	if (n <= 2 * BLOCK)
		ANSWER(is_zero(differ_two_blocks(p, end, v)));

	/* A load that splits a cache line costs two: at most one such load, then line by line. */
	if (unlikely((uintptr_t)p % VECTOR)) {
		if (unlikely(!is_zero(_mm512_xor_si512(load(p), v))))
			goto found;
		p = next_line(p);
	}
	/* In L3, in order: that gains up to 3 % there, and loses 5 % in L2. */
	if (unlikely(n >= BEYOND_L2)) {
		for_streams(p, end, n, 2 * VECTOR) {
			if (NEVER(!is_zero_half(differ_streams(p, _mm512_castsi512_si256(v)))))
				goto in_order;
		}
in_order:
		while (p < end - 8 * BLOCK)
			EXPECT(p, BLOCK);
	}
	/*
	 * Up to four turns are no loop: the way out of a short one is learned late, and until then each
	 * call pays for a wrong guess, which doubles its time.  Of these jumps each goes one way per size.
	 */
	if (SMALLER(p < end - 2 * BLOCK)) {
		if (SMALLER(p < end - 4 * BLOCK)) {
			if (SMALLER(p < end - 6 * BLOCK)) {
				while (p < end - 8 * BLOCK)
					EXPECT(p, 2 * BLOCK);
				EXPECT(p, 2 * BLOCK);
			}
			EXPECT(p, 2 * BLOCK);
		}
		EXPECT(p, 2 * BLOCK);
	}
	ANSWER(is_zero(differ_rest(p, end, v)));

found:
	return locate(buf, p, n, v);
}
