/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vectors of whatever length the CPU has, under a predicate that ends with the buffer: no tail at all.
 *
 * Proved right by cross-compiling it and running the verifier under qemu-aarch64 with vectors of 16 to
 * 256 bytes; never timed.
 */
#include <arm_sve.h>

#include "functions.h"
#include "words.h"

size_t check_sve(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *bytes = buf;
	const size_t vector = svcntb();
	const svbool_t every = svptrue_b8();
	svbool_t inside, differs;
	size_t i = 0;

	/* Four vectors and one branch, while they fit. */
	for (; n - i >= 4 * vector; i += 4 * vector) {
		svuint8_t a = sveor_n_u8_x(every, svld1_u8(every, bytes + i), value);
		svuint8_t b = sveor_n_u8_x(every, svld1_u8(every, bytes + i + vector), value);
		svuint8_t c = sveor_n_u8_x(every, svld1_u8(every, bytes + i + 2 * vector), value);
		svuint8_t d = sveor_n_u8_x(every, svld1_u8(every, bytes + i + 3 * vector), value);

		a = svorr_u8_x(every, svorr_u8_x(every, a, b), svorr_u8_x(every, c, d));
		if (unlikely(svptest_any(every, svcmpne_n_u8(every, a, 0))))
			break;
	}
	for (; i < n; i += vector) {
		inside = svwhilelt_b8_u64(i, n);
		differs = svcmpne_n_u8(inside, svld1_u8(inside, bytes + i), value);
		if (unlikely(svptest_any(inside, differs)))
			return i + svcntp_b8(inside, svbrkb_b_z(inside, differs));
	}
	return n;
}
