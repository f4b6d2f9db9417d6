/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder of our own on a file system that outlives the process: made under a name that tells
 * whose it is, removed at the end, on SIGINT, SIGTERM and SIGHUP, and where the process was killed by
 * the next one.
 */
#ifndef SLUBBENCH_SCRATCH_H
#define SLUBBENCH_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "sysfs/registry.h"

#define SCRATCH_NAME_MAX 64

/* "slubbench.PID.START": START is when the process began, so a new one of that number is another. */
const char *scratch_name(char name[SCRATCH_NAME_MAX]);

/* Is @name one that scratch_name() made, of a process that is gone? */
bool scratch_is_leftover(const char *name);

/*
 * Remove @name in the directory @dirfd with all below it.  On a file system whose files come and
 * go with their directory (cgroup) only the directories are removed, @files false.  0, or -1.
 */
int scratch_remove(int dirfd, const char *name, bool files);

/* Remove what killed processes left in @dirfd.  The number of folders removed. */
size_t scratch_remove_leftovers(int dirfd, bool files);

/*
 * List the folder @path below @dirfd as a registry_type's list() does; *@rc is what that returns.
 * 0, or -1 and errno when the folder cannot be opened.
 */
int scratch_list(int dirfd, const char *path, reg_list_fn *fn, void *arg, int *rc);

/* From here on signals only set a flag, until scratch_end(); nests. */
void scratch_begin(void);
void scratch_end(void);
/*
 * scratch_remove() and scratch_end().  0; 1 when not all could be removed, errno tells why; -1
 * when a signal came, which was complained of.
 */
int scratch_finish(int dirfd, const char *name, bool files);
/* Did one come, since the program started?  Complains once. */
bool scratch_interrupted(void);

#endif /* SLUBBENCH_SCRATCH_H */
