/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The milestone that somebody waits for, and where the time before it goes.
 */
#ifndef SLUBBENCH_GOAL_H
#define SLUBBENCH_GOAL_H

#include <stdbool.h>
#include <stddef.h>

#include "boot/boot.h"

enum goal_kind {
	GOAL_INITCALL, /* NAME: the initcall returns; NAME#2 is the second of that name */
	GOAL_PROBE,    /* probe:DEVICE: its first successful probe */
	GOAL_INIT,     /* init: "Run ... as init process" */
};

struct goal {
	enum goal_kind kind;
	double at_us;       /* on the clock of the log; NAN: it was not reached */
	ptrdiff_t call;     /* the initcall, or the one in which the probe ran; -1: none */
	size_t n_before;    /* calls[0 .. n_before) began before it */
	unsigned int line;  /* of the log, that defines it; 0: not from a log */
	bool by_stamps;     /* false: no stamps, at_us is the sum of the durations before it */
	char *label;        /* "imx2_wdt_driver_init returns", for people */
};

/*
 * Finds the milestone @spec in @boot.  0, or -1 after complain() with the nearest names when it is
 * not there.  The caller frees with goal_free(); *goal is zeroed on failure.
 */
int goal_find(const struct boot *boot, const char *spec, struct goal *goal);
void goal_free(struct goal *goal);

/* A part of the time before a milestone. */
struct share {
	char *name;        /* "device", "ext4" */
	size_t calls;
	double us;         /* what of them lies before the milestone */
};

struct breakdown {
	double total_us;     /* from the clock's zero to the milestone */
	double head_us;      /* before the first initcall: no initcall_debug says what it went to */
	double calls_us;     /* in initcalls of pid 0 and 1 */
	double gaps_us;      /* between them: SMP bring-up, driver_init(), printk */
	double tail_us;      /* from the last initcall to the milestone */
	size_t n_calls;
	struct share *levels, *prefixes; /* of calls_us; levels in order, prefixes largest first */
	size_t n_levels, n_prefixes;
};

struct breakdown goal_breakdown(const struct boot *boot, const struct goal *goal);
void breakdown_free(struct breakdown *breakdown);

/*
 * What of call @index lies before the milestone, microseconds: its duration, less when the milestone
 * is inside of it, 0 behind it.  Calls of other processes than 0 and 1 run beside the boot: 0.
 */
double goal_share(const struct boot *boot, const struct goal *goal, size_t index);

/*
 * "ext4" of "ext4_init_fs", "ledtrig" of "ledtrig_cpu_init", "regulator" of "init_regulator": the first
 * word that says something.  *n is its length.
 */
const char *initcall_prefix(const char *name, size_t *n);

/*
 * Does the boot wait for it?  The kernel's own initcalls run on pid 1 and the consoles' on pid 0,
 * one after the other; a module's runs in its modprobe.
 */
bool call_on_boot_path(const struct initcall *call);

/*
 * What the others win when call @index goes elsewhere: from its start to that of the next one, which
 * is its own time and that of printing it.
 */
double call_span(const struct boot *boot, size_t index);

#endif /* SLUBBENCH_GOAL_H */
