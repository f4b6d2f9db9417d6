/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/random.h"

uint64_t random_next(struct random_state *r)
{
	uint64_t z;

	r->x += UINT64_C(0x9e3779b97f4a7c15);
	z = r->x;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint64_t random_below(struct random_state *r, uint64_t n)
{
	uint64_t x, rest;

	if (n == 0)
		return 0;
	/* The last, incomplete lap of n would favour the small numbers: draw again there. */
	rest = -n % n;
	do {
		x = random_next(r);
	} while (x < rest);
	return x % n;
}

void random_shuffle(struct random_state *r, size_t *array, size_t n)
{
	while (n > 1) {
		size_t i = (size_t)random_below(r, n--);
		size_t tmp = array[i];

		array[i] = array[n];
		array[n] = tmp;
	}
}
