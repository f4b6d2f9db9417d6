/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The best that general registers allow, which is what a kernel may run without saving FPU state.
 *
 * One compare of a word in memory with the pattern and one jump that is never taken: the CPU fuses
 * them, so that a word costs one operation where xor and or cost three.  On Zen 5 that reads 2.8
 * words in a cycle, of the 4 that it can load, since no more than 3 jumps go in one; collecting
 * differences with or stays at 1.7.  So of four words three jump and one is collected by a
 * conditional move: 3.3 words.  The ends are taken with words that overlap, never byte by byte.
 */
#include "functions.h"
#include "words.h"

#define WORD sizeof(uint64_t)

/*
 * Where repe scasb is ahead of the loop on Zen 5 (data/reference/gpr-scas.csv): it takes 25 ns to
 * start, then goes 1.3 to 1.9 times as fast from L1, up to twice from L2 and 1.4 times from L3; but
 * from memory it is slower, since nothing fetches ahead of it.
 */
#define SCAS_FROM (6u << 10)
#define SCAS_TO	  (8u << 20)

/* Go to @dirty when one of the words at @p differs: 1, 2, 4, 8 or 16 of them. */
#define EXPECT_1(p, dirty)                                                                         \
	do {                                                                                       \
		if (unlikely(load64(p) != v))                                                      \
			goto dirty;                                                                \
	} while (0)
#define EXPECT_2(p, dirty)                                                                         \
	do {                                                                                       \
		EXPECT_1(p, dirty);                                                                \
		EXPECT_1((p) + WORD, dirty);                                                       \
	} while (0)
#define EXPECT_4(p, dirty)                                                                         \
	do {                                                                                       \
		EXPECT_2(p, dirty);                                                                \
		EXPECT_2((p) + 2 * WORD, dirty);                                                   \
	} while (0)
#define EXPECT_8(p, dirty)                                                                         \
	do {                                                                                       \
		EXPECT_4(p, dirty);                                                                \
		EXPECT_4((p) + 4 * WORD, dirty);                                                   \
	} while (0)
#define EXPECT_16(p, dirty)                                                                        \
	do {                                                                                       \
		EXPECT_8(p, dirty);                                                                \
		EXPECT_8((p) + 8 * WORD, dirty);                                                   \
	} while (0)

/* @differs, or @some when the word at @p is not @v, without a jump. */
static __always_inline const void *collect(const void *differs, const uint8_t *p, uint64_t v,
					   const void *some)
{
#ifdef __x86_64__
	asm("cmpq %1, %2\n\tcmovneq %3, %0"
	    : "+r"(differs)
	    : "r"(v), "m"(*(const struct unaligned64 *)p), "r"(some)
	    : "cc");
	return differs;
#else
	return load64(p) == v ? differs : some;
#endif
}

/* Go to @dirty when one of the 32 words at @p differs. */
#define EXPECT_32(p, dirty)                                                                        \
	do {                                                                                       \
		const void *differs = NULL;                                                        \
                                                                                                   \
		_Pragma("GCC unroll 8")                                                            \
		for (const uint8_t *q = (p); q < (p) + 32 * WORD; q += 4 * WORD) {                 \
			EXPECT_2(q, dirty);                                                        \
			EXPECT_1(q + 2 * WORD, dirty);                                             \
			differs = collect(differs, q + 3 * WORD, v, end);                          \
		}                                                                                  \
		if (unlikely(differs))                                                             \
			goto dirty;                                                                \
	} while (0)

/* repe scasb for 0 < n. */
static __always_inline size_t scas(const uint8_t *p, uint8_t value, size_t n)
{
#ifdef __x86_64__
	size_t left = n;
	bool equal;

	asm volatile("repe scasb" : "+D"(p), "+c"(left), "=@ccz"(equal) : "a"(value) : "memory");
	return equal ? n : n - left - 1;
#else
	(void)p;
	(void)value;
	return n;
#endif
}

static __always_inline size_t gpr_check(const void *buf, uint8_t value, size_t n, bool with_scas)
{
	const uint8_t *start = buf, *p = buf, *end = p + n;
	const uint64_t v = spread(value);
	uint64_t difference;

	if (n <= 2 * WORD) {
		if (n >= WORD)
			return words_8_to_16(p, v, n);
		return words_below_8(p, v, n);
	}
	if (n <= 4 * WORD) {
		EXPECT_2(p, found);
		EXPECT_2(end - 2 * WORD, found);
		return n;
	}
	if (n <= 8 * WORD) {
		EXPECT_4(p, found);
		EXPECT_4(end - 4 * WORD, found);
		return n;
	}
	if (n <= 16 * WORD) {
		EXPECT_8(p, found);
		EXPECT_8(end - 8 * WORD, found);
		return n;
	}
	if (with_scas && n >= SCAS_FROM && n <= SCAS_TO) {
		EXPECT_8(p, found); /* what is dirty from the start shall not pay for that of repe scasb */
		return 8 * WORD + scas(p + 8 * WORD, value, n - 8 * WORD);
	}

	for_streams(p, end, n, 8 * WORD) {
		EXPECT_8(p, in_order);
		EXPECT_8(p + STREAM, in_order);
		EXPECT_8(p + 2 * STREAM, in_order);
		EXPECT_8(p + 3 * STREAM, in_order);
	}
in_order:
	/* The last words end with the buffer and reach back over what was seen. */
	for (; end - p > (ptrdiff_t)(32 * WORD); p += 32 * WORD)
		EXPECT_32(p, found);
	if (end - p > (ptrdiff_t)(16 * WORD)) {
		EXPECT_16(p, found);
		p += 16 * WORD;
	}
	if (end - p > (ptrdiff_t)(8 * WORD))
		EXPECT_8(p, found);
	EXPECT_8(end - 8 * WORD, found);
	return n;

found:
	/* Everything before p is clean, something in the next block is not. */
	for (; p < end; p += WORD) {
		if (p > end - WORD)
			p = end - WORD;
		difference = load64(p) ^ v;
		if (difference)
			return (size_t)(p - start) + first_byte(difference);
	}
	return n; /* written by somebody meanwhile */
}

size_t check_gpr(const void *buf, uint8_t value, size_t n)
{
	return gpr_check(buf, value, n, false);
}

#ifdef __x86_64__
size_t check_gpr_scas(const void *buf, uint8_t value, size_t n)
{
	return gpr_check(buf, value, n, true);
}
#endif
