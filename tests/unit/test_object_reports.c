/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of a real kernel, Linux 6.1.0-50-cloud-amd64 with slub_debug=FZPU, whose objects a test
 * module corrupted on purpose.  Each dumped object is rebuilt where it lay in its slab and then
 * allocated or freed again: our report must be the kernel's, line by line.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "object_lab.h"
#include "slub/object.h"

#define LINES_MAX 40

/* The lines of one report that do not depend on the kernel's callers and page flags. */
struct lines {
	char text[LINES_MAX][160];
	size_t n;
};

/* One BUG of a log, from its title to its last FIX. */
struct report {
	struct lines lines;
	char cache[32];
	uint64_t object, offset, freeptr;
	unsigned int objects, used;
};

static void keep(struct lines *to, const char *line)
{
	size_t n = strcspn(line, "\n");

	assert_true(to->n < LINES_MAX);
	snprintf(to->text[to->n++], sizeof(to->text[0]), "%.*s", (int)n, line);
}

/* Keep @line where it says what is wrong or what was seen; "Tainted" is not ours to match. */
static void take_line(struct lines *to, const char *line)
{
	static const char *const starts[] = { "0x", "Object ", "Redzone ", "Padding ", "FIX " };

	if (strncmp(line, "BUG ", 4) == 0) {
		keep(to, strstr(line, "): ") + 3);
		return;
	}
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (strncmp(line, starts[i], strlen(starts[i])) == 0)
			keep(to, line);
}

/* The next report of @log; false at its end. */
static bool next_report(FILE *log, struct report *r)
{
	static char pending[512];
	char line[512];

	memset(r, 0, sizeof(*r));
	for (;;) {
		const char *text;

		if (pending[0] != '\0') {
			strcpy(line, pending);
			pending[0] = '\0';
		} else if (!fgets(line, sizeof(line), log)) {
			return r->lines.n > 0;
		}
		text = strstr(line, "] ");
		if (text == NULL)
			continue;
		text += 2;
		if (strncmp(text, "BUG ", 4) == 0) {
			if (r->lines.n > 0) {
				strcpy(pending, line);
				return true;
			}
			sscanf(text, "BUG %31s", r->cache);
		}
		sscanf(text, "Slab 0x%*x objects=%u used=%u", &r->objects, &r->used);
		sscanf(text, "Object 0x%" SCNx64 " @offset=%" SCNu64 " fp=0x%" SCNx64, &r->object,
		       &r->offset, &r->freeptr);
		take_line(&r->lines, text);
	}
}

static FILE *open_log(const char *name)
{
	const char *top = getenv("srcdir");
	char path[4096];
	FILE *log;

	snprintf(path, sizeof(path), "%s/tests/data/slub-reports/%s", top ? top : ".", name);
	log = fopen(path, "r");
	assert_non_null(log);
	return log;
}

/* A slab with one object as the kernel dumped it. */
struct rebuilt {
	struct slub_heap *heap;
	struct slab_cache *cache;
	struct slub_object objects[64];
	unsigned int at; /* of the dumped one */
	char *text;
	size_t text_size;
};

static const struct slub_caller caller = { .addr = 0x1000, .cpu = 0, .pid = 82 };

/* The bytes of the dump's rows, each of which names where it lay. */
static void load_dump(const struct report *r, uint8_t *object)
{
	for (size_t i = 0; i < r->lines.n; i++) {
		uint64_t address;
		unsigned int byte;
		int used = 0;
		const char *at;

		sscanf(r->lines.text[i], "%*[A-Za-z] %" SCNx64 ":%n", &address, &used);
		if (used == 0)
			continue;
		for (at = r->lines.text[i] + used; sscanf(at, " %2x%n", &byte, &used) == 1 &&
		     at[0] == ' ' && at[1] != ' ' && used == 3; at += used)
			object[(int64_t)(address++ - r->object)] = (uint8_t)byte;
	}
}

/* The slub cache of the test module: 56 bytes, 152 with FZPU, 26 in a page. */
static void rebuild(struct rebuilt *b, const struct report *r)
{
	struct slub_cache_spec spec = { r->cache, 56, 0, 0, false };
	struct slub_slab *slab;

	memset(b, 0, sizeof(*b));
	b->heap = slub_heap_new(&lab_exact, &slub_linux_6_1, 0);
	b->heap->log = open_memstream(&b->text, &b->text_size);
	b->cache = slab_cache_new(b->heap, &spec, SLUB_DEBUG_FLAGS);
	assert_int_equal(b->cache->layout.objects, r->objects);
	b->at = (unsigned int)(r->offset - b->cache->layout.red_left_pad) / b->cache->layout.size;
	for (unsigned int i = 0; i <= b->at; i++)
		b->objects[i] = slub_alloc(b->cache, 0, &caller);
	slab = b->objects[b->at].slab;
	assert_int_equal(b->objects[b->at].bytes - slab->base, r->offset);
	/* Where reports say that it lies: the page that the kernel had. */
	slab->page = (r->object - r->offset - 0xffff888000000000u) / 4096;
}

static void assert_same_lines(const struct report *r, struct rebuilt *b)
{
	struct lines ours = { .n = 0 };

	fclose(b->heap->log);
	b->heap->log = NULL;
	for (char *line = strtok(b->text, "\n"); line != NULL; line = strtok(NULL, "\n"))
		take_line(&ours, line);
	for (size_t i = 0; i < ours.n && i < r->lines.n; i++)
		assert_string_equal(ours.text[i], r->lines.text[i]);
	assert_int_equal(ours.n, r->lines.n);
	slub_heap_free(b->heap);
	free(b->text);
}

/* Corrupted while it was allocated: the free finds it. */
static void found_on_free(const char *file)
{
	FILE *log = open_log(file);
	struct report r;
	unsigned int n = 0;

	for (; next_report(log, &r); n++) {
		struct rebuilt b;

		rebuild(&b, &r);
		load_dump(&r, b.objects[b.at].bytes);
		assert_false(slub_free(b.objects[b.at], &caller));
		assert_int_equal(b.heap->reports, 1);
		assert_same_lines(&r, &b);
	}
	fclose(log);
	assert_int_equal(n, 2);
}

static void right_redzone(void **state)
{
	(void)state;
	found_on_free("linux-6.1-kind0.txt");
}

static void left_redzone(void **state)
{
	(void)state;
	found_on_free("linux-6.1-kind2.txt");
}

/* Written to after it was freed: the next alloc finds it, and gives up the slab. */
static void poison(void **state)
{
	FILE *log = open_log("linux-6.1-kind3.txt");
	struct slub_object next;
	struct slub_slab *slab;
	struct rebuilt b;
	struct report r;

	(void)state;
	assert_true(next_report(log, &r));
	fclose(log);
	rebuild(&b, &r);
	slab = b.objects[b.at].slab;
	assert_true(slub_free(b.objects[b.at], &caller));
	load_dump(&r, b.objects[b.at].bytes);
	/* A hardened kernel shuffles its free lists: follow its pointer. */
	slub_set_freeptr(b.cache, b.objects[b.at].bytes,
			 slab->base + (r.freeptr - (r.object - r.offset)));
	next = slub_alloc(b.cache, 0, &caller);
	assert_int_equal(b.heap->reports, 1);
	assert_ptr_not_equal(next.slab, slab);
	assert_int_equal(slab->inuse, slab->objects);
	assert_same_lines(&r, &b);
}

/* Freed twice: told at once, and the free list that this cut is mended by the next free. */
static void double_free(void **state)
{
	FILE *log = open_log("linux-6.1-kind5.txt");
	struct report r;
	unsigned int n = 0;

	(void)state;
	for (; next_report(log, &r); n++) {
		struct report count;
		struct rebuilt b;
		unsigned int first = 0;

		assert_true(next_report(log, &count));
		rebuild(&b, &r);
		/* As many objects in use as the kernel had, and ours the last one freed. */
		while (b.objects[b.at].slab->inuse > r.used + 1)
			slub_free(b.objects[first++], &caller);
		while (b.objects[b.at].slab->inuse < r.used + 1)
			b.objects[b.at + 1 + first++] = slub_alloc(b.cache, 0, &caller);
		assert_true(slub_free(b.objects[b.at], &caller));
		assert_int_equal(b.objects[b.at].slab->inuse, r.used);
		load_dump(&r, b.objects[b.at].bytes);
		assert_false(slub_free(b.objects[b.at], &caller));
		assert_true(slub_free(b.objects[b.at > first ? first : b.at + 1], &caller));
		assert_int_equal(b.heap->reports, 2);

		for (size_t i = 0; i < count.lines.n; i++)
			keep(&r.lines, count.lines.text[i]);
		assert_same_lines(&r, &b);
	}
	fclose(log);
	assert_int_equal(n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right_redzone),
		cmocka_unit_test(left_redzone),
		cmocka_unit_test(poison),
		cmocka_unit_test(double_free),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
