/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of a trace as small numbers: each distinct one is kept once. */
#ifndef SLUBBENCH_SLUB_TRACE_NAMES_H
#define SLUBBENCH_SLUB_TRACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct trace_names {
	char **names;       /* number 0 is "?": too many to keep */
	uint32_t *numbers;  /* hash of them, 0: empty */
	size_t n, size;
};

/* The number of a text, 0 when there are too many. */
uint32_t trace_names_number(struct trace_names *names, const char *text, size_t n);
void trace_names_free(struct trace_names *names);

#endif /* SLUBBENCH_SLUB_TRACE_NAMES_H */
