/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log in every form that logs come in, made from one by machine. */
#ifndef SLUBBENCH_TESTS_LOG_DRESS_H
#define SLUBBENCH_TESTS_LOG_DRESS_H

#include <stddef.h>
#include <stdio.h>

/* A line of the log taken apart: "<7>[    0.306405] calling  f+0x0/0x688 @ 1" */
struct dress_line {
	int priority;
	char stamp[32]; /* "    0.306405" */
	double us;
	const char *text;
	size_t number;
};

/* Writes the line in a dress of its own. */
typedef void dress_fn(FILE *to, const struct dress_line *line);

struct dress {
	const char *name;
	dress_fn *fn;
};

/* The two that the others are compared with. */
dress_fn dress_priority, dress_bare;

/* With the time of each line, and without; a NULL name ends them. */
extern const struct dress stamped_dresses[], unstamped_dresses[];

/* @original in the dress of @fn: *@n bytes, to be freed. */
char *log_dress(const char *original, dress_fn *fn, size_t *n);

#endif /* SLUBBENCH_TESTS_LOG_DRESS_H */
