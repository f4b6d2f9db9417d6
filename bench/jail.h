/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run what may crash or never come back, in a process of its own. */
#ifndef SLUBBENCH_JAIL_H
#define SLUBBENCH_JAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum jail_end {
	JAIL_DONE,    /* came to its end: *status is what the function returned */
	JAIL_SIGNAL,  /* died of signal *status */
	JAIL_EXIT,    /* ended the process by itself, with exit status *status */
	JAIL_STUCK,   /* showed no sign of life for too long and was killed */
	JAIL_FAILED,  /* could not be started at all; complained of */
};

/* Memory that the jail's writing shows through; NULL after a complaint.  jail_unshare() frees. */
void *jail_share(size_t size);
void jail_unshare(void *shared, size_t size);

/*
 * jail_run - fn(@arg) in a child process, whose stdout leads nowhere.
 *
 * The child must change *@beat, which is shared memory, at least every @patience_s seconds.
 */
enum jail_end jail_run(int (*fn)(void *arg), void *arg, const volatile uint64_t *beat,
		       double patience_s, int *status);

/* How it ended, in words that follow a name: "died of Segmentation fault". */
const char *jail_words(enum jail_end end, int status, double patience_s);

#endif /* SLUBBENCH_JAIL_H */
