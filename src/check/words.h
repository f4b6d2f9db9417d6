/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words in general registers, shared by the scalar variants and by the SIMD ones for what is smaller
 * than a vector.  All inline: a variant stays one symbol, which can be measured and copied whole.
 */
#ifndef CHECK_WORDS_H
#define CHECK_WORDS_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Not left to the compiler: a copy of a variant cannot call what stays behind. */
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif

/* Unaligned and aliasing anything; little endian, so that the lowest byte comes first in memory. */
struct unaligned64 {
	uint64_t word;
} __attribute__((packed, may_alias));
struct unaligned32 {
	uint32_t word;
} __attribute__((packed, may_alias));
struct unaligned16 {
	uint16_t word;
} __attribute__((packed, may_alias));

static __always_inline uint64_t load64(const uint8_t *p)
{
	return le64toh(((const struct unaligned64 *)p)->word);
}

static __always_inline uint32_t load32(const uint8_t *p)
{
	return le32toh(((const struct unaligned32 *)p)->word);
}

static __always_inline uint16_t load16(const uint8_t *p)
{
	return le16toh(((const struct unaligned16 *)p)->word);
}

/* From here on L2 (1 MiB on Zen 5) holds little of what is checked over and over. */
#define BEYOND_L2 ((size_t)3 << 19)

/*
 * What is larger is read at four places at once, STREAM bytes apart: memory gives more to that than
 * to one reader (data/reference/check-streams.csv).  L3 has two states.  In one of them it gives
 * less to that than to one reader of whole lines; in the other, four that read half a line at a
 * time get the most.
 */
#ifndef STREAMS_FROM /* which is how that file was made */
#define STREAMS_FROM ((size_t)6 << 20)
#endif
#define STREAM ((ptrdiff_t)512 << 10)

/*
 * The beginning of [p, end) in steps of @step bytes, of which the body reads those at p and STREAM, twice
 * and three times STREAM behind it.  Everything before p was seen, also after a jump out of the body.
 */
#define for_streams(p, end, n, step)                                                               \
	for (; unlikely((n) >= STREAMS_FROM) && (end) - (p) >= 4 * STREAM; (p) += 3 * STREAM)      \
		for (const uint8_t *to = (p) + STREAM; (p) < to; (p) += (step))

/* @value in all eight bytes. */
static __always_inline uint64_t spread(uint8_t value)
{
	return value * 0x0101010101010101ull;
}

/* Index of the lowest byte of @difference that is not 0; @difference itself is not 0. */
static __always_inline size_t first_byte(uint64_t difference)
{
	return (size_t)__builtin_ctzll(difference) / 8;
}

/* check_fn, a byte at a time: for the ends that the older methods leave over. */
static __always_inline size_t bytes_equal(const uint8_t *p, uint8_t value, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i] != value)
			break;
	}
	return i;
}

/*
 * check_fn for n < 8: a load from the front and one that ends with the buffer, which may overlap.
 * A comparison with memory and its jump are one operation each.
 */
static __always_inline size_t words_below_8(const uint8_t *p, uint64_t pattern, size_t n)
{
	if (unlikely(!n))
		return 0;
	if (n >= 4) {
		if (likely(load32(p) == (uint32_t)pattern) &&
		    likely(load32(p + n - 4) == (uint32_t)pattern))
			return n;
	} else if (n >= 2) {
		if (likely(load16(p) == (uint16_t)pattern) &&
		    likely(load16(p + n - 2) == (uint16_t)pattern))
			return n;
	} else if (likely(*p == (uint8_t)pattern)) {
		return n;
	}
	return bytes_equal(p, (uint8_t)pattern, n);
}

/* check_fn for 8 <= n <= 16. */
static __always_inline size_t words_8_to_16(const uint8_t *p, uint64_t pattern, size_t n)
{
	uint64_t front = load64(p) ^ pattern, back = load64(p + n - 8) ^ pattern;

	if (likely(!(front | back)))
		return n;
	return front ? first_byte(front) : n - 8 + first_byte(back);
}

#endif /* CHECK_WORDS_H */
