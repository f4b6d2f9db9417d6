/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the events of a log to boots: which return belongs to which call, where one boot ends and
 * the next begins, and what each call took.  Internal to the log reader.
 */
#ifndef SLUBBENCH_LOGBOOT_H
#define SLUBBENCH_LOGBOOT_H

#include "boot/boot.h"
#include "boot/log.h"
#include "boot/logline.h"

#define NO_CALL UINT32_MAX

/* What the log says of one initcall, beside what goes into struct initcall. */
struct log_raw {
	double called_us, returned_us; /* stamps; NAN: none, or no such line */
	uint64_t value;                /* "after N" */
	enum log_unit unit;            /* UNIT_NONE: not said */
	uint32_t older_open;           /* the call of the same name that was open before: a stack */
	uint32_t older;                /* the call of the same name before this one */
	uint64_t cookie;               /* of an asynchronous function */
	bool open;
	bool after_switch;             /* began when the clock had its final source */
};

struct log_raw_probe {
	uint64_t value;
	enum log_unit unit;
	uint32_t inside; /* the innermost call that was open then */
};

/* One entry a name: the way from "returned" to its "calling", in constant time. */
struct log_slot {
	uint32_t hash;
	uint32_t newest; /* call of that name and module; NO_CALL: the slot is free */
	uint32_t open;   /* the newest of them that has not returned */
};

#define N_RECENT 8 /* open calls that a probe may belong to: more never run at a time */

/* A boot in the making. */
struct log_draft {
	struct boot *boot;
	struct log_raw *raw;             /* one a call */
	struct log_raw *raw_asyncs;
	uint32_t *open_asyncs;           /* by cookie: the newest of boot->asyncs, + 1; 0: none */
	size_t n_open_asyncs;            /* a power of two of them (logasync.c) */
	struct log_raw_probe *raw_probes;
	struct log_slot *slots;          /* a power of two of them */
	size_t n_slots, n_used;
	uint32_t recent[N_RECENT];
	struct log_stats counts;         /* what belongs to this boot alone */
	double last_us;                  /* stamp of the last event */
	enum initcall_level level;       /* of the last "entering initcall level" */
	unsigned int first_line;
	bool has_version, switched, complete;
	bool counting_only;              /* a complete boot is held already */
};

struct log_builder {
	struct log_draft *now, *held;
	size_t boots, taken;
	bool other; /* one that is not the held one over again */
	const char *name;
	struct log_event last; /* kind, stamp and value of the event before: kernels print twice */
	char last_name[64];
};

void log_builder_init(struct log_builder *builder, const char *name);
void log_builder_event(struct log_builder *builder, const struct log_event *event,
		       unsigned int line, struct log_stats *stats);

/* An asynchronous function begins or ends (logasync.c). */
void log_async_event(struct log_draft *draft, const struct log_event *event, unsigned int line);

/* The boot at hand is over: what comes from @line on is another one. */
void log_builder_next(struct log_builder *builder, unsigned int line);

/* The boot to take, NULL when no event was an initcall; fills what *stats says of it. */
struct boot *log_builder_finish(struct log_builder *builder, struct log_stats *stats);

/* Frees what is left; also after a finish. */
void log_builder_free(struct log_builder *builder);

/* Turns the draft's stamps and values into durations (logtime.c). */
void log_draft_time(struct log_draft *draft);

/* A name that is valid UTF-8 and printable; other bytes become \xNN. */
char *log_clean_name(struct span name);

#endif /* SLUBBENCH_LOGBOOT_H */
