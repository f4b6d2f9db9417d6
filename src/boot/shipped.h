/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of data/boards and data/caches, compiled in so that the program runs anywhere. */
#ifndef SLUBBENCH_SHIPPED_H
#define SLUBBENCH_SHIPPED_H

#include <stddef.h>

struct shipped_file {
	const char *name; /* without folder and .csv */
	const char *text;
	size_t size;
	size_t creations; /* of a cache set: rows that name an initcall */
};

extern const struct shipped_file shipped_boards[]; /* both end with a NULL name */
extern const struct shipped_file shipped_caches[];

const struct shipped_file *shipped_find(const struct shipped_file *files, const char *name);

/*
 * What is to be read when the user says @name: *@file for what is compiled in, or NULL for a file
 * of that name.  -1 after a complaint that starts with @what and names the nearest.
 */
int shipped_or_file(const char *what, const struct shipped_file *files, const char *name,
		    const struct shipped_file **file);

#endif /* SLUBBENCH_SHIPPED_H */
