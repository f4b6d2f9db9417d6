/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A check of your own, verified and timed beside all others:
 *
 *	cc -O2 -shared -fPIC -o mine.so plugin-example.c
 *	slubbench check-bytes --plugin ./mine.so
 *
 * slubbench looks for the symbol slubbench_check; --plugin ./mine.so:NAME for any other.  It loads
 * the object in a child process, so that a crash there costs no other result.
 */
#include <string.h>

#if __has_include(<slubbench/check.h>)
#include <slubbench/check.h>
#else /* in the source of a slubbench that is not installed */
#include "../src/check/check.h"
#endif

check_fn slubbench_check;

/* Four words at a time, joined so that they cost one branch; then byte by byte to the offset. */
size_t slubbench_check(const void *buf, uint8_t value, size_t n)
{
	const uint64_t pattern = UINT64_C(0x0101010101010101) * value;
	const uint8_t *p = buf;
	size_t i = 0;

	for (; n - i >= 32; i += 32) {
		uint64_t w[4];

		memcpy(w, p + i, sizeof(w)); /* any alignment, nothing beyond */
		if (((w[0] ^ pattern) | (w[1] ^ pattern) | (w[2] ^ pattern) | (w[3] ^ pattern)) != 0)
			break;
	}
	while (i < n && p[i] == value)
		i++;
	return i;
}
