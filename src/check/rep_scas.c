/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One x86 instruction: repe scasb, which Christoph Lameter proposed in the 2011 thread.
 *
 * Andi Kleen turned it down there as slow microcode.  True of that time's CPUs and of short buffers;
 * AMD's Zen 5 compares 160 GB/s with it once it runs.
 */
#include "functions.h"

size_t check_rep_scas(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *p = buf;
	size_t left = n;
	bool equal;

	/* With a count of 0 the instruction leaves the flags as they were. */
	if (!n)
		return 0;
	asm volatile("repe scasb" : "+D"(p), "+c"(left), "=@ccz"(equal) : "a"(value) : "memory");
	return equal ? n : n - left - 1;
}
