/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPU's own cycle counter, by way of the kernel, where that is allowed. */
#ifndef SLUBBENCH_CYCLES_H
#define SLUBBENCH_CYCLES_H

struct cycles {
	int fd; /* -1: none to be had */
};

/* Count this thread's user space cycles.  Virtual machines and locked-down kernels have none. */
void cycles_open(struct cycles *c);
void cycles_close(struct cycles *c);

/* Cycles so far; NAN without a counter, or when it had to share its hardware for a while. */
double cycles_read(const struct cycles *c);

#endif /* SLUBBENCH_CYCLES_H */
