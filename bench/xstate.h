/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel pays for using SIMD registers: saving the user's and giving them back.
 *
 * As Linux does on x86-64 (kernel_fpu_begin(), arch/x86/kernel/fpu/core.c, and the restore on the
 * way back to user space): XSAVEC, or XSAVEOPT or XSAVE where the CPU has no better, and XRSTOR, of
 * every component that the OS has enabled.  XSAVES, which the kernel prefers, is privileged; it
 * writes the same compact form as XSAVEC.
 */
#ifndef SLUBBENCH_XSTATE_H
#define SLUBBENCH_XSTATE_H

#include <stdbool.h>
#include <stdint.h>

enum xsave_kind { XSAVE_NONE, XSAVE_PLAIN, XSAVE_OPT, XSAVE_COMPACT };

struct xstate {
	enum xsave_kind kind;
	uint32_t mask_low, mask_high; /* XCR0: what the OS has enabled */
	unsigned char *area;          /* aligned to 64 bytes */
};

/* False where this CPU has no XSAVE family or it could not be set up. */
bool xstate_open(struct xstate *x);
void xstate_close(struct xstate *x);

/* "xsavec + xrstor": what it is made of. */
const char *xstate_name(const struct xstate *x);

/*
 * Put something into every vector register, up to AVX-512's: a component in its initial state is
 * not saved, and a program that uses none of them would look free of charge.
 */
void xstate_dirty(const struct xstate *x);

#ifdef __x86_64__
static inline void xstate_save(const struct xstate *x)
{
	uint32_t low = x->mask_low, high = x->mask_high;

	if (x->kind == XSAVE_COMPACT)
		__asm__ volatile("xsavec64 (%0)" : : "r"(x->area), "a"(low), "d"(high) : "memory");
	else if (x->kind == XSAVE_OPT)
		__asm__ volatile("xsaveopt64 (%0)" : : "r"(x->area), "a"(low), "d"(high) : "memory");
	else
		__asm__ volatile("xsave64 (%0)" : : "r"(x->area), "a"(low), "d"(high) : "memory");
}

static inline void xstate_restore(const struct xstate *x)
{
	__asm__ volatile("xrstor64 (%0)"
			 :
			 : "r"(x->area), "a"(x->mask_low), "d"(x->mask_high)
			 : "memory");
}
#else
static inline void xstate_save(const struct xstate *x)
{
	(void)x;
}

static inline void xstate_restore(const struct xstate *x)
{
	(void)x;
}
#endif

#endif /* SLUBBENCH_XSTATE_H */
