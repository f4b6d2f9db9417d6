/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces of the kmem events: which objects a real kernel allocated and freed, and when.
 *
 * Text in the forms of ftrace (/sys/kernel/tracing/trace), perf script and trace-cmd report, of
 * kernels 4.x to 6.x: kmem_cache_alloc, kmem_cache_free, kmalloc, kfree and the _node forms.  Read
 * front to back once, so a pipe will do; memory grows with the objects that are live at a time
 * and with the caches and callers that there are, never with the length of the trace.
 */
#ifndef SLUBBENCH_SLUB_TRACE_H
#define SLUBBENCH_SLUB_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slub/object_replay.h"

enum trace_kind {
	TRACE_OTHER, /* a comment, another event, a frame of a stack */
	TRACE_ALLOC,
	TRACE_FREE,
	TRACE_LOST,  /* the tracer says that it lost events */
	TRACE_BAD,   /* an event of ours that lacks what it must have */
};

struct trace_text {
	const char *at; /* not terminated; NULL: not there */
	size_t n;
};

/* What one line says.  Texts point into the line. */
struct trace_event {
	enum trace_kind kind;
	bool kmalloc;                  /* kmalloc or kfree, not a cache of its own */
	uint64_t ptr;
	uint64_t requested, allocated; /* bytes_req, bytes_alloc */
	uint64_t lost;                 /* events, 0 where the tracer does not know */
	struct trace_text site, name;  /* call_site=, name= */
	int32_t pid;
	unsigned int cpu;
};

/* Read one line of @n bytes, its end left off. */
void trace_parse(const char *line, size_t n, struct trace_event *event);

/* All that was seen and what became of it. */
struct trace_counts {
	uint64_t lines;
	uint64_t allocs, frees;        /* that became operations */
	uint64_t stray_frees;          /* of an address that the trace never allocated */
	uint64_t null_frees;           /* kfree(NULL) and kfree(ZERO_SIZE_PTR) */
	uint64_t reused;               /* allocs of an address that was live: its free is missing */
	uint64_t failed;               /* allocs that gave NULL */
	uint64_t zero;                 /* allocs of 0 bytes */
	uint64_t large;                /* kmalloc() by pages, which SLUB does not check */
	uint64_t impossible;           /* sizes that no cache can have */
	uint64_t lost, lost_marks;     /* events, and how often the tracer said so */
	uint64_t bad, first_bad;       /* lines; the number of the first one */
	uint64_t cut;                  /* 1: the last line has no end */
	uint64_t live;                 /* objects not freed so far */
};

struct trace;

/*
 * Open @path, "-" for stdin: NULL after a complaint (cannot open, compressed, binary).  A trace.dat
 * is read by way of trace-cmd report.
 */
struct trace *trace_open(const char *path);
void trace_close(struct trace *trace);

/*
 * The next operations, at most @max: how many, fewer than @max only at the end; -1 after a
 * complaint about a read error.  An alloc of a live address comes with the missing free before it.
 */
int64_t trace_read(struct trace *trace, struct object_op *ops, size_t max);

const struct trace_counts *trace_counts(const struct trace *trace);

/* Is there nothing more to read?  Known once trace_read() gave fewer than it could. */
bool trace_at_end(const struct trace *trace);

/* Slots used so far: every operation's slot is below. */
size_t trace_slots(const struct trace *trace);

/* Caches seen so far, in the order of object_op's numbers. */
size_t trace_cache_count(const struct trace *trace);

/*
 * What kmem_cache_create() of cache @i was probably told: the trace gives the object's size and
 * what it came to, and the usual reason that leads from one to the other is taken: an alignment,
 * a constructor.  The name is known once one of its objects was freed.
 */
struct slub_cache_spec trace_cache_spec(struct trace *trace, size_t i,
					const struct slub_kernel *kernel);

/*
 * Say on stderr what of the trace was not replayed and why, one line each, only what happened.
 * -1, after a complaint, when there was nothing to replay at all.
 */
int trace_notes(const char *path, const struct trace_counts *counts);

#endif /* SLUBBENCH_SLUB_TRACE_H */
