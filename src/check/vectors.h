/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * More than a vector, for all instruction sets that have no masked loads.  A variant says first what a
 * vector is:
 *
 *	VECTOR			its size in bytes
 *	vector			its type; "all ones" below is a byte that is what it should be
 *	same(p, v)		all ones where the bytes at p, which may be unaligned, are those of v
 *	same_aligned(p, v)	the same for an aligned p
 *	both(a, b)		all ones where a and b have them
 *	is_all(a)		all bytes are all ones
 *	first_other(a)		index of the first byte that is not; there is one
 *
 * Equal bytes become all ones and are and-ed together: on x86 one instruction less per block than xor
 * and or, since pmovmskb reads the result as it is.  The idea of taking the ends with overlapping
 * loads, and of aligning the loop only after one unaligned load, is as old as memcpy.
 */
#ifndef CHECK_VECTORS_H
#define CHECK_VECTORS_H

#include "words.h"

#define BLOCK (8 * VECTOR)

static __always_inline vector same2(const uint8_t *p, vector v)
{
	return both(same(p, v), same(p + VECTOR, v));
}

static __always_inline vector same4(const uint8_t *p, vector v)
{
	return both(same2(p, v), same2(p + 2 * VECTOR, v));
}

static __always_inline vector same4_aligned(const uint8_t *p, vector v)
{
	return both(both(same_aligned(p, v), same_aligned(p + VECTOR, v)),
		    both(same_aligned(p + 2 * VECTOR, v), same_aligned(p + 3 * VECTOR, v)));
}

static __always_inline vector same8_aligned(const uint8_t *p, vector v)
{
	return both(same4_aligned(p, v), same4_aligned(p + 4 * VECTOR, v));
}

static __always_inline vector same_streams(const uint8_t *p, vector v)
{
	return both(both(same8_aligned(p, v), same8_aligned(p + STREAM, v)),
		    both(same8_aligned(p + 2 * STREAM, v), same8_aligned(p + 3 * STREAM, v)));
}

/* Each size has its own way out: a jump to a common one costs as much as two more loads. */
#define ANSWER(same)                                                                               \
	do {                                                                                       \
		if (likely(is_all(same)))                                                          \
			return n;                                                                  \
		goto found;                                                                        \
	} while (0)

/* check_fn for n >= VECTOR; @v holds the value in all bytes. */
static __always_inline size_t vectors_check(const uint8_t *p, vector v, size_t n)
{
	const uint8_t *start = p, *end = p + n;
	vector one;

	if (n <= 2 * VECTOR)
		ANSWER(both(same(p, v), same(end - VECTOR, v)));
	if (n <= 4 * VECTOR)
		ANSWER(both(same2(p, v), same2(end - 2 * VECTOR, v)));
	if (n <= BLOCK)
		ANSWER(both(same4(p, v), same4(end - 4 * VECTOR, v)));

	/* A load that splits a cache line costs two: one such load, then vector by vector. */
	if (unlikely(!is_all(same(p, v))))
		goto found;
	p = (const uint8_t *)(((uintptr_t)p + VECTOR) & -(uintptr_t)VECTOR);
	for_streams(p, end, n, BLOCK) {
		if (unlikely(!is_all(same_streams(p, v))))
			goto in_order;
	}
in_order:
	for (; p < end - BLOCK; p += BLOCK) {
		if (unlikely(!is_all(same8_aligned(p, v))))
			goto found;
	}
	/*
	 * Up to a block is left.  Its last half reaches back if it must: line by line, as avx512.c goes
	 * on, gains 6 % at 1000 bytes and loses up to 18 % from 257 to 600.
	 */
	if (p < end - 4 * VECTOR)
		ANSWER(both(same4(p, v), same4(end - 4 * VECTOR, v)));
	ANSWER(same4(end - 4 * VECTOR, v));

found:
	/* Everything before p is clean, something in the next block is not. */
	for (; p < end; p += VECTOR) {
		if (p > end - VECTOR)
			p = end - VECTOR;
		one = same(p, v);
		if (!is_all(one))
			return (size_t)(p - start) + first_other(one);
	}
	return n; /* written by somebody meanwhile */
}

#endif /* CHECK_VECTORS_H */
