/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Levels and link order from symbols and from the shipped knowledge, against a kernel's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "boot/levels.h"
#include "boot/log.h"
#include "boot/symbols.h"

static const char *data(const char *name)
{
	static char path[4096];
	const char *srcdir = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/tests/data/%s", srcdir ? srcdir : ".", name);
	return path;
}

static void names(void **state)
{
	static const struct {
		const char *text, *name, *object;
		enum initcall_level level;
	} good[] = {
		{ "__initcall__kmod_slub__421_6231_slab_sysfs_init6", "slab_sysfs_init", "slub",
		  LEVEL_DEVICE },
		{ "__initcall__kmod_core__302_2229_init_hw_perf_eventsearly", "init_hw_perf_events",
		  "core", LEVEL_EARLY },
		{ "__initcall__kmod_a__b__1_2_f__3_4_g4s", "f__3_4_g", "a__b", LEVEL_SUBSYS_SYNC },
		{ "__initcall__kmod_vt__357_4335_con_initcon", "con_init", "vt", LEVEL_CONSOLE },
		{ "__initcall_populate_rootfsrootfs", "populate_rootfs", NULL, LEVEL_ROOTFS },
		{ "__initcall_percpu_counter_startup6", "percpu_counter_startup", NULL,
		  LEVEL_DEVICE },
		{ "__initcall_tcp_congestion_default7s", "tcp_congestion_default", NULL,
		  LEVEL_LATE_SYNC },
		{ "__initcall_con_init", "con_init", NULL, LEVEL_CONSOLE },
	};
	static const char *const bad[] = { "__initcall_start", "__initcall_end", "__initcall0_start",
					   "__initcallrootfs_start", "initcall_levels", "",
					   "__initcall_", "__initcall__kmod_slub_slab6",
					   "__initcall_6", "__con_initcall_start" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		struct symbol symbol;

		assert_true(symbol_parse(good[i].text, 20, 10, &symbol));
		assert_string_equal(symbol.name, good[i].name);
		assert_int_equal(symbol.level, good[i].level);
		if (good[i].object)
			assert_string_equal(symbol.object, good[i].object);
		else
			assert_null(symbol.object);
		free(symbol.name);
		free(symbol.object);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct symbol symbol;

		if (symbol_parse(bad[i], 20, 0, &symbol))
			fail_msg("'%s' was taken for an initcall '%s'", bad[i], symbol.name);
	}
}

/* System.map, kallsyms with hidden addresses, and nm sorted by name give the same. */
static void forms(void **state)
{
	static const char *const texts[] = {
		"ffffffff81000010 d __initcall_b6\nffffffff81000014 d __initcall_a6\n"
		"ffffffff81000018 d __initcall_c7\n",
		"0000000000000000 d __initcall_b6\n0000000000000000 d __initcall_a6\n"
		"0000000000000000 d __initcall_c7\n0000000000000000 t __initcall_m6\t[mod]\n",
		"ffffffff81000014 d __initcall_a6\r\nffffffff81000010 d __initcall_b6\r\n"
		"ffffffff81000018 d __initcall_c7\r\n                 U foo\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		char path[] = "/tmp/slubbench-symbols.XXXXXX";
		struct symbols *symbols;
		int fd = mkstemp(path);

		assert_true(fd >= 0);
		assert_int_equal(write(fd, texts[i], strlen(texts[i])), strlen(texts[i]));
		close(fd);
		assert_int_equal(symbols_read(path, &symbols), 0);
		unlink(path);
		assert_int_equal(symbols->n, 3);
		assert_string_equal(symbols->entries[0].name, "b");
		assert_string_equal(symbols->entries[1].name, "a");
		assert_string_equal(symbols->entries[2].name, "c");
		assert_int_equal(symbols->entries[2].level, LEVEL_LATE);
		symbols_free(symbols);
	}
}

static size_t count(const struct boot *boot, enum initcall_level level, enum fact_source source)
{
	size_t n = 0;

	for (size_t i = 0; i < boot->n_calls; i++)
		n += boot->calls[i].level == level && boot->calls[i].level_from == source;
	return n;
}

/* The kernel's own map gives every call a level, and the place of a late slab_sysfs_init. */
static void real_symbols(void **state)
{
	struct log_stats stats;
	struct symbols *symbols;
	struct boot *boot;
	ptrdiff_t place;

	(void)state;
	assert_int_equal(log_read(data("logs/x86-6.1.192.txt"), &boot, &stats), 0);
	assert_int_equal(symbols_read(data("symbols/x86-6.1.192.map"), &symbols), 0);
	assert_int_equal(symbols->n, 355);
	assert_int_equal(symbols_apply(symbols, boot), 354);
	assert_int_equal(count(boot, LEVEL_EARLY, SOURCE_SYMBOLS), 18);
	assert_int_equal(count(boot, LEVEL_ROOTFS, SOURCE_SYMBOLS), 2);
	assert_int_equal(count(boot, LEVEL_FS_SYNC, SOURCE_SYMBOLS), 1);
	assert_int_equal(count(boot, LEVEL_DEVICE, SOURCE_SYMBOLS), 160);
	assert_int_equal(count(boot, LEVEL_LATE, SOURCE_SYMBOLS), 35);
	/* a kernel with the late_initcall had it before check_early_ioremap_leak */
	place = symbols_place(symbols, boot, (size_t)boot_find(boot, "slab_sysfs_init"), LEVEL_LATE);
	assert_true(place > 0);
	assert_string_equal(boot->calls[place].name, "check_early_ioremap_leak");
	symbols_free(symbols);
	boot_free(boot);
}

/* Without symbols the shipped order gives the same levels, or none, but never another. */
static void knowledge(void **state)
{
	struct boot *boot, *truth;
	struct log_stats stats;
	struct symbols *symbols;
	size_t unknown = 0;

	(void)state;
	assert_int_equal(log_read(data("logs/x86-6.1.192.txt"), &boot, &stats), 0);
	assert_int_equal(symbols_read(data("symbols/x86-6.1.192.map"), &symbols), 0);
	truth = boot_copy(boot, NULL);
	symbols_apply(symbols, truth);
	levels_from_knowledge(boot);
	for (size_t i = 0; i < boot->n_calls; i++) {
		if (boot->calls[i].level == LEVEL_UNKNOWN)
			unknown++;
		else
			assert_int_equal(boot->calls[i].level, truth->calls[i].level);
	}
	assert_true(unknown <= 2);
	symbols_free(symbols);
	boot_free(truth);
	boot_free(boot);
}

/* Names that go back are not believed; names between two of a level are of that level. */
static void order(void **state)
{
	static const enum initcall_level said[] = { LEVEL_CORE, LEVEL_LATE, LEVEL_CORE,
						    LEVEL_UNKNOWN, LEVEL_CORE, LEVEL_UNKNOWN,
						    LEVEL_DEVICE };
	static const enum initcall_level want[] = { LEVEL_CORE, LEVEL_CORE, LEVEL_CORE, LEVEL_CORE,
						    LEVEL_CORE, LEVEL_UNKNOWN, LEVEL_DEVICE };
	struct boot *boot = boot_new("t");

	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		boot_add(boot, "f");
	assert_int_equal(levels_fit(boot, said, SOURCE_SYMBOLS), 4);
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++)
		assert_int_equal(boot->calls[i].level, want[i]);
	assert_int_equal(boot->calls[1].level_from, SOURCE_KNOWLEDGE);
	assert_int_equal(boot->calls[2].level_from, SOURCE_SYMBOLS);
	boot_free(boot);
}

static void refused(void **state)
{
	struct symbols *symbols;

	(void)state;
	assert_int_equal(symbols_read(data("logs/x86-6.1.192.txt"), &symbols), -1);
	assert_int_equal(symbols_read("/dev/zero", &symbols), -1);
	assert_int_equal(symbols_read("/", &symbols), -1);
	assert_int_equal(symbols_read("/nonexistent", &symbols), -1);
	assert_null(symbols);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),	cmocka_unit_test(forms),
		cmocka_unit_test(real_symbols), cmocka_unit_test(knowledge),
		cmocka_unit_test(order),	cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests_name("symbols", tests, NULL, NULL);
}
