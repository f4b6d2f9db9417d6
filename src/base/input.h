/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are read; "-" is standard input. */
#ifndef SLUBBENCH_INPUT_H
#define SLUBBENCH_INPUT_H

#include <stdbool.h>

bool input_is_stdin(const char *path);

/* What messages call @path. */
const char *input_name(const char *path);

/* A descriptor of @path to read and to close, opened with @flags as well; -1 after a complaint. */
int input_open(const char *path, int flags);

#endif /* SLUBBENCH_INPUT_H */
