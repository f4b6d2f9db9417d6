/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmem traces: lines as ftrace, perf script and trace-cmd print them on kernels 4.x to 6.x, and
 * what becomes of a trace with holes, cuts and impossible numbers.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/complain.h"
#include "slub/trace.h"
#include "slub/trace_child.h"
#include "slub/trace_map.h"

/* What a line says, as "alloc kmalloc ptr 24/32 site pid cpu". */
static const char *said(const char *line)
{
	static char text[256];
	static const char *const kinds[] = {
		[TRACE_OTHER] = "other", [TRACE_ALLOC] = "alloc", [TRACE_FREE] = "free",
		[TRACE_LOST] = "lost", [TRACE_BAD] = "bad",
	};
	struct trace_event e;

	trace_parse(line, strlen(line), &e);
	if (e.kind == TRACE_LOST)
		snprintf(text, sizeof(text), "lost %" PRIu64, e.lost);
	else if (e.kind == TRACE_OTHER || e.kind == TRACE_BAD)
		snprintf(text, sizeof(text), "%s", kinds[e.kind]);
	else
		snprintf(text, sizeof(text), "%s %s %" PRIx64 " %" PRIu64 "/%" PRIu64
			 " %.*s pid=%d cpu=%u name=%.*s", kinds[e.kind],
			 e.kmalloc ? "kmalloc" : "cache", e.ptr, e.requested, e.allocated,
			 (int)e.site.n, e.site.at ? e.site.at : "", e.pid, e.cpu, (int)e.name.n,
			 e.name.at ? e.name.at : "");
	return text;
}

static const struct {
	const char *line, *said;
} line_rows[] = {
	/* ftrace, Linux 6.1 */
	{ "          fsloop-52      [003] .....    12.730153: kmem_cache_alloc: call_site="
	  "getname_flags+0x2b/0x180 ptr=ffff888000231000 bytes_req=4096 bytes_alloc=4096 "
	  "gfp_flags=GFP_KERNEL|__GFP_ZERO node=-1 accounted=false",
	  "alloc cache ffff888000231000 4096/4096 getname_flags+0x2b/0x180 pid=52 cpu=3 name=" },
	{ "          fsloop-52      [000] .....    12.730235: kmem_cache_free: call_site=putname+0x4c"
	  "/0x60 ptr=ffff8880009ee200 name=names_cache",
	  "free cache ffff8880009ee200 0/0 putname+0x4c/0x60 pid=52 cpu=0 name=names_cache" },
	/* ftrace, Linux 4.x: addresses for callers, no name, _node forms */
	{ " kworker/0:1-events-77 [001] d..1  1234.567890: kmalloc_node: call_site=ffffffff811c8f32 "
	  "ptr=ffff880036d5c800 bytes_req=24 bytes_alloc=32 gfp_flags=GFP_KERNEL node=0",
	  "alloc kmalloc ffff880036d5c800 24/32 ffffffff811c8f32 pid=77 cpu=1 name=" },
	{ "            bash-1234  [001] ....  99.5: kfree: call_site=ffffffff811c8f32 ptr=(null)",
	  "free kmalloc 0 0/0 ffffffff811c8f32 pid=1234 cpu=1 name=" },
	{ "<...>-9 [000] .... 1.0: kmem_cache_alloc_node: call_site=f ptr=ff00 bytes_req=8 "
	  "bytes_alloc=8 gfp_flags=0 node=-1",
	  "alloc cache ff00 8/8 f pid=9 cpu=0 name=" },
	/* perf script */
	{ "my prog  1234 [011]  1234.567890: kmem:kmalloc: call_site=ffffffff811c8f32 "
	  "ptr=0xffff880036d5c800 bytes_req=24 bytes_alloc=32 gfp_flags=GFP_KERNEL",
	  "alloc kmalloc ffff880036d5c800 24/32 ffffffff811c8f32 pid=1234 cpu=11 name=" },
	/* trace-cmd report */
	{ "            bash-1234  [000]  1234.567890: kmem_cache_free:      (putname+0x4c) "
	  "call_site=ffffffff811c8f32 ptr=0xffff880036d5c800 name=names cache\r",
	  "free cache ffff880036d5c800 0/0 ffffffff811c8f32 pid=1234 cpu=0 name=names cache" },
	/* what is no event of ours */
	{ "# tracer: nop", "other" },
	{ "", "other" },
	{ "            bash-1234  [000] .... 1.0: mm_page_alloc: page=0 pfn=1 order=0", "other" },
	{ "        ffffffff811c8f32 kmalloc_trace+0x1 ([kernel.kallsyms])", "other" },
	{ "cpus=2", "other" },
	/* lost events */
	{ "CPU:1 [LOST 17 EVENTS]", "lost 17" },
	{ "CPU:0 [LOST EVENTS]", "lost 0" },
	{ "CPU:1 [1234 EVENTS DROPPED]", "lost 1234" },
	{ "swapper 0 [000] 1.5: PERF_RECORD_LOST lost 12", "lost 12" },
	/* events that cannot be used */
	{ "b-1 [000] .... 1.0: kmalloc: call_site=f bytes_req=24 bytes_alloc=32", "bad" },
	{ "b-1 [000] .... 1.0: kmalloc: call_site=f ptr=ff00 bytes_req=24", "bad" },
	{ "b-1 [000] .... 1.0: kmalloc: call_site=f ptr=ff00 bytes_req=x bytes_alloc=32", "bad" },
	{ "b-1 [000] .... 1.0: kfree: call_site=f ptr=(____ptrval____)", "bad" },
	{ "b-1 [000] .... 1.0: kfree: call_site=f ptr=1ffff888000231000", "bad" },
	{ "b-1 [000] .... 1.0: kfree:", "bad" },
	{ "b-1 [000] .... 1.0: kmalloc: ptr=ff00 bytes_req=24 bytes_alloc=99999999999999999999",
	  "bad" },
};

static void every_form_of_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(line_rows) / sizeof(line_rows[0]); i++)
		assert_string_equal(said(line_rows[i].line), line_rows[i].said);
}

/* A trace in a file that goes away with it. */
static struct trace *open_text(const char *text, size_t n)
{
	char path[] = "/tmp/slubbench-trace.XXXXXX";
	int fd = mkstemp(path);
	struct trace *trace;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), (ssize_t)n);
	close(fd);
	trace = trace_open(path);
	unlink(path);
	assert_non_null(trace);
	return trace;
}

#define HEAD        "b-1 [000] .... 1.0: "
#define ALLOC(P, R, A) \
	HEAD "kmem_cache_alloc: call_site=f ptr=" P " bytes_req=" R " bytes_alloc=" A "\n"
#define KMALLOC(P, R, A) HEAD "kmalloc: call_site=g ptr=" P " bytes_req=" R " bytes_alloc=" A "\n"
#define FREE(P)     HEAD "kmem_cache_free: call_site=h ptr=" P " name=filp\n"
#define KFREE(P)    HEAD "kfree: call_site=h ptr=" P "\n"

/* "A0 F0": the operations, with their slots. */
static const char *ops_text(struct trace *trace, struct object_op *ops, size_t max)
{
	static char text[512];
	int64_t n = trace_read(trace, ops, max);
	size_t used = 0;

	assert_true(n >= 0);
	text[0] = '\0';
	for (int64_t i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%c%u/%u",
					 i ? " " : "", ops[i].op == SLUB_ALLOC ? 'A' : 'F',
					 ops[i].slot, ops[i].cache);
	return text;
}

static void slots_are_reused(void **state)
{
	static const char text[] = ALLOC("a00", "224", "256") KMALLOC("b00", "24", "32")
		FREE("a00") ALLOC("c00", "224", "256") KFREE("b00") FREE("c00");
	struct trace *trace = open_text(text, sizeof(text) - 1);
	struct object_op ops[16];
	struct slub_cache_spec spec;

	(void)state;
	assert_string_equal(ops_text(trace, ops, 16), "A0/0 A1/1 F0/0 A0/0 F1/1 F0/0");
	assert_true(trace_at_end(trace));
	assert_int_equal(trace_slots(trace), 2);
	assert_int_equal(ops[1].requested, 24);
	assert_int_not_equal(ops[0].site, 0);
	assert_int_not_equal(ops[1].site, ops[0].site); /* of another caller */
	assert_int_equal(ops[3].site, ops[0].site);
	assert_int_equal(trace_counts(trace)->allocs, 3);
	assert_int_equal(trace_counts(trace)->frees, 3);
	assert_int_equal(trace_counts(trace)->live, 0);

	assert_int_equal(trace_cache_count(trace), 2);
	spec = trace_cache_spec(trace, 0, &slub_linux_6_1);
	assert_string_equal(spec.name, "filp");
	assert_int_equal(spec.object_size, 224);
	assert_int_equal(spec.align, 64);
	spec = trace_cache_spec(trace, 1, &slub_linux_6_1);
	assert_string_equal(spec.name, "kmalloc-32");
	assert_int_equal(spec.align, 32);
	assert_int_equal(spec.flags, SLUB_KMALLOC);
	trace_close(trace);
}

static void specs_from_sizes(void **state)
{
	static const char text[] = ALLOC("a00", "720", "728") ALLOC("b00", "192", "192")
		ALLOC("c00", "168", "192") KMALLOC("d00", "5840", "8192")
		KMALLOC("e00", "40", "256") ALLOC("f00", "100", "4096");
	static const struct {
		unsigned int object_size, align;
		bool constructor;
	} want[] = { { 720, 8, true }, { 192, 8, false }, { 168, 64, false }, { 8192, 8192, false },
		     { 256, 256, false }, { 100, 4096, false } };
	struct trace *trace = open_text(text, sizeof(text) - 1);
	struct object_op ops[16];

	(void)state;
	assert_int_equal(trace_read(trace, ops, 16), 6);
	for (size_t i = 0; i < 6; i++) {
		struct slub_cache_spec spec = trace_cache_spec(trace, i, &slub_linux_6_1);

		assert_int_equal(spec.object_size, want[i].object_size);
		assert_int_equal(spec.align, want[i].align);
		assert_int_equal(spec.constructor, want[i].constructor);
	}
	trace_close(trace);
}

static void holes_are_counted(void **state)
{
	static const char text[] =
		FREE("a00")                               /* never allocated */
		KFREE("0000000000000000") KFREE("10")     /* NULL and kmalloc(0) */
		ALLOC("a00", "64", "64")
		ALLOC("a00", "64", "64")                  /* its free was lost */
		FREE("a00") FREE("a00")                   /* double free */
		KMALLOC("10", "0", "0")                   /* of nothing */
		KMALLOC("0", "64", "64")                  /* failed */
		ALLOC("b00", "1099511627776", "1099511627776")
		ALLOC("b00", "64", "32")
		KMALLOC("c00", "20000", "32768")          /* from pages */
		"CPU:0 [LOST 3 EVENTS]\nCPU:1 [LOST 4 EVENTS]\n"
		HEAD "kfree: nothing\n"
		ALLOC("d00", "64", "64")
		HEAD "kfree: call_site=h ptr=d0";         /* cut */
	struct trace *trace = open_text(text, sizeof(text) - 1);
	const struct trace_counts *c = trace_counts(trace);
	struct object_op ops[16];

	(void)state;
	assert_string_equal(ops_text(trace, ops, 16), "A0/0 F0/0 A0/0 F0/0 A0/0");
	assert_int_equal(c->stray_frees, 2);
	assert_int_equal(c->null_frees, 2);
	assert_int_equal(c->reused, 1);
	assert_int_equal(c->zero, 1);
	assert_int_equal(c->failed, 1);
	assert_int_equal(c->impossible, 2);
	assert_int_equal(c->large, 1);
	assert_int_equal(c->lost, 7);
	assert_int_equal(c->lost_marks, 2);
	assert_int_equal(c->bad, 1);
	assert_int_equal(c->first_bad, 15);
	assert_int_equal(c->cut, 1);
	assert_int_equal(c->live, 1);
	notes_off();
	assert_int_equal(trace_notes("x", c), 0);
	trace_close(trace);
}

/* A line longer than any trace's is one bad line, and what follows is read. */
static void endless_line(void **state)
{
	static const char after[] = "\n" ALLOC("a00", "64", "64");
	size_t n = (3u << 20) + 5;
	char *text = malloc(n + sizeof(after));
	struct object_op ops[4];
	struct trace *trace;

	(void)state;
	memset(text, 'x', n);
	memcpy(text + n, after, sizeof(after));
	trace = open_text(text, n + sizeof(after) - 1);
	assert_string_equal(ops_text(trace, ops, 4), "A0/0");
	assert_int_equal(trace_counts(trace)->bad, 1);
	assert_int_equal(trace_counts(trace)->first_bad, 1);
	assert_int_equal(trace_counts(trace)->lines, 2);
	trace_close(trace);
	free(text);
}

/* Pieces as small as the caller likes give the same operations. */
static void read_in_pieces(void **state)
{
	static const char text[] = ALLOC("a00", "64", "64") ALLOC("b00", "64", "64") FREE("a00")
		ALLOC("c00", "64", "64");
	struct trace *trace = open_text(text, sizeof(text) - 1);
	struct object_op ops[4];

	(void)state;
	assert_string_equal(ops_text(trace, ops, 2), "A0/0");
	assert_string_equal(ops_text(trace, ops, 2), "A1/0");
	assert_false(trace_at_end(trace));
	assert_string_equal(ops_text(trace, ops, 4), "F0/0 A0/0");
	assert_int_equal(trace_read(trace, ops, 4), 0);
	assert_true(trace_at_end(trace));
	trace_close(trace);
}

/* The map against a plain array, through growing and shrinking. */
static void map_of_addresses(void **state)
{
	enum { KEYS = 20000 };
	static bool there[KEYS + 1];
	struct trace_map map = { .size = 0 };
	uint64_t x = 1;
	size_t used = 0;

	(void)state;
	memset(there, 0, sizeof(there));
	for (int i = 0; i < 300000; i++) {
		uint64_t key;
		struct trace_map_entry *e;

		x = x * 6364136223846793005u + 1442695040888963407u;
		/* First mostly adds, then mostly removals, of aligned keys. */
		key = (x >> 33) % KEYS + 1;
		e = trace_map_find(&map, key * 64);
		assert_int_equal(e != NULL, there[key]);
		if (e != NULL && (i > 150000 || (x >> 20) % 4 == 0)) {
			assert_int_equal(e->slot, key);
			trace_map_remove(&map, e);
			there[key] = false;
			used--;
		} else if (e == NULL && i < 200000) {
			trace_map_add(&map, key * 64)->slot = (uint32_t)key;
			there[key] = true;
			used++;
		}
		assert_int_equal(map.used, used);
	}
	for (uint64_t key = 1; key <= KEYS; key++)
		assert_int_equal(trace_map_find(&map, key * 64) != NULL, there[key]);
	trace_map_free(&map);
}

/* Every operation of a trace finds its slot as it must be, and nothing is reported. */
static void replay_of_a_trace(void **state)
{
	static const char text[] = ALLOC("a00", "720", "728") KMALLOC("b00", "40", "64")
		ALLOC("c00", "192", "192") KFREE("b00") FREE("a00") KMALLOC("d00", "8", "8")
		FREE("c00") KFREE("d00");
	struct trace *trace = open_text(text, sizeof(text) - 1);
	struct object_replay replay;
	struct object_op ops[16];
	int64_t n = trace_read(trace, ops, 16);

	(void)state;
	assert_int_equal(n, 8);
	object_replay_init(&replay, slub_heap_new(NULL, &slub_linux_6_1, 0));
	for (size_t i = 0; i < trace_cache_count(trace); i++) {
		struct slub_cache_spec spec = trace_cache_spec(trace, i, &slub_linux_6_1);

		assert_int_equal(object_replay_add_cache(&replay, &spec, SLUB_DEBUG_FLAGS), 0);
	}
	object_replay_slots(&replay, trace_slots(trace));
	object_replay_reserve(&replay, ops, (size_t)n);
	object_replay_run(&replay, ops, (size_t)n);
	assert_int_equal(replay.heap->reports, 0);
	for (size_t i = 0; i < replay.n_caches; i++)
		assert_int_equal(replay.caches[i]->partial.next->inuse, 0);
	object_replay_free(&replay);
	trace_close(trace);
}

/* A trace-cmd of our own, in @folder, which does @what. */
static void make_tool(char folder[], const char *what)
{
	char *path = NULL;
	FILE *tool;

	assert_non_null(mkdtemp(folder));
	assert_true(asprintf(&path, "%s/trace-cmd", folder) > 0);
	tool = fopen(path, "w");
	assert_non_null(tool);
	fprintf(tool, "#!/bin/sh\n%s\n", what);
	assert_int_equal(fchmod(fileno(tool), 0700), 0);
	assert_int_equal(fclose(tool), 0);
	free(path);
}

/* Its time to be silent starts with each byte. */
static void silent_child(void **state)
{
	char folder[] = "silent-XXXXXX", *path = NULL, text[64];
	struct trace_child child;
	size_t bytes = 0;
	ssize_t n;
	int fd;

	(void)state;
	make_tool(folder, "PATH=/bin:/usr/bin\n"
			  "for i in 1 2 3 4 5 6 7 8; do echo; sleep 0.25; done; exec sleep 10");
	assert_int_equal(setenv("PATH", folder, 1), 0);
	fd = trace_child_start(&child, "trace.dat");
	assert_true(fd >= 0);
	child.silence_ms = 1000;
	while ((n = trace_child_read(&child, fd, text, sizeof(text))) > 0)
		bytes += (size_t)n;
	assert_int_equal(n, 0);
	assert_int_equal(bytes, 8);
	assert_true(child.silent);
	assert_int_equal(trace_child_end(&child, "trace.dat"), -1);
	close(fd);
	assert_true(asprintf(&path, "%s/trace-cmd", folder) > 0);
	unlink(path);
	rmdir(folder);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_of_line),
		cmocka_unit_test(slots_are_reused),
		cmocka_unit_test(specs_from_sizes),
		cmocka_unit_test(holes_are_counted),
		cmocka_unit_test(endless_line),
		cmocka_unit_test(read_in_pieces),
		cmocka_unit_test(map_of_addresses),
		cmocka_unit_test(replay_of_a_trace),
		cmocka_unit_test(silent_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
