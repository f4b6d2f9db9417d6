/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that measures: its names for the rows, its limits for the plans. */
#ifndef SLUBBENCH_MACHINE_H
#define SLUBBENCH_MACHINE_H

#include <stdint.h>

/* Host name and CPU model ("unknown" when the system does not say); static strings. */
const char *machine_host(void);
const char *machine_cpu(void);

/* Bytes of memory that a program may hope for: physical memory, or the cgroup's limit if less. */
uint64_t machine_memory(void);

/*
 * Bind this process to @cpu, -1: to the one it runs on now.  The CPU's number, or -1 after a
 * complaint when it does not exist or the cpuset does not allow it.
 */
int machine_pin(int cpu);

/*
 * Could it be bound to @cpu?  0, or -1 after a complaint (@what: the option); it runs where it ran.
 */
int machine_try_cpu(const char *what, int cpu);

/* Nanoseconds of a clock that only goes forward. */
double machine_now_ns(void);

#endif /* SLUBBENCH_MACHINE_H */
