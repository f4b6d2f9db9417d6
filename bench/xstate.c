/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "bench/xstate.h"

#ifdef __x86_64__
#include <cpuid.h>

#define XSTATE_LEAF    0xd
#define XCR0_AVX       0x04u
#define XCR0_AVX512    0xe0u /* opmask, upper halves of zmm0-15, zmm16-31 */
#define OSXSAVE        (1u << 27)
#define HAS_XSAVEOPT   (1u << 0)
#define HAS_XSAVEC     (1u << 1)

static void read_xcr0(struct xstate *x)
{
	__asm__("xgetbv" : "=a"(x->mask_low), "=d"(x->mask_high) : "c"(0));
}

bool xstate_open(struct xstate *x)
{
	unsigned int eax, ebx, ecx, edx, size;

	memset(x, 0, sizeof(*x));
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & OSXSAVE))
		return false;
	if (!__get_cpuid_count(XSTATE_LEAF, 0, &eax, &ebx, &ecx, &edx))
		return false;
	size = ecx; /* of all that the CPU knows: enough whatever is enabled */
	x->kind = XSAVE_PLAIN;
	if (__get_cpuid_count(XSTATE_LEAF, 1, &eax, &ebx, &ecx, &edx))
		x->kind = eax & HAS_XSAVEC ? XSAVE_COMPACT :
			  eax & HAS_XSAVEOPT ? XSAVE_OPT : XSAVE_PLAIN;
	read_xcr0(x);
	x->area = aligned_alloc(64, (size + 63) & ~63u);
	if (!x->area)
		return false;
	memset(x->area, 0, size); /* XRSTOR faults on garbage in the header */
	return true;
}

void xstate_close(struct xstate *x)
{
	free(x->area);
	memset(x, 0, sizeof(*x));
}

void xstate_dirty(const struct xstate *x)
{
	/* Registers that the compiler does not know of here need no clobber. */
	if (x->mask_low & XCR0_AVX)
		__asm__ volatile("vcmptrueps %%ymm0, %%ymm0, %%ymm0\n\t"
				 "vcmptrueps %%ymm1, %%ymm1, %%ymm15"
				 : : : "xmm0", "xmm15");
	if ((x->mask_low & XCR0_AVX512) == XCR0_AVX512)
		__asm__ volatile("vpternlogd $0xff, %%zmm1, %%zmm1, %%zmm1\n\t"
				 "vpternlogd $0xff, %%zmm16, %%zmm16, %%zmm16\n\t"
				 "vpternlogd $0xff, %%zmm31, %%zmm31, %%zmm31\n\t"
				 "kxnorw %%k1, %%k1, %%k1"
				 : : : "xmm1");
}

const char *xstate_name(const struct xstate *x)
{
	static const char *const names[] = {
		[XSAVE_NONE] = "nothing",
		[XSAVE_PLAIN] = "xsave + xrstor",
		[XSAVE_OPT] = "xsaveopt + xrstor",
		[XSAVE_COMPACT] = "xsavec + xrstor",
	};

	return names[x->kind];
}

#else

bool xstate_open(struct xstate *x)
{
	memset(x, 0, sizeof(*x));
	return false;
}

void xstate_close(struct xstate *x)
{
	(void)x;
}

void xstate_dirty(const struct xstate *x)
{
	(void)x;
}

const char *xstate_name(const struct xstate *x)
{
	(void)x;
	return "nothing";
}

#endif
