/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The debug life of objects: each byte of a slot is corrupted in turn, live and freed, and what
 * the kernel would say of it is worked out here once more, byte by byte.
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

#include "slub/object.h"
#include "slub/report.h"

#define FZPU SLUB_DEBUG_FLAGS

static size_t byte_wise(const void *buf, uint8_t value, size_t n)
{
	const uint8_t *p = buf;
	size_t i = 0;

	while (i < n && p[i] == value)
		i++;
	return i;
}

static size_t yes_or_no(const void *buf, uint8_t value, size_t n)
{
	return byte_wise(buf, value, n) == n ? n : 0;
}

static check_fn *resolve_byte_wise(void)
{
	return byte_wise;
}

static check_fn *resolve_yes_or_no(void)
{
	return yes_or_no;
}

static const struct check_variant exact = {
	.name = "exact", .kind = CHECK_OFFSET, .resolve = resolve_byte_wise,
};
static const struct check_variant boolean = {
	.name = "boolean", .kind = CHECK_YES_NO, .resolve = resolve_yes_or_no,
};
static const struct slub_caller caller = { .addr = 0x1000, .cpu = 3, .pid = 77 };

struct lab {
	struct slub_heap *heap;
	struct slab_cache *cache;
	char *text;
	size_t size;
};

static void lab_open(struct lab *lab, const struct slub_cache_spec *spec, unsigned int debug,
		     const struct check_variant *variant)
{
	memset(lab, 0, sizeof(*lab));
	lab->heap = slub_heap_new(variant, &slub_linux_6_1, 0);
	lab->heap->log = open_memstream(&lab->text, &lab->size);
	lab->cache = slab_cache_new(lab->heap, spec, debug);
	assert_non_null(lab->cache);
}

/* What was reported so far. */
static const char *lab_text(struct lab *lab)
{
	fflush(lab->heap->log);
	return lab->text;
}

static void lab_close(struct lab *lab)
{
	fclose(lab->heap->log);
	slub_heap_free(lab->heap);
	free(lab->text);
}

static const struct slub_cache_spec kmalloc_64 = { "kmalloc-64", 64, 64, SLUB_KMALLOC, false };
static const struct slub_cache_spec plain_100 = { "plain", 100, 0, 0, false };
static const struct slub_cache_spec inode_100 = { "inode", 100, 0, 0, true };

static bool within(int at, int from, int length)
{
	return at >= from && at < from + length;
}

/* What a wrong byte at @at of a kmalloc-64 slot is called, by the layout of poison.h. */
static const char *verdict_64(int at, bool live)
{
	if (within(at, -64, 64))
		return "Left Redzone overwritten";
	if (within(at, 64, 8))
		return "Right Redzone overwritten";
	if (within(at, 148, 44))
		return "Object padding overwritten";
	if (live)
		return NULL;
	if (within(at, 0, 63))
		return "Poison overwritten";
	if (at == 63)
		return "End Poison overwritten";
	/* The free pointer's low bits; its high bits too make an address out of the slab. */
	return within(at, 72, 8) ? "Freepointer corrupt" : NULL;
}

/* Corrupt one byte and see that exactly that is told, and mended. */
static void corrupt_one(int at, bool live, const struct check_variant *variant)
{
	const char *want = verdict_64(at, live);
	struct slub_object o, next;
	struct lab lab;
	char line[128];
	uint8_t was;
	bool good;

	lab_open(&lab, &kmalloc_64, FZPU, variant);
	o = slub_alloc(lab.cache, 40, &caller);
	if (!live)
		assert_true(slub_free(o, &caller));
	was = o.bytes[at];
	o.bytes[at] ^= 0x81;
	snprintf(line, sizeof(line), "First byte 0x%x instead of 0x%x\n", was ^ 0x81, was);

	if (live) {
		good = slub_free(o, &caller);
	} else {
		next = slub_alloc(lab.cache, 40, &caller);
		good = next.bytes == o.bytes;
	}
	assert_int_equal(lab.heap->reports, want != NULL);
	if (want == NULL) {
		assert_true(good);
	} else if (strstr(want, "overwritten")) {
		assert_non_null(strstr(lab_text(&lab), want));
		assert_non_null(strstr(lab_text(&lab), line));
		/* Padding is mended and no more; the rest costs the object. */
		assert_int_equal(good, strstr(want, "padding") != NULL);
		if (!good)
			assert_int_equal(o.bytes[at], was);
	} else {
		assert_non_null(strstr(lab_text(&lab), want));
		assert_false(good);
	}
	lab_close(&lab);
}

static void every_byte_of_a_slot(void **state)
{
	(void)state;
	for (int at = -64; at < 192; at++) {
		/* An intact free pointer is NULL at the end of the list: any change is wild. */
		corrupt_one(at, true, &exact);
		corrupt_one(at, false, &exact);
		corrupt_one(at, false, &boolean);
	}
}

static void constructor_means_no_poison(void **state)
{
	struct slub_object o;
	struct lab lab;

	(void)state;
	lab_open(&lab, &inode_100, FZPU, &exact);
	o = slub_alloc(lab.cache, 0, &caller);
	slub_free(o, &caller);
	o.bytes[50] = 0x41;
	assert_ptr_equal(slub_alloc(lab.cache, 0, &caller).bytes, o.bytes);
	assert_int_equal(lab.heap->reports, 0);
	lab_close(&lab);

	lab_open(&lab, &plain_100, FZPU, &exact);
	o = slub_alloc(lab.cache, 0, &caller);
	slub_free(o, &caller);
	o.bytes[50] = 0x41;
	assert_ptr_not_equal(slub_alloc(lab.cache, 0, &caller).bytes, o.bytes);
	assert_int_equal(lab.heap->reports, 1);
	lab_close(&lab);
}

static void nothing_without_f(void **state)
{
	static const unsigned int flags[] = { 0, SLUB_RED_ZONE, SLUB_POISON,
					      FZPU & ~SLUB_CONSISTENCY };
	(void)state;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct slub_object o;
		struct lab lab;

		lab_open(&lab, &plain_100, flags[i], &exact);
		o = slub_alloc(lab.cache, 0, &caller);
		o.bytes[99] = 1;
		assert_true(slub_free(o, &caller));
		if (flags[i] & SLUB_POISON) {
			assert_int_equal(o.bytes[98], 0x6b);
			assert_int_equal(o.bytes[99], 0xa5);
		} else {
			assert_int_equal(o.bytes[99], 1);
		}
		if (flags[i] & SLUB_RED_ZONE)
			assert_int_equal(o.bytes[100], 0xbb);
		assert_int_equal(lab.heap->reports, 0);
		lab_close(&lab);
	}
}

/* From the first bad byte to the last, found from the end; good bytes between are in it. */
static void range_of_a_fault(void **state)
{
	struct slub_object o;
	struct lab lab;
	char line[128];

	(void)state;
	lab_open(&lab, &plain_100, FZPU, &exact);
	o = slub_alloc(lab.cache, 0, &caller);
	slub_free(o, &caller);
	o.bytes[17] = 0x13;
	o.bytes[80] = 0x14;
	slub_alloc(lab.cache, 0, &caller);
	snprintf(line, sizeof(line), "0x%016" PRIx64 "-0x%016" PRIx64 " @offset=%d. ",
		 slub_report_address(o.slab, o.bytes + 17),
		 slub_report_address(o.slab, o.bytes + 80), 8 + 17);
	assert_non_null(strstr(lab_text(&lab), line));
	assert_non_null(strstr(lab_text(&lab), "First byte 0x13 instead of 0x6b\n"));
	assert_non_null(strstr(lab_text(&lab), "FIX plain: Restoring Poison 0x"));
	assert_non_null(strstr(lab_text(&lab), "=0x6b\nFIX plain: Marking all objects used\n"));
	assert_int_equal(o.bytes[17], 0x6b);
	assert_int_equal(o.bytes[80], 0x6b);
	lab_close(&lab);
}

static void slab_padding(void **state)
{
	struct slub_object o;
	struct lab lab;

	(void)state;
	lab_open(&lab, &plain_100, FZPU, &exact);
	assert_true(lab.cache->layout.slab_padding > 0);
	o = slub_alloc(lab.cache, 0, &caller);
	o.slab->base[lab.cache->layout.slab_size - 1] = 0;
	assert_true(slub_free(o, &caller));
	assert_int_equal(lab.heap->reports, 1);
	assert_non_null(strstr(lab_text(&lab), "Padding overwritten. 0x"));
	assert_non_null(strstr(lab_text(&lab), "FIX plain: Restoring slab padding 0x"));
	assert_int_equal(o.slab->base[lab.cache->layout.slab_size - 1], 0x5a);
	lab_close(&lab);
}

/* An object that failed its free is never handed out again; the others are. */
static void taken_out_of_use(void **state)
{
	struct slub_object bad, o;
	struct lab lab;

	(void)state;
	lab_open(&lab, &plain_100, FZPU, &exact);
	bad = slub_alloc(lab.cache, 0, &caller);
	bad.bytes[100] = 0;
	assert_false(slub_free(bad, &caller));
	for (unsigned int i = 0; i < 3 * lab.cache->layout.objects; i++) {
		o = slub_alloc(lab.cache, 0, &caller);
		assert_ptr_not_equal(o.bytes, bad.bytes);
		if (i % 3)
			assert_true(slub_free(o, &caller));
	}
	assert_int_equal(lab.heap->reports, 1);
	lab_close(&lab);
}

/* Pages of an empty slab go back when enough are kept, after every object was looked at. */
static void discarded_slabs(void **state)
{
	enum { SLABS = 12 };
	struct slub_object o[SLABS * 64];
	struct lab lab;
	unsigned int n;

	(void)state;
	lab_open(&lab, &plain_100, FZPU, &exact);
	n = SLABS * lab.cache->layout.objects;
	assert_true(n <= sizeof(o) / sizeof(o[0]));
	for (unsigned int i = 0; i < n; i++)
		o[i] = slub_alloc(lab.cache, 0, &caller);
	assert_int_equal(lab.cache->nr_partial, 0);
	for (unsigned int i = 0; i < n; i++) {
		assert_true(slub_free(o[i], &caller));
		/* The last slab's first object is corrupted behind its back. */
		if (i == n - lab.cache->layout.objects)
			o[i].bytes[1] = 0;
	}
	/* The slab that would have made it min_partial goes. */
	assert_int_equal(lab.cache->nr_partial, lab.cache->min_partial - 1);
	assert_int_equal(lab.heap->reports, 1);
	assert_non_null(strstr(lab_text(&lab), "Poison overwritten"));
	lab_close(&lab);
}

static void owners(void **state)
{
	const struct slub_caller freer = { .addr = 0x2000, .cpu = 1, .pid = 5 };
	struct slub_object o;
	struct slub_track t;
	struct lab lab;

	(void)state;
	lab_open(&lab, &plain_100, FZPU, &exact);
	lab.heap->jiffies = 1000;
	o = slub_alloc(lab.cache, 0, &caller);
	t = slub_object_track(lab.cache, o.bytes, SLUB_TRACK_ALLOC);
	assert_int_equal(t.addr, 0x1000);
	assert_int_equal(t.cpu, 3);
	assert_int_equal(t.pid, 77);
	assert_int_equal(t.when, 1000);
	lab.heap->jiffies = 1042;
	slub_free(o, &freer);
	assert_false(slub_free(o, &freer));
	assert_non_null(strstr(lab_text(&lab), "): Object already free\n"));
	assert_non_null(strstr(lab_text(&lab), "\nAllocated in 0x1000 age=42 cpu=3 pid=77\n"
					       "Freed in 0x2000 age=0 cpu=1 pid=5\n"));
	lab_close(&lab);
}

static void stacks_are_kept_once(void **state)
{
	struct slub_depot *depot = slub_depot_new();
	const uint64_t a[] = { 1, 2, 3 }, b[] = { 1, 2, 4 };
	const uint64_t *frames;
	uint32_t first = slub_depot_save(depot, a, 3), second = slub_depot_save(depot, b, 3);

	(void)state;
	assert_int_not_equal(first, 0);
	assert_int_not_equal(first, second);
	assert_int_equal(slub_depot_save(depot, a, 3), first);
	assert_int_equal(slub_depot_count(depot), 2);
	assert_int_equal(slub_depot_fetch(depot, second, &frames), 3);
	assert_int_equal(frames[2], 4);
	assert_int_equal(slub_depot_fetch(depot, 0, &frames), 0);
	assert_int_equal(slub_depot_fetch(depot, 99, &frames), 0);
	slub_depot_free(depot);
}

/* The same operations after a reset touch the same bytes. */
static void runs_repeat(void **state)
{
	uint8_t *first[200];
	struct slub_object o[200];
	struct lab lab;

	(void)state;
	lab_open(&lab, &kmalloc_64, FZPU, &exact);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 200; i++)
			o[i] = slub_alloc(lab.cache, 40, &caller);
		for (int i = 0; i < 200; i += 3)
			slub_free(o[i], &caller);
		for (int i = 0; i < 200; i += 3)
			o[i] = slub_alloc(lab.cache, 40, &caller);
		for (int i = 0; i < 200; i++) {
			if (round == 0)
				first[i] = o[i].bytes;
			else
				assert_ptr_equal(o[i].bytes, first[i]);
		}
		slub_heap_reset(lab.heap);
	}
	assert_int_equal(lab.heap->reports, 0);
	lab_close(&lab);
}

/* Objects of every small size live and die without a report: each pattern is written in full. */
static void every_size_is_clean(void **state)
{
	static const unsigned int aligns[] = { 0, 16, 64, 128 };
	const unsigned int flags[] = { FZPU, SLUB_CONSISTENCY | SLUB_RED_ZONE | SLUB_POISON };

	(void)state;
	for (unsigned int i = 0; i < 2 * 4 * 300; i++) {
		const struct slub_cache_spec spec = { "any", i / 8 + 1, aligns[i % 4], 0, false };
		struct slub_object objects[3];
		struct lab lab;

		lab_open(&lab, &spec, flags[i / 4 % 2], &exact);
		for (unsigned int turn = 0; turn < 2; turn++) {
			for (unsigned int o = 0; o < 3; o++)
				objects[o] = slub_alloc(lab.cache, spec.object_size, &caller);
			for (unsigned int o = 0; o < 3; o++)
				assert_true(slub_free(objects[o], &caller));
		}
		assert_string_equal(lab_text(&lab), "");
		lab_close(&lab);
	}
}

/* No division tells objects from what lies between them. */
static void valid_pointers(void **state)
{
	(void)state;
	for (unsigned int size = 1; size < 5000; size += size < 200 ? 1 : 97) {
		const struct slub_cache_spec spec = { "any", size, 0, 0, false };
		struct slub_object object;
		struct lab lab;

		lab_open(&lab, &spec, size % 2 ? FZPU : 0, &exact);
		object = slub_alloc(lab.cache, size, &caller);
		for (int64_t at = -64; at < (int64_t)lab.cache->layout.slab_size + 64; at++) {
			int64_t from = at - lab.cache->layout.red_left_pad;
			bool is_one = from >= 0 && from % lab.cache->layout.size == 0 &&
				      from / lab.cache->layout.size < object.slab->objects;

			assert_int_equal(slub_object_valid(object.slab, object.slab->base + at),
					 is_one);
		}
		assert_true(slub_object_valid(object.slab, NULL));
		lab_close(&lab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_a_slot),
		cmocka_unit_test(constructor_means_no_poison),
		cmocka_unit_test(nothing_without_f),
		cmocka_unit_test(range_of_a_fault),
		cmocka_unit_test(slab_padding),
		cmocka_unit_test(taken_out_of_use),
		cmocka_unit_test(discarded_slabs),
		cmocka_unit_test(owners),
		cmocka_unit_test(stacks_are_kept_once),
		cmocka_unit_test(runs_repeat),
		cmocka_unit_test(every_size_is_clean),
		cmocka_unit_test(valid_pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
