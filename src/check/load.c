/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limit: read every byte once with the widest loads of this CPU and compare nothing.
 *
 * In assembly, because a compiler drops a load that nobody looks at, and so that one file can hold
 * all widths.  Every line is read by aligned loads but for one load at each end, which overlap; what is
 * smaller than a vector takes one masked load, or two that overlap.  No load depends on another.
 */
#include "functions.h"
#include "words.h"

static __always_inline void touch64(const uint8_t *p)
{
	uint64_t sink = load64(p);

	asm volatile("" : : "r"(sink));
}

static __always_inline void touch32(const uint8_t *p)
{
	uint64_t sink = load32(p);

	asm volatile("" : : "r"(sink));
}

static __always_inline void touch16(const uint8_t *p)
{
	uint64_t sink = load16(p);

	asm volatile("" : : "r"(sink));
}

/* n <= 16 with general registers. */
static __always_inline void touch_words(const uint8_t *p, size_t n)
{
	if (n >= 8) {
		touch64(p);
		touch64(p + n - 8);
	} else if (n >= 4) {
		touch32(p);
		touch32(p + n - 4);
	} else if (n >= 2) {
		touch16(p);
		touch16(p + n - 2);
	} else if (n) {
		asm volatile("" : : "r"(*p));
	}
}

/*
 * load_NAME - read [buf, buf + n) by @width bytes: touch1(p) reads one vector at any address,
 * touch8(p) eight at an aligned one, below(p, n) what is less than a vector.  far8(p) reads eight
 * times @far bytes of what no cache holds.  Up to eight vectors are read from both ends with as few
 * branches as there can be; beyond that no line is split but the first and the last.  With eight
 * vectors a turn Zen 5 can stick at two thirds of what L2 gives, with sixteen it gets 10 % less
 * from L3.
 */
#define DEFINE_LOAD(name, width, below, touch1, touch8, far, far8, leave)                          \
	static size_t load_##name(const void *buf, uint8_t value, size_t n)                        \
	{                                                                                          \
		const uint8_t *p = buf, *end = p + n;                                              \
                                                                                                   \
		(void)value;                                                                       \
		if (likely(n <= (width))) {                                                        \
			below(p, n);                                                               \
			return n;                                                                  \
		}                                                                                  \
		if (n <= 2 * (width)) {                                                            \
			touch1(p);                                                                 \
			touch1(end - (width));                                                     \
		} else if (n <= 4 * (width)) {                                                     \
			TWICE(touch1, p, width);                                                   \
			TWICE(touch1, end - 2 * (width), width);                                   \
		} else if (n <= 8 * (width)) {                                                     \
			TWICE(touch1, p, width);                                                   \
			TWICE(touch1, p + 2 * (width), width);                                     \
			TWICE(touch1, end - 4 * (width), width);                                   \
			TWICE(touch1, end - 2 * (width), width);                                   \
		} else {                                                                           \
			if ((uintptr_t)p % (width)) {                                              \
				touch1(p);                                                         \
				p += (width) - (uintptr_t)p % (width);                             \
			}                                                                          \
			for_streams(p, end, n, 8 * (far)) {                                        \
				TWICE(far8, p, STREAM);                                            \
				TWICE(far8, p + 2 * STREAM, STREAM);                               \
			}                                                                          \
			if (n < BEYOND_L2) {                                                       \
				for (; end - p >= 16 * (width); p += 16 * (width))                 \
					TWICE(touch8, p, 8 * (width));                             \
			}                                                                          \
			for (; end - p >= 8 * (width); p += 8 * (width))                           \
				touch8(p);                                                         \
			for (; end - p >= (width); p += (width))                                   \
				touch1(p);                                                         \
			if (p < end)                                                               \
				touch1(end - (width));                                             \
		}                                                                                  \
		leave();                                                                           \
		return n;                                                                          \
	}

#define TWICE(touch1, p, width)                                                                    \
	do {                                                                                       \
		touch1(p);                                                                         \
		touch1((p) + (width));                                                             \
	} while (0)
#define NOTHING() do { } while (0)

#ifdef __x86_64__
#define SSE_1(p) asm volatile("movups (%0), %%xmm0" : : "r"(p) : "xmm0")
#define SSE_8(p)                                                                                   \
	asm volatile("movaps (%0), %%xmm0\n\tmovaps 16(%0), %%xmm1\n\t"                            \
		     "movaps 32(%0), %%xmm2\n\tmovaps 48(%0), %%xmm3\n\t"                          \
		     "movaps 64(%0), %%xmm0\n\tmovaps 80(%0), %%xmm1\n\t"                          \
		     "movaps 96(%0), %%xmm2\n\tmovaps 112(%0), %%xmm3"                             \
		     : : "r"(p) : "xmm0", "xmm1", "xmm2", "xmm3")

#define AVX_1(p) asm volatile("vmovdqu (%0), %%ymm0" : : "r"(p) : "xmm0")
#define AVX_8(p)                                                                                   \
	asm volatile("vmovdqa (%0), %%ymm0\n\tvmovdqa 32(%0), %%ymm1\n\t"                          \
		     "vmovdqa 64(%0), %%ymm2\n\tvmovdqa 96(%0), %%ymm3\n\t"                        \
		     "vmovdqa 128(%0), %%ymm0\n\tvmovdqa 160(%0), %%ymm1\n\t"                      \
		     "vmovdqa 192(%0), %%ymm2\n\tvmovdqa 224(%0), %%ymm3"                          \
		     : : "r"(p) : "xmm0", "xmm1", "xmm2", "xmm3")
#define AVX_LEAVE() asm volatile("vzeroupper" : : : "xmm0")

/* Registers from 16 on: a compiler without AVX-512 flags keeps nothing there, and no vzeroupper. */
#define EVEX_1(p) asm volatile("vmovdqu64 (%0), %%zmm16" : : "r"(p))
#define EVEX_8(p)                                                                                  \
	asm volatile("vmovdqa64 (%0), %%zmm16\n\tvmovdqa64 64(%0), %%zmm17\n\t"                    \
		     "vmovdqa64 128(%0), %%zmm18\n\tvmovdqa64 192(%0), %%zmm19\n\t"                \
		     "vmovdqa64 256(%0), %%zmm16\n\tvmovdqa64 320(%0), %%zmm17\n\t"                \
		     "vmovdqa64 384(%0), %%zmm18\n\tvmovdqa64 448(%0), %%zmm19"                    \
		     : : "r"(p))
/* Half a line at a time. */
#define EVEX_HALF_8(p)                                                                             \
	asm volatile("vmovdqa64 (%0), %%ymm16\n\tvmovdqa64 32(%0), %%ymm17\n\t"                    \
		     "vmovdqa64 64(%0), %%ymm18\n\tvmovdqa64 96(%0), %%ymm19\n\t"                  \
		     "vmovdqa64 128(%0), %%ymm16\n\tvmovdqa64 160(%0), %%ymm17\n\t"                \
		     "vmovdqa64 192(%0), %%ymm18\n\tvmovdqa64 224(%0), %%ymm19"                    \
		     : : "r"(p))

static __always_inline void sse_below(const uint8_t *p, size_t n)
{
	touch_words(p, n);
}

static __always_inline void avx_below(const uint8_t *p, size_t n)
{
	if (n <= 16) {
		touch_words(p, n);
	} else {
		SSE_1(p);
		SSE_1(p + n - 16);
	}
}

static __always_inline void evex_below(const uint8_t *p, size_t n)
{
	uint64_t mask = -1ull;

	asm volatile("bzhi %2, %0, %0\n\tkmovq %0, %%k1\n\tvmovdqu8 (%1), %%zmm16%{%%k1%}%{z%}"
		     : "+r"(mask)
		     : "r"(p), "r"(n)
		     : "cc");
}

DEFINE_LOAD(sse, 16, sse_below, SSE_1, SSE_8, 16, SSE_8, NOTHING)
DEFINE_LOAD(avx, 32, avx_below, AVX_1, AVX_8, 32, AVX_8, AVX_LEAVE)
DEFINE_LOAD(evex, 64, evex_below, EVEX_1, EVEX_8, 32, EVEX_HALF_8, NOTHING)

check_fn *load_resolve(void)
{
	if (cpu_has_avx512())
		return load_evex;
	return cpu_has_avx2() ? load_avx : load_sse;
}

#elif defined(__aarch64__)
#define NEON_1(p) asm volatile("ldr q0, [%0]" : : "r"(p) : "v0")
#define NEON_8(p)                                                                                  \
	asm volatile("ldp q0, q1, [%0]\n\tldp q2, q3, [%0, 32]\n\t"                                \
		     "ldp q0, q1, [%0, 64]\n\tldp q2, q3, [%0, 96]"                                \
		     : : "r"(p) : "v0", "v1", "v2", "v3")

/* Never timed: cross-compiled, and run under qemu. */
DEFINE_LOAD(neon, 16, touch_words, NEON_1, NEON_8, 16, NEON_8, NOTHING)

check_fn *load_resolve(void)
{
	return load_neon;
}

#else
#define WORD_1(p) touch64(p)
#define WORD_8(p)                                                                                  \
	do {                                                                                       \
		for (int i = 0; i < 8; i++)                                                        \
			touch64((p) + 8 * i);                                                      \
	} while (0)

DEFINE_LOAD(word, 8, touch_words, WORD_1, WORD_8, 8, WORD_8, NOTHING)

check_fn *load_resolve(void)
{
	return load_word;
}
#endif
