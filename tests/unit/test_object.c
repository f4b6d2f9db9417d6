/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The debug life of objects when nobody corrupts them, but where it says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "object_lab.h"
#include "slub/object.h"

static void constructor_means_no_poison(void **state)
{
	struct slub_object o;
	struct lab lab;

	(void)state;
	lab_open(&lab, &lab_inode_100, FZPU, &lab_exact);
	o = slub_alloc(lab.cache, 0, &lab_caller);
	slub_free(o, &lab_caller);
	o.bytes[50] = 0x41;
	assert_ptr_equal(slub_alloc(lab.cache, 0, &lab_caller).bytes, o.bytes);
	assert_int_equal(lab.heap->reports, 0);
	lab_close(&lab);

	lab_open(&lab, &lab_plain_100, FZPU, &lab_exact);
	o = slub_alloc(lab.cache, 0, &lab_caller);
	slub_free(o, &lab_caller);
	o.bytes[50] = 0x41;
	assert_ptr_not_equal(slub_alloc(lab.cache, 0, &lab_caller).bytes, o.bytes);
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

		lab_open(&lab, &lab_plain_100, flags[i], &lab_exact);
		o = slub_alloc(lab.cache, 0, &lab_caller);
		o.bytes[99] = 1;
		assert_true(slub_free(o, &lab_caller));
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
	lab_open(&lab, &lab_kmalloc_64, FZPU, &lab_exact);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 200; i++)
			o[i] = slub_alloc(lab.cache, 40, &lab_caller);
		for (int i = 0; i < 200; i += 3)
			slub_free(o[i], &lab_caller);
		for (int i = 0; i < 200; i += 3)
			o[i] = slub_alloc(lab.cache, 40, &lab_caller);
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

		lab_open(&lab, &spec, flags[i / 4 % 2], &lab_exact);
		for (unsigned int turn = 0; turn < 2; turn++) {
			for (unsigned int o = 0; o < 3; o++)
				objects[o] = slub_alloc(lab.cache, spec.object_size, &lab_caller);
			for (unsigned int o = 0; o < 3; o++)
				assert_true(slub_free(objects[o], &lab_caller));
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

		lab_open(&lab, &spec, size % 2 ? FZPU : 0, &lab_exact);
		object = slub_alloc(lab.cache, size, &lab_caller);
		for (int64_t at = -64; at < (int64_t)lab.cache->layout.slab_size + 64; at++) {
			int64_t from = at - lab.cache->layout.red_left_pad;
			bool is_one = from >= 0 && from % lab.cache->layout.size == 0 &&
				      from / lab.cache->layout.size < object.slab->objects;

			assert_int_equal(slub_object_valid(lab.cache, object.slab,
							   object.slab->base + at), is_one);
		}
		assert_true(slub_object_valid(lab.cache, object.slab, NULL));
		lab_close(&lab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constructor_means_no_poison),
		cmocka_unit_test(nothing_without_f),
		cmocka_unit_test(stacks_are_kept_once),
		cmocka_unit_test(runs_repeat),
		cmocka_unit_test(every_size_is_clean),
		cmocka_unit_test(valid_pointers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
