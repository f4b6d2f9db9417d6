/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Repeatable randomness: the same seed gives the same order on every machine.
 *
 * Generator: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014).  Good enough to shuffle with, no more.
 */
#ifndef SLUBBENCH_RANDOM_H
#define SLUBBENCH_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random_state {
	uint64_t x; /* the seed, any value */
};

uint64_t random_next(struct random_state *r);

/* Evenly from [0, @n); 0 when @n is 0. */
uint64_t random_below(struct random_state *r, uint64_t n);

/* Fisher and Yates: every order of the @n elements is equally likely. */
void random_shuffle(struct random_state *r, size_t *array, size_t n);

#endif /* SLUBBENCH_RANDOM_H */
