/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reader of initcall_debug boot logs, in every form in which people keep them: dmesg with and
 * without stamps, priorities or caller ids, journal and syslog, vendor prefixes, colours, CRLF,
 * quoted and hard-wrapped mail, serial captures, and the wordings of 2.6 to today.
 */
#ifndef SLUBBENCH_LOG_H
#define SLUBBENCH_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/boot.h"

/* How many of the lines that could not be placed are kept to be shown. */
#define LOG_N_UNPLACED 5

/* "returned 0 after N usecs": what one of these usecs is. */
enum log_scale {
	SCALE_MICROSECONDS, /* 5.18 and later: true microseconds */
	SCALE_BY_VERSION,   /* older by its "Linux version": ns >> 10, made into microseconds here */
	SCALE_BY_TICKS,     /* no version, but the values before the clock switch are ticks >> 10 */
	SCALE_ASSUMED,      /* no version and nothing to tell by: taken as microseconds */
};

/* What was read, and all that was not: the reader guesses nothing in silence. */
struct log_stats {
	uint64_t bytes, lines;
	uint64_t text;            /* of the bytes, those that are no line ends, nor blanks before them */
	size_t initcalls;         /* rows of the boot that was taken, modules and pid 0 included */
	size_t modules;           /* of them, loaded by modprobe */
	size_t async_calls;       /* asynchronous functions: boot->asyncs, no initcalls */
	size_t probes;
	size_t unmatched_starts;  /* "calling" without "returned" */
	size_t unmatched_returns; /* "returned" without "calling": start computed from the duration */
	size_t blacklisted;
	size_t warnings;          /* "initcall X returned with preemption imbalance" and its like */
	size_t lookalikes;        /* "pci 0000:00:00.0: calling quirk_x": no initcall */
	size_t joined;            /* lines that were hard-wrapped */
	size_t doubled;           /* the same line again, right after itself */
	size_t long_lines;        /* longer than any log line: skipped */
	size_t units_missing;     /* "after N" without a unit: read as usecs */
	size_t unplaced;          /* lines that look like initcall_debug and are not understood */
	struct {
		unsigned int line;
		const char *wanted; /* what was expected there */
		char text[100];
	} first_unplaced[LOG_N_UNPLACED];
	bool stamps;              /* the boot that was taken has printk stamps */
	enum log_scale scale;
	size_t boots;             /* in the file; one is taken: the first complete one */
	size_t taken;             /* which, from 1 */
	unsigned int taken_line;  /* its first line */
	bool taken_complete;      /* it reaches "Run ... as init process" or frees the init memory */
	bool same_again;          /* the others repeat it: a serial capture and a dump, say */
};

/*
 * Reads @path ("-": standard input) to its end.  Returns 0 with the boot in *out, which the caller
 * frees, or -1 after complain(); *stats is filled in both cases.  The input is streamed: memory
 * grows with the initcalls of two boots, not with the file.
 */
int log_read(const char *path, struct boot **out, struct log_stats *stats);

/* The same from memory; @name stands for the file in messages and is the name of the boot. */
int log_read_memory(const void *text, size_t n, const char *name, struct boot **out,
		    struct log_stats *stats);

#endif /* SLUBBENCH_LOG_H */
