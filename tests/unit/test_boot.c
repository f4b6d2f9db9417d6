/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedule and simulation on boots made here: link order, what moves with a call that changes its
 * level, what the registrar of a log teaches, and what of the shipped knowledge a kernel has.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "boot/fit.h"
#include "boot/schedule.h"
#include "boot/shipped.h"
#include "boot/simulate.h"
#include "sysfs/backends.h"

static void add(struct boot *boot, enum initcall_level level, const char *name, double start,
		double duration)
{
	struct initcall *call = boot_add(boot, name);

	call->level = level;
	call->start_us = start;
	call->duration_us = call->self_us = duration;
	call->returned = true;
	call->line = (unsigned int)boot->n_calls;
}

static const char *order_of(const struct boot *boot)
{
	static char text[512];

	text[0] = '\0';
	for (size_t i = 0; i < boot->n_calls; i++) {
		strcat(text, i ? " " : "");
		strcat(text, boot->calls[i].name);
	}
	return text;
}

static void descriptions_run_by_level_then_link_order(void **state)
{
	struct boot *boot = boot_new("mine"), *out;
	struct schedule_move late = { 2, LEVEL_LATE };
	size_t *origin;

	(void)state;
	add(boot, LEVEL_LATE, "arch_late", 0, 1);
	add(boot, LEVEL_DEVICE_SYNC, "arch_sync", 0, 1);
	add(boot, LEVEL_DEVICE, "mm", 0, 1);
	add(boot, LEVEL_DEVICE, "fs", 0, 1);
	add(boot, LEVEL_EARLY, "drivers_early", 0, 1);
	add(boot, LEVEL_LATE, "net_late", 0, 1);
	assert_int_equal(schedule(boot, NULL, 0, NULL, &out, &origin), 0);
	assert_string_equal(order_of(out), "drivers_early mm fs arch_sync arch_late net_late");
	assert_int_equal(origin[0], 4);
	boot_free(out);
	free(origin);
	assert_int_equal(schedule(boot, &late, 1, NULL, &out, &origin), 0);
	assert_string_equal(order_of(out), "drivers_early fs arch_sync arch_late mm net_late");
	boot_free(out);
	free(origin);
	boot_free(boot);
}

/* A log with 5 us between the calls; the registrar made 2 caches' directories in 100 us. */
static struct boot *log_of(void)
{
	struct boot *boot = boot_new("log");

	boot->recorded = true;
	add(boot, LEVEL_DEVICE, "slab_proc_init", 1000, 10);
	add(boot, LEVEL_DEVICE, "slab_sysfs_init", 1015, 100);
	add(boot, LEVEL_DEVICE, "fcntl_init", 1120, 60);
	add(boot, LEVEL_DEVICE, "dog_init", 1185, 20);
	add(boot, LEVEL_LATE, "max_swapfiles_check", 1210, 1);
	add(boot, LEVEL_LATE, "check_early_ioremap_leak", 1216, 1);
	boot->run_init_us = 1300;
	return boot;
}

/* Three caches, each with a directory of its own; the last one is made by @third_by. */
static struct cache_set *set_of(const char *third_by)
{
	char path[] = "/tmp/slubbench-test.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	struct cache_set *set = NULL;

	assert_non_null(file);
	fprintf(file, "schema,cache,size_bytes,align_bytes,flags,constructor,usersize_bytes,created_by\n"
		      "caches-1,first,64,0,,1,0,(start_kernel)\n"
		      "caches-1,second,64,0,,1,0,(start_kernel)\n"
		      "caches-1,third,64,0,,1,0,%s\n", third_by);
	fclose(file);
	assert_int_equal(cache_set_read("test", path, &set), 0);
	unlink(path);
	return set;
}

static void logs_move_what_changes_its_level(void **state)
{
	struct boot *boot = log_of(), *out;
	struct schedule_move late = { 1, LEVEL_LATE };
	struct cache_set *set = set_of("fcntl_init");
	struct simulation sim = {
		.caches = set,
		.slub = slub_config_default(),
		.registry = &registry_model,
	};
	struct learned learned;
	size_t *origin;
	int status;

	(void)state;
	sim.slub.attributes = 9; /* with the look-up and the directory itself, about 10 nodes */
	assert_int_equal(simulate_attach(boot, set).known, 1);
	assert_int_equal(simulate_learn(boot, 1, &sim, NULL, &learned), 0);
	assert_int_equal(learned.directories, 2);
	assert_true(fabs(learned.directory_us * 3 - 100) < 1e-6); /* the kset is one of them */
	sim.registry_config.prices = learned.prices;

	assert_int_equal(schedule(boot, NULL, 0, NULL, &out, &origin), 0);
	assert_int_equal(simulate(boot, out, origin, 1, &sim, NULL, &status), 0);
	for (size_t i = 0; i < out->n_calls; i++) {
		assert_true(fabs(out->calls[i].start_us - boot->calls[i].start_us) < 1e-6);
		assert_true(fabs(out->calls[i].duration_us - boot->calls[i].duration_us) < 1e-6);
	}
	boot_free(out);
	free(origin);

	assert_int_equal(schedule(boot, &late, 1, NULL, &out, &origin), 0);
	assert_string_equal(order_of(out), "slab_proc_init fcntl_init dog_init max_swapfiles_check "
					   "slab_sysfs_init check_early_ioremap_leak");
	assert_int_equal(simulate(boot, out, origin, 4, &sim, NULL, &status), 0);
	/* It takes the 5 us behind it along, and what fcntl_init no longer pays goes with it. */
	double saved = boot->calls[2].registration_us;

	assert_true(saved > 45 && saved < 55); /* half of it: the kset has no files */
	assert_true(fabs(out->calls[1].start_us - 1015) < 1e-6);
	assert_true(fabs(out->calls[1].duration_us - (60 - saved)) < 1e-6);
	assert_true(fabs(out->calls[2].start_us - (1185 - 105 - saved)) < 1e-6);
	assert_true(fabs(out->calls[4].start_us - (1216 - 105 - saved)) < 1e-6);
	assert_int_equal(out->calls[4].directories, 4);
	assert_true(fabs(out->calls[4].duration_us - (100 + saved)) < 1);
	assert_true(fabs(out->calls[5].start_us - simulate_end(&out->calls[4]) - 5) < 1e-6);
	assert_true(fabs(out->run_init_us - 1300) < 1);
	boot_free(out);
	free(origin);
	cache_set_free(set);
	boot_free(boot);
}

static void what_cannot_be_learned_is_refused(void **state)
{
	struct boot *boot = log_of();
	struct cache_set *set = set_of("nobody_init");
	struct simulation sim = {
		.caches = set,
		.slub = slub_config_default(),
		.registry = &registry_model,
	};
	struct reg_prices flat = reg_prices_flat(1);
	struct learned learned;

	(void)state;
	assert_int_equal(simulate_attach(boot, set).elsewhere, 1);
	boot->calls[1].duration_us = NAN;
	assert_int_equal(simulate_learn(boot, 1, &sim, NULL, &learned), -1);
	boot->calls[1].duration_us = 0;
	assert_int_equal(simulate_learn(boot, 1, &sim, NULL, &learned), 0);
	assert_true(learned.directory_us == 0 && learned.directories == 2);
	assert_true(boot->calls[1].registration_us == 0 && boot->calls[1].self_us == 0);
	assert_int_equal(simulate_learn(boot, 1, &sim, &flat, &learned), 0);
	assert_true(boot->calls[1].registration_us == 1 + 2 * 28);
	cache_set_free(set);
	boot_free(boot);
}

static void registrars_are_found_or_refused(void **state)
{
	struct boot *boot = log_of();
	ptrdiff_t call;

	(void)state;
	assert_int_equal(schedule_registrar(boot, NULL, &call), 0);
	assert_int_equal(call, 1);
	assert_int_equal(schedule_registrar(boot, "dog_init", &call), 0);
	assert_int_equal(call, 3);
	assert_int_equal(schedule_registrar(boot, "cat_init", &call), -1);
	boot->calls[1].returned = false;
	assert_int_equal(schedule_registrar(boot, NULL, &call), -1);
	boot->calls[1].returned = true;
	boot->calls[1].blacklisted = true;
	assert_int_equal(schedule_registrar(boot, NULL, &call), -1);
	boot->calls[1].blacklisted = false;
	add(boot, LEVEL_LATE, "slab_late_init", 1250, 5);
	assert_int_equal(schedule_registrar(boot, NULL, &call), -1);
	boot_free(boot);
}

/* The index finds what a look at all of them finds. */
static void calls_are_found_by_name(void **state)
{
	struct boot *boot = boot_new("t");
	char name[16];

	(void)state;
	boot_index(boot);
	assert_int_equal(boot_find(boot, "a"), -1);
	for (int i = 0; i < 600; i++) {
		snprintf(name, sizeof(name), "f%d", i % 250);
		add(boot, LEVEL_DEVICE, name, i, 1);
	}
	for (int indexed = 0; indexed < 2; indexed++) {
		assert_int_equal(boot_find(boot, "f7"), 7);
		assert_int_equal(boot_find(boot, "f7#1"), 7);
		assert_int_equal(boot_find(boot, "f7#2"), 257);
		assert_int_equal(boot_find(boot, "f7#3"), 507);
		assert_int_equal(boot_find(boot, "f7#4"), -1);
		assert_int_equal(boot_find(boot, "f249#2"), 499);
		assert_int_equal(boot_find(boot, "f"), -1);
		assert_int_equal(boot_find(boot, "f77x"), -1);
		assert_int_equal(boot_find(boot, ""), -1);
		assert_int_equal(boot_find(boot, "f7#0"), -1);
		assert_int_equal(boot_find(boot, "f7#x"), -1);
		boot_index(boot);
	}
	boot_free(boot);
}

static void link_order_is_known(void **state)
{
	(void)state;
	assert_int_equal(link_rank(LEVEL_LATE, "max_swapfiles_check"), LINK_MM);
	assert_int_equal(link_rank(LEVEL_LATE, "slab_sysfs_init"), LINK_SLUB);
	assert_int_equal(link_rank(LEVEL_DEVICE, "slab_sysfs_init"), LINK_SLUB);
	assert_int_equal(link_rank(LEVEL_LATE, "init_btrfs_fs"), LINK_FS);
	assert_int_equal(link_rank(LEVEL_LATE, "init_btrfs"), LINK_UNKNOWN);
	assert_int_equal(link_rank(LEVEL_FS, "max_swapfiles_check"), LINK_UNKNOWN);
}

static size_t kmalloc_caches(const struct boot *boot)
{
	struct cache_set *set = NULL;
	size_t n = 0;

	assert_int_equal(cache_set_read("test", "linux-6.1", &set), 0);
	fit_set(set, boot);
	for (size_t i = 0; i < set->n; i++)
		n += (set->rows[i].request.spec.flags & SLUB_KMALLOC) != 0;
	assert_non_null(cache_set_find(set, "dentry"));
	assert_non_null(cache_set_find(set, "kmalloc-128"));
	cache_set_free(set);
	return n;
}

static void what_a_kernel_cannot_have_is_left_out(void **state)
{
	struct boot *boot = log_of();

	(void)state;
	assert_int_equal(kmalloc_caches(boot), 2 * 13);
	add(boot, LEVEL_SUBSYS, "mem_cgroup_init", 900, 1);
	assert_int_equal(kmalloc_caches(boot), 3 * 13);
	add(boot, LEVEL_DEVICE, "register_arm64_panic_block", 950, 1);
	assert_int_equal(kmalloc_caches(boot), 3 * 7); /* 128 to 8k without 192 */
	boot->kernel = strdup("6.6.1");
	assert_int_equal(kmalloc_caches(boot), 3 * 13);
	boot_free(boot);
}

static void the_set_of_the_series_is_chosen(void **state)
{
	struct boot *boot = log_of();
	struct cache_set *set;

	(void)state;
	add(boot, LEVEL_DEVICE, "init_xfs_fs", 1250, 1);
	assert_int_equal(fit_choose(boot, &set), 0);
	assert_string_equal(set->name, "linux-6.1");
	cache_set_free(set);
	boot->kernel = strdup("5.10.0-28-amd64");
	assert_int_equal(fit_choose(boot, &set), 0);
	assert_string_equal(set->name, "debian-5.10-amd64");
	cache_set_free(set);
	boot_free(boot);
}

static void what_is_shipped_says_how_much_it_knows(void **state)
{
	(void)state;
	for (const struct shipped_file *file = shipped_caches; file->name; file++) {
		struct cache_set *set;
		size_t creations = 0;

		assert_int_equal(cache_set_read("test", file->name, &set), 0);
		for (size_t i = 0; i < set->n; i++)
			creations += strcmp(set->rows[i].created_by, CREATED_BY_START_KERNEL) != 0;
		assert_int_equal(file->creations, creations);
		cache_set_free(set);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptions_run_by_level_then_link_order),
		cmocka_unit_test(logs_move_what_changes_its_level),
		cmocka_unit_test(what_cannot_be_learned_is_refused),
		cmocka_unit_test(registrars_are_found_or_refused),
		cmocka_unit_test(calls_are_found_by_name),
		cmocka_unit_test(link_order_is_known),
		cmocka_unit_test(what_a_kernel_cannot_have_is_left_out),
		cmocka_unit_test(the_set_of_the_series_is_chosen),
		cmocka_unit_test(what_is_shipped_says_how_much_it_knows),
	};

	return cmocka_run_group_tests_name("tests/unit/test_boot", tests, NULL, NULL);
}
