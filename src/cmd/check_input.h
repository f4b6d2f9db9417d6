/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes of a file, all of them, in memory. */
#ifndef SLUBBENCH_CHECK_INPUT_H
#define SLUBBENCH_CHECK_INPUT_H

#include <stddef.h>
#include <stdint.h>

struct input {
	const char *path; /* NULL: none was read */
	uint8_t *bytes;
	size_t size;
};

/*
 * Read @path ("-": stdin, which may be a pipe).  0, or -1 after a complaint: no regular file, more
 * than memory can hold beside a copy, or shorter at the end of reading than at its beginning.
 */
int input_read(struct input *input, const char *path);
void input_free(struct input *input);

/* Offset of the first byte that is not @value, by definition; input->size when there is none. */
size_t input_first_bad(const struct input *input, uint8_t value);

#endif /* SLUBBENCH_CHECK_INPUT_H */
