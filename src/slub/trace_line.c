/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of a trace.  The forms differ before the event's name and in how they write pointers:
 *
 *	ftrace     COMM-PID [CPU] FLAGS STAMP: kmalloc: call_site=f+0x1/0x2 ptr=ffff8880 ...
 *	trace-cmd  COMM-PID [CPU] STAMP: kmalloc:    (f+0x1) call_site=ffffffff81 ptr=0xffff8880 ...
 *	perf       COMM PID [CPU] STAMP: kmem:kmalloc: call_site=ffffffff81 ptr=0xffff8880 ...
 *
 * name= is there since 5.13 and call_site is a symbol since 5.1 or so; both may be missing.
 */
#include <string.h>

#include "slub/trace.h"

static const struct event_name {
	const char *name;
	size_t n;
	enum trace_kind kind;
	bool kmalloc;
} event_names[] = {
	{ "kmem_cache_alloc", 16, TRACE_ALLOC, false },
	{ "kmem_cache_free", 15, TRACE_FREE, false },
	{ "kmalloc", 7, TRACE_ALLOC, true },
	{ "kfree", 5, TRACE_FREE, true },
	{ "kmem_cache_alloc_node", 21, TRACE_ALLOC, false },
	{ "kmalloc_node", 12, TRACE_ALLOC, true },
};

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || c == '_';
}

static const struct event_name *find_name(const char *at, size_t n)
{
	for (size_t i = 0; i < sizeof(event_names) / sizeof(event_names[0]); i++)
		if (event_names[i].n == n && memcmp(at, event_names[i].name, n) == 0)
			return &event_names[i];
	return NULL;
}

/* The first "NAME:" that is one of ours; *@rest: behind its colon, *@head: where NAME starts. */
static const struct event_name *find_event(const char *line, const char *end, const char **head,
					   const char **rest)
{
	const char *colon = line;

	while ((colon = memchr(colon, ':', (size_t)(end - colon))) != NULL) {
		const struct event_name *name;
		const char *start = colon;

		while (start > line && name_char(start[-1]))
			start--;
		name = find_name(start, (size_t)(colon - start));
		/* perf writes the system before it: "kmem:kfree:". */
		if (name != NULL && start > line && (start[-1] == ' ' || start[-1] == ':')) {
			*head = start;
			*rest = colon + 1;
			return name;
		}
		colon++;
	}
	return NULL;
}

/* @text as a number, all of it: false when it is none or too big for 64 bits. */
static bool number(struct trace_text text, unsigned int base, uint64_t *to)
{
	uint64_t value = 0;

	if (base == 16 && text.n > 2 && text.at[0] == '0' && (text.at[1] | 32) == 'x') {
		text.at += 2;
		text.n -= 2;
	}
	if (text.n == 0)
		return false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.at[i] | 32;
		unsigned int digit = c >= '0' && c <= '9' ? (unsigned int)(c - '0') :
				     c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;

		if (text.at[i] < '0' || digit >= base ||
		    __builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	*to = value;
	return true;
}

/* "(null)" is an address; "(____ptrval____)" and the like tell none. */
static bool pointer(struct trace_text text, uint64_t *to)
{
	if (text.n == 6 && memcmp(text.at, "(null)", 6) == 0) {
		*to = 0;
		return true;
	}
	return number(text, 16, to);
}

/* KEY=VALUE words up to the end of the line. */
static bool next_word(const char **at, const char *end, struct trace_text *key,
		      struct trace_text *value)
{
	const char *p = *at, *start, *equals;

	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == end)
		return false;
	start = p;
	while (p < end && *p != ' ')
		p++;
	equals = memchr(start, '=', (size_t)(p - start));
	if (equals == NULL)
		equals = start;
	*key = (struct trace_text){ start, (size_t)(equals - start) };
	*value = (struct trace_text){ equals + 1, (size_t)(p - equals) - (p > equals) };
	*at = p;
	return true;
}

static bool is(struct trace_text text, const char *word, size_t n)
{
	return text.n == n && memcmp(text.at, word, n) == 0;
}

/* The words behind the event's name: false when one that must be there is not, or is no good. */
static bool read_words(const char *at, const char *end, struct trace_event *e)
{
	bool ptr = false, requested = false, allocated = false;
	struct trace_text key, value;

	while (next_word(&at, end, &key, &value)) {
		if (is(key, "ptr", 3)) {
			ptr = pointer(value, &e->ptr);
		} else if (is(key, "bytes_req", 9)) {
			requested = number(value, 10, &e->requested);
		} else if (is(key, "bytes_alloc", 11)) {
			allocated = number(value, 10, &e->allocated);
		} else if (is(key, "call_site", 9)) {
			e->site = value;
		} else if (is(key, "name", 4)) {
			/* The one value that may hold spaces: it ends the line. */
			e->name = (struct trace_text){ value.at, (size_t)(end - value.at) };
			break;
		}
	}
	return ptr && (e->kind == TRACE_FREE || (requested && allocated));
}

/* "COMM-52 [003]" or "COMM 52 [003]": the digits before and in the bracket. */
static void read_task(const char *line, const char *head, struct trace_event *e)
{
	const char *open = NULL, *p;
	uint64_t unit = 1, pid = 0;

	for (p = line; (p = memchr(p, '[', (size_t)(head - p))) != NULL; p++)
		if (p > line && p[-1] == ' ' && p[1] >= '0' && p[1] <= '9')
			open = p;
	if (open == NULL)
		return;
	for (p = open + 1; p < head && *p >= '0' && *p <= '9'; p++)
		e->cpu = e->cpu * 10 + (unsigned int)(*p - '0');
	for (p = open; p > line && p[-1] == ' ';)
		p--;
	for (; p > line && p[-1] >= '0' && p[-1] <= '9' && unit < 10000000000; p--, unit *= 10)
		pid += unit * (uint64_t)(p[-1] - '0');
	if (pid <= INT32_MAX)
		e->pid = (int32_t)pid;
}

/* "CPU:1 [LOST 12 EVENTS]" of ftrace, "CPU:1 [12 EVENTS DROPPED]" of trace-cmd, perf's own. */
static bool read_lost(const char *line, size_t n, struct trace_event *e)
{
	static const char *const marks[] = { "[LOST ", " EVENTS DROPPED]", "[EVENTS DROPPED]",
					     "PERF_RECORD_LOST" };
	bool found = false;

	/* Cheap to rule out: no event of ours has a capital E in such a place. */
	if (memchr(line, 'E', n) == NULL)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !found; i++)
		found = memmem(line, n, marks[i], strlen(marks[i])) != NULL;
	if (!found)
		return false;

	e->kind = TRACE_LOST;
	/* The last number that stands alone; "CPU:1" does not. */
	for (size_t i = 1; i < n; i++) {
		size_t digits = 0;

		if (line[i - 1] != ' ' && line[i - 1] != '[')
			continue;
		while (i + digits < n && line[i + digits] >= '0' && line[i + digits] <= '9')
			digits++;
		if (digits > 0)
			number((struct trace_text){ line + i, digits }, 10, &e->lost);
	}
	return true;
}

void trace_parse(const char *line, size_t n, struct trace_event *event)
{
	const struct event_name *name;
	const char *head, *rest;

	memset(event, 0, sizeof(*event));
	while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' '))
		n--;
	name = find_event(line, line + n, &head, &rest);
	if (name == NULL) {
		read_lost(line, n, event);
		return;
	}
	event->kind = name->kind;
	event->kmalloc = name->kmalloc;
	read_task(line, head, event);
	if (!read_words(rest, line + n, event))
		event->kind = TRACE_BAD;
}
