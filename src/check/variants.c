/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that tests and benchmarks walk.  A new variant is one file, one row and one Makemodule line. */
#include <string.h>

#include "functions.h"

static bool everywhere(void)
{
	return true;
}

static bool on_x86(void)
{
#ifdef __x86_64__
	return true;
#else
	return false;
#endif
}

/* A row of another architecture is listed, but is never usable and has no function to name. */
#define RESOLVE(fn)                                                                                \
	static check_fn *resolve_##fn(void)                                                        \
	{                                                                                          \
		return check_##fn;                                                                 \
	}
#define RESOLVE_NONE(fn)                                                                           \
	static check_fn *resolve_##fn(void)                                                        \
	{                                                                                          \
		return NULL;                                                                       \
	}

RESOLVE(empty)
RESOLVE(byte)
RESOLVE(slub2011)
RESOLVE(memchr_inv)
RESOLVE(memcmp)

#ifdef __x86_64__
RESOLVE(rep_scas)
#else
RESOLVE_NONE(rep_scas)
#endif

#ifdef HAVE_SSE2
RESOLVE(sse2)
#else
RESOLVE_NONE(sse2)
#endif

#ifdef HAVE_AVX2
RESOLVE(avx2)
#else
RESOLVE_NONE(avx2)
#endif

#ifdef HAVE_AVX512
RESOLVE(avx512)
#else
RESOLVE_NONE(avx512)
#endif

#ifdef HAVE_NEON
RESOLVE(neon)
#else
RESOLVE_NONE(neon)
#endif

#ifdef HAVE_SVE
RESOLVE(sve)
#else
RESOLVE_NONE(sve)
#endif

/* See slub2011.c: the pattern is right again for 0xff, and up to 16 bytes go without it. */
static bool sign_extension(uint8_t value, size_t n)
{
	return value >= 0x80 && value != 0xff && n > 16;
}

#ifdef CHECK_WITH_HWY
/* Highway's own choice: its AVX3 target wherever the CPU has one. */
static check_fn *highway_resolve(void)
{
	return cpu_has_avx512() ? check_highway_avx512 : check_highway_avx2;
}
#endif

#ifdef CHECK_WITH_ISAL
static bool zero_only(uint8_t value)
{
	return !value;
}
#endif

const struct check_variant check_variants[] = {
	{
		.name = "empty",
		.description = "a call that does nothing: the floor of every timing",
		.origin = "slubbench",
		.isa = "any",
		.needs = "nothing",
		.kind = CHECK_BASELINE,
		.width = 0,
		.kernel_usable = true,
		.copyable = true,
		.usable = everywhere,
		.resolve = resolve_empty,
	},
	{
		.name = "load",
		.description = "reads every byte with the widest loads and compares nothing: the limit",
		.origin = "slubbench",
		.isa = "any",
		.needs = "nothing",
		.kind = CHECK_BASELINE,
		.width = 0,
		.copyable = true,
		.usable = everywhere,
		.resolve = load_resolve,
	},
	{
		.name = "byte",
		.description = "a byte at a time: SLUB until Linux 3.0",
		.origin = "Linux v3.0 mm/slub.c check_bytes()",
		.isa = "any",
		.needs = "nothing",
		.width = 1,
		.kernel_usable = true,
		.copyable = true,
		.usable = everywhere,
		.resolve = resolve_byte,
	},
	{
		.name = "slub2011",
		.description = "a word at a time, as posted: wrong from value 0x80 on",
		.origin = "LKML 20110626193918.GA3339@joi.lan, c4089f98e943",
		.isa = "any",
		.needs = "nothing",
		.width = 8,
		.kernel_usable = true,
		.copyable = true,
		.usable = everywhere,
		.known_wrong = sign_extension,
		.resolve = resolve_slub2011,
	},
	{
		.name = "memchr_inv",
		.description = "a word at a time: Linux today",
		.origin = "Linux lib/string.c memchr_inv(), 798248206b59",
		.isa = "any",
		.needs = "nothing",
		.width = 8,
		.kernel_usable = true,
		.copyable = true,
		.usable = everywhere,
		.resolve = resolve_memchr_inv,
	},
	{
		.name = "gpr",
		.description = "the best that general registers allow",
		.origin = "slubbench",
		.isa = "any",
		.needs = "nothing",
		.width = 8,
		.kernel_usable = true,
		.copyable = true,
		.usable = everywhere,
		.resolve = gpr_resolve,
	},
	{
		.name = "rep-scas",
		.description = "one string instruction, repe scasb",
		.origin = "inv_memscan(), proposed by C. Lameter on LKML in June 2011",
		.isa = "x86-64",
		.needs = "an x86-64 CPU",
		.width = 1,
		.kernel_usable = true,
		.copyable = true,
		.usable = on_x86,
		.resolve = resolve_rep_scas,
	},
	{
		.name = "memcmp",
		.description = "libc's memcmp() of the buffer with itself moved by one",
		.origin = "CCAN memeqzero(), rusty.ozlabs.org/?p=560; GNU coreutils is_nul()",
		.isa = "libc",
		.needs = "nothing",
		.width = 0,
		.usable = everywhere,
		.resolve = resolve_memcmp,
	},
	{
		.name = "sse2",
		.description = "16 bytes at a time, 8 times unrolled",
		.origin = "slubbench",
		.isa = "sse2",
		.needs = "an x86-64 CPU",
		.width = 16,
		.copyable = true,
		.usable = cpu_has_sse2,
		.resolve = resolve_sse2,
	},
	{
		.name = "avx2",
		.description = "32 bytes at a time, 8 times unrolled",
		.origin = "slubbench",
		.isa = "avx2",
		.needs = "an x86-64 CPU and an OS with AVX2",
		.width = 32,
		.copyable = true,
		.usable = cpu_has_avx2,
		.resolve = resolve_avx2,
	},
	{
		.name = "avx512",
		.description = "64 bytes at a time, 8 times unrolled, small ones masked",
		.origin = "slubbench",
		.isa = "avx512",
		.needs = "an x86-64 CPU and an OS with AVX512BW, AVX512VL, BMI1 and BMI2",
		.width = 64,
		.copyable = true,
		.usable = cpu_has_avx512,
		.resolve = resolve_avx512,
	},
	{
		.name = "neon",
		.description = "16 bytes at a time, 8 times unrolled",
		.origin = "slubbench",
		.isa = "neon",
		.needs = "an aarch64 CPU",
		.width = 16,
		.copyable = true,
		.usable = cpu_has_neon,
		.resolve = resolve_neon,
	},
	{
		.name = "sve",
		.description = "vectors as long as the CPU has them, masked at the end",
		.origin = "slubbench",
		.isa = "sve",
		.needs = "an aarch64 CPU and an OS with SVE",
		.width = 16,
		.copyable = true,
		.usable = cpu_has_sve,
		.resolve = resolve_sve,
	},
	{
		.name = "auto",
		.description = "the best of the above for this CPU",
		.origin = "slubbench",
		.isa = "any",
		.needs = "nothing",
		.width = 0,
		.copyable = true,
		.usable = everywhere,
		.resolve = auto_resolve,
	},
#ifdef CHECK_WITH_HWY
	{
		.name = "highway",
		.description = "Google Highway's FindIf() for the widest vectors of this CPU",
		.origin = "google/highway hwy/contrib/algo/find-inl.h",
		.isa = "any",
		.needs = "an x86-64 CPU and an OS with AVX2",
		.width = 0,
		.usable = cpu_has_avx2,
		.resolve = highway_resolve,
	},
#endif
#ifdef CHECK_WITH_ISAL
	{
		.name = "isal",
		.description = "Intel ISA-L's isal_zero_detect(): value 0 only, yes or no",
		.origin = "intel/isa-l mem/mem_zero_detect_*.asm",
		.isa = "library",
		.needs = ISAL_SONAME,
		.kind = CHECK_YES_NO,
		.width = 0,
		.usable = isal_usable,
		.applies = zero_only,
		.resolve = isal_resolve,
	},
#endif
	{ .name = NULL },
};

const struct check_variant *check_find(const char *name)
{
	const struct check_variant *v;

	for (v = check_variants; v->name; v++) {
		if (!strcmp(v->name, name))
			return v;
	}
	return NULL;
}
