/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every byte of a slab after each event: the kernel's functions once more, as plainly as they can
 * be written, beside what ours left in memory.
 */
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

/* init_object() of Linux 6.1, and what 6.2 has of the size that was asked for. */
static void model_init(uint8_t *object, const struct slub_layout *l, uint8_t value)
{
	uint32_t end = l->object_size;

	if (l->flags & SLUB_RED_ZONE) {
		memset(object - l->red_left_pad, value, l->red_left_pad);
		if (l->kernel->kmalloc_redzone && l->orig_size != 0 && value == SLUB_RED_ACTIVE)
			memcpy(&end, object + l->orig_size, sizeof(end));
	}
	if (l->object_poison && end != 0) {
		memset(object, SLUB_POISON_FREE, end - 1);
		memset(object + end - 1, SLUB_POISON_END, 1);
	}
	if (l->flags & SLUB_RED_ZONE)
		memset(object + end, value, l->inuse - end);
}

static void model_freeptr(uint8_t *object, const struct slub_layout *l, const uint8_t *next)
{
	memcpy(object + l->offset, &next, sizeof(next));
}

/* allocate_slab() and setup_object(), on a copy of what the pages held. */
static void model_slab(uint8_t *copy, const struct slub_slab *slab)
{
	const struct slub_layout *l = &slab->cache->layout;

	if (l->flags & SLUB_POISON)
		memset(copy, SLUB_POISON_INUSE, l->slab_size);
	for (unsigned int i = 0; i < slab->objects; i++) {
		uint8_t *object = copy + l->red_left_pad + i * l->size;
		const uint8_t *next = slab->base + l->red_left_pad + (i + 1) * l->size;

		if (l->flags & (SLUB_RED_ZONE | SLUB_POISON | SLUB_STORE_USER))
			model_init(object, l, SLUB_RED_INACTIVE);
		if (l->tracks != 0)
			memset(object + l->tracks, 0, (size_t)2 * l->kernel->track_size);
		model_freeptr(object, l, i + 1 < slab->objects ? next : NULL);
	}
}

static void model_track(uint8_t *object, const struct slub_layout *l, enum slub_track_item item)
{
	const struct slub_track track = {
		.addr = lab_caller.addr, .cpu = lab_caller.cpu, .pid = lab_caller.pid,
	};

	if (l->tracks != 0)
		memcpy(object + l->tracks + item * sizeof(track), &track, sizeof(track));
}

static void model_alloc(uint8_t *object, const struct slub_layout *l, uint32_t requested)
{
	if (l->orig_size != 0)
		memcpy(object + l->orig_size, &requested, sizeof(requested));
	if (l->flags & SLUB_DEBUG_FLAGS)
		model_init(object, l, SLUB_RED_ACTIVE);
	model_track(object, l, SLUB_TRACK_ALLOC);
}

static void model_free(uint8_t *object, const struct slub_layout *l, const uint8_t *freelist)
{
	model_track(object, l, SLUB_TRACK_FREE);
	if (l->flags & SLUB_DEBUG_FLAGS)
		model_init(object, l, SLUB_RED_INACTIVE);
	model_freeptr(object, l, freelist);
}

static void same(const uint8_t *model, const struct slub_slab *slab, const char *when)
{
	const struct slub_layout *l = &slab->cache->layout;

	for (size_t i = 0; i < l->slab_size; i++)
		if (model[i] != slab->base[i])
			fail_msg("%s: object size %u, align %u, flags %x: byte %zu of the slab is "
				 "%#x, not %#x", when, l->object_size, l->align, l->flags, i,
				 slab->base[i], model[i]);
}

/* A slab is made, of pages full of @dirt, its first object allocated and freed. */
static void one_life(const struct slub_cache_spec *spec, unsigned int debug,
		     const struct slub_kernel *kernel, uint32_t requested, uint8_t dirt)
{
	const struct slub_layout *l;
	uint8_t *model, *object;
	struct slub_object o;
	struct lab lab;
	uint64_t page;

	lab_open_on(&lab, spec, debug, &lab_exact, kernel);
	l = &lab.cache->layout;
	memset(slub_pages_get(&lab.heap->pages, l->slab_size, &page), dirt, l->slab_size);
	slub_pages_reset(&lab.heap->pages);
	model = malloc(l->slab_size);
	memset(model, dirt, l->slab_size);
	object = model + l->red_left_pad;

	o = slub_alloc(lab.cache, requested, &lab_caller);
	model_slab(model, o.slab);
	model_alloc(object, l, requested);
	same(model, o.slab, "alloc");
	assert_true(slub_free(o, &lab_caller));
	model_free(object, l, l->objects > 1 ? o.bytes + l->size : NULL);
	same(model, o.slab, "free");

	assert_string_equal(lab_text(&lab), "");
	free(model);
	lab_close(&lab);
}

static void every_byte_of_a_slab(void **state)
{
	static const unsigned int flags[] = {
		0, SLUB_CONSISTENCY, SLUB_RED_ZONE, SLUB_POISON, SLUB_STORE_USER,
		SLUB_RED_ZONE | SLUB_POISON, FZPU & ~SLUB_STORE_USER, FZPU,
	};
	static const unsigned int sizes[] = {
		1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 66, 72, 73, 95, 96, 97, 98, 127, 128,
		129, 130, 191, 192, 193, 223, 256, 300, 320, 321, 322, 511, 729, 1024, 4095, 4096,
		4097, 8192,
	};

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (unsigned int f = 0; f < 8; f++)
			for (unsigned int align = 8; align <= 128; align *= 4) {
				struct slub_cache_spec spec = { "any", sizes[s], align, 0, false };

				one_life(&spec, flags[f], &slub_linux_6_1, sizes[s], 0x11);
				spec.constructor = true;
				one_life(&spec, flags[f], &slub_linux_6_1, sizes[s], 0x22);
				spec.constructor = false;
				spec.flags = SLUB_KMALLOC;
				one_life(&spec, flags[f], &slub_linux_6_2, (sizes[s] + 1) / 2, 0x33);
			}
}

/* Not one byte more than was asked for, at every place within a line and across a page's edge. */
static void fill_at_any_place(void **state)
{
	enum { PAGE = 4096, MOST = 1300 };
	uint8_t *bytes = aligned_alloc(PAGE, 2 * PAGE);
	slub_fill_fn *many = slub_fill_resolve().many;

	(void)state;
	for (size_t at = PAGE - 2 * 64; at < PAGE; at++)
		for (size_t n = 0; n < MOST; n++) {
			memset(bytes, 0, 2 * PAGE);
			slub_fill(many, bytes + at, 0xab, n);
			for (size_t i = at - 64; i < at + MOST + 64; i++)
				if (bytes[i] != (i >= at && i < at + n ? 0xab : 0))
					fail_msg("%zu bytes at %zu: byte %zu is %#x", n, at, i,
						 bytes[i]);
		}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_of_a_slab),
		cmocka_unit_test(fill_at_any_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
