/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trace.dat by way of the program that wrote it: the text that `trace-cmd report` prints. */
#ifndef SLUBBENCH_SLUB_TRACE_CHILD_H
#define SLUBBENCH_SLUB_TRACE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct trace_child {
	pid_t pid; /* 0: none */
	int said;  /* what it complains of */
	int silence_ms; /* for so long it may write nothing, 30 s */
	bool silent;    /* it was, for longer, and is killed */
};

/*
 * Run trace-cmd on the file @path, without a shell: the end of a pipe to read its text from.
 * -1 after a complaint: it is not installed, say.
 */
int trace_child_start(struct trace_child *child, const char *path);

/*
 * read() from @fd, the end of its pipe: bytes, 0 at the end, -1 and errno.  The end is also where it
 * has exited and what it started holds the pipe open, but writes nothing, and where it has not
 * exited and writes nothing for too long: that is killed.
 */
ssize_t trace_child_read(struct trace_child *child, int fd, void *to, size_t n);

/*
 * Its text is at its end: pass on what it had to say.  0, or -1 after a complaint when it failed, or
 * was killed: it was silent, or did not end within two seconds.
 * Nothing where there is no child.
 */
int trace_child_end(struct trace_child *child, const char *path);

/* Nobody reads its text any more: it is killed where it has not ended, and what it started. */
void trace_child_drop(struct trace_child *child);

#endif /* SLUBBENCH_SLUB_TRACE_CHILD_H */
