/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is a variant right?  Asked before it is timed.
 *
 * The expected answer never comes from another variant: the verifier fills the buffer, puts the fault
 * there itself and so knows its offset.
 */
#ifndef SLUBBENCH_VERIFY_H
#define SLUBBENCH_VERIFY_H

#include "check.h"

enum verify_depth {
	VERIFY_FAST, /* all variants together in under 200 ms */
	VERIFY_FULL, /* every size in 0..520 at every alignment and position: up to a second each */
};

/* The smallest failing case: the smallest n, then value, then position, then alignment. */
struct verify_failure {
	size_t n;
	uint8_t value;
	unsigned int align; /* of the buffer, from a 64-byte boundary */
	size_t position;    /* of the first fault; n when there was none */
	size_t got;         /* the answer, unless @signal */
	int signal;         /* SIGSEGV and such when the variant died of it; 0 when it answered */
	bool wrote;         /* it died of a write into the buffer */
	bool known;         /* the variant's known_wrong() announces it */
};

/*
 * check_verify - try @fn, a function of @v's kind, in all the cases of @depth.
 *
 * @values: the @n_values values to try; with 0 a set of eight with and without the top bit.  Those that
 * v->applies() excludes are left out.  A crash inside @fn counts as a wrong answer and is survived, and
 * so does a write into the buffer, which @fn sees through a mapping that only reads.  A
 * case that v->known_wrong() announces is the result only when no other case fails.
 *
 * Returns 0 when right, 1 when wrong (*@first tells the case), -1 when there was no memory to try in.
 */
int check_verify(const struct check_variant *v, check_fn *fn, enum verify_depth depth,
		 const uint8_t *values, size_t n_values, struct verify_failure *first);

/* As check_verify() in FULL depth, for this one size (up to 520) and value. */
int check_verify_one(const struct check_variant *v, check_fn *fn, size_t n, uint8_t value,
		     struct verify_failure *first);

/* The failure in words, in at most @size bytes: what was asked, what came. */
void verify_describe(const struct verify_failure *failure, char *text, size_t size);

#endif /* SLUBBENCH_VERIFY_H */
