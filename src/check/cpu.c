/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What this CPU and its OS offer, and which of several functions is then the fastest. */
#include "functions.h"

#ifdef __x86_64__
#include <cpuid.h>

bool cpu_has_sse2(void)
{
#ifdef HAVE_SSE2
	return true;
#else
	return false;
#endif
}

/* __builtin_cpu_supports() reads XCR0 as well: true means that the OS saves these registers. */
bool cpu_has_avx2(void)
{
#ifdef HAVE_AVX2
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#else
	return false;
#endif
}

bool cpu_has_avx512(void)
{
#ifdef HAVE_AVX512
	return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
	return false;
#endif
}

/* Family as AMD and Intel both define it: the extended part counts when the base part is 15. */
static unsigned int cpu_family(void)
{
	unsigned int eax, ebx, ecx, edx, family;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return 0;
	family = eax >> 8 & 0xf;
	return family == 0xf ? family + (eax >> 20 & 0xff) : family;
}

/*
 * Is repe scasb more than a byte in two cycles?  CPUID leaf 7.1 EAX bit 12 (fast short repe cmpsb and
 * scasb) says so, but hypervisors hide it: Zen 5 (AMD family 1Ah) is fast and reads 0 here under KVM.
 */
bool cpu_has_fast_scas(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && eax & 1u << 12)
		return true;
	return __builtin_cpu_is("amd") && cpu_family() == 0x1a;
}

/*
 * Are 512-bit registers worth it?  On Intel before Ice Lake (which brought AVX512_VBMI2) using them
 * lowers the clock of the whole core for a while, so 256 bits are the better deal there.  AMD has no
 * such price: Zen 4 splits 512-bit loads in two and loses nothing, Zen 5 doubles the load rate.
 */
bool cpu_has_fast_avx512(void)
{
	return cpu_has_avx512() &&
	       (__builtin_cpu_is("amd") || __builtin_cpu_supports("avx512vbmi2"));
}

check_fn *gpr_resolve(void)
{
	return cpu_has_fast_scas() ? check_gpr_scas : check_gpr;
}

check_fn *auto_resolve(void)
{
	if (cpu_has_fast_avx512())
		return check_avx512;
	return cpu_has_avx2() ? check_avx2 : check_sse2;
}
#else
bool cpu_has_sse2(void)
{
	return false;
}

bool cpu_has_avx2(void)
{
	return false;
}

bool cpu_has_avx512(void)
{
	return false;
}

bool cpu_has_fast_scas(void)
{
	return false;
}

bool cpu_has_fast_avx512(void)
{
	return false;
}

check_fn *gpr_resolve(void)
{
	return check_gpr;
}
#endif

#ifdef __aarch64__
#include <sys/auxv.h>
#include <asm/hwcap.h>

bool cpu_has_neon(void)
{
	return getauxval(AT_HWCAP) & HWCAP_ASIMD;
}

bool cpu_has_sve(void)
{
	return getauxval(AT_HWCAP) & HWCAP_SVE;
}

/* Not timed anywhere: SVE promises more only where its vectors are longer, which sve.c cannot know. */
check_fn *auto_resolve(void)
{
	return check_neon;
}
#else
bool cpu_has_neon(void)
{
	return false;
}

bool cpu_has_sve(void)
{
	return false;
}

#ifndef __x86_64__
check_fn *auto_resolve(void)
{
	return check_gpr;
}
#endif
#endif
