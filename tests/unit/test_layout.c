/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layout of objects against what real kernels say of theirs: sizes and orders read from
 * machines with 1 and 2 CPUs, and the lists of checks of Linux 6.1 and 6.2 for the usual caches.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "slub/layout.h"

#define FZPU SLUB_DEBUG_FLAGS

/* The layout of @spec with @flags more, on a machine with @cpus CPUs that lives in @kernel. */
static void lay_out(struct slub_layout *l, struct slub_cache_spec spec, unsigned int flags,
		    struct slub_kernel *kernel, unsigned int cpus)
{
	kernel->cpus = cpus;
	spec.flags |= flags;
	assert_int_equal(slub_layout_init(l, &spec, kernel), 0);
}

/* "64x5a, 8xbb": the checks of one operation, in order. */
static const char *checks_text(const struct slub_layout *l, enum slub_op op, size_t requested)
{
	static char text[256];
	struct slub_check checks[SLUB_CHECKS_MAX];
	size_t n = slub_checks(l, op, 0, requested, checks);
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%zux%02x",
					 i ? ", " : "", checks[i].length, checks[i].value);
	return text;
}

static const struct slub_cache_spec ext4_old = { "ext4_inode_cache", 1100, 8, 0, true };
static const struct slub_cache_spec plain_1100 = { "no-constructor", 1100, 8, 0, false };

/* FZPU; the slab padding of 2 and of 16 CPUs, then what follows it. */
static const struct {
	const char *cache;
	const struct slub_cache_spec *spec; /* NULL: the known cache of that name */
	unsigned int size;
	unsigned int slab_padding_2, slab_padding_16;
	const char *alloc, *free;
} check_rows[] = {
	{ "kmalloc-8", NULL, 112, 64, 64, "8xbb, 8xbb, 7x6b, 1xa5, 12x5a",
	  "8xcc, 8xcc, 3xcc, 12x5a" },
	{ "kmalloc-32", NULL, 160, 96, 96, "32xbb, 8xbb, 31x6b, 1xa5, 12x5a",
	  "32xcc, 8xcc, 8xcc, 12x5a" },
	{ "kmalloc-64", NULL, 256, 0, 0, "64xbb, 8xbb, 63x6b, 1xa5, 44x5a",
	  "64xcc, 8xcc, 24xcc, 44x5a" },
	{ "kmalloc-128", NULL, 384, 128, 256, "128xbb, 8xbb, 127x6b, 1xa5, 44x5a",
	  "128xcc, 8xcc, 24xcc, 44x5a" },
	{ "kmalloc-192", NULL, 384, 128, 256, "64xbb, 8xbb, 191x6b, 1xa5, 44x5a",
	  "64xcc, 8xcc, 40xcc, 44x5a" },
	{ "kmalloc-1k", NULL, 3072, 2048, 2048, "1024xbb, 8xbb, 1023x6b, 1xa5, 940x5a",
	  "1024xcc, 8xcc, 324xcc, 940x5a" },
	{ "kmalloc-4k", NULL, 12288, 8192, 8192, "4096xbb, 8xbb, 4095x6b, 1xa5, 4012x5a",
	  "4096xcc, 8xcc, 1096xcc, 4012x5a" },
	{ "dentry", NULL, 288, 64, 128, "8xbb, 8xbb, 191x6b, 1xa5, 8x5a", "8xcc, 8xcc, 8x5a" },
	{ "buffer_head", NULL, 200, 96, 192, "8xbb, 8xbb, 103x6b, 1xa5, 8x5a",
	  "8xcc, 8xcc, 8x5a" },
	{ "kernfs_node_cache", NULL, 232, 152, 72, "8xbb, 8xbb, 135x6b, 1xa5, 8x5a",
	  "8xcc, 8xcc, 8x5a" },
	{ "skbuff_head_cache", NULL, 384, 128, 256, "64xbb, 8xbb, 223x6b, 1xa5, 16x5a",
	  "64xcc, 8xcc, 16x5a" },
	{ "filp", NULL, 384, 128, 256, "64xbb, 8xbb, 56x5a", "64xcc, 8xcc, 56x5a" },
	{ "ext4_inode_cache", NULL, 1216, 576, 1152, "8xbb, 8xbb, 8x5a", "8xcc, 8xcc, 8x5a" },
	{ "ext4_inode_cache", &ext4_old, 1192, 888, 584, "8xbb, 4xbb, 8x5a",
	  "8xcc, 4xcc, 8x5a" },
	{ "no-constructor", &plain_1100, 1192, 888, 584, "8xbb, 4xbb, 1099x6b, 1xa5, 8x5a",
	  "8xcc, 4xcc, 8x5a" },
	{ "task_struct", NULL, 6016, 2688, 2688, "64xbb, 8xbb, 5839x6b, 1xa5, 32x5a",
	  "64xcc, 8xcc, 32x5a" },
};

static void checks_of_usual_caches(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(check_rows) / sizeof(check_rows[0]); i++) {
		const struct slub_known_cache *known = slub_known_find(check_rows[i].cache);
		bool listed = check_rows[i].spec == NULL;

		for (unsigned int cpus = 2; cpus <= 16; cpus += 14) {
			unsigned int padding = cpus == 2 ? check_rows[i].slab_padding_2
							 : check_rows[i].slab_padding_16;
			struct slub_kernel kernel = slub_linux_6_2;
			struct slub_layout l;
			char want[256], head[32] = "";

			lay_out(&l, listed ? known->spec : *check_rows[i].spec, FZPU, &kernel,
				cpus);
			assert_int_equal(l.size, check_rows[i].size);
			if (padding != 0)
				snprintf(head, sizeof(head), "%ux5a, ", padding);
			snprintf(want, sizeof(want), "%s%s", head, check_rows[i].alloc);
			assert_string_equal(checks_text(&l, SLUB_ALLOC, 0), want);
			snprintf(want, sizeof(want), "%s%s", head, check_rows[i].free);
			assert_string_equal(checks_text(&l, SLUB_FREE,
							listed ? known->requested : 0), want);
		}
	}
}

/* Linux 6.1 keeps the size asked for, and does not look at what lies behind it. */
static void no_kmalloc_redzone_in_6_1(void **state)
{
	struct slub_kernel kernel = slub_linux_6_1;
	struct slub_layout l;

	(void)state;
	lay_out(&l, slub_known_find("kmalloc-64")->spec, FZPU, &kernel, 2);
	assert_string_equal(checks_text(&l, SLUB_FREE, 40), "64xcc, 8xcc, 44x5a");
	assert_int_equal(l.orig_size, 64 + 8 + 8 + 2 * 32);
}

static const struct {
	const char *flags, *alloc, *free;
} flag_rows[] = {
	{ "none", "", "" },
	{ "F", "", "" },
	{ "Z", "", "" },
	{ "P", "", "" },
	{ "U", "", "" },
	{ "ZPU", "", "" },
	{ "FZ", "8xbb, 4xbb", "8xcc, 4xcc" },
	{ "FP", "64x5a, 4x5a, 99x6b, 1xa5", "64x5a, 4x5a" },
	{ "fzp", "8xbb, 4xbb, 99x6b, 1xa5, 8x5a", "8xcc, 4xcc, 8x5a" },
};

/* Nothing is looked at without F; without Z the bytes up to the next word are padding. */
static void flags_choose_checks(void **state)
{
	struct slub_kernel kernel = slub_linux_6_1;
	const struct slub_cache_spec spec = { "made-up", 100, 0, 0, false };

	(void)state;
	for (size_t i = 0; i < sizeof(flag_rows) / sizeof(flag_rows[0]); i++) {
		struct slub_layout l;
		unsigned int flags;

		assert_null(slub_flags_parse(flag_rows[i].flags, &flags));
		lay_out(&l, spec, flags, &kernel, 2);
		assert_string_equal(checks_text(&l, SLUB_ALLOC, 0), flag_rows[i].alloc);
		assert_string_equal(checks_text(&l, SLUB_FREE, 0), flag_rows[i].free);
	}
}

static void regions_lie_where_they_should(void **state)
{
	struct slub_kernel kernel = slub_linux_6_2;
	struct slub_check c[SLUB_CHECKS_MAX];
	struct slub_layout l;
	size_t base = 3 * 256 + 64;

	(void)state;
	lay_out(&l, slub_known_find("kmalloc-64")->spec, FZPU, &kernel, 2);
	assert_int_equal(slub_checks(&l, SLUB_FREE, 3, 40, c), 4);
	assert_int_equal(c[0].region, SLUB_LEFT_REDZONE);
	assert_int_equal(c[0].offset, base - 64);
	assert_int_equal(c[1].region, SLUB_RIGHT_REDZONE);
	assert_int_equal(c[1].offset, base + 64);
	assert_int_equal(c[2].region, SLUB_KMALLOC_REDZONE);
	assert_int_equal(c[2].offset, base + 40);
	assert_int_equal(c[3].region, SLUB_OBJECT_PADDING);
	assert_int_equal(c[3].offset, base + 64 + 8 + 8 + 64 + 4);
	assert_int_equal(c[3].offset + c[3].length, 4 * 256);

	/* Nothing reaches out of the slab, whatever the object. */
	for (const struct slub_known_cache *k = slub_known_caches; k->spec.name != NULL; k++) {
		lay_out(&l, k->spec, FZPU, &kernel, 2);
		for (unsigned int op = SLUB_ALLOC; op <= SLUB_FREE; op++) {
			size_t n = slub_checks(&l, op, l.objects - 1, k->requested, c);

			for (size_t i = 0; i < n; i++)
				assert_true(c[i].offset + c[i].length <= l.slab_size);
		}
	}
}

static FILE *open_data(const char *name)
{
	const char *top = getenv("srcdir");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/data/slub-layout/%s", top ? top : ".", name);
	f = fopen(path, "r");
	assert_non_null(f);
	return f;
}

/* SLAB_ flags of Linux 6.1 as the file has them. */
static unsigned int kernel_flags(unsigned int flags)
{
	return (flags & 0x1000 ? SLUB_KMALLOC : 0) | (flags & 0x2000 ? SLUB_HWCACHE_ALIGN : 0) |
	       (flags & 0x80000 ? SLUB_TYPESAFE_BY_RCU : 0);
}

/* Every cache of a 6.1 kernel with 1 CPU: no debug flags, size and order as it laid them out. */
static void real_sizes(void **state)
{
	struct slub_kernel kernel = slub_linux_6_1;
	FILE *f = open_data("caches-6.1-1cpu.csv");
	unsigned int rows = 0;
	char line[256];

	(void)state;
	while (fgets(line, sizeof(line), f)) {
		unsigned int object, size, align, flags, ctor, order, objects;
		struct slub_layout l;
		char name[64];

		if (sscanf(line, "%63[^,],%u,%u,%u,%x,%u,%u,%u", name, &object, &size, &align,
			   &flags, &ctor, &order, &objects) != 8)
			continue;
		lay_out(&l, (struct slub_cache_spec){ name, object, align, kernel_flags(flags),
						      ctor != 0 }, 0, &kernel, 1);
		if (l.size != size || l.order != order || l.objects != objects)
			fail_msg("%s: size %u order %u objects %u, the kernel has %u %u %u", name,
				 l.size, l.order, l.objects, size, order, objects);
		rows++;
	}
	fclose(f);
	assert_int_equal(rows, 252);
}

/* /proc/slabinfo of a machine with 2 CPUs. */
static void real_orders(void **state)
{
	struct slub_kernel kernel = slub_linux_6_1;
	FILE *f = open_data("slabinfo-6.1-2cpu.csv");
	unsigned int rows = 0;
	char line[256];

	(void)state;
	kernel.cpus = 2;
	while (fgets(line, sizeof(line), f)) {
		unsigned int size, objects, pages;
		char name[64];
		int order;

		if (sscanf(line, "%63[^,],%u,%u,%u", name, &size, &objects, &pages) != 4)
			continue;
		order = slub_order(size, &kernel);
		if (1u << order != pages || (4096u << order) / size != objects)
			fail_msg("%s: %u pages for objects of %u, the kernel has %u", name,
				 1u << order, size, pages);
		rows++;
	}
	fclose(f);
	assert_int_equal(rows, 213);
}

static void bad_specs(void **state)
{
	struct slub_layout l;
	struct slub_cache_spec spec = { "bad", 0, 0, 0, false };
	unsigned int flags = 77;
	const char *letters = "FZX";

	(void)state;
	assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), -EINVAL);
	spec.object_size = 64;
	spec.align = 24;
	assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), -EINVAL);
	spec.align = 0;
	spec.object_size = (4u << 20) + 1;
	assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), -E2BIG);
	spec.object_size = 4u << 20;
	assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), 0);
	assert_int_equal(l.objects, 1);
	spec.flags = FZPU;
	assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), -E2BIG);
	spec.flags = 0;
	spec.object_size = 1;
	assert_int_equal(slub_layout_init(&l, &spec, &slub_linux_6_1), 0);
	assert_int_equal(l.size, 8);

	assert_ptr_equal(slub_flags_parse(letters, &flags), letters + 2);
	assert_int_equal(flags, 77);
	assert_non_null(slub_flags_parse("", &flags));
	assert_null(slub_known_find("no_such_cache"));
}

static void names_of_flags(void **state)
{
	char name[8];

	(void)state;
	assert_string_equal(slub_flags_name(0, name), "none");
	assert_string_equal(slub_flags_name(FZPU | SLUB_KMALLOC, name), "FZPU");
	assert_string_equal(slub_flags_name(SLUB_POISON | SLUB_CONSISTENCY, name), "FP");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(checks_of_usual_caches),
		cmocka_unit_test(no_kmalloc_redzone_in_6_1),
		cmocka_unit_test(flags_choose_checks),
		cmocka_unit_test(regions_lie_where_they_should),
		cmocka_unit_test(real_sizes),
		cmocka_unit_test(real_orders),
		cmocka_unit_test(bad_specs),
		cmocka_unit_test(names_of_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
