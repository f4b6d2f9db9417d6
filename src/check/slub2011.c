/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A word at a time, as "slub: reduce overhead of slub_debug" proposed it on LKML on 2011-06-26
 * (Marcin Slusarz, Message-ID 20110626193918.GA3339@joi.lan), with both of its slips:
 *
 * - value << 24 is an int.  From 0x80 on it is negative and the upper half of the word pattern gets
 *   all ones, so that the first word never compares equal; the bytes of that word are then looked at
 *   again, found to be fine, and the answer is "clean" with all the rest unread.  (0xff is spared:
 *   there all ones is the right pattern.)  Akinobu Mita found it on 2011-08-07.
 * - An aligned start still gets a prefix, of 8 bytes.  That is only slower.
 */
#include "functions.h"
#include "words.h"

/* The int arithmetic of the patch.  Going through unsigned keeps the left shift defined. */
static __always_inline uint64_t sign_extended_pattern(uint8_t value)
{
	uint32_t low = value | (uint32_t)value << 8 | (uint32_t)value << 16 | (uint32_t)value << 24;
	uint64_t pattern = (uint64_t)(int64_t)(int32_t)low;

	return pattern | pattern << 32;
}

size_t check_slub2011(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *start = buf, *p = buf, *end = p + n;
	size_t prefix, words, same;
	uint64_t pattern;

	if (n <= 16)
		return bytes_equal(p, value, n);

	pattern = sign_extended_pattern(value);
	prefix = 8 - (uintptr_t)p % 8;
	same = bytes_equal(p, value, prefix);
	if (same < prefix)
		return same;
	p += prefix;

	for (words = (size_t)(end - p) / 8; words; words--) {
		if (load64(p) != pattern) {
			same = bytes_equal(p, value, 8);
			return same < 8 ? (size_t)(p - start) + same : n;
		}
		p += 8;
	}
	return (size_t)(p - start) + bytes_equal(p, value, (size_t)(end - p));
}
