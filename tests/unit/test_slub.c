/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Caches by the rules of mm/slab_common.c and mm/slub.c: flags and names, who merges with whom, and
 * what is registered when.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "slub/cache.h"
#include "sysfs/backends.h"

static struct slub_config config;
static struct registry *reg;
static struct slub *slub;

static int set_up(void **state)
{
	struct reg_config flat = { .prices = reg_prices_flat(1) };
	int status;

	(void)state;
	config = slub_config_default();
	reg = registry_model.open(&flat, &status);
	slub = slub_caches_new(&config, reg);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	slub_caches_free(slub);
	registry_model.close(reg);
	slub_debug_free(&config.debug);
	return 0;
}

static void create_all(const char *name, unsigned int size, unsigned int align, unsigned int flags,
		       bool constructor, unsigned int usersize)
{
	struct slub_request request = {
		.spec = { name, size, align, flags, constructor },
		.usersize = usersize,
	};

	assert_int_equal(slub_create(slub, &request), 0);
}

static void create(const char *name, unsigned int size, unsigned int flags)
{
	create_all(name, size, 0, flags, false, 0);
}

/* Is the cache made last an alias? */
static bool merged(void)
{
	static size_t before;
	size_t now = slub_n_aliases(slub);
	bool more = now > before;

	before = now;
	return more;
}

/* /sys/kernel/slab as one text, '\n' between the lines. */
static const char *tree(void)
{
	static char text[4096];
	FILE *file = fmemopen(text, sizeof(text), "w");

	assert_non_null(file);
	assert_int_equal(slub_write_tree(slub, file), 0);
	fclose(file);
	return text;
}

static void flags_have_the_kernels_names(void **state)
{
	unsigned int flags;
	const char *text = "PANIC SLAB_ACCOUNT|HWCACHE_ALIGN", *wrong = "PANIC SLOW";

	(void)state;
	assert_null(slub_cache_flags_parse(text, &flags));
	assert_int_equal(flags, SLUB_PANIC | SLUB_ACCOUNT | SLUB_HWCACHE_ALIGN);
	assert_null(slub_cache_flags_parse("", &flags));
	assert_int_equal(flags, 0);
	assert_ptr_equal(slub_cache_flags_parse(wrong, &flags), wrong + 6);
	assert_non_null(slub_cache_flags_parse("PANI", &flags));
}

static void ids_have_the_kernels_letters(void **state)
{
	char id[SLUB_ID_MAX];

	(void)state;
	assert_string_equal(slub_unique_id(0, 64, id), ":0000064");
	assert_string_equal(slub_unique_id(SLUB_ACCOUNT, 128, id), ":A-0000128");
	assert_string_equal(slub_unique_id(SLUB_RECLAIM_ACCOUNT, 104, id), ":a-0000104");
	assert_string_equal(slub_unique_id(SLUB_CACHE_DMA, 8, id), ":d-0000008");
	assert_string_equal(slub_unique_id(SLUB_RECLAIM_ACCOUNT | SLUB_ACCOUNT, 1088, id),
			    ":aA-0001088");
	assert_string_equal(slub_unique_id(SLUB_CACHE_DMA32 | SLUB_CONSISTENCY | SLUB_PANIC, 8, id),
			    ":DF-0000008");
}

static void attributes_are_named(void **state)
{
	char buffer[SLUB_ID_MAX];

	(void)state;
	assert_string_equal(slub_attribute_name(0, buffer), "slab_size");
	assert_string_equal(slub_attribute_name(SLUB_ATTRIBUTES - 1, buffer), "usersize");
	assert_string_equal(slub_attribute_name(SLUB_ATTRIBUTES, buffer), "cache_dma");
	assert_string_equal(slub_attribute_name(500, buffer), "attribute500");
}

static void same_slots_merge(void **state)
{
	(void)state;
	create("first", 64, 0);
	assert_false(merged());
	create("smaller_by_less_than_a_word", 57, 0);
	assert_true(merged());
	create("smaller_by_a_word", 56, 0);
	assert_false(merged());
	create_all("aligned", 60, 64, 0, false, 0);
	assert_true(merged());
	create("cache line", 40, SLUB_HWCACHE_ALIGN);
	assert_true(merged()); /* 40 bytes aligned to 64 are 64 */
	create_all("misfit", 192, 64, 0, false, 0);
	assert_false(merged());
	create_all("needs_more", 96, 0, 0, false, 0);
	assert_false(merged());
	create_all("needs_alignment", 96, 32, 0, false, 0);
	assert_true(merged());
}

static void flags_keep_caches_apart(void **state)
{
	static const unsigned int apart[] = { SLUB_RECLAIM_ACCOUNT, SLUB_CACHE_DMA, SLUB_CACHE_DMA32,
					      SLUB_ACCOUNT };
	static const unsigned int never[] = { SLUB_RED_ZONE, SLUB_POISON, SLUB_STORE_USER, SLUB_TRACE,
					      SLUB_TYPESAFE_BY_RCU, SLUB_NOLEAKTRACE, SLUB_FAILSLAB,
					      SLUB_NO_MERGE };
	char name[16];

	(void)state;
	create("plain", 64, 0);
	assert_false(merged());
	create("panic", 64, SLUB_PANIC | SLUB_MEM_SPREAD);
	assert_true(merged());
	for (unsigned int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "a%u", i);
		create(name, 64, apart[i]);
		assert_false(merged());
		name[0] = 'b';
		create(name, 64, apart[i]);
		assert_true(merged());
	}
	for (unsigned int i = 0; i < 8; i++)
		for (char letter = 'n'; letter <= 'm' + 2; letter++) {
			snprintf(name, sizeof(name), "%c%u", letter, i);
			create(name, 64, never[i]);
			assert_false(merged());
		}
	create_all("constructor", 64, 0, 0, true, 0);
	assert_false(merged());
	create_all("usersize", 64, 0, 0, false, 8);
	assert_false(merged());
	create("last", 64, 0);
	assert_true(merged()); /* with the first, not with one that is for itself */
}

static void aliases_are_told_in_the_tree(void **state)
{
	(void)state;
	create("zebra", 60, 0);
	create("alias_later", 64, 0);
	create_all("ctor", 24, 0, 0, true, 0);
	assert_int_equal(slub_state(slub), SLUB_UP);
	assert_string_equal(tree(), "");
	assert_int_equal(reg->count.made[REG_DIRECTORY], 0);
	assert_int_equal(slub_sysfs_init(slub), 0);
	assert_int_equal(slub_state(slub), SLUB_FULL);
	create("alias_now", 62, 0);
	assert_string_equal(
		tree(),
		"D :0000064 size=64 objsize=64 order=0 objs=64 aliases=2 files=27\n"
		"L alias_later -> :0000064\n"
		"L alias_now -> :0000064\n"
		"D ctor size=32 objsize=24 order=0 objs=128 aliases=0 files=27\n"
		"L zebra -> :0000064\n");
	assert_int_equal(slub_n_aliases(slub), 2);
}

/* Each operation at 1 us: before FULL nothing, after it all that one cache needs. */
static void who_pays_depends_on_the_state(void **state)
{
	(void)state;
	create("early", 64, 0);
	create("early_alias", 64, 0);
	assert_true(reg_cost_us(reg) == 0);
	assert_int_equal(slub_sysfs_init(slub), 0);
	assert_true(reg_cost_us(reg) == 1 + 1 + 27 + 2); /* kset, directory, files, two links */
	create("late", 96, 0);
	assert_true(reg_cost_us(reg) == 31 + 29);
	create("late_alias", 96, 0);
	assert_true(reg_cost_us(reg) == 60 + 1);
	create_all("late_ctor", 96, 0, 0, true, 0);
	assert_true(reg_cost_us(reg) == 61 + 28);
	assert_int_equal(reg->count.misses, 2 + 1 + 1 + 1); /* a look-up before each name */
}

static void nomerge_gives_each_its_directory(void **state)
{
	(void)state;
	slub_debug_from_command_line(&config.debug, "quiet slab_nomerge root=/dev/sda");
	create("one", 64, 0);
	create("two", 64, 0);
	assert_int_equal(slub_sysfs_init(slub), 0);
	assert_string_equal(tree(), "D one size=64 objsize=64 order=0 objs=64 aliases=0 files=27\n"
				    "D two size=64 objsize=64 order=0 objs=64 aliases=0 files=27\n");
}

static void command_lines_are_read_as_the_kernel_does(void **state)
{
	struct slub_debug debug = { .all = 0 };
	const unsigned int zp = SLUB_RED_ZONE | SLUB_POISON;

	(void)state;
	slub_debug_from_command_line(&debug, "slub_debug");
	assert_int_equal(slub_debug_flags(&debug, 0, "x"), SLUB_DEBUG_FLAGS);
	slub_debug_from_command_line(&debug, "slub_debug=ZP slab_nomerge slab_merge");
	assert_int_equal(slub_debug_flags(&debug, SLUB_PANIC, "x"), SLUB_PANIC | zp);
	assert_false(debug.nomerge);
	slub_debug_from_command_line(&debug, "slub_debug=-");
	assert_int_equal(slub_debug_flags(&debug, 0, "x"), 0);
	slub_debug_from_command_line(&debug, "slub_debug=zp,dentry,kmalloc-*;F,inode_cache");
	assert_int_equal(slub_debug_flags(&debug, 0, "dentry"), zp);
	assert_int_equal(slub_debug_flags(&debug, 0, "kmalloc-64"), zp);
	assert_int_equal(slub_debug_flags(&debug, 0, "inode_cache"), SLUB_CONSISTENCY);
	assert_int_equal(slub_debug_flags(&debug, 0, "dentry_2"), 0);
	slub_debug_from_command_line(&debug, "slab_debug=,dentry");
	assert_int_equal(slub_debug_flags(&debug, 0, "dentry"), SLUB_DEBUG_FLAGS);
	slub_debug_from_command_line(&debug, "slub_debug=U no_slub_debug=Z");
	assert_int_equal(slub_debug_flags(&debug, SLUB_NOLEAKTRACE, "x"), SLUB_NOLEAKTRACE);
	assert_int_equal(slub_debug_flags(&debug, SLUB_NO_USER_FLAGS, "x"), SLUB_NO_USER_FLAGS);
	slub_debug_from_command_line(&debug, "slub_debug=OZ");
	assert_true(debug.no_higher_order);
	slub_debug_free(&debug);
}

static void debugging_keeps_caches_apart(void **state)
{
	(void)state;
	slub_debug_from_command_line(&config.debug, "slub_debug=P,poisoned");
	create("one", 64, 0);
	assert_false(merged());
	create("poisoned", 64, 0);
	assert_false(merged());
	create("two", 64, 0);
	assert_true(merged());
}

/* O: 4096 bytes with redzones would take a larger slab, so they go without; 64 do not. */
static void metadata_is_dropped_where_it_needs_a_larger_slab(void **state)
{
	(void)state;
	slub_debug_from_command_line(&config.debug, "slub_debug=OZ");
	create("page", 4096, 0);
	create("small", 64, 0);
	assert_int_equal(slub_sysfs_init(slub), 0);
	assert_string_equal(tree(), "D page size=4096 objsize=4096 order=3 objs=8 aliases=0 files=27\n"
				    "D small size=88 objsize=64 order=0 objs=46 aliases=0 files=27\n");
}

static void what_no_slab_holds_is_refused(void **state)
{
	struct slub_request request = { .spec = { "huge", 8u << 20, 0, 0, false } };

	(void)state;
	assert_int_equal(slub_create(slub, &request), -1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(flags_have_the_kernels_names),
		TEST(ids_have_the_kernels_letters),
		TEST(attributes_are_named),
		TEST(same_slots_merge),
		TEST(flags_keep_caches_apart),
		TEST(aliases_are_told_in_the_tree),
		TEST(who_pays_depends_on_the_state),
		TEST(nomerge_gives_each_its_directory),
		TEST(command_lines_are_read_as_the_kernel_does),
		TEST(debugging_keeps_caches_apart),
		TEST(metadata_is_dropped_where_it_needs_a_larger_slab),
		TEST(what_no_slab_holds_is_refused),
	};

	return cmocka_run_group_tests_name("tests/unit/test_slub", tests, NULL, NULL);
}
