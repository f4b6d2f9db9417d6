/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One check of one buffer, as works that measure.h can time. */
#ifndef SLUBBENCH_CHECKS_H
#define SLUBBENCH_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/measure.h"
#include "bench/xstate.h"
#include "check/check.h"

#define CHECK_CLEAN      SIZE_MAX /* no byte differs */
#define CHECK_LINE_BYTES 64u      /* what align counts from */

enum check_mode {
	CHECK_THROUGHPUT, /* calls that do not wait for each other */
	CHECK_LATENCY,    /* each call's address depends on the answer before */
	CHECK_KERNEL,     /* throughput, with registers saved and restored around SIMD */
};

/* Everything that matters but the variant: what is compared was run on the same case. */
struct check_case {
	size_t size;        /* bytes to check, 0 and more */
	unsigned int align; /* of the first byte, from a 64-byte boundary: below CHECK_LINE_BYTES */
	uint8_t value;
	size_t fault;       /* offset of the one byte that differs, below size, or CHECK_CLEAN */
	bool cold;          /* out of every cache before every call */
	enum check_mode mode;
};

/* Memory that the variants share; holds one case at a time. */
struct check_buffer {
	uint8_t *map; /* starts a page */
	size_t size;
};

/*
 * Room for a check of @most bytes at any align, each page already there.  0, or -1 after a
 * complaint that names @what asks for so many ("--size").
 */
int check_buffer_open(struct check_buffer *b, size_t most, const char *what);
void check_buffer_close(struct check_buffer *b);

/*
 * Make the buffer what @c says, or a copy of @bytes where these are not NULL, and return where the
 * check starts.
 */
const uint8_t *check_buffer_fill(struct check_buffer *b, const struct check_case *c,
				 const uint8_t *bytes);

struct check_work { /* outlives the measuring */
	check_fn *fn;
	const uint8_t *at;
	size_t size;
	uint8_t value;
	const struct xstate *xstate; /* what to save and restore around a call; NULL: nothing */
};

/*
 * A call of w->fn as @c wants it timed; fill *@w first.  The loop calls through a pointer; what that
 * costs is what the variant `empty` shows.
 */
struct measure_work check_work(struct check_work *w, const char *name, const struct check_case *c);

#endif /* SLUBBENCH_CHECKS_H */
