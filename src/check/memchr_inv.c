/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Linux's memchr_inv() (lib/string.c since 798248206b59, v3.2): the method, not the text.
 *
 * Up to 16 bytes one by one; else bytes up to a multiple of 8, then a word at a time, then bytes.
 */
#include "functions.h"
#include "words.h"

size_t check_memchr_inv(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *start = buf, *p = buf, *end = p + n;
	size_t prefix, words, same;
	uint64_t pattern;

	if (n <= 16)
		return bytes_equal(p, value, n);

	pattern = spread(value);
	prefix = -(uintptr_t)p % 8;
	if (prefix) {
		same = bytes_equal(p, value, prefix);
		if (same < prefix)
			return same;
		p += prefix;
	}

	for (words = (size_t)(end - p) / 8; words; words--) {
		if (load64(p) != pattern)
			return (size_t)(p - start) + bytes_equal(p, value, 8);
		p += 8;
	}
	return (size_t)(p - start) + bytes_equal(p, value, (size_t)(end - p));
}
