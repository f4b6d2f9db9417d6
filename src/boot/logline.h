/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of a boot log: find the initcall_debug message in it, and take it apart.
 */
#ifndef SLUBBENCH_LOGLINE_H
#define SLUBBENCH_LOGLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span {
	const char *at;
	size_t n;
};

enum log_kind {
	LOG_CALLING,     /* calling  f+0x0/0x10 @ 1 */
	LOG_RETURNED,    /* initcall f+0x0/0x10 returned 0 after 5 usecs */
	LOG_RAN_FOR,     /* initcall 0x... ran for 5 msecs: f+0x0/0x10(), a line of its own until 2.6.25 */
	LOG_BLACKLISTED, /* initcall f blacklisted */
	LOG_WARNED,      /* initcall f returned with preemption imbalance */
	LOG_PROBE,       /* probe of d returned 0 after 5 usecs */
	LOG_LEVEL,       /* entering initcall level: fs */
	LOG_WAITED,      /* async_continuing @ 1 after 5 usec */
	LOG_MARK,        /* Run /init as init process, clocksource: Switched to ... */
	LOG_VERSION,     /* Linux version 6.1.0 ... */
	LOG_COMMAND_LINE, /* Kernel command line: ... */
	LOG_SLUB,        /* SLUB: HWalign=64, ... CPUs=2: value and pid hold the two */
	LOG_LOOKALIKE,   /* pci 0000:00:00.0: calling  quirk+0x0/0x10 @ 1 */
};

enum log_unit {
	UNIT_NONE,
	UNIT_USECS,
	UNIT_MSECS, /* ns >> 20 */
};

struct log_event {
	enum log_kind kind;
	const char *at;     /* where its words begin */
	struct span name;   /* initcall, device, level, kernel release, or the text of a mark */
	struct span module; /* at == NULL: built in */
	bool async;         /* 5_f+0x0/0x10: an asynchronous function, no initcall */
	uint64_t cookie;    /* the 5 */
	bool has_pid;
	int pid;
	int result;
	uint64_t value;     /* of "after N"; valid unless unit is UNIT_NONE */
	enum log_unit unit;
	bool unit_missing;  /* the line ends behind N: usecs assumed */
	bool surely;        /* the name came as f+0x0/0x10, f() or an address */
	bool whole;         /* with FOUND_PART: can stand as it is, too */
	const char *wanted; /* with FOUND_BAD: what was expected */
	double stamp_us;    /* NAN: none */
};

enum log_found {
	FOUND_NOTHING, /* no message of ours */
	FOUND_EVENT,
	FOUND_PART,    /* ends where one more line may continue it */
	FOUND_BAD,     /* ours by its words, but not to be understood: event->wanted says why */
};

/*
 * Looks for the first message in [line, end) at or behind @from.  With FOUND_EVENT *next is behind
 * it, for another look at the same line; the spans point into the line.  @last: nothing follows, so
 * what can stand as it is becomes FOUND_EVENT rather than FOUND_PART.
 */
enum log_found log_line_parse(const char *line, const char *from, const char *end, bool last,
			      struct log_event *event, const char **next);

/*
 * Does the line begin with what printk, journal or syslog put before a message?  Such a line never
 * continues the one before it.  *stamp_us is the stamp or NAN, *message what is behind.
 */
bool log_line_prefix(const char *line, const char *end, double *stamp_us, const char **message);

/*
 * Copies [line, end) to @to without escape sequences: ESC [ ... letter, ESC ] ... BEL, ESC ( and one,
 * ESC and one.  Returns where the copy ends.
 */
char *log_line_without_colours(const char *line, const char *end, char *to);

/* Skips blanks and the "> " of mail quotes. */
const char *log_line_unquote(const char *line, const char *end);

#endif /* SLUBBENCH_LOGLINE_H */
