/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/complain.h"
#include "base/input.h"
#include "base/xalloc.h"
#include "slub/trace.h"
#include "slub/trace_caches.h"
#include "slub/trace_child.h"
#include "slub/trace_map.h"
#include "slub/trace_names.h"

#define BUFFER       ((size_t)1 << 20) /* a longer line is no trace's: one bad event */
#define ENDLESS      (64u << 20)       /* a line that goes on for so long is refused, and as much
					* with zero bytes and without any event */
#define ZERO_SIZE_PTR 16u               /* what kmalloc(0) gives: no object */

struct trace {
	char *path;
	int fd;
	struct trace_child child;   /* who writes into fd, where that is a pipe of ours */
	char *buffer;
	size_t from, to;            /* unread bytes in the buffer */
	bool at_end, skipping;      /* the rest of a line that is too long */
	uint64_t taken, line_start; /* bytes read so far; before the line that is being read */
	struct trace_counts counts;
	struct trace_map live;
	struct trace_names sites;
	struct trace_caches caches;
	uint32_t *free_slots;
	size_t n_free_slots, room, n_slots;
};

static const struct magic {
	const char *bytes;
	size_t n;
	const char *advice; /* NULL: trace-cmd makes text of it */
} magics[] = {
	{ "\x1f\x8b", 2, "is compressed; expected text: zcat it and give --trace -" },
	{ "\xfd" "7zXZ", 5, "is compressed; expected text: xzcat it and give --trace -" },
	{ "\x28\xb5\x2f\xfd", 4, "is compressed; expected text: zstdcat it and give --trace -" },
	{ "\x17\x08\x44tracing", 10, NULL },
	{ "PERFILE2", 8, "is a perf.data; expected text: use what perf script prints" },
};

/* /dev/zero, a disk: what would be read for hours without a word. */
static int refuse_endless(const struct trace *t)
{
	const struct trace_counts *c = &t->counts;

	if (t->taken - t->line_start > ENDLESS) {
		complain("%s:%ju: a line of more than %u MiB: this is no trace", t->path,
			 (uintmax_t)c->lines + 1, ENDLESS >> 20);
		return -1;
	}
	if (t->taken > ENDLESS && c->allocs + c->frees + c->stray_frees == 0 &&
	    memchr(t->buffer, '\0', t->to) != NULL) {
		complain("%s: no kmem event in the first %u MiB, but zero bytes: this is no trace",
			 t->path, ENDLESS >> 20);
		return -1;
	}
	return 0;
}

/* Move what is left to the front and read on: 0, or -1 after a complaint. */
static int fill(struct trace *t)
{
	ssize_t got;

	memmove(t->buffer, t->buffer + t->from, t->to - t->from);
	t->to -= t->from;
	t->from = 0;
	do {
		got = trace_child_read(&t->child, t->fd, t->buffer + t->to, BUFFER - t->to);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		complain("%s: cannot read: %s", t->path, strerror(errno));
		return -1;
	}
	t->to += (size_t)got;
	t->taken += (uint64_t)got;
	t->at_end = got == 0;
	return t->at_end ? trace_child_end(&t->child, t->path) : refuse_endless(t);
}

/* Read on from trace-cmd what @path holds.  It opens the path again: of a pipe the start is gone. */
static int read_by_child(struct trace *t, bool standard)
{
	struct stat st;

	if (standard || fstat(t->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		complain("%s: is a trace.dat, which is not read front to back; give the file's name, "
			 "or what trace-cmd report prints", t->path);
		return -1;
	}
	close(t->fd);
	t->from = t->to = 0;
	t->taken = 0;
	t->fd = trace_child_start(&t->child, t->path);
	if (t->fd < 0 || fill(t) != 0)
		return -1;
	if (!t->at_end)
		return 0;
	/* It exits with 0, and may say nothing, when the file ends within its header. */
	complain("%s: trace-cmd finds no event in it; is it the whole file?", t->path);
	return -1;
}

/* What the first bytes say that it is: 0 when it is text, or has become it. */
static int look_at_start(struct trace *t, bool standard)
{
	do {
		if (fill(t) != 0)
			return -1;
	} while (!t->at_end && t->to < 16);
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (t->to < magics[i].n || memcmp(t->buffer, magics[i].bytes, magics[i].n) != 0)
			continue;
		if (magics[i].advice == NULL)
			return read_by_child(t, standard);
		complain("%s: %s", t->path, magics[i].advice);
		return -1;
	}
	return 0;
}

struct trace *trace_open(const char *path)
{
	struct trace *t = xcalloc(1, sizeof(*t));

	t->path = xstrdup(input_name(path));
	t->buffer = xmalloc(BUFFER);
	t->fd = input_open(path, 0);
	if (t->fd >= 0 && look_at_start(t, input_is_stdin(path)) == 0)
		return t;
	trace_close(t);
	return NULL;
}

void trace_close(struct trace *t)
{
	if (t == NULL)
		return;
	if (t->fd >= 0)
		close(t->fd);
	trace_child_drop(&t->child);
	trace_map_free(&t->live);
	trace_names_free(&t->sites);
	trace_caches_free(&t->caches);
	free(t->free_slots);
	free(t->buffer);
	free(t->path);
	free(t);
}

/* 1 and the next line, its end left off; 0 at the end, -1 after a complaint. */
static int next_line(struct trace *t, const char **line, size_t *n)
{
	for (;;) {
		const char *start = t->buffer + t->from;
		const char *end = memchr(start, '\n', t->to - t->from);

		if (end != NULL) {
			t->from += (size_t)(end - start) + 1;
			t->line_start = t->taken - (t->to - t->from);
			t->counts.lines++;
			*line = start;
			*n = (size_t)(end - start);
			if (!t->skipping)
				return 1;
			t->skipping = false;
			continue;
		}
		if (t->to - t->from == BUFFER) {
			/* Counted as bad once, then dropped up to its end. */
			if (!t->skipping && t->counts.bad++ == 0)
				t->counts.first_bad = t->counts.lines + 1;
			t->skipping = true;
			t->from = t->to;
		}
		if (t->at_end) {
			if (t->from < t->to)
				t->counts.cut = 1;
			t->from = t->to;
			return 0;
		}
		if (fill(t) != 0)
			return -1;
	}
}

static uint32_t take_slot(struct trace *t)
{
	return t->n_free_slots > 0 ? t->free_slots[--t->n_free_slots] : (uint32_t)t->n_slots++;
}

static void give_slot(struct trace *t, uint32_t slot)
{
	/* Not xgrow(): the stack goes up and down. */
	if (t->n_free_slots == t->room) {
		t->room = t->room == 0 ? 1024 : 2 * t->room;
		t->free_slots = xreallocarray(t->free_slots, t->room, sizeof(*t->free_slots));
	}
	t->free_slots[t->n_free_slots++] = slot;
}

static struct object_op start_op(struct trace *t, const struct trace_event *e, enum slub_op op)
{
	return (struct object_op){
		.op = (uint8_t)op,
		.pid = e->pid,
		.cpu = (uint8_t)e->cpu,
		.site = trace_names_number(&t->sites, e->site.at, e->site.n),
	};
}

static size_t do_free(struct trace *t, const struct trace_event *e, struct trace_map_entry *entry,
		      struct object_op *ops)
{
	ops[0] = start_op(t, e, SLUB_FREE);
	ops[0].slot = entry->slot;
	ops[0].cache = entry->cache;
	if (e->name.n > 0)
		trace_caches_name(&t->caches, entry->cache, e->name.at, e->name.n);
	give_slot(t, entry->slot);
	trace_map_remove(&t->live, entry);
	t->counts.frees++;
	t->counts.live--;
	return 1;
}

static size_t take_free(struct trace *t, const struct trace_event *e, struct object_op *ops)
{
	struct trace_map_entry *entry;

	if (e->ptr == 0 || e->ptr == ZERO_SIZE_PTR) {
		t->counts.null_frees++;
		return 0;
	}
	entry = trace_map_find(&t->live, e->ptr);
	if (entry == NULL) {
		t->counts.stray_frees++;
		return 0;
	}
	return do_free(t, e, entry, ops);
}

/* Is there an object of a cache behind this alloc? */
static bool usable_alloc(struct trace *t, const struct trace_event *e)
{
	if (e->requested == 0 || e->ptr == ZERO_SIZE_PTR)
		t->counts.zero++;
	else if (e->ptr == 0)
		t->counts.failed++;
	else if (e->allocated < e->requested || e->requested > TRACE_SIZE_MAX ||
		 e->allocated > 2 * TRACE_SIZE_MAX)
		t->counts.impossible++;
	else if (e->kmalloc && e->requested > TRACE_KMALLOC_MAX)
		t->counts.large++;
	else
		return true;
	return false;
}

static size_t take_alloc(struct trace *t, const struct trace_event *e, struct object_op *ops)
{
	struct trace_map_entry *entry;
	size_t n = 0;
	int cache;

	if (!usable_alloc(t, e))
		return 0;
	cache = trace_caches_number(&t->caches, e->kmalloc, (uint32_t)e->requested,
				    (uint32_t)e->allocated);
	if (cache < 0) {
		t->counts.impossible++;
		return 0;
	}
	entry = trace_map_find(&t->live, e->ptr);
	if (entry != NULL) {
		struct trace_event missing = { .pid = e->pid, .cpu = e->cpu };

		t->counts.reused++;
		n = do_free(t, &missing, entry, ops);
	}
	ops[n] = start_op(t, e, SLUB_ALLOC);
	ops[n].slot = take_slot(t);
	ops[n].cache = (uint16_t)cache;
	ops[n].requested = (uint32_t)e->requested;
	entry = trace_map_add(&t->live, e->ptr);
	entry->slot = ops[n].slot;
	entry->cache = (uint16_t)cache;
	t->counts.allocs++;
	t->counts.live++;
	return n + 1;
}

/* The operations of one line: 0, 1, or 2. */
static size_t take_line(struct trace *t, const char *line, size_t n, struct object_op *ops)
{
	struct trace_event e;

	trace_parse(line, n, &e);
	switch (e.kind) {
	case TRACE_ALLOC:
		return take_alloc(t, &e, ops);
	case TRACE_FREE:
		return take_free(t, &e, ops);
	case TRACE_LOST:
		t->counts.lost += e.lost;
		t->counts.lost_marks++;
		return 0;
	case TRACE_BAD:
		if (t->counts.bad++ == 0)
			t->counts.first_bad = t->counts.lines;
		return 0;
	case TRACE_OTHER:
		break;
	}
	return 0;
}

int64_t trace_read(struct trace *t, struct object_op *ops, size_t max)
{
	const char *line;
	size_t done = 0, n;
	int rc;

	/* One line may make two operations. */
	while (done + 2 <= max) {
		rc = next_line(t, &line, &n);
		if (rc < 0)
			return -1;
		if (rc == 0)
			break;
		done += take_line(t, line, n, ops + done);
	}
	return (int64_t)done;
}

const struct trace_counts *trace_counts(const struct trace *t)
{
	return &t->counts;
}

bool trace_at_end(const struct trace *t)
{
	return t->at_end && t->from == t->to;
}

size_t trace_slots(const struct trace *t)
{
	return t->n_slots;
}

size_t trace_cache_count(const struct trace *t)
{
	return t->caches.n;
}

struct slub_cache_spec trace_cache_spec(struct trace *t, size_t i,
					const struct slub_kernel *kernel)
{
	return trace_caches_spec(&t->caches, i, kernel);
}
