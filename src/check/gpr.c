/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The best that general registers allow, which is what a kernel may run without saving FPU state.
 */
#include "functions.h"
#include "words.h"

#define BLOCK 64

/*
 * Where repe scasb is ahead of the loop on Zen 5: it starts slowly (20 ns), then compares up to 128 bytes
 * in a cycle from L1 and no slower from L3, but has no prefetching to help it from memory.
 */
#define SCAS_FROM 4096
#define SCAS_TO	  (8u << 20)

/* repe scasb for 0 < n. */
static inline size_t scas(const uint8_t *p, uint8_t value, size_t n)
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

static inline __attribute__((always_inline)) size_t gpr_check(const void *buf, uint8_t value,
							      size_t n, bool with_scas)
{
	const uint8_t *start = buf, *p = buf, *end = p + n, *last;
	uint64_t v = spread(value), d;

	if (n <= 16) {
		if (n >= 8)
			return words_8_to_16(p, v, n);
		return words_below_8(p, v, n);
	}
	if (n <= 32) {
		d = (load64(p) ^ v) | (load64(p + 8) ^ v);
		d |= (load64(end - 16) ^ v) | (load64(end - 8) ^ v);
		if (likely(!d))
			return n;
		goto found;
	}
	if (n <= 64) {
		d = (load64(p) ^ v) | (load64(p + 8) ^ v);
		d |= (load64(p + 16) ^ v) | (load64(p + 24) ^ v);
		d |= (load64(end - 32) ^ v) | (load64(end - 24) ^ v);
		d |= (load64(end - 16) ^ v) | (load64(end - 8) ^ v);
		if (likely(!d))
			return n;
		goto found;
	}
	if (with_scas && n >= SCAS_FROM && n <= SCAS_TO)
		return scas(p, value, n);
	last = end - BLOCK;
	do {
		d = (load64(p) ^ v) | (load64(p + 8) ^ v);
		d |= (load64(p + 16) ^ v) | (load64(p + 24) ^ v);
		d |= (load64(p + 32) ^ v) | (load64(p + 40) ^ v);
		d |= (load64(p + 48) ^ v) | (load64(p + 56) ^ v);
		if (unlikely(d))
			goto found;
		p += BLOCK;
	} while (p < last);
	p = last;
	d = (load64(p) ^ v) | (load64(p + 8) ^ v);
	d |= (load64(p + 16) ^ v) | (load64(p + 24) ^ v);
	d |= (load64(p + 32) ^ v) | (load64(p + 40) ^ v);
	d |= (load64(p + 48) ^ v) | (load64(p + 56) ^ v);
	if (likely(!d))
		return n;

found:
	/* Everything before p is clean, something in the next block is not. */
	for (;; p += 8) {
		if (p > end - 8)
			p = end - 8;
		d = load64(p) ^ v;
		if (d)
			return (size_t)(p - start) + first_byte(d);
	}
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
