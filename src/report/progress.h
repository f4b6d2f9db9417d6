/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the work is, on one line of a terminal that rewrites itself.  Nothing where stderr is none. */
#ifndef SLUBBENCH_PROGRESS_H
#define SLUBBENCH_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	bool on;
	double shown_s; /* when it was last written, CLOCK_MONOTONIC */
};

/* @wanted: did the user not forbid it? */
void progress_open(struct progress *p, bool wanted);

/* @share of the work is done, 0..1; written a few times a second at most. */
void progress_show(struct progress *p, double share);

/* Wipe the line. */
void progress_close(struct progress *p);

#endif /* SLUBBENCH_PROGRESS_H */
