/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 16 bytes at a time on aarch64.  See sse2.c for the scheme.
 *
 * Proved right by cross-compiling it and running the verifier under qemu-aarch64; never timed.
 */
#include <arm_neon.h>

#include "functions.h"
#include "words.h"

#define VECTOR 16
#define BLOCK  (8 * VECTOR)

static __always_inline uint8x16_t differ(const uint8_t *p, uint8x16_t v)
{
	return veorq_u8(vld1q_u8(p), v);
}

static __always_inline uint8x16_t differ2(const uint8_t *p, uint8x16_t v)
{
	return vorrq_u8(differ(p, v), differ(p + VECTOR, v));
}

static __always_inline uint8x16_t differ4(const uint8_t *p, uint8x16_t v)
{
	return vorrq_u8(differ2(p, v), differ2(p + 2 * VECTOR, v));
}

static __always_inline bool is_zero(uint8x16_t x)
{
	return !vmaxvq_u32(vreinterpretq_u32_u8(x));
}

size_t check_neon(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *start = buf, *p = buf, *end = p + n;
	uint8x16_t v, all, one;
	uint64_t low, high;

	if (n <= VECTOR) {
		if (n >= 8)
			return words_8_to_16(p, spread(value), n);
		return words_below_8(p, spread(value), n);
	}

	v = vdupq_n_u8(value);
	if (n <= 2 * VECTOR) {
		all = vorrq_u8(differ(p, v), differ(end - VECTOR, v));
	} else if (n <= 4 * VECTOR) {
		all = vorrq_u8(differ2(p, v), differ2(end - 2 * VECTOR, v));
	} else if (n <= BLOCK) {
		all = vorrq_u8(differ4(p, v), differ4(end - 4 * VECTOR, v));
	} else {
		if (unlikely(!is_zero(differ(p, v))))
			goto found;
		p = (const uint8_t *)(((uintptr_t)p + VECTOR) & -(uintptr_t)VECTOR);
		for (; p < end - BLOCK; p += BLOCK) {
			all = vorrq_u8(differ4(p, v), differ4(p + 4 * VECTOR, v));
			if (unlikely(!is_zero(all)))
				goto found;
		}
		p = end - BLOCK;
		all = vorrq_u8(differ4(p, v), differ4(p + 4 * VECTOR, v));
	}
	if (likely(is_zero(all)))
		return n;

found:
	/* Everything before p is clean, something in the next block is not. */
	for (;; p += VECTOR) {
		if (p > end - VECTOR)
			p = end - VECTOR;
		one = differ(p, v);
		low = vgetq_lane_u64(vreinterpretq_u64_u8(one), 0);
		high = vgetq_lane_u64(vreinterpretq_u64_u8(one), 1);
		if (low)
			return (size_t)(p - start) + first_byte(low);
		if (high)
			return (size_t)(p - start) + 8 + first_byte(high);
	}
}
