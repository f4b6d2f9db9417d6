/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are written whole or not at all: a nameless file beside the target takes the text,
 * and only a complete one, synced, gets the name, with owner and mode of the file it replaces; one
 * that may not be written to is not replaced.  stdout and files that are no regular files
 * (/dev/stdout, a FIFO) are written straight.  Every write error is found, at the latest on close.
 */
#ifndef SLUBBENCH_OUTPUT_H
#define SLUBBENCH_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
	FILE *file;       /* write here; NULL when not open */
	char *path;       /* the name to come; NULL: stdout or a special file */
	char *temporary;  /* where the file system has no nameless files */
	const char *what; /* for complaints */
};

/* @path ("-": standard input) is an input of this run: no output may take its place. */
void output_protect(const char *path);

/*
 * Open @path for writing, NULL or "-" for stdout: before the long work, so that a wrong name is
 * told at once.  0, or -1 after a complaint.
 */
int output_open(struct output *out, const char *path);

/* Give the file its name.  0, or -1 after a complaint, with the old file of that name untouched. */
int output_commit(struct output *out);

/* Leave no trace.  Harmless when not open. */
void output_drop(struct output *out);

/* Does it end at a terminal that can do more than print lines? */
bool output_is_terminal(FILE *file);

/* Before the work: is stdout there at all?  0, or -1 after a complaint. */
int output_stdout_open(void);

/* Flush stdout; a full disk or a closed pipe is an error.  main() ends with it. */
int output_stdout_ok(void);

#endif /* SLUBBENCH_OUTPUT_H */
