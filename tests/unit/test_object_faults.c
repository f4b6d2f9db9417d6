/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults: each byte of a slot is corrupted in turn, live and freed, and what the kernel would say
 * of it is worked out here once more, byte by byte.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "object_lab.h"
#include "slub/object.h"
#include "slub/report.h"

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

	lab_open(&lab, &lab_kmalloc_64, FZPU, variant);
	o = slub_alloc(lab.cache, 40, &lab_caller);
	if (!live)
		assert_true(slub_free(o, &lab_caller));
	was = o.bytes[at];
	o.bytes[at] ^= 0x81;
	snprintf(line, sizeof(line), "First byte 0x%x instead of 0x%x\n", was ^ 0x81, was);

	if (live) {
		good = slub_free(o, &lab_caller);
	} else {
		next = slub_alloc(lab.cache, 40, &lab_caller);
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
		corrupt_one(at, true, &lab_exact);
		corrupt_one(at, false, &lab_exact);
		corrupt_one(at, false, &lab_boolean);
	}
}

/* From the first bad byte to the last, found from the end; good bytes between are in it. */
static void range_of_a_fault(void **state)
{
	struct slub_object o;
	struct lab lab;
	char line[128];

	(void)state;
	lab_open(&lab, &lab_plain_100, FZPU, &lab_exact);
	o = slub_alloc(lab.cache, 0, &lab_caller);
	slub_free(o, &lab_caller);
	o.bytes[17] = 0x13;
	o.bytes[80] = 0x14;
	slub_alloc(lab.cache, 0, &lab_caller);
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
	lab_open(&lab, &lab_plain_100, FZPU, &lab_exact);
	assert_true(lab.cache->layout.slab_padding > 0);
	o = slub_alloc(lab.cache, 0, &lab_caller);
	o.slab->base[lab.cache->layout.slab_size - 1] = 0;
	assert_true(slub_free(o, &lab_caller));
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
	lab_open(&lab, &lab_plain_100, FZPU, &lab_exact);
	bad = slub_alloc(lab.cache, 0, &lab_caller);
	bad.bytes[100] = 0;
	assert_false(slub_free(bad, &lab_caller));
	for (unsigned int i = 0; i < 3 * lab.cache->layout.objects; i++) {
		o = slub_alloc(lab.cache, 0, &lab_caller);
		assert_ptr_not_equal(o.bytes, bad.bytes);
		if (i % 3)
			assert_true(slub_free(o, &lab_caller));
	}
	assert_int_equal(lab.heap->reports, 1);
	lab_close(&lab);
}

static size_t always_wrong(const void *buf, uint8_t value, size_t n)
{
	(void)buf;
	(void)value;
	(void)n;
	return 0;
}

static check_fn *resolve_always_wrong(void)
{
	return always_wrong;
}

/* A check to which nothing is right gets no object, in place of new slabs without end. */
static void wrong_of_every_slab(void **state)
{
	const struct check_variant wrong = { .name = "wrong", .kind = CHECK_OFFSET,
					     .resolve = resolve_always_wrong };
	struct slub_object o;
	struct lab lab;

	(void)state;
	lab_open(&lab, &lab_plain_100, FZPU, &wrong);
	for (unsigned int slabs = 1; slabs < 4; slabs++) {
		o = slub_alloc(lab.cache, 0, &lab_caller);
		assert_null(o.bytes);
		assert_null(o.slab);
		assert_int_equal(lab.heap->slabs_used, slabs);
		assert_true(slub_free(o, &lab_caller));
	}
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
	lab_open(&lab, &lab_plain_100, FZPU, &lab_exact);
	n = SLABS * lab.cache->layout.objects;
	assert_true(n <= sizeof(o) / sizeof(o[0]));
	for (unsigned int i = 0; i < n; i++)
		o[i] = slub_alloc(lab.cache, 0, &lab_caller);
	assert_int_equal(lab.cache->nr_partial, 0);
	for (unsigned int i = 0; i < n; i++) {
		assert_true(slub_free(o[i], &lab_caller));
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
	lab_open(&lab, &lab_plain_100, FZPU, &lab_exact);
	lab.heap->jiffies = 1000;
	o = slub_alloc(lab.cache, 0, &lab_caller);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_a_slot),
		cmocka_unit_test(range_of_a_fault),
		cmocka_unit_test(slab_padding),
		cmocka_unit_test(taken_out_of_use),
		cmocka_unit_test(wrong_of_every_slab),
		cmocka_unit_test(discarded_slabs),
		cmocka_unit_test(owners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
