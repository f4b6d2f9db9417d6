/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memset() and memcpy() for the patterns of objects: many bytes with the widest stores. */
#ifndef SLUBBENCH_SLUB_FILL_H
#define SLUBBENCH_SLUB_FILL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SLUB_FILL_MANY 64u

/* Set @n bytes, SLUB_FILL_MANY or more, to @value. */
typedef void slub_fill_fn(uint8_t *at, uint8_t value, size_t n);

/* Copy @size bytes, SLUB_FILL_MANY or more, behind themselves until they are there @n times. */
typedef void slub_repeat_fn(uint8_t *at, size_t size, unsigned int n);

/* The fastest for this CPU. */
struct slub_fill {
	slub_fill_fn *many;
	slub_repeat_fn *repeat;
};

struct slub_fill slub_fill_resolve(void);

/* Set any number of bytes; up to SLUB_FILL_MANY with stores that overlap, without a call. */
static inline __attribute__((always_inline)) void slub_fill(slub_fill_fn *many, uint8_t *at,
						       uint8_t value, size_t n)
{
	typedef uint64_t two_words __attribute__((vector_size(16), aligned(1), may_alias));
	const uint64_t word = value * UINT64_C(0x0101010101010101);
	const two_words words = { word, word };

	if (n > SLUB_FILL_MANY) {
		many(at, value, n);
	} else if (n >= 16) {
		*(two_words *)at = words;
		if (n > 32) {
			*(two_words *)(at + 16) = words;
			*(two_words *)(at + n - 32) = words;
		}
		*(two_words *)(at + n - 16) = words;
	} else if (n >= 8) {
		memcpy(at, &word, 8);
		memcpy(at + n - 8, &word, 8);
	} else {
		while (n > 0)
			at[--n] = value;
	}
}

slub_repeat_fn slub_repeat_anywhere; /* that of any CPU, and for any @size */

static inline void slub_repeat(slub_repeat_fn *many, uint8_t *at, size_t size, unsigned int n)
{
	(size >= SLUB_FILL_MANY ? many : slub_repeat_anywhere)(at, size, n);
}

#endif /* SLUBBENCH_SLUB_FILL_H */
